import type { Withdrawal } from "address-query";
import * as cells from "../table/cells.js";
import type { RecordKind } from "../table/columns.js";
import { ageColumn, blockColumn } from "./common.js";

export const withdrawals: RecordKind<Withdrawal> = {
  noun: "withdrawal",
  csv: {
    CSV: ["timestamp", "block_number", "index", "validator_index", "receiver.hash", "amount"],
  },
  columns: [
    ageColumn,
    blockColumn,
    { title: "Index", width: "s", align: "end", cell: (row) => cells.integer(row.index) },
    { title: "Validator", width: "s", align: "end", cell: (row) => cells.integer(row.validator_index) },
    { title: "Receiver", width: "l", cell: (row, context) => cells.address(row.receiver, context) },
    { title: "Amount", width: "m", align: "end", cell: (row, context) => cells.coins(row.amount, context) },
  ],
};
