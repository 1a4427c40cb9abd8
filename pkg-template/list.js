// The result of a list method: a promise of the first page that can also be iterated and collected.
import { Iteration, Reader, captureCall, itemsOf, upTo } from "./iteration.js";
import { listOptions } from "./option-table.js";

/** A lazy promise: it sends nothing and stays pending until its first `then`. */
export class ListCall extends Promise {
  #resolve;
  #open;
  #call;
  #resumeToken;

  constructor(open, name, params, options) {
    let resolvePage;
    super((resolve) => (resolvePage = resolve));
    this.#resolve = resolvePage;
    const call = (this.#call = captureCall(params, options, listOptions));
    this.#resumeToken = call.start;
    this.#open = (signal) => open(name, call.params, call.settings, signal);
  }

  /** `then`, `catch` and `finally` return plain promises. */
  static get [Symbol.species]() {
    return Promise;
  }

  get resumeToken() {
    return this.#resumeToken;
  }

  /** `await`, `catch`, `finally` and `Promise.all` come through here: the class is not `Promise` itself. */
  then(onFulfilled, onRejected) {
    this.#resolve?.(this.#readFirst());
    this.#resolve = undefined;
    return super.then(onFulfilled, onRejected);
  }

  pages() {
    const reader = this.#reader();
    return new Iteration(reader, async () => {
      const page = await reader.read();
      if (page === null) return { done: true, value: undefined };
      reader.pass(page.resumeToken);
      reader.readAhead();
      return { done: false, value: page };
    });
  }

  [Symbol.asyncIterator]() {
    return itemsOf(this.#reader(), this.#call.start);
  }

  async toArray(options) {
    return upTo(options?.limit, this.#reader());
  }

  async #readFirst() {
    const reader = this.#reader();
    try {
      const page = await reader.read();
      reader.pass(page.resumeToken);
      return page;
    } finally {
      reader.close();
    }
  }

  #reader() {
    const passed = (token) => (this.#resumeToken = token);
    return new Reader(this.#call, this.#open, passed);
  }
}
