// The tab of NFTs: a gallery, or a table.
import { html } from "lit";
import { nfts } from "../records/nft.js";
import { settings } from "../settings/settings.js";
import { NFT_TYPES, tokenTypeFilter } from "../lists/filters.js";
import { listTab } from "./tab.js";

export const nftTab = listTab({
  id: "nfts",
  label: "NFTs",
  records: nfts,
  filters: [
    tokenTypeFilter(NFT_TYPES),
    {
      name: "view",
      label: "View",
      options: [
        ["", "Gallery"],
        ["list", "List"],
      ],
      toParameters: () => ({}),
    },
  ],
  read: (client, address_hash, filters, options) => client.addressNft({ address_hash, ...filters }, options),
  load: () => import("../nfts/gallery.js"),
  controls: ({ route }) =>
    route.filters["view"] === "list" ? undefined : html`<aq-gateway .gateway=${settings.ipfsGateway}></aq-gateway>`,
  renderRows: ({ rows }, context) =>
    context.route.filters["view"] === "list" ? undefined : html`<aq-gallery .nfts=${rows} .context=${context}></aq-gallery>`,
});
