// Blocks and their producers.

import type { LedgerContext } from "./context.js";
import { HEAD_BLOCK } from "./positions.js";
import type { BlockRow } from "./rows.js";

/** The number of blocks that the sample address `producer` produced. */
export const MINED_BLOCK_COUNT = 12_500;
const MINED_BLOCK_GAP = 17;
/** Older blocks are listed only if the sample address `producer` produced them. */
const RECENT_BLOCK_COUNT = 2000;
const UNCLE_COUNT = 60;
const REORG_COUNT = 3;

/** Returns the number of the i-th block of the sample address `producer`, newest first. */
export function getMinedBlock(context: LedgerContext, i: number): number {
  return HEAD_BLOCK - 1 - i * MINED_BLOCK_GAP - context.createRandom("mined", i).nextInt(MINED_BLOCK_GAP);
}

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
