// The parameters and the result of `activitySpan`.
import type { HistoryEvent, HistoryKind } from "./event.js";
import type { HistoryFilter } from "./public-types.js";

/** Parameters of {@link activitySpan}. */
export type SpanParams = Pick<HistoryFilter, "address_hash" | "signal">;

/** Where and when an event happened. */
export interface SpanEvent extends Pick<HistoryEvent, "timestamp" | "block_number" | "transaction_hash"> {
  /** The kind of the event. */
  source: HistoryKind;
}

/** The first and the last event of one kind. */
export interface SpanSource {
  /** The kind of its events. */
  kind: HistoryKind;
  /** The oldest event that was found. An older one is possible only if there are `reasons`. Null: none was found. */
  first: SpanEvent | null;
  /** The newest event. A newer one is possible only if there are `reasons`. Null: none was found. */
  last: SpanEvent | null;
  /** Why there may be older or newer events. Empty: there are none. */
  reasons: string[];
}

/** The result of {@link activitySpan}: plain data. */
export interface ActivitySpan {
  /** The oldest event that was found. With `complete`, it is the first activity. Null: none was found. */
  first: SpanEvent | null;
  /** The newest event. Null: none was found. */
  last: SpanEvent | null;
  /** Whether no older or newer event is possible: no source has `reasons`. */
  complete: boolean;
  /** The events of each kind. */
  sources: SpanSource[];
}
