// The rows of the feed: the heading of each day, and its transactions with their events.
import type { HistoryEvent } from "address-query/history";

export interface FeedRow {
  key: string;
  /** For a heading: the day in UTC, or "" if it is not known. */
  day?: string;
  /** For an entry: the events of one transaction, or an event without one. */
  events: readonly HistoryEvent[];
}

const toDay = ({ timestamp }: HistoryEvent): string => timestamp?.slice(0, 10) ?? "";

/** Groups events that follow each other by day and by transaction, in the order of the list. */
export function toFeedRows(events: readonly HistoryEvent[]): FeedRow[] {
  const rows: (FeedRow & { events: HistoryEvent[] })[] = [];
  let day: string | null = null;
  for (const event of events) {
    const next = toDay(event);
    const last = rows.at(-1);
    if (next !== day) rows.push({ key: `day ${next}`, day: next, events: [] });
    const isSame =
      next === day && event.transaction_hash !== null && last?.events[0]?.transaction_hash === event.transaction_hash;
    if (isSame && last) last.events.push(event);
    else rows.push({ key: event.key, events: [event] });
    day = next;
  }
  return rows;
}
