// The deep history: 60,000 transactions of one address, and two in each block that is added to the chain.

import type { LedgerContext } from "./context.js";
import { HEAD_BLOCK } from "./positions.js";
import type { TransactionRow } from "./rows.js";
import { METHODS } from "./sample-addresses.js";

/** Dense and sparse ranges of blocks: one of every `gap` blocks has `perBlock` of the `count` transactions. */
const BLOCK_RANGES = [
  { count: 4_000, firstBlock: 9_000_000, gap: 2_000, perBlock: 1 },
  { count: 22_000, firstBlock: 19_000_000, gap: 1, perBlock: 4 },
  { count: 14_000, firstBlock: 19_100_000, gap: 100, perBlock: 1 },
  { count: 12_000, firstBlock: 21_000_000, gap: 1, perBlock: 150 },
  { count: 8_000, firstBlock: 22_500_000, gap: 300, perBlock: 2 },
];
const INITIAL_COUNT = BLOCK_RANGES.reduce((sum, { count }) => sum + count, 0);
const TRANSACTIONS_PER_NEW_BLOCK = 2;
/** The value of the first transaction, in wei: more than the others spend together. */
const FUNDING = 25_000n * 10n ** 18n;
/** More than the number of rows. */
const FORK_SALT = 1_000_003;
/** Higher than the transaction indices of all lanes (positions.js). */
const FIRST_TRANSACTION_INDEX = 200;

export function makeDeepRows(context: LedgerContext): TransactionRow[] {
  const { randomInt, makeRow } = createRowMaker(context);
  let start = 0;
  return BLOCK_RANGES.flatMap(({ count, firstBlock, gap, perBlock }) => {
    const first = start;
    start += count;
    return Array.from({ length: count }, (_, i) => {
      const block = Math.floor(i / perBlock);
      const block_number = firstBlock + block * gap + randomInt(first + block, 7, gap);
      return makeRow(first + i, block_number, FIRST_TRANSACTION_INDEX + (i % perBlock));
    });
  });
}

/** Makes the rows of a block that is added to the chain. The last one does not fail. */
export function makeNewDeepRows(context: LedgerContext, block_number: number): TransactionRow[] {
  const { makeRow } = createRowMaker(context, context.getForkNumber(block_number) * FORK_SALT);
  const first = INITIAL_COUNT + TRANSACTIONS_PER_NEW_BLOCK * (block_number - HEAD_BLOCK - 1);
  return Array.from({ length: TRANSACTIONS_PER_NEW_BLOCK }, (_, i) => {
    const row = makeRow(first + i, block_number, FIRST_TRANSACTION_INDEX + i);
    return i === TRANSACTIONS_PER_NEW_BLOCK - 1 ? { ...row, hasFailed: false } : row;
  });
}

/**
 * Creates the function that makes a row. It writes all members at once, because there are many rows.
 * Rows of a replacement block differ from the rows of the original block by `forkSalt`.
 */
function createRowMaker(context: LedgerContext, forkSalt = 0) {
  const { sampleHashes, otherHashes } = context.accounts;
  const salt = context.createRandom("deep").nextUint32();
  /** A random integer below `limit` for row `i`. Each `use` gives the row another value. Cheaper than a generator per row. */
  const randomInt = (i: number, use: number, limit: number) => hash(((use << 24) + i + forkSalt) ^ salt) % limit;
  const makeRow = (i: number, block_number: number, transaction_index: number): TransactionRow => {
    const counterparty = otherHashes[randomInt(i, 1, otherHashes.length)] as string;
    const isOutgoing = i > 0 && randomInt(i, 0, 100) < 55;
    const isCreation = isOutgoing && randomInt(i, 2, 200) === 0;
    return {
      block_number,
      transaction_index,
      from: isOutgoing ? sampleHashes.deep : counterparty,
      to: isCreation ? null : isOutgoing ? counterparty : sampleHashes.deep,
      createdContract: isCreation ? context.createRandom("created", i).nextHex(20) : null,
      value: i === 0 ? FUNDING : randomInt(i, 3, 2) === 0 ? 0n : BigInt(randomInt(i, 4, 2 ** 31)) * 1_000_000_007n,
      hasFailed: i > 0 && randomInt(i, 5, 33) === 0,
      method: isCreation ? "0x60806040" : (METHODS[randomInt(i, 6, METHODS.length)] ?? null),
    };
  };
  return { randomInt, makeRow };
}

/** A uniform 32-bit hash of a number. */
function hash(n: number): number {
  let x = Math.imul(n, 0x9e3779b1);
  x = Math.imul(x ^ (x >>> 15), 0x85ebca6b);
  return (x ^ (x >>> 13)) >>> 0;
}
