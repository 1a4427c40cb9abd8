// What `all()` gives: every record of a range of blocks, with a report of how completely it was read.
import { Iteration, Reader, captureCall, itemsOf, upTo } from "./iteration.js";
import { rangeOptions } from "./option-table.js";

export class RangeCall {
  #open;
  #call;
  #resumeToken;
  #report = null;

  constructor(open, params, options) {
    const call = (this.#call = captureCall(params, options, rangeOptions));
    this.#resumeToken = call.start;
    this.#open = (signal) => open(call.params, call.settings, signal);
  }

  get report() {
    return this.#report;
  }

  get resumeToken() {
    return this.#resumeToken;
  }

  [Symbol.asyncIterator]() {
    return itemsOf(this.#reader(), this.#call.start);
  }

  windows() {
    const reader = this.#reader(async (signal) => new Windows(await this.#open(signal)));
    return new Iteration(reader, async () => {
      const window = await reader.read();
      if (window === null) return { done: true, value: undefined };
      reader.pass(window.resumeToken);
      reader.readAhead();
      return { done: false, value: window.items };
    });
  }

  async toArray(options) {
    return upTo(options?.limit, this.#reader());
  }

  /** The report is that of the rows handed over: those that are fetched ahead may still be lost to an abort. */
  #reader(open = this.#open) {
    let requests = 0;
    const taken = ({ report, isPart }) => {
      this.#report = report;
      if (isPart) return;
      // The end was noticed without a request, unless a short response had to be checked.
      const isNews = report.requests > requests;
      requests = report.requests;
      if (isNews) this.#call.settings.onProgress?.(report);
    };
    const passed = (token) => (this.#resumeToken = token);
    return new Reader(this.#call, open, passed, taken);
  }
}

/** The windows of a range as wholes, whose parts come one by one. What came before an answer broke off is a window, too. */
class Windows {
  #parts;
  #next;
  #failure;

  constructor(parts) {
    this.#parts = parts;
  }

  async next(signal) {
    if (this.#failure !== undefined) throw this.#failure.error;
    let window = this.#next ?? (await this.#parts.next(signal));
    this.#next = undefined;
    const { items } = window;
    while (window.isPart) {
      try {
        const part = await this.#parts.next(signal);
        if (part.report.requests !== window.report.requests) {
          this.#next = part;
          break;
        }
        for (const item of part.items) items.push(item);
        window = part;
      } catch (error) {
        if (signal.aborted) throw error;
        this.#failure = { error };
        break;
      }
    }
    return { ...window, items, isPart: false };
  }

  cancel() {
    this.#parts.cancel();
  }

  free() {
    this.#parts.free();
  }
}
