// The async iterators over pages and records, and the collection of records into an array. Lists (list.ts) and ranges (range.ts)
// use them.
import { createParameterError, isAddressQueryError } from "./errors.js";
import type { Omitted } from "./objects.js";

/** The pages of an iteration, as `PageFetcher` fetches them. */
interface Pages<Page> {
  readonly isClosed: boolean;
  /** The records that were omitted from the pages so far. */
  readonly omitted: Omitted;
  next(): Promise<Page | null>;
  prefetch(): void;
  markDelivered(resumeToken: string | null): void;
  throwIfAborted(): void;
  close(): void;
}

/** A page of a list, or a part of a range. */
interface ItemPage<Item> {
  items: Item[];
  resumeToken: string | null;
}

/**
 * The records that `toArray` has collected, and those that `badRecords: "skip"` omitted from the pages that were read for it. That
 * property is not enumerable: an iteration, a spread and `JSON.stringify` leave it out.
 */
export type Collected<Item> = Item[] & { readonly omitted: Omitted };

/** An async iterator. `next` may be called again before the previous call has settled. `return` does not wait for such calls. */
export class Iteration<Value> implements AsyncIterableIterator<Value> {
  #pages: Pick<Pages<unknown>, "isClosed" | "close">;
  #readNext: () => Promise<IteratorResult<Value, undefined>>;
  #previous: Promise<unknown> = Promise.resolve();

  constructor(pages: Pick<Pages<unknown>, "isClosed" | "close">, readNext: () => Promise<IteratorResult<Value, undefined>>) {
    this.#pages = pages;
    this.#readNext = readNext;
  }

  next(): Promise<IteratorResult<Value, undefined>> {
    const result = this.#previous.then(() => this.#advance());
    this.#previous = result.catch(() => {});
    return result;
  }

  return<Result>(value?: Result | PromiseLike<Result>): Promise<IteratorResult<Value, Result>> {
    this.#pages.close();
    return Promise.resolve({ done: true, value }) as Promise<IteratorResult<Value, Result>>;
  }

  throw(error?: unknown): Promise<never> {
    this.#pages.close();
    return Promise.reject(error);
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async #advance(): Promise<IteratorResult<Value, undefined>> {
    const end = { done: true, value: undefined } as const;
    if (this.#pages.isClosed) return end;
    try {
      const result = await this.#readNext();
      if (this.#pages.isClosed) return end;
      if (result.done) this.#pages.close();
      return result;
    } catch (error) {
      // `return` or `throw` was called while the page was in flight. That ends the iteration without a failure.
      if (this.#pages.isClosed) return end;
      this.#pages.close();
      throw error;
    }
  }
}

/** Iterates over the pages, or the windows of a range. `getValue` returns the value to deliver for a page. */
export function iteratePages<Page extends ItemPage<unknown>, Value>(
  pages: Pages<Page>,
  getValue: (page: Page) => Value,
): Iteration<Value> {
  return new Iteration(pages, async () => {
    const page = await pages.next();
    if (page === null) return { done: true, value: undefined };
    pages.markDelivered(page.resumeToken);
    pages.prefetch();
    return { done: false, value: getValue(page) };
  });
}

/** Iterates over the records of all pages. `resumeToken` is the token that the call starts from. */
export function iterateItems<Item>(pages: Pages<ItemPage<Item>>, resumeToken: string | null): Iteration<Item> {
  let page: ItemPage<Item> = { items: [], resumeToken };
  let index = 0;
  return new Iteration(pages, async () => {
    if (index < page.items.length) pages.throwIfAborted();
    while (index >= page.items.length) {
      pages.markDelivered(page.resumeToken);
      const next = await pages.next();
      if (next === null) return { done: true, value: undefined };
      page = next;
      index = 0;
    }
    // A caller that reads a second record of a page probably reads all of them.
    if (index === 1) pages.prefetch();
    return { done: false, value: page.items[index++] as Item };
  });
}

/** Collects at most `limit` records. An error has the collected records as `partial`, and its token continues after them. */
export async function collectItems<Item>(limit: number, pages: Pages<ItemPage<Item>>): Promise<Collected<Item>> {
  if (!Number.isSafeInteger(limit) || limit < 1) {
    throw createParameterError("limit", "must be an integer of at least 1, as in toArray({ limit: 1000 })");
  }
  const items: Item[] = [];
  try {
    while (items.length < limit) {
      const page = await pages.next();
      if (page === null) break;
      const room = limit - items.length;
      for (const item of page.items.slice(0, room)) items.push(item);
      if (page.items.length <= room) pages.markDelivered(page.resumeToken);
    }
  } catch (error) {
    // Not enumerable, so that logs of the error do not contain all records.
    if (isAddressQueryError(error)) Object.defineProperty(error, "partial", { value: items });
    throw error;
  } finally {
    Object.defineProperty(items, "omitted", { value: pages.omitted });
    pages.close();
  }
  return items as Collected<Item>;
}
