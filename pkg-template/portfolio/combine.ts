// Combines what accounts hold: sums, values and spam.
import { fiatValue, sumDecimals } from "../public.js";
import type { AccountPortfolio, CollectionHolding, Holding, Portfolio, PortfolioDay, SpamHolding } from "./public-types.js";
import { createSpamFilter, findNftSpam } from "./spam.js";

/** Combines accounts that were just read, or that are part of an earlier portfolio. */
export function combine(read: readonly AccountPortfolio[]): Portfolio {
  const everything = read.flatMap(({ holdings, spam }) => [...holdings, ...spam]);
  const prices = findPrices(read);
  const getReason = createSpamFilter(everything);
  const accounts = read.map((account) => valueAccount(account, prices, getReason));
  const holdings = sortByValue(sumHoldings(accounts.flatMap(({ holdings }) => holdings)));
  const failed = ({ state }: AccountPortfolio) => state === "failed";
  return {
    complete: accounts.every(({ state }) => state === "complete"),
    value: sumValues(holdings),
    unpriced: holdings.filter(({ value }) => value === null).length,
    holdings,
    spam: sumHoldings(accounts.flatMap(({ spam }) => spam)),
    nfts: sumCollections(accounts.flatMap(({ nfts }) => nfts)),
    days: sumDays(accounts),
    accounts,
    priced_at:
      accounts
        .filter((account) => !failed(account))
        .map(({ read_at }) => read_at)
        .sort()[0] ?? null,
  };
}

/** Returns the price of each coin and token, as read last. Accounts are read at different times. */
function findPrices(accounts: readonly AccountPortfolio[]): ReadonlyMap<string, string> {
  const prices = new Map<string, string>();
  for (const { holdings, spam } of [...accounts].sort((a, b) => (a.read_at < b.read_at ? -1 : 1)))
    for (const { key, price } of [...holdings, ...spam]) if (price !== null) prices.set(key, price);
  return prices;
}

/** Values the holdings of an account, and takes the spam out. */
function valueAccount(
  account: AccountPortfolio,
  prices: ReadonlyMap<string, string>,
  getReason: (holding: Holding) => SpamHolding["reason"] | null,
): AccountPortfolio {
  const all = [...account.holdings, ...account.spam].map((holding): Holding => {
    const price = prices.get(holding.key) ?? null;
    const value = fiatValue(holding.amount, { decimals: holding.decimals, exchange_rate: price });
    return { ...holding, price, value };
  });
  const holdings = sortByValue(all.filter((holding) => getReason(holding) === null));
  const spam = all.flatMap((holding) => {
    const reason = getReason(holding);
    return reason === null ? [] : { ...holding, reason };
  });
  const nfts = account.nfts.map((collection) => ({ ...collection, spam: findNftSpam(collection.token) }));
  return { ...account, value: sumValues(holdings), holdings, spam, nfts };
}

const sumValues = (holdings: readonly Holding[]): string => sumDecimals(holdings.map(({ value }) => value));

/** Joins objects with equal keys. */
function joinByKey<Item extends { key: string }>(items: readonly Item[], join: (a: Item, b: Item) => Item): Item[] {
  const joined = new Map<string, Item>();
  for (const item of items) {
    const first = joined.get(item.key);
    joined.set(item.key, first === undefined ? item : join(first, item));
  }
  return [...joined.values()];
}

/** Adds up the holdings of one token on one chain. They have the same price, so that their values are the value of the sum. */
function sumHoldings<Item extends Holding>(holdings: readonly Item[]): Item[] {
  return joinByKey(holdings, (a, b) => {
    const amount = String(BigInt(a.amount) + BigInt(b.amount));
    return { ...a, amount, value: a.value === null ? null : sumDecimals([a.value, b.value]) };
  });
}

function sumCollections(collections: readonly CollectionHolding[]): CollectionHolding[] {
  return joinByKey(collections, (a, b) => {
    const amount = a.amount === null || b.amount === null ? null : String(BigInt(a.amount) + BigInt(b.amount));
    return { ...a, amount, instances: [...a.instances, ...b.instances] };
  });
}

function sumDays(accounts: readonly AccountPortfolio[]): PortfolioDay[] {
  const dates = [...new Set(accounts.flatMap(({ days }) => days.map(({ date }) => date)))].sort();
  return dates.map((date) => {
    const values = accounts.flatMap(({ days }) => days.find((day) => day.date === date)?.value ?? []);
    return { date, value: values.length > 0 ? sumDecimals(values) : null, missing: accounts.length - values.length };
  });
}

/** Sorts by value, highest first. The order of the service comes next. */
function sortByValue(holdings: readonly Holding[]): Holding[] {
  return [...holdings].sort((a, b) => Number(b.value ?? -1) - Number(a.value ?? -1));
}
