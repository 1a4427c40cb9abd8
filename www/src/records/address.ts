import type { AddressListItem } from "address-query";
import { html, nothing } from "lit";
import * as cells from "../table/cells.js";
import type { RecordKind } from "../table/columns.js";

const MAX_TAGS = 3;

const tags = ({ metadata, public_tags }: AddressListItem) => {
  const names = [
    ...(metadata?.tags ?? []).map(({ name }) => name),
    ...public_tags.map(({ display_name }) => display_name),
  ].filter(Boolean);
  return names.length === 0
    ? cells.none("No tags")
    : html`<span class="line wrap">${names.slice(0, MAX_TAGS).map((name) => cells.badge(name))}</span>`;
};

export const addresses: RecordKind<AddressListItem> = {
  noun: "address",
  csv: {
    CSV: ["hash", "name", "ens_domain_name", "is_contract", "is_verified", "transactions_count", "coin_balance"],
  },
  columns: [
    { title: "Address", width: "l", cell: (row, context) => cells.address(row, context) },
    {
      title: "Type",
      width: "s",
      cell: (row) =>
        html`${row.is_contract ? cells.badge("Contract", "accent") : cells.badge("Wallet")}${row.is_verified ? cells.badge("verified", "good") : nothing}`,
    },
    { title: "Tags", width: "l", cell: tags },
    { title: "Transactions", width: "s", align: "end", cell: (row) => cells.integer(row.transactions_count || null) },
    { title: "Balance", width: "m", align: "end", cell: (row, context) => cells.coins(row.coin_balance, context) },
  ],
};
