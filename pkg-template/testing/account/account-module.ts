// The account module at /api?module=account, and the modules beside it: response envelopes and errors.

import { ApiError, createFixedError, createAccountError, TOO_MANY_REQUESTS } from "../responses.js";
import type { Instance } from "../settings.js";
import { BALANCE_ACTIONS, LIST_ACTIONS, type ListAction, selectRows } from "./account-actions.js";
import { type Parameters, parseAddress, parseInteger, parsePage } from "./account-query.js";
import type { SerializedRow } from "./account-serializer.js";
import { OTHER_ACTIONS } from "./other-actions.js";

const RATE_LIMIT_HEADERS = { "x-ratelimit-limit": "300", "x-ratelimit-remaining": "0", "x-ratelimit-reset": "40" };

const createSuccess = (result: unknown) => ({ message: "OK", result, status: "1" });
const createEmpty = (message: string) => ({ message, result: [], status: "0" });

/** Creates the functions of the module. Parameters are `[name, value]` pairs. */
export function createAccountModule(instance: Instance) {
  const { chain, settings } = instance;
  let rateLimitedCount = 0;

  /** Throws for the sample address that always fails, and twice for the rate-limited one. */
  const throwForFailingSamples = (addresses = ""): void => {
    const { overloaded, limited } = chain.accounts.sampleHashes;
    // A topic has the address without its prefix.
    const has = (hash: string) => addresses.toLowerCase().includes(hash.slice(2));
    if (has(overloaded)) throw createFixedError("accountCrash");
    if (!has(limited) || rateLimitedCount === 2) return;
    rateLimitedCount += 1;
    const { body } = createAccountError(TOO_MANY_REQUESTS);
    throw rateLimitedCount === 1 ? new ApiError(429, body, RATE_LIMIT_HEADERS) : new ApiError(200, body);
  };
  const getListAction = (name: string): ListAction => {
    const action = LIST_ACTIONS.get(name);
    if (!action || settings.backendVersion < (action.minVersion ?? 0)) throw createAccountError("Unknown action", 400);
    return action;
  };
  const executeOther = (module: string, name: string, values: Parameters): object => {
    const action = OTHER_ACTIONS[module]?.[name];
    if (!action) throw createAccountError("Unknown action", 400);
    if (module === "logs") throwForFailingSamples(`${values.get("address")} ${values.get("topic1")}`);
    const result = action(chain, values, settings.backendVersion);
    const isEmpty = module === "logs" && Array.isArray(result) && result.length === 0;
    return isEmpty ? createEmpty("No logs found") : createSuccess(result);
  };
  const execute = (values: Parameters): object => {
    const module = values.get("module")?.toLowerCase();
    const name = values.get("action")?.toLowerCase();
    if (module === undefined || name === undefined)
      throw createAccountError("Params 'module' and 'action' are required parameters", 400);
    if (Object.hasOwn(OTHER_ACTIONS, module)) return executeOther(module, name, values);
    if (module !== "account") throw createAccountError("Unknown module", 400);
    throwForFailingSamples(values.get("address"));

    if (name === "eth_get_balance") return getEthBalance(instance, values);
    const getBalance = BALANCE_ACTIONS.get(name);
    if (getBalance) return createSuccess(getBalance(values, instance));
    const action = getListAction(name);
    const page = action.pagination === null ? null : parsePage(values, action.pagination);
    const { rows, partialMessage, isUnpaged } = selectRows(action, values, instance, true);
    const selected = page && !isUnpaged ? rows.slice((page.number - 1) * page.size, page.number * page.size) : rows;
    const result = selected.map((row) => action.serialize(row, instance));
    if (partialMessage) return { message: partialMessage, result, status: "2" };
    return result.length === 0 && action.emptyMessage ? createEmpty(action.emptyMessage) : createSuccess(result);
  };
  return {
    respond(parameters: Iterable<readonly [string, string]>): object {
      try {
        return execute(new Map(parameters));
      } finally {
        chain.addBlocks(settings.blocksPerRequest);
      }
    },
    /** Returns all rows of a list action, without pages. Does not count as a request for balances. */
    getAllRows(name: string, parameters: Iterable<readonly [string, string]>): SerializedRow[] {
      const action = getListAction(name);
      return selectRows(action, new Map(parameters), instance, false).rows.map((row) => action.serialize(row, instance));
    },
  };
}

/** `eth_get_balance` responds in a JSON-RPC envelope, with different HTTP statuses. */
function getEthBalance({ chain, settings }: Instance, values: Parameters): object {
  const createRpcError = (status: number, code: number, message: string) => {
    const error = settings.backendVersion >= 12 ? { code, message } : message;
    return new ApiError(status, { jsonrpc: "2.0", error, id: 0 });
  };
  // A bug of the service: it crashes if the address is missing.
  if (!values.has("address")) throw createFixedError("accountCrash");
  const string = values.get("block") ?? "latest";
  const tag = (["latest", "earliest", "pending"] as const).find((tag) => tag === string);
  const block = tag ?? parseInteger(string, Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY);
  if (block === undefined) throw createRpcError(400, -32602, "Invalid block");
  const hash = parseAddress(values, "address", createRpcError(400, -32602, "Invalid address hash")) ?? "";
  const balance = chain.balances.getBalanceAt(hash, block);
  if (balance === undefined) throw createRpcError(404, -32000, "Balance not found");
  return { jsonrpc: "2.0", result: `0x${balance.toString(16)}`, id: 0 };
}
