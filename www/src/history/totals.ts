// Sums the events of a period: fees, and incoming and outgoing coins.
import type { HistoryEvent } from "address-query/history";
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
  /** Number of events that paid a fee. */
  paid: number;
}

/** Sums events, in wei. A failed transaction moved nothing, but paid its fee. */
export function toTotals(events: readonly HistoryEvent[]): Totals {
  const totals: Totals = { fees: 0n, incoming: 0n, outgoing: 0n, paid: 0 };
  for (const { fee, asset, amount, direction, success } of events) {
    if (fee !== null) {
      totals.fees += BigInt(fee);
      totals.paid += 1;
    }
    if (asset.type !== "native" || amount === null || success === false) continue;
    if (direction === "in") totals.incoming += BigInt(amount);
    if (direction === "out") totals.outgoing += BigInt(amount);
  }
  return totals;
}

async function loadAll(reader: ListReader<HistoryEvent>): Promise<void> {
  do await reader.readNext();
  while (reader.status === "idle");
}

/** The totals of the events so far, and a button that reads the rest. */
export function totalsLine(reader: ListReader<HistoryEvent>, cells: CellContext): TemplateResult {
  const { fees, incoming, outgoing, paid } = toTotals(reader.rows);
  const isComplete = reader.status === "complete" && settings.paging === "endless";
  const scope = settings.paging === "pages" ? " on this page" : " so far";
  const canLoad = !isComplete && settings.paging === "endless" && reader.status === "idle";
  return html`<p class="totals note"><strong>${coins(String(fees), cells)}</strong> in fees of ${formatCount(paid, "transaction")},
    <strong>${coins(String(incoming), cells)}</strong> in and <strong>${coins(String(outgoing), cells)}</strong> out${isComplete ? "." : `${scope}.`}
    ${canLoad ? html`<button type="button" class="link" @click=${() => void loadAll(reader)}>Load all</button>` : nothing}</p>`;
}
