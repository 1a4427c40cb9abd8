// Recognises tokens that are probably spam: sent to many addresses, to lure users to a site or to pass for another token.
import type { Token, TokenBalance } from "address-query";

const BAIT =
  /\b(?:airdrop|bonus|claim|free|gift|reward|visit|voucher|winner)s?\b|https?:|\bt\.me\b|\.(?:com|org|net|io|xyz|app|site|top|example)\b/i;

/** Letters and digits only, so that "USD.C" and "USDC" are the same. */
const simplify = (text: string | null): string =>
  (text ?? "")
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, "");

/** Returns why a holding is probably spam, or null. Tokens with a price never are, unless the instance says so. */
export function createSpamFilter(holdings: readonly TokenBalance[]): (holding: TokenBalance) => string | null {
  const priced = new Map<string, Token>();
  for (const { token } of holdings) {
    if (!token?.exchange_rate || token.reputation === "scam") continue;
    for (const text of [token.name, token.symbol]) if (simplify(text)) priced.set(simplify(text), token);
  }
  return ({ token }) => {
    if (token === null) return null;
    if (token.reputation === "scam") return "flagged by the instance";
    if (token.exchange_rate !== null) return null;
    if (BAIT.test(`${token.name} ${token.symbol}`)) return "its name contains advertising";
    const isCopy = [token.name, token.symbol].some((text) => priced.has(simplify(text)));
    return isCopy ? "it copies the name of another token" : null;
  };
}
