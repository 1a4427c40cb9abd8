// The streams of records that sources read: a list, and a range of blocks.
import { sumOmitted, UNSERVED_PAGE } from "../entry-support.js";
import {
  type InternalTransactions,
  isAddressQueryError,
  type ListOptions,
  type Omitted,
  type Page,
  type RangeCall,
  type RangeReport,
} from "../public.js";
import type { BlockRange, SourceStart } from "./position.js";

/** Records in the order of the history. */
export interface RecordStream {
  /** Continues with the records that the last call of `next` returned. */
  readonly start: SourceStart;
  /** Whether the records come in the opposite order of the list. Then `next` fails only between two blocks, and fails again. */
  readonly isReversed?: boolean;
  /** Which of the records that were read are missing, and why. */
  readonly reasons: readonly string[];
  /** The omitted records. */
  readonly omitted: Omitted;
  /** Returns the next records, or null at the end. */
  next(): Promise<readonly unknown[] | null>;
  /** Starts to read the next records. */
  prefetch?(): void;
}

/** A page. Pages of internal transactions say whether rows are missing. */
type ItemsPage = Pick<Page<unknown, unknown, Partial<InternalTransactions>>, "items" | "resumeToken" | "meta" | "omitted">;
/** Calls a list method. */
export type OpenList = (options: ListOptions) => { pages(): AsyncIterableIterator<ItemsPage> };

/**
 * Adds the omitted records of a page whose block is within the bounds or unknown. If the service could not serve a
 * page, records newer than the block may be missing too.
 */
function addOmitted(before: Omitted, { omitted }: ItemsPage, { from, to }: BlockRange): Omitted {
  const first = omitted.first.filter(
    ({ block, path }) => block === null || (block <= to && (block >= from || path === UNSERVED_PAGE)),
  );
  return sumOmitted(before, { count: first.length, first });
}

/** Reads a list newest first, or oldest first within the bounds. */
export function readList(
  open: OpenList,
  bounds: Promise<BlockRange>,
  resume: string | undefined,
  isAscending: boolean,
): RecordStream {
  let pages: AsyncIterator<ItemsPage> | undefined;
  let prefetched: Promise<IteratorResult<ItemsPage>> | undefined;
  const read = async () => {
    if (pages === undefined) {
      const blocks = isAscending && (await bounds);
      const order: ListOptions = blocks ? { order: "asc", fromBlock: blocks.from, toBlock: blocks.to } : {};
      // `pages()` would prefetch before any record of its first page is needed.
      pages = open({ ...order, resume, prefetch: 0 }).pages();
    }
    return pages.next();
  };
  let nextToken = resume ?? null;
  const reasons: string[] = [];
  let failure: unknown;
  const stream = {
    start: nextToken,
    isReversed: isAscending,
    reasons,
    omitted: sumOmitted(),
    async next() {
      if (failure !== undefined) throw failure;
      const reading = prefetched ?? read();
      prefetched = undefined;
      const { done, value } = await reading.catch((error) => {
        if (isAddressQueryError(error)) stream.start = error.resumeToken ?? stream.start;
        failure = error;
        throw error;
      });
      if (done) return null;
      stream.start = nextToken;
      nextToken = value.resumeToken;
      if (value.omitted.count > 0) stream.omitted = addOmitted(stream.omitted, value, await bounds);
      if (value.meta?.status === 2 && reasons.length === 0) reasons.push(value.meta.message ?? "rows are missing");
      return value.items;
    },
    prefetch() {
      prefetched ??= read();
      // `next` reports a failure.
      prefetched.catch(() => {});
    },
  };
  return stream;
}

/**
 * Reads a range of blocks of the account interface, oldest first. `start` is the start of the list that is read if the service
 * lacks the range. `check` throws if the range must not be read.
 */
export function readRange(
  open: (blocks: { startblock: number; endblock: number }) => RangeCall<unknown>,
  bounds: Promise<BlockRange>,
  start: SourceStart,
  check: () => Promise<unknown>,
): RecordStream {
  let range: RangeCall<unknown> | undefined;
  let rows: AsyncIterator<unknown> | undefined;
  return {
    start,
    get reasons() {
      const { incompleteBlocks = [], unprocessed = [], changedBlocks = [] }: Partial<RangeReport> = range?.report ?? {};
      return [
        ...incompleteBlocks.map(({ block, reason }) => `block ${block}: ${reason}`),
        ...unprocessed.map(({ first, last, message }) => `blocks ${first} to ${last}: ${message}`),
        ...changedBlocks.map((block) => `block ${block} was replaced while it was read`),
      ];
    },
    get omitted() {
      return range?.report?.omitted ?? sumOmitted();
    },
    async next() {
      if (rows === undefined) {
        const { from, to } = await bounds;
        if (from > to) return null;
        await check();
        range = open({ startblock: from, endblock: to });
        rows = range[Symbol.asyncIterator]();
      }
      const { done, value } = await rows.next();
      return done ? null : [value];
    },
  };
}
