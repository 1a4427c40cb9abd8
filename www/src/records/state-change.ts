import type { StateChange } from "address-query";
import { html, nothing } from "lit";
import * as cells from "../table/cells.js";
import type { RecordKind } from "../table/columns.js";
import type { CellContext } from "../table/context.js";

const asset = ({ token, token_id }: StateChange, context: CellContext) => {
  if (token === null) return cells.text(context.coin.symbol || "Native coin", "name");
  return html`<span class="lines">${cells.pageLink("token", token.address_hash, cells.tokenLabel(token), context, "name")}
    ${token_id === null ? nothing : cells.tokenId(token_id)}</span>`;
};

/** An amount of the coin or token whose balance changed. */
const balance = (value: string | null, { token }: StateChange, context: CellContext, signed = false) =>
  token === null ? cells.coins(value, context, signed) : cells.amount(value, token.decimals, token.symbol, signed);

/** For ERC-721, the service lists the NFTs that came and went instead of a number. */
const change = (row: StateChange, context: CellContext) => {
  if (typeof row.change === "string") return balance(row.change, row, context, true);
  return row.change === null ? cells.none("Unknown change") : cells.json(row.change);
};

export const stateChanges: RecordKind<StateChange> = {
  noun: "state change",
  csv: {
    CSV: [
      "address.hash",
      "type",
      "token.address_hash",
      "token_id",
      "balance_before",
      "balance_after",
      { name: "change", value: ({ change }) => (typeof change === "string" ? change : JSON.stringify(change)) },
    ],
  },
  columns: [
    { title: "Address", width: "xl", cell: (row, context) => cells.address(row.address, context) },
    { title: "Asset", width: "l", cell: asset },
    { title: "Before", width: "m", align: "end", cell: (row, context) => balance(row.balance_before, row, context) },
    { title: "After", width: "m", align: "end", cell: (row, context) => balance(row.balance_after, row, context) },
    { title: "Change", width: "m", align: "end", cell: change },
  ],
};
