// The lists of the service: their parameters, their order, whose rows they hold, and how a page is cut from them.

import { crashed, invalidParameter, restricted, unknownAction } from "./errors.js";
import { logContent } from "./logs.js";
import { ascending, descending, keyset, transferPaging } from "./paging.js";
import { HEAD_BLOCK } from "./places.js";
import { address, bigIntegerOrNull, boolean, hash, hex, integer, integerOrNull, oneOf, readQuery, STANDARDS, standards } from "./query.js";
import { Writer } from "./writer.js";

const blockNumber = integer({ min: 0 });
const direction = oneOf("to", "from");
const prefixedHex = (text) => hex(text.replace(/^(0x)?/, "0x"));
const NFT_STANDARDS = ["ERC-721", "ERC-1155", "ERC-404"];

const isBetween = (row, account, filter) =>
  (filter !== "from" && row.to === account) || (filter !== "to" && row.from === account);

const byLog = keyset([descending("block_number"), descending("index")]);
const byTransaction = keyset([descending("block_number"), descending("transaction_index"), descending("index")]);
const byBlock = keyset([descending("block_number")]);
const byIndex = keyset([descending("index")]);
const byCollection = keyset([
  ascending("token_type", (standard) => NFT_STANDARDS.indexOf(standard)),
  ascending("token_contract_address_hash"),
  descending("token_id"),
]);

const richListKeys = ["fetched_coin_balance", "hash", "transactions_count"];
const byWealth = [descending("fetched_coin_balance"), ascending("hash")];
const richListOrders = {
  "balance/desc": keyset(byWealth, richListKeys),
  "balance/asc": keyset([ascending("fetched_coin_balance"), ascending("hash")], richListKeys),
  "transactions_count/desc": keyset([descending("transactions_count"), ...byWealth], richListKeys),
  "transactions_count/asc": keyset([ascending("transactions_count"), ...byWealth], richListKeys),
};

const transferCursor = {
  block_number: blockNumber, index: integer(), batch_log_index: integer(), batch_block_hash: hash, batch_transaction_hash: hash,
  index_in_batch: integer(),
};
const isOfType = (types) => (row) => types.length === 0 || types.includes(row.token_type);

/** Newer blocks may still lack internal transactions. */
const PROCESSED_BLOCK = HEAD_BLOCK - 400;

const processing = (page) =>
  page.some((row) => row.block_number > PROCESSED_BLOCK)
    ? { status: 2, message: "Some internal transactions within this block range have not yet been processed" }
    : { status: 1, message: null };

// Each list by its path. `filters` and `cursor` are its parameters; `selects` makes the test that its rows of the
// chain's `table` pass; `write` names the writer's method; `counted` lists carry `items_count` in their cursors.
const LISTS = {
  "/addresses": {
    counted: true,
    filters: () => ({ sort: oneOf("balance", "transactions_count"), order: oneOf("asc", "desc") }),
    cursor: { fetched_coin_balance: bigIntegerOrNull, hash: address, transactions_count: integerOrNull },
    table: "richList",
    paging: ({ sort, order }) => richListOrders[`${sort}/${order}`] ?? richListOrders["balance/desc"],
    selects: () => () => true,
    write: "listedAddress",
    envelope: () => ({ exchange_rate: "2650.17", total_supply: "120712345.5" }),
  },
  "/token-transfers": {
    filters: () => ({ type: standards }),
    cursor: transferCursor,
    table: "transfers",
    paging: () => transferPaging,
    selects: ({ type = [] }) => isOfType(type),
    write: "transfer",
  },
  "/addresses/{hash}/token-transfers": {
    filters: () => ({ type: standards, filter: direction, token: address }),
    cursor: transferCursor,
    table: "transfers",
    paging: () => transferPaging,
    selects: ({ type = [], filter, token }, account) => (row) =>
      isBetween(row, account, filter) && isOfType(type)(row) && (token === undefined || row.token.hash === token),
    write: "transfer",
  },
  "/addresses/{hash}/internal-transactions": {
    counted: true,
    filters: (version) => ({ filter: direction, ...(version >= 12 ? { include_zero_value: boolean } : {}) }),
    cursor: { block_number: blockNumber, transaction_index: integer(), index: integer() },
    table: "internalTransactions",
    paging: () => byTransaction,
    selects: ({ filter, include_zero_value = true }, account) => (row) =>
      (isBetween(row, account, filter) || (!filter && row.created_contract === account)) && (include_zero_value || row.value > 0n),
    write: "internalTransaction",
    envelope: (version, page) => (version >= 12 ? { meta: processing(page) } : {}),
  },
  "/addresses/{hash}/logs": {
    counted: true,
    filters: (version) => ({ topic: version > 8 ? hex : prefixedHex }),
    cursor: { block_number: blockNumber, index: integer() },
    table: "logs",
    paging: () => byLog,
    selects: ({ topic }, account, chain) => {
      // Validation takes any hexadecimal text; the length is checked later, with the older form of error.
      if (topic !== undefined && topic.length !== 66) throw invalidParameter();
      return (row) => row.emitter === account && (topic === undefined || logContent(chain, row).topics.includes(topic));
    },
    write: "log",
  },
  "/addresses/{hash}/coin-balance-history": {
    counted: true,
    filters: () => ({}),
    cursor: { block_number: blockNumber },
    table: "balanceChanges",
    paging: () => byBlock,
    selects: (_, account) => (row) => row.account === account,
    write: "balanceChange",
  },
  "/addresses/{hash}/withdrawals": {
    counted: true,
    filters: () => ({}),
    cursor: { index: integer() },
    table: "withdrawals",
    paging: () => byIndex,
    selects: (_, account) => (row) => row.account === account,
    write: "withdrawal",
  },
  "/addresses/{hash}/nft": {
    counted: true,
    filters: () => ({ type: standards }),
    cursor: { token_contract_address_hash: address, token_type: oneOf(...STANDARDS), token_id: bigIntegerOrNull },
    table: "nfts",
    paging: () => byCollection,
    selects: ({ type = [] }, account) => {
      // Standards without NFTs pass, and filter nothing.
      const isWanted = isOfType(type.filter((standard) => NFT_STANDARDS.includes(standard)));
      return (row) => row.account === account && isWanted(row);
    },
    write: "nft",
  },
};

/** Parameters of the request that the cursor repeats. */
const ECHOED = {
  8: ["sort", "order", "filter", "token", "topic", "key", "apikey"],
  11: ["sort", "order", "filter", "token", "topic", "key"],
  12: ["filter", "token", "topic"],
};

const MAX_CHOSEN_SIZE = 100;
const MAX_FIXED_SIZE = 50;

/** Answers requests for lists as one version of the service does. */
export class ListReader {
  #chain;
  #version;
  #pageSize;
  #writer;
  #ordered = new Map();

  constructor(chain, version, pageSize) {
    this.#chain = chain;
    this.#version = version;
    this.#pageSize = pageSize;
    this.#writer = new Writer(chain, version);
  }

  /**
   * One page: the members of its envelope. `path` is relative to /api/v2; `showScam` brings back the rows that are
   * hidden as scam.
   */
  page(path, search, showScam) {
    const { list, query, rows } = this.#open(path, search);
    const start = list.paging(query).start(rows, query, this.#batchHashesOf);
    const size = this.#sizeOf(query);
    const page = rows.slice(start, start + size);
    return {
      ...list.envelope?.(this.#version, page),
      items: this.#write(list, page, showScam),
      next_page_params: start + size < rows.length ? this.#cursor(list, page, rows[start + size], query, search) : null,
    };
  }

  /** Every item of a list, in order. */
  all(path, search) {
    const { list, rows } = this.#open(path, search);
    return this.#write(list, rows, false);
  }

  /** Finds the list, reads the query, and selects the rows. */
  #open(path, search) {
    const [, account, name] = /^\/addresses\/([^/]*)\/([^/]*)$/.exec(path) ?? [];
    const listPath = account === undefined ? path : `/addresses/{hash}/${name}`;
    if (!Object.hasOwn(LISTS, listPath)) throw unknownAction();
    const list = LISTS[listPath];
    const hash = account?.toLowerCase();
    const query = readQuery(search, this.#kinds(list, listPath), this.#version, this.#pathFaults(account));
    const { restricted: closed, heavy } = this.#chain.accounts.sample;
    if (hash === closed || query.token === closed) throw restricted();
    if (hash === heavy) throw crashed();
    const rows = this.#inOrder(list, query).filter(list.selects(query, hash, this.#chain));
    return { list, query, rows };
  }

  #pathFaults(account) {
    const { detail } = account === undefined ? {} : address(account);
    if (detail && this.#version === 8) throw invalidParameter();
    return detail ? [["address_hash_param", detail]] : [];
  }

  #kinds(list, listPath) {
    return { ...list.filters(this.#version), ...list.cursor, ...this.#sizeKind(listPath) };
  }

  /** What `items_count` is: a page size from 12 on, an idle echo in 11, a running sum in 8. */
  #sizeKind(listPath) {
    if (this.#version >= 12) return { items_count: integer({ min: 1 }) };
    if (this.#version === 8) return { items_count: integer() };
    if (listPath === "/token-transfers") return {};
    return { items_count: integer({ min: 1, max: Math.max(MAX_FIXED_SIZE, this.#pageSize) }) };
  }

  #sizeOf({ items_count }) {
    if (this.#version < 12 || items_count === undefined) return this.#pageSize;
    return Math.min(items_count, Math.max(MAX_CHOSEN_SIZE, this.#pageSize));
  }

  #inOrder(list, query) {
    const { compare } = list.paging(query);
    if (!this.#ordered.has(compare)) this.#ordered.set(compare, [...this.#chain[list.table]].sort(compare));
    return this.#ordered.get(compare);
  }

  #cursor(list, page, following, query, search) {
    const cursor = list.paging(query).next(page, following, query, this.#batchHashesOf);
    if (list.counted && this.#version === 11) cursor.items_count = page.length;
    if (list.counted && this.#version === 8) cursor.items_count = page.length + (query.items_count ?? 0);
    for (const name of ECHOED[this.#version]) if (search.has(name)) cursor[name] = search.get(name);
    if (this.#version === 8) return cursor;
    // Version 8 sends large integers as JSON numbers, later ones as text.
    for (const [name, value] of Object.entries(cursor)) if (typeof value === "bigint") cursor[name] = String(value);
    return cursor;
  }

  #write(list, rows, showScam) {
    // Hidden rows are taken out after the page was cut: pages get short, or empty.
    return rows.filter((row) => !row.hidden || (showScam && row.token)).map((row) => this.#writer[list.write](row));
  }

  #batchHashesOf = ({ block_number, transaction_index }) => ({
    batch_block_hash: this.#chain.blockHash(block_number),
    batch_transaction_hash: this.#chain.transactionHash(block_number, transaction_index),
  });
}
