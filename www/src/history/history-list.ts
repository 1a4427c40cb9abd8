// The declaration of the merged timeline: its filters, and how it is read.
import {
  coinTracking,
  doubleEntry,
  type HistoryEvent,
  koinly,
  type MergedHistoryReport,
  rotkiEvents,
  rotkiTrades,
} from "address-query/history";
import { html, nothing, type TemplateResult } from "lit";
import { cleanText } from "../format/text.js";
import { now } from "../format/clock.js";
import { formatCount } from "../format/number.js";
import type { Filter } from "../lists/filters.js";
import type { ListDeclaration } from "../lists/list.js";
import type { ListReader } from "../lists/list-reader.js";
import type { TabContext } from "../table/context.js";
import { type EventPage, openActivities, openEvents, readEventPage, readStoredPage } from "./event-pages.js";
import { events, KIND_LABELS, SUSPICION_LABELS } from "./events.js";
import { periodFilter, years } from "./period.js";
import { totalsLine } from "./totals.js";

/** One block, `from-`, or `from-to`. */
const BLOCKS = /^(\d{1,10})(?:(-)(\d{1,10})?)?$/;

const toBlocks = (value: string) => {
  const [, from, dash, to = dash ? undefined : from] = BLOCKS.exec(value) ?? [];
  return { from: Number(from), ...(to ? { to: Number(to) } : {}) };
};

export const historyFilters: readonly Filter[] = [
  periodFilter,
  {
    name: "blocks",
    label: "Blocks",
    hint: "a block, or a range such as 18000000-18100000",
    isValid: (value) => BLOCKS.test(value),
    toParameters: toBlocks,
  },
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
  {
    name: "view",
    label: "View",
    options: [
      ["", "Feed"],
      ["table", "Table"],
    ],
    toParameters: () => ({}),
  },
];

/** Files that programs for taxes and portfolios import. */
const toTemplates = (coin: string) => ({
  Koinly: koinly({ coin }),
  CoinTracking: coinTracking({ coin }),
  "rotki trades": rotkiTrades({ coin }),
  "rotki events": rotkiEvents({ coin }),
  "Double entry": doubleEntry({ coin }),
});

/** Describes the sources of the history, once all were read, and what they lack. */
function describeSources({ call: { report } }: EventPage): unknown {
  if (report && "accounts" in report) return describeAccounts(report);
  const incomplete = report?.sources.filter(({ state }) => state === "incomplete" || state === "skipped") ?? [];
  if (!report) return null;
  const sources = `Merged from ${formatCount(report.sources.length, "source")}.`;
  if (incomplete.length === 0) return report.complete ? `${sources} Everything was read, and nothing is missing.` : null;
  return html`<details><summary>${sources} ${formatCount(incomplete.length, "source")} incomplete.</summary>
    ${incomplete.map(({ method, reasons }) => html`<bdi>${cleanText(`${method}: ${reasons.join(" ")}`, 400)}</bdi><br />`)}</details>`;
}

/** Says which accounts lack something. */
function describeAccounts({ accounts, complete }: MergedHistoryReport): unknown {
  const incomplete = accounts.filter(({ state }) => state === "incomplete" || state === "failed");
  if (incomplete.length === 0) return complete ? "Everything was read, and nothing is missing." : null;
  const reasons = incomplete.map(({ account, state, error }) => `${account}: ${error?.userMessage ?? state}`);
  return html`<bdi>${cleanText(reasons.join(" "), 400)}</bdi>`;
}

function renderFeed(reader: ListReader<HistoryEvent>, context: TabContext): TemplateResult {
  const pages: unknown[] = reader.stored ? [reader.stored] : reader.pages.map(({ page }) => page);
  const activities = (pages as EventPage[]).flatMap((page) => page.activities);
  return html`${context.route.filters["period"] ? totalsLine(reader, activities, context.cells) : nothing}
    <aq-feed .activities=${activities} .context=${context}></aq-feed>`;
}

export const historyList: ListDeclaration<HistoryEvent> = {
  id: "history",
  label: "History",
  records: events,
  filters: historyFilters,
  read: (client, subject, filters, options) => readEventPage(client, subject, filters, options),
  readStored: readStoredPage,
  createCall: (client, subject, filters, columns) => {
    const isTemplate = typeof columns === "object" && "toRows" in columns;
    return isTemplate ? openActivities(client, subject, filters) : openEvents(client, subject, filters);
  },
  csv: ({ cells: { coin } }) => ({ ...events.csv, ...(coin.symbol ? toTemplates(coin.symbol) : {}) }),
  exports: {
    title: "A year for accounting",
    format: "CSV for accounting",
    filter: periodFilter.name,
    options: years(now()),
  },
  controls: (context) => (context.route.accounts ? nothing : html`<aq-live-events .context=${context}></aq-live-events>`),
  renderRows: (reader, context) => (context.route.filters["view"] === "table" ? undefined : renderFeed(reader, context)),
  note: describeSources,
};
