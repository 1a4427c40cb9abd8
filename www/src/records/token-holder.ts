import type { Token, TokenHolder } from "address-query";
import { formatAmountPair } from "../format/number.js";
import * as cells from "../table/cells.js";
import type { Column, RecordKind } from "../table/columns.js";

/** The share of the token supply that a balance is. Null: not known. */
function toShare(value: string | null, { total_supply, decimals }: Token): string | null {
  const [part, whole] = [value, total_supply].map((amount) => (amount === null ? null : formatAmountPair(amount, decimals)));
  if (!part || !whole || Number(whole.exact) === 0) return null;
  return `${Number(((Number(part.exact) / Number(whole.exact)) * 100).toPrecision(3))} %`;
}

const addressColumn: Column<TokenHolder> = {
  title: "Holder",
  width: "xl",
  cell: (row, context) => cells.address(row.address, context),
};

const tokenIdColumn: Column<TokenHolder> = {
  title: "Token id",
  width: "m",
  cell: ({ token_id }) => (token_id === null ? cells.none("No token id") : cells.tokenId(token_id)),
};

/** Holders of any token, whose balances are in base units. */
export const tokenHolders: RecordKind<TokenHolder> = {
  noun: "holder",
  csv: { CSV: ["address.hash", "token_id", "value"] },
  columns: [addressColumn, tokenIdColumn],
};

/** Holders of one token. The record does not name the token. */
export const holdersOf = (token: Token): RecordKind<TokenHolder> => ({
  ...tokenHolders,
  columns: [
    addressColumn,
    // NFTs of ERC-721 have ids, but their holders are not listed by id.
    ...(token.type === "ERC-20" || token.type === "ERC-721" ? [] : [tokenIdColumn]),
    {
      title: "Balance",
      width: "l",
      align: "end",
      cell: ({ value }) => (value === null ? cells.badge("confidential") : cells.amount(value, token.decimals, token.symbol)),
    },
    {
      title: "Share",
      width: "m",
      align: "end",
      cell: ({ value }) => cells.text(toShare(value, token), "number"),
    },
  ],
});
