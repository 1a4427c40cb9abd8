// What a search for approvals found, in words and figures.
import { fiatValue, sumDecimals } from "address-query";
import type { Approval, Approvals, ApprovalsProgress } from "address-query/approvals";
import { formatCount, formatFiat, formatInteger } from "../format/number.js";

const STAGES = { events: "Reading events", allowances: "Reading allowances", details: "Looking up names and prices" };

export function describeProgress(progress: ApprovalsProgress | null): string {
  if (!progress) return "Searching…";
  const found = `${formatCount(progress.events, "event")}, ${formatCount(progress.approvals, "approval")} so far`;
  return `${STAGES[progress.stage]}: ${Math.round(100 * progress.fraction)} %. ${found}.`;
}

/** What all spenders together could take now, as a decimal string of US dollars: at most the balance of each token. */
function sumRisk(items: readonly Approval[]): string {
  const byToken = new Map<string, string>();
  for (const { token_hash, token, balance, valueAtRisk } of items) {
    const held = (token && fiatValue(balance, token)) ?? "0";
    const risk = sumDecimals([valueAtRisk, byToken.get(token_hash) ?? null]);
    byToken.set(token_hash, Number(risk) < Number(held) ? risk : held);
  }
  return sumDecimals([...byToken.values()]);
}

/** What the result lacks. Empty if it is complete. */
function describeGaps({ complete, allowances }: Approvals): string {
  const missing = complete ? "" : "Some events are missing, so approvals may be missing too.";
  const stale = allowances === "unavailable" ? "This instance cannot query the chain, so the amounts come from events." : "";
  return `${missing} ${stale}`.trim();
}

/** What the result covers, and what it lacks. */
export function describe(result: Approvals): string {
  const { items, events, block } = result;
  const found = items.length === 0 ? "No active approvals" : `${formatCount(items.length, "approval")} found`;
  const risk = sumRisk(items);
  const sum = risk === "0" ? "" : `, ${formatFiat(risk)} at risk`;
  return `${found}${sum}, as of block ${formatInteger(block)}, from ${formatCount(events, "event")}. ${describeGaps(result)}`.trim();
}
