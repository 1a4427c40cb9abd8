// Decides which requests an instance refuses up front: for lack of a key or a Referer, or because of the rate limit.

import { ApiError, createAccountError, createTooManyRequestsBody, type Headers } from "../api-error.js";
import { createChallengeDraft } from "../proxy-drafts.js";
import type { ResponseDraft } from "../response-draft.js";
import type { Settings } from "../settings.js";
import { RateLimit } from "./rate-limit.js";

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
