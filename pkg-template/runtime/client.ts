// The base class of `AddressClient`. Each entry extends it with its own way to load the WebAssembly module.
import { Account } from "./account.js";
import { captureArguments } from "./arguments.js";
import { Contract, Rpc } from "./batches.js";
import type { ClientSource } from "./client-source.js";
import {
  type AccountActions,
  BlockActions,
  type ContractActions,
  Endpoints,
  GraphqlQueries,
  LogsActions,
  type RpcActions,
} from "./endpoints.js";
import type { Loader } from "./loader.js";
import { callMethod, callWith } from "./method.js";
import type { Credits, InstanceInfo } from "./objects.js";
import type { ActionOptions, ClientOptions } from "./options.js";
import { actionOptions } from "./option-table.js";
import type { JsonValue } from "./records.js";
import { getSession, Session } from "./session.js";

/** Query parameters of `client.request`. A list is sent with commas between its values. Null and undefined are not sent. */
export interface RequestParams {
  readonly [name: string]: string | number | boolean | readonly string[] | null | undefined;
}

/** The limits of a client. Undefined: none was set. */
export type ClientLimits = Readonly<Pick<Partial<ClientOptions>, "maxPerSecond" | "maxCredits">>;

/** Creates a group of methods. The constructors of the groups are not public. */
function createGroup<Methods>(group: { prototype: Methods }, session: Session): Methods {
  return new (group as unknown as new (session: Session) => Methods)(session);
}

/** The methods of a client. */
export class Client extends Endpoints {
  /** The account module: balances, and transactions and transfers past 10,000 records. */
  declare readonly account: AccountActions;
  /** The block module: the block closest to a time. */
  declare readonly block: BlockActions;
  /** The contract module: who created contracts. */
  declare readonly contract: ContractActions;
  /** The logs module: event logs by contract and topics. */
  declare readonly logs: LogsActions;
  /** JSON-RPC: calls of contracts, which read their state. */
  declare readonly rpc: RpcActions;
  /**
   * Equivalents of `account` methods, read by GraphQL. Prefer `account`: it has up to 10,000 records per request, while GraphQL
   * has 3 to 5, and an instance may have switched it off.
   */
  declare readonly graphql: GraphqlQueries;
  /**
   * Identifies the source of the client's records, for cache keys: the id of the chain, or the base URL where the chain is not
   * known, and the options that change records. It has no API key. `address-query/query` uses it.
   */
  readonly source: ClientSource;
  /**
   * The options that limit what the client sends. An app can show how much of `maxCredits` is spent, or estimate the time.
   */
  readonly limits: ClientLimits;

  /**
   * `loader` is shared by all clients of an entry.
   * @internal
   */
  constructor(options: ClientOptions, loader: Pick<Loader, "load" | "isCompiling">) {
    const session = new Session(options, loader);
    super(session);
    session.client = this;
    this.source = session.source;
    const { maxPerSecond, maxCredits } = options;
    this.limits = { maxPerSecond, maxCredits };
    this.account = new Account(session, options.batchBalances !== false);
    this.block = createGroup(BlockActions, session);
    this.contract = createGroup(Contract, session);
    this.logs = createGroup(LogsActions, session);
    this.rpc = createGroup(Rpc, session);
    this.graphql = createGroup(GraphqlQueries, session);
  }

  /**
   * The credits that the requests of this client cost, and what remains of the plan of its API key.
   *
   * @remarks
   * The gateway charges every request, including retries, also through a proxy: if the base URL ends with the id of a chain. The
   * table of a method states its price. An instance charges nothing. Clients with the same key count their own requests, and share
   * `remaining`. `maxCredits` limits what a client spends.
   *
   * @example
   * ```ts
   * const { spent, remaining } = client.credits;
   * ```
   */
  get credits(): Credits {
    return getSession(this).credits;
  }

  /**
   * Returns information about the instance: its version, the type of its chain, and how much of the chain it has indexed.
   *
   * @remarks
   * Combines `backendVersion`, `indexingStatus` and `backendConfig`, which are requested concurrently. The client caches the
   * result for five minutes, unless a request failed that may succeed later.
   *
   * @example
   * ```ts
   * const { backendVersion, finishedIndexingBlocks, indexedBlocksRatio } = await client.instance();
   * ```
   * @throws {AddressQueryError} The failure of the first request, if all of them fail.
   */
  instance(options?: ActionOptions): Promise<InstanceInfo> {
    return callMethod(getSession(this), "instance", undefined, options);
  }

  /**
   * Requests any path of the service with a GET, and returns its JSON. Use it for what the client has no method for.
   *
   * @remarks
   * The request is limited, retried, cancelled and counted like any other, with the same API key, and its errors are the same. Only
   * the syntax of the response is checked. The path is below the base URL. A path that begins with `/services/`
   * belongs to a service that the gateway offers for all chains. A proxy of `address-query/proxy` needs the path in its option `allow`.
   *
   * @param path - For example `/api/v2/main-page/blocks`. Without a query, and not percent-encoded.
   * @example
   * ```ts
   * const blocks = await client.request("/api/v2/main-page/blocks");
   * const abi = await client.request("/api", { module: "contract", action: "getabi", address });
   * ```
   * @throws {AddressQueryError} `invalid_parameter` that names `path`, or the parameter that cannot be sent.
   */
  async request(path: string, params?: RequestParams, options?: ActionOptions): Promise<JsonValue> {
    const call = captureArguments(params, options, actionOptions);
    // The module expects the path as a parameter without a name.
    call.params = { "": path, ...call.params };
    const { json } = await callWith<{ json: JsonValue }>(getSession(this), "request", call);
    return json;
  }

  /**
   * Returns the URL of the instance, in the form that identifies it: without `/api/v2`, a slash at the end, a query or a fragment.
   * With `chainId`, it ends with the id: `https://api.blockscout.com/1`. Sends nothing to the service.
   *
   * @remarks
   * Resume tokens are valid for one chain, or for one base URL where the chain is not known: `client.source` says which. Use it as a part
   * of the key where you store them.
   *
   * @example
   * ```ts
   * const url = `${await client.baseUrl()}/address/${address_hash}`; // a link to the page of an instance
   * ```
   * @throws {AddressQueryError} `load` if the module cannot be loaded, `invalid_parameter` for an invalid option.
   */
  baseUrl(): Promise<string> {
    return getSession(this).getBaseUrl();
  }

  /**
   * Loads the WebAssembly module and checks the options of the client, which the first call does otherwise. Sends nothing to the
   * service.
   *
   * @remarks
   * Call it while the page is idle, so that the first call takes less time. After a failure, the next call tries again, and reports
   * a failure itself.
   *
   * @example
   * ```ts
   * requestIdleCallback(() => client.preload().catch(() => {}));
   * ```
   * @throws {AddressQueryError} `load` if the module cannot be loaded, `invalid_parameter` for an invalid option.
   */
  preload(): Promise<void> {
    return getSession(this).preload();
  }
}
