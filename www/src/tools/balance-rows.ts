// The columns of balances.
import type { Balance } from "address-query";
import { html, nothing } from "lit";
import * as cells from "../table/cells.js";
import type { RecordKind } from "../table/columns.js";
import type { CellContext } from "../table/context.js";

export interface BalanceRow extends Balance {
  /** The balance before it was refreshed. */
  previous?: string | null;
  isRefreshed?: boolean;
}

/** Stale, or not known to the service yet. */
export const isOutdated = ({ balance, stale }: BalanceRow): boolean => stale === true || balance === null;

/** The state of a balance. After a refresh, it includes the change. */
function status({ balance, stale, previous = null, isRefreshed }: BalanceRow, context: CellContext) {
  if (isRefreshed && stale) return cells.badge("still stale", "warn");
  if (stale) return cells.badge(balance === null ? "pending" : "stale", "warn");
  if (stale === null) return cells.none("The service does not report whether this balance is stale");
  if (!isRefreshed) return cells.badge("up to date", "good");
  const change = previous !== null && balance !== null ? BigInt(balance) - BigInt(previous) : 0n;
  return html`<span class="line wrap">${cells.badge("updated", "good")}${change === 0n ? nothing : cells.coins(String(change), context, true)}</span>`;
}

export const balances: RecordKind<BalanceRow> = {
  noun: "balance",
  csv: { CSV: ["account", "balance", "stale"] },
  columns: [
    { title: "Address", width: "m", cell: ({ account }, context) => cells.addressLink(account, context) },
    {
      title: "Balance",
      width: "m",
      align: "end",
      cell: ({ balance }, context) => (balance === null ? cells.none("Not known yet") : cells.coins(balance, context)),
    },
    { title: "Status", width: "m", cell: status },
  ],
};
