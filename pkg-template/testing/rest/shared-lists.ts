// Code that lists of several subjects share: transfers, internal transactions and types of transactions.

import { HEAD_BLOCK } from "../ledger/positions.js";
import type { InternalTransactionRow, TransferRow } from "../ledger/rows.js";
import { createKeysetPagination, desc, transferPagination } from "./pagination.js";
import type { RestListDefinition } from "./rest-list.js";
import { createIntegerParser, parseHash, parseInteger } from "./rest-query.js";

export const parseBlockNumber = createIntegerParser({ min: 0 });

/** The types to filter transactions by. */
export const TRANSACTION_TYPES = [
  "coin_transfer",
  "contract_call",
  "contract_creation",
  "token_transfer",
  "token_creation",
  "blob_transaction",
];

export const createTypeFilter = (types: readonly string[]) => (row: { readonly token_type: string }) =>
  types.length === 0 || types.includes(row.token_type);

const byTransaction = createKeysetPagination<InternalTransactionRow>([
  desc("block_number"),
  desc("transaction_index"),
  desc("index"),
]);

/** The last block whose internal transactions the service has processed. */
const LAST_PROCESSED_BLOCK = HEAD_BLOCK - 400;

const createProcessingStatus = (page: readonly InternalTransactionRow[]) =>
  page.some((row) => row.block_number > LAST_PROCESSED_BLOCK)
    ? { status: 2, message: "Some internal transactions within this block range have not yet been processed" }
    : { status: 1, message: null };

export const INTERNAL_TRANSACTIONS = {
  cursorParsers: { block_number: parseBlockNumber, transaction_index: parseInteger, index: parseInteger },
  getTable: ({ tables }) => tables.internalTransactions,
  getPagination: () => byTransaction,
  serialize: (row, serializer) => serializer.serializeInternalTransaction(row),
  createMembers: (version, page) => (version >= 12 ? { meta: createProcessingStatus(page) } : {}),
} satisfies RestListDefinition<InternalTransactionRow>;

export const TRANSFERS = {
  hasItemsCount: false,
  cursorParsers: {
    block_number: parseBlockNumber,
    index: parseInteger,
    batch_log_index: parseInteger,
    batch_block_hash: parseHash,
    batch_transaction_hash: parseHash,
    index_in_batch: parseInteger,
  },
  getTable: ({ tables }, account) => tables.getTablesFor(account).mergedTransfers,
  getPagination: () => transferPagination,
  serialize: (row, serializer) => serializer.serializeTransfer(row),
} satisfies RestListDefinition<TransferRow>;
