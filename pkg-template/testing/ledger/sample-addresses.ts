// The sample addresses: their menu entries, balances and profiles. Also strings: plausible names, and hostile ones that break clients
// that trust them.

import type { SampleAddressId } from "../public-types.js";

export const FIRST_WORDS = ["Amber", "Birch", "Cobalt", "Delta", "Ember", "Fjord", "Garnet", "Harbor", "Indigo", "Juniper"];
export const SECOND_WORDS = ["Vault", "Router", "Pool", "Bridge", "Escrow", "Market", "Registry", "Treasury", "Oracle", "Gate"];

/** Strings that anyone can put into a contract's name on a real chain. */
export const HOSTILE = {
  image: "<img src=x onerror=alert(1)>",
  script: "</script><script>alert(1)</script>",
  rightToLeft: "Safe\u202Ekcatta\u202C \u2066token\u2069",
  long: "Endless ".repeat(625),
  control: "nul\u0000bell\u0007escape\u001B[31mred\u007F\u2028line\u2029end\r\n\ttab",
  beyondBmp: "🦄 𝔘𝔫𝔦 👩‍👩‍👧‍👦 𓂀",
  quotes: "\"double\" 'single' \\back\\ `tick` ${x} %00 &amp;",
  empty: "",
};

/** Called methods. Methods that are listed repeatedly are more frequent. */
export const METHODS: readonly (string | null)[] = [
  "transfer",
  "transfer",
  "transferFrom",
  "swap",
  "multicall",
  "execute",
  "deposit",
  "claim",
  "0x3593564c",
  "0xb6f9de95",
  null,
];

/** Method names, which the author of a contract can choose freely. */
export const HOSTILE_METHODS = [HOSTILE.image, HOSTILE.control, HOSTILE.empty, "constructor"];

export const CALL_ERRORS = ["execution reverted", "out of gas", "Reverted", "invalid opcode: INVALID", "call depth exceeded"];

/** A metadata tag in the format of the service. */
export interface MetadataTag {
  readonly meta: object | null;
  readonly name: string;
  readonly ordinal: number;
  readonly slug: string;
  readonly tagType: string;
}

const TAGS = {
  protocol: {
    meta: {
      textColor: "#fff",
      bgColor: "#1e4d8c",
      "tagIcon ": "https://img.example/harbor.png",
      tagUrl: "https://harbor.example",
    },
    name: "Harbor",
    ordinal: 10,
    slug: "harbor",
    tagType: "protocol",
  },
  note: {
    meta: {
      tooltipTitle: "Upgraded",
      tooltipDescription: "New code since block 23,600,000",
      tooltipUrl: "https://harbor.example/upgrade",
    },
    name: "Upgraded",
    ordinal: 1000,
    slug: "upgraded",
    tagType: "note",
  },
  unknown: { meta: null, name: "Observed", ordinal: 0, slug: "observed", tagType: "seasonal_badge" },
  generic: { meta: {}, name: "Depositor", ordinal: 0, slug: "depositor", tagType: "generic" },
  hostile: {
    meta: {
      ["__proto__"]: { polluted: true },
      constructor: { prototype: { polluted: true } },
      toString: "x",
      hasOwnProperty: null,
      tagUrl: "javascript:alert(1)",
      tagIcon: "data:text/html,<script>alert(1)</script>",
      tooltipDescription: HOSTILE.script,
      textColor: "red;background:url(https://evil.example)",
    },
    name: HOSTILE.image,
    ordinal: -1,
    slug: "../../etc",
    tagType: "name",
  },
} satisfies Record<string, MetadataTag>;

export const WEI_PER_ETHER = 10n ** 18n;

/** The profile of an address that the service knows nothing about. `implementations` are the names of contracts behind a proxy. */
export const EMPTY_PROFILE = {
  name: null as string | null,
  ensName: null as string | null,
  isContract: false,
  isVerified: false,
  proxyType: null as string | null,
  implementations: [] as readonly (string | null)[],
  tags: [] as readonly MetadataTag[],
  publicTags: [] as readonly string[],
  isScam: false,
};
export type ProfileDefinition = Readonly<typeof EMPTY_PROFILE>;

/** The key of a sample address, which callers see as its id. */
export type SampleKey = SampleAddressId;

interface SampleDefinition {
  readonly label: string;
  readonly description: string;
  /** The current balance, in wei. */
  readonly balance?: bigint;
  readonly isRanked?: boolean;
  /**
   * What it received at first, in wei. Default: what its balance requires. With a long history it is more than it spends, so that it
   * does not depend on all its rows. The first transaction of the deep history funds `deep`.
   */
  readonly funding?: bigint;
  /** The part of the balance that the service does not know at first. */
  readonly lateFunding?: bigint;
  /** Whether it has had its balance since the first block. */
  readonly isGenesis?: boolean;
  readonly profile?: Partial<ProfileDefinition>;
}

export const SAMPLE_ADDRESSES: Readonly<Record<SampleKey, SampleDefinition>> = {
  showcase: {
    label: "Everyday wallet",
    description: "14 months of salary, rent, swaps, staking and bridging, with a few traps.",
    profile: { ensName: "lena.sample.eth" },
  },
  treasury: {
    label: "Treasury",
    description: "Pays five people each month, and is funded each quarter.",
    profile: { name: "HarborTreasury", isContract: true, isVerified: true, proxyType: "eip1167", implementations: ["Safe"] },
  },
  token: {
    label: "Token contract",
    description: "Harbor (HRB), with verified source code, holders and transfers.",
    profile: { name: "Harbor", isContract: true, isVerified: true },
  },
  collector: {
    label: "NFT collector",
    description: "Mints and buys pictures of two collections, one or two each week.",
    profile: { ensName: "nadia.sample.eth" },
  },
  hub: {
    label: "Busy smart account",
    description: "More than a hundred records in every list, thousands in some; an account with an EIP-7702 delegation.",
    balance: 1_234_567_890_123_456_789_012n,
    isRanked: true,
    profile: {
      isContract: true,
      ensName: "hub.sample.eth",
      proxyType: "eip7702",
      implementations: ["SmartAccountV2"],
      tags: [TAGS.generic],
    },
  },
  settlement: {
    label: "Settlement contract",
    description: "3,000 logs: decoded or not, with nested values and up to four topics.",
    balance: 87_000_000_000_000_000_001n,
    isRanked: true,
    profile: { name: "Settlement", isContract: true, isVerified: true },
  },
  proxy: {
    label: "Tagged proxy contract",
    description: "Implementations, public tags, and metadata tags of known and unknown types.",
    balance: 3n * WEI_PER_ETHER,
    isRanked: true,
    profile: {
      name: "VaultProxy",
      ensName: "vault.sample.eth",
      isContract: true,
      isVerified: true,
      proxyType: "eip1967",
      implementations: ["VaultV2", null],
      tags: [TAGS.protocol, TAGS.note, TAGS.unknown],
      publicTags: ["Harbor vault"],
    },
  },
  quiet: {
    label: "Quiet account",
    description: "A few records in most lists: each fits on one page.",
    balance: 42_000_000_000_000_000n,
    isRanked: true,
  },
  minter: {
    label: "Batch minter",
    description: "Its newest transfer is one log with 160 token ids: pages end inside it.",
    balance: 5n * WEI_PER_ETHER,
    isRanked: true,
  },
  airdropped: {
    label: "Airdrop target",
    description: "Most of its transfers are hidden as scam, so that pages are short or empty.",
    balance: WEI_PER_ETHER / 4n,
    isRanked: true,
  },
  hostile: {
    label: "Hostile names",
    description: "Markup, scripts, control characters and very long names in every user-controlled string.",
    balance: 1n,
    isRanked: true,
    profile: {
      name: HOSTILE.image,
      ensName: HOSTILE.rightToLeft,
      isContract: true,
      isVerified: true,
      tags: [TAGS.hostile],
      publicTags: [HOSTILE.script],
    },
  },
  empty: { label: "Fresh wallet", description: "Has no activity: every list is empty." },
  restricted: { label: "Restricted address", description: "The REST lists respond with 403." },
  overloaded: { label: "Overloaded address", description: "The service responds with 500 to every request." },
  // The rest are for the account module.
  deep: {
    label: "Exchange hot wallet",
    description: "60,000 transactions in five years, up to 150 of them in one block.",
    profile: { tags: [{ meta: {}, name: "Anchor Exchange 1", ordinal: 10, slug: "anchor-exchange-1", tagType: "name" }] },
  },
  distributor: {
    label: "Token distributor",
    description: "13,500 transfers of one token, 10,500 of them in one block, some of them identical.",
    funding: 30n * WEI_PER_ETHER,
  },
  oversized: {
    label: "Token with an oversized block",
    description: "The token of the token distributor: 10,500 transfers in block 22,222,222.",
    profile: { name: "Confetti", isContract: true, isVerified: true },
  },
  lagging: {
    label: "Unprocessed calls",
    description: "The internal transactions of the newest 400 blocks are not processed yet.",
    balance: 11n,
  },
  producer: {
    label: "Validator",
    description: "Has proposed 12,500 blocks, and withdraws their rewards.",
    funding: 4096n * WEI_PER_ETHER,
  },
  stale: {
    label: "Stale balance",
    description: "Stale in the first two responses, then current.",
    balance: 2_500_000_000_000_000_000n,
    lateFunding: 1_500_000_000_000_000_000n,
  },
  unfetched: {
    label: "Unknown balance",
    description: "Null in the first response, then known.",
    balance: 77_000_000_000_000_001n,
  },
  stuck: { label: "Stuck balance", description: "Always stale.", balance: 5n * WEI_PER_ETHER },
  whale: {
    label: "Largest balance",
    description: "The largest 256-bit number, since the first block.",
    balance: 2n ** 256n - 1n,
    isGenesis: true,
  },
  limited: {
    label: "Rate-limited address",
    description: "Rejected first with status 429, then with the same message and status 200, then served.",
    balance: 7n * WEI_PER_ETHER,
  },
};
export const SAMPLE_KEYS = Object.keys(SAMPLE_ADDRESSES) as SampleKey[];

/** The sample addresses whose rows come from the script (script.ts), and from nowhere else. */
export const SCRIPTED_KEYS = ["showcase", "treasury", "token", "collector"] as const satisfies readonly SampleKey[];
export type ScriptedKey = (typeof SCRIPTED_KEYS)[number];
export const isScripted = (key: SampleKey): key is ScriptedKey => (SCRIPTED_KEYS as readonly SampleKey[]).includes(key);
