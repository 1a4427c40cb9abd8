// The sample gateway: one origin for the sample services of several chains, with API keys and credits. Its name service has the ENS
// names that the sample service of a chain states.

import type { Fetch } from "../../index.js";
import { createRateLimit, type RateLimit } from "../access.js";
import { readRequest } from "../read-request.js";
import type { SampleGateway, SampleGatewayOptions, SamplePlan } from "../public-types.js";
import { ApiError, createResponse, type Headers as HeaderRecord } from "../responses.js";
import { rejectUnknown, requireNonNegative } from "../settings.js";
import { ENDPOINT_PRICING, getCredits } from "./pricing.js";

const PLACEHOLDER_ORIGIN = "https://gateway.invalid";
const FREE_CREDITS = 100_000;
const SECOND_MS = 1000;
/** Headers of an instance that the gateway replaces. */
const RATE_LIMIT_HEADERS = ["x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset", "bypass-429-option"];

/** How to pay for a request without a key, by the protocol x402. */
const PAYMENT_TERMS = {
  x402Version: 2,
  error: "Payment required",
  accepts: [{ scheme: "exact", network: "eip155:8453", amount: "1000", asset: "USDC", maxTimeoutSeconds: 60 }],
};

interface Account {
  credits: number;
  readonly rateLimit: RateLimit | undefined;
}

interface Target {
  readonly chain: string;
  /** The path of the instance, which begins with `/api`, or of the name service. */
  readonly path: string;
}

const createGatewayError = (status: number, message: string, headers: HeaderRecord = {}) =>
  new ApiError(status, { error: message, source: "internal" }, headers);

/**
 * Creates a deterministic fake of Blockscout's gateway (`https://api.blockscout.com`), which serves the sample services of several
 * chains.
 *
 * @remarks It has the gateway's paths: `/{chain_id}/api/v2/…`, `/{chain_id}/api?module=…`, `/{chain_id}/api/v1/graphql`,
 * `/{chain_id}/json-rpc` and `/v2/api?chain_id={chain_id}&module=…`. Names are looked up at `/services/bens/api/v1/…`.
 * `/api/json/config` states the chains and prices, and needs no key.
 *
 * The key is the parameter `apikey`, or the header `Authorization`, with or without `Bearer`. Without a key the status is 402, with
 * an unknown key 401, and with a key without credits 402. Every request to a service costs credits, whatever its response.
 *
 * @throws RangeError if an option is unknown or invalid.
 *
 * @example
 * ```js
 * const gateway = createSampleGateway({
 *   chains: { 1: createSampleService({ backendVersion: 12 }), 10: createSampleService({ chainType: "optimism" }) },
 *   keys: { proapi_sample: { credits: 5_000, requestsPerSecond: 5 } },
 * });
 * const client = new AddressClient({ chainId: 1, apiKey: "proapi_sample", fetch: gateway.fetch });
 * ```
 */
export function createSampleGateway(options: SampleGatewayOptions): SampleGateway {
  const { chains, keys, cors = true } = options;
  checkOptions(options);
  const accounts = new Map(Object.entries(keys).map(([key, plan]) => [key, createAccount(plan)]));
  const getAccount = (key: string): Account => {
    const account = accounts.get(key);
    if (!account) throw new RangeError(`unknown key ${key}; valid keys are ${[...accounts.keys()].join(", ")}`);
    return account;
  };

  /** Creates the response of the chain's instance, with the headers of the gateway. Throws if the gateway refuses the request. */
  const respond = async (request: Request, signal: AbortSignal): Promise<Response> => {
    const url = new URL(request.url);
    if (url.pathname.endsWith("/api/json/config"))
      return createResponse({ status: 200, json: createConfig(Object.keys(chains)) });
    const account = findAccount(request, accounts);
    const { chain, path } = findTarget(url);
    const service = chains[Number(chain)];
    if (!service) throw createGatewayError(404, "Network not supported");
    if (account.rateLimit?.count() === false) throw createGatewayError(429, "Too many requests", account.rateLimit.headers);
    if (account.credits <= 0) throw new ApiError(402, { error: "Out of credits" });
    account.credits -= getCredits(path);
    const upstreamRequest = await createUpstreamRequest(request, url, { chain, path });
    const read = async (path: string) => {
      const response = await requestInstance(service.fetch, new Request(`${url.origin}${path}`), signal);
      const json = await response.json();
      if (!response.ok) throw new ApiError(response.status, json);
      return json;
    };
    const response = findNamePath(path)
      ? await respondToLookup(path, url.searchParams, read)
      : await requestInstance(service.fetch, upstreamRequest, signal);
    const headers = new Headers(response.headers);
    for (const name of RATE_LIMIT_HEADERS) headers.delete(name);
    for (const [name, value] of Object.entries(account.rateLimit?.headers ?? {})) headers.set(name, value);
    if (response.status === 200) headers.set("x-credits-remaining", String(account.credits));
    return new Response(response.body, { status: response.status, headers });
  };

  return {
    async fetch(input: RequestInfo | URL, init?: RequestInit) {
      const { request, signal } = readRequest(input, init, PLACEHOLDER_ORIGIN);
      const response = await respond(request, signal).catch(createErrorResponse);
      if (cors) return response;
      const headers = [...response.headers].filter(([name]) => !name.startsWith("access-control-"));
      return new Response(response.body, { status: response.status, headers });
    },

    getCredits: (key) => getAccount(key).credits,

    setCredits(key, credits) {
      requireNonNegative("credits", credits);
      getAccount(key).credits = credits;
    },
  };
}

function checkOptions(options: SampleGatewayOptions): void {
  rejectUnknown(options, ["chains", "keys", "cors"]);
  const invalid = Object.keys(options.chains).find((id) => !/^[1-9]\d*$/.test(id));
  if (invalid !== undefined) throw new RangeError(`chains must have chain ids as names, got ${invalid}`);
}

function createAccount(plan: SamplePlan): Account {
  const { credits = FREE_CREDITS, requestsPerSecond } = plan;
  rejectUnknown(plan, ["credits", "requestsPerSecond"], "", " in keys");
  requireNonNegative("credits", credits);
  if (requestsPerSecond === undefined) return { credits, rateLimit: undefined };
  requireNonNegative("requestsPerSecond", requestsPerSecond);
  return { credits, rateLimit: createRateLimit({ requests: requestsPerSecond, windowMs: SECOND_MS }) };
}

const createConfig = (chains: readonly string[]) => ({
  chains: Object.fromEntries(chains.map((id) => [id, `https://chain-${id}.invalid/`])),
  endpoint_pricing: ENDPOINT_PRICING,
});

function findAccount({ url, headers }: Request, accounts: ReadonlyMap<string, Account>): Account {
  const key = headers.get("authorization")?.replace(/^Bearer +/i, "") ?? new URL(url).searchParams.get("apikey");
  if (!key) throw new ApiError(402, {}, { "payment-required": btoa(JSON.stringify(PAYMENT_TERMS)) });
  const account = accounts.get(key);
  if (!account) throw createGatewayError(401, "Unauthorized");
  return account;
}

/** Finds the chain, and the path of its instance. Any prefix is accepted, such as a proxy's. */
function findTarget({ pathname, searchParams }: URL): Target {
  const [, chain, path] = /\/(\d+)(\/api(?:\/.*)?)$/.exec(pathname) ?? [];
  if (chain !== undefined && path !== undefined) return { chain, path };
  const [, rpcChain] = /\/(\d+)\/json-rpc$/.exec(pathname) ?? [];
  if (rpcChain !== undefined) return { chain: rpcChain, path: "/api/eth-rpc" };
  const parameter = searchParams.get("chain_id") ?? searchParams.get("chainid");
  const namePath = findNamePath(pathname);
  if (parameter !== null && namePath !== undefined) return { chain: parameter, path: namePath };
  if (parameter === null || !/\/v2\/api\/?$/.test(pathname)) throw createGatewayError(404, "Not found");
  return { chain: parameter, path: "/api" };
}

/** Creates the request to an instance, which does not see the key. Its path has the chain, so that faults can match it. */
async function createUpstreamRequest(request: Request, { origin, searchParams }: URL, { chain, path }: Target): Promise<Request> {
  const query = new URLSearchParams(searchParams);
  for (const name of ["apikey", "chain_id", "chainid"]) query.delete(name);
  const search = query.size > 0 ? `?${query}` : "";
  const headers = new Headers(request.headers);
  headers.delete("authorization");
  const body = request.method === "POST" ? { body: await request.text() } : {};
  return new Request(`${origin}/${chain}${path}${search}`, { method: request.method, headers, ...body });
}

/** The gateway's errors in place of these statuses of an instance. */
const UPSTREAM_ERRORS: Readonly<Record<number, string>> = {
  502: "Bad gateway",
  503: "Service unavailable",
  504: "Gateway timeout",
};

async function requestInstance(fetch: Fetch, request: Request, signal: AbortSignal): Promise<Response> {
  const response = await fetch(request, { signal }).catch((error) => {
    if (signal.aborted || !(error instanceof TypeError)) throw error;
    return new Response(null, { status: 502 });
  });
  const message = UPSTREAM_ERRORS[response.status];
  if (message === undefined) return response as Response;
  throw new ApiError(response.status, { error: message, source: "upstream" });
}

function createErrorResponse(error: unknown): Response {
  if (!(error instanceof ApiError)) throw error;
  const headers = { "content-type": "application/json", ...error.headers };
  return createResponse({ status: error.status, json: error.body, headers, omitDefaultHeaders: true });
}

const PATH = "/services/bens/api/v1/";
const REGISTRATION_DATE = "2024-05-04T21:22:30.000Z";
const PROTOCOL = { id: "ens", short_name: "ENS", title: "Ethereum Name Service", tld_list: ["eth"] };

type ReadInstance = (path: string) => Promise<Record<string, unknown>>;

interface NameItem {
  readonly type: string;
  readonly ens_info: { readonly name: string; readonly address_hash: string; readonly expiry_date: string } | null;
}

/** The name service's path within the path of a URL, if there is one. Any prefix is accepted, such as a proxy's. */
function findNamePath(pathname: string): string | undefined {
  const start = pathname.indexOf(PATH);
  return start < 0 ? undefined : pathname.slice(start);
}

async function respondToLookup(path: string, query: URLSearchParams, read: ReadInstance): Promise<Response> {
  const lookup = path.slice(PATH.length);
  const [, address] = /^addresses\/(0x[\da-f]{40})$/i.exec(lookup) ?? [];
  if (lookup === "domains:lookup") return createJson({ items: await findNames(read, query.get("name") ?? "") });
  if (lookup === "addresses:lookup") {
    // Without one of these, the service looks up nothing.
    const isAsked = query.get("resolved_to") === "true" || query.get("owned_by") === "true";
    return createJson({ items: isAsked ? await findNamesOf(read, query.get("address") ?? "") : [] });
  }
  if (address === undefined) throw new ApiError(404, { code: 5, message: "Not Found", details: [] });
  const [domain = null, ...others] = await findNamesOf(read, address);
  return createJson({ domain, resolved_domains_count: domain === null ? 0 : 1 + others.length });
}

async function findNamesOf(read: ReadInstance, address: string): Promise<object[]> {
  const { ens_domain_name } = await read(`/api/v2/addresses/${address}`);
  return typeof ens_domain_name === "string" ? findNames(read, ens_domain_name) : [];
}

async function findNames(read: ReadInstance, name: string): Promise<object[]> {
  const items = (await read(`/api/v2/search/quick?q=${encodeURIComponent(name)}`)) as unknown as readonly NameItem[];
  return items.flatMap(({ type, ens_info }) =>
    type === "ens_domain" && ens_info?.name === name ? [serializeName(ens_info)] : [],
  );
}

function serializeName({ name, address_hash: hash, expiry_date }: NonNullable<NameItem["ens_info"]>): object {
  const [owner, resolved_address] = [{ hash }, { hash }];
  return { name, owner, resolved_address, registration_date: REGISTRATION_DATE, expiry_date, protocol: PROTOCOL };
}

const createJson = (json: object): Response => createResponse({ status: 200, json });
