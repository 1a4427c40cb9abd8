// The orders of token holdings.
import { fiatValue, type TokenBalance } from "address-query";
import { formatAmountPair } from "../format/number.js";

type Compare = (a: TokenBalance, b: TokenBalance) => number;

const collator = new Intl.Collator(undefined, { sensitivity: "base", numeric: true });
const toAmount = ({ value, token }: TokenBalance): number =>
  value === null ? -1 : Number(formatAmountPair(value, token?.decimals ?? null)?.exact ?? value);
const toPrice = ({ token }: TokenBalance): number => Number(token?.exchange_rate ?? -1);
const toName = ({ token }: TokenBalance): string => token?.name || token?.symbol || "\uffff";

/** The comparison functions, by column. */
const COMPARISONS: Readonly<Record<string, Compare>> = {
  token: (a, b) => collator.compare(toName(a), toName(b)),
  balance: (a, b) => toAmount(a) - toAmount(b),
  price: (a, b) => toPrice(a) - toPrice(b),
  value: (a, b) => Number(fiatValue(a) ?? -1) - Number(fiatValue(b) ?? -1),
};

/** Sorts by an order such as `value-desc`. An unknown order leaves the order of the service: by value, highest first. */
export function sortHoldings(holdings: readonly TokenBalance[], order: string): readonly TokenBalance[] {
  const [column = "", direction] = order.split("-");
  const compare = COMPARISONS[column];
  if (!compare) return holdings;
  const sign = direction === "asc" ? 1 : -1;
  return [...holdings].sort((a, b) => sign * compare(a, b));
}
