// The REST lists below /api/v2: their query parameters, their order, which rows an address has, and how they are paginated.

import { createInternalServerError, createInvalidParameterError, createRestrictedAccessError, createUnknownActionError } from "./errors.js";
import { getLogContent } from "./logs.js";
import { asc, createKeysetPagination, desc, transferPagination } from "./pagination.js";
import { HEAD_BLOCK } from "./positions.js";
import {
  createEnumParser, createIntegerParser, parseAddress, parseBigIntegerOrNull, parseBoolean, parseHash, parseHex, parseIntegerOrNull, parseQuery,
  parseTokenTypes, TOKEN_TYPES,
} from "./rest-query.js";
import { RestSerializer } from "./rest-serializer.js";

const parseBlockNumber = createIntegerParser({ min: 0 });
const parseInteger = createIntegerParser();
const parseDirection = createEnumParser("to", "from");
const parseUnprefixedHex = (string) => parseHex(string.replace(/^(0x)?/, "0x"));
const NFT_TYPES = ["ERC-721", "ERC-1155", "ERC-404"];

const isInvolved = (row, account, direction) =>
  (direction !== "from" && row.to === account) || (direction !== "to" && row.from === account);

const byLog = createKeysetPagination([desc("block_number"), desc("index")]);
const byTransaction = createKeysetPagination([desc("block_number"), desc("transaction_index"), desc("index")]);
const byBlock = createKeysetPagination([desc("block_number")]);
const byIndex = createKeysetPagination([desc("index")]);
const byCollection = createKeysetPagination([
  asc("token_type", (type) => NFT_TYPES.indexOf(type)),
  asc("token_contract_address_hash"),
  desc("token_id"),
]);

const ADDRESS_CURSOR_KEYS = ["fetched_coin_balance", "hash", "transactions_count"];
const BALANCE_ORDER = [desc("fetched_coin_balance"), asc("hash")];
const ADDRESS_ORDERS = {
  "balance/desc": createKeysetPagination(BALANCE_ORDER, ADDRESS_CURSOR_KEYS),
  "balance/asc": createKeysetPagination([asc("fetched_coin_balance"), asc("hash")], ADDRESS_CURSOR_KEYS),
  "transactions_count/desc": createKeysetPagination([desc("transactions_count"), ...BALANCE_ORDER], ADDRESS_CURSOR_KEYS),
  "transactions_count/asc": createKeysetPagination([asc("transactions_count"), ...BALANCE_ORDER], ADDRESS_CURSOR_KEYS),
};

const TRANSFER_CURSOR = {
  block_number: parseBlockNumber, index: parseInteger, batch_log_index: parseInteger, batch_block_hash: parseHash,
  batch_transaction_hash: parseHash, index_in_batch: parseInteger,
};
const createTypeFilter = (types) => (row) => types.length === 0 || types.includes(row.token_type);

/** The service has not processed the internal transactions of newer blocks. */
const LAST_PROCESSED_BLOCK = HEAD_BLOCK - 400;

const createProcessingStatus = (page) =>
  page.some((row) => row.block_number > LAST_PROCESSED_BLOCK)
    ? { status: 2, message: "Some internal transactions within this block range have not yet been processed" }
    : { status: 1, message: null };

/**
 * Every list by its path:
 *
 * - `filterParsers`, `cursorParsers`: parsers of its query parameters (the filters depend on the backend version),
 * - `table`: the property of `Chain` that has its rows,
 * - `getPagination`: the order of its rows and where a page begins (pagination.js),
 * - `createFilter`: makes the predicate for the rows of one request,
 * - `serialize`: the method of `RestSerializer` for a row,
 * - `hasItemsCount`: its cursors carry `items_count`,
 * - `createMembers`: members of the response beside `items` and `next_page_params`.
 */
const LISTS = {
  "/addresses": {
    hasItemsCount: true,
    filterParsers: () => ({ sort: createEnumParser("balance", "transactions_count"), order: createEnumParser("asc", "desc") }),
    cursorParsers: { fetched_coin_balance: parseBigIntegerOrNull, hash: parseAddress, transactions_count: parseIntegerOrNull },
    table: "richList",
    getPagination: ({ sort, order }) => ADDRESS_ORDERS[`${sort}/${order}`] ?? ADDRESS_ORDERS["balance/desc"],
    createFilter: () => () => true,
    serialize: "serializeListedAddress",
    createMembers: () => ({ exchange_rate: "2650.17", total_supply: "120712345.5" }),
  },
  "/token-transfers": {
    filterParsers: () => ({ type: parseTokenTypes }),
    cursorParsers: TRANSFER_CURSOR,
    table: "transfers",
    getPagination: () => transferPagination,
    createFilter: ({ type = [] }) => createTypeFilter(type),
    serialize: "serializeTransfer",
  },
  "/addresses/{hash}/token-transfers": {
    filterParsers: () => ({ type: parseTokenTypes, filter: parseDirection, token: parseAddress }),
    cursorParsers: TRANSFER_CURSOR,
    table: "transfers",
    getPagination: () => transferPagination,
    createFilter: ({ type = [], filter, token }, account) => (row) =>
      isInvolved(row, account, filter) && createTypeFilter(type)(row) && (token === undefined || row.token.hash === token),
    serialize: "serializeTransfer",
  },
  "/addresses/{hash}/internal-transactions": {
    hasItemsCount: true,
    filterParsers: (version) => ({ filter: parseDirection, ...(version >= 12 ? { include_zero_value: parseBoolean } : {}) }),
    cursorParsers: { block_number: parseBlockNumber, transaction_index: parseInteger, index: parseInteger },
    table: "internalTransactions",
    getPagination: () => byTransaction,
    createFilter: ({ filter, include_zero_value = true }, account) => (row) =>
      (isInvolved(row, account, filter) || (!filter && row.created_contract === account)) && (include_zero_value || row.value > 0n),
    serialize: "serializeInternalTransaction",
    createMembers: (version, page) => (version >= 12 ? { meta: createProcessingStatus(page) } : {}),
  },
  "/addresses/{hash}/logs": {
    hasItemsCount: true,
    filterParsers: (version) => ({ topic: version > 8 ? parseHex : parseUnprefixedHex }),
    cursorParsers: { block_number: parseBlockNumber, index: parseInteger },
    table: "logs",
    getPagination: () => byLog,
    createFilter: ({ topic }, account, chain) => {
      // Schema validation accepts any hex string. The length is checked later, with the older error.
      if (topic !== undefined && topic.length !== 66) throw createInvalidParameterError();
      return (row) => row.emitter === account && (topic === undefined || getLogContent(chain, row).topics.includes(topic));
    },
    serialize: "serializeLog",
  },
  "/addresses/{hash}/coin-balance-history": {
    hasItemsCount: true,
    filterParsers: () => ({}),
    cursorParsers: { block_number: parseBlockNumber },
    table: "balanceChanges",
    getPagination: () => byBlock,
    createFilter: (_, account) => (row) => row.account === account,
    serialize: "serializeBalanceChange",
  },
  "/addresses/{hash}/withdrawals": {
    hasItemsCount: true,
    filterParsers: () => ({}),
    cursorParsers: { index: parseInteger },
    table: "withdrawals",
    getPagination: () => byIndex,
    createFilter: (_, account) => (row) => row.account === account,
    serialize: "serializeWithdrawal",
  },
  "/addresses/{hash}/nft": {
    hasItemsCount: true,
    filterParsers: () => ({ type: parseTokenTypes }),
    cursorParsers: { token_contract_address_hash: parseAddress, token_type: createEnumParser(...TOKEN_TYPES), token_id: parseBigIntegerOrNull },
    table: "nfts",
    getPagination: () => byCollection,
    createFilter: ({ type = [] }, account) => {
      // Token types without NFTs are accepted and ignored.
      const hasType = createTypeFilter(type.filter((name) => NFT_TYPES.includes(name)));
      return (row) => row.account === account && hasType(row);
    },
    serialize: "serializeNft",
  },
};

/** Parameters of a request that each version copies into the cursor. */
const ECHOED_PARAMETERS = {
  8: ["sort", "order", "filter", "token", "topic", "key", "apikey"],
  11: ["sort", "order", "filter", "token", "topic", "key"],
  12: ["filter", "token", "topic"],
};

/** Limits of `items_count` in version 12, where it sets the page size, and in version 11, where it does not. */
const MAX_PAGE_SIZE = 100;
const MAX_ECHOED_ITEMS_COUNT = 50;

/** Responds to requests for REST lists as one backend version does. */
export class RestLists {
  #chain;
  #version;
  #pageSize;
  #serializer;
  /** Sorted copies of the chain's tables, by comparator. */
  #sortedTables = new Map();

  constructor(chain, version, pageSize) {
    this.#chain = chain;
    this.#version = version;
    this.#pageSize = pageSize;
    this.#serializer = new RestSerializer(chain, version);
  }

  /** Returns the response to a request for one page. `path` is relative to /api/v2; `showScam` includes rows hidden as scam. */
  getPage(path, searchParams, showScam) {
    const { list, query, rows } = this.#selectRows(path, searchParams);
    const start = list.getPagination(query).findStart(rows, query, this.#getBatchHashes);
    const size = this.#getPageSize(query);
    const page = rows.slice(start, start + size);
    return {
      ...list.createMembers?.(this.#version, page),
      items: this.#serialize(list, page, showScam),
      next_page_params: start + size < rows.length ? this.#createCursor(list, page, rows[start + size], query, searchParams) : null,
    };
  }

  /** Returns every item of a list, in order. */
  getAllItems(path, searchParams) {
    const { list, rows } = this.#selectRows(path, searchParams);
    return this.#serialize(list, rows, false);
  }

  /** Finds the list of a path, parses the query and selects the matching rows. */
  #selectRows(path, searchParams) {
    const [, account, name] = /^\/addresses\/([^/]*)\/([^/]*)$/.exec(path) ?? [];
    const listPath = account === undefined ? path : `/addresses/{hash}/${name}`;
    if (!Object.hasOwn(LISTS, listPath)) throw createUnknownActionError();
    const list = LISTS[listPath];
    const hash = account?.toLowerCase();
    const query = parseQuery(searchParams, this.#getParsers(list, listPath), this.#version, this.#validatePath(account));
    const { restricted, overloaded } = this.#chain.accounts.sampleHashes;
    if (hash === restricted || query.token === restricted) throw createRestrictedAccessError();
    if (hash === overloaded) throw createInternalServerError();
    const rows = this.#getSortedTable(list, query).filter(list.createFilter(query, hash, this.#chain));
    return { list, query, rows };
  }

  /** Validates the address in a path; returns its errors as `[name, detail]`. */
  #validatePath(account) {
    const { detail } = account === undefined ? {} : parseAddress(account);
    if (detail && this.#version === 8) throw createInvalidParameterError();
    return detail ? [["address_hash_param", detail]] : [];
  }

  #getParsers(list, listPath) {
    return { ...list.filterParsers(this.#version), ...list.cursorParsers, ...this.#getItemsCountParser(listPath) };
  }

  /** `items_count` is the page size in version 12, has no effect in 11, and is the number of items so far in 8. */
  #getItemsCountParser(listPath) {
    if (this.#version >= 12) return { items_count: createIntegerParser({ min: 1 }) };
    if (this.#version === 8) return { items_count: parseInteger };
    if (listPath === "/token-transfers") return {};
    return { items_count: createIntegerParser({ min: 1, max: Math.max(MAX_ECHOED_ITEMS_COUNT, this.#pageSize) }) };
  }

  #getPageSize({ items_count }) {
    if (this.#version < 12 || items_count === undefined) return this.#pageSize;
    return Math.min(items_count, Math.max(MAX_PAGE_SIZE, this.#pageSize));
  }

  #getSortedTable(list, query) {
    const { compare } = list.getPagination(query);
    if (!this.#sortedTables.has(compare)) this.#sortedTables.set(compare, [...this.#chain[list.table]].sort(compare));
    return this.#sortedTables.get(compare);
  }

  #createCursor(list, page, nextRow, query, searchParams) {
    const cursor = list.getPagination(query).makeCursor(page, nextRow, query, this.#getBatchHashes);
    if (list.hasItemsCount && this.#version === 11) cursor.items_count = page.length;
    if (list.hasItemsCount && this.#version === 8) cursor.items_count = page.length + (query.items_count ?? 0);
    for (const name of ECHOED_PARAMETERS[this.#version]) if (searchParams.has(name)) cursor[name] = searchParams.get(name);
    // Version 8 sends large integers as JSON numbers, later versions as strings.
    if (this.#version === 8) return cursor;
    for (const [name, value] of Object.entries(cursor)) if (typeof value === "bigint") cursor[name] = String(value);
    return cursor;
  }

  #serialize(list, rows, showScam) {
    // As in the service, hidden rows are removed after pagination, so that pages can be short or empty.
    return rows.filter((row) => !row.isHidden || (showScam && row.token)).map((row) => this.#serializer[list.serialize](row));
  }

  #getBatchHashes = ({ block_number, transaction_index }) => ({
    batch_block_hash: this.#chain.getBlockHash(block_number),
    batch_transaction_hash: this.#chain.getTransactionHash(block_number, transaction_index),
  });
}
