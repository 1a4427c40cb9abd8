// The REST lists below /api/v2. Each is one declaration: its table, filters, order and cursor, its items, and the versions that have it.

import type { Chain } from "../ledger/chain.js";
import {
  type HolderRow,
  type InstanceRow,
  makeHolders,
  makeInstanceHolders,
  makeInstances,
  makeStateChanges,
  makeTokenRows,
  makeUserOperations,
  type UserOperationRow,
} from "../ledger/derived-rows.js";
import type { InternalTransactionRow, Token, TransactionPosition, TransferRow } from "../ledger/rows.js";
import { Table } from "../ledger/table.js";
import type { TransactionEntry } from "../ledger/transactions.js";
import * as shared from "./address-lists.js";
import { ADVANCED_FILTERS } from "./advanced-filters.js";
import { list, type RestList, tableOf } from "./list.js";
import { asc, by, desc, type Order } from "./order.js";
import * as is from "./parameters.js";
import { matchesWords, SEARCH } from "./search.js";
import * as items from "./serializer.js";
import { serializeTransaction } from "./transaction-serializer.js";

const { BLOCKS, hasType, INCLUDE_ZERO_VALUE, INTERNAL_TRANSACTIONS, isListed, LOG_ORDER, rankNumber, SORT_ORDER } = shared;
const { TRANSACTION_ORDER, TRANSFERS, WITHDRAWALS } = shared;

const TRANSACTION_TYPES = is.someOf(
  "coin_transfer",
  "contract_call",
  "contract_creation",
  "token_transfer",
  "token_creation",
  "blob_transaction",
);
const TOKEN_SORT = is.oneOf("circulating_market_cap", "fiat_value", "holders_count");
const TRANSACTION_STATE = is.oneOf("pending", "validated");
const BLOCK_TYPE = is.oneOf("block", "uncle", "reorg");

const hasTransactionType = ({ types }: TransactionEntry, wanted: readonly string[] = []) =>
  wanted.length === 0 || types.some((name) => wanted.includes(name));
const isOfToken = (row: { readonly token: Token }, _: object, hash: string) => row.token.hash === hash;
const isOfInstance = (
  row: { readonly token: Token; readonly token_id: bigint | null },
  _: object,
  hash: string,
  __: Chain,
  instance?: bigint,
) => row.token.hash === hash && row.token_id === instance;
const selectBlock = <Row extends object>(table: Table<Row>, id: string, chain: Chain) =>
  new Table(() => table.getRowsOfBlock(chain.findBlock(id)?.block_number ?? null));
const isOfTransaction = (row: TransactionPosition, _: object, hash: string, chain: Chain) => {
  const { block_number, index } = chain.findTransaction(hash) ?? {};
  return row.block_number === block_number && row.transaction_index === index;
};

const hasToken = ({ accounts }: Chain, hash: string) => accounts.getToken(hash);
const hasTransaction = (chain: Chain, hash: string) => chain.findTransaction(hash);
const hasBlock = (chain: Chain, id: string) => chain.findBlock(id);

const TOKEN_CURSOR = {
  market_cap: is.decimalOrNull,
  fiat_value: is.decimalOrNull,
  holders_count: is.integerOrNull,
  name: is.anyString,
  is_name_null: is.boolean,
  contract_address_hash: is.address,
};
type TokenColumn = Parameters<typeof by<ReturnType<typeof makeTokenRows>[number]>>[0][number];
const byToken = (...columns: readonly TokenColumn[]): Order<ReturnType<typeof makeTokenRows>[number]> =>
  by([...columns, asc("name"), asc("contract_address_hash")], TOKEN_CURSOR);

const HOLDER_ORDER = [desc("value", is.bigIntegerOrNull), asc("address_hash", is.address)] as const;

const HOLDERS = {
  exists: hasToken,
  serialize: ({ address_hash, token_id, value }: HolderRow, s: items.RestSerializer) => ({
    address: s.serializeAddress(address_hash),
    token_id: items.toText(token_id),
    value: items.toText(value),
  }),
};
/** Whether a query is the address, or the beginnings of words of the name and the symbol. */
const matchesToken = ({ name, symbol, hash }: Token, q: string) =>
  /^0x[\da-f]{40}$/i.test(q) ? q.toLowerCase() === hash : matchesWords(q, `${name ?? ""} ${symbol ?? ""}`);

const tokens = tableOf((chain) => new Table(() => makeTokenRows(chain)));
const instanceHolders = tableOf(({ tables }) => new Table(() => makeInstanceHolders(tables.nfts.rows)));
/** The holders of all tokens. They change when the chain grows. */
export const tokenHolders = tableOf(
  ({ tables, newRows }) => new Table(() => makeHolders(tables.getTokenBalances().rows), newRows),
);
export const userOperations = tableOf((chain) => new Table(() => makeUserOperations(chain)));
export const instances = tableOf(({ tables }) => new Table(() => makeInstances(tables.nfts.rows)));

const CHAIN_LISTS: Readonly<Record<string, RestList>> = {
  "/transactions": list({
    table: ({ tables }: Chain) => tables.entries,
    filters: { filter: TRANSACTION_STATE, type: TRANSACTION_TYPES },
    where: (row, { filter, type }) => (row.block_number === null) === (filter === "pending") && hasTransactionType(row, type),
    order: by(TRANSACTION_ORDER, { block_number: is.blockNumber, index: is.anyInteger }),
    orders: { pending: by([desc("inserted_at", is.timestamp), asc("hash", is.hash)]) },
    serialize: serializeTransaction,
  }),
  "/transactions/{hash}/token-transfers": list({
    ...TRANSFERS,
    refusesItemsCount: true,
    exists: hasTransaction,
    table: ({ tables }: Chain) => tables.mergedTransfers,
    filters: { type: is.tokenTypes },
    where: (row, { type }, hash, chain) => isOfTransaction(row, {}, hash, chain) && hasType(row, type),
  }),
  "/transactions/{hash}/internal-transactions": list({
    ...INTERNAL_TRANSACTIONS,
    exists: hasTransaction,
    filters: { include_zero_value: INCLUDE_ZERO_VALUE },
    where: (row, { include_zero_value }, hash, chain) =>
      isOfTransaction(row, {}, hash, chain) && isListed(row, chain, include_zero_value),
    order: by([
      asc("block_number", is.blockNumber),
      asc("transaction_index", is.anyInteger),
      asc("index", is.anyInteger),
    ]) satisfies Order<InternalTransactionRow>,
  }),
  "/transactions/{hash}/logs": list({
    exists: hasTransaction,
    table: ({ tables }: Chain) => tables.logs,
    where: isOfTransaction,
    order: by([asc("block_number", is.blockNumber), asc("index", is.anyInteger)]),
    serialize: items.serializeLog,
  }),
  "/transactions/{hash}/state-changes": list({
    exists: hasTransaction,
    hasItemsCount: false,
    table(chain: Chain, hash: string) {
      const entry = chain.findTransaction(hash);
      return new Table(() => (entry ? makeStateChanges(chain, entry) : []));
    },
    filters: { state_changes: is.anyString },
    order: by([asc("state_changes_count", is.blockNumber)]),
    serialize: ({ address_hash, isMiner, token, token_id, change }, s) => ({
      address: s.serializeAddress(address_hash),
      // The nodes of the sample chain keep no old balances.
      balance_after: null,
      balance_before: null,
      change:
        token?.type === "ERC-721"
          ? [{ direction: change < 0n ? "from" : "to", total: { token_id: items.toText(token_id) } }]
          : String(change),
      is_miner: isMiner,
      token: token ? s.serializeToken(token) : null,
      token_id: items.toText(token_id),
      type: token === undefined ? "coin" : "token",
    }),
  }),

  "/blocks": list({ ...BLOCKS, filters: { type: BLOCK_TYPE }, where: (row, { type = "block" }) => row.type === type }),
  "/blocks/{hash}/transactions": list({
    exists: hasBlock,
    table: (chain: Chain, id: string) => selectBlock(chain.tables.entries, id, chain),
    filters: { type: TRANSACTION_TYPES },
    where: (row, { type }) => hasTransactionType(row, type),
    order: by([asc("block_number", is.blockNumber), asc("index", is.anyInteger)]),
    serialize: serializeTransaction,
  }),
  "/blocks/{hash}/withdrawals": list({
    ...WITHDRAWALS,
    exists: hasBlock,
    table: (chain: Chain, id: string) => selectBlock(chain.tables.withdrawals, id, chain),
    serialize: (row, s) => items.serializeWithdrawal(row, s),
  }),

  "/tokens": list({
    table: tokens,
    filters: { q: is.anyString, type: is.tokenTypes, sort: TOKEN_SORT, order: SORT_ORDER },
    where: (row, { q, type }) => hasType(row, type) && (q === undefined || matchesToken(row.token, q)),
    // Null comes last in descending order.
    order: byToken(desc("market_cap", undefined, rankNumber), desc("fiat_value", undefined, rankNumber), desc("holders_count")),
    orders: {
      "circulating_market_cap/asc": byToken(asc("market_cap", undefined, rankNumber)),
      "fiat_value/desc": byToken(desc("fiat_value", undefined, rankNumber)),
      "fiat_value/asc": byToken(asc("fiat_value", undefined, rankNumber)),
      "holders_count/desc": byToken(desc("holders_count")),
      "holders_count/asc": byToken(asc("holders_count")),
    },
    serialize: ({ token }, s) => s.serializeToken(token),
  }),
  "/tokens/{hash}/holders": list({ ...HOLDERS, table: tokenHolders, where: isOfToken, order: by(HOLDER_ORDER) }),
  "/tokens/{hash}/transfers": list({
    ...TRANSFERS,
    refusesItemsCount: true,
    exists: hasToken,
    table: ({ tables }: Chain) => tables.mergedTransfers,
    where: isOfToken,
  }),
  "/tokens/{hash}/instances": list({
    refusesItemsCount: true,
    hasFixedPages: true,
    hasItemsCount: false,
    exists: hasToken,
    table: instances,
    filters: { holder_address_hash: is.address },
    where: (row, { holder_address_hash: holder }, hash) =>
      row.token.hash === hash && (holder === undefined || row.holders.includes(holder)),
    order: by([desc("unique_token", is.bigIntegerOrNull)]),
    serialize: (row, s) => serializeInstance(row, s, s.version < 12),
  }),
  "/tokens/{hash}/instances/{id}/transfers": list({
    refusesItemsCount: true,
    hasItemsCount: false,
    table: ({ tables }: Chain) => tables.mergedTransfers,
    where: isOfInstance,
    order: by<TransferRow>(LOG_ORDER, { block_number: is.blockNumber, index: is.anyInteger, token_id: is.bigIntegerOrNull }),
    serialize: items.serializeTransfer,
  }),
  "/tokens/{hash}/instances/{id}/holders": list({
    ...HOLDERS,
    table: instanceHolders,
    where: isOfInstance,
    order: by(HOLDER_ORDER, { value: is.bigIntegerOrNull, address_hash: is.address, token_id: is.bigIntegerOrNull }),
  }),

  "/token-transfers": list({
    ...TRANSFERS,
    refusesItemsCount: true,
    table: ({ tables }: Chain) => tables.mergedTransfers,
    filters: { type: is.tokenTypes },
    where: (row, { type }) => hasType(row, type),
  }),
  "/internal-transactions": list({
    ...INTERNAL_TRANSACTIONS,
    filters: { transaction_hash: is.hash, include_zero_value: INCLUDE_ZERO_VALUE, limit: is.only(0, 11, is.integer(1)) },
    where: (row, { transaction_hash, include_zero_value }, _, chain) =>
      isListed(row, chain, include_zero_value) &&
      (transaction_hash === undefined || chain.getTransactionHash(row.block_number, row.transaction_index) === transaction_hash),
  }),
  "/withdrawals": list({ ...WITHDRAWALS, serialize: (row, s) => items.serializeWithdrawal(row, s, true) }),
  "/advanced-filters": ADVANCED_FILTERS,
  "/search": SEARCH,
  "/proxy/account-abstraction/operations": list({
    refusesItemsCount: true,
    hasFixedPages: true,
    hasItemsCount: false,
    table: userOperations,
    filters: {
      sender: is.address,
      bundler: is.address,
      paymaster: is.address,
      factory: is.address,
      entry_point: is.address,
      transaction_hash: is.hash,
      block_number: is.blockNumber,
      page_size: is.integer(1),
    },
    where: ({ sender, bundler, entry_point, transaction_hash, block_number }, query) =>
      Object.entries({ sender, bundler, paymaster: null, factory: null, entry_point, transaction_hash, block_number }).every(
        ([name, value]) => [undefined, value].includes(query[name as keyof typeof query]),
      ),
    order: by([desc("page_token", is.anyString)]),
    serialize: serializeUserOperation,
  }),
};

export const REST_LISTS: ReadonlyMap<string, RestList> = new Map(Object.entries({ ...shared.ADDRESS_LISTS, ...CHAIN_LISTS }));

export function serializeUserOperation(row: UserOperationRow, s: items.RestSerializer): items.Item {
  return {
    address: s.serializeAddress(row.sender),
    block_number: String(row.block_number),
    entry_point: s.serializeAddress(row.entry_point),
    entry_point_version: "v0.7",
    fee: String(row.fee),
    hash: row.hash,
    status: !row.hasFailed,
    timestamp: s.serializeTime(row.block_number),
    transaction_hash: row.transaction_hash,
  };
}

/** Serializes an NFT of a list of one contract. Only a list of one holder names the owner of an NFT with several. */
export function serializeInstance({ nft, holders }: InstanceRow, s: items.RestSerializer, hasToken: boolean): items.Item {
  const [holder = ""] = holders;
  const is_unique = holders.length === 1 && nft.token_type === "ERC-721";
  const { token, ...item } = items.serializeNft(nft, s);
  return { ...item, ...(hasToken ? { token } : {}), is_unique, owner: is_unique ? s.serializeAddress(holder) : null };
}
