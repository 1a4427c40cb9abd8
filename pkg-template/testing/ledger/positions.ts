// Positions of records on the sample chain: unique combinations of block, transaction index and log index.
//
// Records are generated per sample address, independently of each other. Each generator has a lane, a separate range of
// indices within every block, so that no two use the same transaction or log index.

import type { Random } from "../random.js";
import type { TransactionPosition, TransferRow } from "./rows.js";

/** The newest block. */
export const HEAD_BLOCK = 23_705_400;
export const TRANSACTIONS_PER_LANE = 16;
export const LOGS_PER_LANE = 64;

/**
 * Allocates the positions of one lane, from the newest block backwards. `gap` is the largest distance between
 * two of its blocks.
 */
export function createPositionAllocator(random: Random, lane: number, gap: number) {
  let block_number = HEAD_BLOCK - 1 - random.nextInt(gap);
  let transaction = TRANSACTIONS_PER_LANE;
  let log = LOGS_PER_LANE;
  return {
    /** Allocates the previous transaction, which is in an earlier block most of the time. */
    allocateTransaction(): TransactionPosition {
      transaction -= 1;
      if (transaction < 0 || log < LOGS_PER_LANE / 2 || random.nextBoolean(0.7)) {
        block_number -= 1 + random.nextInt(gap);
        transaction = TRANSACTIONS_PER_LANE - 1;
        log = LOGS_PER_LANE;
      }
      return { block_number, transaction_index: lane * TRANSACTIONS_PER_LANE + transaction };
    },
    allocateLogIndex(): number {
      log -= 1;
      return lane * LOGS_PER_LANE + log;
    },
  };
}

export function createPositionKey({ block_number, transaction_index }: TransactionPosition): string {
  return `${block_number}/${transaction_index}`;
}

export function compareTransactions(a: TransactionPosition, b: TransactionPosition): number {
  return a.block_number - b.block_number || a.transaction_index - b.transaction_index;
}

export function compareTransfers(a: TransferRow, b: TransferRow): number {
  return compareTransactions(a, b) || a.index - b.index || a.index_in_batch - b.index_in_batch;
}
