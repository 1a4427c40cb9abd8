// Columns that several kinds of records share.
import type { AddressRef } from "address-query";
import * as cells from "../table/cells.js";
import type { Column } from "../table/columns.js";

export const ageColumn = {
  title: "Time",
  width: "s",
  cell: (row, context) => cells.time(row.timestamp, context),
} as const satisfies Column<{ timestamp: string | null }>;

export const transactionColumn = {
  title: "Transaction",
  width: "m",
  cell: (row, context) => cells.transaction(row.transaction_hash, context),
} as const satisfies Column<{ transaction_hash: string | null }>;

export const blockColumn = {
  title: "Block",
  width: "s",
  cell: (row, context) => cells.block(row.block_number, context),
} as const satisfies Column<{ block_number: number | null }>;

type Parties = { from: AddressRef; to: AddressRef | null };

export const directionColumn = {
  title: "Direction",
  width: "xs",
  cell: ({ from, to }, context) => cells.direction(from.hash, to?.hash, context),
} as const satisfies Column<Parties>;

export const fromColumn = {
  title: "From",
  width: "l",
  cell: ({ from }, context) => cells.address(from, context),
} as const satisfies Column<Parties>;

/** The receiver, or the contract that was created. */
export const toColumn = {
  title: "To",
  width: "l",
  cell: (row, context) => cells.address(row.to ?? row.created_contract ?? null, context),
} as const satisfies Column<Parties & { created_contract?: AddressRef | null }>;
