import type { Block } from "address-query";
import { html } from "lit";
import * as cells from "../table/cells.js";
import type { RecordKind } from "../table/columns.js";
import { ageColumn } from "./common.js";

/** All rewards of a block. Null: none. */
export const totalReward = ({ rewards }: Block): string | null =>
  rewards.length > 0 ? String(rewards.reduce((total, { reward }) => total + BigInt(reward), 0n)) : null;

export const blocks: RecordKind<Block> = {
  noun: "block",
  csv: {
    CSV: [
      "timestamp",
      "height",
      "hash",
      "transactions_count",
      "gas_used",
      "gas_limit",
      "base_fee_per_gas",
      "burnt_fees",
      "transaction_fees",
      "size",
    ],
  },
  columns: [
    ageColumn,
    { title: "Block", width: "s", cell: (row, context) => cells.block(row.height, context) },
    { title: "Transactions", width: "s", align: "end", cell: (row) => cells.integer(row.transactions_count) },
    { title: "Gas used", width: "m", align: "end", cell: (row) => html`${cells.integer(row.gas_used)}` },
    {
      title: "Reward",
      width: "m",
      align: "end",
      cell: (row, context) => cells.coins(totalReward(row), context),
    },
    { title: "Burnt fees", width: "m", align: "end", cell: (row, context) => cells.coins(row.burnt_fees, context) },
  ],
  details: (row) =>
    cells.definitions([
      ["Hash", cells.text(row.hash, "mono")],
      ["Parent", cells.text(row.parent_hash, "mono")],
      ["Gas limit", cells.integer(row.gas_limit)],
      ["Base fee", cells.amount(row.base_fee_per_gas, 9, "Gwei")],
      ["Size in bytes", cells.integer(row.size)],
    ]),
};
