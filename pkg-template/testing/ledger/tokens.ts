// The tokens of the sample chain. Each has an irregularity that occurs in real tokens. Their pictures are data URLs.

import type { SampleAddressId } from "../public-types.js";
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

const erc20 = (name: string | null, symbol: string | null, decimals: string | null, members: Partial<Token> = {}) => {
  return { type: "ERC-20", name, symbol, decimals, ...members };
};
const createToken = (type: string, name: string | null, symbol: string | null, members: Partial<Token> = {}) => {
  return { type, name, symbol, ...members };
};
const REGULAR_TOKENS: readonly TokenDefinition[] = [
  erc20("Sample Dollar", "SUSD", "6", {
    exchange_rate: "0.999801",
    circulating_market_cap: "1.2E+10",
    circulating_supply: "43000000000.5",
    volume_24h: "812345678.12",
    total_supply: "43000000000000000",
    icon_url: createIcon("S", "#2775ca"),
  }),
  erc20("Wrapped Sample Ether", "WSE", "18", {
    exchange_rate: "2718.21",
    circulating_market_cap: "8154630000",
    circulating_supply: "3000000",
    volume_24h: "98765432.1",
    total_supply: "3000000000000000000000000",
    icon_url: createIcon("E", "#ec1c79"),
  }),
  erc20("Crumb", "CRUMB", "18", {
    exchange_rate: "1.2E-8",
    circulating_market_cap: "0E-20",
    total_supply: "999999999999999999999999999999999999",
  }),
  erc20("Dear", "DEAR", "8", {
    exchange_rate: "1.2E+21",
    circulating_market_cap: "1.2E+21",
    volume_24h: "0E-20",
    total_supply: "1",
    icon_url: createIcon("D", "#7a5b1e"),
  }),
  erc20("Whole Points", "PTS", "0", {
    total_supply: "21000000",
    ui_multiplier: "1.0213",
    icon_url: "https://img.example/points.png",
  }),
  erc20("Finest Grain", "FINE", "77", { total_supply: (2n ** 256n - 1n).toString() }),
  erc20("Undeclared", null, null),
  erc20(null, null, null, { total_supply: null, ui_multiplier: null, holders_count: null }),
  createToken("ERC-721", "Lanterns", "LNTN", { icon_url: "ipfs://bafybeilanterns/cover.png" }),
  createToken("ERC-721", "Tide Passes", "TIDE", { icon_url: "" }),
  createToken("ERC-721", null, null),
  createToken("ERC-1155", "Workshop Parts", "PART", { decimals: "0" }),
  createToken("ERC-1155", "Open Editions", null),
  createToken("ERC-404", "Halfway", "HALF", {
    decimals: "18",
    exchange_rate: "14.5",
    icon_url: createIcon("H", "#3b7a57"),
    total_supply: "10000000000000000000000",
  }),
  // The service once classified it as ERC-20; transfers from that time keep that type.
  createToken("ERC-404", "Reclassified", "RECL", { decimals: "18", formerType: "ERC-20" }),
  { type: "ERC-7984", name: "Veiled Dollar", symbol: "vUSD", decimals: "6", total_supply: null },
];

const HOSTILE_TOKENS: readonly TokenDefinition[] = [
  erc20(HOSTILE.image, HOSTILE.script, "18", { icon_url: "javascript:alert(1)" }),
  erc20(HOSTILE.rightToLeft, HOSTILE.control, "6", { icon_url: "data:text/html,<script>alert(1)</script>" }),
  erc20(HOSTILE.long, HOSTILE.quotes, "18", { icon_url: "//evil.example/x.png" }),
  createToken("ERC-721", HOSTILE.beyondBmp, HOSTILE.empty, { icon_url: "ipfs://bafybeihostile/x.svg" }),
  createToken("ERC-1155", HOSTILE.control, HOSTILE.image, { icon_url: "" }),
];

/** Tokens without a price that were sent to many addresses. */
const SPAM_TOKENS: readonly TokenDefinition[] = [
  erc20("Voucher 5,000 USD at voucher.example", "VOUCHER", "18"),
  erc20("Early Access", "ACCESS", "9"),
  erc20("Bonus for holders", "BONUS", "0"),
  erc20("Sample Dollar", "SUSD.", "6"),
];

/** The tokens that the scripted addresses trade and collect, besides the first two regular ones. */
const SCRIPTED_TOKENS = {
  harbor: erc20("Harbor", "HRB", "18", {
    exchange_rate: "3.42",
    circulating_market_cap: "146204000",
    circulating_supply: "42749707.6",
    volume_24h: "2840112.5",
    total_supply: "100000000000000000000000000",
    icon_url: createIcon("H", "#1e4d8c"),
  }),
  moored: erc20("Moored Sample Ether", "mSE", "18", {
    exchange_rate: "2731.05",
    circulating_market_cap: "611755200",
    total_supply: "224000000000000000000000",
    icon_url: createIcon("M", "#0f766e"),
  }),
  lagoon: erc20("Lagoon", "LGN", "18", {
    exchange_rate: "0.1846",
    circulating_market_cap: "18460000",
    total_supply: "100000000000000000000000000",
    icon_url: createIcon("L", "#0891b2"),
  }),
  lights: createToken("ERC-721", "Harbor Lights", "LIGHT", { icon_url: createIcon("L", "#b45309") }),
  boats: createToken("ERC-721", "Paper Boats", "BOAT", { icon_url: createIcon("B", "#be185d") }),
};

const AIRDROP_COUNT = 115;

/** Makes the definitions of tokens that are worth next to nothing. The last ones have no price. */
const makeAirdrops = (): TokenDefinition[] =>
  Array.from({ length: AIRDROP_COUNT }, (_, i) =>
    erc20(`${FIRST_WORDS[i % 10]} ${SECOND_WORDS[Math.floor(i / 10) % 10]}`, `DROP${i}`, "18", {
      exchange_rate: i >= 70 ? null : i % 23 === 5 ? "0E-20" : `${1 + (i % 9)}.${i % 7}E-${15 + (i % 5)}`,
    }),
  );

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
  const makeAll = (tokens: readonly TokenDefinition[], id: string) => tokens.map((token, i) => makeToken(token, `${id}/${i}`));
  const getSampleHash = (key: SampleAddressId) => createRandom(seed, "sample", key).nextHex(20);
  const regular = makeAll(REGULAR_TOKENS, "fair");
  const scripted = { ...SCRIPTED_TOKENS, harbor: { ...SCRIPTED_TOKENS.harbor, hash: getSampleHash("token") } };
  const scriptedTokens = Object.entries(scripted).map(([key, token]) => [key, makeToken(token, `scripted/${key}`)]);
  return {
    stablecoin: regular[0] as Token,
    spam: makeAll(SPAM_TOKENS, "spam"),
    airdrops: makeAll(makeAirdrops(), "airdrop"),
    regular,
    hostile: makeAll(HOSTILE_TOKENS, "hostile"),
    /** A token that is transferred in large batches. */
    batch: makeToken(createToken("ERC-1155", "Season Archive", "ARCH"), "giant"),
    oversized: makeToken(erc20("Confetti", "CNFT", "0", { hash: getSampleHash("oversized") }), "crowded"),
    /** A token whose transfers the service hides. */
    scam: makeToken(erc20("Visit claim-reward.example", "FREE", "18", { isScam: true }), "scam"),
    scripted: Object.fromEntries(scriptedTokens) as Readonly<Record<keyof typeof SCRIPTED_TOKENS, Token>>,
  };
}
