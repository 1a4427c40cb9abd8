// The parameters, events and reports of `mergeHistories`.
import type { AddressQueryError, Hex, Omitted } from "../public.js";
import type { HistoryEvent } from "./event.js";
import type { HistoryClient, HistoryParams, HistoryReport } from "./public-types.js";

/** An address on one chain. */
export interface HistoryAccount {
  /** A client of the chain. Accounts of a chain can share it. */
  client: HistoryClient;
  /** The address. */
  address_hash: string;
}

/** Parameters of {@link mergeHistories}: the parameters of a history, for all accounts. */
export interface MergeParams extends Omit<HistoryParams, "address_hash"> {
  /**
   * First block, or the time of the first block. A number is only possible if all accounts are on one chain.
   */
  from?: number | Date | undefined;
  /** Last block, or the time of the last block. A number is only possible if all accounts are on one chain. */
  to?: number | Date | undefined;
  /**
   * How to deliver transfers between two of the accounts: as an event of each, or once, as the event of the sender.
   * @defaultValue `"both"`
   */
  ownTransfers?: "both" | "once" | undefined;
  /**
   * Whether the failure of one account ends the iteration. By default, it continues with the other accounts, and the report has the error.
   * @defaultValue `false`
   */
  strict?: boolean | undefined;
}

/** An event of one of the accounts. Its `key` is unique together with `account` and `chain_id`. */
export type MergedEvent = HistoryEvent & {
  /** Address hash of the account, in lower case. `direction` is from its view. */
  account: Hex;
  /** The id of the account's chain. Null: the client does not know it, because it was created with a URL alone. */
  chain_id: number | null;
  /** Whether sender and receiver are both accounts of the merged history, on the same chain. */
  own: boolean;
};

/** How completely the history of one account was read. */
export interface AccountReport {
  /** Address hash, in lower case. */
  account: Hex;
  /** The id of the chain. Null: not known. */
  chain_id: number | null;
  /**
   * - `reading`: Not read to its end.
   * - `complete`: Read to its end, and nothing is missing. Only at the end of the merged history is it known whether blocks were replaced.
   * - `incomplete`: Read to its end, but events are missing, or may be. `report` says which.
   * - `failed`: A failure ended it early. `error` says why. Its other events come when the merged history is resumed.
   */
  state: "reading" | "complete" | "incomplete" | "failed";
  /** Why it failed. Null: it did not. */
  error: AddressQueryError | null;
  /** The report of its history. Null: nothing was read, or it had ended before the call was resumed, and nothing is left to check. */
  report: HistoryReport | null;
}

/** How completely the histories of all accounts were read. */
export interface MergedHistoryReport {
  /** Whether every account is `complete`. */
  complete: boolean;
  /** Number of events that were delivered. */
  events: number;
  /** The accounts, in the order in which they were passed. */
  accounts: AccountReport[];
  /** The records of all accounts that `badRecords: "skip"` omitted. */
  omitted: Omitted;
}

/** The result of {@link mergeHistories}: events to iterate over. Nothing is sent before that. */
export interface MergedHistoryCall extends AsyncIterable<MergedEvent> {
  /** Iterates over the events. `break` and `return()` cancel the requests in flight. */
  [Symbol.asyncIterator](): AsyncIterableIterator<MergedEvent>;
  /**
   * Returns the next events, at most `limit`, for a list that grows. Fewer than `limit`: the end, or a failure. While `resumeToken` is not
   * null, the next call continues, also with accounts that failed.
   *
   * @throws {AddressQueryError} A failure after which nothing can be returned. The next call tries again.
   */
  more(limit: number): Promise<MergedEvent[]>;
  /**
   * Continues after the last delivered event: pass it as `resume`. Null before the first event or failure, and when all accounts were read
   * to their ends.
   */
  readonly resumeToken: string | null;
  /** The progress, and how complete each account is. Null before the first event. */
  readonly report: MergedHistoryReport | null;
}
