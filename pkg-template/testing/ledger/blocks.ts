// Blocks and their producers.

import type { Chain } from "./chain.js";
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
export function getMinedBlock(chain: Chain, i: number): number {
  return HEAD_BLOCK - 1 - i * MINED_BLOCK_GAP - chain.createRandom("mined", i).nextInt(MINED_BLOCK_GAP);
}

/** Makes the row of a block that the sample address `producer` did not produce. */
export function makeBlock(chain: Chain, block_number: number, type: BlockRow["type"] = "block"): BlockRow {
  return { block_number, type, miner: chain.createRandom("miner", type, block_number).pick(chain.validators) };
}

/** Makes the listed blocks of the chain up to the first head, unsorted: canonical ones, uncles and reorganised ones. */
export function makeBlocks(chain: Chain): BlockRow[] {
  const { producer } = chain.accounts.sampleHashes;
  const mined = new Set(Array.from({ length: MINED_BLOCK_COUNT }, (_, i) => getMinedBlock(chain, i)));
  const recent = Array.from({ length: RECENT_BLOCK_COUNT }, (_, i) => HEAD_BLOCK - i).filter((block) => !mined.has(block));
  return [
    ...[...mined].map((block_number) => ({ block_number, type: "block" as const, miner: producer })),
    ...recent.map((block) => makeBlock(chain, block)),
    ...Array.from({ length: UNCLE_COUNT }, (_, i) => makeBlock(chain, HEAD_BLOCK - 31 * (i + 1), "uncle")),
    ...Array.from({ length: REORG_COUNT }, (_, i) => makeBlock(chain, HEAD_BLOCK - 97 * (i + 1), "reorg")),
  ];
}
