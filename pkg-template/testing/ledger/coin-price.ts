// The price of the native coin.

import type { LedgerContext } from "./context.js";
import { HEAD_BLOCK } from "./positions.js";

/** The current price of the native coin, in US dollars. */
export const COIN_PRICE = "2650.17";

const BLOCKS_PER_DAY = 7200;
/** The waves of the price: their length in days, and their height as a share of the price. */
const WAVES = [
  [365, 0.16],
  [101, 0.09],
  [31, 0.04],
] as const;
const MAX_NOISE_PERMILLE = 30;

/** Returns the price on the day of a block, in US dollars. It moves by a few percent each day, and ends at the current price. */
export function getHistoricCoinPrice(context: LedgerContext, block: number): string {
  const day = context.getTimestamp(block).slice(0, 10);
  const age = Math.ceil((HEAD_BLOCK - block) / BLOCKS_PER_DAY);
  const waves = WAVES.map(([length, height]) => height * Math.sin((2 * Math.PI * age) / length));
  const noise = (context.createRandom("coin price", day).nextInt(MAX_NOISE_PERMILLE) - MAX_NOISE_PERMILLE / 2) / 1000;
  return (Number(COIN_PRICE) * (1 + noise + waves.reduce((sum, wave) => sum + wave))).toFixed(2);
}
