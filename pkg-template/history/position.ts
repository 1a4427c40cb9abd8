// The position in a history: the last delivered event, and where each source continues.
import type { Bounds } from "./source.js";
import type { StartToken } from "./sources.js";

export interface HistoryPosition {
  bounds: Bounds;
  /** The block of the last delivered event. */
  block: number;
  /** Its key. */
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
