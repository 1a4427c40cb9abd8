// The options and results of `withValues` and `sumValues`.
import type { AddressClient } from "../index.js";
import type { Hex } from "../public.js";
import type { Asset, Direction, TokenAsset, TokenFee } from "./event.js";
import type { HistoryFilter, HistoryPlan } from "./public-types.js";

/** The client methods that values need. Every `AddressClient` has them. */
export type ValueClient = Pick<AddressClient, "baseUrl" | "marketChart" | "source" | "transaction">;

/** What an amount was worth. */
export interface FiatValue {
  /** The value as a decimal string. Exact: the amount times the price. */
  value: `${number}`;
  /**
   * What the price belongs to. Every price before today is the closing price of the day (UTC), so that both mean the same.
   *
   * - `transaction`: The transaction of the event states it.
   * - `day`: The day of the event, as stated by another transaction, by `marketChart` or by `priceOf`.
   * - `today`: The latest price of a day that has not ended.
   */
  basis: "transaction" | "day" | "today";
  /** Where the price comes from. */
  price_source: "historic_exchange_rate" | "marketChart" | "priceOf";
  /** The option `currency`. */
  currency: string;
}

/** The members of an event that determine its value. */
export interface ValuableEvent {
  direction: Direction;
  timestamp: string | null;
  transaction_hash: Hex | null;
  asset: Asset;
  amount: string | null;
  success: boolean | null;
  fiat_rate: string | null;
  fee: string | null;
  token_fee?: TokenFee;
  record: object;
  chain_id?: number | null;
}

/** The members of an activity that determine its value. */
export interface ValuableActivity
  extends Pick<ValuableEvent, "timestamp" | "transaction_hash" | "fee" | "token_fee" | "chain_id"> {
  sent: readonly Pick<ValuableEvent, "asset" | "amount">[];
  received: readonly Pick<ValuableEvent, "asset" | "amount">[];
  events: readonly Pick<ValuableEvent, "fiat_rate" | "record">[];
}

/** An event, an activity, or the notice of a watch that an event was removed. */
export type Valuable = ValuableEvent | ValuableActivity | { kind: "removed" };

/** The values of an event, or of an activity: `fiat` of each asset, and `fee_fiat` of the fee. Null: no price is known. */
export type Valued<Item> = Item extends ValuableActivity
  ? Omit<Item, "sent" | "received"> & {
      sent: (Item["sent"][number] & { fiat: FiatValue | null })[];
      received: (Item["received"][number] & { fiat: FiatValue | null })[];
      fee_fiat: FiatValue | null;
    }
  : Item extends ValuableEvent
    ? Item & { fiat: FiatValue | null; fee_fiat: FiatValue | null }
    : Item;

/** A call of `history`, `mergeHistories`, `activities` or `watch`. */
export interface ValueSource<Item, Report> extends AsyncIterable<Item> {
  readonly resumeToken: string | null;
  readonly report: Report;
}

/** Options of {@link withValues}. */
export interface ValueOptions {
  /**
   * Whether to request a transaction for each day whose price of the native coin is not known otherwise. With `order: "asc"`, no event
   * states a price. `estimate` counts these requests.
   * @defaultValue `false`
   */
  requests?: boolean | undefined;
  /**
   * Returns the price of one whole token on a day (UTC, `2026-01-31`), in the currency of the instance, as a decimal string. Null: not
   * known. The service has no past prices of tokens. It is called once for each token and day of consecutive events.
   * @defaultValue Tokens have no values.
   */
  priceOf?: ((token: TokenAsset, day: string) => string | null | undefined | Promise<string | null | undefined>) | undefined;
  /**
   * The currency of the instance, which it does not state: US dollars, unless its operator has chosen another one.
   * @defaultValue `"USD"`
   */
  currency?: string | undefined;
}

/** The result of {@link withValues}: events or activities to iterate over. Nothing is sent before that. */
export interface ValuedCall<Item, Report> extends AsyncIterable<Valued<Item>> {
  /** Iterates over the events. `break` and `return()` cancel the requests in flight. */
  [Symbol.asyncIterator](): AsyncIterableIterator<Valued<Item>>;
  /** Reads at most `limit` further events, for a list that grows, as `more` of a history does. */
  more(limit: number): Promise<Valued<Item>[]>;
  /** Continues after the last delivered event: pass it as `resume` of the source. */
  readonly resumeToken: string | null;
  /** The report of the source. */
  readonly report: Report;
  /** Returns the plan of the source, with the requests for prices, for `estimate`. Undefined: the source has no plan. */
  plan(options?: Pick<HistoryFilter, "signal">): Promise<HistoryPlan | undefined>;
}

/** A sum of values. */
export interface ValueSum {
  /** The sum of the known values, as a decimal string. */
  value: `${number}`;
  /** The number of amounts whose value is in the sum. */
  valued: number;
  /** The number of amounts that are missing in the sum, because their value is not known. 0: the sum is exact. */
  unvalued: number;
}

/** The result of {@link sumValues}: plain data. */
export interface ValueTotals {
  /** What was sent, without fees. */
  sent: ValueSum;
  /** What was received. */
  received: ValueSum;
  /** The fees that the address paid. */
  fees: ValueSum;
  /** The currency of the values. Null: there are none. */
  currency: string | null;
}
