// The newest activities of an address, and their sums by day, by month and by counterparty.
import type { AddressClient } from "address-query";
import {
  type Activity,
  type ActivityLeg,
  type ActivityParty,
  activities,
  type HistoryKind,
  mergeHistories,
  withValues,
} from "address-query/history";
import { now } from "../format/clock.js";
import { isSameAddress } from "../format/text.js";

/** Events of one kind that the first page of its list has at most. */
const PAGE_SIZE = 50;
/** Events that are read next: about a year of an ordinary wallet. */
const MAX_EVENTS = 650;

const toTime = ({ timestamp }: Activity): number => Date.parse(timestamp ?? "");

/** The newest activities of an address, as far as the first page of each list goes. */
export class Recent {
  /** Newest first. */
  readonly activities: Activity[] = [];
  /** There may be more before this time, in Unix milliseconds. Null: these are all. */
  since: number | null = null;
  /** Whether the first pages go back a month, so that few more have a year. */
  isSparse = false;
  readonly #call;

  constructor(client: AddressClient, address_hash: string) {
    // Unlike the history of one address, a merged one requests a page only when it is needed.
    this.#call = withValues(client, activities(mergeHistories([{ client, address_hash }])));
  }

  /** Reads older activities, until one kind has `max` more events. */
  async readMore(max = MAX_EVENTS): Promise<this> {
    const counts = new Map<HistoryKind, number>();
    while (Math.max(0, ...counts.values()) < max) {
      const [activity] = await this.#call.more(1);
      if (!activity) {
        this.since = null;
        return this;
      }
      this.activities.push(activity);
      this.since = toTime(activity);
      for (const { kind } of activity.events) counts.set(kind, (counts.get(kind) ?? 0) + 1);
    }
    return this;
  }
}

const DAY_MS = 86_400_000;
const WEEK = 7;
const MONTH_MS = 30 * DAY_MS;

/** Reads the first pages, but not their last events, behind which the next page is requested. */
export async function readRecent(client: AddressClient, address_hash: string): Promise<Recent> {
  const recent = await new Recent(client, address_hash).readMore(PAGE_SIZE - 10);
  recent.isSparse = recent.since !== null && recent.since < now() - MONTH_MS;
  return recent;
}

/** What happened on a day. */
export interface Day {
  /** The start in UTC, in Unix milliseconds. */
  time: number;
  transactions: number;
  transfers: number;
}

/** The days of the 53 weeks up to `now`, the oldest one a Sunday. */
export function toDays(recent: readonly Activity[], now: number): Day[] {
  const today = Math.floor(now / DAY_MS);
  const first = today - 52 * WEEK - new Date(today * DAY_MS).getUTCDay();
  const days = Array.from({ length: today - first + 1 }, (_, index) => ({
    time: (first + index) * DAY_MS,
    transactions: 0,
    transfers: 0,
  }));
  for (const activity of recent) {
    const day = days[Math.floor(toTime(activity) / DAY_MS) - first];
    if (!day) continue;
    day.transactions += 1;
    day.transfers += activity.events.filter(({ kind }) => kind === "token_transfer").length;
  }
  return days;
}

/** The contract of a token without ids, or "" for the native coin. Null: an NFT. */
const toContract = ({ asset }: ActivityLeg): string | null =>
  asset.type === "native" ? "" : asset.token_id === null ? asset.contract : null;

const sum = (legs: readonly ActivityLeg[], contract: string): bigint =>
  legs.filter((leg) => toContract(leg) === contract).reduce((total, { amount }) => total + BigInt(amount ?? 0), 0n);

/** Incoming and outgoing amounts of a month, in base units of one asset. */
export interface Month {
  /** The start in UTC, in Unix milliseconds. */
  time: number;
  incoming: bigint;
  outgoing: bigint;
}

const MONTHS = 12;

/** The last twelve months of the asset, the oldest one first. `contract` "": the native coin. */
export function toMonths(recent: readonly Activity[], contract: string, now: number): Month[] {
  const end = new Date(now);
  const months = Array.from({ length: MONTHS }, (_, index) => ({
    time: Date.UTC(end.getUTCFullYear(), end.getUTCMonth() - MONTHS + 1 + index),
    incoming: 0n,
    outgoing: 0n,
  }));
  for (const activity of recent) {
    const month = months.findLast(({ time }) => time <= toTime(activity));
    if (!month) continue;
    month.incoming += sum(activity.received, contract);
    month.outgoing += sum(activity.sent, contract);
  }
  return months;
}

export interface Asset {
  /** The contract of a token. "": the native coin. */
  contract: string;
  symbol: string;
  decimals: number | string;
}

/** The tokens that moved, most frequent first, without those of spam. */
export function toTokens(recent: readonly Activity[]): Asset[] {
  const counts = new Map<string, { asset: Asset; count: number }>();
  for (const leg of recent.filter(({ marks }) => marks.length === 0).flatMap(({ sent, received }) => [...sent, ...received])) {
    const [contract, { asset }] = [toContract(leg), leg];
    if (!contract || asset.type === "native" || asset.decimals === null) continue;
    const { decimals } = asset;
    const entry = counts.get(contract) ?? {
      asset: { contract, symbol: asset.symbol || asset.name || "", decimals },
      count: 0,
    };
    entry.count += 1;
    counts.set(contract, entry);
  }
  return [...counts.values()].sort((a, b) => b.count - a.count).map(({ asset }) => asset);
}

export interface Counterparty {
  party: ActivityParty;
  /** Activities with it. */
  count: number;
}

/** Whom the address dealt with: the first counterparty of each activity, most frequent first, without spam. */
export function toCounterparties(recent: readonly Activity[], own: string): Counterparty[] {
  const counts = new Map<string, Counterparty>();
  for (const { counterparties, kind } of recent) {
    const [party] = counterparties;
    if (!party || kind === "spam" || isSameAddress(party.hash, own)) continue;
    const entry = counts.get(party.hash) ?? { party, count: 0 };
    entry.count += 1;
    counts.set(party.hash, entry);
  }
  return [...counts.values()].sort((a, b) => b.count - a.count);
}
