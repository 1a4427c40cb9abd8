// The parameters, results and reports of the store.
import type {
  HistoryCall,
  HistoryClient,
  HistoryEvent,
  HistoryFilter,
  HistoryKind,
  HistoryParams,
  HistoryReport,
  RemovedEvent,
} from "../history/index.js";
import type { AddressQueryError, ClientSource, Hex, Omitted } from "../public.js";
import type { StoreDatabase } from "./database.js";

/** Where a copy comes from: a client, or an element of `store.accounts()`. Nothing is requested with it. */
export interface StoredSource {
  readonly source: ClientSource;
}

/** Options of {@link createStore}. */
export interface StoreOptions {
  /**
   * The name of the browser's database. Pages, workers and tabs of a site with the same name share it.
   * @defaultValue `"address-query"`
   */
  name?: string | undefined;
  /** Another database: `fileDatabase` of `address-query/store/node`, `memoryDatabase`, or your own. Then there is no `name`. */
  database?: StoreDatabase | undefined;
}

/** An address whose history is stored. */
export interface StoredAccount extends StoredSource {
  /** Address hash, in lower case. */
  account: Hex;
  /** The kinds of its events. */
  kinds: HistoryKind[];
  /** Number of stored events. */
  events: number;
  /** Bytes of the stored events. */
  bytes: number;
  /** The time of the last sync that was not interrupted, in ISO 8601: the copy is as of then. Null: there was none. */
  synced_at: string | null;
  /** The time when the newest block was read, also by a sync that was interrupted later. Null: none was. */
  read_at: string | null;
  /** The newest block at the last sync. */
  to: number;
}

/** Parameters of `store.history`. They are as for `history`. */
export type StoredHistoryParams = Omit<HistoryParams, "concurrency">;

/**
 * How complete a stored history is. `sources` name what is missing. Blocks of an interrupted sync are missing, or are as of an earlier
 * one. Suspicions are as of the time when an event was read.
 */
export interface StoredReport extends Omit<HistoryReport, "boundMethod" | "reorganised"> {
  /** The time of the last sync that was not interrupted. Null: there was none. */
  synced_at: string | null;
  /** The time when the newest block was read, also by a sync that was interrupted later. Null: none was. */
  read_at: string | null;
  /** The blocks that an interrupted sync has not read, newest first. The last one of each may be read in part. */
  unread: { from: number; to: number }[];
}

/** The result of `store.history`. */
export interface StoredHistoryCall extends AsyncIterable<HistoryEvent>, Pick<HistoryCall, "more" | "resumeToken"> {
  [Symbol.asyncIterator](): AsyncIterableIterator<HistoryEvent>;
  /** How complete the events are. Null before the first event. */
  readonly report: StoredReport | null;
}

/** Parameters of {@link sync}. */
export interface SyncParams extends Pick<HistoryFilter, "address_hash" | "signal"> {
  /**
   * Kinds of events to store. Default: all. If one of them is not stored yet, all are read again, together with the stored kinds.
   */
  include?: readonly HistoryKind[] | undefined;
  /** Called whenever events were stored. */
  onProgress?: ((progress: SyncProgress) => void) | undefined;
}

/** The progress of a sync. */
export interface SyncProgress {
  /** Number of events that were read. */
  events: number;
  /** The oldest block that was read. */
  block: number;
  /** How much of the blocks was read, from 0 to 1. Blocks have different numbers of events. */
  fraction: number;
}

/** What a sync changed, and how complete the copy is. */
export interface SyncReport extends StoredReport {
  /** Number of stored events. */
  events: number;
  /** Number of events that are new, or have another block than before. */
  added: number;
  /** The keys of the events that are gone: their blocks were replaced, or the service no longer lists them. */
  removed: string[];
  /**
   * Why the stored events were read again: the service has `other_events` in blocks that were final, because they were replaced or because
   * it reads another chain, or other `kinds` were stored. Null: they were not.
   */
  restarted: "other_events" | "kinds" | null;
  /** Whether another tab or call has brought the copy up to date meanwhile. Then nothing was requested. */
  shared: boolean;
  /** Whether the newest block of the service is older than the copy. Then nothing was changed. */
  behind: boolean;
  /** Why the database failed. Events from then on are not stored. Null: it did not. Only `syncedHistory` continues after such a failure. */
  error: AddressQueryError | null;
}

/** Parameters of {@link syncedHistory}. */
export interface SyncedHistoryParams extends SyncParams, Pick<HistoryParams, "order"> {
  store: Store;
}

/** The result of {@link syncedHistory}. */
export interface SyncedHistoryCall extends AsyncIterable<HistoryEvent | RemovedEvent> {
  [Symbol.asyncIterator](): AsyncIterableIterator<HistoryEvent | RemovedEvent>;
  /** How complete the copy is while it is delivered, and the report of the sync from then on. Null before the first event. */
  readonly report: StoredReport | SyncReport | null;
}

/** Parameters of `store.verify`. */
export interface VerifyParams extends Pick<HistoryFilter, "address_hash" | "signal"> {
  /**
   * Number of places to compare: about fifty successive events each.
   * @defaultValue `3`
   */
  samples?: number | undefined;
}

/** The result of `store.verify`. */
export interface VerifyReport {
  /** Whether nothing differs, and everything was read. */
  correct: boolean;
  /** The blocks that were compared. */
  blocks: { from: number; to: number }[];
  /** Events that are not stored: the service has indexed them since, or hides them in its lists, as transfers of scam tokens. */
  missing: HistoryEvent[];
  /** The keys of stored events that the service no longer has. */
  gone: string[];
  /** The records that could not be read. */
  omitted: Omitted;
}

/** Histories that were read before, in a database. Create it with {@link createStore}. */
export interface Store {
  /** The database. */
  readonly database: StoreDatabase;
  /**
   * Reads a stored history like `history`, without the network. It is empty if nothing was stored. `activities`, `withValues`, `toCsv` and
   * `toNdjson` take the call. Bounds that are times are compared with the times of the events. The `record` of an event is decoded when it
   * is first read.
   */
  history(source: StoredSource, params: StoredHistoryParams): StoredHistoryCall;
  /** Returns the addresses whose histories are stored. */
  accounts(): Promise<StoredAccount[]>;
  /** Returns the bytes of the stored events. Chromium compresses them to about a third. */
  size(): Promise<number>;
  /** Removes the history of an address: on the chain of `source`, or everywhere. */
  forget(address_hash: string, source?: StoredSource): Promise<void>;
  /** Removes everything: histories and exports. */
  clear(): Promise<void>;
  /**
   * Compares some stored blocks with the account interface of the service, and changes nothing.
   *
   * @throws {AddressQueryError} Every failure of a request.
   */
  verify(client: HistoryClient, params: VerifyParams): Promise<VerifyReport>;
  /** Calls a listener when this page or another tab has changed what is stored. Returns a function that ends this. */
  onChange(listener: () => void): () => void;
  /** Closes the database. */
  close(): Promise<void>;
}
