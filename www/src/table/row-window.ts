// Chooses the rows of a list that are in the document: the ones in view, added a few at a time.

/** The rows from `start` to before `end`. */
export interface RowWindow {
  start: number;
  end: number;
}

/**
 * Moves the window `last` towards `wanted`: it removes all other rows, and adds at most `limit`. Windows without common rows
 * continue at `firstInView`.
 */
export function moveWindow(last: RowWindow, wanted: RowWindow, firstInView: number, limit: number): RowWindow {
  const isDisjoint = last.end <= wanted.start || last.start >= wanted.end;
  const origin = Math.min(Math.max(firstInView, wanted.start), wanted.end);
  const start = isDisjoint ? origin : Math.max(last.start, wanted.start);
  const end = isDisjoint ? origin : Math.min(last.end, wanted.end);
  const below = Math.min(wanted.end - end, limit);
  const above = Math.min(start - wanted.start, limit - below);
  return { start: start - above, end: end + below };
}
