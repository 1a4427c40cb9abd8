// The deep history: 60,000 transactions of one address. Each is computed from its number when it is read.

import { HEAD_BLOCK } from "./positions.js";
import { METHODS } from "./sample-strings.js";

// Dense and sparse ranges of blocks: in each, one of every `gap` blocks has `perBlock` transactions.
const BLOCK_RANGES = [
  { count: 4_000, firstBlock: 9_000_000, gap: 2_000, perBlock: 1 },
  { count: 22_000, firstBlock: 19_000_000, gap: 1, perBlock: 4 },
  { count: 14_000, firstBlock: 19_100_000, gap: 100, perBlock: 1 },
  { count: 12_000, firstBlock: 21_000_000, gap: 1, perBlock: 150 },
  { count: 8_000, firstBlock: 22_500_000, gap: 300, perBlock: 2 },
];
const TRANSACTIONS_PER_NEW_BLOCK = 2;
/** Higher than the transaction indices of all lanes (positions.js). */
const FIRST_TRANSACTION_INDEX = 200;

export class DeepHistory {
  #chain;
  #address;
  #salt;
  /** The ranges of blocks, each with the number of its first transaction as `start`. The last one is for new blocks. */
  #ranges;
  #counterparties;

  constructor(chain) {
    this.#chain = chain;
    this.#address = chain.accounts.sampleHashes.deep;
    this.#salt = chain.createRandom("deep").nextUint32();
    let start = 0;
    this.#ranges = BLOCK_RANGES.map((range) => ({ ...range, start: (start += range.count) - range.count }));
    this.#ranges.push({ start, count: 0, firstBlock: HEAD_BLOCK + 1, gap: 1, perBlock: TRANSACTIONS_PER_NEW_BLOCK });
  }

  /** Adds new blocks at the end. */
  addBlocks(count) {
    this.#ranges.at(-1).count += count * TRANSACTIONS_PER_NEW_BLOCK;
  }

  get #length() {
    const { start, count } = this.#ranges.at(-1);
    return start + count;
  }

  /** Returns the rows of blocks `first` to `last`, both included, oldest first, as an object with `length` and `at(i)`. */
  getRows(first, last, direction) {
    const start = this.#findFirstRow(first);
    const length = Math.max(0, this.#findFirstRow(last + 1) - start);
    if (!direction) return { length, at: (i) => this.#makeRow(start + i) };
    const numbers = [];
    for (let i = start; i < start + length; i++) if (this.#isOutgoing(i) === (direction === "from")) numbers.push(i);
    return { length: numbers.length, at: (i) => this.#makeRow(numbers[i]) };
  }

  /** Returns the number of the first row that is in this block or a later one. */
  #findFirstRow(block) {
    let low = 0;
    let high = this.#length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#getPosition(middle).block_number >= block) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  #getPosition(i) {
    const { start, firstBlock, gap, perBlock } = this.#ranges.findLast((range) => range.start <= i);
    const block = Math.floor((i - start) / perBlock);
    return {
      block_number: firstBlock + block * gap + this.#randomInt(start + block, 7, gap),
      transaction_index: FIRST_TRANSACTION_INDEX + ((i - start) % perBlock),
    };
  }

  #isOutgoing(i) {
    return this.#randomInt(i, 0, 100) < 55;
  }

  #makeRow(i) {
    this.#counterparties ??= this.#chain.accounts.otherHashes;
    const { block_number, transaction_index } = this.#getPosition(i);
    const counterparty = this.#counterparties[this.#randomInt(i, 1, this.#counterparties.length)];
    const isOutgoing = this.#isOutgoing(i);
    const isCreation = isOutgoing && this.#randomInt(i, 2, 200) === 0;
    return {
      block_number,
      transaction_index,
      from: isOutgoing ? this.#address : counterparty,
      to: isCreation ? null : isOutgoing ? counterparty : this.#address,
      createdContract: isCreation ? this.#chain.createRandom("created", i).nextHex(20) : null,
      value: this.#randomInt(i, 3, 2) === 0 ? 0n : BigInt(this.#randomInt(i, 4, 2 ** 31)) * 1_000_000_007n,
      hasFailed: this.#randomInt(i, 5, 33) === 0,
      method: isCreation ? "0x60806040" : METHODS[this.#randomInt(i, 6, METHODS.length)],
    };
  }

  /** A random integer below `limit` for row `i`. Each `use` gives the row another value. Cheaper than a generator per row. */
  #randomInt(i, use, limit) {
    return this.#hash((use << 24) + i) % limit;
  }

  /** A uniform 32-bit hash of a number. */
  #hash(n) {
    let x = Math.imul(n ^ this.#salt, 0x9e3779b1);
    x = Math.imul(x ^ (x >>> 15), 0x85ebca6b);
    return (x ^ (x >>> 13)) >>> 0;
  }
}
