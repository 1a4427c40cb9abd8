// The rule for what an event moves, which the accounting columns and the audit share.
import type { HistoryEvent } from "./event.js";

/** Returns the amount that an event moved, in base units. Null: not known, or encrypted. */
export function getMovedAmount({ amount, success }: HistoryEvent): bigint | null {
  if (success === false) return 0n;
  return amount === null ? null : BigInt(amount);
}

/** Returns how an event changed the balance of its asset, in base units. Null: not known, or encrypted. */
export function getBalanceChange(event: HistoryEvent): bigint | null {
  const { direction, fee, kind, token_fee } = event;
  const amount = direction === "self" ? 0n : getMovedAmount(event);
  const isFeeMissing = kind === "transaction" && direction !== "in" && fee === null && token_fee === undefined;
  if (amount === null || isFeeMissing) return null;
  return (direction === "in" ? amount : -amount) - BigInt(fee ?? 0);
}
