// When a watch polls.
import { isAddressQueryError } from "../errors.js";
import type { HistoryFilter } from "./public-types.js";

const INTERVAL_MS = 15_000;
const MAX_INTERVAL_MS = 60_000;
const HIDDEN_INTERVAL_MS = 120_000;
/** The growth of the interval while nothing happens, or polls fail. */
const GROWTH = 1.5;

/** Waits between polls: longer while nothing happens or polls fail, and while the page is hidden. */
export class Poller {
  readonly #signal: HistoryFilter["signal"];
  #interval = INTERVAL_MS / GROWTH;
  #minimum = 0;
  #wake: () => void = () => {};
  #isStopped = false;
  /** Whether the last poll had events. */
  hasNews = false;

  constructor(signal: HistoryFilter["signal"]) {
    this.#signal = signal;
  }

  /** Returns whether polling can go on after an error. */
  canContinue(error: unknown): boolean {
    if (!isAddressQueryError(error) || !error.retryable) return false;
    this.#minimum = error.retryAfterMs ?? 0;
    return true;
  }

  /** Waits for the next poll. It comes at once if the watch ends, or if the page is shown or online again. */
  async wait(): Promise<void> {
    this.#interval = this.hasNews ? INTERVAL_MS : Math.min(this.#interval * GROWTH, MAX_INTERVAL_MS);
    this.hasNews = false;
    const interval = globalThis.document?.hidden ? Math.max(this.#interval, HIDDEN_INTERVAL_MS) : this.#interval;
    const onVisibility = () => globalThis.document.hidden || this.#wake();
    const listeners = [
      [globalThis.document, "visibilitychange", onVisibility],
      ["addEventListener" in globalThis ? globalThis : undefined, "online", () => this.#wake()],
      [this.#signal, "abort", () => this.#wake()],
    ] as const;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, Math.max(interval, this.#minimum));
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
      for (const [target, name, listener] of listeners) target?.addEventListener(name as "abort", listener);
      if (this.#isStopped || this.#signal?.aborted) this.#wake();
    });
    for (const [target, name, listener] of listeners) target?.removeEventListener(name as "abort", listener);
    this.#minimum = 0;
  }

  stop(): void {
    this.#isStopped = true;
    this.#wake();
  }
}
