// The delivered events of the last blocks, which each poll of a watch reads again.
import type { HistoryEvent, HistoryKind } from "./event.js";
import { isCount } from "./position.js";
import type { HistoryReport } from "./public-types.js";

/** The minimum number of blocks to read again. */
const OVERLAP_BLOCKS = 12;
/** The service adds some events late, so blocks of this period are also read again. */
const OVERLAP_MS = 120_000;

/** An event: its key, block and kind, and whether a REST list had it. Instances can hide events of the account interface there. */
type KnownEvent = [key: string, block: number, kind: HistoryKind, isListed: boolean];

/** The position that a watch continues from. */
export interface WatchPosition {
  /** The first block to read. */
  from: number;
  /** The delivered events from this block on. */
  events: KnownEvent[];
}

export function isWatchPosition({ from, events }: WatchPosition): boolean {
  return isCount(from) && events.every(([key, block]) => typeof key === "string" && isCount(block));
}

export class KnownEvents {
  #from: number;
  readonly #events: Map<string, KnownEvent>;
  /** The newest block at several times, oldest first. */
  #heads: { time: number; block: number }[] = [];

  constructor({ from, events }: WatchPosition) {
    this.#from = from;
    this.#events = new Map(events.map((event) => [event[0], event]));
  }

  get position(): WatchPosition {
    return { from: this.#from, events: [...this.#events.values()] };
  }

  /** The last block with events, or the first one to read. */
  get lastBlock(): number {
    return [...this.#events.values()].reduce((last, [, block]) => Math.max(last, block), this.#from);
  }

  /** Whether some events were not yet in a REST list. The account interface has events that the lists hide. */
  get hasUnlisted(): boolean {
    return [...this.#events.values()].some(([, , , isListed]) => !isListed);
  }

  /** Whether an event was delivered, in the same block. */
  has({ key, block_number }: HistoryEvent): boolean {
    return this.#events.get(key)?.[1] === block_number;
  }

  /** Adds an event. Returns whether it was not known. */
  add({ key, block_number, kind }: HistoryEvent, isListed: boolean): boolean {
    const isNew = !this.#events.has(key);
    if (isNew || isListed) this.#events.set(key, [key, block_number, kind, isListed]);
    return isNew;
  }

  /**
   * Removes the events that a poll should have found in their blocks, but did not. Returns the key of each when it is removed.
   * `isFromAccount`: the poll read the account interface, which has the transfers that no list has, and may lack listed ones.
   */
  *removeMissing(found: readonly HistoryEvent[], { to, sources }: HistoryReport, isFromAccount = false): Generator<string> {
    const blocks = new Map(found.map(({ key, block_number }) => [key, block_number]));
    // Version 12 always says that internal transactions of the newest blocks are missing. Those that were listed before are not.
    const isRead = (kind: HistoryKind) =>
      sources.every((source) => source.kind !== kind || (source.state !== "skipped" && source.omitted.count === 0));
    for (const [key, block, kind, isListed] of [...this.#events.values()]) {
      if (blocks.get(key) === block) continue;
      if (!blocks.has(key) && !(isListed !== isFromAccount && block <= to && isRead(kind))) continue;
      this.#events.delete(key);
      yield key;
    }
  }

  /** Drops events that are no longer read again after a poll up to this block. */
  advance(block: number): void {
    const time = Date.now();
    this.#heads.push({ time, block });
    while (this.#heads[1] !== undefined && this.#heads[1].time <= time - OVERLAP_MS) this.#heads.shift();
    const [oldest] = this.#heads as [{ time: number; block: number }];
    if (oldest.time <= time - OVERLAP_MS) this.startAt(Math.min(oldest.block, block - OVERLAP_BLOCKS) + 1);
  }

  /** Drops the events before a block. */
  startAt(block: number): void {
    this.#from = Math.max(this.#from, block);
    for (const [key, [, eventBlock]] of this.#events) if (eventBlock < this.#from) this.#events.delete(key);
  }

  /** Drops events that are too far behind one that was read oldest first. */
  passed({ block_number }: HistoryEvent): void {
    this.startAt(block_number - OVERLAP_BLOCKS + 1);
  }
}
