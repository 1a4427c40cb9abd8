// NFTs held by addresses, and the free-form metadata that contract authors attach to them.

import type { Random } from "../random.js";
import type { LedgerContext } from "./context.js";
import type { Token } from "./rows.js";
import { HOSTILE } from "./sample-addresses.js";
import type { Holding } from "./token-ledger.js";
import { createPicture } from "./tokens.js";

const COUNTS = [
  ["hub", 400],
  ["minter", 75],
  ["quiet", 5],
  ["hostile", 24],
] as const;

/**
 * Makes all NFTs that sample addresses hold, unsorted. `received` has the NFTs that the producer of the eventful block received
 * in it.
 */
export function makeNfts(context: LedgerContext, received: readonly Holding[]): NftRow[] {
  const { regular, hostile } = context.tokens;
  // An NFT has one owner. Several addresses can hold items of an ERC-1155 token.
  const rows = new Map<string, NftRow>();
  for (const [key, count] of COUNTS) {
    const account = context.accounts.sampleHashes[key];
    const random = context.createRandom("nfts", key);
    const collections = (key === "hostile" ? hostile : regular).filter(({ type }) => /^ERC-(721|1155|404)$/.test(type));
    const first = rows.size;
    while (rows.size < first + count) {
      const token = random.pick(collections);
      const token_id = random.nextBoolean(0.15) ? random.nextBigInt(32) : BigInt(random.nextInt(20_000));
      const item = `${token.hash}/${token_id}`;
      if (rows.has(item)) continue;
      const nft = createNft(account, token, token_id, BigInt(1 + random.nextInt(500)));
      // One NFT contains its image as a data URL.
      rows.set(item, { ...nft, hasEmbeddedImage: key === "hub" && rows.size === 11 });
    }
  }
  const others = received.flatMap(({ account, token, token_id, amount }) =>
    token_id === null ? [] : [createNft(account, token, token_id, amount)],
  );
  return [...rows.values(), ...others];
}

export type NftRow = Readonly<ReturnType<typeof createNft>>;

export function createNft(account: string, token: Token, token_id: bigint, amount: bigint) {
  const value = token.type === "ERC-721" ? 1n : token.type === "ERC-404" ? null : amount;
  const { hash: token_contract_address_hash, type: token_type } = token;
  return { account, token, token_id, token_contract_address_hash, token_type, value, hasEmbeddedImage: false };
}

/** The members of an NFT without media. */
const NO_MEDIA = {
  image_url: null as string | null,
  animation_url: null as string | null,
  external_app_url: null as string | null,
  media_url: null as string | null,
  media_type: null as string | null,
  thumbnails: null as Readonly<Record<string, string>> | null,
};

type NftContent = ReturnType<typeof createContent>;

const createContent = (metadata: object | null, media: Partial<typeof NO_MEDIA> = {}) => ({ ...NO_MEDIA, metadata, ...media });

/** Makes the media URLs and the metadata of an NFT: always the same for the same NFT. */
export function makeNftContent(
  context: LedgerContext,
  { token, token_id, hasEmbeddedImage }: Pick<NftRow, "token" | "token_id"> & Partial<NftRow>,
): NftContent {
  const random = context.createRandom("nft", token.hash, token_id);
  const id = token_id.toString();
  if (context.tokens.hostile.includes(token)) return makeHostileContent(random);
  if (hasEmbeddedImage) {
    const image = `data:image/svg+xml;base64,${"PHN2Zy8+".repeat(2560)}`;
    return createContent({ name: `#${id}`, image }, { image_url: image, media_type: "image/svg+xml" });
  }
  const name = `${token.name ?? "Item"} #${id}`;
  if (Object.values(context.tokens.scripted).includes(token)) return makePicture(random, id, name, token);
  return random.pick(CONTENTS)(random, id, name, token);
}

/** Most NFTs have a picture that a page can show without a network. */
const CONTENTS = [makePicture, makePicture, makePicture, makePicture, makePass, makeScroll, makeFilm, makeWithoutMedia];

function makePicture(random: Random, id: string, name: string, token: Token): NftContent {
  const year = 2020 + random.nextInt(7);
  const level = random.nextInt(100);
  const image = createPicture(random, token.name);
  const attributes = [
    { trait_type: "Level", value: level, display_type: "number", max_value: 100 },
    { trait_type: "Colour", value: random.pick(["Gold", "Jade", "Smoke"]) },
    { trait_type: "Lit", value: random.nextBoolean(0.5) },
    { trait_type: "Keeper", value: null },
    { value: "No trait type" },
  ];
  const description = "A light for the way home.";
  const thumbnails = { "60x60": image, "250x250": image, "500x500": image, original: image };
  const media = { image_url: image, media_url: image, media_type: "image/svg+xml", thumbnails };
  return createContent(
    { name, description, image, year, tags: ["light", "night"], attributes },
    { ...media, external_app_url: `https://lantern.example/${id}` },
  );
}

function makePass(random: Random, id: string, name: string): NftContent {
  const image_url = `ipfs://bafybeipass/${id}.png`;
  const metadata = {
    name,
    image_url,
    home_url: "https://pass.example",
    external_url: "",
    attributes: { tier: random.pick(["day", "season"]), seats: [1, 2, { row: "C" }], valid: { from: 1.5e9, to: null } },
    compiler: null,
  };
  return createContent(metadata, { image_url, media_url: image_url, animation_url: "", external_app_url: "" });
}

function makeScroll(random: Random, id: string, name: string): NftContent {
  const metadata = {
    name,
    year: String(2000 + random.nextInt(27)),
    tags: "old, paper",
    description: null,
    edition: 0.1 + random.nextInt(100),
    rare: random.nextBoolean(0.5),
    big: Number.MAX_SAFE_INTEGER,
    nested: [[[[[[random.nextUint32()]]]]]],
    properties: { "": "empty key", 'key with "quotes"': "\u0000" },
  };
  return createContent(metadata, { image_url: `scroll/${id}.webp` });
}

function makeFilm(_random: Random, id: string, name: string): NftContent {
  const film = `https://film.example/${id}.mp4`;
  const media = { animation_url: film, media_url: film, media_type: "video/mp4", thumbnails: { original: film } };
  return createContent({ name, animation_url: film, attributes: [] }, media);
}

function makeWithoutMedia(random: Random, id: string): NftContent {
  return createContent(random.nextBoolean(0.5) ? null : { error: `no metadata for ${id}` });
}

function makeHostileContent(random: Random): NftContent {
  const metadata = {
    ["__proto__"]: { polluted: true },
    constructor: "x",
    name: random.pick(Object.values(HOSTILE)),
    image: "javascript:alert(1)",
    attributes: [
      { trait_type: HOSTILE.image, value: HOSTILE.script },
      { trait_type: "__proto__", value: { ["__proto__"]: 1 } },
      "no object",
      null,
    ],
    external_url: "data:text/html,<script>alert(1)</script>",
  };
  return createContent(metadata, {
    image_url: random.pick(["javascript:alert(1)", "data:image/svg+xml,<svg onload=alert(1)>", "ipfs://", ""]),
    external_app_url: "javascript:alert(document.domain)",
    animation_url: "data:text/html,<script>alert(1)</script>",
    media_url: HOSTILE.control,
    media_type: "text/html",
  });
}
