import type { TokenTransfer } from "address-query";
import { html, nothing } from "lit";
import * as cells from "../table/cells.js";
import type { RecordKind } from "../table/columns.js";
import { ageColumn, directionColumn, fromColumn, toColumn, transactionColumn } from "./common.js";

const TYPE_LABELS: Record<string, string> = { token_minting: "mint", token_burning: "burn", token_spawning: "creation" };

const kind = (type: string | null) =>
  type && type !== "token_transfer" ? cells.badge(TYPE_LABELS[type] ?? type, "accent") : nothing;

export const tokenTransfers: RecordKind<TokenTransfer> = {
  noun: "token transfer",
  csv: {
    CSV: [
      "timestamp",
      "block_number",
      "transaction_hash",
      "log_index",
      "method",
      "type",
      "from.hash",
      "to.hash",
      "token.address_hash",
      "token.name",
      "token.symbol",
      "token_type",
      "total.token_id",
      "total.value",
      "total.decimals",
    ],
  },
  columns: [
    ageColumn,
    transactionColumn,
    {
      title: "Method",
      width: "s",
      cell: (row) => html`<span class="lines">${kind(row.type)}${cells.badge(row.method ?? "transfer")}</span>`,
    },
    directionColumn,
    fromColumn,
    toColumn,
    { title: "Token", width: "l", cell: (row, context) => cells.token(row.token, context) },
    { title: "Amount", width: "l", align: "end", cell: (row) => cells.transferTotal(row.total, row.token?.symbol ?? null) },
  ],
  details: (row) =>
    cells.definitions([
      ["Transaction", cells.text(row.transaction_hash, "mono")],
      ["Block", cells.integer(row.block_number)],
      ["Log index", cells.integer(row.log_index)],
      ["Token standard", cells.text(row.token_type ?? row.token?.type)],
      ["Token id", cells.text(row.total?.token_id, "mono")],
      ["Base units", cells.text(row.total?.value, "mono")],
    ]),
};

/** Transfers of the whole chain have no direction. */
export const allTokenTransfers: RecordKind<TokenTransfer> = {
  ...tokenTransfers,
  columns: tokenTransfers.columns.filter((column) => column !== directionColumn),
};
