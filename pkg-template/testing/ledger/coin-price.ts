// The price of the native coin.

import type { Chain } from "./chain.js";

/** The current price of the native coin, in US dollars. */
export const COIN_PRICE = "2650.17";

/** Returns the price on the day of a block, in US dollars. */
export function getHistoricCoinPrice(chain: Chain, block: number): string {
  const day = chain.getTimestamp(block).slice(0, 10);
  const cents = 180_000 + chain.createRandom("coin price", day).nextInt(170_000);
  return (cents / 100).toFixed(2);
}
