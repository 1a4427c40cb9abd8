// The summaries of the records that were omitted: each page has one, and lists, arrays and reports add them up.
import { MAX_PLACES } from "./limits.js";
import type { Omitted } from "./objects.js";

/** The path of a place where the service could not serve a page, so that the number of omitted records is not known. */
export const UNSERVED_PAGE = "items";

/** Adds up summaries. Without arguments, returns a summary of no records. */
export function sumOmitted(...summaries: readonly Omitted[]): Omitted {
  const count = summaries.reduce((sum, { count }) => sum + count, 0);
  return { count, first: summaries.flatMap(({ first }) => first).slice(0, MAX_PLACES) };
}
