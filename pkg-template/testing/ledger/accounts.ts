// The accounts of the sample chain: the sample addresses, other addresses, their profiles and balances.

import type { SampleAddress } from "../public-types.js";
import { createRandom } from "../random.js";
import { toChecksumAddress } from "./checksum.js";
import type { RichListRow, Token } from "./rows.js";
import { type ProfileDefinition, SAMPLE_ADDRESSES, SAMPLE_KEYS, type SampleKey } from "./sample-addresses.js";
import { FIRST_WORDS, SECOND_WORDS } from "./sample-strings.js";
import type { Tokens } from "./tokens.js";

const WEI_PER_ETHER = 10n ** 18n;
const OTHER_ADDRESS_COUNT = 2000;

/** A contract behind a proxy. */
export interface Implementation {
  readonly hash: string;
  readonly name: string | null;
}

export interface Profile extends Omit<ProfileDefinition, "implementations"> {
  readonly implementations: readonly Implementation[];
}

/** The profile of an address that the service knows nothing about. */
const EMPTY_PROFILE = {
  name: null,
  ensName: null,
  isContract: false,
  isVerified: false,
  proxyType: null,
  implementations: [],
  tags: [],
  publicTags: [],
  isScam: false,
};

/** The accounts of a chain. Addresses are in lower case here; the serializer writes checksum addresses. */
export class Accounts {
  readonly #seed: number;
  readonly #tokensByHash: ReadonlyMap<string, Token>;
  readonly #keysByHash: ReadonlyMap<string, SampleKey>;
  readonly #profiles = new Map<string, Profile>();
  #otherHashes: ReadonlySet<string> | undefined;
  /** The hash of every sample address, by key. */
  readonly sampleHashes: Readonly<Record<SampleKey, string>>;

  constructor(seed: number, tokens: Tokens) {
    this.#seed = seed;
    const { batch, scam, regular, hostile, spam, airdrops } = tokens;
    const allTokens = [batch, scam, ...regular, ...hostile, ...spam, ...airdrops];
    this.#tokensByHash = new Map(allTokens.map((token) => [token.hash, token]));
    const hashes = SAMPLE_KEYS.map((key) => [key, createRandom(seed, "sample", key).nextHex(20)] as const);
    this.sampleHashes = Object.fromEntries(hashes) as Record<SampleKey, string>;
    this.#keysByHash = new Map(hashes.map(([key, hash]) => [hash, key]));
  }

  /** Id, hash, label and description of every sample address. */
  get sampleAddresses(): SampleAddress[] {
    return SAMPLE_KEYS.map((key) => {
      const { label, description } = SAMPLE_ADDRESSES[key];
      return { id: key, hash: toChecksumAddress(this.sampleHashes[key]), label, description };
    });
  }

  /** The hashes of all addresses that are neither sample addresses nor tokens. */
  get otherHashes(): string[] {
    return [...this.#getOtherHashes()];
  }

  /** The hashes of all contracts. */
  get contractHashes(): string[] {
    const hashes = [...Object.values(this.sampleHashes), ...this.#tokensByHash.keys(), ...this.#getOtherHashes()];
    return hashes.filter((hash) => this.getProfile(hash).isContract);
  }

  /** The token with this contract, if there is one. */
  getToken(hash: string): Token | undefined {
    return this.#tokensByHash.get(hash);
  }

  #getOtherHashes(): ReadonlySet<string> {
    this.#otherHashes ??= new Set(
      Array.from({ length: OTHER_ADDRESS_COUNT }, (_, i) => createRandom(this.#seed, "account", i).nextHex(20)),
    );
    return this.#otherHashes;
  }

  /** The current balance of a sample address, in wei. */
  getBalance(key: SampleKey): bigint {
    return SAMPLE_ADDRESSES[key].balance ?? 0n;
  }

  /** What the service knows about an address: names, tags and contract details. */
  getProfile(hash: string): Profile {
    const cached = this.#profiles.get(hash);
    if (cached) return cached;
    const profile = this.#makeProfile(hash);
    this.#profiles.set(hash, profile);
    return profile;
  }

  #makeProfile(hash: string): Profile {
    const key = this.#keysByHash.get(hash);
    if (key) {
      const { implementations = [], ...profile } = SAMPLE_ADDRESSES[key].profile ?? {};
      const makeImplementation = (name: string | null) => ({ hash: createRandom(this.#seed, name, key).nextHex(20), name });
      return { ...EMPTY_PROFILE, ...profile, implementations: implementations.map(makeImplementation) };
    }
    const token = this.#tokensByHash.get(hash);
    if (token) return { ...EMPTY_PROFILE, name: token.name, isContract: true, isVerified: true, isScam: token.isScam };
    const random = createRandom(this.#seed, "profile", hash);
    if (!this.#getOtherHashes().has(hash) || random.nextBoolean(0.8)) return EMPTY_PROFILE;
    if (random.nextBoolean(0.3))
      return { ...EMPTY_PROFILE, ensName: `${random.pick(FIRST_WORDS).toLowerCase()}${random.nextInt(1000)}.eth` };
    return {
      ...EMPTY_PROFILE,
      name: random.pick(FIRST_WORDS) + random.pick(SECOND_WORDS),
      isContract: true,
      isVerified: random.nextBoolean(0.7),
    };
  }

  /** Makes the rows of the list of all addresses: every account with a balance, unsorted. */
  makeRichList(): RichListRow[] {
    const makeRow = (hash: string, balance: bigint): RichListRow => {
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
    for (const key of SAMPLE_KEYS) {
      const { balance } = SAMPLE_ADDRESSES[key];
      if (balance !== undefined) rows.push(makeRow(this.sampleHashes[key], balance));
    }
    return rows;
  }
}
