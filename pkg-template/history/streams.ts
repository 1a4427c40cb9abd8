// The streams of records that sources read: a list newest first, a list oldest first, and a range of blocks.
import type { Page } from "../list.js";
import type { Omitted, RangeReport } from "../objects.js";
import { sumOmitted } from "../omitted.js";
import type { ListOptions } from "../options.js";
import type { RangeCall } from "../range.js";
import type { InternalTransactions } from "../records.js";
import type { BlockRange, RecordStream } from "./source.js";

/** The number of pages to hold while a list is read to its oldest page. */
const MAX_HELD_PAGES = 100;

/** A page. Those of internal transactions say whether rows are missing. */
export type ItemsPage<Item> = Pick<
  Page<Item, unknown, Partial<InternalTransactions>>,
  "items" | "resumeToken" | "meta" | "omitted"
>;
/** Calls a list method. The result can be awaited for its first page. */
export type OpenList<Item> = (
  options: ListOptions,
) => PromiseLike<ItemsPage<Item>> & { pages(): AsyncIterableIterator<ItemsPage<Item>> };

/** Adds the omitted records of a page that are within the bounds, or whose block is not known. */
function addPage<Item>(before: Omitted, { omitted }: ItemsPage<Item>, { from, to }: BlockRange): Omitted {
  const first = omitted.first.filter(({ block }) => block === null || (block >= from && block <= to));
  return sumOmitted(before, { count: first.length, first });
}

/** Reads a list from its newest record on. */
export function readList<Item>(
  open: OpenList<Item>,
  options: ListOptions,
  bounds: Promise<BlockRange>,
): RecordStream<Item> & { prefetch(): void } {
  // `pages()` would prefetch before any record of its first page is needed.
  const pages = open({ ...options, prefetch: 0 }).pages();
  let nextToken = options.resume ?? null;
  let prefetched: Promise<IteratorResult<ItemsPage<Item>>> | undefined;
  const reasons: string[] = [];
  const stream = {
    resumeToken: nextToken,
    reasons,
    omitted: sumOmitted(),
    async next() {
      const { done, value } = await (prefetched ?? pages.next());
      prefetched = undefined;
      if (done) return null;
      stream.resumeToken = nextToken;
      nextToken = value.resumeToken;
      if (value.omitted.count > 0) stream.omitted = addPage(stream.omitted, value, await bounds);
      if (value.meta?.status === 2 && reasons.length === 0) reasons.push(value.meta.message ?? "rows are missing");
      return value.items;
    },
    prefetch() {
      prefetched ??= pages.next();
      // `next` reports a failure.
      prefetched.catch(() => {});
    },
  };
  return stream;
}

/**
 * Reads a list from its oldest record on. The service returns lists newest first, so the list is read to its end first. Its oldest
 * pages are held in memory. Of the others only the tokens are, and the pages are read again.
 */
export function readReversedList<Item>(
  open: OpenList<Item>,
  options: ListOptions,
  bounds: Promise<BlockRange>,
  getBlock: (item: Item) => number | undefined,
): RecordStream<Item> {
  /** The pages that were read, newest first. Those without items are read again. */
  let pages: { resume: string | undefined; items: readonly Item[] | null }[] | undefined;

  const readToEnd = async () => {
    const { from, to } = await bounds;
    const read: NonNullable<typeof pages> = [];
    let resume: string | undefined;
    for await (const page of open({ ...options, prefetch: 0 }).pages()) {
      const { items, resumeToken } = page;
      stream.omitted = addPage(stream.omitted, page, { from, to });
      read.push({ resume, items });
      resume = resumeToken ?? undefined;
      // The first page stays: it has no token, and it changes when the chain grows.
      const dropped = read.length - MAX_HELD_PAGES;
      if (dropped > 0) (read[dropped] as { items: null }).items = null;
      const last = items.at(-1);
      if (last !== undefined && (getBlock(last) ?? from) < from) break;
    }
    return read;
  };

  const stream = {
    resumeToken: null,
    isReversed: true,
    reasons: [],
    omitted: sumOmitted(),
    async next() {
      pages ??= await readToEnd();
      const page = pages.pop();
      if (page === undefined) return null;
      const items = page.items ?? (await open({ ...options, resume: page.resume })).items;
      return [...items].reverse();
    },
  };
  return stream;
}

/** Reads a range of blocks of the account interface, oldest first. */
export function readRange<Row>(
  open: (blocks: { startblock: number; endblock: number }) => RangeCall<Row>,
  bounds: Promise<BlockRange>,
): RecordStream<Row> {
  let range: RangeCall<Row> | undefined;
  let rows: AsyncIterator<Row> | undefined;
  return {
    resumeToken: null,
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
        range = open({ startblock: from, endblock: to });
        rows = range[Symbol.asyncIterator]();
      }
      const { done, value } = await rows.next();
      return done ? null : [value];
    },
  };
}
