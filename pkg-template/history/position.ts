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

/** Whether a value of a resume token is a block number or a count. */
export function isCount(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0;
}

export function isHistoryPosition({ bounds, block, key, count, starts }: HistoryPosition): boolean {
  return (
    [bounds.from, block - bounds.from, bounds.to - block, count].every(isCount) &&
    typeof key === "string" &&
    starts.every((start) => start === null || start === false || typeof start === "string")
  );
}
