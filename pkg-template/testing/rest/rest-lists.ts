// The REST lists below /api/v2: their query parameters, their order, and which rows an address has.

import { createInvalidParameterError } from "../api-error.js";
import { getLogContent, type LogRow } from "../ledger/logs.js";
import { HEAD_BLOCK } from "../ledger/positions.js";
import type { BalanceChangeRow, InternalTransactionRow, NftRow, RichListRow, WithdrawalRow } from "../ledger/rows.js";
import { asc, createKeysetPagination, desc, type Pagination, transferPagination } from "./pagination.js";
import { createRestList, type RestList } from "./rest-list.js";
import {
  createEnumParser,
  createIntegerParser,
  type Parsers,
  parseAddress,
  parseBigIntegerOrNull,
  parseBoolean,
  parseHash,
  parseHex,
  parseInteger,
  parseIntegerOrNull,
  parseTokenTypes,
  TOKEN_TYPES,
} from "./rest-query.js";

interface Parties {
  readonly from: string;
  readonly to: string | null;
}

const parseBlockNumber = createIntegerParser({ min: 0 });
const parseDirection = createEnumParser("to", "from");
const parseUnprefixedHex = (string: string) => parseHex(string.replace(/^(0x)?/, "0x"));
const NFT_TYPES = ["ERC-721", "ERC-1155", "ERC-404"];

const isInvolved = (row: Parties, account: string | undefined, direction: "to" | "from" | undefined) =>
  (direction !== "from" && row.to === account) || (direction !== "to" && row.from === account);

const byLog = createKeysetPagination<LogRow>([desc("block_number"), desc("index")]);
const byTransaction = createKeysetPagination<InternalTransactionRow>([
  desc("block_number"),
  desc("transaction_index"),
  desc("index"),
]);
const byBlock = createKeysetPagination<BalanceChangeRow>([desc("block_number")]);
const byIndex = createKeysetPagination<WithdrawalRow>([desc("index")]);
const byCollection = createKeysetPagination<NftRow>([
  asc("token_type", (type) => NFT_TYPES.indexOf(String(type))),
  asc("token_contract_address_hash"),
  desc("token_id"),
]);

const ADDRESS_CURSOR_KEYS = ["fetched_coin_balance", "hash", "transactions_count"] as const;
const BALANCE_ORDER = [desc("fetched_coin_balance"), asc("hash")] as const;
const byLargestBalance = createKeysetPagination<RichListRow>(BALANCE_ORDER, ADDRESS_CURSOR_KEYS);
const ADDRESS_ORDERS: Readonly<Record<string, Pagination<RichListRow>>> = {
  "balance/asc": createKeysetPagination<RichListRow>([asc("fetched_coin_balance"), asc("hash")], ADDRESS_CURSOR_KEYS),
  "transactions_count/desc": createKeysetPagination<RichListRow>(
    [desc("transactions_count"), ...BALANCE_ORDER],
    ADDRESS_CURSOR_KEYS,
  ),
  "transactions_count/asc": createKeysetPagination<RichListRow>(
    [asc("transactions_count"), ...BALANCE_ORDER],
    ADDRESS_CURSOR_KEYS,
  ),
};

const TRANSFER_CURSOR: Parsers = {
  block_number: parseBlockNumber,
  index: parseInteger,
  batch_log_index: parseInteger,
  batch_block_hash: parseHash,
  batch_transaction_hash: parseHash,
  index_in_batch: parseInteger,
};
const createTypeFilter = (types: readonly string[]) => (row: { readonly token_type: string }) =>
  types.length === 0 || types.includes(row.token_type);

/** The service has not processed the internal transactions of newer blocks. */
const LAST_PROCESSED_BLOCK = HEAD_BLOCK - 400;

const createProcessingStatus = (page: readonly InternalTransactionRow[]) =>
  page.some((row) => row.block_number > LAST_PROCESSED_BLOCK)
    ? { status: 2, message: "Some internal transactions within this block range have not yet been processed" }
    : { status: 1, message: null };

/** The lists by path. */
export const REST_LISTS: ReadonlyMap<string, RestList> = new Map<string, RestList>(
  Object.entries({
    "/addresses": createRestList({
      hasItemsCount: true,
      filterParsers: () => ({ sort: createEnumParser("balance", "transactions_count"), order: createEnumParser("asc", "desc") }),
      cursorParsers: { fetched_coin_balance: parseBigIntegerOrNull, hash: parseAddress, transactions_count: parseIntegerOrNull },
      getRows: (chain) => chain.richList,
      getPagination: ({ sort, order }) => ADDRESS_ORDERS[`${sort}/${order}`] ?? byLargestBalance,
      createFilter: () => () => true,
      serialize: (row, serializer) => serializer.serializeListedAddress(row),
      createMembers: () => ({ exchange_rate: "2650.17", total_supply: "120712345.5" }),
    }),
    "/token-transfers": createRestList({
      filterParsers: () => ({ type: parseTokenTypes }),
      cursorParsers: TRANSFER_CURSOR,
      getRows: (chain) => chain.transfers,
      getPagination: () => transferPagination,
      createFilter: ({ type = [] }) => createTypeFilter(type),
      serialize: (row, serializer) => serializer.serializeTransfer(row),
    }),
    "/addresses/{hash}/token-transfers": createRestList({
      filterParsers: () => ({ type: parseTokenTypes, filter: parseDirection, token: parseAddress }),
      cursorParsers: TRANSFER_CURSOR,
      getRows: (chain) => chain.transfers,
      getPagination: () => transferPagination,
      createFilter:
        ({ type = [], filter, token }, account) =>
        (row) =>
          isInvolved(row, account, filter) && createTypeFilter(type)(row) && (token === undefined || row.token.hash === token),
      serialize: (row, serializer) => serializer.serializeTransfer(row),
    }),
    "/addresses/{hash}/internal-transactions": createRestList({
      hasItemsCount: true,
      filterParsers: (version) => ({ filter: parseDirection, ...(version >= 12 ? { include_zero_value: parseBoolean } : {}) }),
      cursorParsers: { block_number: parseBlockNumber, transaction_index: parseInteger, index: parseInteger },
      getRows: (chain) => chain.internalTransactions,
      getPagination: () => byTransaction,
      createFilter:
        ({ filter, include_zero_value = true }, account) =>
        (row) =>
          (isInvolved(row, account, filter) || (!filter && row.created_contract === account)) &&
          (include_zero_value || row.value > 0n),
      serialize: (row, serializer) => serializer.serializeInternalTransaction(row),
      createMembers: (version, page) => (version >= 12 ? { meta: createProcessingStatus(page) } : {}),
    }),
    "/addresses/{hash}/logs": createRestList({
      hasItemsCount: true,
      filterParsers: (version) => ({ topic: version > 8 ? parseHex : parseUnprefixedHex }),
      cursorParsers: { block_number: parseBlockNumber, index: parseInteger },
      getRows: (chain) => chain.logs,
      getPagination: () => byLog,
      createFilter: ({ topic }, account, chain) => {
        // Schema validation accepts any hex string. The length is checked later, with the older error.
        if (topic !== undefined && topic.length !== 66) throw createInvalidParameterError();
        return (row) => row.emitter === account && (topic === undefined || getLogContent(chain, row).topics.includes(topic));
      },
      serialize: (row, serializer) => serializer.serializeLog(row),
    }),
    "/addresses/{hash}/coin-balance-history": createRestList({
      hasItemsCount: true,
      filterParsers: () => ({}),
      cursorParsers: { block_number: parseBlockNumber },
      getRows: (chain) => chain.balanceChanges,
      getPagination: () => byBlock,
      createFilter: (_, account) => (row) => row.account === account,
      serialize: (row, serializer) => serializer.serializeBalanceChange(row),
    }),
    "/addresses/{hash}/withdrawals": createRestList({
      hasItemsCount: true,
      filterParsers: () => ({}),
      cursorParsers: { index: parseInteger },
      getRows: (chain) => chain.withdrawals,
      getPagination: () => byIndex,
      createFilter: (_, account) => (row) => row.account === account,
      serialize: (row, serializer) => serializer.serializeWithdrawal(row),
    }),
    "/addresses/{hash}/nft": createRestList({
      hasItemsCount: true,
      filterParsers: () => ({ type: parseTokenTypes }),
      cursorParsers: {
        token_contract_address_hash: parseAddress,
        token_type: createEnumParser(...TOKEN_TYPES),
        token_id: parseBigIntegerOrNull,
      },
      getRows: (chain) => chain.nfts,
      getPagination: () => byCollection,
      createFilter: ({ type = [] }, account) => {
        // Token types without NFTs are accepted and ignored.
        const hasType = createTypeFilter(type.filter((name) => NFT_TYPES.includes(name)));
        return (row) => row.account === account && hasType(row);
      },
      serialize: (row, serializer) => serializer.serializeNft(row),
    }),
  }),
);
