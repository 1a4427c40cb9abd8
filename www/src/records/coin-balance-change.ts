import type { CoinBalanceChange } from "address-query";
import * as cells from "../table/cells.js";
import type { RecordKind } from "../table/columns.js";
import { blockColumn, transactionColumn } from "./common.js";

export const coinBalanceChanges: RecordKind<CoinBalanceChange> = {
  noun: "balance change",
  csv: {
    CSV: ["block_timestamp", "block_number", "transaction_hash", "delta", "value"],
  },
  columns: [
    { title: "Time", width: "s", cell: (row, context) => cells.time(row.block_timestamp, context) },
    blockColumn,
    transactionColumn,
    { title: "Change", width: "m", align: "end", cell: (row, context) => cells.coins(row.delta, context, true) },
    { title: "Balance", width: "m", align: "end", cell: (row, context) => cells.coins(row.value, context) },
  ],
};
