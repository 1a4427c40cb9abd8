// The REST lists of one block.

import type { Chain } from "../ledger/chain.js";
import type { WithdrawalRow } from "../ledger/rows.js";
import type { TransactionEntry } from "../ledger/transaction-entries.js";
import { findBlock } from "./block-serializer.js";
import { asc, createKeysetPagination, desc } from "./pagination.js";
import { createRestList, type RestList } from "./rest-list.js";
import { createTypesParser, parseInteger } from "./rest-query.js";
import { parseBlockNumber, TRANSACTION_TYPES } from "./shared-lists.js";
import { serializeTransaction } from "./transaction-serializer.js";

const exists = (chain: Chain, id: string) => findBlock(chain, id) !== undefined;

/** Creates the predicate for the rows of a block. */
function createBlockFilter(chain: Chain, id = "") {
  const block = findBlock(chain, id)?.block_number;
  return (row: { readonly block_number: number | null }) => row.block_number === block;
}

const byIndex = createKeysetPagination<TransactionEntry>([asc("block_number"), asc("index")]);
const byWithdrawal = createKeysetPagination<WithdrawalRow>([desc("index")]);

export const BLOCK_LISTS: Readonly<Record<string, RestList>> = {
  "/blocks/{hash}/transactions": createRestList<TransactionEntry>({
    exists,
    filterParsers: () => ({ type: createTypesParser(...TRANSACTION_TYPES) }),
    cursorParsers: { block_number: parseBlockNumber, index: parseInteger },
    getTable: ({ tables }) => tables.entries,
    getPagination: () => byIndex,
    createFilter: ({ type = [] }, id, chain) => {
      const isOf = createBlockFilter(chain, id);
      return (row) => isOf(row) && (type.length === 0 || row.types.some((name) => type.includes(name)));
    },
    serialize: serializeTransaction,
  }),
  "/blocks/{hash}/withdrawals": createRestList<WithdrawalRow>({
    exists,
    cursorParsers: { index: parseInteger },
    getTable: ({ tables }) => tables.withdrawals,
    getPagination: () => byWithdrawal,
    createFilter: (_, id, chain) => createBlockFilter(chain, id),
    serialize: (row, serializer) => serializer.serializeWithdrawal(row),
  }),
};
