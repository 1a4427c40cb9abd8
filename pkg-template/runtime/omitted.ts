// The summaries of the records that were omitted: each page has one, and lists, arrays and reports add them up.
import type { Omitted } from "./objects.js";

/** Maximum number of places in a summary, as in the reports of the WebAssembly module. */
const MAX_PLACES = 100;

/** Adds up summaries. That of no records is the sum of none. */
export function sumOmitted(...summaries: readonly Omitted[]): Omitted {
  const count = summaries.reduce((sum, { count }) => sum + count, 0);
  return { count, first: summaries.flatMap(({ first }) => first).slice(0, MAX_PLACES) };
}
