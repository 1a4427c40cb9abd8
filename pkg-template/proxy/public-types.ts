// The public types of address-query/proxy.
import type { FetchRequest, FetchResponse } from "../public.js";

/** Handles the request of a visitor. Further arguments are passed on to the functions of the options. */
export type ProxyHandler<Context extends readonly unknown[] = readonly unknown[]> = (
  request: FetchRequest,
  ...context: Context
) => Promise<FetchResponse>;

/** Options of {@link createProxy}. */
export interface ProxyOptions<Context extends readonly unknown[] = readonly unknown[]> {
  /**
   * The API key: 8 to 512 letters, digits and `-._~`. It is sent in headers, never in a URL, and removed from responses.
   *
   * @remarks
   * A function is called for each request that is forwarded, with the arguments of the handler. In a Cloudflare Worker the second
   * one is the environment with the secrets.
   */
  readonly apiKey: string | ((request: FetchRequest, ...context: Context) => string | undefined | Promise<string | undefined>);
  /** The chains that visitors can read: chain ids, constants of `address-query/chains`, or chains of viem. */
  readonly chains: readonly (number | { readonly id: number })[];
  /**
   * The path at which the server calls the handler, such as `/api/blockscout`. Below it, the paths match the gateway's paths:
   * `/api/blockscout/1/api/v2/stats`. A client reads them with the same path as `baseUrl`, and a `chainId` or `chain`.
   *
   * @defaultValue `"/"`
   */
  readonly basePath?: string | undefined;
  /**
   * Further requests to forward, beside those that a client sends.
   *
   * @remarks
   * Each is a path of the gateway with the names of the query parameters that it may have. `{chain_id}` stands for one of `chains`, and
   * any other name in braces for one segment of letters, digits and `-._`. A parameter with a value must have that value.
   * `*` allows any parameters but `apikey`, for lists with a cursor, if their names have at most 64 letters, digits and `_[]`. A request
   * has at most 24 parameters. The method is `GET`, unless the entry begins with `POST` and a space.
   *
   * @example
   * ```ts
   * import type { ProxyOptions } from "address-query/proxy";
   *
   * const allow: ProxyOptions["allow"] = [
   *   "/{chain_id}/api/v2/blocks/{block}/transactions?*",
   *   "/{chain_id}/api?module=stats&action=ethprice",
   *   "POST /{chain_id}/json-rpc",
   * ];
   * ```
   */
  readonly allow?: readonly string[] | undefined;
  /**
   * Other origins whose pages may use the proxy, such as `https://app.example`.
   *
   * @remarks
   * By default only pages of the proxy's own origin may. A request without the headers `Sec-Fetch-Site`, `Origin` and `Referer` is
   * allowed: no current browser sends one for a page of another site, and programs can send any header. Use `limit` against them.
   *
   * Set this to the public origin if a server in front of the handler replaces the header `Host`.
   *
   * @defaultValue `[]`
   */
  readonly origins?: readonly string[] | undefined;
  /**
   * How long browsers and shared caches may keep a successful response, in seconds.
   *
   * @remarks
   * A number applies to all requests except for balances and the paths of `allow`. A function decides for every `GET` request. It is
   * called with the path and query of the gateway, such as `/1/api/v2/stats`. Responses that may not be kept have
   * `Cache-Control: no-store`.
   *
   * Only JSON that a client accepts is kept, and never if the gateway says `no-store`. A response of up to 256 KB is checked as a
   * whole before it is passed on, so that no refusal with status 200 is kept.
   *
   * `history`, `watch`, `auditBalance`, `approvals` and retries always read from the gateway: the proxy
   * forwards a request with `Cache-Control: no-cache`, and its response is not kept. A shared cache in front of the proxy has to obey
   * that header, or `Vary: Cache-Control`.
   *
   * @defaultValue `0`
   */
  readonly maxAge?: number | ((path: string) => number) | undefined;
  /**
   * Limits the requests of a visitor. Called before each request that would be forwarded, with the arguments of the handler. Returns
   * how many seconds the visitor has to wait, or 0 to forward the request.
   *
   * @remarks
   * The response to a visitor who has to wait has status 429 and `Retry-After`, which a client obeys. `Infinity` is sent as 2147483647.
   */
  readonly limit?: ((request: FetchRequest, ...context: Context) => number | Promise<number>) | undefined;
  /**
   * How long to wait for the beginning of a response, and for each further part of it, in milliseconds.
   *
   * @defaultValue `60_000`
   */
  readonly timeoutMs?: number | undefined;
  /**
   * URL of another gateway, or of your own instance. `{chain_id}` stands for the id of the chain.
   *
   * @remarks
   * The proxy sends the key to this host, and forwards to no other. It does not follow redirects.
   *
   * @defaultValue `"https://api.blockscout.com/{chain_id}"`
   */
  readonly upstream?: string | undefined;
  /**
   * Called with the reason of a response with status 500, 502 or 504, for logs. The visitor does not see it. Its exceptions are
   * passed to `console.error`.
   *
   * @defaultValue `console.error`, without the request
   */
  readonly onError?: ((error: unknown, request: FetchRequest) => void) | undefined;
}
