// Reading pages one after the other, at most one of them ahead, and the async iterators over them. What a page is, and which
// comes next, is the module's to say.
import { aborted, errorOfCall, invalidParameter, isAddressQueryError } from "./errors.js";
import { checkOptions } from "./options.js";

/** The pages of one iteration, at most one of them read ahead. */
export class Reader {
  #call;
  #open;
  #place;
  #passed;
  #taken;
  /** Ends whatever is waited for: the signal does so, and `close`. */
  #ending = new AbortController();
  #pages;
  #ahead;
  #more = true;
  #isDone = false;
  closed = false;

  /**
   * `call` comes from `captureCall`, and `open` resolves to its pages. `passed` is called with each token behind which every
   * record was delivered; `taken` with each page when it is handed over, not when it is fetched ahead, and with an end that has
   * a report.
   */
  constructor(call, open, passed, taken) {
    this.#call = call;
    this.#open = open;
    this.#passed = passed;
    this.#taken = taken;
    this.pass(call.start);
  }

  /** The next page; null after the last one. An end that says something is a page without items. */
  async read() {
    this.check();
    if (this.#call.signal?.aborted) return null;
    const page = await (this.#ahead ?? this.#fetch()).catch((error) => {
      this.check();
      throw this.#ownError(error);
    });
    this.#ahead = undefined;
    this.#more = page !== null && page.resumeToken !== null;
    if (page === null) return null;
    this.#taken?.(page);
    if (page.items !== null) return page;
    // The records before it may have been the last ones without anybody knowing.
    this.pass(page.resumeToken);
    return null;
  }

  /** Begins to fetch the next page while the caller is busy. */
  readAhead() {
    if (this.closed || !this.#more || this.#ahead !== undefined || this.#call.settings.prefetch === 0) return;
    this.#ahead = this.#fetch();
    // Whoever reads it gets the rejection; if nobody does, it is none.
    this.#ahead.catch(() => {});
  }

  /** All up to this token was given out: an error leads there, and so does the call. */
  pass(token) {
    this.#place = token;
    this.#passed(token);
    this.#isDone = !this.#more;
  }

  /** Throws when the signal has ended the iteration, whatever was fetched already; not where all was given out. */
  check() {
    if (this.#call.signal?.aborted && !this.#isDone) throw this.#ownError(aborted(this.#call.signal));
  }

  /** The error of this call, with the token that continues behind the records that were delivered. */
  #ownError(error) {
    // The token itself may be what is refused.
    const isRefused = this.#pages === undefined && error?.code === "invalid_parameter";
    return errorOfCall(error, this.#call.callSite, { resumeToken: isRefused ? undefined : (this.#place ?? undefined) });
  }

  /** Ends the fetch under way. */
  close() {
    if (this.closed) return;
    this.closed = true;
    this.#call.signal?.removeEventListener("abort", this.#stop);
    this.#stop();
    this.#pages?.free();
  }

  /** Ends what is waited for, and what is half read while nobody waits. */
  #stop = () => {
    this.#ending.abort();
    this.#pages?.cancel();
  };

  async #fetch() {
    if (this.closed) return null;
    if (this.#pages === undefined) {
      this.#call.signal?.addEventListener("abort", this.#stop, { once: true });
      if (this.#call.error !== undefined) throw this.#call.error;
      const pages = await this.#open(this.#ending.signal);
      if (this.closed) {
        pages.free();
        return null;
      }
      this.#pages = pages;
    }
    return this.#pages.next(this.#ending.signal);
  }
}

/** An async iterator whose `next` may be called again before the last call has settled, and whose `return` does not wait. */
export class Iteration {
  #reader;
  #step;
  #last = Promise.resolve();

  constructor(reader, step) {
    this.#reader = reader;
    this.#step = step;
  }

  next() {
    const turn = this.#last.then(() => this.#advance());
    this.#last = turn.catch(() => {});
    return turn;
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
    if (this.#reader.closed) return { done: true, value: undefined };
    try {
      const result = await this.#step();
      if (this.#reader.closed) return { done: true, value: undefined };
      if (result.done) this.#reader.close();
      return result;
    } catch (error) {
      // Ended by `return` while a page was under way: that is an end, not a failure.
      if (this.#reader.closed) return { done: true, value: undefined };
      this.#reader.close();
      throw error;
    }
  }
}

/**
 * The parameters and options of a call as they are at this moment: what the caller does with the objects later has no effect.
 * Wrong options, and getters that throw, are the `error` of the call, which it throws when it is used. `start` is the token
 * that it resumes from, `callSite` an `Error` that knows the caller.
 */
export function captureCall(params, options, optionTable) {
  const call = { settings: {}, start: null, callSite: new Error() };
  try {
    const checked = plain(options, "options");
    checkOptions(checked, optionTable);
    const { signal, ...settings } = checked;
    call.params = plain(params, "params");
    for (const [name, value] of Object.entries(call.params)) {
      if (Array.isArray(value)) call.params[name] = [...value];
    }
    call.signal = signal ?? undefined;
    call.settings = settings;
    call.start = settings.resume ?? null;
  } catch (error) {
    call.error = error;
  }
  return call;
}

/** A copy of a plain object; an empty one for nothing. A signal or a Map in its place would be passed over silently. */
export function plain(object, what) {
  if (object == null) return {};
  if (Object.prototype.toString.call(object) !== "[object Object]") throw invalidParameter(what, "must be an object");
  return { ...object };
}

/** Iterates over the records of all pages. */
export function itemsOf(reader, start) {
  let page = { items: [], resumeToken: start };
  let at = 0;
  return new Iteration(reader, async () => {
    if (at < page.items.length) reader.check();
    while (at >= page.items.length) {
      reader.pass(page.resumeToken);
      const next = await reader.read();
      if (next === null) return { done: true, value: undefined };
      page = next;
      at = 0;
    }
    // Whoever takes a second item is likely to want them all.
    if (at === 1) reader.readAhead();
    return { done: false, value: page.items[at++] };
  });
}

/**
 * Collects records, at most `limit` of them. An error has those that were collected as `partial`, and its token continues
 * behind them.
 */
export async function upTo(limit, reader) {
  if (!Number.isSafeInteger(limit) || limit < 1) {
    throw invalidParameter("limit", "must be a whole number from 1 on: toArray({ limit: 1000 })");
  }
  const items = [];
  try {
    while (items.length < limit) {
      const page = await reader.read();
      if (page === null) {
        behind = null;
        break;
      }
      const room = limit - items.length;
      for (const item of page.items.slice(0, room)) items.push(item);
      if (page.items.length <= room) reader.pass(page.resumeToken);
    }
  } catch (error) {
    // Not enumerable: it would be in every log of the error.
    if (isAddressQueryError(error)) Object.defineProperty(error, "partial", { value: items });
    throw error;
  } finally {
    reader.close();
  }
  return items;
}
