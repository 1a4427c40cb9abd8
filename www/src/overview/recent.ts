// The newest activities of an address, and their sums by day, by month and by counterparty.
import type { AddressClient } from "address-query";
import type { Activity, ActivityLeg, ActivityParty } from "address-query/history";
import { readShared } from "../address/shared-reading.js";
import { now } from "../format/clock.js";
import { isSameAddress } from "../format/text.js";
import { type HistoryCopy, readCopy, syncCopy, updateCopy } from "../history/copy.js";

/** Events that are read next: about a year of an ordinary wallet. */
const MAX_EVENTS = 650;

const toTime = ({ timestamp }: Activity): number => Date.parse(timestamp ?? "");

const DAY_MS = 86_400_000;
const WEEK = 7;
/** An ordinary wallet has fewer than fifty events in this time. */
const SPARSE_MS = 15 * DAY_MS;

/** The newest activities of an address, as far as they are stored. */
export class Recent {
  /** Newest first. */
  activities: readonly Activity[] = [];
  /** There may be more before this time, in Unix milliseconds. Null: these are all. */
  since: number | null = null;
  /** Whether they go back some weeks, so that few more have a year. */
  isSparse = false;
  /** When they were read, in ISO 8601. */
  readAt = "";
  readonly #subject: readonly [client: AddressClient, address_hash: string];

  constructor(...subject: readonly [client: AddressClient, address_hash: string]) {
    this.#subject = subject;
  }

  /** Reads older activities. */
  async readMore(): Promise<this> {
    await syncCopy(...this.#subject, MAX_EVENTS);
    return this.show(await readCopy(...this.#subject, true));
  }

  show(copy: HistoryCopy | null): this {
    this.activities = copy?.activities ?? [];
    this.readAt = copy?.readAt ?? "";
    const oldest = this.activities.at(-1);
    this.since = copy?.isComplete || !oldest ? null : toTime(oldest);
    return this;
  }
}

/** Reads what is stored. Null: nothing is. */
export async function readStored(client: AddressClient, address_hash: string): Promise<Recent | null> {
  const copy = await readCopy(client, address_hash);
  return copy && new Recent(client, address_hash).show(copy);
}

/** Brings the copy up to date, and reads it. */
export async function readRecent(client: AddressClient, address_hash: string): Promise<Recent> {
  await readShared(client, address_hash, updateCopy);
  const recent = new Recent(client, address_hash).show(await readCopy(client, address_hash, true));
  const count = recent.activities.reduce((sum, { events }) => sum + events.length, 0);
  recent.isSparse = recent.since !== null && recent.since < now() - SPARSE_MS && count < MAX_EVENTS;
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
