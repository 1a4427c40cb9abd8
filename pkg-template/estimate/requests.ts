// Counts the requests for the records of a list or range.
import { DEFAULT_CONCURRENCY, HELD_PAGES, MAX_PAGE_SIZE, MAX_ROWS } from "../entry-support.js";
import type { ListOptions } from "../public.js";
import type { ClientReader } from "./client-reader.js";
import { getPrice, ONE, type RequestChain, type Span } from "./needs.js";

/** Returns the number of pages. `rows` includes those that the service leaves out of its pages. */
export async function countPages(
  reader: ClientReader,
  { min, max }: Span,
  { pageSize, concurrency = 1 }: Pick<ListOptions, "pageSize" | "concurrency">,
): Promise<Span> {
  if (max <= 1) return ONE;
  const sizes = await reader.getPageSizes(max);
  if (sizes === null) return { min: Math.max(1, Math.ceil(min / MAX_PAGE_SIZE)), max: Number.POSITIVE_INFINITY };
  // The service shortens pages without a notice.
  const later = Math.min(pageSize ?? sizes.later, sizes.later);
  const first = pageSize ? later : sizes.first;
  const count = (rows: number) => 1 + Math.max(0, Math.ceil((rows - first) / later));
  const most = count(max);
  // The list may request the version, too. Concurrent parts overlap.
  return most === 1 ? ONE : { min: count(min), max: most * (concurrency > 1 ? 2 : 1) + (pageSize ? 0 : 1) };
}

/** Returns the requests of a list. Oldest first, a list that is longer than fits in memory is read twice, page after page. */
export function createListChain(operation: string, pages: Span, order: ListOptions["order"], concurrency?: number): RequestChain {
  const isAscending = order === "asc";
  const max = isAscending && pages.max > HELD_PAGES ? 2 * pages.max : pages.max;
  return { requests: { ...pages, max }, concurrency: isAscending ? 1 : concurrency, price: getPrice(operation) };
}

/**
 * Returns the requests of a range. A short response is checked. Past one response, the search for the blocks at which parts end takes
 * requests, too, and a block with more rows is read in pages.
 */
export function createRangeChain(operation: string, { min, max }: Span, concurrency?: number): RequestChain {
  const [least, most] = [min, max].map((rows) => Math.max(1, Math.ceil(rows / MAX_ROWS))) as [number, number];
  const requests = { min: least, max: most === 1 ? 2 : 4 * most + 4 };
  return { requests, concurrency: concurrency ?? DEFAULT_CONCURRENCY, price: getPrice(operation) };
}
