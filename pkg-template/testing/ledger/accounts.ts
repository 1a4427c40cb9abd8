// The accounts of the sample chain: the sample addresses, the actors of the script, and other addresses, with their profiles.

import { checksumAddress } from "../../checksum.js";
import { getOrMake, createLazy } from "../maps.js";
import type { SampleAddress } from "../public-types.js";
import { createRandom, type Random } from "../random.js";
import type { Token } from "./rows.js";
import {
  contract,
  EMPTY_PROFILE,
  FIRST_WORDS,
  person,
  type ProfileDefinition,
  SAMPLE_ADDRESSES,
  SAMPLE_KEYS,
  type SampleKey,
  SECOND_WORDS,
  tagged,
} from "./sample-addresses.js";
import { listTokens, type Tokens } from "./tokens.js";

export const ZERO_ADDRESS = `0x${"0".repeat(40)}`;
const OTHER_ADDRESS_COUNT = 2000;
const FIRST_VALIDATOR = 1000;
const VALIDATOR_COUNT = 40;

export type Accounts = ReturnType<typeof createAccounts>;

/** Creates the accounts of a chain. Addresses are in lower case here; the serializer writes checksum addresses. */
export function createAccounts(seed: number, tokens: Tokens) {
  const tokensByHash: ReadonlyMap<string, Token> = new Map(listTokens(tokens).map((token) => [token.hash, token]));
  const sampleHashes = makeHashes(seed, "sample", SAMPLE_KEYS);
  const keysByHash = new Map(SAMPLE_KEYS.map((key) => [sampleHashes[key], key]));
  const actorHashes = makeHashes(seed, "actor", Object.keys(ACTORS) as ActorKey[]);
  const actorsByHash = new Map(Object.entries(ACTORS).map(([key, actor]) => [actorHashes[key as ActorKey], actor]));
  const profiles = new Map<string, ReturnType<typeof makeProfile>>();
  const makeOtherHashes = (first: number, length: number): readonly string[] =>
    Array.from({ length }, (_, i) => createRandom(seed, "account", first + i).nextHex(20));
  const others = createLazy(() => makeOtherHashes(0, OTHER_ADDRESS_COUNT));
  const otherSet = createLazy(() => new Set(others.value));
  const validators = createLazy(() => makeOtherHashes(FIRST_VALIDATOR, VALIDATOR_COUNT));

  const findDefinition = (hash: string, key: SampleKey | undefined): Partial<ProfileDefinition> | undefined => {
    const known = key ? SAMPLE_ADDRESSES[key].profile : actorsByHash.get(hash);
    if (key || known) return known;
    const token = tokensByHash.get(hash);
    if (token) return { ...contract(token.name), isScam: token.isScam };
    return otherSet.value.has(hash) ? makeOtherProfile(createRandom(seed, "profile", hash)) : undefined;
  };
  /** What the service knows about an address. The implementations are the contracts behind a proxy. */
  const makeProfile = (hash: string) => {
    const key = keysByHash.get(hash);
    const { implementations, ...profile } = { ...EMPTY_PROFILE, ...findDefinition(hash, key) };
    const makeImplementation = (name: string | null) => ({ hash: createRandom(seed, name, key ?? null).nextHex(20), name });
    return { ...profile, implementations: implementations.map(makeImplementation) };
  };
  return {
    sampleHashes,
    actorHashes,
    /** The hashes of all addresses that are neither sample addresses nor tokens. */
    get otherHashes(): readonly string[] {
      return others.value;
    },
    /** Addresses that produce blocks and create contracts. None of them is a sample address. */
    get validators(): readonly string[] {
      return validators.value;
    },
    /** The hashes of all addresses that can be found by their hash, except tokens. */
    get listedHashes(): string[] {
      return [...Object.values(sampleHashes), ...actorsByHash.keys(), ...others.value];
    },
    get contractHashes(): string[] {
      return [...this.listedHashes, ...tokensByHash.keys()].filter((hash) => this.getProfile(hash).isContract);
    },
    getToken: (hash: string) => tokensByHash.get(hash),
    isSample: (hash: string) => keysByHash.has(hash),
    /** Whether an address produces blocks. The other sample addresses do not. */
    canProduce: (hash: string) => hash === sampleHashes.producer || !keysByHash.has(hash),
    getProfile: (hash: string) => getOrMake(profiles, hash, () => makeProfile(hash)),
  };
}

const makeHashes = <Key extends string>(seed: number, kind: string, keys: readonly Key[]) =>
  Object.fromEntries(keys.map((key) => [key, createRandom(seed, kind, key).nextHex(20)])) as Readonly<Record<Key, string>>;

function makeOtherProfile(random: Random): Partial<ProfileDefinition> {
  if (random.nextBoolean(0.8)) return {};
  if (random.nextBoolean(0.3)) return { ensName: `${random.pick(FIRST_WORDS).toLowerCase()}${random.nextInt(1000)}.eth` };
  const name = random.pick(FIRST_WORDS) + random.pick(SECOND_WORDS);
  return { name, isContract: true, isVerified: random.nextBoolean(0.7) };
}

export const listSampleAddresses = ({ sampleHashes }: Accounts): SampleAddress[] =>
  SAMPLE_KEYS.map((id) => ({
    id,
    // Checksums take time, and a page needs few of them.
    get hash() {
      return toChecksumAddress(sampleHashes[id]);
    },
    label: SAMPLE_ADDRESSES[id].label,
    description: SAMPLE_ADDRESSES[id].description,
  }));

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
