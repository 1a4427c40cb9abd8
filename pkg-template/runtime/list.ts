// The result of a list method: a promise of the first page that can also be iterated and collected.
import { captureArguments, type CallArguments } from "./arguments.js";
import { ModuleCall, createPlan } from "./module-call.js";
import type { CallPlan } from "./call-plan.js";
import { type Collected, collectItems, iterateItems, iteratePages } from "./iteration.js";
import type { Omitted } from "./objects.js";
import { sumOmitted } from "./omitted.js";
import { listOptions } from "./option-table.js";
import type { ListOptions } from "./options.js";
import { PageFetcher } from "./page-fetcher.js";
import type { Session } from "./session.js";

/** A page of a list: plain data that works with `structuredClone` and `JSON.stringify`. */
export type Page<Item, Cursor, Envelope = unknown> = Envelope & {
  /** The records. May be empty even if further pages follow. */
  items: Item[];
  /** The service's cursor, for information. Null on the last page, with `order: "asc"`, and if the cursor is invalid. */
  next_page_params: Cursor | null;
  /**
   * Continues after this page, also in another session: pass it as `resume`. Null on the last page.
   *
   * @remarks
   * The token is also present if the cursor is invalid. Reading the next page then rejects with code `cursor`, until the service
   * sends a valid cursor.
   */
  resumeToken: string | null;
  /** The records of the page that `badRecords: "skip"` omitted. */
  omitted: Omitted;
};

/**
 * The result of a list method: a `Promise` of the first page that can also be iterated and collected.
 *
 * @remarks
 * Nothing is sent before you await, iterate or collect it. `then`, `catch` and `finally` count as awaiting.
 *
 * Each iteration and each call of `toArray` starts from the beginning, or after the token `resume`.
 *
 * @example
 * ```ts
 * const call = client.addressTokenTransfers({ address_hash });
 * const page = await call;                                  // the first page
 * for await (const transfer of call) { … }                  // every record; `break` cancels the request in flight
 * for await (const page of call.pages()) { … }              // every page
 * const newest = await call.toArray({ limit: 200 });        // at most 200 records
 * ```
 */
export interface ListCall<Item, Cursor, Envelope = unknown> extends Promise<Page<Item, Cursor, Envelope>>, AsyncIterable<Item> {
  /** Iterates over the pages. `next()` may be called several times at once. `break` and `return()` cancel the request in flight. */
  pages(): AsyncIterableIterator<Page<Item, Cursor, Envelope>>;
  /**
   * Iterates over the records of all pages. `next()` may be called several times at once. `break` and `return()` cancel the
   * request in flight.
   */
  [Symbol.asyncIterator](): AsyncIterableIterator<Item>;
  /**
   * Collects at most `limit` records.
   *
   * @throws {AddressQueryError} The records that were collected before the failure are in its `partial`.
   */
  toArray(options: { limit: number }): Promise<Collected<Item>>;
  /** The records that `badRecords: "skip"` omitted from the pages that the latest iteration has read so far. */
  readonly omitted: Omitted;
  /**
   * Continues after the last page whose records were all delivered by the latest iteration: pass it as `resume`. The records
   * of an interrupted page are returned again. Null at the beginning and at the end.
   */
  readonly resumeToken: string | null;
  /**
   * Returns the plan of the call. Sends nothing.
   *
   * @throws {AddressQueryError} `invalid_parameter` for an invalid option.
   */
  plan(): ListPlan<ListCall<Item, Cursor, Envelope>>;
}

/** The plan of a list. */
export interface ListPlan<Result> extends CallPlan {
  /** Creates another call with the same parameters. */
  open(options?: ListOptions): Result;
}

/**
 * A lazy promise: it sends nothing and stays pending until `then` is called.
 * @internal
 */
export class LazyListCall<Item, Cursor, Envelope>
  extends Promise<Page<Item, Cursor, Envelope>>
  implements ListCall<Item, Cursor, Envelope>
{
  #resolve: ((page: Promise<Page<Item, Cursor, Envelope>>) => void) | undefined;
  #session: Session;
  #name: string;
  #call: CallArguments<ListOptions>;
  /** Fetches the pages of the latest iteration. */
  #fetcher: PageFetcher<Page<Item, Cursor, Envelope>> | undefined;

  constructor(session: Session, name: string, params: object | undefined, options: ListOptions | undefined) {
    let resolvePage: ((page: Promise<Page<Item, Cursor, Envelope>>) => void) | undefined;
    super((resolve) => {
      resolvePage = resolve;
    });
    this.#resolve = resolvePage;
    this.#session = session;
    this.#name = name;
    this.#call = captureArguments(params, options, listOptions);
  }

  /** Makes `then`, `catch` and `finally` return plain promises. */
  static override get [Symbol.species](): PromiseConstructor {
    return Promise;
  }

  plan(): ListPlan<LazyListCall<Item, Cursor, Envelope>> {
    const plan = createPlan(this.#session, this.#name, this.#call);
    return { ...plan, open: (options) => new LazyListCall(this.#session, this.#name, plan.params, options) };
  }

  get resumeToken(): string | null {
    return this.#fetcher ? this.#fetcher.resumeToken : this.#call.resumeToken;
  }

  get omitted(): Omitted {
    return this.#fetcher?.omitted ?? sumOmitted();
  }

  /** Reads the first page. For a subclass of `Promise`, `await`, `catch`, `finally` and `Promise.all` call `then`. */
  override then<Result = Page<Item, Cursor, Envelope>, Failure = never>(
    onFulfilled?: ((page: Page<Item, Cursor, Envelope>) => Result | PromiseLike<Result>) | null,
    onRejected?: ((error: unknown) => Failure | PromiseLike<Failure>) | null,
  ): Promise<Result | Failure> {
    this.#resolve?.(this.#readFirstPage());
    this.#resolve = undefined;
    return super.then(onFulfilled, onRejected);
  }

  pages(): AsyncIterableIterator<Page<Item, Cursor, Envelope>> {
    return iteratePages(this.#createFetcher(), (page) => page);
  }

  [Symbol.asyncIterator](): AsyncIterableIterator<Item> {
    return iterateItems(this.#createFetcher(), this.#call.resumeToken);
  }

  async toArray(options: { limit: number }): Promise<Collected<Item>> {
    return collectItems(options?.limit, this.#createFetcher());
  }

  async #readFirstPage(): Promise<Page<Item, Cursor, Envelope>> {
    const fetcher = this.#createFetcher();
    try {
      // Every list has a first page.
      const page = (await fetcher.next()) as Page<Item, Cursor, Envelope>;
      fetcher.markDelivered(page.resumeToken);
      return page;
    } finally {
      fetcher.close();
    }
  }

  #createFetcher(): PageFetcher<Page<Item, Cursor, Envelope>> {
    this.#fetcher = new PageFetcher(this.#call, new ModuleCall(this.#session, this.#name, this.#call));
    return this.#fetcher;
  }
}
