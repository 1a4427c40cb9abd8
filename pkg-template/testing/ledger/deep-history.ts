// The deep history: 60,000 transactions of one address. Each is computed from its number when it is read.

import type { LedgerContext } from "./context.js";
import { HEAD_BLOCK } from "./positions.js";
import type { RowList, TransactionPosition, TransactionRow } from "./rows.js";
import { METHODS } from "./sample-addresses.js";

/** A range of blocks in which one of every `gap` blocks has `perBlock` transactions. */
interface BlockRange {
  /** The number of transactions in the range. */
  count: number;
  readonly firstBlock: number;
  readonly gap: number;
  readonly perBlock: number;
}

// Dense and sparse ranges of blocks.
const BLOCK_RANGES: readonly BlockRange[] = [
  { count: 4_000, firstBlock: 9_000_000, gap: 2_000, perBlock: 1 },
  { count: 22_000, firstBlock: 19_000_000, gap: 1, perBlock: 4 },
  { count: 14_000, firstBlock: 19_100_000, gap: 100, perBlock: 1 },
  { count: 12_000, firstBlock: 21_000_000, gap: 1, perBlock: 150 },
  { count: 8_000, firstBlock: 22_500_000, gap: 300, perBlock: 2 },
];
const TRANSACTIONS_PER_NEW_BLOCK = 2;
/** The value of the first transaction, in wei: more than the others spend together. */
const FUNDING = 25_000n * 10n ** 18n;
/** More than the number of rows. */
const FORK_SALT = 1_000_003;
/** Higher than the transaction indices of all lanes (positions.js). */
export const FIRST_TRANSACTION_INDEX = 200;

export class DeepHistory {
  readonly #context: LedgerContext;
  readonly #address: string;
  readonly #salt: number;
  /** The ranges of blocks, each with the number of its first transaction as `start`, from the last to the first. */
  readonly #ranges: readonly (BlockRange & { readonly start: number })[];
  /** The range that new blocks extend. */
  readonly #newBlocks: BlockRange & { readonly start: number };

  constructor(context: LedgerContext) {
    this.#context = context;
    this.#address = context.accounts.sampleHashes.deep;
    this.#salt = context.createRandom("deep").nextUint32();
    let start = 0;
    const ranges = BLOCK_RANGES.map((range) => {
      const numbered = { ...range, start };
      start += range.count;
      return numbered;
    });
    this.#newBlocks = { start, count: 0, firstBlock: HEAD_BLOCK + 1, gap: 1, perBlock: TRANSACTIONS_PER_NEW_BLOCK };
    this.#ranges = [...ranges, this.#newBlocks].reverse();
  }

  /** Adds new blocks at the end, or removes them if `count` is negative. */
  addBlocks(count: number): void {
    this.#newBlocks.count += count * TRANSACTIONS_PER_NEW_BLOCK;
  }

  /** Makes the rows of the initial chain. */
  makeInitialRows(): TransactionRow[] {
    return Array.from({ length: this.#newBlocks.start }, (_, i) => this.#makeRow(i));
  }

  get #length(): number {
    return this.#newBlocks.start + this.#newBlocks.count;
  }

  /** Returns the rows of blocks `first` to `last`, both included, oldest first, as an object with `length` and `at(i)`. */
  getRows(first: number, last: number, direction: "to" | "from" | undefined): RowList<TransactionRow> {
    const start = this.#findFirstRow(first);
    const length = Math.max(0, this.#findFirstRow(last + 1) - start);
    if (!direction) return { length, at: (i) => this.#makeRow(start + i) };
    const numbers: number[] = [];
    for (let i = start; i < start + length; i++) if (this.#isOutgoing(i) === (direction === "from")) numbers.push(i);
    return {
      length: numbers.length,
      at: (i) => {
        const number = numbers[i];
        return number === undefined ? undefined : this.#makeRow(number);
      },
    };
  }

  /** Returns the number of the first row that is in this block or a later one. */
  #findFirstRow(block: number): number {
    let low = 0;
    let high = this.#length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#getPosition(middle).block_number >= block) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  #getPosition(i: number): TransactionPosition {
    const { start, firstBlock, gap, perBlock } = this.#ranges.find((range) => range.start <= i) ?? this.#newBlocks;
    const block = Math.floor((i - start) / perBlock);
    return {
      block_number: firstBlock + block * gap + this.#randomInt(start + block, 7, gap),
      transaction_index: FIRST_TRANSACTION_INDEX + ((i - start) % perBlock),
    };
  }

  #isOutgoing(i: number): boolean {
    return i > 0 && this.#randomInt(i, 0, 100) < 55;
  }

  #makeRow(i: number): TransactionRow {
    const { otherHashes } = this.#context.accounts;
    const { block_number, transaction_index } = this.#getPosition(i);
    const counterparty = otherHashes[this.#randomInt(i, 1, otherHashes.length)] as string;
    const isOutgoing = this.#isOutgoing(i);
    // The last transaction of a new block transfers a token.
    const canFail = i < this.#newBlocks.start || transaction_index < FIRST_TRANSACTION_INDEX + TRANSACTIONS_PER_NEW_BLOCK - 1;
    const isCreation = isOutgoing && this.#randomInt(i, 2, 200) === 0;
    return {
      block_number,
      transaction_index,
      from: isOutgoing ? this.#address : counterparty,
      to: isCreation ? null : isOutgoing ? counterparty : this.#address,
      createdContract: isCreation ? this.#context.createRandom("created", i).nextHex(20) : null,
      value: i === 0 ? FUNDING : this.#randomInt(i, 3, 2) === 0 ? 0n : BigInt(this.#randomInt(i, 4, 2 ** 31)) * 1_000_000_007n,
      hasFailed: i > 0 && canFail && this.#randomInt(i, 5, 33) === 0,
      method: isCreation ? "0x60806040" : (METHODS[this.#randomInt(i, 6, METHODS.length)] ?? null),
    };
  }

  /** A random integer below `limit` for row `i`. Each `use` gives the row another value. Cheaper than a generator per row. */
  #randomInt(i: number, use: number, limit: number): number {
    return this.#hash((use << 24) + i + this.#getForkSalt(i)) % limit;
  }

  /** Rows of a replacement block differ from the rows of the original block. */
  #getForkSalt(i: number): number {
    const block = Math.floor((i - this.#newBlocks.start) / TRANSACTIONS_PER_NEW_BLOCK);
    return block < 0 ? 0 : this.#context.getForkNumber(this.#newBlocks.firstBlock + block) * FORK_SALT;
  }

  /** A uniform 32-bit hash of a number. */
  #hash(n: number): number {
    let x = Math.imul(n ^ this.#salt, 0x9e3779b1);
    x = Math.imul(x ^ (x >>> 15), 0x85ebca6b);
    return (x ^ (x >>> 13)) >>> 0;
  }
}
