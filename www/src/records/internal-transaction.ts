import type { InternalTransaction } from "address-query";
import { html, nothing } from "lit";
import * as cells from "../table/cells.js";
import type { RecordKind } from "../table/columns.js";
import { ageColumn, blockColumn, directionColumn, fromColumn, toColumn, transactionColumn } from "./common.js";

export const internalTransactions: RecordKind<InternalTransaction> = {
  noun: "internal transaction",
  csv: {
    CSV: [
      "timestamp",
      "block_number",
      "transaction_hash",
      "index",
      "type",
      "success",
      "error",
      "from.hash",
      "to.hash",
      "created_contract.hash",
      "value",
      "gas_limit",
    ],
  },
  columns: [
    ageColumn,
    blockColumn,
    transactionColumn,
    {
      title: "Type",
      width: "m",
      cell: ({ type, success, error }) => html`<span class="lines">${cells.badge(type ?? "call")}
        ${success === false || error ? cells.badge(error ?? "failed", "bad") : nothing}</span>`,
    },
    directionColumn,
    fromColumn,
    toColumn,
    { title: "Value", width: "m", align: "end", cell: (row, context) => cells.coins(row.value, context) },
    { title: "Gas limit", width: "s", align: "end", cell: (row) => cells.integer(row.gas_limit) },
  ],
};
