// The position in a history: the last delivered event, and where each source continues.
import type { Bounds } from "./source.js";

/** Where a source starts: at its beginning (null), where a token continues, or at its end (false). */
export type StartToken = string | null | false;

export interface HistoryPosition {
  bounds: Bounds;
  /** The block of the last delivered event. Before the first event, the first block. */
  block: number;
  /** Its key. Empty: before the first event. */
  key: string;
  /** How many events of the block were delivered. It counts if the key is not found again, because the block was replaced. */
  count: number;
  /** Per source. JSON has no `undefined`, so false stands for the end of a source. */
  starts: readonly StartToken[];
}

export function isHistoryPosition({ bounds, block, key, count, starts }: HistoryPosition): boolean {
  return (
    [bounds.from, bounds.to, block, count].every(Number.isSafeInteger) &&
    typeof key === "string" &&
    starts.every((start) => start === null || start === false || typeof start === "string")
  );
}
