// Balances as the service stores them. Some are stale, and requesting them makes the service fetch the current one later.

import { createRandom } from "./random.js";

const WEI_PER_ETHER = 10n ** 18n;
const LISTED_ACCOUNT_COUNT = 5000;

/**
 * Balances of sample addresses by key: `stored` is the balance in the service, `current` the one on the chain. The service
 * stores the current one after `staleRequests` requests. Without `current`, the stored balance is the current one.
 */
const SAMPLES = {
  deep: { stored: 7_654_321n * 10n ** 12n },
  distributor: { stored: 3n * WEI_PER_ETHER },
  lagging: { stored: 11n },
  producer: { stored: 4096n * WEI_PER_ETHER },
  stale: { stored: 1_000_000_000_000_000_000n, current: 2_500_000_000_000_000_000n, staleRequests: 2 },
  unfetched: { stored: null, current: 77_000_000_000_000_001n, staleRequests: 1 },
  stuck: { stored: 5n * WEI_PER_ETHER, staleRequests: Infinity },
  whale: { stored: 2n ** 256n - 1n },
  limited: { stored: 7n * WEI_PER_ETHER },
};

const createAccount = (stored, { current = stored, staleRequests = 0 } = {}) => ({ stored, current, staleRequests });

/** An address that the service has not seen yet. The first request makes it fetch the balance. */
const UNSEEN_ACCOUNT = { stored: 0n, current: 0n, staleRequests: 2, isUnseen: true };

export class BalanceStore {
  #chain;
  #accounts;
  #listedHashes;
  #requestCounts = new Map();

  constructor(chain) {
    this.#chain = chain;
  }

  /** Returns the balance of an address like `peek`, and counts as a request for it. */
  request(hash) {
    const state = this.peek(hash);
    this.#requestCounts.set(hash, (this.#requestCounts.get(hash) ?? 0) + 1);
    return state;
  }

  /** Returns the balance of an address, in wei or null if unknown, and whether it is stale and the address is known. */
  peek(hash) {
    const { stored, current, staleRequests, isUnseen } = this.#getAccounts().get(hash) ?? UNSEEN_ACCOUNT;
    const isStale = (this.#requestCounts.get(hash) ?? 0) < staleRequests;
    return { hash, balance: isStale ? stored : current, isStale, isKnown: !isStale || !isUnseen };
  }

  /** Returns the hashes of all known accounts, in the order in which the service first saw them. */
  getListedHashes() {
    if (!this.#listedHashes) {
      const hashes = [...this.#getAccounts().keys()];
      const firstSeen = new Map(hashes.map((hash) => [hash, createRandom(this.#chain.seed, "seen", hash).nextInt(LISTED_ACCOUNT_COUNT)]));
      this.#listedHashes = hashes.sort((a, b) => firstSeen.get(a) - firstSeen.get(b) || (a < b ? -1 : 1));
    }
    return this.#listedHashes;
  }

  /** Returns the balance at a block number or tag ("latest", "earliest", "pending"), or undefined if none is stored. */
  getBalanceAt(hash, block) {
    const { balance, isKnown } = this.peek(hash);
    if (block === "latest") return isKnown ? (balance ?? undefined) : undefined;
    const { whale, stale } = this.#chain.accounts.sampleHashes;
    if (block === "pending") return hash === stale ? SAMPLES.stale.current : undefined;
    if (hash === whale) return block === "earliest" || block >= 0 ? SAMPLES.whale.stored : undefined;
    if (block === "earliest") return undefined;
    let newest;
    for (const row of this.#chain.balanceChanges) {
      if (row.account === hash && row.block_number <= block && !(newest?.block_number >= row.block_number)) newest = row;
    }
    return newest?.value;
  }

  #getAccounts() {
    this.#accounts ??= this.#makeAccounts();
    return this.#accounts;
  }

  #makeAccounts() {
    const { accounts, richList, seed } = this.#chain;
    const result = new Map();
    for (const [key, { stored, ...staleness }] of Object.entries(SAMPLES)) result.set(accounts.sampleHashes[key], createAccount(stored, staleness));
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
