// Balances as the service stores them, and the list of all addresses. Some balances are stale: a request makes the service fetch the
// current one later.

import { Lazy } from "../maps.js";
import { createRandom } from "../random.js";
import type { AccountHistory } from "./coin-history.js";
import type { LedgerContext } from "./context.js";
import { SAMPLE_ADDRESSES, SAMPLE_KEYS, type SampleKey, WEI_PER_ETHER } from "./sample-addresses.js";
import type { TransactionEntry } from "./transactions.js";

const LISTED_ACCOUNT_COUNT = 5000;

export type BlockTag = "latest" | "earliest" | "pending";

export interface BalanceState {
  readonly hash: string;
  readonly balance: bigint | null;
  readonly isStale: boolean;
  /** Whether the service has seen the address. */
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
  switch (key) {
    case "stale":
      return createBalance(current, current - (SAMPLE_ADDRESSES.stale.lateFunding ?? 0n), 2);
    case "unfetched":
      return createBalance(current, null, 1);
    case "stuck":
      return createBalance(current, current, Number.POSITIVE_INFINITY);
    default:
      return createBalance(current);
  }
}

/** The sample addresses without a balance. The service has not seen them. */
const UNSEEN_SAMPLES: readonly SampleKey[] = ["empty", "restricted", "overloaded", "oversized"];

export class BalanceStore {
  readonly #context: LedgerContext;
  readonly #history: AccountHistory;
  readonly #requestCounts = new Map<string, number>();
  readonly #sampleKeys: ReadonlyMap<string, SampleKey>;
  readonly #accounts = new Lazy(() => this.#makeAccounts());
  readonly #listedHashes = new Lazy(() => this.#sortHashes([...this.#sampleKeys.keys(), ...this.#accounts.value.keys()]));

  constructor(context: LedgerContext, history: AccountHistory) {
    this.#context = context;
    this.#history = history;
    const { sampleHashes } = context.accounts;
    const keys = SAMPLE_KEYS.filter((key) => !UNSEEN_SAMPLES.includes(key));
    this.#sampleKeys = new Map(keys.map((key) => [sampleHashes[key], key]));
  }

  /** Returns the balance of an address like `peek`, and counts as a request for it. */
  request(hash: string): BalanceState {
    const state = this.peek(hash);
    this.#requestCounts.set(hash, (this.#requestCounts.get(hash) ?? 0) + 1);
    return state;
  }

  peek(hash: string): BalanceState {
    const account = this.#getSampleBalance(hash) ?? this.#accounts.value.get(hash) ?? UNSEEN;
    const isStale = (this.#requestCounts.get(hash) ?? 0) < account.staleRequests;
    return { hash, balance: isStale ? account.stored : account.current, isStale, isKnown: !isStale || account !== UNSEEN };
  }

  /** The hashes of all known accounts, in the order in which the service first saw them. */
  getListedHashes(): readonly string[] {
    return this.#listedHashes.value;
  }

  #getSampleBalance(hash: string) {
    const key = this.#sampleKeys.get(hash);
    return key && createSampleBalance(key, this.#history.getCoinBalance(hash));
  }

  #sortHashes(hashes: readonly string[]): string[] {
    const getFirstSeen = (hash: string) => createRandom(this.#context.seed, "seen", hash).nextInt(LISTED_ACCOUNT_COUNT);
    const entries = hashes.map((hash) => ({ hash, firstSeen: getFirstSeen(hash) }));
    return entries.sort((a, b) => a.firstSeen - b.firstSeen || (a.hash < b.hash ? -1 : 1)).map(({ hash }) => hash);
  }

  /** Returns the balance at a block number or tag, or undefined if none is stored. */
  getBalanceAt(hash: string, block: BlockTag | number): bigint | undefined {
    const { balance, isKnown } = this.peek(hash);
    if (block === "latest") return isKnown ? (balance ?? undefined) : undefined;
    const { stale } = this.#context.accounts.sampleHashes;
    if (block === "pending") return hash === stale ? this.#history.getCoinBalance(stale) : undefined;
    const last = block === "earliest" ? 0 : block;
    const { rows } = this.#history.getBalanceChanges(hash);
    return rows.filter(({ block_number }) => block_number <= last).at(-1)?.value;
  }

  #makeAccounts() {
    const { accounts, seed } = this.#context;
    const result = new Map<string, ReturnType<typeof createBalance>>();
    for (const [rank, hash] of accounts.otherHashes.entries()) {
      const random = createRandom(seed, "stale", hash);
      const stored = makeBalance(this.#context, rank);
      const isStale = random.nextBoolean(0.03);
      result.set(hash, isStale ? createBalance(stored + random.nextBigInt(8), stored, 2) : createBalance(stored));
    }
    // The remaining accounts have a small or an unknown balance.
    for (let i = 0; result.size + this.#sampleKeys.size < LISTED_ACCOUNT_COUNT; i++) {
      const random = createRandom(seed, "poor account", i);
      const hash = random.nextHex(20);
      const current = random.nextBoolean(0.4) ? 0n : random.nextBigInt(4);
      result.set(hash, random.nextBoolean(0.04) ? createBalance(current, null, 1) : createBalance(current));
    }
    return result;
  }
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
  const sampleRows = SAMPLE_KEYS.filter((key) => SAMPLE_ADDRESSES[key].isRanked).map((key) => {
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
