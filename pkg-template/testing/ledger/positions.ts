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
export class PositionAllocator {
  readonly #random: Random;
  readonly #lane: number;
  readonly #gap: number;
  #block: number;
  #transaction = TRANSACTIONS_PER_LANE;
  #log = LOGS_PER_LANE;

  constructor(random: Random, lane: number, gap: number) {
    this.#random = random;
    this.#lane = lane;
    this.#gap = gap;
    this.#block = HEAD_BLOCK - 1 - random.nextInt(gap);
  }

  /** Allocates the previous transaction, which is in an earlier block most of the time. */
  allocateTransaction(): TransactionPosition {
    this.#transaction -= 1;
    if (this.#transaction < 0 || this.#log < LOGS_PER_LANE / 2 || this.#random.nextBoolean(0.7)) {
      this.#block -= 1 + this.#random.nextInt(this.#gap);
      this.#transaction = TRANSACTIONS_PER_LANE - 1;
      this.#log = LOGS_PER_LANE;
    }
    return { block_number: this.#block, transaction_index: this.#lane * TRANSACTIONS_PER_LANE + this.#transaction };
  }

  allocateLogIndex(): number {
    this.#log -= 1;
    return this.#lane * LOGS_PER_LANE + this.#log;
  }
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
