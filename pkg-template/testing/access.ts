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

export type RateLimit = ReturnType<typeof createRateLimit>;

/** Counts the requests of one client in a time window, after which further requests are refused. */
export function createRateLimit({ requests, windowMs = MINUTE_MS, blockMs = 0, statesReset = true }: SampleRateLimit) {
  /** When the window or the refusal ends, in Unix milliseconds. */
  let end = Number.NEGATIVE_INFINITY;
  let used = 0;
  let isRefused = false;
  return {
    count(): boolean {
      const now = Date.now();
      if (now >= end) {
        end = now + windowMs;
        used = 0;
        isRefused = false;
      }
      if (used < requests) used += 1;
      else if (!isRefused) {
        isRefused = true;
        end = Math.max(end, now + blockMs);
      }
      return !isRefused;
    },
    /** The headers of the response to the request that was counted last. In these headers, -1 means no stated time. */
    get headers(): Headers {
      return {
        "x-ratelimit-limit": String(requests),
        "x-ratelimit-remaining": String(isRefused ? 0 : requests - used),
        "x-ratelimit-reset": String(statesReset || !isRefused ? Math.max(0, end - Date.now()) : -1),
      };
    },
  };
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
    if (current?.options !== rateLimit) current = { options: rateLimit, limit: rateLimit && createRateLimit(rateLimit) };
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
