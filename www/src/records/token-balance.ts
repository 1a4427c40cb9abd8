import type { TokenBalance } from "address-query";
import * as cells from "../table/cells.js";
import type { RecordKind } from "../table/columns.js";
import { formatFiat, toFiat } from "../format/number.js";

/** The value of a holding in the fiat currency of the instance. Null: the price or the amount is not known. */
export const fiatValue = ({ value, token }: TokenBalance): number | null =>
  toFiat(value, token?.decimals ?? null, token?.exchange_rate ?? null);

export const tokenBalances: RecordKind<TokenBalance> = {
  noun: "token",
  csv: {
    CSV: [
      "token.address_hash",
      "token.name",
      "token.symbol",
      "token.type",
      "token_id",
      "value",
      "token.decimals",
      "token.exchange_rate",
    ],
  },
  columns: [
    { title: "Token", width: "l", cell: (row, context) => cells.token(row.token, context) },
    {
      title: "Token id",
      width: "m",
      cell: (row) => (row.token_id === null ? cells.none("No token id") : cells.tokenId(row.token_id)),
    },
    {
      title: "Balance",
      width: "m",
      align: "end",
      cell: (row) => cells.amount(row.value, row.token?.decimals ?? null, row.token?.symbol ?? null),
    },
    {
      title: "Price",
      width: "s",
      align: "end",
      cell: (row) =>
        row.token?.exchange_rate ? cells.text(formatFiat(Number(row.token.exchange_rate)), "number") : cells.none("No price"),
    },
    {
      title: "Value",
      width: "m",
      align: "end",
      cell: (row) => {
        const value = fiatValue(row);
        return value === null ? cells.none("No price") : cells.text(formatFiat(value), "number");
      },
    },
  ],
};
