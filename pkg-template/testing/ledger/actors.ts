// The people and contracts that the scripted addresses deal with (script.ts). They are not sample addresses.

import type { ProfileDefinition } from "./sample-addresses.js";

const person = (name: string): Partial<ProfileDefinition> => ({ ensName: `${name}.sample.eth` });
const contract = (name: string): Partial<ProfileDefinition> => ({ name, isContract: true, isVerified: true });
const tagged = (name: string): Partial<ProfileDefinition> => ({
  tags: [{ meta: {}, name, ordinal: 10, slug: name.toLowerCase().replace(/\W+/g, "-"), tagType: "name" }],
});

export const ACTORS = {
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
  bridge: contract("LagoonBridge"),
  staking: contract("MoorStaking"),
  governor: contract("HarborGovernor"),
  market: contract("QuayMarket"),
  // Nothing is known about these.
  dropper: {},
  imitator: {},
} satisfies Record<string, Partial<ProfileDefinition>>;

export type ActorKey = keyof typeof ACTORS;
