// The result of `all()`: every record of a range of blocks, with a report of how complete it is.
import { Iteration, PageReader, captureCall, collectItems, iterateItems } from "./iteration.js";
import { rangeOptions } from "./option-table.js";

export class RangeCall {
  #openBatches;
  #call;
  #resumeToken;
  #report = null;

  constructor(openRange, params, options) {
    const call = (this.#call = captureCall(params, options, rangeOptions));
    this.#resumeToken = call.resumeToken;
    this.#openBatches = (signal) => openRange(call.params, call.options, signal);
  }

  get report() {
    return this.#report;
  }

  get resumeToken() {
    return this.#resumeToken;
  }

  [Symbol.asyncIterator]() {
    return iterateItems(this.#createReader(), this.#call.resumeToken);
  }

  windows() {
    const reader = this.#createReader(async (signal) => new Windows(await this.#openBatches(signal)));
    return new Iteration(reader, async () => {
      const window = await reader.read();
      if (window === null) return { done: true, value: undefined };
      reader.markDelivered(window.resumeToken);
      reader.prefetch();
      return { done: false, value: window.items };
    });
  }

  async toArray(options) {
    return collectItems(options?.limit, this.#createReader());
  }

  /** The report covers the delivered rows only: prefetched rows may still be lost if the call is aborted. */
  #createReader(openPages = this.#openBatches) {
    let requests = 0;
    const onPage = ({ report, isPartial }) => {
      this.#report = report;
      if (isPartial) return;
      // The end of the range needs no request of its own, unless a short response had to be checked.
      const hasNewRequest = report.requests > requests;
      requests = report.requests;
      if (hasNewRequest) this.#call.options.onProgress?.(report);
    };
    const onToken = (token) => (this.#resumeToken = token);
    return new PageReader(this.#call, openPages, onToken, onPage);
  }
}

/**
 * Joins the batches of each window. The module delivers a window in batches while its response arrives. If a response breaks
 * off, the batches received so far form a separate window.
 */
class Windows {
  #batches;
  /** The first batch of the next window, if it was read already. */
  #nextBatch;
  /** The error of a broken-off response. It is thrown after the window of the received batches. */
  #failure;

  constructor(batches) {
    this.#batches = batches;
  }

  async next(signal) {
    if (this.#failure !== undefined) throw this.#failure.error;
    let window = this.#nextBatch ?? (await this.#batches.next(signal));
    this.#nextBatch = undefined;
    const { items } = window;
    while (window.isPartial) {
      try {
        const batch = await this.#batches.next(signal);
        // The previous response broke off.
        if (!batch.continuesWindow) {
          this.#nextBatch = batch;
          break;
        }
        for (const item of batch.items) items.push(item);
        window = batch;
      } catch (error) {
        if (signal.aborted) throw error;
        this.#failure = { error };
        break;
      }
    }
    return { ...window, items, isPartial: false };
  }

  cancel() {
    this.#batches.cancel();
  }

  free() {
    this.#batches.free();
  }
}
