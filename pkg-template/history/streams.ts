// The streams of records that sources read: a list newest first, a list oldest first, and a range of blocks.
import type { Page } from "../list.js";
import type { ListOptions } from "../options.js";
import type { RangeCall } from "../range.js";
import type { InternalTransactions } from "../records.js";
import type { Bounds, RecordStream } from "./source.js";

/** The number of pages to hold while a list is read to its oldest page. */
const MAX_HELD_PAGES = 100;

/** A page. Those of internal transactions say whether rows are missing. */
export type ItemsPage<Item> = Pick<Page<Item, unknown, Partial<InternalTransactions>>, "items" | "resumeToken" | "meta">;
/** Calls a list method. */
export type OpenList<Item> = (options: ListOptions) => { pages(): AsyncIterator<ItemsPage<Item>> };

/** A list from its newest record on. */
export class ListStream<Item> implements RecordStream<Item> {
  readonly reasons: string[] = [];
  resumeToken: string | null;
  #nextToken: string | null;
  #pages: AsyncIterator<ItemsPage<Item>>;
  #prefetched: Promise<IteratorResult<ItemsPage<Item>>> | undefined;

  constructor(open: OpenList<Item>, options: ListOptions) {
    // `pages()` would prefetch before any record of its first page is needed.
    this.#pages = open({ ...options, prefetch: 0 }).pages();
    this.resumeToken = this.#nextToken = options.resume ?? null;
  }

  async next(): Promise<readonly Item[] | null> {
    const { done, value } = await (this.#prefetched ?? this.#pages.next());
    this.#prefetched = undefined;
    if (done) return null;
    this.resumeToken = this.#nextToken;
    this.#nextToken = value.resumeToken;
    if (value.meta?.status === 2 && this.reasons.length === 0) this.reasons.push(value.meta.message ?? "rows are missing");
    return value.items;
  }

  prefetch(): void {
    this.#prefetched ??= this.#pages.next();
    // `next` reports a failure.
    this.#prefetched.catch(() => {});
  }

  close(): void {
    void this.#pages.return?.();
  }
}

/**
 * A list from its oldest record on. The service returns lists newest first, so the list is read to its end first. Its oldest pages are
 * held in memory. Of the others only the tokens are, and the pages are read again.
 */
export class ReversedListStream<Item> implements RecordStream<Item> {
  readonly resumeToken = null;
  readonly isReversed = true;
  readonly reasons = [];
  readonly #open: OpenList<Item>;
  readonly #options: ListOptions;
  readonly #bounds: Promise<Bounds>;
  readonly #getBlock: (item: Item) => number | undefined;
  /** The pages that were read, newest first. Those without items are read again. */
  readonly #pages: { token: string | null; items: readonly Item[] | null }[] = [];
  #isRead = false;
  #walk: ListStream<Item> | undefined;

  constructor(open: OpenList<Item>, options: ListOptions, bounds: Promise<Bounds>, getBlock: (item: Item) => number | undefined) {
    this.#open = open;
    this.#options = options;
    this.#bounds = bounds;
    this.#getBlock = getBlock;
  }

  async next(): Promise<readonly Item[] | null> {
    if (!this.#isRead) await this.#readToEnd();
    const page = this.#pages.pop();
    if (page === undefined) return null;
    return [...(page.items ?? (await this.#readAgain(page.token)))].reverse();
  }

  close(): void {
    this.#walk?.close();
  }

  async #readToEnd(): Promise<void> {
    const { from } = await this.#bounds;
    const walk = new ListStream(this.#open, this.#options);
    this.#walk = walk;
    for (let items = await walk.next(); items !== null; items = await walk.next()) {
      this.#pages.push({ token: walk.resumeToken, items });
      // The first page stays: it has no token, and it changes when the chain grows.
      const dropped = this.#pages.length - MAX_HELD_PAGES;
      if (dropped > 0) (this.#pages[dropped] as { items: null }).items = null;
      const last = items.at(-1);
      if (last !== undefined && (this.#getBlock(last) ?? from) < from) break;
    }
    walk.close();
    this.#isRead = true;
  }

  async #readAgain(token: string | null): Promise<readonly Item[]> {
    const page = new ListStream(this.#open, { ...this.#options, resume: token ?? undefined });
    return (await page.next()) ?? [];
  }
}

/** A range of blocks of the account interface, oldest first. */
export class RangeStream<Row> implements RecordStream<Row> {
  readonly resumeToken = null;
  readonly #open: (blocks: { startblock: number; endblock: number }) => RangeCall<Row>;
  readonly #bounds: Promise<Bounds>;
  #range: RangeCall<Row> | undefined;
  #rows: AsyncIterator<Row> | undefined;
  #isClosed = false;

  constructor(open: (blocks: { startblock: number; endblock: number }) => RangeCall<Row>, bounds: Promise<Bounds>) {
    this.#open = open;
    this.#bounds = bounds;
  }

  get reasons(): readonly string[] {
    const report = this.#range?.report;
    return [
      ...(report?.incompleteBlocks ?? []).map(({ block, reason }) => `block ${block}: ${reason}`),
      ...(report?.unprocessed ?? []).map(({ first, last, message }) => `blocks ${first} to ${last}: ${message}`),
      ...(report?.changedBlocks ?? []).map((block) => `block ${block} was replaced while it was read`),
    ];
  }

  async next(): Promise<readonly Row[] | null> {
    if (this.#rows === undefined) {
      const { from, to } = await this.#bounds;
      if (this.#isClosed || from > to) return null;
      this.#range = this.#open({ startblock: from, endblock: to });
      this.#rows = this.#range[Symbol.asyncIterator]();
    }
    const { done, value } = await this.#rows.next();
    return done ? null : [value];
  }

  close(): void {
    this.#isClosed = true;
    void this.#rows?.return?.();
  }
}
