// The rows of the feed: the heading of each day, and its activities.
import type { Activity } from "address-query/history";

/** An activity, or the heading of a day in UTC, or of "" if the day is not known. */
export type FeedRow = { key: string; day: string; activity?: never } | { key: string; activity: Activity; day?: never };

const toDay = ({ timestamp }: Activity): string => timestamp?.slice(0, 10) ?? "";

/** Adds a heading where the day changes, in the order of the list. */
export const toFeedRows = (activities: readonly Activity[]): FeedRow[] =>
  activities.flatMap((activity, index) => {
    const [day, previous] = [toDay(activity), activities[index - 1]];
    const row = { key: activity.key, activity };
    return previous && toDay(previous) === day ? [row] : [{ key: `day ${day}`, day }, row];
  });
