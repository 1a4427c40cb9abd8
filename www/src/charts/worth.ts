// What a balance was worth on each day that has a price. The service has prices of the native coin for the last month.
import { type AddressClient, type DailyCoinBalance, type DailyPrice, fiatValue } from "address-query";

export interface DayWorth {
  /** As in ISO 8601, in UTC. */
  day: string;
  /** The balance at the end of the day in wei. */
  wei: string;
  /** A decimal string. */
  dollars: string;
}

/** The balance at the end of each day that changed it, and the prices of the coin. */
export interface DailyBalances {
  balances: readonly DailyCoinBalance[];
  /** Empty: the instance has no prices, or they could not be read. A balance chart works without prices. */
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
  return { balances, prices };
}

/** Oldest first. A balance stays the same until its next change; before the first one it is not known. */
export function toWorth({ balances, prices }: DailyBalances, decimals: number): DayWorth[] {
  const changes = [...balances].sort((a, b) => a.date.localeCompare(b.date));
  return [...prices]
    .sort((a, b) => a.date.localeCompare(b.date))
    .flatMap(({ date, closing_price }) => {
      const wei = changes.findLast((change) => change.date <= date)?.value ?? null;
      const dollars = fiatValue(wei, { decimals, exchange_rate: closing_price });
      return wei === null || dollars === null ? [] : [{ day: date, wei, dollars }];
    });
}
