// The sample service: a deterministic fake of the Blockscout API behind a `fetch`.
//
// The REST lists are in rest/, the account module in account/ and GraphQL in graphql/, all over the data in ledger/. Faults are
// in faults/.

import { AccountModule } from "./account/account-module.js";
import { ApiError, createNotFoundError, createUnknownActionError } from "./api-error.js";
import { FaultInjector } from "./faults/fault-injector.js";
import { GraphqlModule } from "./graphql/graphql-module.js";
import { Chain } from "./ledger/chain.js";
import type { Hex } from "../index.js";
import type { LedgerEvent } from "./ledger/events.js";
import type { BackendVersion, SampleAddress, SampleEvent, SampleService, SampleServiceOptions } from "./public-types.js";
import { createResponse, type ResponseDraft, serializeBody } from "./response-draft.js";
import { RestModule } from "./rest/rest-module.js";

const BACKEND_VERSIONS: readonly BackendVersion[] = [8, 11, 12];
/** The origin for a URL that is only a path. The service ignores the origin. */
const PLACEHOLDER_ORIGIN = "https://sample.invalid";
const MAX_QUERY_LENGTH = 5000;

/**
 * Creates a deterministic fake of the Blockscout API, for demos, tests and offline work.
 *
 * @remarks
 * The service responds to the paths below `/api/v2` that this package reads, to the fourteen actions of the account module at
 * `/api`, to `getblocknobytime` of the block module, and to GraphQL queries of addresses, transactions and transfers at
 * `/api/v1/graphql`. It has the paths of Ethereum and those of Celo.
 * Its data come from a seed. Pagination, filters and errors are those of the chosen backend version of Blockscout.
 * It needs neither a network nor a server.
 *
 * @throws RangeError if an option is unknown or invalid.
 *
 * @example
 * ```js
 * const service = createSampleService();
 * const client = new AddressClient({ baseUrl: "https://sample.example", fetch: service.fetch });
 * const page = await client.addressLogs({ address_hash: service.addresses[0].hash });
 * ```
 */
export function createSampleService(options: SampleServiceOptions = {}): SampleService {
  const { seed, backendVersion, latencyMs, pageSize, blocksPerRequest, graphqlMaxComplexity, faults } = parseOptions(options);
  const chain = new Chain(seed);
  const restModule = new RestModule(chain, backendVersion, pageSize);
  const accountModule = new AccountModule(chain, backendVersion, blocksPerRequest);
  const graphqlModule = new GraphqlModule(chain, backendVersion, graphqlMaxComplexity);
  const faultInjector = new FaultInjector(faults);

  return {
    addresses: chain.accounts.sampleAddresses as [SampleAddress, ...SampleAddress[]],

    async fetch(input: RequestInfo | URL, init?: RequestInit) {
      const isRequest = typeof input === "object" && "url" in input;
      const request = new Request(isRequest ? input : new URL(input, PLACEHOLDER_ORIGIN), init);
      const { pathname, searchParams } = new URL(request.url);
      const signal = init?.signal ?? (isRequest ? input.signal : request.signal);
      // Chosen before the first `await`, so that concurrent requests draw their faults in the order of the calls.
      const applyFault = faultInjector.drawFault(request.url);
      await delay(latencyMs, signal);
      const draft = await applyFault({
        searchParams,
        signal,
        isAccountModule: isAccountModulePath(getApiPath(pathname)),
        delay: (ms) => delay(ms, signal),
        addBlock: () => chain.addBlocks(1),
        createDraft: () => createDraft(restModule, accountModule, graphqlModule, request),
        serializeBody,
      });
      return createResponse(draft);
    },

    grow(blocks = 1) {
      if (!Number.isInteger(blocks) || blocks < 0) throw new RangeError(`blocks must be a non-negative integer, got ${blocks}`);
      chain.addBlocks(blocks);
    },

    reorganise(blocks = 1) {
      const { newBlockCount } = chain;
      if (!Number.isInteger(blocks) || blocks < 0 || blocks > newBlockCount) {
        throw new RangeError(`blocks must be an integer from 0 to ${newBlockCount}, the number of added blocks, got ${blocks}`);
      }
      chain.replaceBlocks(blocks);
    },

    getEvents(address, fromBlock = 0) {
      return chain.tables.history.getEvents(address.toLowerCase(), fromBlock).map((event) => createSampleEvent(chain, event));
    },

    getAllItems(path, query = {}) {
      // Through JSON, as over the wire: the caller gets a copy of its own.
      return JSON.parse(JSON.stringify(restModule.getAllItems(path, new URLSearchParams(query))));
    },

    getAllRows(action, query = {}) {
      return accountModule.getAllRows(action, new URLSearchParams(query));
    },
  };
}

function createSampleEvent(chain: Chain, { token, isSuccess, ...event }: LedgerEvent): SampleEvent {
  const { block_number, transaction_index, from, to } = event;
  const hash = transaction_index === null ? null : chain.getTransactionHash(block_number, transaction_index);
  return {
    ...event,
    timestamp: chain.getUnixTime(block_number),
    transaction_hash: hash as Hex | null,
    token: (token?.hash ?? null) as Hex | null,
    from: from as Hex | null,
    to: to as Hex | null,
    success: isSuccess,
  };
}

/** Checks the options, and adds the default values. */
function parseOptions(options: SampleServiceOptions) {
  const {
    seed = 1,
    backendVersion = 11,
    latencyMs = 0,
    pageSize = 50,
    blocksPerRequest = 0,
    graphqlMaxComplexity = 100,
    faults = { rate: 0 },
    ...rest
  } = options;
  const [unknown] = Object.keys(rest);
  if (unknown !== undefined) {
    throw new RangeError(
      `unknown option ${unknown}; valid options are seed, backendVersion, latencyMs, pageSize, blocksPerRequest, graphqlMaxComplexity, faults`,
    );
  }
  if (!BACKEND_VERSIONS.includes(backendVersion)) {
    throw new RangeError(`backendVersion must be one of ${BACKEND_VERSIONS.join(", ")}, got ${backendVersion}`);
  }
  if (!Number.isInteger(pageSize) || pageSize < 1) throw new RangeError(`pageSize must be a positive integer, got ${pageSize}`);
  if (!Number.isInteger(blocksPerRequest) || blocksPerRequest < 0) {
    throw new RangeError(`blocksPerRequest must be a non-negative integer, got ${blocksPerRequest}`);
  }
  if (!Number.isInteger(graphqlMaxComplexity) || graphqlMaxComplexity < 0) {
    throw new RangeError(`graphqlMaxComplexity must be a non-negative integer, got ${graphqlMaxComplexity}`);
  }
  return { seed, backendVersion, latencyMs, pageSize, blocksPerRequest, graphqlMaxComplexity, faults };
}

/** Waits; `Infinity` waits for the signal alone. Rejects with the signal's reason as soon as it is aborted, as `fetch` does. */
function delay(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal.reason ?? new DOMException("This operation was aborted", "AbortError"));
    };
    const onTimeout = () => {
      signal.removeEventListener("abort", onAbort);
      resolve();
    };
    const timer = ms === Number.POSITIVE_INFINITY ? undefined : setTimeout(onTimeout, ms);
    if (signal.aborted) onAbort();
    else signal.addEventListener("abort", onAbort, { once: true });
  });
}

/** The part of a path after its last `/api`, or "" if there is none. */
const getApiPath = (pathname: string) => /^.*\/api(\/.*)?$/.exec(pathname)?.[1] ?? "";
const isAccountModulePath = (path: string) => /^(\/v1)?\/?$/.test(path);

/** Creates the response to a request without a fault. */
async function createDraft(
  restModule: RestModule,
  accountModule: AccountModule,
  graphqlModule: GraphqlModule,
  request: Request,
): Promise<ResponseDraft> {
  const { pathname, search, searchParams } = new URL(request.url);
  if (search.length > MAX_QUERY_LENGTH) {
    return { status: 414, body: "<html><h1>414 Request-URI Too Large</h1></html>", headers: { "content-type": "text/html" } };
  }
  try {
    const path = getApiPath(pathname);
    if (isAccountModulePath(path))
      return { status: 200, json: accountModule.handleRequest(await readParameters(request, searchParams)) };
    if (path === "/v1/graphql") return { status: 200, ...graphqlModule.respond(await request.text()) };
    if (!path.startsWith("/v2")) throw createNotFoundError();
    if (request.method !== "GET") throw createUnknownActionError();
    const showScam = request.headers.get("show-scam-tokens") === "true";
    return { status: 200, ...restModule.respond(path.slice("/v2".length).replace(/\/$/, ""), searchParams, showScam) };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { status: error.status, json: error.body, headers: error.headers };
  }
}

/** Reads the parameters of an account module request, which may be in its query, in a form or in a JSON body. */
async function readParameters(request: Request, searchParams: URLSearchParams): Promise<[string, string][]> {
  const body = request.method === "POST" ? await request.text() : "";
  const isJson = request.headers.get("content-type")?.includes("json");
  const entries = isJson && body ? Object.entries<string>(JSON.parse(body)) : new URLSearchParams(body);
  return [...searchParams, ...entries];
}
