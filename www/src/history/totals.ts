// Sums the activities of a period: fees, and incoming and outgoing coins.
import type { Activity, ActivityLeg, HistoryEvent } from "address-query/history";
import { html, nothing, type TemplateResult } from "lit";
import { formatCount } from "../format/number.js";
import type { ListReader } from "../lists/list-reader.js";
import { settings } from "../settings/settings.js";
import { coins } from "../table/cells.js";
import type { CellContext } from "../table/context.js";

export interface Totals {
  fees: bigint;
  incoming: bigint;
  outgoing: bigint;
  /** Number of activities that paid a fee. */
  paid: number;
}

const isNative = ({ asset }: ActivityLeg): boolean => asset.type === "native";
const sum = (legs: readonly ActivityLeg[]): bigint =>
  legs.filter(isNative).reduce((total, { amount }) => total + BigInt(amount ?? 0), 0n);

/** Sums activities, in wei. */
export function toTotals(activities: readonly Activity[]): Totals {
  const totals: Totals = { fees: 0n, incoming: 0n, outgoing: 0n, paid: 0 };
  for (const { fee, sent, received } of activities) {
    totals.fees += BigInt(fee ?? 0);
    totals.paid += fee === null ? 0 : 1;
    totals.incoming += sum(received);
    totals.outgoing += sum(sent);
  }
  return totals;
}

async function loadAll(reader: ListReader<HistoryEvent>): Promise<void> {
  do await reader.readNext();
  while (reader.status === "idle");
}

/** The totals of the activities so far, and a button that reads the rest. */
export function totalsLine(
  reader: ListReader<HistoryEvent>,
  activities: readonly Activity[],
  cells: CellContext,
): TemplateResult {
  const { fees, incoming, outgoing, paid } = toTotals(activities);
  const isComplete = reader.status === "complete" && settings.paging === "endless";
  const scope = settings.paging === "pages" ? " on this page" : " so far";
  const canLoad = !isComplete && settings.paging === "endless" && reader.status === "idle";
  return html`<p class="totals note"><strong>${coins(String(fees), cells)}</strong> in fees of ${formatCount(paid, "transaction")},
    <strong>${coins(String(incoming), cells)}</strong> in and <strong>${coins(String(outgoing), cells)}</strong> out${isComplete ? "." : `${scope}.`}
    ${canLoad ? html`<button type="button" class="link" @click=${() => void loadAll(reader)}>Load all</button>` : nothing}</p>`;
}
