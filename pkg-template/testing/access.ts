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

/** Counts the requests of one client in a time window, after which further requests are refused. */
export class RateLimit {
  readonly #options: Required<{ readonly [Name in keyof SampleRateLimit]: NonNullable<SampleRateLimit[Name]> }>;
  /** When the window or the refusal ends, in Unix milliseconds. */
  #end = Number.NEGATIVE_INFINITY;
  #used = 0;
  #isRefused = false;

  constructor({ requests, windowMs = MINUTE_MS, blockMs = 0, statesReset = true }: SampleRateLimit) {
    this.#options = { requests, windowMs, blockMs, statesReset };
  }

  count(): boolean {
    const { requests, windowMs, blockMs } = this.#options;
    const now = Date.now();
    if (now >= this.#end) {
      this.#end = now + windowMs;
      this.#used = 0;
      this.#isRefused = false;
    }
    if (this.#used < requests) this.#used += 1;
    else if (!this.#isRefused) {
      this.#isRefused = true;
      this.#end = Math.max(this.#end, now + blockMs);
    }
    return !this.#isRefused;
  }

  /** The headers of the response to the request that was counted last. In these headers, -1 means no stated time. */
  get headers(): Headers {
    const { requests, statesReset } = this.#options;
    const isStated = statesReset || !this.#isRefused;
    return {
      "x-ratelimit-limit": String(requests),
      "x-ratelimit-remaining": String(this.#isRefused ? 0 : requests - this.#used),
      "x-ratelimit-reset": String(isStated ? Math.max(0, this.#end - Date.now()) : -1),
    };
  }
}

/** Creates the function that counts a request, and returns its refusal or the headers about the rate limit. */
export function createAccess() {
  let current: { readonly options: SampleRateLimit | undefined; readonly limit: RateLimit | undefined } | undefined;
  return (
    request: Request,
    isAccountModule: boolean,
    { apiKeys, requiresKey, requiresReferer, rateLimit }: Settings,
  ): { readonly refusal?: ResponseDraft; readonly headers?: Headers } => {
    if (requiresReferer && !hasOwnReferer(request)) return { refusal: createChallengeDraft() };
    // If the rate limit is unchanged, counted requests still count.
    if (current?.options !== rateLimit) current = { options: rateLimit, limit: rateLimit && new RateLimit(rateLimit) };
    // The header takes precedence over the parameter. An unknown key is not an error: the request counts as one without a key.
    const key = request.headers.get("x-api-key") ?? new URL(request.url).searchParams.get("apikey");
    if (key !== null && apiKeys.includes(key)) return {};
    const isAccepted = current?.limit?.count() !== false;
    const headers = current?.limit?.headers;
    if (!isAccepted)
      return { refusal: { status: 429, json: createTooManyRequestsBody(isAccountModule), ...(headers && { headers }) } };
    if (requiresKey === "always" || (requiresKey === "account_module" && isAccountModule))
      return { refusal: createKeyRefusal(isAccountModule) };
    return headers ? { headers } : {};
  };
}

function hasOwnReferer({ url, headers }: Request): boolean {
  const referer = headers.get("referer");
  return referer !== null && URL.canParse(referer) && new URL(referer).origin === new URL(url).origin;
}

function createKeyRefusal(isAccountModule: boolean): ResponseDraft {
  const message = "Unauthorized";
  const { status, body } = isAccountModule ? createAccountError(message, 401) : new ApiError(401, { message });
  return { status, json: body };
}
