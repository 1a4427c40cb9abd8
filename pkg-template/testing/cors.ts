// Cross-origin requests: the headers with which the service allows them, and a `fetch` that obeys these headers as a browser does.

import type { Fetch } from "../index.js";
import { readRequest } from "./read-request.js";

/** Headers of every response. The header with the remaining credits is not exposed. */
export const CORS_HEADERS = {
  "access-control-allow-credentials": "true",
  "access-control-allow-origin": "*",
  "access-control-expose-headers":
    "bypass-429-option, x-ratelimit-reset, x-ratelimit-limit, x-ratelimit-remaining, api-v2-temp-token",
};

export const PREFLIGHT_HEADERS = {
  ...CORS_HEADERS,
  "access-control-allow-headers":
    "Authorization, Content-Type, Accept, Origin, User-Agent, DNT, Cache-Control, X-Mx-ReqToken, Keep-Alive, X-Requested-With, " +
    "If-Modified-Since, X-CSRF-Token, x-apollo-tracing, updated-gas-oracle, show-scam-tokens, api-v2-temp-token",
  "access-control-allow-methods": "GET, POST, PUT, PATCH, DELETE, OPTIONS",
  "access-control-max-age": "1728000",
};

/** Request headers that need no preflight. */
const SAFELISTED_REQUEST_HEADERS = ["accept", "accept-language", "content-language", "referer"];
const SAFELISTED_CONTENT_TYPE = /^(application\/x-www-form-urlencoded|multipart\/form-data|text\/plain)\b/;
/** Response headers that a page can always read. */
const SAFELISTED_RESPONSE_HEADERS = [
  "cache-control",
  "content-language",
  "content-length",
  "content-type",
  "expires",
  "last-modified",
  "pragma",
];
const ALLOWED_REQUEST_HEADERS = parseNames(PREFLIGHT_HEADERS["access-control-allow-headers"]);

/**
 * Creates a `fetch` that behaves like the browser's in a page of this origin, in front of the `fetch` of a sample service or gateway.
 *
 * @remarks
 * Requests have the page's `Referer`. Requests to another origin need its permission: without CORS headers in the response, or with a
 * request header that the service does not allow, the `fetch` rejects with a `TypeError`. The page sees only the response headers
 * that are exposed to it.
 *
 * @param origin origin of the page, such as `https://app.example`
 *
 * @example
 * ```js
 * const service = createSampleService({ requiresReferer: true });
 * const fetch = createPageFetch(service.fetch, "https://app.example");
 * const client = new AddressClient({ baseUrl: "https://sample.example", fetch }); // every call fails with code "network"
 * ```
 */
export function createPageFetch(fetch: Fetch, origin: string): Fetch {
  const { origin: pageOrigin } = new URL(origin);
  return async (input: RequestInfo | URL, init?: RequestInit) => {
    const { request, signal } = readRequest(input, init, pageOrigin);
    const isSameOrigin = new URL(request.url).origin === pageOrigin;
    if (!isSameOrigin && !isAllowed(request)) throw createBlockedError();
    request.headers.set("referer", `${pageOrigin}/`);
    const response = await fetch(request, { signal });
    return isSameOrigin ? response : hideHeaders(response);
  };
}

/** The error of a request that the browser blocks. It does not say why. */
const createBlockedError = () => new TypeError("Failed to fetch");

/** Whether the service allows a request with these headers, in its response to the preflight request. */
function isAllowed({ headers }: Request): boolean {
  return [...headers].every(
    ([name, value]) =>
      SAFELISTED_REQUEST_HEADERS.includes(name) ||
      (name === "content-type" && SAFELISTED_CONTENT_TYPE.test(value)) ||
      ALLOWED_REQUEST_HEADERS.includes(name),
  );
}

/** Removes the headers that are not exposed. Throws if the response does not allow other origins. */
function hideHeaders({ body, status, headers }: Response): Response {
  if (headers.get("access-control-allow-origin") !== "*") throw createBlockedError();
  const exposed = [...SAFELISTED_RESPONSE_HEADERS, ...parseNames(headers.get("access-control-expose-headers") ?? "")];
  return new Response(body, { status, headers: [...headers].filter(([name]) => exposed.includes(name)) });
}

function parseNames(list: string): string[] {
  return list.toLowerCase().split(/, */);
}
