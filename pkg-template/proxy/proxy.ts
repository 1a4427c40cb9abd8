// The handler of requests: checks a request, forwards it with the API key, and passes the response on.
import { getChainId, isKey, KEY_RULE, readOptions, type Settings } from "./options.js";
import type { ProxyHandler, ProxyOptions } from "./public-types.js";
import { createErrorResponse, refuse } from "./refusal.js";
import { readBody } from "./request-body.js";
import { checkBody, redact, sendRequest } from "./response-body.js";
import { createRoutes, findRoutes, type Route } from "./routes.js";
import { clientHeaders, instanceRpcPath, version } from "./table.js";
import { checkOrigin } from "./visitor.js";

/** The service responds to longer queries with status 414. */
const MAX_QUERY_LENGTH = 5_000;
/** The response headers that are passed on. */
const HEADERS = [...clientHeaders, "x-ratelimit-limit", "bypass-429-option"];
const SHOW_SCAM_TOKENS = "show-scam-tokens";
const JSON_TYPE = "application/json";
/** The largest number of seconds that every cache and client can read in a header. */
const MAX_SECONDS = 2 ** 31 - 1;

/** A request to forward. */
interface Target {
  /** Path and query of the gateway. */
  readonly path: string;
  readonly url: string;
  /** The routes that allow it. */
  readonly routes: readonly Route[];
}

/**
 * Creates a request handler for a server, which forwards the requests of an `AddressClient` in a page to Blockscout's gateway, and adds
 * the API key. No response contains the key.
 *
 * @remarks
 * It forwards only requests that a client can send, and refuses requests from other sites. It passes on the
 * status, the body as it arrives, and the headers about rate limit and credits. When the visitor leaves, the request to the gateway is
 * aborted.
 *
 * The handler takes a `Request` and returns a promise of a `Response`: a route handler of Next.js, and the `fetch` function of
 * Cloudflare Workers, Deno and Bun. `toNodeListener` of `address-query/proxy/node` converts it for Node.js.
 *
 * @throws `TypeError` that names an unknown, missing or invalid option.
 *
 * @example
 * ```ts
 * import { createProxy } from "address-query/proxy";
 *
 * export const proxy = createProxy({
 *   apiKey: () => process.env.BLOCKSCOUT_API_KEY,
 *   chains: [1, 8453],
 *   basePath: "/api/blockscout",
 * });
 * ```
 */
export function createProxy<Context extends readonly unknown[] = readonly unknown[]>(
  options: ProxyOptions<Context>,
): ProxyHandler<Context> {
  const read = readOptions(options);
  // A failure of `onError`, which may return a promise, changes no response.
  const onError: typeof read.onError = (...failure) => void (async () => read.onError(...failure))().catch(console.error);
  const settings = { ...read, onError };
  const findTarget = createTargetFinder(settings);
  return async (request, ...context) => {
    const headers: Record<string, string> = { "x-content-type-options": "nosniff", vary: `origin, ${SHOW_SCAM_TOKENS}` };
    let response: Response;
    try {
      const url = new URL(request.url);
      const allowedOrigin = checkOrigin(request.headers, url.host, settings.origins);
      if (allowedOrigin) {
        headers["access-control-allow-origin"] = allowedOrigin;
        headers["access-control-allow-headers"] = `content-type, ${SHOW_SCAM_TOKENS}`;
        headers["access-control-expose-headers"] = HEADERS.join();
        headers["access-control-max-age"] = "86400";
      }
      response =
        allowedOrigin && request.method === "OPTIONS"
          ? new Response(null, { status: 204 })
          : await forward(settings, request, findTarget(request.method, url), context);
    } catch (thrown) {
      if (thrown instanceof Response) response = thrown;
      else {
        settings.onError(thrown, request);
        response = createErrorResponse(500, "the proxy failed", "proxy");
      }
    }
    for (const [name, value] of Object.entries(headers)) response.headers.append(name, value);
    return response;
  };
}

/** Returns a function that finds out what to request from the gateway. It throws the refusal of what is not allowed. */
function createTargetFinder<Context extends readonly unknown[]>(
  settings: Settings<Context>,
): (method: string, url: URL) => Target {
  const routes = createRoutes(settings.allow);
  const chains = settings.chains.map((chain) => String(getChainId(chain)));
  const basePath = new URL(settings.basePath, "http://x").pathname.replace(/\/*$/, "/");
  return (method, { pathname, searchParams }) => {
    const query = String(searchParams);
    const path = pathname.slice(basePath.length - 1);
    if (!pathname.startsWith(basePath)) throw refuse(404, `paths that are not below ${basePath}`);
    if (query.length > MAX_QUERY_LENGTH) throw refuse(414, "a query of this length");
    const found = findRoutes(routes, method, path, searchParams);
    const chain = found[0]?.path.exec(path)?.groups?.["chain"];
    // A service for all chains has the chain in its query.
    const ids = [chain, searchParams.get("chain_id")].filter((id) => id != null);
    if (!ids.every((id) => chains.includes(id))) throw refuse(404, "requests for this chain; see option chains", {}, "internal");
    // A service of the gateway for all chains has no chain at the beginning of its path.
    const prefix = path.startsWith(`/${chain}/`) ? `/${chain}` : "";
    const search = query && `?${query}`;
    const base = settings.upstream.replace(/\/*$/, "").replace("/{chain_id}", prefix);
    const isInstance = !settings.upstream.includes("/{chain_id}");
    const upstreamPath = isInstance && found[0]?.body === "rpc" ? instanceRpcPath : path.slice(prefix.length);
    return { path: path + search, url: base + upstreamPath + search, routes: found };
  };
}

/** Sends a request to the gateway, and creates the response for the visitor. */
async function forward<Context extends readonly unknown[]>(
  settings: Settings<Context>,
  request: Request,
  { path, url, routes }: Target,
  context: Context,
): Promise<Response> {
  const { apiKey, maxAge } = settings;
  const { method } = request;
  const seconds = await settings.limit(request, ...context);
  if (!(seconds >= 0)) throw new TypeError("limit: must return seconds");
  if (seconds > 0) throw refuse(429, "more requests of this visitor now", { "retry-after": toSeconds(Math.ceil(seconds)) });
  const body = method === "POST" ? await readBody(request, routes) : null;
  const isFresh = /no-(cache|store)/i.test(request.headers.get("cache-control") ?? "");
  const isCacheable = routes.every((route) => route.isCacheable);
  const getAge = typeof maxAge === "function" ? maxAge : () => (isCacheable ? maxAge : 0);
  const age = method === "GET" && !isFresh ? getAge(path) : 0;
  const key = typeof apiKey === "function" ? await apiKey(request, ...context) : apiKey;
  if (!isKey(key)) throw new TypeError(`apiKey: must return ${KEY_RULE}`);

  const headers: Record<string, string> = {
    accept: JSON_TYPE,
    "content-type": JSON_TYPE,
    "user-agent": `address-query/${version}`,
    // The gateway reads the first, instances the second. A key in the URL would be in the logs of both servers.
    authorization: `Bearer ${key}`,
    "x-api-key": key,
  };
  if (request.headers.get(SHOW_SCAM_TOKENS) === "true") headers[SHOW_SCAM_TOKENS] = "true";
  // A cache between the proxy and the service would respond with what it has.
  if (isFresh) headers["cache-control"] = "no-cache";
  const onError = (error: unknown) => settings.onError(error, request);
  const [response, stream] = await sendRequest(url, { method, headers, body }, key, settings.timeoutMs, request.signal, onError);
  const { status } = response;
  // A redirect could lead to another host. The status of one that is not followed is 0 in a browser.
  if (!response.ok && status < 400) {
    await stream?.cancel();
    onError(new Error(`${url} redirects`));
    throw createErrorResponse(502, "the service redirects", "upstream");
  }
  // A browser never shows these types as a document: a page of the service must not run on the origin of the proxy.
  const [type = "text/plain"] = /^(application\/json|text\/csv)\b/i.exec(response.headers.get("content-type") ?? "") ?? [];
  const passed = new Headers({ "content-type": `${type}; charset=utf-8`, "cache-control": "no-store" });
  let passedBody = stream;
  const hasNoStore = /no-store/i.test(response.headers.get("cache-control") ?? "");
  if (stream && age > 0 && status === 200 && type.toLowerCase() === JSON_TYPE && !hasNoStore) {
    const checked = await checkBody(stream);
    passedBody = checked.stream;
    if (checked.isAcceptable) {
      passed.set("cache-control", `public, max-age=${toSeconds(Math.floor(age))}`);
      // Some shared caches ignore the header of a request that must not be cached, but keep variants apart.
      passed.set("vary", "cache-control");
    }
  }
  for (const name of HEADERS) {
    const value = response.headers.get(name);
    if (value !== null) passed.set(name, redact(value, key));
  }
  return new Response(passedBody, { status, headers: passed });
}

/** Formats a number of seconds for a header. */
const toSeconds = (seconds: number): string => `${Math.min(seconds, MAX_SECONDS)}`;
