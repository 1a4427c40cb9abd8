// What `all()` gives: every record of a range of blocks, with a report of how completely it was read.
import { invalidParameter } from "./errors.js";
import { Iteration, Reader, given, itemsOf, upTo } from "./iteration.js";

export class RangeCall {
  #open;
  #signal;
  #resumeToken;
  #report = null;

  constructor(open, params, options) {
    const call = given(params, options);
    const { onProgress, ...settings } = call.settings;
    this.#signal = call.signal;
    this.#resumeToken = typeof settings.resume === "string" ? settings.resume : null;
    this.#open = async () => {
      if (call.error !== undefined) throw call.error;
      if (onProgress != null && typeof onProgress !== "function") throw invalidParameter("onProgress", "must be a function");
      const windows = await open(call.params, settings);
      let requests = 0;
      return new Windows(windows, (report) => {
        this.#report = report;
        // Nothing is sent to notice the end.
        if (report.requests > requests) onProgress?.(report);
        requests = report.requests;
      });
    };
  }

  get report() {
    return this.#report;
  }

  get resumeToken() {
    return this.#resumeToken;
  }

  [Symbol.asyncIterator]() {
    return itemsOf(this.#reader(), (token) => (this.#resumeToken = token), this.#resumeToken);
  }

  windows() {
    const reader = this.#reader();
    return new Iteration(reader, async () => {
      const window = await reader.read();
      if (window === null) return { done: true, value: undefined };
      this.#resumeToken = window.resumeToken;
      reader.readAhead();
      return { done: false, value: window.items };
    });
  }

  async toArray(options) {
    return upTo(options?.limit, this.#reader(), (token) => (this.#resumeToken = token));
  }

  #reader() {
    return new Reader(this.#open, this.#signal);
  }
}

/** The module's windows, as a reader sees pages: null at the end. */
class Windows {
  #windows;
  #told;

  constructor(windows, told) {
    this.#windows = windows;
    this.#told = told;
  }

  get prefetch() {
    return this.#windows.prefetch;
  }

  async next(signal) {
    const window = await this.#windows.next(signal);
    this.#told(window.report);
    return window.items === null ? null : window;
  }

  cancel() {
    this.#windows.cancel();
  }

  free() {
    this.#windows.free();
  }
}
