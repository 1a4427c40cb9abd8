// The types of `activities`.
import type { AddressRef, Hex } from "../public.js";
import type { ActivityKind, ActivityRuleId } from "./activity-rules.js";
import type { Asset, HistoryEvent, Suspicion, TokenFee } from "./event.js";
import type { HistoryParams, HistoryReport } from "./public-types.js";

/** What an activity moved of one asset: the sum of what came in, less what went out, or the reverse. */
export interface ActivityLeg {
  /** The asset. Each token id is one. */
  asset: Asset;
  /** Amount in base units, more than 0. Null: not known, or encrypted. */
  amount: string | null;
}

/** An address that the address dealt with. */
export interface ActivityParty {
  /** Address hash, in lower case. */
  hash: Hex;
  /** Its name: ENS name, name of the contract, or tag. Untrusted. Null: not known, as always with `order: "asc"`. */
  name: string | null;
  /** What the service says about it. Null: not known, as always with `order: "asc"`. */
  ref: AddressRef | null;
}

/**
 * A part of a sentence: text, an asset, an address, or the name of a function. `more` is the number of further assets or addresses,
 * which the activity has in `sent`, `received` and `counterparties`.
 */
export type SentencePart =
  | { text: string }
  | { leg: ActivityLeg; more: number }
  | { party: ActivityParty; more: number }
  | { method: string };

/**
 * Sentences by the id of their rule, to translate them. A sentence has these places: `{sent}`, `{received}`, `{recipient}`, `{sender}`,
 * `{contract}`, `{spender}` and `{method}`.
 */
export type ActivitySentences = Partial<Record<ActivityRuleId, string>>;

/** What happened in one transaction, or one block reward or withdrawal. */
export interface Activity {
  /**
   * Identifies the activity: the hash of the transaction, or the key of the event. In a merged history, the chain and the account come
   * before it.
   */
  key: string;
  /** Block number. */
  block_number: number;
  /** Time of the block in ISO 8601 (UTC), to the second. Null: not known. */
  timestamp: string | null;
  /** Transaction hash, in lower case. Null: a withdrawal, a block reward, or a transfer without a transaction. */
  transaction_hash: Hex | null;
  /** The address whose activity it is, in lower case. Only in a merged history. */
  account?: string;
  /** The id of the chain. Null: not known. Only in a merged history. */
  chain_id?: number | null;
  /** What it was. */
  kind: ActivityKind;
  /** The rule that decided the kind: its `id` in `ACTIVITY_RULES`. */
  rule: ActivityRuleId;
  /** What the address gave, without the fee. An asset that went out and came in appears once, with the difference. */
  sent: ActivityLeg[];
  /** What the address got. */
  received: ActivityLeg[];
  /** Fee in wei that the address paid. Null: not paid, paid in a token (`token_fee`), or not known. */
  fee: string | null;
  /** The fee that the address paid in a token. It is not among `sent`. */
  token_fee?: TokenFee;
  /** The name of the function that was called, or its selector `0x…`. Null: no function call, or not known. */
  method: string | null;
  /**
   * Whom the address dealt with: the called contract first, then the others, most events first. The contracts of the moved tokens and the
   * zero address are left out, unless there is nobody else.
   */
  counterparties: ActivityParty[];
  /** The suspicions of its events. Empty: none. */
  marks: Suspicion[];
  /** Its events, in the order within their block, with either `order`. */
  events: HistoryEvent[];
  /** Says it in English, or with other sentences. */
  sentence(sentences?: ActivitySentences): SentencePart[];
}

/** Options of {@link activities} for a source of events. */
export interface ActivityOptions {
  /** Suspicions to leave out: an activity is left out if every event has one of these. Default: none. */
  exclude?: readonly Suspicion[] | undefined;
  /**
   * Addresses of bridges, besides contracts that the service tags as a bridge. It states tags only with `order: "desc"`.
   */
  bridges?: readonly string[] | undefined;
}

/** Parameters of {@link activities} for a client. All kinds of events are read, because only a whole transaction shows what it was. */
export interface ActivityParams extends Omit<HistoryParams, "include" | "exclude">, ActivityOptions {}

/** The events of activities: a call of `history` or `mergeHistories`. */
export interface EventSource extends AsyncIterable<HistoryEvent> {
  readonly resumeToken: string | null;
  readonly report: unknown;
}

/** The result of {@link activities}: activities to iterate over. Nothing is sent before that. */
export interface ActivityCall<Report = HistoryReport | null> extends AsyncIterable<Activity> {
  /** Iterates over the activities. `break` and `return()` cancel the requests in flight. */
  [Symbol.asyncIterator](): AsyncIterableIterator<Activity>;
  /**
   * Returns the next activities, at most `limit`, for a list that grows. Fewer than `limit`: the end, or a failure.
   *
   * @throws {AddressQueryError} A failure after which nothing can be returned. The next call tries again.
   */
  more(limit: number): Promise<Activity[]>;
  /**
   * Continues after the last delivered activity: pass it as `resume`. It is a token of the history. Null before the first activity or
   * failure, and at the end.
   */
  readonly resumeToken: string | null;
  /** The report of the history. It counts the events that were read, which may be more than the activities have. Null before the first activity. */
  readonly report: Report;
}
