// The declaration of the merged timeline: its filters, and how it is read.
import type { HistoryEvent } from "address-query/history";
import { html, nothing } from "lit";
import { cleanText } from "../format/text.js";
import { formatCount } from "../format/number.js";
import type { Filter } from "../lists/filters.js";
import type { ListDeclaration } from "../lists/list.js";
import { type EventPage, readEventPage } from "./event-pages.js";
import { events, KIND_LABELS, SUSPICION_LABELS } from "./events.js";

export const historyFilters: readonly Filter[] = [
  { name: "include", label: "Events", multiple: true, options: Object.entries(KIND_LABELS) },
  { name: "exclude", label: "Hide", multiple: true, options: Object.entries(SUSPICION_LABELS) },
  {
    name: "order",
    label: "Order",
    options: [
      ["", "Newest first"],
      ["asc", "Oldest first"],
    ],
  },
];

/** Which sources the history is merged from, and what they lack. */
function describeSources({ call: { report } }: EventPage): unknown {
  const incomplete = report?.sources.filter(({ state }) => state === "incomplete" || state === "skipped") ?? [];
  if (!report) return null;
  return html`Merged from ${formatCount(report.sources.length, "source")}.
    ${incomplete.map(({ method, reasons }) => html`<br /><bdi>${cleanText(`${method}: ${reasons.join(" ")}`, 400)}</bdi>`)}
    ${report.complete ? "Everything was read, and nothing is missing." : nothing}`;
}

export const historyList: ListDeclaration<HistoryEvent> = {
  id: "history",
  label: "History",
  records: events,
  filters: historyFilters,
  total: (counters) =>
    Number(counters.transactions_count) + Number(counters.token_transfers_count) + Number(counters.validations_count),
  read: (client, address_hash, filters, options) => readEventPage(client, { address_hash, ...filters }, options),
  note: describeSources,
};
