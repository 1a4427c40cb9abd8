// The page of a token.
import type { Token } from "address-query";
import { html, nothing } from "lit";
import { Coins } from "lucide";
import { formatDecimal, formatFiat } from "../format/number.js";
import { isAddress } from "../format/text.js";
import { NFT_TYPES } from "../lists/filters.js";
import { nfts } from "../records/nft.js";
import { tokenHolders } from "../records/token-holder.js";
import { allTokenTransfers } from "../records/token-transfer.js";
import { withoutColumns } from "../table/columns.js";
import * as cells from "../table/cells.js";
import type { CellContext } from "../table/context.js";
import { listTab } from "../tabs/tab.js";
import type { FactGroup } from "../facts/fact-group.js";
import type { SubjectPage } from "./page.js";
import { type CountedToken, readToken } from "./read-token.js";
import { onlyIf } from "../facts/values.js";

const fiat = (value: string) => cells.text(formatFiat(value), "number");
const isNft = ({ type }: Token): boolean => NFT_TYPES.some((nft) => nft === type);

const main = (token: CountedToken, context: CellContext): FactGroup => ({
  title: "Token",
  facts: [
    ["Name", cells.text(token.name, "name")],
    ["Symbol", cells.text(token.symbol, "name")],
    ["Standard", token.type ? cells.badge(token.type) : cells.none()],
    ["Contract", cells.addressLink(token.address_hash, context)],
    ["Decimals", cells.text(token.decimals, "number")],
    ...(token.reputation && token.reputation !== "ok"
      ? [["Reputation", cells.badge(token.reputation, token.reputation === "scam" ? "bad" : "warn")] as const]
      : []),
    ...onlyIf(token.foreign_address, "Bridged from", (hash) => cells.text(hash, "mono")),
    ...onlyIf(token.origin_chain_id, "Original chain", (id) => cells.integer(id)),
  ],
});

const market = (token: CountedToken): FactGroup => ({
  title: "Supply and market",
  facts: [
    ["Total supply", cells.amount(token.total_supply, token.decimals, token.symbol)],
    ...onlyIf(token.circulating_supply, "In circulation", (value) => cells.text(formatDecimal(value), "number")),
    ["Holders", cells.integer(token.counters?.token_holders_count ?? token.holders_count)],
    ["Transfers", cells.integer(token.counters?.transfers_count ?? null)],
    ["Price", token.exchange_rate === null ? cells.none("No price") : fiat(token.exchange_rate)],
    ...onlyIf(token.circulating_market_cap, "Market capitalisation", fiat),
    ...onlyIf(token.volume_24h, "Volume in 24 hours", fiat),
  ],
});

export const tokenPage: SubjectPage<CountedToken> = {
  id: "token",
  label: "Token",
  icon: Coins,
  isValid: isAddress,
  hint: "the address of its contract: 0x followed by 40 hex digits",
  read: readToken,
  title: ({ name, symbol }) => name || symbol || "Unnamed token",
  badges: ({ symbol, type, reputation }) =>
    html`${symbol ? cells.badge(symbol, "accent") : nothing}${type ? cells.badge(type) : nothing}${reputation === "scam" ? cells.badge("Flagged as scam", "bad") : nothing}`,
  figure: (token) => [
    token.exchange_rate === null ? cells.none("No price") : formatFiat(token.exchange_rate),
    html`${cells.integer(token.counters?.token_holders_count ?? token.holders_count)} holders`,
  ],
  facts: (token, context) => [main(token, context), market(token)],
  lists: [
    {
      tab: listTab({
        id: "transfers",
        label: "Transfers",
        records: withoutColumns(allTokenTransfers, "Token"),
        read: (client, address_hash, _filters, options) => client.transfersOfToken({ address_hash }, options),
      }),
    },
    {
      tab: listTab({
        id: "holders",
        label: "Holders",
        records: tokenHolders,
        read: (client, address_hash, _filters, options) => client.tokenHolders({ address_hash }, options),
        load: () => import("./holders.js"),
        renderRows: (reader, context) =>
          html`<aq-token-holders .reader=${reader} .rows=${reader.rows} .context=${context}></aq-token-holders>`,
      }),
    },
    {
      tab: listTab({
        id: "instances",
        label: "Instances",
        records: withoutColumns(nfts, "Collection"),
        filters: [{ name: "holder_address_hash", label: "Holder", hint: "0x followed by 40 hex digits", isValid: isAddress }],
        read: (client, address_hash, filters, options) => client.tokenInstances({ address_hash, ...filters }, options),
        load: () => import("../nfts/gallery.js"),
        renderRows: ({ rows }, context) => html`<aq-gallery .nfts=${rows} .context=${context}></aq-gallery>`,
      }),
      isOf: isNft,
    },
  ],
};
