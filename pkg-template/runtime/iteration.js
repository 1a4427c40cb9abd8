// Reads pages one after the other and prefetches at most one. Provides the async iterators over pages and records. Lists
// (list.js) and ranges (range.js) use it. The WebAssembly module fetches the pages and follows the cursors.
import { copyErrorForCall, createAbortError, createParameterError, isAddressQueryError } from "./errors.js";
import { checkOptions } from "./options.js";

/** Reads the pages of one iteration. At most one page is prefetched. */
export class PageReader {
  #call;
  #openPages;
  #pages;
  #onToken;
  #onPage;
  /** The token that continues after the last record that was delivered. */
  #resumeToken;
  #prefetched;
  #hasMore = true;
  #isFullyDelivered = false;
  /** Ends the wait for a page when the call's signal aborts, or on `close`. */
  #controller = new AbortController();
  isClosed = false;

  /**
   * - `call` is the result of `captureCall`.
   * - `openPages` returns a promise of the call's `CallHandle`, or of an object with the same methods.
   * - `onToken` is called with a resume token when all records before it were delivered.
   * - `onPage` is called with each page when `read` returns it, not when it is prefetched. A range ends with a page that has a
   *   report but no items.
   */
  constructor(call, openPages, onToken, onPage) {
    this.#call = call;
    this.#openPages = openPages;
    this.#onToken = onToken;
    this.#onPage = onPage;
    this.markDelivered(call.resumeToken);
  }

  /** Returns the next page, or null after the last one. */
  async read() {
    this.throwIfAborted();
    // Aborted after all records were delivered: the iteration ends without an error.
    if (this.#call.signal?.aborted) return null;
    const page = await (this.#prefetched ?? this.#fetchPage()).catch((error) => {
      this.throwIfAborted();
      throw this.#copyError(error);
    });
    this.#prefetched = undefined;
    this.#hasMore = page !== null && page.resumeToken !== null;
    if (page === null) return null;
    this.#onPage?.(page);
    if (page.items !== null) return page;
    // This is the end of a range. Only now is it known that all records were delivered.
    this.markDelivered(page.resumeToken);
    return null;
  }

  /** Starts to fetch the next page while the caller processes the current one. */
  prefetch() {
    if (this.isClosed || !this.#hasMore || this.#prefetched !== undefined || this.#call.options.prefetch === 0) return;
    this.#prefetched = this.#fetchPage();
    // `read` reports a failure. A page that is never read must not cause an unhandled rejection.
    this.#prefetched.catch(() => {});
  }

  /** Records that all records before this resume token were delivered. */
  markDelivered(resumeToken) {
    this.#resumeToken = resumeToken;
    this.#onToken(resumeToken);
    this.#isFullyDelivered = !this.#hasMore;
  }

  /** Throws if the call's signal was aborted, even if more records are available. Does not throw if all were delivered. */
  throwIfAborted() {
    if (this.#call.signal?.aborted && !this.#isFullyDelivered) throw this.#copyError(createAbortError(this.#call.signal));
  }

  /** Copies an error for this call, with the token that continues after the delivered records. */
  #copyError(error) {
    // Omit the token if the call could not be opened: it may be the invalid parameter.
    const isRejected = this.#pages === undefined && error?.code === "invalid_parameter";
    return copyErrorForCall(error, this.#call.callSite, { resumeToken: isRejected ? undefined : (this.#resumeToken ?? undefined) });
  }

  /** Cancels the request in flight and frees the call. */
  close() {
    if (this.isClosed) return;
    this.isClosed = true;
    this.#call.signal?.removeEventListener("abort", this.#cancel);
    this.#cancel();
    this.#pages?.free();
  }

  /** Cancels the request in flight. `#pages.cancel` also ends a partly read response that no `next` call waits for. */
  #cancel = () => {
    this.#controller.abort();
    this.#pages?.cancel();
  };

  async #fetchPage() {
    if (this.isClosed) return null;
    if (this.#pages === undefined) {
      this.#call.signal?.addEventListener("abort", this.#cancel, { once: true });
      if (this.#call.error !== undefined) throw this.#call.error;
      const pages = await this.#openPages(this.#controller.signal);
      if (this.isClosed) {
        pages.free();
        return null;
      }
      this.#pages = pages;
    }
    return this.#pages.next(this.#controller.signal);
  }
}

/** An async iterator. `next` may be called again before the previous call has settled. `return` does not wait for such calls. */
export class Iteration {
  #reader;
  #readNext;
  #previous = Promise.resolve();

  /** `readNext` returns a promise of the next iterator result. */
  constructor(reader, readNext) {
    this.#reader = reader;
    this.#readNext = readNext;
  }

  next() {
    const result = this.#previous.then(() => this.#advance());
    this.#previous = result.catch(() => {});
    return result;
  }

  return(value) {
    this.#reader.close();
    return Promise.resolve({ done: true, value });
  }

  throw(error) {
    this.#reader.close();
    return Promise.reject(error);
  }

  [Symbol.asyncIterator]() {
    return this;
  }

  async #advance() {
    if (this.#reader.isClosed) return { done: true, value: undefined };
    try {
      const result = await this.#readNext();
      if (this.#reader.isClosed) return { done: true, value: undefined };
      if (result.done) this.#reader.close();
      return result;
    } catch (error) {
      // `return` or `throw` was called while the page was in flight. That ends the iteration without a failure.
      if (this.#reader.isClosed) return { done: true, value: undefined };
      this.#reader.close();
      throw error;
    }
  }
}

/**
 * Captures the parameters and options of a call, so that later changes of the objects have no effect. Returns:
 *
 * - `params`
 * - `options`, without the signal
 * - `signal`
 * - `resumeToken`: the option `resume`, or null
 * - `callSite`: an `Error` whose stack contains the caller
 * - `error`: the error for invalid parameters or options, or the exception of a getter. It is thrown when the call starts
 */
export function captureCall(params, options, optionTable) {
  const call = { options: {}, resumeToken: null, callSite: new Error() };
  try {
    const checked = copyPlainObject(options, "options");
    checkOptions(checked, optionTable);
    const { signal, ...others } = checked;
    call.params = copyPlainObject(params, "params");
    for (const [name, value] of Object.entries(call.params)) {
      if (Array.isArray(value)) call.params[name] = [...value];
    }
    call.signal = signal ?? undefined;
    call.options = others;
    call.resumeToken = others.resume ?? null;
  } catch (error) {
    call.error = error;
  }
  return call;
}

/** Copies a plain object. Null and undefined become an empty object. Throws for other values, such as a `Map`. */
export function copyPlainObject(object, parameter) {
  if (object == null) return {};
  if (Object.prototype.toString.call(object) !== "[object Object]") throw createParameterError(parameter, "must be an object");
  return { ...object };
}

/** Iterates over the records of all pages. `resumeToken` is the token that the call starts from. */
export function iterateItems(reader, resumeToken) {
  let page = { items: [], resumeToken };
  let index = 0;
  return new Iteration(reader, async () => {
    if (index < page.items.length) reader.throwIfAborted();
    while (index >= page.items.length) {
      reader.markDelivered(page.resumeToken);
      const next = await reader.read();
      if (next === null) return { done: true, value: undefined };
      page = next;
      index = 0;
    }
    // A caller that reads a second record of a page probably reads all of them.
    if (index === 1) reader.prefetch();
    return { done: false, value: page.items[index++] };
  });
}

/** Collects at most `limit` records. An error has the collected records as `partial`, and its token continues after them. */
export async function collectItems(limit, reader) {
  if (!Number.isSafeInteger(limit) || limit < 1) {
    throw createParameterError("limit", "must be an integer of at least 1, as in toArray({ limit: 1000 })");
  }
  const items = [];
  try {
    while (items.length < limit) {
      const page = await reader.read();
      if (page === null) break;
      const room = limit - items.length;
      for (const item of page.items.slice(0, room)) items.push(item);
      if (page.items.length <= room) reader.markDelivered(page.resumeToken);
    }
  } catch (error) {
    // Not enumerable, so that logs of the error do not contain all records.
    if (isAddressQueryError(error)) Object.defineProperty(error, "partial", { value: items });
    throw error;
  } finally {
    reader.close();
  }
  return items;
}
