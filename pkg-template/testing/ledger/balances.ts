// Balances as the service stores them, and the list of all addresses. Some balances are stale: a request makes the service fetch the
// current one later.

import { createLazy } from "../maps.js";
import { createRandom } from "../random.js";
import type { AccountHistory } from "./coin-history.js";
import type { LedgerContext } from "./context.js";
import { SAMPLE_ADDRESSES, SAMPLE_KEYS, type SampleKey, WEI_PER_ETHER } from "./sample-addresses.js";
import type { TransactionEntry } from "./transactions.js";

const LISTED_ACCOUNT_COUNT = 5000;

export interface BalanceState {
  readonly hash: string;
  readonly balance: bigint | null;
  readonly isStale: boolean;
  readonly isKnown: boolean;
}

/** An address that the service has not seen yet. The first request makes it fetch the balance. */
const UNSEEN = createBalance(0n, 0n, 2);

/**
 * A balance in wei: as the service stores it, null if unknown, and on the chain. The service stores the current balance after
 * `staleRequests` requests.
 */
function createBalance(current: bigint, stored: bigint | null = current, staleRequests = 0) {
  return { current, stored, staleRequests };
}

function createSampleBalance(key: SampleKey, current: bigint) {
  if (key === "stale") return createBalance(current, current - (SAMPLE_ADDRESSES.stale.lateFunding ?? 0n), 2);
  if (key === "unfetched") return createBalance(current, null, 1);
  return createBalance(current, current, key === "stuck" ? Number.POSITIVE_INFINITY : 0);
}

/** The sample addresses without a balance. The service has not seen them. */
const UNSEEN_SAMPLES: readonly SampleKey[] = ["empty", "restricted", "overloaded", "oversized"];
/** The sample addresses in the list of all addresses. */
const RANKED_SAMPLES = ["hub", "settlement", "proxy", "quiet", "minter", "airdropped", "hostile"] as const;

export function createBalanceStore(context: LedgerContext, history: AccountHistory) {
  const requestCounts = new Map<string, number>();
  const keys = SAMPLE_KEYS.filter((key) => !UNSEEN_SAMPLES.includes(key));
  const sampleKeys = new Map(keys.map((key) => [context.accounts.sampleHashes[key], key]));
  const accounts = createLazy(() => makeAccounts(context, LISTED_ACCOUNT_COUNT - sampleKeys.size));
  const listedHashes = createLazy(() => sortHashes(context, [...sampleKeys.keys(), ...accounts.value.keys()]));

  const peek = (hash: string): BalanceState => {
    const key = sampleKeys.get(hash);
    const sample = key && createSampleBalance(key, history.getCoinBalance(hash));
    const account = sample ?? accounts.value.get(hash) ?? UNSEEN;
    const isStale = (requestCounts.get(hash) ?? 0) < account.staleRequests;
    return { hash, balance: isStale ? account.stored : account.current, isStale, isKnown: !isStale || account !== UNSEEN };
  };
  return {
    peek,
    /** Returns the balance of an address like `peek`, and counts as a request for it. */
    request(hash: string): BalanceState {
      const state = peek(hash);
      requestCounts.set(hash, (requestCounts.get(hash) ?? 0) + 1);
      return state;
    },
    /** The hashes of all known accounts, in the order in which the service first saw them. */
    getListedHashes: (): readonly string[] => listedHashes.value,
    /** Returns the balance at a block number or tag, or undefined if none is stored. */
    getBalanceAt(hash: string, block: "latest" | "earliest" | "pending" | number): bigint | undefined {
      const { balance, isKnown } = peek(hash);
      if (block === "latest") return isKnown ? (balance ?? undefined) : undefined;
      const { stale } = context.accounts.sampleHashes;
      if (block === "pending") return hash === stale ? history.getCoinBalance(stale) : undefined;
      const last = block === "earliest" ? 0 : block;
      return history
        .getBalanceChanges(hash)
        .rows.filter(({ block_number }) => block_number <= last)
        .at(-1)?.value;
    },
  };
}

function sortHashes({ seed }: LedgerContext, hashes: readonly string[]): string[] {
  const getFirstSeen = (hash: string) => createRandom(seed, "seen", hash).nextInt(LISTED_ACCOUNT_COUNT);
  const entries = hashes.map((hash) => ({ hash, firstSeen: getFirstSeen(hash) }));
  return entries.sort((a, b) => a.firstSeen - b.firstSeen || (a.hash < b.hash ? -1 : 1)).map(({ hash }) => hash);
}

/** Makes the balances of `count` accounts that are not sample addresses. */
function makeAccounts(context: LedgerContext, count: number) {
  const { accounts, seed } = context;
  const result = new Map<string, ReturnType<typeof createBalance>>();
  for (const [rank, hash] of accounts.otherHashes.entries()) {
    const random = createRandom(seed, "stale", hash);
    const stored = makeBalance(context, rank);
    const isStale = random.nextBoolean(0.03);
    result.set(hash, isStale ? createBalance(stored + random.nextBigInt(8), stored, 2) : createBalance(stored));
  }
  // The remaining accounts have a small or an unknown balance.
  for (let i = 0; result.size < count; i++) {
    const random = createRandom(seed, "poor account", i);
    const hash = random.nextHex(20);
    const current = random.nextBoolean(0.4) ? 0n : random.nextBigInt(4);
    result.set(hash, random.nextBoolean(0.04) ? createBalance(current, null, 1) : createBalance(current));
  }
  return result;
}

/** Makes the rows of the list: the ranked sample addresses and all other accounts, unsorted. */
export function makeRichList(
  context: LedgerContext,
  history: AccountHistory,
  getEntries: (account: string) => readonly TransactionEntry[],
) {
  const otherRows = context.accounts.otherHashes.map((hash, rank) => {
    const random = context.createRandom("activity", hash);
    const transactions_count = random.nextBoolean(0.3) ? null : random.nextInt(random.pick([10, 1000, 1_000_000]));
    return { hash, fetched_coin_balance: makeBalance(context, rank), transactions_count };
  });
  const sampleRows = RANKED_SAMPLES.map((key) => {
    const hash = context.accounts.sampleHashes[key];
    const isInvolved = ({ row }: TransactionEntry) => [row.from, row.to, row.createdContract].includes(hash);
    const transactions_count = getEntries(hash).filter(isInvolved).length;
    return { hash, fetched_coin_balance: history.getCoinBalance(hash), transactions_count };
  });
  return [...otherRows, ...sampleRows];
}

function makeBalance(context: LedgerContext, rank: number): bigint {
  const random = context.createRandom("wealth", rank);
  // Some balances are equal, as on a real chain, so that the order has ties.
  if (random.nextBoolean(0.1)) return random.pick([32n, 32n, 32n, 1n]) * WEI_PER_ETHER;
  return (random.nextBigInt(8) * 124_355n * WEI_PER_ETHER) / (2n ** 64n * BigInt(1 + rank)) + 1n;
}
