import type { Transaction } from "address-query";
import { html, nothing } from "lit";
import * as cells from "../table/cells.js";
import type { RecordKind } from "../table/columns.js";
import { ageColumn, blockColumn, directionColumn, fromColumn, toColumn } from "./common.js";

export const isFailed = ({ status, result }: Transaction): boolean =>
  status === "error" || (result !== null && !["success", "pending"].includes(result));

export const transactions: RecordKind<Transaction> = {
  noun: "transaction",
  csv: {
    CSV: [
      "hash",
      "timestamp",
      "block_number",
      "method",
      "status",
      "result",
      "from.hash",
      "to.hash",
      "created_contract.hash",
      "value",
      "fee.value",
      "gas_used",
      "gas_price",
      "nonce",
      "position",
    ],
  },
  columns: [
    ageColumn,
    { title: "Transaction", width: "m", cell: (row, context) => cells.transaction(row.hash, context) },
    blockColumn,
    {
      title: "Method",
      width: "s",
      cell: (row) => html`<span class="lines">${cells.badge(row.method ?? (row.raw_input === "0x" ? "transfer" : "call"))}
        ${row.block_number === null ? cells.badge("pending", "warn") : nothing}${isFailed(row) ? cells.badge("failed", "bad") : nothing}</span>`,
    },
    directionColumn,
    fromColumn,
    toColumn,
    { title: "Value", width: "m", align: "end", cell: (row, context) => cells.coins(row.value, context) },
    { title: "Fee", width: "m", align: "end", cell: (row, context) => cells.coins(row.fee?.value ?? null, context) },
  ],
  details: (row, context) =>
    cells.definitions([
      ["Transaction", cells.text(row.hash, "mono")],
      ["Result", cells.text(row.result)],
      ["Nonce", cells.integer(row.nonce)],
      ["Position in the block", cells.integer(row.position)],
      ["Gas used", cells.integer(row.gas_used)],
      ["Gas limit", cells.integer(row.gas_limit)],
      ["Gas price", cells.amount(row.gas_price, 9, "Gwei")],
      ["Burnt fee", cells.coins(row.transaction_burnt_fee, context)],
      ...(row.decoded_input?.parameters ?? []).map(
        (parameter) => [`${parameter.name}: ${parameter.type}`, cells.json(parameter.value)] as const,
      ),
      ["Call data", cells.text(row.raw_input, "mono")],
    ]),
};
