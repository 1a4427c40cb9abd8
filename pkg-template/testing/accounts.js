// Who lives on the sample chain: the addresses of interest, everyone else, and what they hold.

import { toChecksum } from "./checksum.js";
import { FIRST_WORDS, HOSTILE, SECOND_WORDS, TAGS } from "./names.js";
import { random } from "./random.js";

const ETHER = 10n ** 18n;
const CROWD = 2000;

/** What the service knows of an address that it never looked into. */
const STRANGER = { name: null, ens: null, contract: false, verified: false, proxy: null, implementations: [], tags: [], publicTags: [], scam: false };

/** The addresses worth visiting, by key. `balance` in wei puts one on the list of all addresses. */
const SAMPLES = {
  hub: {
    label: "Busy smart account",
    description: "Thousands of records in every list; an account with an EIP-7702 delegation.",
    balance: 1_234_567_890_123_456_789_012n,
    profile: { contract: true, ens: "hub.sample.eth", proxy: "eip7702", implementations: ["SmartAccountV2"], tags: [TAGS.generic] },
  },
  settlement: {
    label: "Settlement contract",
    description: "3,000 logs: decoded and not, nested values, none to four topics.",
    balance: 87_000_000_000_000_000_001n,
    profile: { name: "Settlement", contract: true, verified: true },
  },
  proxy: {
    label: "Tagged proxy contract",
    description: "Implementations, metadata tags of known and unknown kinds, public tags.",
    balance: 3n * ETHER,
    profile: {
      name: "VaultProxy", ens: "vault.sample.eth", contract: true, verified: true, proxy: "eip1967", implementations: ["VaultV2", null],
      tags: [TAGS.protocol, TAGS.note, TAGS.unknown], publicTags: ["Harbor vault"],
    },
  },
  quiet: {
    label: "Quiet account",
    description: "A few records in most lists: everything fits one page.",
    balance: 42_000_000_000_000_000n,
  },
  minter: {
    label: "Batch minter",
    description: "Its newest transfer is one log that moves 160 token ids: pages end inside it.",
    balance: 5n * ETHER,
  },
  airdropped: {
    label: "Airdrop target",
    description: "Most of its transfers are hidden as scam: short pages, and whole pages that are empty.",
    balance: ETHER / 4n,
  },
  hostile: {
    label: "Hostile names",
    description: "Markup, scripts, control characters and endless names in every text a stranger can set.",
    balance: 1n,
    profile: { name: HOSTILE.image, ens: HOSTILE.rightToLeft, contract: true, verified: true, tags: [TAGS.hostile], publicTags: [HOSTILE.script] },
  },
  empty: { label: "Unused account", description: "Never seen on the chain: every list is empty." },
  restricted: { label: "Restricted address", description: "The service refuses every list with 403." },
  heavy: { label: "Too heavy address", description: "The service fails on every list with 500." },
  // Those from here on are of interest to the account module alone.
  deep: {
    label: "Deep history",
    description: "60,000 transactions: years of silence, 22,000 in 5,500 blocks, 12,000 in 80.",
  },
  distributor: {
    label: "Token distributor",
    description: "13,500 transfers of one token, 10,500 of them in block 22,222,222, some of them identical.",
  },
  crowded: {
    label: "Crowded token",
    description: "The contract of that token.",
    profile: { name: "Confetti", contract: true, verified: true },
  },
  lagging: {
    label: "Unprocessed calls",
    description: "Internal transactions of its newest 400 blocks are not processed yet.",
  },
  producer: { label: "Block producer", description: "12,500 mined blocks." },
  stale: { label: "Stale balance", description: "Fresh from the second later request on." },
  unfetched: { label: "Unknown balance", description: "Null, and known from the next request on." },
  stuck: { label: "Stuck balance", description: "Stale for ever." },
  whale: { label: "Largest balance", description: "As much as 256 bits hold, from the first block on." },
  limited: { label: "Rate-limited address", description: "Refused with 429, then with the same text and 200, and answered from then on." },
};

/** The accounts of a chain. Hashes are lower case here; the service sends them with a checksum. */
export class Accounts {
  #seed;
  #tokens;
  #keys = new Map();
  #crowd;
  #profiles = new Map();
  /** Hash of each sample address, by key. */
  sample = {};

  constructor(seed, tokens) {
    this.#seed = seed;
    this.#tokens = new Map([tokens.giant, tokens.scam, ...tokens.fair, ...tokens.hostile].map((token) => [token.hash, token]));
    for (const key of Object.keys(SAMPLES)) {
      this.sample[key] = random(seed, "sample", key).hex(20);
      this.#keys.set(this.sample[key], key);
    }
  }

  /** Hash, label and description of every sample address, for pages and tests. */
  get samples() {
    return Object.entries(SAMPLES).map(([key, { label, description }]) => ({ hash: toChecksum(this.sample[key]), label, description }));
  }

  /** Hashes of everyone else. */
  get crowd() {
    return [...this.#everyone];
  }

  get #everyone() {
    this.#crowd ??= new Set(Array.from({ length: CROWD }, (_, i) => random(this.#seed, "account", i).hex(20)));
    return this.#crowd;
  }

  /** The balance of a sample address now, in wei. */
  balance(key) {
    return SAMPLES[key].balance;
  }

  /** What the service knows of an address, whether it is a sample, a token or anyone. */
  profile(hash) {
    let profile = this.#profiles.get(hash);
    if (!profile) this.#profiles.set(hash, (profile = this.#describe(hash)));
    return profile;
  }

  #describe(hash) {
    const key = this.#keys.get(hash);
    if (key) {
      const profile = { ...STRANGER, ...SAMPLES[key].profile };
      profile.implementations = profile.implementations.map((name) => ({ hash: random(this.#seed, name, key).hex(20), name }));
      return profile;
    }
    const token = this.#tokens.get(hash);
    if (token) return { ...STRANGER, name: token.name, contract: true, verified: true, scam: token.scam };
    const chance = random(this.#seed, "profile", hash);
    if (!this.#everyone.has(hash) || chance.chance(0.8)) return STRANGER;
    if (chance.chance(0.3)) return { ...STRANGER, ens: `${chance.pick(FIRST_WORDS).toLowerCase()}${chance.below(1000)}.eth` };
    return { ...STRANGER, name: chance.pick(FIRST_WORDS) + chance.pick(SECOND_WORDS), contract: true, verified: chance.chance(0.7) };
  }

  /** Everyone with a balance: rows of the list of all addresses, unordered. */
  makeRichList() {
    const row = (hash, balance) => {
      const chance = random(this.#seed, "activity", hash);
      return { hash, fetched_coin_balance: balance, transactions_count: chance.chance(0.3) ? null : chance.below(chance.pick([10, 1000, 1_000_000])) };
    };
    const rows = this.crowd.map((hash, rank) => {
      const chance = random(this.#seed, "wealth", rank);
      // Round sums are common, so that ties occur: deposits of 32 ether, gifts of one.
      if (chance.chance(0.1)) return row(hash, chance.pick([32n, 32n, 32n, 1n]) * ETHER);
      return row(hash, (chance.big(8) * 124_355n * ETHER) / (2n ** 64n * BigInt(1 + rank)) + 1n);
    });
    for (const [key, { balance }] of Object.entries(SAMPLES)) if (balance !== undefined) rows.push(row(this.sample[key], balance));
    return rows;
  }
}
