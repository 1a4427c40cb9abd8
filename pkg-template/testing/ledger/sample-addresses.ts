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
  ..."transfer transfer transferFrom swap multicall execute deposit claim 0x3593564c 0xb6f9de95".split(" "),
  null,
];

/** Method names, which the author of a contract can choose freely. */
export const HOSTILE_METHODS = [HOSTILE.image, HOSTILE.control, HOSTILE.empty, "constructor"];

export const CALL_ERRORS = ["execution reverted", "out of gas", "Reverted", "invalid opcode: INVALID", "call depth exceeded"];

/** Creates a metadata tag in the format of the service. */
const createTag = (tagType: string, name: string, ordinal: number, meta: object | null = {}) => {
  return { meta, name, ordinal, slug: name.toLowerCase().replace(/\W+/g, "-"), tagType };
};

const TAGS = {
  protocol: createTag("protocol", "Harbor", 10, {
    textColor: "#fff",
    bgColor: "#1e4d8c",
    "tagIcon ": "https://img.example/harbor.png",
    tagUrl: "https://harbor.example",
  }),
  note: createTag("note", "Upgraded", 1000, {
    tooltipTitle: "Upgraded",
    tooltipDescription: "New code since block 23,600,000",
    tooltipUrl: "https://harbor.example/upgrade",
  }),
  unknown: createTag("seasonal_badge", "Observed", 0, null),
  generic: createTag("generic", "Depositor", 0),
  hostile: {
    ...createTag("name", HOSTILE.image, -1, {
      ["__proto__"]: { polluted: true },
      constructor: { prototype: { polluted: true } },
      toString: "x",
      hasOwnProperty: null,
      tagUrl: "javascript:alert(1)",
      tagIcon: "data:text/html,<script>alert(1)</script>",
      tooltipDescription: HOSTILE.script,
      textColor: "red;background:url(https://evil.example)",
    }),
    slug: "../../etc",
  },
};

export const WEI_PER_ETHER = 10n ** 18n;

/** The profile of an address that the service knows nothing about. `implementations` are the names of contracts behind a proxy. */
export const EMPTY_PROFILE = {
  name: null as string | null,
  ensName: null as string | null,
  isContract: false,
  isVerified: false,
  proxyType: null as string | null,
  implementations: [] as readonly (string | null)[],
  tags: [] as readonly ReturnType<typeof createTag>[],
  publicTags: [] as readonly string[],
  isScam: false,
};
export type ProfileDefinition = Readonly<typeof EMPTY_PROFILE>;

export const person = (name: string): Partial<ProfileDefinition> => ({ ensName: `${name}.sample.eth` });
export const contract = (name: string | null): Partial<ProfileDefinition> => ({ name, isContract: true, isVerified: true });
export const tagged = (name: string): Partial<ProfileDefinition> => ({ tags: [createTag("name", name, 10)] });

/** The key of a sample address, which callers see as its id. */
export type SampleKey = SampleAddressId;

interface SampleDetails {
  /** The current balance, in wei. */
  readonly balance?: bigint;
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

const defineSample = (label: string, description: string, details: SampleDetails = {}) => ({ label, description, ...details });

export const SAMPLE_ADDRESSES: Readonly<Record<SampleKey, ReturnType<typeof defineSample>>> = {
  showcase: defineSample("Everyday wallet", "14 months of salary, rent, swaps, staking and bridging, with a few traps.", {
    profile: person("lena"),
  }),
  treasury: defineSample("Treasury", "Pays five people each month, and is funded each quarter.", {
    profile: { ...contract("HarborTreasury"), proxyType: "eip1167", implementations: ["Safe"] },
  }),
  token: defineSample("Token contract", "Harbor (HRB), with verified source code, holders and transfers.", {
    profile: contract("Harbor"),
  }),
  collector: defineSample("NFT collector", "Mints and buys pictures of two collections, one or two each week.", {
    profile: person("nadia"),
  }),
  hub: defineSample(
    "Busy smart account",
    "More than a hundred records in every list, thousands in some; an account with an EIP-7702 delegation.",
    {
      balance: 1_234_567_890_123_456_789_012n,
      profile: {
        ...person("hub"),
        isContract: true,
        proxyType: "eip7702",
        implementations: ["SmartAccountV2"],
        tags: [TAGS.generic],
      },
    },
  ),
  settlement: defineSample("Settlement contract", "3,000 logs: decoded or not, with nested values and up to four topics.", {
    balance: 87_000_000_000_000_000_001n,
    profile: contract("Settlement"),
  }),
  proxy: defineSample("Tagged proxy contract", "Implementations, public tags, and metadata tags of known and unknown types.", {
    balance: 3n * WEI_PER_ETHER,
    profile: {
      ...contract("VaultProxy"),
      ...person("vault"),
      proxyType: "eip1967",
      implementations: ["VaultV2", null],
      tags: [TAGS.protocol, TAGS.note, TAGS.unknown],
      publicTags: ["Harbor vault"],
    },
  }),
  quiet: defineSample("Quiet account", "A few records in most lists: each fits on one page.", {
    balance: 42_000_000_000_000_000n,
  }),
  minter: defineSample("Batch minter", "Its newest transfer is one log with 160 token ids: pages end inside it.", {
    balance: 5n * WEI_PER_ETHER,
  }),
  airdropped: defineSample("Airdrop target", "Most of its transfers are hidden as scam, so that pages are short or empty.", {
    balance: WEI_PER_ETHER / 4n,
  }),
  hostile: defineSample(
    "Hostile names",
    "Markup, scripts, control characters and very long names in every user-controlled string.",
    {
      balance: 1n,
      profile: {
        ...contract(HOSTILE.image),
        ensName: HOSTILE.rightToLeft,
        tags: [TAGS.hostile],
        publicTags: [HOSTILE.script],
      },
    },
  ),
  empty: defineSample("Fresh wallet", "Has no activity: every list is empty."),
  restricted: defineSample("Restricted address", "The REST lists respond with 403."),
  overloaded: defineSample("Overloaded address", "The service responds with 500 to every request."),
  // The rest are for the account module.
  deep: defineSample("Exchange hot wallet", "60,000 transactions in five years, up to 150 of them in one block.", {
    profile: tagged("Anchor Exchange 1"),
  }),
  distributor: defineSample(
    "Token distributor",
    "13,500 transfers of one token, 10,500 of them in one block, some of them identical.",
    { funding: 30n * WEI_PER_ETHER },
  ),
  oversized: defineSample(
    "Token with an oversized block",
    "The token of the token distributor: 10,500 transfers in block 22,222,222.",
    { profile: contract("Confetti") },
  ),
  lagging: defineSample("Unprocessed calls", "The internal transactions of the newest 400 blocks are not processed yet.", {
    balance: 11n,
  }),
  producer: defineSample("Validator", "Has proposed 12,500 blocks, and withdraws their rewards.", {
    funding: 4096n * WEI_PER_ETHER,
  }),
  stale: defineSample("Stale balance", "Stale in the first two responses, then current.", {
    balance: 2_500_000_000_000_000_000n,
    lateFunding: 1_500_000_000_000_000_000n,
  }),
  unfetched: defineSample("Unknown balance", "Null in the first response, then known.", { balance: 77_000_000_000_000_001n }),
  stuck: defineSample("Stuck balance", "Always stale.", { balance: 5n * WEI_PER_ETHER }),
  whale: defineSample("Largest balance", "The largest 256-bit number, since the first block.", {
    balance: 2n ** 256n - 1n,
    isGenesis: true,
  }),
  limited: defineSample(
    "Rate-limited address",
    "Rejected first with status 429, then with the same message and status 200, then served.",
    { balance: 7n * WEI_PER_ETHER },
  ),
};
export const SAMPLE_KEYS = Object.keys(SAMPLE_ADDRESSES) as SampleKey[];

/** The sample addresses whose rows come from the script (script.ts), and from nowhere else. */
export const SCRIPTED_KEYS = ["showcase", "treasury", "token", "collector"] as const satisfies readonly SampleKey[];
export type ScriptedKey = (typeof SCRIPTED_KEYS)[number];
export const isScripted = (key: SampleKey): key is ScriptedKey => (SCRIPTED_KEYS as readonly SampleKey[]).includes(key);
