// Early requests: the first request of a call, sent while the module is still loading. The module then builds, counts and checks the
// request as always. It only takes over the response of an early request that is exactly equal.
import type { CallArguments } from "./arguments.js";
import type { ActionOptions, ClientOptions } from "./options.js";
import { gateway, plainValues, requestTable } from "./request-table.js";

export type FetchFunction = (request: Request) => Promise<Response>;

/** The maximum number of early requests in flight, of all clients. */
const MAX_REQUESTS = 4;

/** Base URLs that the module sends as they are: without the path of the API, which it removes. */
const PLAIN_BASE_URL = /^(?!.*\/api(\/v[12]|-docs)?$)(https?:\/\/[a-z\d.:-]+)?(\/[\w-]+)*$/;
const PLAIN_KEY = /^[\w-]{8,512}$/;

/** A request that the module has not taken over. */
interface EarlyRequest {
  readonly key: string;
  readonly fetch: FetchFunction;
  readonly response: Promise<Response>;
  readonly controller: AbortController;
  /** Number of calls that wait for the response. */
  calls: number;
}

/** By their keys. */
const requests = new Map<string, EarlyRequest>();

/**
 * Sends the first request of a call, if it is known without the module. Equal calls share a request. Returns a function that ends
 * the request unless the module has taken it over.
 */
export function sendEarly(
  options: Partial<ClientOptions>,
  name: string,
  call: CallArguments<ActionOptions>,
): (() => void) | undefined {
  try {
    const url = call.resumeToken === null && buildUrl(options, name, call.params);
    const early = url ? findOrStart(options, url) : undefined;
    if (early === undefined) return undefined;
    early.calls++;
    return () => {
      if (--early.calls === 0 && requests.delete(early.key)) early.controller.abort();
    };
  } catch {
    // The module reports what is wrong with the request.
    return undefined;
  }
}

function findOrStart(options: Partial<ClientOptions>, url: string): EarlyRequest | undefined {
  const { apiKey, maxConcurrent, maxPerSecond } = options;
  const controller = new AbortController();
  // A redirect could send the key to another host.
  const redirect = apiKey == null ? "follow" : "manual";
  const request = new Request(url, { credentials: "omit", redirect, signal: controller.signal });
  const fetch = (options.fetch ?? globalThis.fetch) as FetchFunction;
  const key = getKey(request);
  const limit = Math.min(MAX_REQUESTS, maxConcurrent ?? MAX_REQUESTS, maxPerSecond ?? MAX_REQUESTS);
  const early = requests.get(key);
  // The same request through another function is not sent early.
  if (early !== undefined || requests.size + 1 > limit) return early?.fetch === fetch ? early : undefined;
  const response = new Promise<Response>((resolve) => resolve(fetch(request)));
  // The module reports a failure when it takes the request over.
  response.catch(() => {});
  const started = { key, fetch, response, controller, calls: 0 };
  requests.set(key, started);
  return started;
}

/** Sends a request of the module with `fetch`, unless it was sent early. */
export function sendOrTakeOver(fetch: FetchFunction, request: Request): Promise<Response> {
  const early = requests.get(getKey(request));
  if (early?.fetch !== fetch) return fetch(request);
  requests.delete(early.key);
  request.signal.addEventListener("abort", () => early.controller.abort());
  return early.response;
}

/** Equal requests have equal keys. */
function getKey({ headers, method, url }: Request): string {
  return [method, url, ...headers].join();
}

/** Returns the URL that the module would request. Undefined if a value is invalid, or might be sent in another form. */
function buildUrl({ apiKey, baseUrl, chainId }: Partial<ClientOptions>, name: string, params: object): string | undefined {
  // A path alone is that of a proxy for several chains.
  const base = baseUrl && !(chainId && baseUrl.startsWith("/")) ? baseUrl : `${baseUrl ?? gateway}/${chainId}`;
  const [path, ...optional] = requestTable[name]?.split(" ") ?? [];
  if (!path || !PLAIN_BASE_URL.test(base) || !(apiKey == null || PLAIN_KEY.test(apiKey as string))) return undefined;
  const values = new Map(Object.entries(params).filter(([, value]) => value != null));
  const take = (name: string): unknown => {
    const value = values.get(name);
    if (isPlain(name, value)) values.delete(name);
    else values.set(name, value);
    return value;
  };
  const filled = path.replace(/{(\w+)}/g, (_, name) => `${take(name)}`);
  const query = optional.filter((name) => values.has(name)).map((name) => `${name}=${take(name)}`);
  if (apiKey != null) query.push(`apikey=${apiKey}`);
  // What is left is unknown, missing, or not plain.
  if (values.size > 0) return undefined;
  return base + filled + (query.length ? (path.includes("?") ? "&" : "?") + query.join("&") : "");
}

function isPlain(name: string, value: unknown): boolean {
  const plain = plainValues[name];
  const [pattern] = [plain].flat() as [RegExp];
  const items = plain === pattern ? [value] : [value].flat();
  return items.length > 0 && items.every((item) => typeof item !== "object" && pattern.test(item as string));
}
