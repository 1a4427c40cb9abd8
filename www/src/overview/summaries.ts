// Sums the newest records by day, by month and by counterparty.
import type { Event } from "../records/sentence.js";

const DAY_MS = 86_400_000;
const WEEK = 7;

/** What happened on a day. */
export interface Day {
  /** The start in UTC, in Unix milliseconds. */
  time: number;
  transactions: number;
  transfers: number;
}

/** The days of the 53 weeks up to `now`, the oldest one a Sunday. */
export function toDays(events: readonly Event[], now: number): Day[] {
  const today = Math.floor(now / DAY_MS);
  const first = today - 52 * WEEK - new Date(today * DAY_MS).getUTCDay();
  const days = Array.from({ length: today - first + 1 }, (_, index) => ({
    time: (first + index) * DAY_MS,
    transactions: 0,
    transfers: 0,
  }));
  for (const { time, movements } of events) {
    const day = days[Math.floor(time / DAY_MS) - first];
    if (!day) continue;
    day.transactions += 1;
    day.transfers += movements.filter(({ token }) => token !== null).length;
  }
  return days;
}

/** Incoming and outgoing amounts of a month, in base units of one asset. */
export interface Month {
  /** The start in UTC, in Unix milliseconds. */
  time: number;
  incoming: bigint;
  outgoing: bigint;
}

const MONTHS = 12;

/** The last twelve months of the asset, the oldest one first. `token` null: the native coin. */
export function toMonths(events: readonly Event[], token: string | null, now: number): Month[] {
  const end = new Date(now);
  const months = Array.from({ length: MONTHS }, (_, index) => ({
    time: Date.UTC(end.getUTCFullYear(), end.getUTCMonth() - MONTHS + 1 + index),
    incoming: 0n,
    outgoing: 0n,
  }));
  for (const { amount, isIncoming, time } of events
    .flatMap(({ movements }) => movements)
    .filter((item) => item.token === token)) {
    const month = months.findLast((item) => item.time <= time);
    if (!month || amount === null) continue;
    if (isIncoming) month.incoming += BigInt(amount);
    else month.outgoing += BigInt(amount);
  }
  return months;
}

export interface Asset {
  /** The contract of a token. Null: the native coin. */
  token: string | null;
  symbol: string;
  decimals: number | string;
}

/** The tokens that moved, most frequent first. */
export function toTokens(events: readonly Event[]): Asset[] {
  const counts = new Map<string, { asset: Asset; count: number }>();
  for (const { token, symbol, decimals } of events.flatMap(({ movements }) => movements)) {
    if (token === null || decimals === null) continue;
    const entry = counts.get(token) ?? { asset: { token, symbol, decimals }, count: 0 };
    entry.count += 1;
    counts.set(token, entry);
  }
  return [...counts.values()].sort((a, b) => b.count - a.count).map(({ asset }) => asset);
}

export interface Counterparty {
  address: string;
  /** Transactions with it. */
  count: number;
}

/** The counterparties of the address, most frequent first. The contract of a token that was sent is none. */
export function toCounterparties(events: readonly Event[], own: string): Counterparty[] {
  const counts = new Map<string, number>();
  for (const { to, movements } of events) {
    const called = movements.some(({ token }) => token === to) ? null : to;
    const others = new Set([called, ...movements.map(({ counterparty }) => counterparty)]);
    others.delete(own.toLowerCase());
    others.delete(null);
    for (const other of others) if (other) counts.set(other, (counts.get(other) ?? 0) + 1);
  }
  return [...counts].map(([address, count]) => ({ address, count })).sort((a, b) => b.count - a.count);
}
