import { fiatValue, type Token, type TokenBalance } from "address-query";
import { html } from "lit";
import { cleanText } from "../format/text.js";
import * as cells from "../table/cells.js";
import type { RecordKind } from "../table/columns.js";
import { formatFiat } from "../format/number.js";

/** The element is loaded with the tab. */
const icon = (token: Token | null) =>
  html`<aq-picture class="token-icon" .urls=${[token?.icon_url]} .fallback=${cleanText(token?.symbol || token?.name || "?").slice(0, 1)}></aq-picture>`;

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
    {
      title: "Token",
      width: "xl",
      cell: ({ token }, context) => html`<span class="line">${icon(token)}${cells.token(token, context)}</span>`,
    },
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
        row.token?.exchange_rate ? cells.text(formatFiat(row.token.exchange_rate), "number") : cells.none("No price"),
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
