// Caches the lists that were read last, so that Back and reopened tabs show their rows at once. Stores their positions, so that a
// reload restores as many rows.
import { load, save } from "../settings/storage.js";
import type { ListPosition, ListReader } from "./list-reader.js";

const MAX_READERS = 20;
const POSITIONS_KEY = "address-query-positions";

// biome-ignore lint/suspicious/noExplicitAny: readers of all kinds of rows
const readers = new Map<string, ListReader<any>>();
/** Positions before the reload, of lists that were not shown since. */
const positions = readPositions();

function readPositions(): Map<string, ListPosition> {
  const [navigation] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  // A link starts at the top.
  if (navigation?.type === "navigate") return new Map();
  return new Map(load("sessionStorage", POSITIONS_KEY) as [string, ListPosition][] | null);
}

addEventListener("pagehide", () => {
  const entries = [...positions, ...[...readers].map(([key, { position }]) => [key, position])];
  save("sessionStorage", POSITIONS_KEY, entries.slice(-MAX_READERS));
});

/** Returns the reader of `key`, or creates it at the saved position. The least recently used one is dropped. */
export function getReader<Row>(key: string, create: (saved?: ListPosition) => ListReader<Row>): ListReader<Row> {
  const reader: ListReader<Row> = readers.get(key) ?? create(positions.get(key));
  positions.delete(key);
  readers.delete(key);
  readers.set(key, reader);
  for (const oldest of readers.keys()) {
    if (readers.size <= MAX_READERS) break;
    readers.delete(oldest);
  }
  return reader;
}

export const forgetReader = (key: string): boolean => readers.delete(key);
