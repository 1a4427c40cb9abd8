// The parameters and results of `estimate`.
import type { HistoryPlan } from "../history/index.js";
import type { AbortSignalLike, ListCall, RangeCall } from "../public.js";

/** A call whose needs can be estimated: a list, a range of `all()`, a history, or another call with the plan of a history. */
export type EstimatedCall =
  // biome-ignore lint/suspicious/noExplicitAny: calls of all kinds of records
  ListCall<any, any, any> | RangeCall<any> | { plan(options?: EstimateOptions): Promise<HistoryPlan | undefined> };

/** Options of {@link estimate}. */
export interface EstimateOptions {
  /** Cancels the estimate, with code `aborted` and the signal's reason as `cause`. */
  signal?: AbortSignalLike | undefined;
}

/** The least and the most that is expected. */
export interface EstimatedRange {
  /** The least. */
  min: number;
  /** The most. Null: the service does not count it. */
  max: number | null;
}

/** The needs of a read, from its beginning or its resume token to its end. */
export interface Estimate {
  /** Records, or events of a history. */
  records: EstimatedRange;
  /** Requests, without retries. */
  requests: EstimatedRange;
  /** Credits of the gateway. 0 at an instance by its URL. */
  credits: EstimatedRange;
  /** Seconds, at the speed of the requests of the estimate and within `maxPerSecond`. */
  seconds: EstimatedRange;
}
