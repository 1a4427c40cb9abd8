// The rules for what an event moves and pays, which the accounting columns, the audit, the values and the templates share.
import { NATIVE } from "./draft.js";
import type { Asset, HistoryEvent } from "./event.js";

/** Returns the amount that an event moved, in base units. Null: not known, or encrypted. */
export function getMovedAmount({ amount, success }: Pick<HistoryEvent, "amount" | "success">): bigint | null {
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

/** Returns the fee of an event or activity as an amount of the coin or token that it was paid in. */
export function getFeeLeg({ fee, token_fee }: Pick<HistoryEvent, "fee" | "token_fee">): Pick<HistoryEvent, "asset" | "amount"> {
  if (!token_fee) return { asset: NATIVE, amount: fee };
  const { amount, ...token } = token_fee;
  return { asset: { type: "token", standard: null, name: null, token_id: null, ...token }, amount };
}

/** Returns the decimals of an amount: 0 for a single NFT, whatever decimals its contract declares. */
export function getDecimals(asset: Asset, amount: string | null): string | null {
  const isNft = asset.type === "token" && asset.token_id !== null && asset.standard !== "ERC-1155" && amount === "1";
  return isNft ? "0" : asset.decimals;
}
