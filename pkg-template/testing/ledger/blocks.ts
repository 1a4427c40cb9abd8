// Blocks and their producers, and the blocks that the chain grows by.

import type { LedgerContext } from "./context.js";
import { makeNewDeepRows } from "./deep-history.js";
import { HEAD_BLOCK } from "./positions.js";
import type { BlockRow, InternalTransactionRow, TransactionRow, TransferRow } from "./rows.js";
import { DEEP_BALANCE, sumTransfers } from "./token-holdings.js";

/** The internal transactions of newer blocks are not processed yet. */
export const LAST_PROCESSED_BLOCK = HEAD_BLOCK - 400;
export const UNPROCESSED_BLOCKS = "Some internal transactions within this block range have not yet been processed";

/** The number of blocks that the sample address `producer` produced. */
const MINED_BLOCK_COUNT = 12_500;
const MINED_BLOCK_GAP = 17;
/** The number of blocks of the producer that are newer than the one with every kind of event. */
const NEWER_BLOCK_COUNT = 40;
/** Older blocks are listed only if the sample address `producer` produced them. */
const RECENT_BLOCK_COUNT = 2000;
const UNCLE_COUNT = 60;
const REORG_COUNT = 3;

/** Returns the number of the i-th block of the sample address `producer`, newest first. */
function getMinedBlock(context: LedgerContext, i: number): number {
  return HEAD_BLOCK - 1 - i * MINED_BLOCK_GAP - context.createRandom("mined", i).nextInt(MINED_BLOCK_GAP);
}

/** Returns the number of the block in which the producer has every kind of event. */
export const getProducerBlock = (context: LedgerContext): number => getMinedBlock(context, NEWER_BLOCK_COUNT);

/** Makes the row of a block that the sample address `producer` did not produce. */
export function makeBlock(context: LedgerContext, block_number: number, type: BlockRow["type"] = "block"): BlockRow {
  return { block_number, type, miner: context.createRandom("miner", type, block_number).pick(context.accounts.validators) };
}

/** Makes the listed blocks of the chain up to the first head, unsorted: canonical ones, uncles and reorganised ones. */
export function makeBlocks(context: LedgerContext): BlockRow[] {
  const { producer } = context.accounts.sampleHashes;
  const mined = new Set(Array.from({ length: MINED_BLOCK_COUNT }, (_, i) => getMinedBlock(context, i)));
  const recent = Array.from({ length: RECENT_BLOCK_COUNT }, (_, i) => HEAD_BLOCK - i).filter((block) => !mined.has(block));
  return [
    ...[...mined].map((block_number) => ({ block_number, type: "block" as const, miner: producer })),
    ...recent.map((block) => makeBlock(context, block)),
    ...Array.from({ length: UNCLE_COUNT }, (_, i) => makeBlock(context, HEAD_BLOCK - 31 * (i + 1), "uncle")),
    ...Array.from({ length: REORG_COUNT }, (_, i) => makeBlock(context, HEAD_BLOCK - 97 * (i + 1), "reorg")),
  ];
}

/** Higher than the log indices of all lanes (positions.js). */
const LOG_INDEX = 1000;

/** The rows of new blocks, oldest first. */
export interface NewRows {
  version: number;
  readonly blocks: BlockRow[];
  /** The blocks that were replaced in reorganisations. */
  readonly replacedBlocks: BlockRow[];
  readonly transactions: TransactionRow[];
  readonly transfers: TransferRow[];
  readonly internalTransactions: InternalTransactionRow[];
}

export const createNewRows = (): NewRows => {
  return { version: 0, blocks: [], replacedBlocks: [], transactions: [], transfers: [], internalTransactions: [] };
};

export function addNewBlock(context: LedgerContext, block_number: number, rows: NewRows): void {
  const { deep } = context.accounts.sampleHashes;
  const { stablecoin: token } = context.tokens;
  const random = context.createRandom("new block", block_number, context.getForkNumber(block_number));
  const transactions = makeNewDeepRows(context, block_number);
  for (const [i, transaction] of transactions.entries()) {
    const hasTokenTransfers = i === transactions.length - 1;
    rows.transactions.push({ ...transaction, hasTokenTransfers });
    if (!hasTokenTransfers) continue;
    const { transaction_index, from, method } = transaction;
    const to = transaction.to ?? random.pick(context.accounts.otherHashes);
    const position = { block_number, transaction_index };
    const units = 1n + random.nextBigInt(4);
    const balance = DEEP_BALANCE + sumTransfers(deep, token, rows.transfers);
    const amount = from === deep && units > balance ? balance : units;
    const content = { token, token_type: token.type, token_id: null, amount, hasNoAmount: false };
    rows.transfers.push({ ...position, index: LOG_INDEX, index_in_batch: 0, ...content, from, to, method });
    const value = 1n + random.nextBigInt(8);
    const call = { type: "call", from: to, to: deep, created_contract: null, error: null, value };
    rows.internalTransactions.push({ ...position, index: 1, ...call, gas_limit: 21_000 + random.nextInt(100_000) });
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
