// The points of the chart of a balance.
import { type AddressClient, fiatValue } from "address-query";
import { readShared } from "../address/shared-reading.js";
import { formatAmountPair, formatInteger } from "../format/number.js";
import { formatDay } from "../format/time.js";
import { readDailyBalances, toWorth } from "./worth.js";

/** The chart by block shows at most this many pages of the newest changes. */
const MAX_PAGES = 10;

export interface Point {
  /** Unix time in seconds, or the block number. */
  x: number;
  /** The balance in whole coins, as precise as a chart needs. */
  y: number;
  /** The label of `x`: a day or a block. */
  when: string;
  /** The balance in wei. */
  wei: string;
  /** What it was worth, as a decimal string. Null: the day has no price. */
  dollars: string | null;
}

/** What a chart shows: the balance by day or by block, or its worth by day. */
export type Unit = "day" | "block" | "worth";

export interface BalancePoints {
  /** Oldest first. */
  points: Point[];
  /** Whether there are older points. */
  isPartial: boolean;
}

type ReadPoints = (client: AddressClient, address_hash: string, decimals: number, signal: AbortSignal) => Promise<BalancePoints>;

const toCoins = (wei: string, decimals: number): number => Number(formatAmountPair(wei, decimals)?.exact ?? 0);

async function readByDay(client: AddressClient, address_hash: string, decimals: number): Promise<BalancePoints> {
  const { balances, prices } = await readShared(client, address_hash, readDailyBalances);
  const priceOf = new Map(prices.map(({ date, closing_price }) => [date, closing_price]));
  const points = balances.map(({ date, value }) => ({
    x: Date.parse(date) / 1000,
    y: toCoins(value, decimals),
    when: formatDay(date),
    wei: value,
    dollars: fiatValue(value, { decimals, exchange_rate: priceOf.get(date) }),
  }));
  return { points: ascending(points.filter(({ x }) => !Number.isNaN(x))), isPartial: false };
}

async function readWorth(client: AddressClient, address_hash: string, decimals: number): Promise<BalancePoints> {
  const daily = await readShared(client, address_hash, readDailyBalances);
  const points = toWorth(daily, decimals).map(({ day, wei, dollars }) => ({
    x: Date.parse(day) / 1000,
    y: Number(dollars),
    when: formatDay(day),
    wei,
    dollars,
  }));
  return { points: ascending(points), isPartial: false };
}

async function readByBlock(
  client: AddressClient,
  address_hash: string,
  decimals: number,
  signal: AbortSignal,
): Promise<BalancePoints> {
  const points: Point[] = [];
  let resume: string | null = null;
  for (let page = 0; page < MAX_PAGES; page++) {
    const { items, resumeToken }: Awaited<ReturnType<AddressClient["addressCoinBalanceHistory"]>> =
      await client.addressCoinBalanceHistory({ address_hash }, { signal, ...(resume === null ? {} : { resume }) });
    for (const { block_number: x, value } of items)
      points.push({ x, y: toCoins(value, decimals), when: `Block ${formatInteger(x)}`, wei: value, dollars: null });
    resume = resumeToken;
    if (resume === null) break;
  }
  return { points: ascending(points), isPartial: resume !== null };
}

/** Reads the points of a chart, by what it shows. */
export const POINTS: Readonly<Record<Unit, ReadPoints>> = { day: readByDay, block: readByBlock, worth: readWorth };

/** Sorts by time, keeping only the last of several points with the same time: charts need strictly increasing values. */
function ascending(points: readonly Point[]): Point[] {
  const sorted = [...points].sort((a, b) => a.x - b.x);
  return sorted.filter(({ x }, index) => x !== sorted[index + 1]?.x);
}
