// Decides which requests an instance refuses up front: for lack of a key or a Referer, or because of the rate limit.

import type { SampleRateLimit } from "./public-types.js";
import {
  ApiError,
  createAccountError,
  createChallengeDraft,
  createTooManyRequestsBody,
  type Headers,
  type ResponseDraft,
} from "./responses.js";
import type { Settings } from "./settings.js";

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

type AccessSettings = Pick<Settings, "apiKeys" | "requiresKey" | "requiresReferer" | "rateLimit">;

/** Checks the requests to one instance. Holds the state of its rate limit. */
export class InstanceAccess {
  #settings: AccessSettings;
  #rateLimit: RateLimit | undefined;

  constructor(settings: AccessSettings) {
    this.#settings = settings;
    this.#rateLimit = settings.rateLimit && new RateLimit(settings.rateLimit);
  }

  /** Applies other settings. If the rate limit is unchanged, counted requests still count. */
  reconfigure(settings: AccessSettings): void {
    const { rateLimit } = settings;
    if (rateLimit !== this.#settings.rateLimit) this.#rateLimit = rateLimit && new RateLimit(rateLimit);
    this.#settings = settings;
  }

  /** Counts a request. Returns its refusal, or the headers about the rate limit. */
  check(request: Request, isAccountModule: boolean): { readonly refusal?: ResponseDraft; readonly headers?: Headers } {
    const { requiresReferer } = this.#settings;
    if (requiresReferer && !hasOwnReferer(request)) return { refusal: createChallengeDraft() };
    // An unknown key is not an error: the request counts as a request without a key.
    if (this.#hasKey(request)) return {};
    if (this.#rateLimit?.count() === false) {
      return {
        refusal: { status: 429, json: createTooManyRequestsBody(isAccountModule), headers: this.#rateLimit.headers },
      };
    }
    if (!this.#isServedWithoutKey(isAccountModule)) return { refusal: createKeyRefusal(isAccountModule) };
    return this.#rateLimit ? { headers: this.#rateLimit.headers } : {};
  }

  /** The header takes precedence over the parameter. */
  #hasKey({ url, headers }: Request): boolean {
    const key = headers.get("x-api-key") ?? new URL(url).searchParams.get("apikey");
    return key !== null && this.#settings.apiKeys.includes(key);
  }

  #isServedWithoutKey(isAccountModule: boolean): boolean {
    const { requiresKey } = this.#settings;
    return requiresKey === "never" || (requiresKey === "account_module" && !isAccountModule);
  }
}

/** Whether the request comes from a page of the instance. */
function hasOwnReferer({ url, headers }: Request): boolean {
  const referer = headers.get("referer");
  return referer !== null && URL.canParse(referer) && new URL(referer).origin === new URL(url).origin;
}

function createKeyRefusal(isAccountModule: boolean): ResponseDraft {
  const { status, body } = isAccountModule
    ? createAccountError("Unauthorized", 401)
    : new ApiError(401, { message: "Unauthorized" });
  return { status, json: body };
}
