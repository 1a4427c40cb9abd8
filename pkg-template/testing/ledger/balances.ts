// Balances as the service stores them. Some are stale, and requesting them makes the service fetch the current one later.

import { createRandom } from "../random.js";
import type { Chain } from "./chain.js";
import type { BalanceChangeRow } from "./rows.js";
import type { SampleKey } from "./sample-addresses.js";

const WEI_PER_ETHER = 10n ** 18n;
const LISTED_ACCOUNT_COUNT = 5000;
const STALE_CURRENT_BALANCE = 2_500_000_000_000_000_000n;
const WHALE_BALANCE = 2n ** 256n - 1n;

interface StoredBalance {
  /** The balance in the service, in wei. Null if unknown. */
  readonly stored: bigint | null;
  /** The balance on the chain. */
  readonly current: bigint | null;
  /** The number of requests after which the service stores the current balance. */
  readonly staleRequests: number;
  /** Whether the service has not seen the address yet. */
  readonly isUnseen?: boolean;
}

export type BlockTag = "latest" | "earliest" | "pending";

/** A balance as a response shows it. */
export interface BalanceState {
  readonly hash: string;
  readonly balance: bigint | null;
  readonly isStale: boolean;
  /** Whether the service has seen the address. */
  readonly isKnown: boolean;
}

/** Balances of sample addresses by key. Without `current`, the stored balance is the current one. */
const SAMPLES: Readonly<Partial<Record<SampleKey, Partial<StoredBalance> & Pick<StoredBalance, "stored">>>> = {
  deep: { stored: 7_654_321n * 10n ** 12n },
  distributor: { stored: 3n * WEI_PER_ETHER },
  lagging: { stored: 11n },
  producer: { stored: 4096n * WEI_PER_ETHER },
  stale: { stored: 1_000_000_000_000_000_000n, current: STALE_CURRENT_BALANCE, staleRequests: 2 },
  unfetched: { stored: null, current: 77_000_000_000_000_001n, staleRequests: 1 },
  stuck: { stored: 5n * WEI_PER_ETHER, staleRequests: Infinity },
  whale: { stored: WHALE_BALANCE },
  limited: { stored: 7n * WEI_PER_ETHER },
};

const createAccount = (
  stored: bigint | null,
  { current = stored, staleRequests = 0 }: Partial<StoredBalance> = {},
): StoredBalance => ({
  stored,
  current,
  staleRequests,
});

/** An address that the service has not seen yet. The first request makes it fetch the balance. */
const UNSEEN_ACCOUNT: StoredBalance = { stored: 0n, current: 0n, staleRequests: 2, isUnseen: true };

export class BalanceStore {
  readonly #chain: Chain;
  readonly #requestCounts = new Map<string, number>();
  #accounts: ReadonlyMap<string, StoredBalance> | undefined;
  #listedHashes: readonly string[] | undefined;

  constructor(chain: Chain) {
    this.#chain = chain;
  }

  /** Returns the balance of an address like `peek`, and counts as a request for it. */
  request(hash: string): BalanceState {
    const state = this.peek(hash);
    this.#requestCounts.set(hash, (this.#requestCounts.get(hash) ?? 0) + 1);
    return state;
  }

  /** Returns the balance of an address. */
  peek(hash: string): BalanceState {
    const { stored, current, staleRequests, isUnseen } = this.#getAccounts().get(hash) ?? UNSEEN_ACCOUNT;
    const isStale = (this.#requestCounts.get(hash) ?? 0) < staleRequests;
    return { hash, balance: isStale ? stored : current, isStale, isKnown: !isStale || !isUnseen };
  }

  /** Returns the hashes of all known accounts, in the order in which the service first saw them. */
  getListedHashes(): readonly string[] {
    this.#listedHashes ??= this.#sortHashes([...this.#getAccounts().keys()]);
    return this.#listedHashes;
  }

  #sortHashes(hashes: readonly string[]): string[] {
    const getFirstSeen = (hash: string) => createRandom(this.#chain.seed, "seen", hash).nextInt(LISTED_ACCOUNT_COUNT);
    const entries = hashes.map((hash) => ({ hash, firstSeen: getFirstSeen(hash) }));
    return entries.sort((a, b) => a.firstSeen - b.firstSeen || (a.hash < b.hash ? -1 : 1)).map(({ hash }) => hash);
  }

  /** Returns the balance at a block number or tag, or undefined if none is stored. */
  getBalanceAt(hash: string, block: BlockTag | number): bigint | undefined {
    const { balance, isKnown } = this.peek(hash);
    if (block === "latest") return isKnown ? (balance ?? undefined) : undefined;
    const { whale, stale } = this.#chain.accounts.sampleHashes;
    if (block === "pending") return hash === stale ? STALE_CURRENT_BALANCE : undefined;
    if (hash === whale) return block === "earliest" || block >= 0 ? WHALE_BALANCE : undefined;
    if (block === "earliest") return undefined;
    let newest: BalanceChangeRow | undefined;
    for (const row of this.#chain.balanceChanges) {
      if (row.account === hash && row.block_number <= block && !(newest && newest.block_number >= row.block_number)) newest = row;
    }
    return newest?.value;
  }

  #getAccounts(): ReadonlyMap<string, StoredBalance> {
    this.#accounts ??= this.#makeAccounts();
    return this.#accounts;
  }

  #makeAccounts(): Map<string, StoredBalance> {
    const { accounts, richList, seed } = this.#chain;
    const result = new Map<string, StoredBalance>();
    for (const [key, { stored, ...staleness }] of Object.entries(SAMPLES)) {
      result.set(accounts.sampleHashes[key as SampleKey], createAccount(stored, staleness));
    }
    const sampleHashes = new Set(Object.values(accounts.sampleHashes));
    for (const { hash, fetched_coin_balance: stored } of richList) {
      const random = createRandom(seed, "stale", hash);
      const isStale = !sampleHashes.has(hash) && random.nextBoolean(0.03);
      result.set(hash, createAccount(stored, isStale ? { current: stored + random.nextBigInt(8), staleRequests: 2 } : {}));
    }
    // The remaining accounts have a small or an unknown balance.
    for (let i = 0; result.size < LISTED_ACCOUNT_COUNT; i++) {
      const random = createRandom(seed, "poor account", i);
      const hash = random.nextHex(20);
      const current = random.nextBoolean(0.4) ? 0n : random.nextBigInt(4);
      result.set(hash, random.nextBoolean(0.04) ? createAccount(null, { current, staleRequests: 1 }) : createAccount(current));
    }
    return result;
  }
}
