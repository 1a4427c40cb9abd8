// What an event moves: the rule that the accounting columns and the audit share.
import type { HistoryEvent } from "./event.js";

/** Returns the amount that an event moved, in base units. Null: not known, or encrypted. */
export function getMovedAmount({ amount, success }: HistoryEvent): bigint | null {
  if (success === false) return 0n;
  return amount === null ? null : BigInt(amount);
}
