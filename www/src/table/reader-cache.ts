// Keeps the lists that were read last, so that Back and a tab that was open before show their rows at once.
import type { ListReader } from "./list-reader.js";

const MAX_READERS = 20;

// biome-ignore lint/suspicious/noExplicitAny: readers of all kinds of rows
const readers = new Map<string, ListReader<any>>();

/** Returns the reader of `key`, or creates it. The least recently used one is dropped. */
export function getReader<Row>(key: string, create: () => ListReader<Row>): ListReader<Row> {
  const reader: ListReader<Row> = readers.get(key) ?? create();
  readers.delete(key);
  readers.set(key, reader);
  for (const oldest of readers.keys()) {
    if (readers.size <= MAX_READERS) break;
    readers.delete(oldest);
  }
  return reader;
}

export const forgetReader = (key: string): boolean => readers.delete(key);
