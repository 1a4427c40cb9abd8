// The summaries of the records that were omitted: each page has one, and lists, arrays and reports add them up.
import type { Omitted } from "./objects.js";

/** Maximum number of places in a summary, as in the reports of the WebAssembly module. */
const MAX_PLACES = 100;

/** Returns the summary of both. */
export function addOmitted(before: Omitted, next: Omitted): Omitted {
  return { count: before.count + next.count, first: [...before.first, ...next.first].slice(0, MAX_PLACES) };
}

/** Returns the summary of no records. */
export const createOmitted = (): Omitted => ({ count: 0, first: [] });
