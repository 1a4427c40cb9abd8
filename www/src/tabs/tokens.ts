// The tab of the tokens that an address holds.
import { html } from "lit";
import { tokenBalances } from "../records/token-balance.js";
import { TOKEN_TYPES, tokenTypeFilter } from "../lists/filters.js";
import { listTab } from "./tab.js";

const ORDERS = [
  ["", "Value, highest first"],
  ["value-asc", "Value, lowest first"],
  ["token-asc", "Name, A to Z"],
  ["token-desc", "Name, Z to A"],
  ["balance-desc", "Balance, highest first"],
  ["balance-asc", "Balance, lowest first"],
  ["price-desc", "Price, highest first"],
  ["price-asc", "Price, lowest first"],
] as const;

export const tokenTab = listTab({
  id: "tokens",
  label: "Tokens",
  count: (counters) => counters.token_balances_count,
  records: tokenBalances,
  filters: [tokenTypeFilter(TOKEN_TYPES), { name: "order", label: "Order", options: ORDERS, toParameters: () => ({}) }],
  read: (client, address_hash, filters, options) => client.addressTokens({ address_hash, ...filters }, options),
  load: () => import("../tokens/token-holdings.js"),
  renderRows: (reader, context) =>
    html`<aq-token-holdings .reader=${reader} .rows=${reader.rows} .context=${context}></aq-token-holdings>`,
});
