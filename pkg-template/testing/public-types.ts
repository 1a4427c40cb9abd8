// The types of the entry point `address-query/testing`.

import type { ActivityKind } from "../history/index.js";
import type { Fetch, FetchRequest, Hex } from "../index.js";

/** Major version of the Blockscout backend. */
export type BackendVersion = 8 | 9 | 11 | 12;

/** Kind of chain: Ethereum, or a rollup of the OP Stack. */
export type ChainType = "ethereum" | "optimism";

export interface SampleServiceOptions {
  /** Seed of the data: the same seed gives the same data on every machine. Default: 1. */
  seed?: number | undefined;
  /** Major version of the Blockscout backend to imitate. Default: 11. */
  backendVersion?: BackendVersion | undefined;
  /** Delay of every response, in milliseconds. Aborting the request ends the delay. Default: 0. */
  latencyMs?: number | undefined;
  /** Number of rows per page of a REST list. In version 12 a request can override it with `items_count`. Default: 50. */
  pageSize?: number | undefined;
  /**
   * Largest `items_count` of version 12. A larger value is reduced to it without an error. At least `pageSize`. Default: 100, or
   * `pageSize` if that is larger.
   */
  maxPageSize?: number | undefined;
  /**
   * Version that the service states at `/api/v2/config/backend-version`. Null, as on private instances: none. Default: the usual
   * version for `backendVersion`.
   */
  versionName?: string | null | undefined;
  /**
   * Kind of chain. On `"optimism"`, transactions also pay for their data on layer 1. REST states this fee in `l1_fee` and includes
   * it in `fee`. The account module states it since version 12.0.2, in `L1FeesPaid` of `txlist`, but not with an earlier
   * `versionName`. What the everyday wallet bridges on Ethereum arrives on the rollup with the same seed, and the reverse. All other
   * data are the same as for Ethereum. Default: `"ethereum"`.
   */
  chainType?: ChainType | undefined;
  /** API keys that the instance knows. Requests with an unknown key count as requests without one. Default: none. */
  apiKeys?: readonly string[] | undefined;
  /**
   * Requests that need one of `apiKeys`: none, requests to the account and block modules (`/api?module=`), or all. Without it, the
   * response has status 401. Default: `"never"`.
   */
  requiresKey?: "never" | "account_module" | "always" | undefined;
  /**
   * Whether requests need a `Referer` of the instance's own origin, which a page of another origin cannot send. Without it, the CDN
   * responds with a challenge page, with status 403 and without CORS headers. Default: false.
   */
  requiresReferer?: boolean | undefined;
  /** Rate limit of requests without a key. Default: none. */
  rateLimit?: SampleRateLimit | undefined;
  /**
   * Number of blocks that the chain grows by after every account module request, as with `grow()`. Default: 0.
   */
  blocksPerRequest?: number | undefined;
  /**
   * First block whose internal transactions the instance has indexed. The lists and actions have none from earlier blocks, and
   * `indexing-status` states the indexed share. Default: 0.
   */
  firstTracedBlock?: number | undefined;
  /** Maximum complexity of a GraphQL query. 0 disables GraphQL. Default: 100. */
  graphqlMaxComplexity?: number | undefined;
  /** Whether JSON-RPC can call contracts. An operator can switch that off. Default: true. */
  hasEthCall?: boolean | undefined;
  /** Faults to inject into responses. Default: none. */
  faults?: SampleFaults | undefined;
  /**
   * Records that the service cannot serve: every page of a REST list with one of these texts, such as the hash of a transaction, has
   * status 500. Default: none.
   */
  unservedRecords?: readonly string[] | undefined;
  /**
   * Responses for additional paths, or instead of the sample data. The name is the end of the path, without its query; the first
   * match is used. Refusals, latency and faults also apply to them. Default: none.
   *
   * @example
   * ```js
   * const service = createSampleService({
   *   routes: {
   *     "/api/v2/main-page/blocks": [{ height: 1 }],
   *     "/api/v2/smart-contracts/counters": (request) => ({ url: request.url }),
   *     "/api/v2/stats": () => Response.json({ message: "Not found" }, { status: 404 }),
   *   },
   * });
   * const client = new AddressClient({ baseUrl: "https://sample.invalid", fetch: service.fetch });
   * const blocks = await client.request("/api/v2/main-page/blocks");
   * ```
   */
  routes?: Readonly<Record<string, SampleRoute>> | undefined;
}

/** A response of the sample service: a value, which is sent as JSON, or a function that returns one or a `Response`. */
export type SampleRoute = ((request: FetchRequest) => unknown) | object | string | number | boolean | null;

/**
 * A rate limit. It uses the time of `Date.now()`.
 *
 * @example
 * ```js
 * // After 300 requests in a minute, the service refuses all requests for ten minutes, and does not say so.
 * createSampleService({ rateLimit: { requests: 300, blockMs: 600_000, statesReset: false } });
 * ```
 */
export interface SampleRateLimit {
  /** Maximum number of requests per window. Further requests get status 429. */
  requests: number;
  /** Length of the window, in milliseconds. Default: 60,000. */
  windowMs?: number | undefined;
  /**
   * Minimum time for which requests are refused after one too many, in milliseconds. Default: 0, which means until the window
   * ends.
   */
  blockMs?: number | undefined;
  /** Whether `x-ratelimit-reset` of a refusal states the wait. Otherwise it is -1. Default: true. */
  statesReset?: boolean | undefined;
}

/** Options that a running service can change. */
export type SampleServiceChanges = Omit<SampleServiceOptions, "seed" | "chainType" | "faults">;

export interface SampleFaults {
  /** Seed of the faults: for a given seed, the n-th request always has the same fault. Default: 1. */
  seed?: number | undefined;
  /** Share of the requests that have a random fault, from 0 to 1. Default: 0.3, or 0 if there is a `script`. */
  rate?: number | undefined;
  /**
   * Kinds of fault to draw from, with equal probability. Default: all kinds except `"html_forbidden_page"`, `"cdn_forbidden"`
   * and `"wrong_type"`, which a retry does not recover from.
   */
  kinds?: readonly FaultKind[] | undefined;
  /**
   * Faults of certain requests. The first matching entry that is not used up determines the fault; other requests can have a random
   * one. Default: none.
   *
   * @example
   * ```js
   * // The second page of the transfers fails twice, and every response with logs has a field of a wrong type.
   * const service = createSampleService({
   *   faults: {
   *     script: [
   *       { match: /token-transfers\?.*block_number=/, fault: "gateway_timeout", times: 2 },
   *       { match: "/logs", fault: "wrong_type", times: Infinity },
   *     ],
   *   },
   * });
   * ```
   */
  script?: readonly ScriptedFault[] | undefined;
}

/** A fault of certain requests. */
export interface ScriptedFault {
  /** Selects requests whose URL contains the string or matches the expression. */
  match: string | RegExp;
  /** Kind of the fault. */
  fault: FaultKind;
  /** Number of matching requests that have the fault. `Infinity` means all of them. Default: 1. */
  times?: number | undefined;
}

/**
 * A kind of fault:
 *
 * - `latency`: the response arrives up to 100 ms later.
 * - `no_response`: nothing arrives until the request is aborted.
 * - `stalled_body`: half of the body arrives, then nothing until the request is aborted.
 * - `network_error`: `fetch` rejects with a `TypeError`.
 * - `rate_limited_reset`: status 429 with `x-ratelimit-reset` in milliseconds.
 * - `rate_limited_retry_after`: status 429 with `Retry-After` in seconds.
 * - `rate_limited_retry_date`: status 429 with `Retry-After` as a date.
 * - `rate_limited_no_reset`: status 429 with `x-ratelimit-reset: -1`, which gives no time.
 * - `rate_limited_no_headers`: status 429 without any rate limit header, as a CDN sends it.
 * - `internal_server_error`: status 500 from the service.
 * - `bad_gateway`, `service_unavailable`, `gateway_timeout`: status 502, 503 or 504 from a proxy, as HTML or as JSON.
 * - `html_challenge_page`: status 200 with the HTML page of a firewall.
 * - `html_forbidden_page`: status 403 with the HTML page of a firewall.
 * - `cdn_forbidden`: status 403 of a CDN, as HTML, as a short text or empty. It has no CORS headers, so a page of another origin
 *   sees only a `TypeError` (see `createPageFetch`).
 * - `truncated_body`: the body ends early, without an error.
 * - `connection_reset_in_body`: the body fails with a `TypeError` after its first half.
 * - `null_body`: the body is the JSON value `null`.
 * - `duplicate_cursor_keys`: the cursor has its keys twice: with the new values, and with the values that the request sent. They
 *   follow as strings, as in version 9.0.0, or precede the new values, as in versions up to 9.4.2.
 * - `repeated_cursor`: the response's cursor is the one that the request sent.
 * - `schema_drift`: records have an unknown field, and unknown values of `type`, `token_type` and `proxy_type`, which end
 *   in `-next`.
 * - `wrong_type`: a field of a record has the value `true`, which no field of that name can have.
 * - `hostile_value`: one in ten records of a list has an unreadable value in a field that is not essential, such as an object in
 *   place of a name. The value is the same in every response. No record may be lost. Not among the default kinds, because values
 *   differ.
 * - `new_blocks`: the chain grows by one block, as with `grow()`.
 */
export type FaultKind =
  | "latency"
  | "no_response"
  | "stalled_body"
  | "network_error"
  | "rate_limited_reset"
  | "rate_limited_retry_after"
  | "rate_limited_retry_date"
  | "rate_limited_no_reset"
  | "rate_limited_no_headers"
  | "internal_server_error"
  | "bad_gateway"
  | "service_unavailable"
  | "gateway_timeout"
  | "html_challenge_page"
  | "html_forbidden_page"
  | "cdn_forbidden"
  | "truncated_body"
  | "connection_reset_in_body"
  | "null_body"
  | "duplicate_cursor_keys"
  | "repeated_cursor"
  | "schema_drift"
  | "wrong_type"
  | "hostile_value"
  | "new_blocks";

export interface SampleService {
  /**
   * Responds to a request as the service would. A drop-in replacement of the global `fetch`, bound to this service.
   * Only the query and the path after its last `/api` matter, so any base URL works.
   */
  readonly fetch: Fetch;

  /**
   * Sample addresses for menus and tests. The first one, `showcase`, is an ordinary wallet with 14 months of history, up to the
   * head block. Many of the others have irregular data for tests.
   */
  readonly addresses: readonly [SampleAddress, ...SampleAddress[]];

  /** The sockets of the service. */
  readonly sockets: SampleSockets;

  /**
   * Adds blocks to the chain. Each has two transactions of the sample address `deep`, a token transfer and an internal
   * transaction. The lists of that address and of the chain grow, for the REST API and the account module alike.
   *
   * @param blocks number of blocks; default: 1
   * @throws RangeError if it is not a non-negative integer
   *
   * @example
   * ```js
   * const service = createSampleService();
   * const deep = service.addresses.find(({ id }) => id === "deep");
   * service.grow();
   * const [newest] = service.getAllItems(`/addresses/${deep?.hash}/token-transfers`);
   * ```
   */
  grow(blocks?: number): void;

  /**
   * Changes options of the running service, such as its version after an update. The data and the other options stay the same.
   *
   * @throws RangeError if an option is unknown, invalid, or one that cannot be changed: `seed`, `chainType` or `faults`
   *
   * @example
   * ```js
   * const service = createSampleService({ backendVersion: 11 });
   * service.reconfigure({ backendVersion: 12, maxPageSize: 70 }); // from the next request on
   * ```
   */
  reconfigure(changes: SampleServiceChanges): void;

  /**
   * Replaces the newest blocks that `grow()` or `blocksPerRequest` added with as many other blocks, as a reorganisation of the
   * chain does. Their transactions, transfers and internal transactions have other hashes and contents.
   *
   * @param blocks number of blocks; default: 1
   * @throws RangeError if it is not an integer from 0 to the number of added blocks
   *
   * @example
   * ```js
   * const service = createSampleService();
   * service.grow(3);
   * service.reorganise(2); // The first of the three blocks stays.
   * ```
   */
  reorganise(blocks?: number): void;

  /**
   * Returns all events of an address, oldest first: the expected result of merging all its lists. Faults do not apply. The events
   * come from the ledger, not from responses. The balance of an address is the sum of its events.
   *
   * @remarks
   * Within a block, events are ordered by the position of their transaction. Within a transaction, the transaction itself comes
   * first, then internal transactions and token transfers, each by index. Block rewards and withdrawals end the block.
   *
   * @param fromBlock first block; default: 0
   */
  getEvents(address: string, fromBlock?: number): SampleEvent[];

  /**
   * Returns the active approvals of an address, oldest first, with the remaining amount of each. They come from the ledger, not
   * from responses, so faults do not apply.
   */
  getApprovals(address: string): SampleApproval[];

  /**
   * Returns what the activities of an address are meant to be, by key: their expected kinds. The script of the everyday wallet, the
   * treasury, the token contract and the NFT collector declares each transaction, apart from what it moves. For other addresses, only
   * block rewards, withdrawals, failures, created contracts and plain payments are declared, because their calls are random.
   */
  getActivityKinds(address: string): ReadonlyMap<string, SampleActivityKind>;

  /**
   * Returns every item of a REST list, in order: the expected result of reading all its pages. Faults do not apply.
   *
   * @param path path relative to `/api/v2`, such as `/addresses/0x…/logs`
   * @param query filters, such as `{ type: "ERC-20" }`
   * @throws an error with `status` and `body` if the service rejects the request
   */
  getAllItems(path: string, query?: Record<string, string>): unknown[];

  /**
   * Returns every row of a list action of the account module, without its limit of 10,000: the expected result of reading
   * all of it. Faults do not apply, and the call does not refresh stale balances.
   *
   * @param action name of the action, such as `txlist`; balance actions are not supported
   * @param query parameters of the action; `page` and `offset` are ignored
   * @throws an error with `status` and `body` if the service rejects the request
   */
  getAllRows(action: string, query?: Record<string, string>): unknown[];
}

/**
 * A fault of the sockets of a sample service:
 *
 * - `refused`: no connection opens.
 * - `unanswered`: connections open, but nothing is answered.
 * - `silent`: topics can be joined, but have no events.
 * - `duplicates`: every event arrives twice.
 * - `reordered`: the events of new blocks arrive in the reverse order.
 * - `hostile_frames`: before every event, frames arrive that are invalid, binary, or as large as two megabytes.
 * - `closes`: after the events of new blocks, the connections close, with a different code each time.
 */
export type SampleSocketFault = "refused" | "unanswered" | "silent" | "duplicates" | "reordered" | "hostile_frames" | "closes";

/** The sockets of a sample service, which announce new blocks. */
export interface SampleSockets {
  /**
   * The class of the sockets, for the option `live` of `watch`. The host of the URL is ignored.
   *
   * @example
   * ```ts
   * import { watch } from "address-query/history";
   *
   * const { WebSocket } = service.sockets;
   * for await (const event of watch(client, { address_hash, live: { WebSocket } })) console.log(event.kind);
   * ```
   */
  readonly WebSocket: new (
    url: string,
  ) => {
    // biome-ignore lint/suspicious/noExplicitAny: each type of event has its own class.
    addEventListener(type: string, listener: (event: any) => void): void;
    send(data: string): void;
    close(code?: number): void;
  };
  /** Number of open connections. */
  readonly connections: number;
  /** The joined topics of all connections. */
  readonly topics: string[];
  /** Sets the faults from now on. None: the sockets work again. */
  setFaults(...faults: readonly SampleSocketFault[]): void;
  /** Sends an event to the connections that have joined a topic, such as `balance` of `addresses:0x…`. */
  announce(topic: string, event: string, payload?: unknown): void;
  /** Closes all connections. Default: 1006, a lost connection. */
  close(code?: number): void;
}

/** What an activity of a sample address is meant to be. */
export type SampleActivityKind = ActivityKind;

/** An active approval on the sample chain. Addresses are in lower case. */
export interface SampleApproval {
  kind: "allowance" | "token" | "operator" | "permit2";
  /** The token contract. */
  token: Hex;
  /** The spender or operator. */
  spender: Hex;
  /** Null: not of a single NFT. */
  token_id: string | null;
  /** The amount in the event, in base units. 1 for NFTs. */
  amount: string;
  /** The remaining amount on the chain. Null: the contract is not a token, and does not report it. */
  remaining: string | null;
  /** Unix seconds. Null: never. */
  expires: number | null;
  /** Block of the event. */
  block_number: number;
  /** Index of the event's log. */
  log_index: number;
}

/** One event of an address on the sample chain. Addresses and hashes are in lower case. */
export interface SampleEvent {
  kind: "transaction" | "internal_transaction" | "token_transfer" | "block_reward" | "withdrawal";
  block_number: number;
  /** Unix seconds. */
  timestamp: number;
  /** Null for block rewards and withdrawals. */
  transaction_hash: Hex | null;
  /** Position of the transaction in its block. Null for block rewards and withdrawals. */
  transaction_index: number | null;
  /** Index of an internal transaction in its transaction, of a log in its block, or of a withdrawal on the chain. */
  index: number | null;
  /** Position in a log that moves several token ids, otherwise 0. Null for kinds other than token transfers. */
  index_in_batch: number | null;
  /** Contract of the token. Null for the native coin. */
  token: Hex | null;
  /** Type of the token at that time. Null for the native coin. */
  token_type: string | null;
  token_id: bigint | null;
  /** In base units. Null if it is encrypted or missing, and for a token id without an amount. */
  amount: bigint | null;
  /** Null for block rewards and withdrawals. */
  from: Hex | null;
  /** Recipient or created contract. Null if the creation failed. */
  to: Hex | null;
  /** Fee that the address paid for the transaction, in wei. */
  fee: bigint;
  /** Whether the amount was moved. A failed transaction only costs its fee. */
  success: boolean;
  /** Name or selector of the called method. */
  method: string | null;
}

/** The stable name of a sample address. Labels and descriptions can change, ids do not. */
export type SampleAddressId =
  | "showcase"
  | "treasury"
  | "token"
  | "collector"
  | "hub"
  | "settlement"
  | "proxy"
  | "quiet"
  | "minter"
  | "airdropped"
  | "hostile"
  | "empty"
  | "restricted"
  | "overloaded"
  | "deep"
  | "distributor"
  | "oversized"
  | "lagging"
  | "producer"
  | "stale"
  | "unfetched"
  | "stuck"
  | "whale"
  | "limited";

export interface SampleAddress {
  /** Stable name of the address, to find it in `addresses`. */
  id: SampleAddressId;
  /** Address in checksum format (EIP-55). */
  hash: Hex;
  /** Short label for a menu. */
  label: string;
  /** One sentence about the specialty of the address. */
  description: string;
}

export interface SampleGatewayOptions {
  /** The sample service of each chain, by chain id. */
  chains: Readonly<Record<number, SampleService>>;
  /** The plan of each API key. */
  keys: Readonly<Record<string, SamplePlan>>;
  /**
   * Whether a page of another origin can read the responses. For the real gateway, this is not documented. The header with the
   * remaining credits is never exposed. Default: true.
   */
  cors?: boolean | undefined;
}

/** The plan of an API key. */
export interface SamplePlan {
  /** Credits at the beginning. Default: 100,000. */
  credits?: number | undefined;
  /** Maximum number of requests per second. Default: no limit. */
  requestsPerSecond?: number | undefined;
}

export interface SampleGateway {
  /**
   * Responds to a request as the gateway would. A drop-in replacement of the global `fetch`, bound to this gateway. The origin does
   * not matter, so any base URL works.
   */
  readonly fetch: Fetch;

  /**
   * Returns the remaining credits of a key. They can be negative, because the gateway serves a request as long as any credits
   * remain.
   *
   * @throws RangeError if the key is unknown
   */
  getCredits(key: string): number;

  /**
   * Sets the credits of a key, as a renewal of its plan does.
   *
   * @throws RangeError if the key is unknown, or if `credits` is not a non-negative integer
   */
  setCredits(key: string, credits: number): void;
}
