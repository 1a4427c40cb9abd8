// How the events of a history are shown.
import type { HistoryEvent, Suspicion } from "address-query/history";
import { html, nothing, type TemplateResult } from "lit";
import { ageColumn, blockColumn, transactionColumn } from "../records/common.js";
import * as cells from "../table/cells.js";
import { checksumLink } from "../table/checksum-link.js";
import type { RecordKind } from "../table/columns.js";
import type { CellContext } from "../table/context.js";

export const KIND_LABELS: Readonly<Record<HistoryEvent["kind"], string>> = {
  transaction: "Transaction",
  internal_transaction: "Internal transaction",
  token_transfer: "Token transfer",
  block_reward: "Block reward",
  withdrawal: "Withdrawal",
};

export const SUSPICION_LABELS: Readonly<Record<Suspicion, string>> = {
  scam_token: "Scam token",
  lookalike_address: "Lookalike address",
  zero_value: "Zero value",
};

const SUSPICION_REASONS: Readonly<Record<Suspicion, string>> = {
  scam_token: "The instance rates the token as a scam.",
  lookalike_address: "The counterparty resembles an address that this address sent to. This may be address poisoning.",
  zero_value: "It moves no tokens. Anyone can emit such a transfer in the name of any address.",
};

export const suspicionBadge = (suspicion: Suspicion): TemplateResult =>
  html`<span class="suspicion" title=${SUSPICION_REASONS[suspicion]}>${cells.badge(SUSPICION_LABELS[suspicion], "bad")}</span>`;

const DIRECTIONS = { in: ["IN", "good"], out: ["OUT", "out"], self: ["SELF", "plain"] } as const;

function kind({ kind, suspicion, success }: HistoryEvent): TemplateResult {
  return html`<span class="lines">
    <span class="line">${cells.badge(KIND_LABELS[kind])}</span>
    ${
      suspicion || success === false
        ? html`<span class="line">${suspicion ? suspicionBadge(suspicion) : nothing}
          ${success === false ? cells.badge("failed", "bad") : nothing}</span>`
        : nothing
    }
  </span>`;
}

function counterparty({ direction, from, to, kind }: HistoryEvent, context: CellContext): TemplateResult {
  if (kind === "block_reward") return cells.none("The reward of a block has no sender");
  if (kind === "withdrawal") return cells.none("A withdrawal comes from the beacon chain");
  return checksumLink(direction === "in" ? from : to, context);
}

function asset({ asset, amount, direction }: HistoryEvent, context: CellContext): TemplateResult {
  const signed = amount !== null && direction === "out" ? `-${amount}` : amount;
  const isSigned = direction !== "self";
  if (asset.type === "native") return cells.coins(signed, context, isSigned);
  const moved =
    amount === null && asset.token_id === null
      ? cells.badge("confidential")
      : cells.amount(signed, asset.decimals, null, isSigned);
  return html`<span class="lines">
    <span class="line end">${moved}${asset.token_id === null ? nothing : cells.tokenId(asset.token_id)}</span>
    <span class="line end">${cells.text(asset.symbol || asset.name, "symbol")}</span>
  </span>`;
}

export const events: RecordKind<HistoryEvent> = {
  noun: "event",
  csv: { CSV: "full", "CSV for accounting": "accounting" },
  columns: [
    ageColumn,
    { title: "Event", width: "l", cell: kind },
    {
      title: "Direction",
      width: "s",
      cell: ({ direction }) => cells.badge(DIRECTIONS[direction][0], DIRECTIONS[direction][1]),
    },
    { title: "Counterparty", width: "l", cell: counterparty },
    { title: "Amount", width: "l", align: "end", cell: asset },
    { title: "Fee", width: "m", align: "end", cell: (row, context) => cells.coins(row.fee, context) },
    blockColumn,
    transactionColumn,
  ],
  details: (row, context) =>
    cells.definitions([
      ["Key", cells.text(row.key, "mono")],
      ["From", checksumLink(row.from, context)],
      ["To", checksumLink(row.to, context)],
      ["Method", cells.text(row.method)],
      ["Success", cells.text(row.success === null ? null : row.success ? "yes" : "no")],
      ...(row.asset.type === "token"
        ? ([
            ["Token", cells.text(row.asset.name)],
            ["Token standard", cells.text(row.asset.standard)],
            ["Token contract", checksumLink(row.asset.contract, context)],
          ] as const)
        : []),
      ["Amount in base units", cells.text(row.amount, "number")],
      ["Price of the coin on that day", cells.text(row.fiat_rate, "number")],
      ...(row.suspicion ? ([["Why it may be spam", cells.text(SUSPICION_REASONS[row.suspicion])]] as const) : []),
    ]),
};
