// When a watch polls.
import { isAddressQueryError } from "../public.js";

const INTERVAL_MS = 15_000;
const MAX_INTERVAL_MS = 60_000;
const HIDDEN_INTERVAL_MS = 120_000;
/** The growth of the interval while nothing happens, or polls fail. */
const GROWTH = 1.5;

/** Waits between polls: longer while nothing happens or polls fail, and while the page is hidden. */
export class Poller {
  readonly #signal: AbortSignal;
  #interval = INTERVAL_MS / GROWTH;
  #minimum = 0;
  /** Whether the last poll had events. */
  hasNews = false;

  constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  /** Returns whether polling can continue after an error. */
  canContinue(error: unknown): boolean {
    if (!isAddressQueryError(error) || !error.retryable) return false;
    this.#minimum = error.retryAfterMs ?? 0;
    return true;
  }

  /** Waits for the next poll. Resolves at once if the signal aborts, or if the page is shown or online again. */
  async wait(): Promise<void> {
    const { document } = globalThis;
    this.#interval = this.hasNews ? INTERVAL_MS : Math.min(this.#interval * GROWTH, MAX_INTERVAL_MS);
    const interval = document?.hidden ? Math.max(this.#interval, HIDDEN_INTERVAL_MS) : this.#interval;
    const waiting = new AbortController();
    const options = { signal: waiting.signal };
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, Math.max(interval, this.#minimum));
      const wake = () => {
        clearTimeout(timer);
        resolve();
      };
      document?.addEventListener("visibilitychange", () => document.hidden || wake(), options);
      globalThis.addEventListener?.("online", wake, options);
      this.#signal.addEventListener("abort", wake, options);
      if (this.#signal.aborted) wake();
    });
    waiting.abort();
    this.hasNews = false;
    this.#minimum = 0;
  }
}
