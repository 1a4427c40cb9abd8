// NFT holdings, and the free-form metadata that authors of NFT contracts attach to them.

import { HOSTILE } from "./names.js";

/** Every holding of the chain, unordered. */
export function makeNfts(chain) {
  const { sample } = chain.accounts;
  const { fair, hostile } = chain.tokens;
  return [
    ...hold(chain, "hub", sample.hub, fair, 400),
    ...hold(chain, "minter", sample.minter, fair, 75),
    ...hold(chain, "quiet", sample.quiet, fair, 5),
    ...hold(chain, "hostile", sample.hostile, hostile, 24),
  ];
}

function hold(chain, key, account, tokens, count) {
  const chance = chain.random("nfts", key);
  const collections = tokens.filter(({ type }) => ["ERC-721", "ERC-1155", "ERC-404"].includes(type));
  const held = new Set();
  const rows = [];
  while (rows.length < count) {
    const token = chance.pick(collections);
    const token_id = chance.chance(0.15) ? chance.big(32) : BigInt(chance.below(20_000));
    const item = `${token.hash}/${token_id}`;
    if (held.has(item)) continue;
    held.add(item);
    rows.push({
      account, token, token_id, token_contract_address_hash: token.hash, token_type: token.type,
      value: token.type === "ERC-721" ? 1n : token.type === "ERC-404" ? null : BigInt(1 + chance.below(500)),
      // One item of the largest holding carries its picture within itself.
      embedsPicture: key === "hub" && rows.length === 11,
    });
  }
  return rows;
}

/** Where the media of an NFT are, and its metadata: the same every time. */
export function nftContent(chain, { token, token_id, embedsPicture }) {
  const chance = chain.random("nft", token.hash, token_id);
  const id = token_id.toString();
  if (chain.tokens.hostile.includes(token)) return hostileContent(chance, id);
  if (embedsPicture) {
    const picture = `data:image/svg+xml;base64,${"PHN2Zy8+".repeat(2560)}`;
    return { ...content({ name: `#${id}`, image: picture }), image_url: picture, media_type: "image/svg+xml" };
  }
  const name = `${token.name ?? "Item"} #${id}`;
  return chance.pick([lantern, lantern, pass, scroll, film, bare])(chance, id, name);
}

function content(metadata) {
  return { image_url: null, animation_url: null, external_app_url: null, media_url: null, media_type: null, thumbnails: null, metadata };
}

function lantern(chance, id, name) {
  const image = `https://img.example/lantern/${id}`;
  return {
    ...content({
      name, description: "A light for the way home.", image: `${image}.png`, year: 2020 + chance.below(7), tags: ["light", "night"],
      attributes: [
        { trait_type: "Level", value: chance.below(100), display_type: "number", max_value: 100 },
        { trait_type: "Colour", value: chance.pick(["Gold", "Jade", "Smoke"]) },
        { trait_type: "Lit", value: chance.chance(0.5) },
        { trait_type: "Keeper", value: null },
        { value: "No trait type" },
      ],
    }),
    image_url: `${image}.png`, media_url: `${image}.png`, media_type: "image/png", external_app_url: `https://lantern.example/${id}`,
    thumbnails: { "60x60": `${image}/60.png`, "250x250": `${image}/250.png`, "500x500": `${image}/500.png`, original: `${image}.png` },
  };
}

function pass(chance, id, name) {
  return {
    ...content({
      name, image_url: `ipfs://bafybeipass/${id}.png`, home_url: "https://pass.example", external_url: "",
      attributes: { tier: chance.pick(["day", "season"]), seats: [1, 2, { row: "C" }], valid: { from: 1.5e9, to: null } }, compiler: null,
    }),
    image_url: `ipfs://bafybeipass/${id}.png`, media_url: `ipfs://bafybeipass/${id}.png`, animation_url: "", external_app_url: "",
  };
}

function scroll(chance, id, name) {
  return {
    ...content({
      name, year: String(2000 + chance.below(27)), tags: "old, paper", description: null, edition: 0.1 + chance.below(100), rare: chance.chance(0.5),
      big: Number.MAX_SAFE_INTEGER, nested: [[[[[[chance.next()]]]]]], properties: { "": "empty key", "key with \"quotes\"": "\u0000" },
    }),
    image_url: `scroll/${id}.webp`, media_url: null,
  };
}

function film(chance, id, name) {
  const film = `https://film.example/${id}.mp4`;
  return {
    ...content({ name, animation_url: film, attributes: [] }),
    animation_url: film, media_url: film, media_type: "video/mp4", thumbnails: { original: film },
  };
}

function bare(chance, id) {
  return content(chance.chance(0.5) ? null : { error: `no metadata for ${id}` });
}

function hostileContent(chance, id) {
  return {
    ...content({
      ["__proto__"]: { polluted: true }, constructor: "x", name: chance.pick(Object.values(HOSTILE)), image: "javascript:alert(1)",
      attributes: [{ trait_type: HOSTILE.image, value: HOSTILE.script }, { trait_type: "__proto__", value: { ["__proto__"]: 1 } }, "no object", null],
      external_url: "data:text/html,<script>alert(1)</script>",
    }),
    image_url: chance.pick(["javascript:alert(1)", "data:image/svg+xml,<svg onload=alert(1)>", "ipfs://", ""]),
    external_app_url: "javascript:alert(document.domain)", animation_url: "data:text/html,<script>alert(1)</script>", media_url: HOSTILE.control,
    media_type: "text/html",
  };
}
