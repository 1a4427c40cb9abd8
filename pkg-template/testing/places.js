// Where records stand on the chain: block, transaction and log numbers that no two stories share.

/** The newest block. */
export const HEAD_BLOCK = 23_705_400;
const TRANSACTIONS_PER_LANE = 16;
const LOGS_PER_LANE = 64;

/**
 * Walks back from the newest blocks and hands out places. Stories that run side by side use different lanes,
 * so that they can share blocks, but never a transaction or a log number.
 */
export class Places {
  #chance;
  #lane;
  #gap;
  #block;
  #transaction = TRANSACTIONS_PER_LANE;
  #log = LOGS_PER_LANE;

  constructor(chance, lane, gap) {
    this.#chance = chance;
    this.#lane = lane;
    this.#gap = gap;
    this.#block = HEAD_BLOCK - 1 - chance.below(gap);
  }

  /** Goes back to the transaction before: at times in the same block, mostly some blocks earlier. */
  previousTransaction() {
    this.#transaction -= 1;
    if (this.#transaction < 0 || this.#log < LOGS_PER_LANE / 2 || this.#chance.chance(0.7)) {
      this.#block -= 1 + this.#chance.below(this.#gap);
      this.#transaction = TRANSACTIONS_PER_LANE - 1;
      this.#log = LOGS_PER_LANE;
    }
  }

  get block_number() {
    return this.#block;
  }

  get transaction_index() {
    return this.#lane * TRANSACTIONS_PER_LANE + this.#transaction;
  }

  previousLogIndex() {
    this.#log -= 1;
    return this.#lane * LOGS_PER_LANE + this.#log;
  }
}
