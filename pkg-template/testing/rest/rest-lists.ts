// The REST lists below /api/v2: their query parameters, their order, and which rows an address has.

import { createInvalidParameterError } from "../api-error.js";
import { getLogContent, type LogRow } from "../ledger/logs.js";
import { rankDecimal } from "../ledger/decimals.js";
import type {
  BalanceChangeRow,
  BlockRow,
  DepositRow,
  ElectionRewardRow,
  InternalTransactionRow,
  NftRow,
  RichListRow,
  TokenBalanceRow,
  TransferRow,
  WithdrawalRow,
} from "../ledger/rows.js";
import type { CollectionRow } from "../ledger/token-holdings.js";
import type { TransactionEntry } from "../ledger/transaction-entries.js";
import { ADVANCED_FILTERS } from "./advanced-filters.js";
import { BLOCK_LISTS } from "./block-lists.js";
import { serializeBlock, serializeDeposit, serializeElectionReward } from "./block-serializer.js";
import { asc, createKeysetPagination, desc, type Pagination } from "./pagination.js";
import { createRestList, type RestList, type RestListDefinition } from "./rest-list.js";
import {
  createEnumParser,
  createIntegerParser,
  createSingleTypeParser,
  createTypesParser,
  type Parsers,
  parseAddress,
  parseBigIntegerOrNull,
  parseBoolean,
  parseDecimalOrNull,
  parseHash,
  parseHex,
  parseInteger,
  parseIntegerOrNull,
  parseTimestamp,
  parseTokenTypes,
  type RestQuery,
  TOKEN_TYPES,
} from "./rest-query.js";
import { SEARCH_LIST } from "./search.js";
import { createTypeFilter, INTERNAL_TRANSACTIONS, parseBlockNumber, TRANSACTION_TYPES, TRANSFERS } from "./shared-lists.js";
import { TOKEN_LISTS } from "./token-lists.js";
import { TRANSACTION_LISTS } from "./transaction-lists.js";
import { serializeTransaction } from "./transaction-serializer.js";

interface Parties {
  readonly from: string;
  readonly to: string | null;
}

const parseDirection = createEnumParser("to", "from");
const parseUnprefixedHex = (string: string) => parseHex(string.replace(/^(0x)?/, "0x"));
const NFT_TYPES = ["ERC-721", "ERC-1155", "ERC-404"];

const isInvolved = (row: Parties, account: string | undefined, direction: RestQuery["filter"]) =>
  (direction !== "from" && row.to === account) || (direction !== "to" && row.from === account);

const byLog = createKeysetPagination<LogRow>([desc("block_number"), desc("index")]);
const byBlock = createKeysetPagination<BalanceChangeRow>([desc("block_number")]);
const byIndex = createKeysetPagination<WithdrawalRow>([desc("index")]);
const byCollection = createKeysetPagination<NftRow>([
  asc("token_type", (type) => NFT_TYPES.indexOf(String(type))),
  asc("token_contract_address_hash"),
  desc("token_id"),
]);

const byHeight = createKeysetPagination<BlockRow>([desc("block_number")]);
const byDeposit = createKeysetPagination<DepositRow>([desc("index")]);
const byContract = createKeysetPagination<CollectionRow>([
  asc("token_type", (type) => NFT_TYPES.indexOf(String(type))),
  asc("token_contract_address_hash"),
]);
const byFiatValue = createKeysetPagination<TokenBalanceRow>([
  desc("fiat_value", (value) => (value === null ? null : rankDecimal(String(value)))),
  desc("value"),
  desc("id"),
]);
const byEpoch = createKeysetPagination<ElectionRewardRow>([
  desc("epoch_number"),
  desc("amount"),
  asc("associated_account_address_hash"),
  // The cursor's type is parsed as a list of one.
  asc("type", String),
]);

/** Pending transactions, which are in no block, come before all others. */
const rankPending = (value: string | number | bigint | null) => value ?? Number.POSITIVE_INFINITY;
const MINED_ORDER = [desc("block_number", rankPending), desc("index", rankPending), desc("inserted_at"), asc("hash")] as const;
const TRANSACTION_CURSOR_KEYS = ["block_number", "index", "inserted_at", "hash", "value", "fee"] as const;
const TRANSACTION_CURSOR: Parsers = {
  block_number: parseIntegerOrNull,
  index: parseIntegerOrNull,
  inserted_at: parseTimestamp,
  hash: parseHash,
  value: parseBigIntegerOrNull,
  fee: parseBigIntegerOrNull,
};
const createTransactionPagination = (...columns: Parameters<typeof createKeysetPagination<TransactionEntry>>[0]) =>
  createKeysetPagination<TransactionEntry>(columns, TRANSACTION_CURSOR_KEYS);
const byNewest = createTransactionPagination(...MINED_ORDER);
const TRANSACTION_ORDERS: Readonly<Record<string, Pagination<TransactionEntry>>> = {
  "block_number/asc": createTransactionPagination(
    asc("block_number", rankPending),
    asc("index", rankPending),
    asc("inserted_at"),
    asc("hash"),
  ),
  "value/desc": createTransactionPagination(desc("value"), ...MINED_ORDER),
  "value/asc": createTransactionPagination(asc("value"), ...MINED_ORDER),
  "fee/desc": createTransactionPagination(desc("fee"), ...MINED_ORDER),
  "fee/asc": createTransactionPagination(asc("fee"), ...MINED_ORDER),
};
const byPosition = createKeysetPagination<TransactionEntry>(MINED_ORDER, ["block_number", "index"]);
const byInsertion = createKeysetPagination<TransactionEntry>([desc("inserted_at"), asc("hash")]);

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

/** Token types without NFTs are accepted and ignored. */
const createNftTypeFilter = (types: readonly string[]) => createTypeFilter(types.filter((name) => NFT_TYPES.includes(name)));

const ELECTION_REWARDS = {
  exists: ({ balances }, account) => balances.peek(account).isKnown,
  cursorParsers: {
    epoch_number: parseInteger,
    amount: parseBigIntegerOrNull,
    associated_account_address_hash: parseAddress,
    type: createSingleTypeParser("voter", "validator", "group", "delegated_payment"),
  },
  getTable: ({ tables }) => tables.electionRewards,
  getPagination: () => byEpoch,
  createFilter: (_, account) => (row) => row.account === account,
  serialize: serializeElectionReward,
} satisfies RestListDefinition<ElectionRewardRow>;

const BLOCKS = {
  cursorParsers: { block_number: parseBlockNumber },
  getTable: ({ tables }) => tables.blocks,
  getPagination: () => byHeight,
  serialize: serializeBlock,
} satisfies RestListDefinition<BlockRow>;

const WITHDRAWALS = {
  cursorParsers: { index: parseInteger },
  getTable: ({ tables }) => tables.withdrawals,
  getPagination: () => byIndex,
  serialize: (row, serializer) => serializer.serializeWithdrawal(row),
} satisfies RestListDefinition<WithdrawalRow>;

/** The lists by path. */
export const REST_LISTS: ReadonlyMap<string, RestList> = new Map<string, RestList>(
  Object.entries({
    "/addresses": createRestList({
      filterParsers: () => ({ sort: createEnumParser("balance", "transactions_count"), order: createEnumParser("asc", "desc") }),
      cursorParsers: { fetched_coin_balance: parseBigIntegerOrNull, hash: parseAddress, transactions_count: parseIntegerOrNull },
      getTable: ({ tables }) => tables.richList,
      getPagination: ({ sort, order }) => ADDRESS_ORDERS[`${sort}/${order}`] ?? byLargestBalance,
      serialize: (row, serializer) => serializer.serializeListedAddress(row),
      createMembers: () => ({ exchange_rate: "2650.17", total_supply: "120712345.5" }),
    }),
    ...TOKEN_LISTS,
    "/advanced-filters": ADVANCED_FILTERS,
    ...TRANSACTION_LISTS,
    ...BLOCK_LISTS,
    "/search": SEARCH_LIST,
    "/token-transfers": createRestList<TransferRow>({
      ...TRANSFERS,
      refusesItemsCount: true,
      filterParsers: () => ({ type: parseTokenTypes }),
      createFilter: ({ type = [] }) => createTypeFilter(type),
    }),
    "/addresses/{hash}/token-transfers": createRestList<TransferRow>({
      ...TRANSFERS,
      filterParsers: () => ({ type: parseTokenTypes, filter: parseDirection, token: parseAddress }),
      createFilter:
        ({ type = [], filter, token }, account) =>
        (row) =>
          isInvolved(row, account, filter) && createTypeFilter(type)(row) && (token === undefined || row.token.hash === token),
    }),
    "/addresses/{hash}/internal-transactions": createRestList<InternalTransactionRow>({
      ...INTERNAL_TRANSACTIONS,
      filterParsers: (version) => ({ filter: parseDirection, ...(version >= 12 ? { include_zero_value: parseBoolean } : {}) }),
      createFilter:
        ({ filter, include_zero_value = true }, account, chain) =>
        (row) =>
          row.block_number >= chain.firstTracedBlock &&
          (isInvolved(row, account, filter) || (!filter && row.created_contract === account)) &&
          (include_zero_value || row.value > 0n),
    }),
    "/internal-transactions": createRestList<InternalTransactionRow>({
      ...INTERNAL_TRANSACTIONS,
      filterParsers: (version) => ({
        transaction_hash: parseHash,
        ...(version >= 12 ? { include_zero_value: parseBoolean } : { limit: createIntegerParser({ min: 1 }) }),
      }),
      createFilter:
        ({ transaction_hash, include_zero_value = true }, _, chain) =>
        (row) =>
          row.block_number >= chain.firstTracedBlock &&
          (transaction_hash === undefined ||
            chain.getTransactionHash(row.block_number, row.transaction_index) === transaction_hash) &&
          (include_zero_value || row.value > 0n),
    }),
    "/addresses/{hash}/transactions": createRestList({
      filterParsers: () => ({
        filter: parseDirection,
        sort: createEnumParser("block_number", "value", "fee"),
        order: createEnumParser("asc", "desc"),
      }),
      cursorParsers: TRANSACTION_CURSOR,
      getTable: ({ tables }, account) => tables.getTablesFor(account).entries,
      getPagination: ({ sort, order }) => TRANSACTION_ORDERS[`${sort}/${order}`] ?? byNewest,
      createFilter:
        ({ filter }, account) =>
        ({ row }) =>
          isInvolved(row, account, filter) || (filter !== "from" && row.createdContract === account),
      serialize: serializeTransaction,
    }),
    "/transactions": createRestList({
      filterParsers: () => ({
        filter: createEnumParser("pending", "validated"),
        type: createTypesParser(...TRANSACTION_TYPES),
      }),
      cursorParsers: { block_number: parseBlockNumber, index: parseInteger, inserted_at: parseTimestamp, hash: parseHash },
      getTable: ({ tables }) => tables.entries,
      getPagination: ({ filter }): Pagination<TransactionEntry> => (filter === "pending" ? byInsertion : byPosition),
      createFilter:
        ({ filter, type = [] }) =>
        ({ block_number, types }) =>
          (block_number === null) === (filter === "pending") && (type.length === 0 || types.some((name) => type.includes(name))),
      serialize: serializeTransaction,
    }),
    "/blocks": createRestList<BlockRow>({
      ...BLOCKS,
      filterParsers: () => ({ type: createSingleTypeParser("block", "uncle", "reorg") }),
      createFilter:
        ({ type = ["block"] }) =>
        (row) =>
          type.includes(row.type),
    }),
    "/addresses/{hash}/blocks-validated": createRestList<BlockRow>({
      ...BLOCKS,
      createFilter: (_, account) => (row) => row.miner === account && row.type === "block",
    }),
    "/addresses/{hash}/logs": createRestList({
      filterParsers: (version) => ({ topic: version > 8 ? parseHex : parseUnprefixedHex }),
      cursorParsers: { block_number: parseBlockNumber, index: parseInteger },
      getTable: ({ tables }) => tables.logs,
      getPagination: () => byLog,
      createFilter: ({ topic }, account, chain) => {
        // Schema validation accepts any hex string. The length is checked later, with the older error.
        if (topic !== undefined && topic.length !== 66) throw createInvalidParameterError();
        return (row) => row.emitter === account && (topic === undefined || getLogContent(chain, row).topics.includes(topic));
      },
      serialize: (row, serializer) => serializer.serializeLog(row),
    }),
    "/addresses/{hash}/coin-balance-history": createRestList({
      cursorParsers: { block_number: parseBlockNumber },
      getTable: ({ tables }, account = "") => tables.history.getBalanceChanges(account),
      getPagination: () => byBlock,
      serialize: (row, serializer) => serializer.serializeBalanceChange(row),
    }),
    "/addresses/{hash}/withdrawals": createRestList<WithdrawalRow>({
      ...WITHDRAWALS,
      createFilter: (_, account) => (row) => row.account === account,
    }),
    "/withdrawals": createRestList<WithdrawalRow>({
      ...WITHDRAWALS,
      serialize: (row, serializer) => serializer.serializeWithdrawal(row, true),
    }),
    "/addresses/{hash}/beacon/deposits": createRestList({
      minVersion: 9,
      cursorParsers: { index: parseInteger },
      getTable: ({ tables }) => tables.deposits,
      getPagination: () => byDeposit,
      createFilter: (_, account) => (row) => row.account === account,
      serialize: serializeDeposit,
    }),
    "/addresses/{hash}/celo/election-rewards": createRestList({ ...ELECTION_REWARDS, minVersion: 9 }),
    // The path before version 9.2.
    "/addresses/{hash}/election-rewards": createRestList({ ...ELECTION_REWARDS, maxVersion: 8 }),
    "/addresses/{hash}/tokens": createRestList({
      filterParsers: () => ({ type: parseTokenTypes }),
      cursorParsers: { fiat_value: parseDecimalOrNull, value: parseBigIntegerOrNull, id: parseInteger },
      getTable: ({ tables }, account = "") => tables.getTokenBalances(account),
      getPagination: () => byFiatValue,
      createFilter: ({ type = [] }) => createTypeFilter(type),
      serialize: (row, serializer) => serializer.serializeTokenBalance(row),
    }),
    "/addresses/{hash}/nft/collections": createRestList({
      filterParsers: () => ({ type: parseTokenTypes }),
      cursorParsers: { token_contract_address_hash: parseAddress, token_type: createEnumParser(...TOKEN_TYPES) },
      getTable: ({ tables }) => tables.collections,
      getPagination: () => byContract,
      createFilter: ({ type = [] }, account) => {
        const hasType = createNftTypeFilter(type);
        return (row) => row.account === account && hasType(row);
      },
      serialize: (row, serializer) => serializer.serializeCollection(row),
    }),
    "/addresses/{hash}/nft": createRestList({
      filterParsers: () => ({ type: parseTokenTypes }),
      cursorParsers: {
        token_contract_address_hash: parseAddress,
        token_type: createEnumParser(...TOKEN_TYPES),
        token_id: parseBigIntegerOrNull,
      },
      getTable: ({ tables }) => tables.nfts,
      getPagination: () => byCollection,
      createFilter: ({ type = [] }, account) => {
        const hasType = createNftTypeFilter(type);
        return (row) => row.account === account && hasType(row);
      },
      serialize: (row, serializer) => serializer.serializeNft(row),
    }),
  }),
);
