// Cancels all requests of an iteration.
import type { HistoryFilter } from "./public-types.js";

/** A signal that aborts with the caller's signal, and when the iteration ends. */
export class IterationSignal {
  readonly #controller = new AbortController();
  readonly #callerSignal: HistoryFilter["signal"];
  readonly #abort = (): void => this.#controller.abort(this.#callerSignal?.reason);
  readonly signal = this.#controller.signal;
  isClosed = false;

  constructor(callerSignal: HistoryFilter["signal"]) {
    this.#callerSignal = callerSignal;
    callerSignal?.addEventListener("abort", this.#abort, { once: true });
    if (callerSignal?.aborted) this.#abort();
  }

  close(): void {
    this.isClosed = true;
    this.#callerSignal?.removeEventListener("abort", this.#abort);
    this.#controller.abort();
  }
}
