// The REST lists of one transaction, and of user operations.

import type { Chain } from "../ledger/chain.js";
import type { LogRow } from "../ledger/logs.js";
import type { InternalTransactionRow, TransactionPosition, TransferRow } from "../ledger/rows.js";
import { makeStateChanges, type StateChangeRow } from "../ledger/state-changes.js";
import { Table } from "../ledger/table.js";
import { makeUserOperations, type UserOperationRow } from "../ledger/user-operations.js";
import { getOrMake } from "../maps.js";
import { asc, createKeysetPagination, desc } from "./pagination.js";
import { createRestList, type RestList } from "./rest-list.js";
import {
  createIntegerParser,
  parseAddress,
  parseBoolean,
  parseHash,
  parseInteger,
  parseString,
  parseTokenTypes,
} from "./rest-query.js";
import type { RestSerializer, SerializedItem } from "./rest-serializer.js";
import { createTypeFilter, INTERNAL_TRANSACTIONS, parseBlockNumber, TRANSFERS } from "./shared-lists.js";

const exists = (chain: Chain, hash: string) => chain.findTransaction(hash) !== undefined;

/** Creates the predicate for the rows of a transaction. */
function createTransactionFilter(chain: Chain, hash = "") {
  const { block_number, index } = chain.findTransaction(hash) ?? {};
  return (row: TransactionPosition) => row.block_number === block_number && row.transaction_index === index;
}

const byIndex = createKeysetPagination<InternalTransactionRow>([asc("block_number"), asc("transaction_index"), asc("index")]);
const byLogIndex = createKeysetPagination<LogRow>([asc("block_number"), asc("index")]);
const byNumber = createKeysetPagination<StateChangeRow>([asc("state_changes_count")]);
const byBlock = createKeysetPagination<UserOperationRow>([desc("page_token")]);

function serializeStateChange(row: StateChangeRow, serializer: RestSerializer): SerializedItem {
  const { address_hash, isMiner, token, token_id, change } = row;
  const id = token_id === null ? null : String(token_id);
  const isNft = token?.type === "ERC-721";
  return {
    address: serializer.serializeAddress(address_hash),
    // The nodes of the sample chain keep no old balances.
    balance_after: null,
    balance_before: null,
    change: isNft ? [{ direction: change < 0n ? "from" : "to", total: { token_id: id } }] : String(change),
    is_miner: isMiner,
    token: token ? serializer.serializeToken(token) : null,
    token_id: id,
    type: token === undefined ? "coin" : "token",
  };
}

const operations = new WeakMap<Chain, Table<UserOperationRow>>();
export const getUserOperations = (chain: Chain) => getOrMake(operations, chain, () => new Table(() => makeUserOperations(chain)));

export function serializeUserOperation(row: UserOperationRow, serializer: RestSerializer): SerializedItem {
  return {
    address: serializer.serializeAddress(row.sender),
    block_number: String(row.block_number),
    entry_point: serializer.serializeAddress(row.entryPoint),
    entry_point_version: "v0.7",
    fee: String(row.fee),
    hash: row.hash,
    status: !row.hasFailed,
    timestamp: serializer.createTimestamp(row.block_number),
    transaction_hash: row.transactionHash,
  };
}

export const TRANSACTION_LISTS: Readonly<Record<string, RestList>> = {
  "/transactions/{hash}/token-transfers": createRestList<TransferRow>({
    ...TRANSFERS,
    refusesItemsCount: true,
    exists,
    getTable: ({ tables }) => tables.mergedTransfers,
    filterParsers: () => ({ type: parseTokenTypes }),
    createFilter: ({ type = [] }, hash, chain) => {
      const isOf = createTransactionFilter(chain, hash);
      const hasType = createTypeFilter(type);
      return (row) => isOf(row) && hasType(row);
    },
  }),
  "/transactions/{hash}/internal-transactions": createRestList<InternalTransactionRow>({
    ...INTERNAL_TRANSACTIONS,
    exists,
    getPagination: () => byIndex,
    filterParsers: (version) => (version >= 12 ? { include_zero_value: parseBoolean } : {}),
    createFilter: ({ include_zero_value = true }, hash, chain) => {
      const isOf = createTransactionFilter(chain, hash);
      return (row) => row.block_number >= chain.firstTracedBlock && isOf(row) && (include_zero_value || row.value > 0n);
    },
  }),
  "/transactions/{hash}/logs": createRestList<LogRow>({
    exists,
    cursorParsers: { block_number: parseBlockNumber, index: parseInteger },
    getTable: ({ tables }) => tables.logs,
    getPagination: () => byLogIndex,
    createFilter: (_, hash, chain) => createTransactionFilter(chain, hash),
    serialize: (row, serializer) => serializer.serializeLog(row),
  }),
  "/transactions/{hash}/state-changes": createRestList<StateChangeRow>({
    exists,
    hasItemsCount: false,
    cursorParsers: { state_changes_count: createIntegerParser({ min: 0 }), state_changes: parseString },
    getTable(chain, hash = "") {
      const entry = chain.findTransaction(hash);
      return new Table(() => (entry ? makeStateChanges(chain, entry) : []));
    },
    getPagination: () => byNumber,
    serialize: serializeStateChange,
  }),
  "/proxy/account-abstraction/operations": createRestList<UserOperationRow>({
    refusesItemsCount: true,
    hasFixedPages: true,
    hasItemsCount: false,
    filterParsers: () => ({
      sender: parseAddress,
      bundler: parseAddress,
      paymaster: parseAddress,
      factory: parseAddress,
      entry_point: parseAddress,
      transaction_hash: parseHash,
      block_number: parseBlockNumber,
      page_size: createIntegerParser({ min: 1 }),
    }),
    cursorParsers: { page_token: parseString },
    getTable: getUserOperations,
    getPagination: () => byBlock,
    createFilter:
      ({ sender, bundler, paymaster, factory, entry_point, transaction_hash, block_number }) =>
      (row) =>
        [
          [sender, row.sender],
          [bundler, row.bundler],
          [paymaster, null],
          [factory, null],
          [entry_point, row.entryPoint],
          [transaction_hash, row.transactionHash],
          [block_number, row.block_number],
        ].every(([wanted, value]) => wanted === undefined || wanted === value),
    serialize: serializeUserOperation,
  }),
};
