// The account module of the module/action interface: its actions, their envelopes and their refusals.

import { AccountData } from "./account-data.js";
import { AccountQuery } from "./account-query.js";
import { RowWriter } from "./account-rows.js";
import { crashedCall, Refusal, refusedCall, TOO_MANY } from "./errors.js";

const UNPROCESSED_TRANSACTION = "Internal transactions for this transaction have not been processed yet";
const UNPROCESSED_BLOCKS = "Some internal transactions within this block range have not yet been processed";
const EXHAUSTED = { "x-ratelimit-limit": "300", "x-ratelimit-remaining": "0", "x-ratelimit-reset": "40" };

const transfers = (standard, since = 0) => ({
  since,
  nothing: "No token transfers found",
  select(query, data) {
    const account = query.address();
    const contract = query.address("contractaddress", refusedCall("Invalid contract address format"));
    if (account === undefined && contract === undefined) throw refusedCall("Query parameter address or contractaddress is required");
    return { rows: data.transfers(standard, account, contract, query.blocks) };
  },
  write: "transfer",
});

// Actions that list records. `select` reads the query and gives the rows, and `partial`, the message that some are
// missing; `nothing` is the message of an empty list; `write` names the writer's method. Rows come oldest first and are
// turned by `sort`, but `fixed` ones come as they are, and `isWhole` ones are not paged either. `paging` is how the query
// reads its page, or null for lists that have none. `since` is the first version with the action.
const LISTS = {
  txlist: {
    nothing: "No transactions found",
    select(query, data) {
      query.require("address");
      return { rows: data.transactions(query.address(), query.blocks, query.times, query.direction) };
    },
    write: "transaction",
  },
  pendingtxlist: {
    fixed: true,
    nothing: "No transactions found",
    select(query, data) {
      query.require("address");
      return { rows: data.pendingTransactions(query.address()) };
    },
    write: "pendingTransaction",
  },
  txlistinternal: {
    nothing: "No internal transactions found",
    select(query, data, version) {
      const isOfTransaction = query.has("txhash") && !query.has("address");
      const { rows, isComplete } = isOfTransaction
        ? data.internalTransactionsOf(query.transaction())
        : data.internalTransactions(query.address(), query.blocks);
      return {
        // Version 8 has neither the filter nor the status.
        rows: query.includesZeroValue || version === 8 ? rows : rows.filter(({ value }) => value > 0n),
        partial: isComplete || version === 8 ? undefined : isOfTransaction ? UNPROCESSED_TRANSACTION : UNPROCESSED_BLOCKS,
        isWhole: isOfTransaction,
      };
    },
    write: "internalTransaction",
  },
  tokentx: transfers("ERC-20"),
  tokennfttx: transfers("ERC-721"),
  token1155tx: transfers("ERC-1155", 9),
  token404tx: transfers("ERC-404", 9),
  tokenlist: {
    fixed: true,
    paging: null,
    nothing: "No tokens found",
    select(query, data) {
      query.require("address", "Query parameter address is required");
      return { rows: data.holdings(query.address()) };
    },
    write: "holding",
  },
  getminedblocks: {
    fixed: true,
    paging: { windowed: false },
    nothing: "No blocks found",
    select(query, data) {
      query.require("address");
      return { rows: data.minedBlocks(query.address()) };
    },
    write: "minedBlock",
  },
  listaccounts: {
    fixed: true,
    paging: { size: 10 },
    select: (_, { balances }, __, isLook) => {
      const hashes = balances.listed;
      return { rows: { length: hashes.length, at: (i) => (isLook ? balances.peek(hashes[i]) : balances.read(hashes[i])) } };
    },
    write: "account",
  },
};

/** Actions that give something else. */
const VALUES = {
  balance: (query, data, writer) => {
    const balances = balancesOf(query, data, writer);
    return balances.length === 1 ? balances[0].balance : balances;
  },

  balancemulti: (query, data, writer) => balancesOf(query, data, writer),

  tokenbalance(query, data) {
    const missing = ["contractaddress", "address"].filter((name) => !query.has(name));
    if (missing.length > 0) throw refusedCall(`Required query parameters missing: ${missing.join(", ")}`);
    const contract = query.address("contractaddress", refusedCall("Invalid contractaddress format"));
    const holding = data.holdings(query.address()).find(({ token }) => token.hash === contract);
    return String(holding?.balance ?? 0n);
  },
};

function balancesOf(query, { balances }, writer) {
  query.require("address");
  // Nothing keeps the order of the request: strangers come first.
  const states = query.addresses().sort().reverse().map((hash) => balances.read(hash));
  return [...states.filter(({ known }) => !known), ...states.filter(({ known }) => known)].map((state) => writer.balance(state));
}

/** Answers as the account module of one version does; the state of one service. */
export class AccountModule {
  #sample;
  #version;
  #data;
  #writer;
  #growth;
  #refusals = 0;

  /** `growth` is how many blocks the chain grows by after every request. */
  constructor(chain, version, growth) {
    this.#sample = chain.accounts.sample;
    this.#version = version;
    this.#data = new AccountData(chain);
    this.#writer = new RowWriter(chain, version, this.#data);
    this.#growth = growth;
  }

  /** The body of the answer to a request with these parameters. */
  answer(parameters) {
    try {
      return this.#answer(new Map(parameters));
    } finally {
      this.grow(this.#growth);
    }
  }

  grow(blocks) {
    this.#data.grow(blocks);
  }

  #answer(values) {
    if (!values.has("module") || !values.has("action")) throw refusedCall("Params 'module' and 'action' are required parameters", 400);
    if (values.get("module").toLowerCase() !== "account") throw refusedCall("Unknown module", 400);
    const query = new AccountQuery(values);
    const action = values.get("action").toLowerCase();
    this.#refuseSamples(values.get("address")?.toLowerCase());

    if (action === "eth_get_balance") return this.#ethGetBalance(query);
    if (Object.hasOwn(VALUES, action)) return ok(VALUES[action](query, this.#data, this.#writer));
    const list = this.#list(action);
    const page = list.paging === null ? null : query.page(list.paging);
    const { rows, partial, isWhole } = list.select(query, this.#data, this.#version);
    const start = page && !isWhole ? (page.number - 1) * page.size : 0;
    const end = page && !isWhole ? Math.min(start + page.size, rows.length) : rows.length;
    const result = this.#write(list, rows, start, end, list.fixed || isWhole || query.ascends);
    if (partial) return { message: partial, result, status: "2" };
    return result.length === 0 && list.nothing ? { message: list.nothing, result, status: "0" } : ok(result);
  }

  /** Every row of a list, whatever the page. */
  all(action, parameters) {
    const list = this.#list(action);
    const query = new AccountQuery(new Map(parameters));
    const { rows, isWhole } = list.select(query, this.#data, this.#version, true);
    return this.#write(list, rows, 0, rows.length, list.fixed || isWhole || query.ascends);
  }

  #list(action) {
    if (!Object.hasOwn(LISTS, action) || this.#version < (LISTS[action].since ?? 0)) throw refusedCall("Unknown action", 400);
    return LISTS[action];
  }

  #write(list, rows, start, end, inOrder) {
    const result = [];
    for (let i = start; i < end; i++) result.push(this.#writer[list.write](rows.at(inOrder ? i : rows.length - 1 - i)));
    return result;
  }

  /** In JSON-RPC's own envelope, and with its own statuses. */
  #ethGetBalance(query) {
    const refuse = (status, code, message) => {
      const error = this.#version >= 12 ? { code, message } : message;
      return new Refusal(status, { jsonrpc: "2.0", error, id: 0 });
    };
    // A fault of the service: it crashes where it means to complain.
    if (!query.has("address")) throw crashedCall();
    const { block } = query;
    if (block === undefined) throw refuse(400, -32602, "Invalid block");
    const hash = query.address("address", refuse(400, -32602, "Invalid address hash"));
    const balance = this.#data.balances.at(hash, block);
    if (balance === undefined) throw refuse(404, -32000, "Balance not found");
    return { jsonrpc: "2.0", result: `0x${balance.toString(16)}`, id: 0 };
  }

  #refuseSamples(addresses = "") {
    const { heavy, limited } = this.#sample;
    if (addresses.includes(heavy)) throw crashedCall();
    if (!addresses.includes(limited) || this.#refusals === 2) return;
    this.#refusals += 1;
    const { body } = refusedCall(TOO_MANY);
    throw this.#refusals === 1 ? new Refusal(429, body, EXHAUSTED) : new Refusal(200, body);
  }
}

const ok = (result) => ({ message: "OK", result, status: "1" });
