// Blocks that the chain grows by. Each has transactions of the sample address `deep`, one of which transfers a token.

import { makeBlock } from "./blocks.js";
import type { LedgerContext } from "./context.js";
import type { DeepHistory } from "./deep-history.js";
import type { BlockRow, InternalTransactionRow, TransactionRow, TransferRow } from "./rows.js";
import { DEEP_BALANCE, sumTransfers } from "./token-holdings.js";

/** Higher than the log indices of all lanes (positions.js). */
const LOG_INDEX = 1000;

/** The rows of new blocks, oldest first. */
export interface NewRows {
  /** Changes with the rows. */
  version: number;
  readonly blocks: BlockRow[];
  /** The blocks that were replaced in reorganisations. */
  readonly replacedBlocks: BlockRow[];
  readonly transactions: TransactionRow[];
  readonly transfers: TransferRow[];
  readonly internalTransactions: InternalTransactionRow[];
}

export const createNewRows = (): NewRows => ({
  version: 0,
  blocks: [],
  replacedBlocks: [],
  transactions: [],
  transfers: [],
  internalTransactions: [],
});

/** Makes the rows of a new block, and appends them. The deep history must have the block already. */
export function addNewBlock(context: LedgerContext, deepHistory: DeepHistory, block_number: number, rows: NewRows): void {
  const { deep } = context.accounts.sampleHashes;
  const random = context.createRandom("new block", block_number, context.getForkNumber(block_number));
  const transactions = deepHistory.getRows(block_number, block_number, undefined);
  for (let i = 0; i < transactions.length; i++) {
    const transaction = transactions.at(i);
    if (!transaction) continue;
    const hasTokenTransfers = i === transactions.length - 1;
    rows.transactions.push({ ...transaction, hasTokenTransfers });
    if (!hasTokenTransfers) continue;
    const { transaction_index, from, method } = transaction;
    const to = transaction.to ?? random.pick(context.accounts.otherHashes);
    const position = { block_number, transaction_index };
    const amount = 1n + random.nextBigInt(4);
    const balance = DEEP_BALANCE + sumTransfers(deep, context.tokens.stablecoin, rows.transfers);
    rows.transfers.push({
      ...position,
      index: LOG_INDEX,
      index_in_batch: 0,
      token: context.tokens.stablecoin,
      token_type: context.tokens.stablecoin.type,
      token_id: null,
      amount: from === deep && amount > balance ? balance : amount,
      hasNoAmount: false,
      from,
      to,
      method,
    });
    rows.internalTransactions.push({
      ...position,
      index: 1,
      type: "call",
      from: to,
      to: deep,
      created_contract: null,
      error: null,
      value: 1n + random.nextBigInt(8),
      gas_limit: 21_000 + random.nextInt(100_000),
    });
  }
  rows.blocks.push(makeBlock(context, block_number));
  rows.version += 1;
}

/** Removes the rows of the block `first` and of later ones; returns the blocks. */
export function removeNewBlocks(first: number, rows: NewRows): readonly BlockRow[] {
  const removeRows = <Row extends { readonly block_number: number }>(table: Row[]) => {
    const start = table.findIndex(({ block_number }) => block_number >= first);
    return start < 0 ? [] : table.splice(start);
  };
  removeRows(rows.transactions);
  removeRows(rows.transfers);
  removeRows(rows.internalTransactions);
  rows.version += 1;
  return removeRows(rows.blocks);
}
