// The accounts of the sample chain: the sample addresses, the actors of the script, and other addresses, with their profiles.

import { checksumAddress } from "../../checksum.js";
import { getOrMake, Lazy } from "../maps.js";
import type { SampleAddress } from "../public-types.js";
import { createRandom } from "../random.js";
import type { Token } from "./rows.js";
import {
  EMPTY_PROFILE,
  FIRST_WORDS,
  type ProfileDefinition,
  SAMPLE_ADDRESSES,
  SAMPLE_KEYS,
  type SampleKey,
  SECOND_WORDS,
} from "./sample-addresses.js";
import type { Tokens } from "./tokens.js";

export const ZERO_ADDRESS = `0x${"0".repeat(40)}`;
const OTHER_ADDRESS_COUNT = 2000;
const FIRST_VALIDATOR = 1000;
const VALIDATOR_COUNT = 40;

/** What the service knows about an address. The implementations are the contracts behind a proxy. */
export interface Profile extends Omit<ProfileDefinition, "implementations"> {
  readonly implementations: readonly { readonly hash: string; readonly name: string | null }[];
}

const UNKNOWN: Profile = { ...EMPTY_PROFILE, implementations: [] };

/** The accounts of a chain. Addresses are in lower case here; the serializer writes checksum addresses. */
export class Accounts {
  readonly #seed: number;
  readonly #tokensByHash: ReadonlyMap<string, Token>;
  readonly #keysByHash: ReadonlyMap<string, SampleKey>;
  readonly #profiles = new Map<string, Profile>();
  /** The hashes of all addresses that are neither sample addresses nor tokens. */
  get otherHashes(): readonly string[] {
    return this.#otherHashes.value;
  }
  /** Addresses that produce blocks and create contracts. None of them is a sample address. */
  get validators(): readonly string[] {
    return this.#validators.value;
  }
  readonly #otherHashes = new Lazy(() => this.#makeHashes(0, OTHER_ADDRESS_COUNT));
  readonly #otherHashSet = new Lazy(() => new Set(this.otherHashes));
  readonly #validators = new Lazy(() => this.#makeHashes(FIRST_VALIDATOR, VALIDATOR_COUNT));
  readonly sampleHashes: Readonly<Record<SampleKey, string>>;
  readonly actorHashes: Readonly<Record<ActorKey, string>>;
  readonly #actorsByHash: ReadonlyMap<string, Partial<ProfileDefinition>>;

  constructor(seed: number, tokens: Tokens) {
    this.#seed = seed;
    const { batch, scam, regular, hostile, spam, airdrops, scripted } = tokens;
    const allTokens = [batch, scam, ...regular, ...hostile, ...spam, ...airdrops, ...Object.values(scripted)];
    this.#tokensByHash = new Map(allTokens.map((token) => [token.hash, token]));
    const hashes = SAMPLE_KEYS.map((key) => [key, createRandom(seed, "sample", key).nextHex(20)] as const);
    this.sampleHashes = Object.fromEntries(hashes) as Record<SampleKey, string>;
    this.#keysByHash = new Map(hashes.map(([key, hash]) => [hash, key]));
    const actors = Object.entries(ACTORS).map(
      ([key, actor]) => [key, createRandom(seed, "actor", key).nextHex(20), actor] as const,
    );
    this.actorHashes = Object.fromEntries(actors) as Record<ActorKey, string>;
    this.#actorsByHash = new Map(actors.map(([, hash, actor]) => [hash, actor]));
  }

  get sampleAddresses(): SampleAddress[] {
    return SAMPLE_KEYS.map((key) => {
      const { label, description } = SAMPLE_ADDRESSES[key];
      const hash = this.sampleHashes[key];
      // Checksums take time, and a page needs few of them.
      return {
        id: key,
        get hash() {
          return toChecksumAddress(hash);
        },
        label,
        description,
      };
    });
  }

  /** The hashes of all addresses that can be found by their hash, except tokens. */
  get listedHashes(): string[] {
    return [...Object.values(this.sampleHashes), ...this.#actorsByHash.keys(), ...this.otherHashes];
  }

  get contractHashes(): string[] {
    return [...this.listedHashes, ...this.#tokensByHash.keys()].filter((hash) => this.getProfile(hash).isContract);
  }

  getToken(hash: string): Token | undefined {
    return this.#tokensByHash.get(hash);
  }

  isSample(hash: string): boolean {
    return this.#keysByHash.has(hash);
  }

  /** Whether an address produces blocks. The other sample addresses do not. */
  canProduce(hash: string): boolean {
    return hash === this.sampleHashes.producer || !this.isSample(hash);
  }

  getProfile(hash: string): Profile {
    return getOrMake(this.#profiles, hash, () => this.#makeProfile(hash));
  }

  #makeHashes(first: number, length: number): string[] {
    return Array.from({ length }, (_, i) => createRandom(this.#seed, "account", first + i).nextHex(20));
  }

  #makeProfile(hash: string): Profile {
    const key = this.#keysByHash.get(hash);
    if (key) {
      const { implementations = [], ...profile } = SAMPLE_ADDRESSES[key].profile ?? {};
      const makeImplementation = (name: string | null) => ({ hash: createRandom(this.#seed, name, key).nextHex(20), name });
      return { ...UNKNOWN, ...profile, implementations: implementations.map(makeImplementation) };
    }
    const actor = this.#actorsByHash.get(hash);
    if (actor) return { ...UNKNOWN, ...actor, implementations: [] };
    const token = this.#tokensByHash.get(hash);
    if (token) return { ...UNKNOWN, name: token.name, isContract: true, isVerified: true, isScam: token.isScam };
    const random = createRandom(this.#seed, "profile", hash);
    if (!this.#otherHashSet.value.has(hash) || random.nextBoolean(0.8)) return UNKNOWN;
    if (random.nextBoolean(0.3))
      return { ...UNKNOWN, ensName: `${random.pick(FIRST_WORDS).toLowerCase()}${random.nextInt(1000)}.eth` };
    return {
      ...UNKNOWN,
      name: random.pick(FIRST_WORDS) + random.pick(SECOND_WORDS),
      isContract: true,
      isVerified: random.nextBoolean(0.7),
    };
  }
}

const person = (name: string): Partial<ProfileDefinition> => ({ ensName: `${name}.sample.eth` });
const contract = (name: string): Partial<ProfileDefinition> => ({ name, isContract: true, isVerified: true });
const tagged = (name: string): Partial<ProfileDefinition> => ({
  tags: [{ meta: {}, name, ordinal: 10, slug: name.toLowerCase().replace(/\W+/g, "-"), tagType: "name" }],
});

const ACTORS = {
  mara: person("mara"),
  jonas: person("jonas"),
  ines: person("ines"),
  tomas: person("tomas"),
  landlord: person("brickhouse"),
  shop: person("cornershop"),
  exchange: tagged("Anchor Exchange 2"),
  foundation: tagged("Harbor Foundation"),
  relayer: tagged("Lagoon Relayer"),
  router: contract("TideRouter"),
  pool: contract("TidePool"),
  bridge: { ...contract("LagoonBridge"), ...tagged("Bridge") },
  staking: contract("MoorStaking"),
  governor: contract("HarborGovernor"),
  market: contract("QuayMarket"),
  // Nothing is known about these.
  dropper: {},
  imitator: {},
} satisfies Record<string, Partial<ProfileDefinition>>;

export type ActorKey = keyof typeof ACTORS;

const cache = new Map<string, `0x${string}`>();

export function toChecksumAddress(address: string): `0x${string}` {
  return getOrMake(cache, address, () => checksumAddress(address));
}
