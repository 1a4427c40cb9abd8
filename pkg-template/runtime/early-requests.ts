// Early requests: the first request of a call, sent while the module is still loading. The module then builds, counts and checks the
// request as always. It only takes over the response of an early request that is exactly equal.
import { isPage } from "./api-key.js";
import type { CallArguments } from "./arguments.js";
import type { ActionOptions, ClientOptions, ListOptions } from "./options.js";
import { plainValues } from "./plain-values.js";

/** The path of a request, and the names of parameters in its query; or the name of a method, whose requests are not sent early. */
export type Method = readonly [string, ...string[]];
export type FetchFunction = (request: Request) => Promise<Response>;

/** The maximum number of early requests, of all clients. Ended ones count: a page that aborts and repeats calls sends no more. */
const MAX_REQUESTS = 4;

/**
 * Base URLs that the module does not change, because they lack the path of the API, with the beginning of a path and the API key as a
 * query. The module would encode other keys.
 */
const PLAIN_BASE_AND_KEY = /^(?!.*\/api(\/v.|-docs)?\/\?)(https?:\/\/[a-z\d.:-]+)?(\/[\w-]+)*\/\?(apikey=[\w-]{8,512})?$/;

/** A request that the module has not taken over. */
interface EarlyRequest {
  /** The options of the client that sent it. */
  readonly options: Partial<ClientOptions>;
  readonly url: string;
  readonly request: Request;
  readonly fetch: FetchFunction;
  readonly response: Promise<Response>;
  readonly abort: () => void;
  /** The functions that end the wait of the calls that wait for the response. */
  readonly waits: Set<() => void>;
}

const requests = new Set<EarlyRequest>();
let count = 0;

/**
 * Sends the first request of a call, if it is known without the module. Equal calls of a client share a request. Nothing is sent
 * after the first call whose request is not known. Parameters in the query are optional, unless the path has a query.
 *
 * Returns a function that ends the wait of the call. If no other call waits, and the module has not taken the request over, this
 * aborts it and calls `onDropped` with its URL, without the API key.
 */
export function sendEarly(
  options: Partial<ClientOptions>,
  method: Method,
  { params, options: callOptions, resumeToken }: CallArguments<ActionOptions>,
  onDropped: (url: string) => void,
): (() => void) | undefined {
  try {
    // The module decides about the size of a page, which not every list accepts, and about what may be spent.
    const { pageSize } = callOptions as Partial<ListOptions>;
    const url = resumeToken === null && pageSize == null && options.maxCredits == null && buildUrl(options, method, params);
    const early = url ? findOrStart(options, url, callOptions.isFresh) : undefined;
    if (early) {
      const endWait = () => {
        early.waits.delete(endWait);
        if (early.waits.size > 0 || !requests.delete(early)) return;
        early.abort();
        onDropped(early.url.replace(/.apikey=.*/, ""));
      };
      early.waits.add(endWait);
      return endWait;
    }
  } catch {
    // The module reports what is wrong with the request.
  }
  // The module sends this call's requests before any from later calls, which the rate limiter does not know yet.
  count = MAX_REQUESTS;
  return undefined;
}

/** Sends a request of the module with `fetch`, unless it was sent early. */
export function sendOrTakeOver(fetch: FetchFunction, request: Request): Promise<Response> {
  const early = [...requests].find((early) => early.fetch === fetch && getKey(early.request) === getKey(request));
  if (!early) return fetch(request);
  requests.delete(early);
  request.signal.addEventListener("abort", early.abort);
  return early.response;
}

function findOrStart(options: Partial<ClientOptions>, url: string, isFresh?: true): EarlyRequest | undefined {
  const { apiKey, maxConcurrent, maxPerSecond, showScamTokens } = options;
  const controller = new AbortController();
  // A redirect could send the key to another host.
  const redirect = apiKey == null ? "follow" : "manual";
  const headers = showScamTokens ? { "show-scam-tokens": "true" } : {};
  const init: RequestInit = { credentials: "omit", headers, redirect, signal: controller.signal };
  // No HTTP cache may respond. Some runtimes reject the option whatever its value.
  if (isFresh) init.cache = "no-store";
  const request = new Request(url, init);
  // React Native has no cache modes, and adds a parameter to the URL instead.
  if (isFresh && request.cache !== init.cache) return undefined;
  const found = [...requests].find((early) => early.options === options && getKey(early.request) === getKey(request));
  const limit = Math.min(MAX_REQUESTS, maxConcurrent ?? MAX_REQUESTS, maxPerSecond ?? MAX_REQUESTS);
  if (found || count + 1 > limit) return found;
  const fetch = (options.fetch ?? globalThis.fetch) as FetchFunction;
  count++;
  const response = (async () => fetch(request))();
  // The module reports a failure when it takes the request over.
  response.catch(() => {});
  const early = { options, url, request, fetch, response, abort: () => controller.abort(), waits: new Set<() => void>() };
  requests.add(early);
  return early;
}

/** Identifies a request by its cache mode, method, URL and headers. */
function getKey({ cache, headers, method, url }: Request): string {
  return [cache, method, url, ...headers].join();
}

/** Returns the URL that the module would request. Undefined if a value is invalid, or might be sent in another form. */
function buildUrl(
  { apiKey, baseUrl }: Partial<ClientOptions>,
  [path, ...names]: Method,
  params: Record<string, unknown>,
): string | undefined {
  // The module of a server sends the key in a header.
  if (apiKey != null && !isPage()) return undefined;
  const key = apiKey == null ? [] : [`apikey=${apiKey}`];
  const isPresent = (name: string) => params[name] != null;
  let left = Object.keys(params).filter(isPresent).length;
  const take = (name: string) => {
    const value = params[name];
    const isPlain = [value].flat().every((item) => typeof item !== "object");
    // JSON tells a list from a string with commas.
    left -= isPlain && plainValues[name]?.test(JSON.stringify(value)) ? 1 : Number.NaN;
    return value;
  };
  if (!PLAIN_BASE_AND_KEY.test(`${baseUrl}${path[0]}?${key}`)) return undefined;
  const [, hasQuery] = path.split("?");
  const filled = path.replace(/{(\w+)}/g, (_, name) => `${take(name)}`);
  const query = [...names.filter((name) => hasQuery || isPresent(name)).map((name) => `${name}=${take(name)}`), ...key].join("&");
  // The remaining parameters are unknown, missing, or not plain.
  return left === 0 ? baseUrl + filled + (query && (hasQuery ? "&" : "?") + query) : undefined;
}
