// The points of the charts of a balance.
import { type AddressClient, type DailyCoinBalance, type DailyPrice, fiatValue } from "address-query";
import { readShared } from "../address/shared-reading.js";
import { formatAmountPair, formatFiat, formatInteger } from "../format/number.js";
import { formatDay } from "../format/time.js";
import type { Coin } from "../service/service.js";
import type { LinePoint } from "./line.js";

/** The chart by block shows at most so many of the newest changes. */
export const MAX_CHANGES = 500;

/** What a chart shows: the balance by day or by block, or its worth by day. */
export type Unit = "day" | "block" | "worth";

/** The balance at the end of each day that changed it, and the prices of the coin. */
export interface DailyBalances {
  balances: readonly DailyCoinBalance[];
  /** Of the last month. Empty: the instance has no prices, or they could not be read. A balance chart works without prices. */
  prices: readonly DailyPrice[];
}

/** Reads the balances once for all charts, with `readShared`. */
export async function readDailyBalances(client: AddressClient, address_hash: string): Promise<DailyBalances> {
  const [{ items: balances }, prices] = await Promise.all([
    client.addressCoinBalanceHistoryByDay({ address_hash }),
    client.marketChart().then(
      ({ chart_data }) => chart_data,
      () => [],
    ),
  ]);
  const isOlder = (a: { date: string }, b: { date: string }) => a.date.localeCompare(b.date);
  return { balances: [...balances].sort(isOlder), prices: [...prices].sort(isOlder) };
}

const toText = (wei: string, { decimals, symbol }: Coin): string => `${formatAmountPair(wei, decimals)?.brief ?? ""} ${symbol}`;

const toDayPoint = (date: string, value: string | number, text: string): LinePoint[] => {
  const time = Date.parse(date);
  return Number.isNaN(time) ? [] : [{ time, value: Number(value), date: formatDay(date), text }];
};

/** The balance of each day that changed it, oldest first. */
export const toBalancePoints = ({ balances, prices }: DailyBalances, coin: Coin): LinePoint[] =>
  balances.flatMap(({ date, value }) => {
    const price = prices.find((day) => day.date === date)?.closing_price;
    const dollars = fiatValue(value, { ...coin, exchange_rate: price });
    const text = toText(value, coin) + (dollars === null ? "" : ` (${formatFiat(dollars)})`);
    return toDayPoint(date, formatAmountPair(value, coin.decimals)?.exact ?? 0, text);
  });

/**
 * What the balance was worth on each day that has a price, oldest first. A balance stays the same until its next change; before the first
 * one it is not known.
 */
export const toWorthPoints = ({ balances, prices }: DailyBalances, coin: Coin): LinePoint[] =>
  prices.flatMap(({ date, closing_price: exchange_rate }) => {
    const wei = balances.findLast((change) => change.date <= date)?.value ?? null;
    const dollars = fiatValue(wei, { ...coin, exchange_rate });
    return wei === null || dollars === null ? [] : toDayPoint(date, dollars, `${formatFiat(dollars)} for ${toText(wei, coin)}`);
  });

/** The balance of the newest blocks that changed it, oldest first. */
async function readByBlock(client: AddressClient, address_hash: string, coin: Coin, signal: AbortSignal): Promise<LinePoint[]> {
  const changes = await client.addressCoinBalanceHistory({ address_hash }, { signal }).toArray({ limit: MAX_CHANGES });
  const points = changes.map(({ block_number: time, value }) => ({
    time,
    value: Number(formatAmountPair(value, coin.decimals)?.exact ?? 0),
    date: `Block ${formatInteger(time)}`,
    text: toText(value, coin),
  }));
  // The newest of several changes in a block comes first.
  return points.filter(({ time }, index) => time !== points[index - 1]?.time).reverse();
}

/** Reads the points of a chart, oldest first. */
export async function readPoints(
  client: AddressClient,
  address: string,
  coin: Coin,
  unit: Unit,
  signal: AbortSignal,
): Promise<LinePoint[]> {
  if (unit === "block") return readByBlock(client, address, coin, signal);
  const daily = await readShared(client, address, readDailyBalances);
  return (unit === "worth" ? toWorthPoints : toBalancePoints)(daily, coin);
}
