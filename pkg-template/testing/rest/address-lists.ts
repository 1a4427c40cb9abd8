// The REST lists of one address. Each is one declaration: its table, filters, order and cursor, its items, and the versions that have it.

import type { NftRow } from "../ledger/nfts.js";
import { LAST_PROCESSED_BLOCK, UNPROCESSED_BLOCKS } from "../ledger/blocks.js";
import type { Chain } from "../ledger/chain.js";
import { makeElectionRewards, type WithdrawalRow } from "../ledger/coin-records.js";
import { getLogContent } from "../ledger/logs.js";
import type { BlockRow, InternalTransactionRow } from "../ledger/rows.js";
import { rankDecimal } from "../ledger/token-holdings.js";
import type { TransactionEntry } from "../ledger/transactions.js";
import { groupBy } from "../maps.js";
import { createFixedError } from "../responses.js";
import { Table } from "../ledger/table.js";
import { list, type RestList, tableOf } from "./list.js";
import { asc, by, BY_TRANSFER, desc } from "./order.js";
import * as is from "./parameters.js";
import * as items from "./serializer.js";
import { serializeBlock, serializeTransaction } from "./transaction-serializer.js";

/** The length of an epoch: a day. */
const BLOCKS_PER_EPOCH = 7200;
const FIRST_EPOCH_BLOCK = 10_020_000;
const COLLECTION_PREVIEW_SIZE = 9;
const NFT_TYPES = ["ERC-721", "ERC-1155", "ERC-404"];
const DIRECTION = is.oneOf("to", "from");
export const SORT_ORDER = is.oneOf("asc", "desc");
const TRANSACTION_SORT = is.oneOf("block_number", "value", "fee");

export const rankNumber = (value: unknown) => (value === null ? null : rankDecimal(String(value)));
const rankNftType = (type: unknown) => NFT_TYPES.indexOf(String(type));
/** Pending transactions, which are in no block, come before all others. */
const rankPending = (value: string | number | bigint | null) => value ?? Number.POSITIVE_INFINITY;

const isInvolved = (row: { readonly from: string; readonly to: string | null }, account: string, direction?: "to" | "from") =>
  (direction !== "from" && row.to === account) || (direction !== "to" && row.from === account);
export const hasType = (row: { readonly token_type: string }, types: readonly string[] = []) =>
  types.length === 0 || types.includes(row.token_type);
/** Token types without NFTs are accepted and ignored. */
const hasNftType = (row: { readonly token_type: string }, types: readonly string[] = []) =>
  hasType(
    row,
    types.filter((name) => NFT_TYPES.includes(name)),
  );
const isOfAccount = (row: { readonly account: string }, _: object, account: string) => row.account === account;
const MINED_ORDER = [desc("block_number", undefined, rankPending), desc("index", undefined, rankPending)] as const;
export const TRANSACTION_ORDER = [...MINED_ORDER, desc("inserted_at"), asc("hash")] as const;
const TRANSACTION_CURSOR = {
  block_number: is.integerOrNull,
  index: is.integerOrNull,
  inserted_at: is.timestamp,
  hash: is.hash,
  value: is.bigIntegerOrNull,
  fee: is.bigIntegerOrNull,
};
const byTransaction = (...columns: Parameters<typeof by<TransactionEntry>>[0]) =>
  by<TransactionEntry>([...columns, ...TRANSACTION_ORDER], TRANSACTION_CURSOR);

const ADDRESS_CURSOR = { fetched_coin_balance: is.bigIntegerOrNull, hash: is.address, transactions_count: is.integerOrNull };
const BY_BALANCE = [desc("fetched_coin_balance"), asc("hash")] as const;

const BY_INDEX = by<{ readonly index: number }>([desc("index", is.anyInteger)]);
export const LOG_ORDER = [desc("block_number", is.blockNumber), desc("index", is.anyInteger)] as const;
const NFT_ORDER = [
  asc("token_type", is.oneOf(...is.TOKEN_TYPES), rankNftType),
  asc("token_contract_address_hash", is.address),
] as const;
export const TRANSFERS = {
  hasItemsCount: false,
  table: ({ tables }: Chain) => tables.mergedTransfers,
  order: BY_TRANSFER,
  serialize: items.serializeTransfer,
};
export const INTERNAL_TRANSACTIONS = {
  table: ({ tables }: Chain) => tables.internalTransactions,
  order: by<InternalTransactionRow>([
    desc("block_number", is.blockNumber),
    desc("transaction_index", is.anyInteger),
    desc("index", is.anyInteger),
  ]),
  serialize: items.serializeInternalTransaction,
  createMembers: (version: number, page: readonly InternalTransactionRow[]) => {
    const isComplete = !page.some((row) => row.block_number > LAST_PROCESSED_BLOCK);
    const message = isComplete ? null : UNPROCESSED_BLOCKS;
    return version >= 12 ? { meta: { status: isComplete ? 1 : 2, message } } : {};
  },
};
export const INCLUDE_ZERO_VALUE = is.only(12, 99, is.boolean);
export const isListed = (row: InternalTransactionRow, chain: Chain, includesZeroValue = true) =>
  row.block_number >= chain.firstTracedBlock && (includesZeroValue || row.value > 0n);
export const BLOCKS = {
  table: ({ tables }: Chain) => tables.blocks,
  order: by<{ readonly block_number: number }>([desc("block_number", is.blockNumber)]),
  serialize: serializeBlock,
};
export const WITHDRAWALS = {
  table: ({ tables }: Chain) => tables.withdrawals,
  order: BY_INDEX,
  serialize: (row: WithdrawalRow, s: items.RestSerializer) => items.serializeWithdrawal(row, s),
};
const electionRewards = tableOf(makeElectionRewards);
const createElectionRewards = (first: number, last: number) =>
  list({
    versions: [first, last],
    exists: ({ balances }, account) => balances.peek(account).isKnown,
    table: electionRewards,
    where: isOfAccount,
    order: by([
      desc("epoch_number", is.anyInteger),
      desc("amount", is.bigIntegerOrNull),
      asc("associated_account_address_hash", is.address),
      asc("type", is.oneOf("voter", "validator", "group", "delegated_payment")),
    ]),
    serialize: (row, s) => ({
      account: s.serializeAddress(row.account),
      amount: String(row.amount),
      associated_account: s.serializeAddress(row.associated_account_address_hash),
      block_timestamp: s.serializeTime(FIRST_EPOCH_BLOCK + row.epoch_number * BLOCKS_PER_EPOCH),
      epoch_number: row.epoch_number,
      token: s.serializeToken(s.chain.tokens.stablecoin),
      type: row.type,
    }),
  });

/** The NFTs of all addresses by address and contract. NFTs of a group are in the order of the list of NFTs. */
const collections = tableOf(({ tables }) => {
  const groups = groupBy(tables.nfts.rows, ({ account, token }) => `${account}/${token.hash}`);
  return [...groups.values()].map((group) => {
    const nfts = group.sort((a, b) => (a.token_id < b.token_id ? 1 : -1));
    const { account, token, token_type, token_contract_address_hash } = nfts[0] as NftRow;
    return { account, token, token_type, token_contract_address_hash, nfts };
  });
});

export const ADDRESS_LISTS: Readonly<Record<string, RestList>> = {
  "/addresses": list({
    table: ({ tables }: Chain) => tables.richList,
    filters: { sort: is.oneOf("balance", "transactions_count"), order: SORT_ORDER },
    order: by(BY_BALANCE, ADDRESS_CURSOR),
    orders: {
      "balance/asc": by([asc("fetched_coin_balance"), asc("hash")], ADDRESS_CURSOR),
      "transactions_count/desc": by([desc("transactions_count"), ...BY_BALANCE], ADDRESS_CURSOR),
      "transactions_count/asc": by([asc("transactions_count"), ...BY_BALANCE], ADDRESS_CURSOR),
    },
    serialize: ({ hash, fetched_coin_balance, transactions_count }, s) => ({
      ...s.serializeAddress(hash),
      coin_balance: String(fetched_coin_balance),
      transactions_count: items.toText(transactions_count) ?? "",
    }),
    createMembers: () => ({ exchange_rate: "2650.17", total_supply: "120712345.5" }),
  }),
  "/addresses/{hash}/transactions": list({
    table: ({ tables }: Chain, account: string) => tables.getTablesFor(account).entries,
    filters: { filter: DIRECTION, sort: TRANSACTION_SORT, order: SORT_ORDER },
    where: ({ row }, { filter }, account) =>
      isInvolved(row, account, filter) || (filter !== "from" && row.createdContract === account),
    order: byTransaction(),
    orders: {
      "block_number/asc": by(
        [asc("block_number", undefined, rankPending), asc("index", undefined, rankPending), asc("inserted_at"), asc("hash")],
        TRANSACTION_CURSOR,
      ),
      "value/desc": byTransaction(desc("value")),
      "value/asc": byTransaction(asc("value")),
      "fee/desc": byTransaction(desc("fee")),
      "fee/asc": byTransaction(asc("fee")),
    },
    serialize: serializeTransaction,
  }),
  "/addresses/{hash}/token-transfers": list({
    ...TRANSFERS,
    table: ({ tables }: Chain, account: string) => tables.getTablesFor(account).mergedTransfers,
    filters: { type: is.tokenTypes, filter: DIRECTION, token: is.address },
    where: (row, { type, filter, token }, account) =>
      isInvolved(row, account, filter) && hasType(row, type) && (token === undefined || row.token.hash === token),
  }),
  "/addresses/{hash}/internal-transactions": list({
    ...INTERNAL_TRANSACTIONS,
    table: ({ tables }: Chain, account: string) => tables.getTablesFor(account).internalTransactions,
    filters: { filter: DIRECTION, include_zero_value: INCLUDE_ZERO_VALUE },
    where: (row, { filter, include_zero_value }, account, chain) =>
      isListed(row, chain, include_zero_value) &&
      (isInvolved(row, account, filter) || (!filter && row.created_contract === account)),
  }),
  "/addresses/{hash}/blocks-validated": list({
    ...BLOCKS,
    table: ({ accounts, tables }: Chain, account: string) =>
      accounts.canProduce(account) ? tables.blocks : new Table<BlockRow>(() => []),
    where: (row, _, account) => row.miner === account && row.type === "block",
  }),
  "/addresses/{hash}/logs": list({
    table: ({ tables }: Chain, account: string) => tables.getTablesFor(account).logs,
    // Version 8 also accepts it without 0x.
    filters: {
      topic: (string: string, version: number) => is.hex(version > 8 ? string : string.replace(/^(0x)?/, "0x"), version),
    },
    where(row, { topic }, account, chain) {
      // Schema validation accepts any hex string. The length is checked later, with the older error.
      if (topic !== undefined && topic.length !== 66) throw createFixedError("invalidParameter");
      return row.emitter === account && (topic === undefined || getLogContent(chain, row).topics.includes(topic));
    },
    order: by(LOG_ORDER),
    serialize: items.serializeLog,
  }),
  "/addresses/{hash}/coin-balance-history": list({
    table: ({ tables }: Chain, account: string) => tables.history.getBalanceChanges(account),
    order: by([desc("block_number", is.blockNumber)]),
    serialize: ({ block_number, transaction_index, delta, value }, s) => ({
      block_number,
      block_timestamp: `${s.chain.getTimestamp(block_number)}Z`,
      delta: String(delta),
      transaction_hash: transaction_index === null ? null : s.getHash({ block_number, transaction_index }),
      value: String(value),
    }),
  }),
  "/addresses/{hash}/withdrawals": list({ ...WITHDRAWALS, where: isOfAccount }),
  "/addresses/{hash}/beacon/deposits": list({
    versions: [9, 99],
    table: ({ tables }: Chain) => tables.deposits,
    where: isOfAccount,
    order: BY_INDEX,
    serialize({ account, amount, block_number, transaction_index, index, status }, s) {
      const random = s.chain.createRandom("deposit", index);
      return {
        amount: String(amount),
        block_hash: s.chain.getBlockHash(block_number),
        block_number,
        block_timestamp: s.serializeTime(block_number),
        from_address: s.serializeAddress(account),
        index,
        pubkey: random.nextHex(48),
        signature: random.nextHex(96),
        status,
        transaction_hash: s.getHash({ block_number, transaction_index }),
        // The credentials of an invalid deposit do not contain an address.
        withdrawal_address: status === "invalid" ? null : s.serializeAddress(account),
        withdrawal_credentials: status === "invalid" ? random.nextHex(32) : `0x01${"0".repeat(22)}${account.slice(2)}`,
      };
    },
  }),
  "/addresses/{hash}/celo/election-rewards": createElectionRewards(9, 99),
  // The path before version 9.2.
  "/addresses/{hash}/election-rewards": createElectionRewards(8, 8),
  "/addresses/{hash}/tokens": list({
    table: ({ tables }: Chain, account: string) => tables.getTokenBalances(account),
    filters: { type: is.tokenTypes },
    where: (row, { type }) => hasType(row, type),
    order: by([desc("fiat_value", is.decimalOrNull, rankNumber), desc("value", is.bigIntegerOrNull), desc("id", is.anyInteger)]),
    serialize: ({ account, token, token_id, value, nft }, s) => ({
      token: s.serializeToken(token),
      token_id: items.toText(token_id),
      token_instance: nft && { ...items.serializeNft(nft, s), owner: s.serializeAddress(account), token: null },
      value: items.toText(value),
    }),
  }),
  "/addresses/{hash}/nft": list({
    table: ({ tables }: Chain, account: string) => tables.getTablesFor(account).nfts,
    filters: { type: is.tokenTypes },
    where: (row, { type }, account) => row.account === account && hasNftType(row, type),
    order: by([...NFT_ORDER, desc("token_id", is.bigIntegerOrNull)]),
    serialize: items.serializeNft,
  }),
  "/addresses/{hash}/nft/collections": list({
    table: collections,
    filters: { type: is.tokenTypes },
    where: (row, { type }, account) => row.account === account && hasNftType(row, type),
    order: by(NFT_ORDER),
    serialize: ({ token, nfts }, s) => ({
      amount: nfts.some(({ value }) => value === null) ? null : String(nfts.reduce((sum, { value }) => sum + (value ?? 0n), 0n)),
      token: s.serializeToken(token),
      token_instances: nfts.slice(0, COLLECTION_PREVIEW_SIZE).map((nft) => ({ ...items.serializeNft(nft, s), token: null })),
    }),
  }),
};
