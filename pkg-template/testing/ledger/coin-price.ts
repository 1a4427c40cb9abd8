// The price of the native coin.

import type { LedgerContext } from "./context.js";

/** The current price of the native coin, in US dollars. */
export const COIN_PRICE = "2650.17";

/** Returns the price on the day of a block, in US dollars. */
export function getHistoricCoinPrice(context: LedgerContext, block: number): string {
  const day = context.getTimestamp(block).slice(0, 10);
  const cents = 180_000 + context.createRandom("coin price", day).nextInt(170_000);
  return (cents / 100).toFixed(2);
}
