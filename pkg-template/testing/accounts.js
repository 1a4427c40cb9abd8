// The accounts of the sample chain: the sample addresses, other addresses, their profiles and balances.

import { toChecksumAddress } from "./checksum.js";
import { createRandom } from "./random.js";
import { FIRST_WORDS, HOSTILE, SECOND_WORDS, TAGS } from "./sample-strings.js";

const WEI_PER_ETHER = 10n ** 18n;
const OTHER_ADDRESS_COUNT = 2000;

/** The profile of an address that the service knows nothing about. */
const EMPTY_PROFILE = {
  name: null, ensName: null, isContract: false, isVerified: false, proxyType: null, implementations: [], tags: [], publicTags: [], isScam: false,
};

/** The sample addresses by key. One with a `balance`, in wei, is in the list of all addresses. */
const SAMPLES = {
  hub: {
    label: "Busy smart account",
    description: "Thousands of records in every list; an account with an EIP-7702 delegation.",
    balance: 1_234_567_890_123_456_789_012n,
    profile: { isContract: true, ensName: "hub.sample.eth", proxyType: "eip7702", implementations: ["SmartAccountV2"], tags: [TAGS.generic] },
  },
  settlement: {
    label: "Settlement contract",
    description: "3,000 logs: decoded or not, with nested values and up to four topics.",
    balance: 87_000_000_000_000_000_001n,
    profile: { name: "Settlement", isContract: true, isVerified: true },
  },
  proxy: {
    label: "Tagged proxy contract",
    description: "Implementations, public tags, and metadata tags of known and unknown types.",
    balance: 3n * WEI_PER_ETHER,
    profile: {
      name: "VaultProxy", ensName: "vault.sample.eth", isContract: true, isVerified: true, proxyType: "eip1967", implementations: ["VaultV2", null],
      tags: [TAGS.protocol, TAGS.note, TAGS.unknown], publicTags: ["Harbor vault"],
    },
  },
  quiet: {
    label: "Quiet account",
    description: "A few records in most lists: each fits on one page.",
    balance: 42_000_000_000_000_000n,
  },
  minter: {
    label: "Batch minter",
    description: "Its newest transfer is one log with 160 token ids: pages end inside it.",
    balance: 5n * WEI_PER_ETHER,
  },
  airdropped: {
    label: "Airdrop target",
    description: "Most of its transfers are hidden as scam, so that pages are short or empty.",
    balance: WEI_PER_ETHER / 4n,
  },
  hostile: {
    label: "Hostile names",
    description: "Markup, scripts, control characters and very long names in every user-controlled string.",
    balance: 1n,
    profile: { name: HOSTILE.image, ensName: HOSTILE.rightToLeft, isContract: true, isVerified: true, tags: [TAGS.hostile], publicTags: [HOSTILE.script] },
  },
  empty: { label: "Unused account", description: "Has no activity: every list is empty." },
  restricted: { label: "Restricted address", description: "The REST lists respond with 403." },
  overloaded: { label: "Overloaded address", description: "The service responds with 500 to every request." },
  // The rest are for the account module.
  deep: {
    label: "Deep history",
    description: "60,000 transactions: years with few, 22,000 in 5,500 blocks, 12,000 in 80 blocks.",
  },
  distributor: {
    label: "Token distributor",
    description: "13,500 transfers of one token, 10,500 of them in one block, some of them identical.",
  },
  oversized: {
    label: "Token with an oversized block",
    description: "The token of the token distributor: 10,500 transfers in block 22,222,222.",
    profile: { name: "Confetti", isContract: true, isVerified: true },
  },
  lagging: {
    label: "Unprocessed calls",
    description: "The internal transactions of the newest 400 blocks are not processed yet.",
  },
  producer: { label: "Block producer", description: "12,500 mined blocks." },
  stale: { label: "Stale balance", description: "Stale in the first two responses, then current." },
  unfetched: { label: "Unknown balance", description: "Null in the first response, then known." },
  stuck: { label: "Stuck balance", description: "Always stale." },
  whale: { label: "Largest balance", description: "The largest 256-bit number, since the first block." },
  limited: { label: "Rate-limited address", description: "Rejected first with status 429, then with the same message and status 200, then served." },
};

/** The accounts of a chain. Addresses are in lower case here; the serializer writes checksum addresses. */
export class Accounts {
  #seed;
  #tokensByHash;
  #keysByHash = new Map();
  #otherHashes;
  #profiles = new Map();
  /** The hash of every sample address, by key. */
  sampleHashes = {};

  constructor(seed, tokens) {
    this.#seed = seed;
    const allTokens = [tokens.batch, tokens.scam, ...tokens.regular, ...tokens.hostile];
    this.#tokensByHash = new Map(allTokens.map((token) => [token.hash, token]));
    for (const key of Object.keys(SAMPLES)) {
      this.sampleHashes[key] = createRandom(seed, "sample", key).nextHex(20);
      this.#keysByHash.set(this.sampleHashes[key], key);
    }
  }

  /** Hash, label and description of every sample address, as in index.d.ts. */
  get sampleAddresses() {
    return Object.entries(SAMPLES).map(([key, { label, description }]) => ({ hash: toChecksumAddress(this.sampleHashes[key]), label, description }));
  }

  /** The hashes of all addresses that are neither sample addresses nor tokens. */
  get otherHashes() {
    return [...this.#getOtherHashes()];
  }

  #getOtherHashes() {
    this.#otherHashes ??= new Set(Array.from({ length: OTHER_ADDRESS_COUNT }, (_, i) => createRandom(this.#seed, "account", i).nextHex(20)));
    return this.#otherHashes;
  }

  /** The current balance of a sample address, in wei. */
  getBalance(key) {
    return SAMPLES[key].balance;
  }

  /** What the service knows about an address: names, tags and contract details. */
  getProfile(hash) {
    let profile = this.#profiles.get(hash);
    if (!profile) this.#profiles.set(hash, (profile = this.#makeProfile(hash)));
    return profile;
  }

  #makeProfile(hash) {
    const key = this.#keysByHash.get(hash);
    if (key) {
      const profile = { ...EMPTY_PROFILE, ...SAMPLES[key].profile };
      profile.implementations = profile.implementations.map((name) => ({ hash: createRandom(this.#seed, name, key).nextHex(20), name }));
      return profile;
    }
    const token = this.#tokensByHash.get(hash);
    if (token) return { ...EMPTY_PROFILE, name: token.name, isContract: true, isVerified: true, isScam: token.isScam };
    const random = createRandom(this.#seed, "profile", hash);
    if (!this.#getOtherHashes().has(hash) || random.nextBoolean(0.8)) return EMPTY_PROFILE;
    if (random.nextBoolean(0.3)) return { ...EMPTY_PROFILE, ensName: `${random.pick(FIRST_WORDS).toLowerCase()}${random.nextInt(1000)}.eth` };
    return { ...EMPTY_PROFILE, name: random.pick(FIRST_WORDS) + random.pick(SECOND_WORDS), isContract: true, isVerified: random.nextBoolean(0.7) };
  }

  /** Makes the rows of the list of all addresses: every account with a balance, unsorted. */
  makeRichList() {
    const makeRow = (hash, balance) => {
      const random = createRandom(this.#seed, "activity", hash);
      return {
        hash,
        fetched_coin_balance: balance,
        transactions_count: random.nextBoolean(0.3) ? null : random.nextInt(random.pick([10, 1000, 1_000_000])),
      };
    };
    const rows = this.otherHashes.map((hash, rank) => {
      const random = createRandom(this.#seed, "wealth", rank);
      // Some balances are equal, as on a real chain, so that the order has ties.
      if (random.nextBoolean(0.1)) return makeRow(hash, random.pick([32n, 32n, 32n, 1n]) * WEI_PER_ETHER);
      return makeRow(hash, (random.nextBigInt(8) * 124_355n * WEI_PER_ETHER) / (2n ** 64n * BigInt(1 + rank)) + 1n);
    });
    for (const [key, { balance }] of Object.entries(SAMPLES)) if (balance !== undefined) rows.push(makeRow(this.sampleHashes[key], balance));
    return rows;
  }
}
