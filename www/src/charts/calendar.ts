// A calendar of days: a column for each week, darker where more happened.
import { type SVGTemplateResult, svg, html, type TemplateResult } from "lit";
import { lazy } from "../format/lazy.js";
import { chart } from "./figure.js";

export interface CalendarDay {
  /** The start of the day in UTC, in Unix milliseconds. */
  time: number;
  /** Null: not known. */
  count: number | null;
  /** The day and what happened, for the pointer and the table. */
  date: string;
  text: string;
}

const CELL = 14;
const DAYS = 7;
const LEVELS = 4;
const TOP = 16;
const monthFormat = lazy(() => new Intl.DateTimeFormat(undefined, { month: "short", timeZone: "UTC" }));

/** `days` begin with the first day of a week. */
export function calendar(label: string, days: readonly CalendarDay[]): TemplateResult {
  // Keep one busy day from making all others look empty.
  const busy = days.flatMap(({ count }) => count || []).sort((a, b) => a - b);
  const top = busy[Math.floor(busy.length * 0.9)] ?? 1;
  const cell = ({ count, date, text }: CalendarDay, index: number): SVGTemplateResult => {
    const [x, y] = [Math.floor(index / DAYS) * CELL, TOP + (index % DAYS) * CELL];
    if (count === null)
      return svg`<rect class="unknown" x=${x} y=${y} width="10" height="10" rx="2.5"><title>${date}: not read</title></rect>`;
    const level = count === 0 ? 0 : Math.min(LEVELS, Math.ceil((count / top) * LEVELS));
    return svg`<rect class="level-${level}" x=${x} y=${y} width="11" height="11" rx="2.5"><title>${date}: ${text}</title></rect>`;
  };
  const month = ({ time }: CalendarDay, index: number) =>
    // A name needs two columns.
    new Date(time).getUTCDate() <= DAYS && index % DAYS === 0 && index + DAYS < days.length
      ? svg`<text x=${(index / DAYS) * CELL} y="10">${monthFormat().format(time)}</text>`
      : "";
  const weeks = Math.ceil(days.length / DAYS);
  const drawing = html`<svg class="calendar" viewBox="0 0 ${weeks * CELL} ${TOP + DAYS * CELL}">${days.map(month)}${days.map(cell)}</svg>`;
  const rows = days.filter(({ count }) => count).map(({ date, text }) => [date, text]);
  return chart(label, drawing, { columns: ["Day", "What happened"], rows: rows.reverse() }, DAYS);
}
