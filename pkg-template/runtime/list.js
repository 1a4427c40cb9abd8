// The result of a list method: a promise of the first page that can also be iterated and collected.
import { Iteration, PageReader, captureCall, collectItems, iterateItems } from "./iteration.js";
import { listOptions } from "./option-table.js";

/** A lazy promise: it sends nothing and stays pending until `then` is called. */
export class ListCall extends Promise {
  #resolve;
  #openPages;
  #call;
  #resumeToken;

  constructor(openList, name, params, options) {
    let resolvePage;
    super((resolve) => (resolvePage = resolve));
    this.#resolve = resolvePage;
    const call = (this.#call = captureCall(params, options, listOptions));
    this.#resumeToken = call.resumeToken;
    this.#openPages = (signal) => openList(name, call.params, call.options, signal);
  }

  /** Makes `then`, `catch` and `finally` return plain promises. */
  static get [Symbol.species]() {
    return Promise;
  }

  get resumeToken() {
    return this.#resumeToken;
  }

  /** Reads the first page. For a subclass of `Promise`, `await`, `catch`, `finally` and `Promise.all` call `then`. */
  then(onFulfilled, onRejected) {
    this.#resolve?.(this.#readFirstPage());
    this.#resolve = undefined;
    return super.then(onFulfilled, onRejected);
  }

  pages() {
    const reader = this.#createReader();
    return new Iteration(reader, async () => {
      const page = await reader.read();
      if (page === null) return { done: true, value: undefined };
      reader.markDelivered(page.resumeToken);
      reader.prefetch();
      return { done: false, value: page };
    });
  }

  [Symbol.asyncIterator]() {
    return iterateItems(this.#createReader(), this.#call.resumeToken);
  }

  async toArray(options) {
    return collectItems(options?.limit, this.#createReader());
  }

  async #readFirstPage() {
    const reader = this.#createReader();
    try {
      const page = await reader.read();
      reader.markDelivered(page.resumeToken);
      return page;
    } finally {
      reader.close();
    }
  }

  #createReader() {
    const onToken = (token) => (this.#resumeToken = token);
    return new PageReader(this.#call, this.#openPages, onToken);
  }
}
