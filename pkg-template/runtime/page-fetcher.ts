// Fetches the pages of one iteration, one after the other, and prefetches at most one. The WebAssembly module sends the requests
// and follows the cursors.
import type { CallArguments } from "./arguments.js";
import type { PageSource } from "./module-call.js";
import { type AddressQueryError, copyErrorForCall, createAbortError } from "./errors.js";
import type { Omitted, RangeReport } from "./objects.js";
import { sumOmitted } from "./omitted.js";
import type { ListOptions } from "./options.js";

/** A page of a list, or a part of a range. The last part of a range has no items. */
interface FetchedPage {
  items: unknown[] | null;
  resumeToken: string | null;
  /** The records that were omitted from the page of a list. */
  omitted?: Omitted;
  /** The report of a range so far. */
  report?: RangeReport;
}

type WithItems<Page extends FetchedPage> = Page & { items: NonNullable<Page["items"]> };

export class PageFetcher<Page extends FetchedPage> {
  #call: CallArguments<ListOptions>;
  #source: PageSource<Page | null>;
  #onPage: ((page: Page) => void) | undefined;
  /** Continues after the last page whose records were all delivered. */
  resumeToken: string | null;
  #prefetched: Promise<Page | null> | undefined;
  #hasMore = true;
  #isFullyDelivered = false;
  isClosed = false;
  omitted = sumOmitted();

  /**
   * - `source` returns the pages.
   * - `onPage` is called with each page when `fetch` returns it, not when it is prefetched. A range ends with a page that has a
   *   report but no items.
   */
  constructor(call: CallArguments<ListOptions>, source: PageSource<Page | null>, onPage?: (page: Page) => void) {
    this.#call = call;
    this.#source = source;
    this.#onPage = onPage;
    this.resumeToken = call.resumeToken;
  }

  /** Returns the next page, or null after the last one. */
  async next(): Promise<WithItems<Page> | null> {
    this.throwIfAborted();
    // Aborted after all records were delivered: the iteration ends without an error.
    if (this.#call.signal?.aborted) return null;
    const next = this.#prefetched ?? this.#source.next();
    this.#prefetched = undefined;
    const page = await next.catch((error: unknown) => {
      this.throwIfAborted();
      throw this.#copyError(error);
    });
    this.#hasMore = page !== null && page.resumeToken !== null;
    if (page === null) return null;
    if (page.report !== undefined) this.omitted = page.report.omitted;
    else if (page.omitted?.count) this.omitted = sumOmitted(this.omitted, page.omitted);
    this.#onPage?.(page);
    if (page.items !== null) return page as WithItems<Page>;
    // This is the end of a range. Only now is it known that all records were delivered.
    this.markDelivered(page.resumeToken);
    return null;
  }

  /**
   * Starts to fetch the next page while the caller processes the current one. `next` reports a failure: a page that is never used must
   * not cause an unhandled rejection.
   */
  prefetch(): void {
    if (this.isClosed || !this.#hasMore || this.#call.options.prefetch === 0) return;
    this.#prefetched ??= this.#source.next();
    this.#prefetched.catch(() => {});
  }

  /** Records that all records before this resume token were delivered. */
  markDelivered(resumeToken: string | null): void {
    this.resumeToken = resumeToken;
    this.#isFullyDelivered = !this.#hasMore;
  }

  /** Throws if the call's signal was aborted, even if more records are available. Does not throw if all were delivered. */
  throwIfAborted(): void {
    if (this.#call.signal?.aborted && !this.#isFullyDelivered) throw this.#copyError(createAbortError(this.#call.signal));
  }

  /** Ends the call. */
  close(): void {
    this.isClosed = true;
    this.#source.close();
  }

  /** Copies an error for this call, with the token that continues after the delivered records, and after what was read since then. */
  #copyError(error: unknown): unknown {
    const { code, resumeToken } = (error ?? {}) as Partial<AddressQueryError>;
    // Omit the token if the call could not be opened: it may be the invalid parameter.
    const isRejected = !this.#source.isOpen && code === "invalid_parameter";
    return copyErrorForCall(error, this.#call.callSite, {
      resumeToken: isRejected ? undefined : (resumeToken ?? this.resumeToken ?? undefined),
    });
  }
}
