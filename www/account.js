// The three tabs of the account area, declared like the lists: tab, filters, columns, and the view that fills the panel.
import { openBalances } from "./balances.js";
import * as cells from "./cells.js";
import { el } from "./dom.js";
import { openHistory } from "./history.js";
import { openHoldings } from "./holdings.js";
import { kinds } from "./kinds.js";
import { sampleAddresses } from "./source.js";

const LAST_BLOCK = 2 ** 31 - 1;
const isBlock = (text) => /^\d{1,10}$/.test(text) && Number(text) <= LAST_BLOCK;
const block = (name, label) => ({ name, label, kind: "text", hint: "a block number", valid: isBlock });

/** A balance and how it was found: { account, balance, stale, before, isFollowed }. */
function freshness({ balance, stale, before, isFollowed }) {
  if (isFollowed && stale) return cells.badge("still stale", "out");
  if (stale) return cells.badge(balance === null ? "being fetched" : "stale", "out");
  if (stale === null) return cells.none("the service does not tell");
  if (!isFollowed) return cells.badge("fresh", "in");
  const change = before === null || balance === null ? null : String(BigInt(balance) - BigInt(before));
  return el(
    "span",
    { class: "line wrapping" },
    cells.badge("now fresh", "in"),
    change && change !== "0" ? cells.native(change, { signed: true }) : null,
  );
}

export const accountTabs = [
  {
    id: "balances",
    label: "Balances",
    needsAddress: true,
    ownAddresses: "addresses",
    linksTo: "history",
    open: openBalances,
    filters: [
      {
        name: "addresses",
        kind: "addresses",
        label: "Addresses, one per line",
        hint: "Paste addresses here, or leave this empty for the address above",
        go: "Read balances",
        fill: { label: "All sample addresses", text: () => sampleAddresses().map(({ hash }) => hash).join("\n") },
      },
    ],
    columns: [
      { title: "Address", cell: (row, context) => cells.address({ hash: row.account }, context) },
      {
        title: "Balance",
        align: "end",
        cell: (row) => (row.balance === null ? cells.none("not known yet") : cells.native(row.balance)),
      },
      { title: "Freshness", cell: freshness },
    ],
  },
  {
    id: "tokens",
    label: "Tokens",
    needsAddress: true,
    open: openHoldings,
    filters: [],
    columns: [
      {
        title: "Token",
        cell: ({ name, symbol, type, contractAddress }, context) =>
          cells.token({ name, symbol, type, address_hash: contractAddress }, context),
      },
      { title: "Token id", cell: ({ id }) => (id === null ? cells.none() : cells.tokenId(id)) },
      {
        title: "Balance",
        align: "end",
        cell: ({ balance, decimals }) => cells.amount(balance, decimals, null),
      },
    ],
  },
  {
    id: "history",
    label: "Transactions and transfers",
    needsAddress: true,
    open: openHistory,
    filters: [
      { name: "records", kind: "one", label: "Records", options: kinds.map(({ id, label }) => [id, label]) },
      {
        name: "order",
        kind: "one",
        label: "Order",
        options: [
          ["", "Newest first"],
          ["asc", "Oldest first"],
        ],
      },
      block("first", "From block"),
      block("last", "To block"),
    ],
    columns: kinds[0].columns,
  },
];
