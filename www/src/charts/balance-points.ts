// The points of the chart of a balance.
import type { AddressClient } from "address-query";
import { formatAmountPair, formatInteger } from "../format/number.js";
import { formatDay } from "../format/time.js";

/** The chart by block shows at most this many pages of the newest changes. */
const MAX_PAGES = 10;

export interface Point {
  /** Unix time in seconds, or the block number. */
  x: number;
  /** The balance in whole coins, as precise as a chart needs. */
  y: number;
  /** When it was: a day, or a block. */
  when: string;
  /** The balance in wei. */
  wei: string;
}

export interface BalancePoints {
  /** Oldest first. */
  points: Point[];
  /** Whether there are older points. */
  isPartial: boolean;
}

const toCoins = (wei: string, decimals: number): number => Number(formatAmountPair(wei, decimals)?.exact ?? 0);

export async function readByDay(
  client: AddressClient,
  address_hash: string,
  decimals: number,
  signal: AbortSignal,
): Promise<BalancePoints> {
  const { items } = await client.addressCoinBalanceHistoryByDay({ address_hash }, { signal });
  const points = items
    .map(({ date, value }) => ({ x: Date.parse(date) / 1000, y: toCoins(value, decimals), when: formatDay(date), wei: value }))
    .filter(({ x }) => !Number.isNaN(x));
  return { points: ascending(points), isPartial: false };
}

export async function readByBlock(
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
      points.push({ x, y: toCoins(value, decimals), when: `Block ${formatInteger(x)}`, wei: value });
    resume = resumeToken;
    if (resume === null) break;
  }
  return { points: ascending(points), isPartial: resume !== null };
}

/** Sorted by time, with the last one of points at the same time: charts need increasing values. */
function ascending(points: readonly Point[]): Point[] {
  const sorted = [...points].sort((a, b) => a.x - b.x);
  return sorted.filter(({ x }, index) => x !== sorted[index + 1]?.x);
}
