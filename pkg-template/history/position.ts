// The position in a history: the last delivered event, and where each source continues.
import type { HistoryReport } from "./public-types.js";

/** The blocks of a history. Both ends are included. */
export type BlockRange = Pick<HistoryReport, "from" | "to">;

/** The blocks of a history, and the method that found the last one. */
export interface Bounds extends BlockRange, Pick<HistoryReport, "boundMethod"> {
  /** The hash of the last block when it was found. Not set if it is final, or not known. */
  hash?: string | undefined;
}

/** Where a source starts: at its beginning (null), where a token continues, or at its end (false). */
export type SourceStart = string | null | false;

export interface HistoryPosition {
  bounds: Bounds;
  /** The block of the last delivered event. Before the first event, the first block. */
  block: number;
  /** The key of the last delivered event. Empty: before the first event. */
  key: string;
  /** How many events of the block were delivered. Used if the key is not found again, because the block was replaced. */
  count: number;
  /** Per source. JSON has no `undefined`, so false stands for the end of a source. */
  starts: readonly SourceStart[];
  /** Whether the last attempt to continue has spent `maxCredits` without any progress. */
  isStuck?: boolean;
  /** Lists the recipients of the records so far, oldest first. */
  recipients?(): readonly string[];
}

/**
 * What a reader has learned before a position, besides the position itself: its functions return it. Tokens leave it out, because it may
 * be long. A reader that continues without it may judge events differently.
 */
export type Memory = { [name: string]: unknown };

/** Returns the memory of a position, or of the positions of a merged history. */
export function readMemory(position: object): Memory {
  const memory: Memory = {};
  for (const [name, value] of Object.entries(position)) {
    if (typeof value === "function") memory[name] = value();
    // The others of a merged history have ended or not begun.
    else if (Array.isArray(position) && value && typeof value === "object") memory[name] = readMemory(value);
  }
  return memory;
}

/** Adds the memory to a position that was decoded from its token. */
export function addMemory(position: object, memory: Memory): void {
  const members = position as Memory;
  for (const [name, value] of Object.entries(memory)) {
    if (typeof members[name] === "object") addMemory(members[name] as object, value as Memory);
    else members[name] = () => value;
  }
}

/** Whether a value is a block number or a count. */
export function isCount(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0;
}

export function isHistoryPosition({ bounds, block, key, count, starts }: HistoryPosition): boolean {
  return (
    [bounds.from, block - bounds.from, bounds.to - block, count].every(isCount) &&
    typeof key === "string" &&
    // In tokens of older versions, an array is a position in a list. The list is read again.
    starts.every((start) => start === false || typeof start === "string" || typeof start === "object")
  );
}
