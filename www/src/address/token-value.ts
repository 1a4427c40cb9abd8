// The fiat value of all tokens that an address holds.
import { type AddressClient, fiatValue, sumDecimals } from "address-query";
import { formatAmountPair } from "../format/number.js";

/** The service lists the most valuable tokens first, so that further pages rarely have any with a price. */
const MAX_PAGES = 2;

export interface TokenValue {
  /** A decimal string, like `dollars` of the holdings. */
  dollars: string;
  /** The tokens with a price: their names, amounts and values. Untrusted. */
  holdings: { name: string; detail: string; dollars: string }[];
  /** Number of tokens with a price. */
  count: number;
  /** Whether there may be more tokens with a price. */
  isPartial: boolean;
}

export async function readTokenValue(client: AddressClient, address_hash: string): Promise<TokenValue> {
  const value: TokenValue = { dollars: "0", holdings: [], count: 0, isPartial: true };
  let resume: string | null = null;
  for (let page = 0; page < MAX_PAGES; page++) {
    const { items, resumeToken }: Awaited<ReturnType<AddressClient["addressTokens"]>> = await client.addressTokens(
      { address_hash },
      resume === null ? {} : { resume },
    );
    for (const item of items) {
      const dollars = item.token?.reputation === "scam" ? null : fiatValue(item);
      if (dollars === null) continue;
      const { token } = item;
      const amount = item.value === null ? null : formatAmountPair(item.value, token?.decimals ?? null);
      const [name, symbol] = [token?.name || token?.symbol || "Unnamed token", token?.symbol ?? ""];
      value.holdings.push({ name, detail: `${amount?.brief ?? ""} ${symbol}`.trim(), dollars });
      value.dollars = sumDecimals([value.dollars, dollars]);
      value.count += 1;
    }
    const isLastPriced = items.at(-1)?.token?.exchange_rate === null;
    resume = resumeToken;
    if (resume === null || isLastPriced) return { ...value, isPartial: false };
  }
  return value;
}
