// The account module at /api?module=account: its actions, response envelopes and errors.

import { AccountData } from "./account-data.js";
import { AccountQuery } from "./account-query.js";
import { AccountSerializer } from "./account-serializer.js";
import { ApiError, createAccountCrashError, createAccountError, TOO_MANY_REQUESTS } from "./errors.js";

const UNPROCESSED_TRANSACTION = "Internal transactions for this transaction have not been processed yet";
const UNPROCESSED_BLOCKS = "Some internal transactions within this block range have not yet been processed";
const RATE_LIMIT_HEADERS = { "x-ratelimit-limit": "300", "x-ratelimit-remaining": "0", "x-ratelimit-reset": "40" };

const createTransferAction = (tokenType, minVersion = 0) => ({
  minVersion,
  emptyMessage: "No token transfers found",
  selectRows(query, data) {
    const account = query.getAddress();
    const contract = query.getAddress("contractaddress", createAccountError("Invalid contract address format"));
    if (account === undefined && contract === undefined) throw createAccountError("Query parameter address or contractaddress is required");
    return { rows: data.getTransfers(tokenType, account, contract, query.blockRange) };
  },
  serialize: "serializeTransfer",
});

/**
 * Actions that list records:
 *
 * - `selectRows`: returns the rows of a query, oldest first unless `hasFixedOrder`. `partialMessage` says that some are
 *   missing; `isUnpaged` rows are returned all at once, in this order. Its last parameter has the backend `version` and
 *   `isRequest`, which is false for `getAllRows`,
 * - `serialize`: the method of `AccountSerializer` for a row,
 * - `emptyMessage`: the message of an empty list,
 * - `hasFixedOrder`: the action ignores `sort` and keeps the order of `selectRows`,
 * - `pagination`: options of `AccountQuery.getPage`, or null for a list without pages,
 * - `minVersion`: the first backend version that has the action.
 */
const LIST_ACTIONS = {
  txlist: {
    emptyMessage: "No transactions found",
    selectRows(query, data) {
      query.requireParameter("address");
      return { rows: data.getTransactions(query.getAddress(), query.blockRange, query.timeRange, query.direction) };
    },
    serialize: "serializeTransaction",
  },
  pendingtxlist: {
    hasFixedOrder: true,
    emptyMessage: "No transactions found",
    selectRows(query, data) {
      query.requireParameter("address");
      return { rows: data.getPendingTransactions(query.getAddress()) };
    },
    serialize: "serializePendingTransaction",
  },
  txlistinternal: {
    emptyMessage: "No internal transactions found",
    selectRows(query, data, { version }) {
      const isByTransaction = query.has("txhash") && !query.has("address");
      const { rows, isComplete } = isByTransaction
        ? data.getInternalTransactionsOfTransaction(query.getTransactionHash())
        : data.getInternalTransactions(query.getAddress(), query.blockRange);
      return {
        // Version 8 has neither the filter nor the message.
        rows: query.includesZeroValue || version === 8 ? rows : rows.filter(({ value }) => value > 0n),
        partialMessage: isComplete || version === 8 ? undefined : isByTransaction ? UNPROCESSED_TRANSACTION : UNPROCESSED_BLOCKS,
        isUnpaged: isByTransaction,
      };
    },
    serialize: "serializeInternalTransaction",
  },
  tokentx: createTransferAction("ERC-20"),
  tokennfttx: createTransferAction("ERC-721"),
  token1155tx: createTransferAction("ERC-1155", 9),
  token404tx: createTransferAction("ERC-404", 9),
  tokenlist: {
    hasFixedOrder: true,
    pagination: null,
    emptyMessage: "No tokens found",
    selectRows(query, data) {
      query.requireParameter("address", "Query parameter address is required");
      return { rows: data.getTokenHoldings(query.getAddress()) };
    },
    serialize: "serializeTokenHolding",
  },
  getminedblocks: {
    hasFixedOrder: true,
    pagination: { hasResultWindow: false },
    emptyMessage: "No blocks found",
    selectRows(query, data) {
      query.requireParameter("address");
      return { rows: data.getMinedBlocks(query.getAddress()) };
    },
    serialize: "serializeMinedBlock",
  },
  listaccounts: {
    hasFixedOrder: true,
    pagination: { defaultSize: 10 },
    selectRows(_, { balances }, { isRequest }) {
      const hashes = balances.getListedHashes();
      return { rows: { length: hashes.length, at: (i) => (isRequest ? balances.request(hashes[i]) : balances.peek(hashes[i])) } };
    },
    serialize: "serializeAccount",
  },
};

/** Actions that return balances: functions that make the `result` of the response. */
const BALANCE_ACTIONS = {
  balance(query, data, serializer) {
    const balances = requestBalances(query, data, serializer);
    return balances.length === 1 ? balances[0].balance : balances;
  },

  balancemulti: (query, data, serializer) => requestBalances(query, data, serializer),

  tokenbalance(query, data) {
    const missing = ["contractaddress", "address"].filter((name) => !query.has(name));
    if (missing.length > 0) throw createAccountError(`Required query parameters missing: ${missing.join(", ")}`);
    const contract = query.getAddress("contractaddress", createAccountError("Invalid contractaddress format"));
    const holding = data.getTokenHoldings(query.getAddress()).find(({ token }) => token.hash === contract);
    return String(holding?.balance ?? 0n);
  },
};

function requestBalances(query, { balances }, serializer) {
  query.requireParameter("address");
  // As in the service, the order of the request is lost, and unknown addresses come first.
  const states = query.getAddresses().sort().reverse().map((hash) => balances.request(hash));
  return [...states.filter(({ isKnown }) => !isKnown), ...states.filter(({ isKnown }) => isKnown)].map((state) => serializer.serializeBalance(state));
}

/** Responds to account module requests as one backend version does. Has the state of one service. */
export class AccountModule {
  #sampleHashes;
  #version;
  #data;
  #serializer;
  #blocksPerRequest;
  #rateLimitedCount = 0;

  constructor(chain, version, blocksPerRequest) {
    this.#sampleHashes = chain.accounts.sampleHashes;
    this.#version = version;
    this.#data = new AccountData(chain);
    this.#serializer = new AccountSerializer(chain, version, this.#data);
    this.#blocksPerRequest = blocksPerRequest;
  }

  /** Returns the response to a request. `parameters` are `[name, value]` pairs. */
  handleRequest(parameters) {
    try {
      return this.#execute(new Map(parameters));
    } finally {
      this.addBlocks(this.#blocksPerRequest);
    }
  }

  addBlocks(count) {
    this.#data.addBlocks(count);
  }

  #execute(values) {
    if (!values.has("module") || !values.has("action")) throw createAccountError("Params 'module' and 'action' are required parameters", 400);
    if (values.get("module").toLowerCase() !== "account") throw createAccountError("Unknown module", 400);
    const query = new AccountQuery(values);
    const name = values.get("action").toLowerCase();
    this.#throwForFailingSamples(values.get("address")?.toLowerCase());

    if (name === "eth_get_balance") return this.#getEthBalance(query);
    if (Object.hasOwn(BALANCE_ACTIONS, name)) return createSuccess(BALANCE_ACTIONS[name](query, this.#data, this.#serializer));
    const action = this.#getListAction(name);
    const page = action.pagination === null ? null : query.getPage(action.pagination);
    const { rows, partialMessage, isUnpaged } = action.selectRows(query, this.#data, { version: this.#version, isRequest: true });
    const start = page && !isUnpaged ? (page.number - 1) * page.size : 0;
    const end = page && !isUnpaged ? Math.min(start + page.size, rows.length) : rows.length;
    const result = this.#serializeRows(action, rows, start, end, action.hasFixedOrder || isUnpaged || query.isAscending);
    if (partialMessage) return { message: partialMessage, result, status: "2" };
    return result.length === 0 && action.emptyMessage ? { message: action.emptyMessage, result, status: "0" } : createSuccess(result);
  }

  /** Returns all rows of a list action, without pages. Does not count as a request for balances. */
  getAllRows(name, parameters) {
    const action = this.#getListAction(name);
    const query = new AccountQuery(new Map(parameters));
    const { rows, isUnpaged } = action.selectRows(query, this.#data, { version: this.#version, isRequest: false });
    return this.#serializeRows(action, rows, 0, rows.length, action.hasFixedOrder || isUnpaged || query.isAscending);
  }

  #getListAction(name) {
    if (!Object.hasOwn(LIST_ACTIONS, name) || this.#version < (LIST_ACTIONS[name].minVersion ?? 0)) throw createAccountError("Unknown action", 400);
    return LIST_ACTIONS[name];
  }

  #serializeRows(action, rows, start, end, keepsOrder) {
    const result = [];
    for (let i = start; i < end; i++) result.push(this.#serializer[action.serialize](rows.at(keepsOrder ? i : rows.length - 1 - i)));
    return result;
  }

  /** `eth_get_balance` responds in a JSON-RPC envelope, with HTTP statuses of its own. */
  #getEthBalance(query) {
    const createRpcError = (status, code, message) => {
      const error = this.#version >= 12 ? { code, message } : message;
      return new ApiError(status, { jsonrpc: "2.0", error, id: 0 });
    };
    // A bug of the service: it crashes if the address is missing.
    if (!query.has("address")) throw createAccountCrashError();
    const { block } = query;
    if (block === undefined) throw createRpcError(400, -32602, "Invalid block");
    const hash = query.getAddress("address", createRpcError(400, -32602, "Invalid address hash"));
    const balance = this.#data.balances.getBalanceAt(hash, block);
    if (balance === undefined) throw createRpcError(404, -32000, "Balance not found");
    return { jsonrpc: "2.0", result: `0x${balance.toString(16)}`, id: 0 };
  }

  /** Throws for the sample address that always fails, and twice for the rate-limited one. */
  #throwForFailingSamples(addresses = "") {
    const { overloaded, limited } = this.#sampleHashes;
    if (addresses.includes(overloaded)) throw createAccountCrashError();
    if (!addresses.includes(limited) || this.#rateLimitedCount === 2) return;
    this.#rateLimitedCount += 1;
    const { body } = createAccountError(TOO_MANY_REQUESTS);
    throw this.#rateLimitedCount === 1 ? new ApiError(429, body, RATE_LIMIT_HEADERS) : new ApiError(200, body);
  }
}

const createSuccess = (result) => ({ message: "OK", result, status: "1" });
