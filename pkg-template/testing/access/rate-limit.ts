// A rate limit: the number of requests in a time window, and how long further requests are refused.

import type { Headers } from "../api-error.js";
import type { SampleRateLimit } from "../public-types.js";

const MINUTE_MS = 60_000;

/** Counts the requests of one client. */
export class RateLimit {
  readonly #requests: number;
  readonly #windowMs: number;
  readonly #blockMs: number;
  readonly #statesReset: boolean;
  /** When the window or the refusal ends, in Unix milliseconds. */
  #end = Number.NEGATIVE_INFINITY;
  #used = 0;
  #isRefused = false;

  constructor({ requests, windowMs = MINUTE_MS, blockMs = 0, statesReset = true }: SampleRateLimit) {
    this.#requests = requests;
    this.#windowMs = windowMs;
    this.#blockMs = blockMs;
    this.#statesReset = statesReset;
  }

  /** Counts a request. Returns false if it is refused. */
  count(): boolean {
    const now = Date.now();
    if (now >= this.#end) {
      this.#end = now + this.#windowMs;
      this.#used = 0;
      this.#isRefused = false;
    }
    if (this.#used < this.#requests) this.#used += 1;
    else if (!this.#isRefused) {
      this.#isRefused = true;
      this.#end = Math.max(this.#end, now + this.#blockMs);
    }
    return !this.#isRefused;
  }

  /** The headers of the response to the request that was counted last. In these headers, -1 means no stated time. */
  get headers(): Headers {
    const isStated = this.#statesReset || !this.#isRefused;
    return {
      "x-ratelimit-limit": String(this.#requests),
      "x-ratelimit-remaining": String(this.#isRefused ? 0 : this.#requests - this.#used),
      "x-ratelimit-reset": String(isStated ? Math.max(0, this.#end - Date.now()) : -1),
    };
  }
}
