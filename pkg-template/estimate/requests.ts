// How many requests the records of a list or range take.
import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE, MAX_ROWS, PAGE_SIZE_SINCE } from "../limits.js";
import type { SessionReader } from "./session-reader.js";
import type { Span } from "./span.js";

/** The options of a list that decide about its requests. */
export interface PageOptions {
  pageSize?: number | undefined;
  concurrency?: number | undefined;
}

/** Returns the number of pages. */
export async function countPages(
  reader: SessionReader,
  { min, max }: Span,
  { pageSize, concurrency = 1 }: PageOptions,
): Promise<Span> {
  if (max <= DEFAULT_PAGE_SIZE && !pageSize) return { min: 1, max: 1 };
  const version = pageSize ? null : await reader.getVersion();
  const isOld = version !== null && version < PAGE_SIZE_SINCE;
  const count = (records: number, size: number) => {
    const behindFirst = records - (pageSize ?? DEFAULT_PAGE_SIZE);
    return 1 + Math.max(0, Math.ceil(behindFirst / (pageSize ?? size)));
  };
  // The list may ask for the version, too. Parts that are read at the same time overlap.
  const most = count(max, isOld || version === null ? DEFAULT_PAGE_SIZE : MAX_PAGE_SIZE) * (concurrency > 1 ? 2 : 1);
  return { min: count(min, isOld ? DEFAULT_PAGE_SIZE : MAX_PAGE_SIZE), max: most + (pageSize ? 0 : 1) };
}

/** Returns the number of requests of a range. A short response is checked, and so is where the rows become denser. */
export function countWindows({ min, max }: Span): Span {
  const [least, most] = [min, max].map((rows) => Math.max(1, Math.ceil(rows / MAX_ROWS))) as [number, number];
  return { min: least, max: most === 1 ? 2 : 2 * most + 2 };
}
