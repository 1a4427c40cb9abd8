// The REST lists below /api/v2. Each is one declaration: its table, filters, order and cursor, its items, and the versions that have it.

import type { NftRow } from "../ledger/nfts.js";
import type { Chain } from "../ledger/chain.js";
import type { InternalTransactionRow, Token, TransactionPosition, TransferRow } from "../ledger/rows.js";
import { Table } from "../ledger/table.js";
import { listTokens } from "../ledger/tokens.js";
import type { TransactionEntry } from "../ledger/transactions.js";
import { groupBy } from "../maps.js";
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
  ..."coin_transfer contract_call contract_creation token_transfer token_creation blob_transaction".split(" "),
);
const TOKEN_SORT = is.oneOf("circulating_market_cap", "fiat_value", "holders_count");
const TRANSACTION_STATE = is.oneOf("pending", "validated");
const BLOCK_TYPE = is.oneOf("block", "uncle", "reorg");

const hasTransactionType = ({ types }: TransactionEntry, wanted: readonly string[] = []) =>
  wanted.length === 0 || types.some((name) => wanted.includes(name));
const isOfToken = (row: { readonly token: Token }, _: object, hash: string) => row.token.hash === hash;
type TokenItem = { readonly token: Token; readonly token_id: bigint | null };
const isOfInstance = (row: TokenItem, _: object, hash: string, __: Chain, instance?: bigint) =>
  row.token.hash === hash && row.token_id === instance;
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
type TokenRow = ReturnType<typeof tokens>["rows"][number];
const byToken = (...columns: Parameters<typeof by<TokenRow>>[0]) =>
  by<TokenRow>([...columns, asc("name"), asc("contract_address_hash")], TOKEN_CURSOR);

const HOLDER_ORDER = [desc("value", is.bigIntegerOrNull), asc("address_hash", is.address)] as const;

const HOLDERS = {
  exists: hasToken,
  serialize: ({ address_hash, token_id, value }: ReturnType<typeof createHolder>, s: items.RestSerializer) => ({
    address: s.serializeAddress(address_hash),
    token_id: items.toText(token_id),
    value: items.toText(value),
  }),
};
/** Whether a query is the address, or the beginnings of words of the name and the symbol. */
const matchesToken = ({ name, symbol, hash }: Token, q: string) =>
  /^0x[\da-f]{40}$/i.test(q) ? q.toLowerCase() === hash : matchesWords(q, `${name ?? ""} ${symbol ?? ""}`);

/** Groups rows by a key. Each group has its first row. */
const group = <Row>(rows: readonly Row[], getKey: (row: Row) => string) =>
  [...groupBy(rows, getKey).values()].map((group) => ({ first: group[0] as Row, group }));

const createHolder = (token: Token, address_hash: string, token_id: bigint | null, value: bigint | null) => {
  return { token, address_hash, token_id, value };
};

const tokens = tableOf(({ tokens }) =>
  listTokens(tokens).map((token) => ({
    token,
    token_type: token.type,
    market_cap: token.circulating_market_cap,
    fiat_value: token.exchange_rate,
    holders_count: token.holders_count === null ? null : Number(token.holders_count),
    name: token.name ?? "",
    is_name_null: token.name === null,
    contract_address_hash: token.hash,
    isHidden: token.isScam,
  })),
);
/** The holders of all tokens. The balances of one holder of several ids of a token are added up. */
export const tokenHolders = tableOf(
  () => [],
  ({ tables }) => {
    const groups = group(tables.getTokenBalances().rows, ({ account, token }) => `${account}/${token.hash}`);
    return groups.map(({ first: { token, account }, group }) => {
      const values = group.map(({ value }) => value);
      const value = values.reduce((total, value) => (total === null || value === null ? null : total + value), 0n);
      return createHolder(token, account, null, value);
    });
  },
);
const instanceHolders = tableOf(({ tables }) =>
  tables.nfts.rows.map(({ token, account, token_id, value }) => createHolder(token, account, token_id, value ?? 1n)),
);
/** The NFTs of all contracts: one row for each token id, with all its holders. */
export const instances = tableOf(({ tables }) =>
  group(tables.nfts.rows, ({ token, token_id }) => `${token.hash}/${token_id}`).map(({ first: nft, group }) => {
    return { nft, token: nft.token, unique_token: nft.token_id, holders: group.map(({ account }) => account) };
  }),
);
export const userOperations = tableOf(makeUserOperations);

/** Makes the changes of balances by one mined transaction, changes of the native coin first, which has no token. */
function makeStateChanges(chain: Chain, entry: TransactionEntry) {
  const { row, block_number, index, fee, gasFee, content } = entry;
  if (block_number === null) return [];
  const burnt = BigInt(chain.getBaseFee(block_number)) * (content.gasUsed ?? 0n);
  const miner = chain.tables.blocks.getRowsOfBlock(block_number).find(({ type }) => type === "block")?.miner;
  const value = row.hasFailed ? 0n : row.value;
  const coins = [
    { address_hash: row.from, change: -value - fee },
    { address_hash: row.to ?? row.createdContract, change: value },
    { address_hash: miner, change: gasFee - burnt },
  ].map((coin) => ({ ...coin, token: undefined, token_id: null }));
  const tokens = chain.getTransfersOf(block_number, index).flatMap(({ token, token_id, amount, from, to }) => [
    { address_hash: from, token, token_id, change: -(amount ?? 1n) },
    { address_hash: to, token, token_id, change: amount ?? 1n },
  ]);
  return [...coins, ...tokens]
    .flatMap(({ address_hash, ...change }) => (address_hash && change.change !== 0n ? [{ address_hash, ...change }] : []))
    .map((change, i) => ({ ...change, state_changes_count: i + 1, isMiner: change.address_hash === miner }));
}

const MAX_USER_OPERATIONS = 120;

/** Makes one user operation for each transaction that somebody else sent to the smart account. */
function makeUserOperations(chain: Chain) {
  const { hub: sender } = chain.accounts.sampleHashes;
  const entry_point = chain.createRandom("entry point").nextHex(20);
  const isOperation = ({ row, block_number }: TransactionEntry) =>
    row.to === sender && row.from !== sender && block_number !== null;
  const entries = chain.tables.getTablesFor(sender).entries.rows.filter(isOperation).slice(0, MAX_USER_OPERATIONS);
  return entries.map(({ row, block_number, index, hash: transaction_hash, gasFee: fee, content }) => {
    // Sorts by block and transaction.
    const page_token = [block_number, index].map((number) => String(number).padStart(12, "0")).join(",");
    const hash = chain.createRandom("user operation", block_number, index).nextHex(32);
    const { gasUsed, input: callData } = content;
    const position = { block_number: block_number ?? 0, page_token, transaction_hash };
    const operation = { hash, sender, bundler: row.from, entry_point, callData, hasFailed: row.hasFailed };
    return { ...position, ...operation, fee, gasUsed: gasUsed ?? 0n };
  });
}

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

export function serializeUserOperation(row: ReturnType<typeof makeUserOperations>[number], s: items.RestSerializer): items.Item {
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
export function serializeInstance(
  { nft, holders }: { readonly nft: NftRow; readonly holders: readonly string[] },
  s: items.RestSerializer,
  hasToken: boolean,
): items.Item {
  const [holder = ""] = holders;
  const is_unique = holders.length === 1 && nft.token_type === "ERC-721";
  const { token, ...item } = items.serializeNft(nft, s);
  return { ...item, ...(hasToken ? { token } : {}), is_unique, owner: is_unique ? s.serializeAddress(holder) : null };
}
