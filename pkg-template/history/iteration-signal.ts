// Cancels the requests of an iteration that are not those of a list or range.
import type { HistoryFilter } from "./public-types.js";

/** A signal that aborts with the caller's signal, and when the iteration ends. */
export class IterationSignal {
  readonly #controller = new AbortController();
  readonly #callerSignal: HistoryFilter["signal"];
  readonly #abort = (): void => this.#controller.abort(this.#callerSignal?.reason);

  constructor(callerSignal: HistoryFilter["signal"]) {
    this.#callerSignal = callerSignal;
    callerSignal?.addEventListener("abort", this.#abort, { once: true });
    if (callerSignal?.aborted) this.#abort();
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  close(): void {
    this.#callerSignal?.removeEventListener("abort", this.#abort);
    this.#controller.abort();
  }
}
