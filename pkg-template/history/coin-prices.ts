// The prices of the native coin by day.
import { toNullIfUnstated } from "./block-lookup.js";
import type { FiatValue, ValueClient } from "./value-types.js";
import type { ActionOptions } from "../public.js";

/** A price of one whole native coin. */
export interface CoinPrice extends Pick<FiatValue, "price_source"> {
  rate: string;
  /** The transaction that states it. Null: none does. */
  transaction_hash: string | null;
  /** Whether it is the latest price of a day that has not ended. */
  isToday: boolean;
}

/** Prices to continue with, and whether the chart was read. */
export interface SavedPrices {
  days: [day: string, price: CoinPrice | null][];
  hasChart: boolean;
}

export class CoinPrices {
  readonly #client: ValueClient;
  readonly #options: ActionOptions;
  /** By day. Null: not known. */
  readonly #days = new Map<string, CoinPrice | null>();
  #chart: Promise<void> | undefined;

  constructor(client: ValueClient, options: ActionOptions) {
    this.#client = client;
    this.#options = options;
  }

  /** Returns the prices of days. */
  save(days: readonly string[]): SavedPrices {
    const isSaved = new Set(days);
    return { days: [...this.#days].filter(([day]) => isSaved.has(day)), hasChart: this.#chart !== undefined };
  }

  /** Continues with prices that another object has saved. */
  async restore({ days, hasChart }: SavedPrices): Promise<void> {
    for (const [day, price] of days) this.#days.set(day, price);
    if (hasChart) await this.readChart();
  }

  /** Returns the price of a day. Undefined: it was not searched for. */
  get(day: string): CoinPrice | null | undefined {
    return this.#days.get(day);
  }

  /** Adds the price that a transaction of a day states. */
  add(day: string, rate: string | null, transaction_hash: string | null): void {
    const price =
      rate === null ? null : { rate, transaction_hash, isToday: false, price_source: "historic_exchange_rate" as const };
    this.#days.set(day, this.#days.get(day) ?? price);
  }

  /** Reads the prices of the last 31 days, once. */
  readChart(): Promise<void> {
    this.#chart ??= this.#readChart();
    return this.#chart;
  }

  /** Requests the price of a day from one of its transactions. */
  async request(day: string, transaction_hash: string): Promise<void> {
    const record = await this.#client.transaction({ transaction_hash }, this.#options).catch(toNullIfUnstated);
    this.add(day, record?.historic_exchange_rate ?? null, transaction_hash);
  }

  async #readChart(): Promise<void> {
    const chart = await this.#client.marketChart({}, this.#options).catch(toNullIfUnstated);
    const [today] = chart?.chart_data ?? [];
    for (const { date, closing_price: rate } of chart?.chart_data ?? []) {
      if (rate === null || this.#days.get(date)) continue;
      this.#days.set(date, { rate, transaction_hash: null, isToday: date === today?.date, price_source: "marketChart" });
    }
  }
}
