// Balances as the service has them stored: some are stale, and asking for one makes it fresh a little later.

import { random } from "./random.js";

const ETHER = 10n ** 18n;
const LISTED_ACCOUNTS = 5000;

// Samples by key: the stored balance, the one on the chain, and the later request that is the first to see it.
const SAMPLES = {
  deep: { stored: 7_654_321n * 10n ** 12n },
  distributor: { stored: 3n * ETHER },
  lagging: { stored: 11n },
  producer: { stored: 4096n * ETHER },
  stale: { stored: 1_000_000_000_000_000_000n, chain: 2_500_000_000_000_000_000n, later: 2 },
  unfetched: { stored: null, chain: 77_000_000_000_000_001n, later: 1 },
  stuck: { stored: 5n * ETHER, later: Infinity },
  whale: { stored: 2n ** 256n - 1n },
  limited: { stored: 7n * ETHER },
};

const account = (stored, { chain = stored, later = 0 } = {}) => ({ stored, chain, later });

/** Nobody has asked for it before, so the first request stores it. */
const STRANGER = { stored: 0n, chain: 0n, later: 2, unknown: true };

export class Balances {
  #chain;
  #accounts;
  #listed;
  #requests = new Map();

  constructor(chain) {
    this.#chain = chain;
  }

  /** The balance of an address as a request sees it that counts as one. */
  read(hash) {
    const state = this.peek(hash);
    this.#requests.set(hash, (this.#requests.get(hash) ?? 0) + 1);
    return state;
  }

  /** The same for a request that makes nothing fresh. A balance may be null; `known` addresses are on the list. */
  peek(hash) {
    this.#accounts ??= this.#makeAccounts();
    const { stored, chain, later, unknown } = this.#accounts.get(hash) ?? STRANGER;
    const isFresh = (this.#requests.get(hash) ?? 0) >= later;
    return { hash, balance: isFresh ? chain : stored, stale: !isFresh, known: isFresh || !unknown };
  }

  /** Hashes of all known accounts, the first seen first. */
  get listed() {
    this.#accounts ??= this.#makeAccounts();
    if (!this.#listed) {
      const seen = new Map([...this.#accounts.keys()].map((hash) => [hash, random(this.#chain.seed, "seen", hash).below(LISTED_ACCOUNTS)]));
      this.#listed = [...seen.keys()].sort((a, b) => seen.get(a) - seen.get(b) || (a < b ? -1 : 1));
    }
    return this.#listed;
  }

  /** The balance at the end of a block, or at a time that has a name; undefined if none is recorded. */
  at(hash, block) {
    const { balance, known } = this.peek(hash);
    if (block === "latest") return known ? (balance ?? undefined) : undefined;
    const { whale, stale } = this.#chain.accounts.sample;
    if (block === "pending") return hash === stale ? SAMPLES.stale.chain : undefined;
    // A fortune from the first block on.
    if (hash === whale) return block === "earliest" || block >= 0 ? SAMPLES.whale.stored : undefined;
    if (block === "earliest") return undefined;
    let newest;
    for (const row of this.#chain.balanceChanges) {
      if (row.account === hash && row.block_number <= block && !(newest?.block_number >= row.block_number)) newest = row;
    }
    return newest?.value;
  }

  #makeAccounts() {
    const { accounts, richList, seed } = this.#chain;
    const all = new Map();
    for (const [key, { stored, ...later }] of Object.entries(SAMPLES)) all.set(accounts.sample[key], account(stored, later));
    const samples = new Set(Object.values(accounts.sample));
    for (const { hash, fetched_coin_balance: stored } of richList) {
      const chance = random(seed, "stale", hash);
      const isStale = !samples.has(hash) && chance.chance(0.03);
      all.set(hash, account(stored, isStale ? { chain: stored + chance.big(8), later: 2 } : {}));
    }
    // The rest has too little for the list of the rich, or was never looked at.
    for (let i = 0; all.size < LISTED_ACCOUNTS; i++) {
      const chance = random(seed, "poor account", i);
      const hash = chance.hex(20);
      const chain = chance.chance(0.4) ? 0n : chance.big(4);
      all.set(hash, chance.chance(0.04) ? account(null, { chain, later: 1 }) : account(chain));
    }
    return all;
  }
}
