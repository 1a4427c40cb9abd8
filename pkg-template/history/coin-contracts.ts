// Transfers of token contracts whose token is the native coin: they repeat movements that transactions and internal transactions
// already have.
import { COIN_CONTRACTS } from "../entry-support.js";
import type { Draft } from "./draft.js";
import type { TokenAsset } from "./event.js";
import { getMovedAmount } from "./movement.js";

/**
 * Returns the drafts of a block without transfers of the coin that repeat other drafts: equal movements in the same transaction,
 * and the fees of the address's transactions. Other transfers remain, because some of these contracts move the coin in no other
 * way.
 */
export function removeRepeatedTransfers(drafts: readonly Draft[], transactions: ReadonlyMap<string | null, Draft>): Draft[] {
  const getMovement = ({ event }: Draft) => [event.transaction_hash, event.direction, getMovedAmount(event)].join();
  const movements = drafts.filter(({ event }) => event.asset.type === "native").map(getMovement);
  return drafts.filter((draft) => {
    const { asset, transaction_hash, from, to } = draft.event;
    const feeCollector = COIN_CONTRACTS.get((asset as TokenAsset).contract);
    if (feeCollector === undefined) return true;
    const isFee = from === feeCollector || to === feeCollector;
    if (isFee && (transactions.get(transaction_hash)?.event.direction ?? "in") !== "in") return false;
    const index = movements.indexOf(getMovement(draft));
    return index < 0 || movements.splice(index, 1).length === 0;
  });
}
