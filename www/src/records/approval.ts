import type { Approval } from "address-query/approvals";
import { html, nothing } from "lit";
import { formatFiat } from "../format/number.js";
import * as cells from "../table/cells.js";
import type { RecordKind } from "../table/columns.js";

const KINDS = { allowance: "Amount", token: "One NFT", operator: "All NFTs", permit2: "Amount, Permit2" };

export const approvalRecords: RecordKind<Approval> = {
  noun: "approval",
  columns: [
    {
      title: "Token",
      width: "l",
      cell: ({ token, token_hash }, context) =>
        token
          ? cells.token(token, context)
          : html`<span class="lines">${cells.badge("Unknown contract", "warn")}${cells.addressLink(token_hash, context)}</span>`,
    },
    {
      title: "Spender",
      width: "l",
      cell: ({ spender, spender_hash }, context) =>
        spender ? cells.address(spender, context) : cells.addressLink(spender_hash, context),
    },
    {
      title: "Covers",
      width: "m",
      cell: ({ kind, expires }, context) =>
        html`<span class="lines">${KINDS[kind]}${expires === null ? nothing : html`<span class="line">until ${cells.time(expires, context)}</span>`}</span>`,
    },
    { title: "Approved", width: "l", align: "end", cell: renderAmount },
    {
      title: "Value at risk",
      width: "m",
      align: "end",
      cell: ({ valueAtRisk }) => (valueAtRisk === null ? cells.none("No price or balance is known") : formatFiat(valueAtRisk)),
    },
    {
      title: "Since",
      width: "m",
      cell: ({ event }, context) =>
        html`<span class="lines">${cells.time(event.timestamp, context)}${cells.transaction(event.transaction_hash, context)}</span>`,
    },
  ],
};

function renderAmount({ token, token_id, amount, isUnlimited, source }: Approval): unknown {
  const sum = isUnlimited
    ? cells.badge("Unlimited", "bad")
    : token_id === null
      ? cells.amount(amount, token?.decimals ?? null, token?.symbol)
      : cells.tokenId(token_id);
  return source === "chain" ? sum : html`<span class="lines">${sum}${cells.badge("as of the event", "warn")}</span>`;
}
