// The account module at /api?module=account, and the block, contract and logs modules beside it: response envelopes and errors.
//
// The actions are in account-actions.ts, block-module.ts, contract-module.ts and logs-module.ts.

import { ApiError, createAccountCrashError, createAccountError, TOO_MANY_REQUESTS } from "../api-error.js";
import type { Chain } from "../ledger/chain.js";
import type { SampleKey } from "../ledger/sample-addresses.js";
import type { BackendVersion } from "../public-types.js";
import { BALANCE_ACTIONS, LIST_ACTIONS, type ListAction } from "./account-actions.js";
import type { Settings } from "../settings.js";
import { AccountData } from "./account-data.js";
import { AccountQuery } from "./account-query.js";
import { AccountSerializer, type SerializedRow } from "./account-serializer.js";
import { getBlockByTime } from "./block-module.js";
import { getContractCreations } from "./contract-module.js";
import { getLogs } from "./logs-module.js";

const RATE_LIMIT_HEADERS = { "x-ratelimit-limit": "300", "x-ratelimit-remaining": "0", "x-ratelimit-reset": "40" };

/** Responds to account module requests as one backend version does. Holds the state of one service. */
export class AccountModule {
  readonly #chain: Chain;
  readonly #sampleHashes: Readonly<Record<SampleKey, string>>;
  readonly #version: BackendVersion;
  readonly #data: AccountData;
  readonly #serializer: AccountSerializer;
  readonly #blocksPerRequest: number;
  #rateLimitedCount = 0;

  constructor(chain: Chain, settings: Pick<Settings, "backendVersion" | "blocksPerRequest" | "statesL1Fee">) {
    this.#chain = chain;
    this.#sampleHashes = chain.accounts.sampleHashes;
    this.#version = settings.backendVersion;
    this.#data = new AccountData(chain);
    this.#serializer = new AccountSerializer(chain, settings, this.#data);
    this.#blocksPerRequest = settings.blocksPerRequest;
  }

  /** Returns the response to a request. `parameters` are `[name, value]` pairs. */
  handleRequest(parameters: Iterable<readonly [string, string]>): object {
    try {
      return this.#execute(new Map(parameters));
    } finally {
      this.#chain.addBlocks(this.#blocksPerRequest);
    }
  }

  #execute(values: ReadonlyMap<string, string>): object {
    const module = values.get("module");
    const name = values.get("action")?.toLowerCase();
    if (module === undefined || name === undefined)
      throw createAccountError("Params 'module' and 'action' are required parameters", 400);
    if (module.toLowerCase() === "block") return this.#executeBlockAction(name, values);
    if (module.toLowerCase() === "contract") return this.#executeContractAction(name, values);
    if (module.toLowerCase() === "logs") return this.#executeLogsAction(name, values);
    if (module.toLowerCase() !== "account") throw createAccountError("Unknown module", 400);
    const query = new AccountQuery(values);
    this.#throwForFailingSamples(values.get("address")?.toLowerCase());

    if (name === "eth_get_balance") return this.#getEthBalance(query);
    const getBalance = BALANCE_ACTIONS.get(name);
    if (getBalance) return createSuccess(getBalance(query, this.#data, this.#serializer));
    const action = this.#getListAction(name);
    const page = action.pagination === null ? null : query.getPage(action.pagination);
    const { length, partialMessage, isUnpaged, serializeRow } = this.#selectRows(action, query, true);
    const start = page && !isUnpaged ? (page.number - 1) * page.size : 0;
    const end = page && !isUnpaged ? Math.min(start + page.size, length) : length;
    const result: SerializedRow[] = [];
    for (let i = start; i < end; i++) result.push(serializeRow(i));
    if (partialMessage) return { message: partialMessage, result, status: "2" };
    return result.length === 0 && action.emptyMessage
      ? { message: action.emptyMessage, result, status: "0" }
      : createSuccess(result);
  }

  #executeBlockAction(name: string, values: ReadonlyMap<string, string>): object {
    if (name !== "getblocknobytime") throw createAccountError("Unknown action", 400);
    return createSuccess(getBlockByTime(this.#chain, values));
  }

  #executeContractAction(name: string, values: ReadonlyMap<string, string>): object {
    if (name !== "getcontractcreation") throw createAccountError("Unknown action", 400);
    return createSuccess(getContractCreations(this.#chain, this.#version, values));
  }

  #executeLogsAction(name: string, values: ReadonlyMap<string, string>): object {
    if (name !== "getlogs") throw createAccountError("Unknown action", 400);
    this.#throwForFailingSamples(`${values.get("address")} ${values.get("topic1")}`.toLowerCase());
    const result = getLogs(this.#chain, values);
    return result.length === 0 ? { message: "No logs found", result, status: "0" } : createSuccess(result);
  }

  /** Returns all rows of a list action, without pages. Does not count as a request for balances. */
  getAllRows(name: string, parameters: Iterable<readonly [string, string]>): SerializedRow[] {
    const query = new AccountQuery(new Map(parameters));
    const { length, serializeRow } = this.#selectRows(this.#getListAction(name), query, false);
    return Array.from({ length }, (_, i) => serializeRow(i));
  }

  #selectRows(action: ListAction, query: AccountQuery, isRequest: boolean) {
    return action.selectRows(query, this.#data, { version: this.#version, isRequest, serializer: this.#serializer });
  }

  #getListAction(name: string): ListAction {
    const action = LIST_ACTIONS.get(name);
    if (!action || this.#version < (action.minVersion ?? 0)) throw createAccountError("Unknown action", 400);
    return action;
  }

  /** `eth_get_balance` responds in a JSON-RPC envelope, with different HTTP statuses. */
  #getEthBalance(query: AccountQuery): object {
    const createRpcError = (status: number, code: number, message: string) => {
      const error = this.#version >= 12 ? { code, message } : message;
      return new ApiError(status, { jsonrpc: "2.0", error, id: 0 });
    };
    // A bug of the service: it crashes if the address is missing.
    if (!query.has("address")) throw createAccountCrashError();
    const { block } = query;
    if (block === undefined) throw createRpcError(400, -32602, "Invalid block");
    const hash = query.getAddress("address", createRpcError(400, -32602, "Invalid address hash")) ?? "";
    const balance = this.#data.balances.getBalanceAt(hash, block);
    if (balance === undefined) throw createRpcError(404, -32000, "Balance not found");
    return { jsonrpc: "2.0", result: `0x${balance.toString(16)}`, id: 0 };
  }

  /** Throws for the sample address that always fails, and twice for the rate-limited one. */
  #throwForFailingSamples(addresses = ""): void {
    const { overloaded, limited } = this.#sampleHashes;
    // A topic has the address without its prefix.
    if (addresses.includes(overloaded.slice(2))) throw createAccountCrashError();
    if (!addresses.includes(limited.slice(2)) || this.#rateLimitedCount === 2) return;
    this.#rateLimitedCount += 1;
    const { body } = createAccountError(TOO_MANY_REQUESTS);
    throw this.#rateLimitedCount === 1 ? new ApiError(429, body, RATE_LIMIT_HEADERS) : new ApiError(200, body);
  }
}

const createSuccess = (result: unknown) => ({ message: "OK", result, status: "1" });
