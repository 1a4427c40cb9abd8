// Formats times in the user's locale and time zone.
import { lazy } from "./lazy.js";

const SECONDS: [Intl.RelativeTimeFormatUnit, number][] = [
  ["year", 365 * 86_400],
  ["month", 30 * 86_400],
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
  ["second", 1],
];
const [shortFormat, longFormat] = (["short", "long"] as const).map((style) =>
  lazy(() => new Intl.RelativeTimeFormat(undefined, { numeric: "always", style })),
);
const absoluteFormat = lazy(() => new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium" }));
const dayFormat = lazy(() => new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeZone: "UTC" }));

/** "3 min. ago" or "in 2 days": one unit, rounded down. `isLong`: "3 minutes ago". */
export function formatAge(milliseconds: number, now: number, isLong = false): string {
  const elapsed = Math.trunc((milliseconds - now) / 1000);
  const [unit, seconds] = SECONDS.find(([, seconds]) => Math.abs(elapsed) >= seconds) ?? ["second", 1];
  return (isLong ? longFormat : shortFormat)?.().format(Math.trunc(elapsed / seconds), unit) ?? "";
}

/** "As of 3 minutes ago". The time is in ISO 8601, and the user's, also for sample data. */
export const formatAsOf = (time: string): string => `As of ${formatAge(Date.parse(time), Date.now(), true)}`;

export const formatTime = (milliseconds: number): string => absoluteFormat().format(milliseconds);

/** Formats a day `YYYY-MM-DD` (UTC). */
export const formatDay = (day: string): string => {
  const milliseconds = Date.parse(day);
  return Number.isNaN(milliseconds) ? day : dayFormat().format(milliseconds);
};
