// The periods that a history can be limited to: months and years in UTC. Their dates stay the same when a list is continued later.
import { now } from "../format/clock.js";
import { lazy } from "../format/lazy.js";
import type { Filter } from "../lists/filters.js";

const MONTHS = 3;
const YEARS = 5;
const monthFormat = lazy(() => new Intl.DateTimeFormat(undefined, { month: "long", year: "numeric", timeZone: "UTC" }));

/** The time of the first and the last second of `2026` or `2026-10`. For anything else, the client rejects the dates. */
export function toPeriod(value: string): { from: Date; to: Date } {
  const [, year, month] = /^(\d{4})(?:-(0[1-9]|1[0-2]))?$/.exec(value) ?? [];
  const [start, count] = month === undefined ? [0, 12] : [Number(month) - 1, 1];
  return { from: new Date(Date.UTC(Number(year), start)), to: new Date(Date.UTC(Number(year), start + count) - 1000) };
}

/** The newest first. */
export const years = (now: number): readonly (readonly [value: string, label: string])[] =>
  Array.from({ length: YEARS }, (_, age) => String(new Date(now).getUTCFullYear() - age)).map((year) => [year, year]);

/** The periods to choose from, the newest first. */
export function periodOptions(now: number): readonly (readonly [value: string, label: string])[] {
  const [year, month] = [new Date(now).getUTCFullYear(), new Date(now).getUTCMonth()];
  const months = Array.from({ length: MONTHS }, (_, age) => new Date(Date.UTC(year, month - age)));
  return [
    ["", "All"],
    ...months.map((start) => [start.toISOString().slice(0, 7), monthFormat().format(start)] as const),
    ...years(now),
  ];
}

export const periodFilter: Filter = {
  name: "period",
  label: "Period",
  options: periodOptions(now()),
  toParameters: toPeriod,
};
