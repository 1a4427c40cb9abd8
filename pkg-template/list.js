// What a list method gives: a first page to await, items and pages to iterate, a bounded number to collect.
import { Iteration, Reader, given, itemsOf, upTo } from "./iteration.js";

export class ListCall {
  #open;
  #signal;
  #prefetch;
  #start;
  #first;
  #resumeToken;

  constructor(open, name, params, options) {
    const call = given(params, options);
    this.#signal = call.signal;
    this.#prefetch = call.settings.prefetch !== 0;
    this.#start = this.#resumeToken = typeof call.settings.resume === "string" ? call.settings.resume : null;
    this.#open = async (signal) => {
      if (call.error !== undefined) throw call.error;
      return open(name, call.params, call.settings, signal);
    };
  }

  get resumeToken() {
    return this.#resumeToken;
  }

  then(onFulfilled, onRejected) {
    this.#first ??= this.#readFirst();
    return this.#first.then(onFulfilled, onRejected);
  }

  catch(onRejected) {
    return this.then(undefined, onRejected);
  }

  finally(onFinally) {
    return this.then().finally(onFinally);
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
    return itemsOf(this.#reader(), this.#start);
  }

  async toArray(options) {
    return upTo(options?.limit, this.#reader(), this.#start);
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
    return new Reader({ open: this.#open, signal: this.#signal, prefetch: this.#prefetch, start: this.#start, passed });
  }
}
