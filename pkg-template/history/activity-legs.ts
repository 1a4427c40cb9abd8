// The legs of an activity: what its events moved, added up by asset.
import type { Activity, ActivityLeg } from "./activity-types.js";
import type { Asset, Direction, HistoryEvent, TokenFee } from "./event.js";
import { getMovedAmount } from "./movement.js";

/** Adds up the amounts of events by asset. `fee` is a fee in a token, whose transfers are among the events. */
export function getLegs(moves: readonly HistoryEvent[], fee: TokenFee | undefined): Pick<Activity, "sent" | "received"> {
  const sums = new Map<string, { asset: Asset; sum: bigint; unknown: Direction[] }>();
  for (const event of moves) {
    const { asset, direction } = event;
    const isFeeToken = asset.type === "token" && asset.contract === fee?.contract;
    const initial = { asset, sum: isFeeToken ? BigInt(fee?.amount ?? 0) : 0n, unknown: [] };
    const entry = sums.get(getId(asset)) ?? initial;
    sums.set(getId(asset), entry);
    const amount = getMovedAmount(event);
    if (amount === null) entry.unknown.push(direction);
    else entry.sum += direction === "in" ? amount : -amount;
  }
  const list = (direction: Direction, sign: bigint) =>
    [...sums.values()].flatMap(({ asset, sum, unknown }): ActivityLeg[] => {
      if (unknown.length > 0) return unknown.includes(direction) ? [{ asset, amount: null }] : [];
      return sum * sign > 0n ? [{ asset, amount: String(sum * sign) }] : [];
    });
  return { sent: list("out", -1n), received: list("in", 1n) };
}

function getId(asset: Asset): string {
  return asset.type === "native" ? "" : `${asset.contract} ${asset.token_id ?? ""}`;
}

/** Whether the asset of an event is among the legs. */
export function hasLeg(legs: readonly ActivityLeg[], { asset }: HistoryEvent): boolean {
  return legs.some((leg) => getId(leg.asset) === getId(asset));
}

/** Counts the contracts of the legs. The native coin counts as one. */
export function countContracts(legs: readonly ActivityLeg[]): number {
  return new Set(legs.map(({ asset }) => (asset.type === "native" ? null : asset.contract))).size;
}

/** Whether coins moved between the address and the contract of a token, whose same amount moved the other way. `end` is the contract's. */
export function isWrap(
  [coin, ...coins]: readonly ActivityLeg[],
  [token, ...tokens]: readonly ActivityLeg[],
  coinMoves: readonly HistoryEvent[],
  end: "from" | "to",
): boolean {
  const [coinAsset, tokenAsset] = [coin?.asset, token?.asset];
  if (coins.length + tokens.length > 0 || coinAsset?.type !== "native" || tokenAsset?.type !== "token") return false;
  const isSameAmount = coin?.amount !== null && coin?.amount === token?.amount;
  return isSameAmount && coinMoves.every((event) => event[end] === tokenAsset.contract);
}
