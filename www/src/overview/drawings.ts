// The charts of the overview.
import { html, type TemplateResult } from "lit";
import { identicon } from "../address/identicon.js";
import { bars } from "../charts/bars.js";
import { calendar } from "../charts/calendar.js";
import { now } from "../format/clock.js";
import { lazy } from "../format/lazy.js";
import { formatAmountPair, formatCount } from "../format/number.js";
import { cleanText } from "../format/text.js";
import { formatDay } from "../format/time.js";
import type { CellContext } from "../table/context.js";
import { party } from "../records/activity.js";
import { type Asset, type Recent, toCounterparties, toDays, toMonths } from "./recent.js";

const MAX_COUNTERPARTIES = 6;
const DAY_MS = 86_400_000;

const toIsoDay = (time: number): string => new Date(time).toISOString().slice(0, 10);
const monthFormat = lazy(() => new Intl.DateTimeFormat(undefined, { month: "long", year: "numeric", timeZone: "UTC" }));
const initialFormat = lazy(() => new Intl.DateTimeFormat(undefined, { month: "narrow", timeZone: "UTC" }));

export function calendarOfYear({ activities, since }: Recent): TemplateResult {
  const days = toDays(activities, now()).map(({ time, transactions, transfers }) => ({
    time,
    // The first day may be incomplete.
    count: since !== null && time + DAY_MS <= since ? null : transactions,
    date: formatDay(toIsoDay(time)),
    text: `${formatCount(transactions, "transaction")}, ${formatCount(transfers, "token transfer")}`,
  }));
  return calendar("Transactions by day of the last year", days);
}

/** Incoming and outgoing amounts of an asset by month. */
export function months({ activities }: Recent, { symbol, decimals, contract }: Asset): TemplateResult {
  const toText = (value: bigint) => `${formatAmountPair(String(value), decimals)?.brief ?? ""} ${cleanText(symbol, 20)}`;
  const toNumber = (value: bigint) => Number(formatAmountPair(String(value), decimals)?.exact ?? 0);
  const items = toMonths(activities, contract, now()).map(({ time, incoming, outgoing }) => ({
    label: initialFormat().format(time),
    name: monthFormat().format(time),
    incoming: toNumber(incoming),
    outgoing: toNumber(outgoing),
    texts: [toText(incoming), toText(outgoing)] as const,
  }));
  return bars(`${cleanText(symbol, 20)} that came in and went out by month`, items);
}

export function counterparties(recent: Recent, own: string, cells: CellContext): TemplateResult {
  const found = toCounterparties(recent.activities, own).slice(0, MAX_COUNTERPARTIES);
  if (found.length === 0) return html`<p class="none">Nobody yet.</p>`;
  const most = found[0]?.count ?? 1;
  return html`<ul class="entries">${found.map(
    ({ party: other, count }) => html`<li>${identicon(other.hash)}
      <span class="entry"><span class="name">${party(other, cells)}</span><span class="sub">${formatCount(count, "transaction")}</span>
      <progress max=${most} .value=${count} aria-hidden="true"></progress></span></li>`,
  )}</ul>`;
}
