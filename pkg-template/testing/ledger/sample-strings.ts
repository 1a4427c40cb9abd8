// Strings of the sample chain: plausible names, and hostile ones that break clients that trust them.

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

export const TAGS = {
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
