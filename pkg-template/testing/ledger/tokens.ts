// The tokens of the sample chain. Each has an irregularity that occurs in real tokens. Their pictures are data URLs.

import { createRandom, type Random } from "../random.js";
import type { Token } from "./rows.js";
import { FIRST_WORDS, HOSTILE, SECOND_WORDS } from "./sample-addresses.js";

const toDataUrl = (content: string): string =>
  `data:image/svg+xml,${encodeURIComponent(`<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 60 60'>${content}</svg>`)}`;

const background = (colour: string): string => `<path fill='${colour}' d='M0 0h60v60H0z'/>`;

/** What a picture can show. `hue` is from 0 to 359. */
const MOTIFS = {
  lantern: (_random: Random, hue: number) =>
    `${background("#1c2430")}<circle cx='30' cy='32' r='15' fill='hsl(${hue} 70% 60%)'/>` +
    "<path d='M22 13h16M30 7v10M24 50h12' stroke='#fff' stroke-width='3'/>",
  tide: (random: Random, hue: number) =>
    background(`hsl(${hue} 60% 85%)`) +
    [20, 34, 46]
      .map((y, i) => {
        const height = 4 + random.nextInt(8);
        return `<path fill='hsl(${hue} 60% ${66 - i * 16}%)' d='M0 ${y}q15-${height} 30 0t30 0v40H0z'/>`;
      })
      .join(""),
  part: (random: Random, hue: number) =>
    `${background("#e9e4d8")}<circle cx='30' cy='30' r='16' fill='none' stroke='hsl(${hue} 35% 40%)' stroke-width='9' ` +
    `stroke-dasharray='${3 + random.nextInt(6)} 3'/><circle cx='30' cy='30' r='11' fill='hsl(${hue} 35% 55%)'/>`,
  boat: (_random: Random, hue: number) =>
    `${background(`hsl(${hue} 55% 80%)`)}<path fill='#fff' d='M12 34h36L39 46H21zM31 12v19h15z'/>` +
    `<path fill='hsl(${hue} 55% 45%)' d='M29 9v22H13z'/>`,
  tiles: (random: Random, hue: number) =>
    background(`hsl(${hue} 45% 22%)`) +
    Array.from({ length: 7 }, () => {
      const [x, y] = [random.nextInt(4) * 15, random.nextInt(4) * 15];
      return `<path fill='hsl(${(hue + random.nextInt(60)) % 360} 65% 60%)' d='M${x} ${y}h15v15H${x}z'/>`;
    }).join(""),
};

const MOTIFS_BY_COLLECTION: Readonly<Record<string, keyof typeof MOTIFS>> = {
  Lanterns: "lantern",
  "Harbor Lights": "lantern",
  "Paper Boats": "boat",
  "Tide Passes": "tide",
  "Workshop Parts": "part",
};

export function createPicture(random: Random, collection: string | null): string {
  const motif = MOTIFS[MOTIFS_BY_COLLECTION[collection ?? ""] ?? "tiles"];
  return toDataUrl(motif(random, random.nextInt(360)));
}

const createIcon = (letter: string, colour: string): string =>
  toDataUrl(
    `<circle cx='30' cy='30' r='30' fill='${colour}'/>` +
      `<text x='30' y='41' font-family='sans-serif' font-size='32' text-anchor='middle' fill='#fff'>${letter}</text>`,
  );

/** What is special about a token. Other values are generated or null. */
type TokenDefinition = Partial<Token> & Pick<Token, "type" | "name" | "symbol">;

const REGULAR_TOKENS: readonly TokenDefinition[] = [
  {
    type: "ERC-20",
    name: "Sample Dollar",
    symbol: "SUSD",
    decimals: "6",
    exchange_rate: "0.999801",
    circulating_market_cap: "1.2E+10",
    circulating_supply: "43000000000.5",
    total_supply: "43000000000000000",
    volume_24h: "812345678.12",
    icon_url: createIcon("S", "#2775ca"),
  },
  {
    type: "ERC-20",
    name: "Wrapped Sample Ether",
    symbol: "WSE",
    decimals: "18",
    exchange_rate: "2718.21",
    circulating_market_cap: "8154630000",
    circulating_supply: "3000000",
    total_supply: "3000000000000000000000000",
    volume_24h: "98765432.1",
    icon_url: createIcon("E", "#ec1c79"),
  },
  {
    type: "ERC-20",
    name: "Crumb",
    symbol: "CRUMB",
    decimals: "18",
    exchange_rate: "1.2E-8",
    circulating_market_cap: "0E-20",
    total_supply: "999999999999999999999999999999999999",
  },
  {
    type: "ERC-20",
    name: "Dear",
    symbol: "DEAR",
    decimals: "8",
    exchange_rate: "1.2E+21",
    circulating_market_cap: "1.2E+21",
    volume_24h: "0E-20",
    total_supply: "1",
    icon_url: createIcon("D", "#7a5b1e"),
  },
  {
    type: "ERC-20",
    name: "Whole Points",
    symbol: "PTS",
    decimals: "0",
    total_supply: "21000000",
    ui_multiplier: "1.0213",
    icon_url: "https://img.example/points.png",
  },
  { type: "ERC-20", name: "Finest Grain", symbol: "FINE", decimals: "77", total_supply: (2n ** 256n - 1n).toString() },
  { type: "ERC-20", name: "Undeclared", symbol: null, decimals: null },
  { type: "ERC-20", name: null, symbol: null, decimals: null, total_supply: null, ui_multiplier: null, holders_count: null },
  { type: "ERC-721", name: "Lanterns", symbol: "LNTN", icon_url: "ipfs://bafybeilanterns/cover.png" },
  { type: "ERC-721", name: "Tide Passes", symbol: "TIDE", icon_url: "" },
  { type: "ERC-721", name: null, symbol: null },
  { type: "ERC-1155", name: "Workshop Parts", symbol: "PART", decimals: "0" },
  { type: "ERC-1155", name: "Open Editions", symbol: null },
  {
    type: "ERC-404",
    name: "Halfway",
    symbol: "HALF",
    decimals: "18",
    exchange_rate: "14.5",
    icon_url: createIcon("H", "#3b7a57"),
    total_supply: "10000000000000000000000",
  },
  // The service once classified it as ERC-20; transfers from that time keep that type.
  { type: "ERC-404", name: "Reclassified", symbol: "RECL", decimals: "18", formerType: "ERC-20" },
  { type: "ERC-7984", name: "Veiled Dollar", symbol: "vUSD", decimals: "6", total_supply: null },
];

const HOSTILE_TOKENS: readonly TokenDefinition[] = [
  { type: "ERC-20", name: HOSTILE.image, symbol: HOSTILE.script, decimals: "18", icon_url: "javascript:alert(1)" },
  {
    type: "ERC-20",
    name: HOSTILE.rightToLeft,
    symbol: HOSTILE.control,
    decimals: "6",
    icon_url: "data:text/html,<script>alert(1)</script>",
  },
  { type: "ERC-20", name: HOSTILE.long, symbol: HOSTILE.quotes, decimals: "18", icon_url: "//evil.example/x.png" },
  { type: "ERC-721", name: HOSTILE.beyondBmp, symbol: HOSTILE.empty, icon_url: "ipfs://bafybeihostile/x.svg" },
  { type: "ERC-1155", name: HOSTILE.control, symbol: HOSTILE.image, icon_url: "" },
];

/** Tokens without a price that were sent to many addresses. */
const SPAM_TOKENS: readonly TokenDefinition[] = [
  { type: "ERC-20", name: "Voucher 5,000 USD at voucher.example", symbol: "VOUCHER", decimals: "18" },
  { type: "ERC-20", name: "Early Access", symbol: "ACCESS", decimals: "9" },
  { type: "ERC-20", name: "Bonus for holders", symbol: "BONUS", decimals: "0" },
  { type: "ERC-20", name: "Sample Dollar", symbol: "SUSD.", decimals: "6" },
];

/** The tokens that the scripted addresses trade and collect, besides the first two regular ones. */
const SCRIPTED_TOKENS = {
  harbor: {
    type: "ERC-20",
    name: "Harbor",
    symbol: "HRB",
    decimals: "18",
    exchange_rate: "3.42",
    circulating_market_cap: "146204000",
    circulating_supply: "42749707.6",
    total_supply: "100000000000000000000000000",
    volume_24h: "2840112.5",
    icon_url: createIcon("H", "#1e4d8c"),
  },
  moored: {
    type: "ERC-20",
    name: "Moored Sample Ether",
    symbol: "mSE",
    decimals: "18",
    exchange_rate: "2731.05",
    circulating_market_cap: "611755200",
    total_supply: "224000000000000000000000",
    icon_url: createIcon("M", "#0f766e"),
  },
  lagoon: {
    type: "ERC-20",
    name: "Lagoon",
    symbol: "LGN",
    decimals: "18",
    exchange_rate: "0.1846",
    circulating_market_cap: "18460000",
    total_supply: "100000000000000000000000000",
    icon_url: createIcon("L", "#0891b2"),
  },
  lights: { type: "ERC-721", name: "Harbor Lights", symbol: "LIGHT", icon_url: createIcon("L", "#b45309") },
  boats: { type: "ERC-721", name: "Paper Boats", symbol: "BOAT", icon_url: createIcon("B", "#be185d") },
} satisfies Record<string, TokenDefinition>;

const AIRDROP_COUNT = 115;

/** Makes the definitions of tokens that are worth next to nothing. The last ones have no price. */
function makeAirdrops(): TokenDefinition[] {
  return Array.from({ length: AIRDROP_COUNT }, (_, i) => ({
    type: "ERC-20",
    name: `${FIRST_WORDS[i % 10]} ${SECOND_WORDS[Math.floor(i / 10) % 10]}`,
    symbol: `DROP${i}`,
    decimals: "18",
    exchange_rate: i >= 70 ? null : i % 23 === 5 ? "0E-20" : `${1 + (i % 9)}.${i % 7}E-${15 + (i % 5)}`,
  }));
}

export type Tokens = ReturnType<typeof makeTokens>;

export function listTokens({ regular, hostile, spam, airdrops, batch, scam, oversized, scripted }: Tokens): Token[] {
  return [...regular, ...hostile, ...spam, ...airdrops, batch, scam, oversized, ...Object.values(scripted)];
}

export function makeTokens(seed: number) {
  // `id` only seeds the generated values. It need not say anything about the token.
  const makeToken = (token: TokenDefinition, id: string): Token => {
    const random = createRandom(seed, "token", id);
    return {
      decimals: null,
      exchange_rate: null,
      circulating_market_cap: null,
      circulating_supply: null,
      volume_24h: null,
      icon_url: null,
      total_supply: null,
      holders_count: String(1 + random.nextInt(500_000)),
      isScam: false,
      hash: random.nextHex(20),
      ...token,
    };
  };
  // The hashes of sample addresses.
  const [oversizedHash = "", harborHash = ""] = ["oversized", "token"].map((key) =>
    createRandom(seed, "sample", key).nextHex(20),
  );
  const regular = REGULAR_TOKENS.map((token, i) => makeToken(token, `fair/${i}`));
  const scripted = Object.entries({ ...SCRIPTED_TOKENS, harbor: { ...SCRIPTED_TOKENS.harbor, hash: harborHash } });
  const scriptedTokens = scripted.map(([key, token]) => [key, makeToken(token, `scripted/${key}`)]);
  return {
    stablecoin: regular[0] as Token,
    spam: SPAM_TOKENS.map((token, i) => makeToken(token, `spam/${i}`)),
    airdrops: makeAirdrops().map((token, i) => makeToken(token, `airdrop/${i}`)),
    regular,
    hostile: HOSTILE_TOKENS.map((token, i) => makeToken(token, `hostile/${i}`)),
    /** A token that is transferred in large batches. */
    batch: makeToken({ type: "ERC-1155", name: "Season Archive", symbol: "ARCH" }, "giant"),
    oversized: makeToken({ type: "ERC-20", name: "Confetti", symbol: "CNFT", decimals: "0", hash: oversizedHash }, "crowded"),
    /** A token whose transfers the service hides. */
    scam: makeToken({ type: "ERC-20", name: "Visit claim-reward.example", symbol: "FREE", decimals: "18", isScam: true }, "scam"),
    scripted: Object.fromEntries(scriptedTokens) as Readonly<Record<keyof typeof SCRIPTED_TOKENS, Token>>,
  };
}
