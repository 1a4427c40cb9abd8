// The deep history: 60,000 transactions of one address, each made from its number when it is read.

import { METHODS } from "./names.js";
import { HEAD_BLOCK } from "./places.js";

// Dense and sparse stretches of blocks: every `gap` blocks there is one with `perBlock` transactions.
const STRETCHES = [
  { count: 4_000, firstBlock: 9_000_000, gap: 2_000, perBlock: 1 },
  { count: 22_000, firstBlock: 19_000_000, gap: 1, perBlock: 4 },
  { count: 14_000, firstBlock: 19_100_000, gap: 100, perBlock: 1 },
  { count: 12_000, firstBlock: 21_000_000, gap: 1, perBlock: 150 },
  { count: 8_000, firstBlock: 22_500_000, gap: 300, perBlock: 2 },
];
const GROWTH_PER_BLOCK = 2;
/** Behind the lanes of all stories. */
const FIRST_TRANSACTION = 200;

export class History {
  #chain;
  #hero;
  #salt;
  #stretches;
  #friends;

  constructor(chain) {
    this.#chain = chain;
    this.#hero = chain.accounts.sample.deep;
    this.#salt = chain.random("deep").next();
    let start = 0;
    this.#stretches = STRETCHES.map((stretch) => ({ ...stretch, start: (start += stretch.count) - stretch.count }));
    this.#stretches.push({ start, count: 0, firstBlock: HEAD_BLOCK + 1, gap: 1, perBlock: GROWTH_PER_BLOCK });
  }

  /** Adds blocks behind the newest one. */
  grow(blocks) {
    this.#stretches.at(-1).count += blocks * GROWTH_PER_BLOCK;
  }

  get #length() {
    const { start, count } = this.#stretches.at(-1);
    return start + count;
  }

  /** The rows from block `first` to `last`, oldest first, as a `length` and an `at`. */
  between(first, last, direction) {
    const start = this.#firstFrom(first);
    const length = Math.max(0, this.#firstFrom(last + 1) - start);
    if (!direction) return { length, at: (i) => this.#row(start + i) };
    const chosen = [];
    for (let i = start; i < start + length; i++) if (this.#isOutward(i) === (direction === "from")) chosen.push(i);
    return { length: chosen.length, at: (i) => this.#row(chosen[i]) };
  }

  /** Number of the first row in `block` or later. */
  #firstFrom(block) {
    let low = 0;
    let high = this.#length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#place(middle).block_number >= block) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  #place(i) {
    const { start, firstBlock, gap, perBlock } = this.#stretches.findLast((stretch) => stretch.start <= i);
    const step = Math.floor((i - start) / perBlock);
    return {
      block_number: firstBlock + step * gap + this.#roll(start + step, 7, gap),
      transaction_index: FIRST_TRANSACTION + ((i - start) % perBlock),
    };
  }

  #isOutward(i) {
    return this.#roll(i, 0, 100) < 55;
  }

  #row(i) {
    this.#friends ??= this.#chain.accounts.crowd;
    const { block_number, transaction_index } = this.#place(i);
    const friend = this.#friends[this.#roll(i, 1, this.#friends.length)];
    const outward = this.#isOutward(i);
    const creates = outward && this.#roll(i, 2, 200) === 0;
    return {
      block_number,
      transaction_index,
      from: outward ? this.#hero : friend,
      to: creates ? null : outward ? friend : this.#hero,
      created: creates ? this.#chain.random("created", i).hex(20) : null,
      value: this.#roll(i, 3, 2) === 0 ? 0n : BigInt(this.#roll(i, 4, 2 ** 31)) * 1_000_000_007n,
      failed: this.#roll(i, 5, 33) === 0,
      method: creates ? "0x60806040" : METHODS[this.#roll(i, 6, METHODS.length)],
    };
  }

  /** One of several dice of a row: cheaper than a stream of chance. */
  #roll(i, die, sides) {
    return this.#mix((die << 24) + i) % sides;
  }

  /** An even hash of a number. */
  #mix(n) {
    let x = Math.imul(n ^ this.#salt, 0x9e3779b1);
    x = Math.imul(x ^ (x >>> 15), 0x85ebca6b);
    return (x ^ (x >>> 13)) >>> 0;
  }
}
