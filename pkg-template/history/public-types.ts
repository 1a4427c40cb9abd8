// The parameters and reports of `history` and `watch`.
import type { AddressClient } from "../index.js";
import type { AbortSignalLike, Omitted, TokenStandardFilter } from "../public.js";
import type { HistoryEvent, HistoryKind, Suspicion } from "./event.js";

/** The client methods that a history uses. Every `AddressClient` has them. */
export type HistoryClient = Pick<
  AddressClient,
  | "account"
  | "addressBlocksValidated"
  | "addressInternalTransactions"
  | "addressTokenTransfers"
  | "addressTransactions"
  | "addressWithdrawals"
  | "backendConfig"
  | "baseUrl"
  | "block"
  | "blockDetails"
  | "blocks"
  | "credits"
  | "indexingStatus"
  | "limits"
  | "source"
>;

/** Parameters that select events. */
export interface HistoryFilter {
  /** The address. */
  address_hash: string;
  /** Kinds of events to read. Default: all. Nothing is requested for the others. */
  include?: readonly HistoryKind[] | undefined;
  /** Suspicions whose events are left out. Default: none. */
  exclude?: readonly Suspicion[] | undefined;
  /** Cancels the iteration, with code `aborted` and the signal's reason as `cause`. */
  signal?: AbortSignalLike | undefined;
}

/** Parameters of {@link history}. */
export interface HistoryParams extends HistoryFilter {
  /**
   * `"desc"`: newest first, from the REST lists. `"asc"`: oldest first, from the account interface, which returns up to 10,000 rows a
   * request, and from REST for what it lacks. It has no prices: `fiat_rate` is null.
   * @defaultValue `"desc"`
   */
  order?: "asc" | "desc" | undefined;
  /**
   * First block, or the time of the first block. Default: the first block of the chain.
   *
   * @remarks
   * A number is a block, a `Date` is a time. A block more than a day of blocks after the newest one is an error, because it is likely
   * a Unix time, and so is a `from` after `to`.
   */
  from?: number | Date | undefined;
  /**
   * Last block, or the time of the last block. Default, and the maximum: the newest block when the iteration starts.
   *
   * @remarks
   * A number after the newest block means the newest block. A number that is likely a Unix time is an error. If the block is not one of
   * the newest 50, or the time is more than an hour ago, the history does not check whether blocks were replaced meanwhile.
   *
   * A `Date` is a moment. `new Date("2026-01-31")` is the first moment of that day in UTC, so that a history up to it contains
   * nothing of that day. For the whole day, pass `new Date("2026-01-31T23:59:59Z")`.
   */
  to?: number | Date | undefined;
  /**
   * Maximum number of concurrent requests per block range, within the rate limit: an integer from 1 to 10. The events are the same
   * for every value. Only the account interface has ranges, so it has no effect with `order: "desc"`.
   * @defaultValue `2`
   */
  concurrency?: number | undefined;
  /** Where to continue: the `resumeToken` of a history or of an error. Base URL and other parameters must be the same. */
  resume?: string | undefined;
}

/** How completely one list or range was read. */
export interface HistorySource {
  /** The method of the client: `txList` or `addressWithdrawals`. */
  method: string;
  /**
   * The account method that the service refused, and why. From there on, `method` was read instead. REST may hide transfers of scam
   * tokens (`showScamTokens`). Null: none was refused.
   */
  replaced: string | null;
  /** The kind of its events. */
  kind: HistoryKind;
  /** Number of records that were read. */
  records: number;
  /**
   * - `reading`: Not read to its end.
   * - `complete`: Read to its end.
   * - `incomplete`: Read to its end, but records are missing, or may be. `reasons` says which.
   * - `skipped`: Not read. `reasons` says why.
   */
  state: "reading" | "complete" | "incomplete" | "skipped";
  /** What is missing, and why. Empty: nothing. */
  reasons: string[];
  /**
   * The blocks for which it is not verified that the source has all records. Not set if there are none, or if it was not read to its end.
   *
   * @remarks
   * The service has no records for blocks that it has not indexed, and does not say so in its responses. A block is verified if the
   * instance states in `indexingStatus` that it has indexed all blocks and all internal transactions. Without a statement, internal
   * transactions are not verified if there are none.
   */
  unverified?: { from: number; to: number };
  /** The records that `badRecords: "skip"` omitted, if their block is within the history or unknown. */
  omitted: Omitted;
}

/**
 * How completely a history was read. If the last block was replaced meanwhile, also between a token and its use, all sources are incomplete:
 * read the history again. In a resumed call, it covers only what was read after the token. Omitted records of the page or
 * the block where a call was resumed are in both reports.
 */
export interface HistoryReport {
  /** Whether everything was read to its end and is verified, and nothing is missing or was omitted. */
  complete: boolean;
  /** Number of events that were delivered. */
  events: number;
  /** First block of the history. */
  from: number;
  /** Last block of the history: not past the newest block when the iteration started. */
  to: number;
  /**
   * The method of the client that found the newest block, or the last one: the list `blocks`, or `block.getBlockNoByTime` where the service
   * refuses that list, and for a time before it.
   */
  boundMethod: "getBlockNoByTime" | "blocks";
  /**
   * Whether the last block was replaced meanwhile, or can no longer be read. The reasons of all sources say so. Older blocks that are final
   * were not replaced.
   */
  reorganised: boolean;
  /** The lists and ranges that it is read from. */
  sources: HistorySource[];
  /** The omitted records of all sources. */
  omitted: Omitted;
}

/** A list or a range that a history is read from. */
export interface HistoryRead {
  /** The kind of its events. */
  kind: HistoryKind;
  /** The method of the client: the list `addressWithdrawals`, or the range `txList`. */
  method: string;
  /** The standard of its transfers, if it has only one. */
  standard?: TokenStandardFilter | undefined;
}

/** The plan of a history: what it reads from its beginning, or from `resume`, to its end. */
export interface HistoryPlan {
  /** The client that reads. */
  client: HistoryClient;
  /** The parameters, with their defaults. `address_hash` is in lower case. */
  params: Pick<HistoryParams, "address_hash" | "from" | "to" | "concurrency"> & {
    order: "asc" | "desc";
    include: readonly HistoryKind[];
    exclude: readonly Suspicion[];
  };
  /** Whether it continues from `resume`. */
  isResumed: boolean;
  /** The blocks that are read. Null: all, up to the newest one. */
  blocks: { from: number; to: number } | null;
  /** The lists and ranges that are read concurrently. */
  reads: HistoryRead[];
  /** Whether prices are read as well, and whether transactions are requested for them. Only the plan of `withValues` has it. */
  prices?: { requests: boolean };
}

/** The result of {@link history}: events to iterate over. Nothing is sent before that. */
export interface HistoryCall extends AsyncIterable<HistoryEvent> {
  /** Iterates over the events. `break` and `return()` cancel the requests in flight. */
  [Symbol.asyncIterator](): AsyncIterableIterator<HistoryEvent>;
  /**
   * Returns the next events, at most `limit`, for a list that grows. Fewer than `limit`: the end, or a failure. While `resumeToken` is not
   * null, the next call continues.
   *
   * @throws {AddressQueryError} A failure before which no event was read. The next call tries again.
   */
  more(limit: number): Promise<HistoryEvent[]>;
  /** Continues after the last delivered event: pass it as `resume`. Null before the first event or failure, and at the end. */
  readonly resumeToken: string | null;
  /** The progress, and how complete the history is. Null before the first event. */
  readonly report: HistoryReport | null;
  /**
   * Returns the plan of the iteration. Looks up the blocks of `from` and `to`.
   *
   * @throws {AddressQueryError} `invalid_parameter` for parameters that the iteration would reject, and every failure of a lookup.
   */
  plan(options?: Pick<HistoryFilter, "signal">): Promise<HistoryPlan>;
}

/** A notice of {@link watch} that an event is no longer part of the chain: its block was replaced. */
export interface RemovedEvent {
  kind: "removed";
  /** The key of the event. */
  key: string;
}

/** A socket, as the `WebSocket` of browsers, of Node.js 22 and of the package `ws` is one. */
export interface WebSocketLike {
  // biome-ignore lint/suspicious/noExplicitAny: each type of event has its own class.
  addEventListener(type: string, listener: (event: any) => void): void;
  send(data: string): void;
  close(): void;
}

/** The class of a socket. */
export type WebSocketClass = new (url: string) => WebSocketLike;

/** Options of the socket of a watch. */
export interface LiveOptions {
  /** The class of the socket. Default: the global `WebSocket`. Without one, the watch only polls. */
  WebSocket?: WebSocketClass | undefined;
  /**
   * The API key for the socket of the gateway, which it needs. It becomes a part of the URL of the socket, and logs may contain URLs. The
   * gateway charges 10 credits for each connection and 1 for each message.
   */
  apiKey?: string | undefined;
}

/**
 * How a watch receives events.
 *
 * - `live`: A socket announces them.
 * - `polling`: It polls.
 * - `retrying`: The last poll failed, and is repeated.
 * - `offline`: The browser has no connection.
 */
export type WatchState = "live" | "polling" | "retrying" | "offline";

/** How up to date a watch is. */
export interface WatchStatus {
  state: WatchState;
  /**
   * How the events of each kind are received.
   *
   * - `live`: Within seconds.
   * - `polled`: With the next poll. The service never announces internal transactions, withdrawals and block rewards.
   * - `stale`: Not until a poll succeeds again.
   */
  kinds: { [Kind in HistoryKind]?: "live" | "polled" | "stale" };
  /** The credits that the socket has cost. Watches of a page with the same key share it. `client.credits` does not include them. */
  credits: number;
}

/** How completely the last poll of a watch has read the blocks from `from` to `to`, and how up to date the watch is. */
export interface WatchReport extends HistoryReport, WatchStatus {}

/** Parameters of {@link watch}. */
export interface WatchParams extends HistoryFilter {
  /**
   * First block or time to watch from, or the `resumeToken` of an earlier watch with the same chain or base URL and parameters. Default:
   * the block after the newest one. A block more than a day of blocks after the newest one is an error: pass a time as a `Date`.
   */
  since?: number | Date | string | undefined;
  /**
   * Whether a socket of the service announces events, so that they arrive within seconds. Data still come only from polls. Default:
   * true for instances, false for the gateway, which charges for it and needs `apiKey`.
   */
  live?: boolean | LiveOptions | undefined;
  /**
   * Interval between polls in milliseconds, from 1,000 to 60,000. It grows up to a minute while nothing happens. While a socket is live,
   * polls for the kinds that it announces are five minutes apart.
   * @defaultValue `15_000`
   */
  pollMs?: number | undefined;
  /** Called when `state` changes. The report of the call has the same values. */
  onState?: ((status: WatchStatus) => void) | undefined;
}

/** The result of {@link watch}: events as they arrive. Nothing is sent before the iteration. */
export interface WatchCall extends AsyncIterable<HistoryEvent | RemovedEvent> {
  /** Iterates over the events. It ends with `break`, `return()` or the signal. */
  [Symbol.asyncIterator](): AsyncIterableIterator<HistoryEvent | RemovedEvent>;
  /** Continues after the last delivered event: pass it as `since`. Null at the beginning. */
  readonly resumeToken: string | null;
  /**
   * How completely the last poll has read the blocks from `from` to `to`. Null before the first poll. Each block is in the reports of
   * about two minutes, with the records in it that were omitted.
   */
  readonly report: WatchReport | null;
}
