// Recognises tokens that are probably spam: sent to many addresses, to lure users to a site or to pass for another token.
import type { Token } from "../public.js";
import type { Holding, SpamReason } from "./public-types.js";

const BAIT =
  /\b(?:airdrop|bonus|claim|free|gift|reward|visit|voucher|winner)s?\b|https?:|\bt\.me\b|\.(?:com|org|net|io|xyz|app|site|top|example)\b/i;

/** Letters and digits only, so that "USD.C" and "USDC" are the same. */
function simplify(text: string | null): string {
  return (text ?? "")
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, "");
}

/** Returns a function that says why a holding is probably spam. Null: no suspicion. A token with a price is none, unless it is a scam. */
export function createSpamFilter(holdings: readonly Holding[]): (holding: Holding) => SpamReason | null {
  const isPriced = ({ price, token }: Holding) => price !== null && token?.reputation !== "scam";
  const getNames = ({ chain_id, name, symbol }: Holding) =>
    [name, symbol].flatMap((text) => (simplify(text) ? `${chain_id} ${simplify(text)}` : []));
  const priced = new Set(holdings.filter(isPriced).flatMap(getNames));
  return (holding) => {
    const { name, symbol, price, token } = holding;
    if (token?.reputation === "scam") return "scam_token";
    if (price !== null || token === null) return null;
    if (BAIT.test(`${name} ${symbol}`)) return "advertising";
    return getNames(holding).some((text) => priced.has(text)) ? "copied_name" : null;
  };
}

/** Returns why a collection is probably spam. Null: no suspicion. */
export function findNftSpam({ name, symbol, reputation, exchange_rate }: Token): SpamReason | null {
  if (reputation === "scam") return "scam_token";
  return exchange_rate === null && BAIT.test(`${name} ${symbol}`) ? "advertising" : null;
}
