import type { NftInstance } from "address-query";
import { html } from "lit";
import { pictureUrls } from "./nft-metadata.js";
import * as cells from "../table/cells.js";
import type { RecordKind } from "../table/columns.js";

/** The name of an NFT from its metadata, or else the name of its collection. */
export function nftName({ metadata, token }: NftInstance): string {
  const name = metadata?.["name"];
  return typeof name === "string" && name ? name : (token?.name ?? "Unnamed item");
}

/** The element is loaded with the tab. */
const thumbnail = (nft: NftInstance) =>
  html`<aq-picture class="nft-thumbnail" .urls=${pictureUrls(nft)} .fallback=${"–"}></aq-picture>`;

export const nfts: RecordKind<NftInstance> = {
  noun: "NFT",
  csv: {
    CSV: ["token.address_hash", "token.name", "token.symbol", "token_type", "id", "value", "image_url", "external_app_url"],
  },
  columns: [
    {
      title: "Item",
      width: "l",
      cell: (row) => html`<span class="line">${thumbnail(row)}${cells.text(nftName(row), "name")}</span>`,
    },
    { title: "Token id", width: "m", cell: (row) => cells.tokenId(row.id) },
    { title: "Collection", width: "l", cell: (row, context) => cells.token(row.token, context) },
    { title: "Quantity", width: "s", align: "end", cell: (row) => cells.amount(row.value ?? "1", row.token?.decimals ?? 0) },
  ],
  details: (row) => cells.definitions([["Metadata", cells.json(row.metadata)]]),
};
