// The summaries of the records that were omitted: each page has one, and lists, arrays and reports add them up.
import { MAX_PLACES } from "./limits.js";
import type { Omitted } from "./objects.js";

/** Adds up summaries. That of no records is the sum of none. */
export function sumOmitted(...summaries: readonly Omitted[]): Omitted {
  const count = summaries.reduce((sum, { count }) => sum + count, 0);
  return { count, first: summaries.flatMap(({ first }) => first).slice(0, MAX_PLACES) };
}
