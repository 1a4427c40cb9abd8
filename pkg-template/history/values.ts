// `withValues`: what events and activities were worth on their day.
import { checkClient, checkNames, createParameterError } from "../entry-support.js";
import { fiatValue } from "../public.js";
import { CoinPrices, type SavedPrices } from "./coin-prices.js";
import type { TokenAsset } from "./event.js";
import { EventCall, type EventReader } from "./event-call.js";
import { getDecimals, getFeeLeg, getMovedAmount } from "./movement.js";
import type { HistoryFilter, HistoryPlan } from "./public-types.js";
import type {
  FiatValue,
  Valuable,
  ValuableActivity,
  ValuableEvent,
  ValueClient,
  ValuedCall,
  ValueOptions,
  ValueSource,
} from "./value-types.js";

/** The maximum number of items that are held while a later one of the same day may state the price. */
const MAX_HELD = 1000;
const DAY_MS = 86_400_000;

type Item = ValuableEvent | ValuableActivity;

/** An amount, and the object that gets its value. */
type Leg = Pick<ValuableEvent, "asset" | "amount"> & { owner: object };
type Price = Pick<FiatValue, "basis" | "price_source"> & { rate: string };

/** An item that was read, the position after it, and the prices of its chain. */
interface HeldItem {
  item: Item;
  position: unknown;
  prices: CoinPrices | undefined;
}

/** The prices of an item's day that its reader knew, and what it had read of each client. */
interface ValuedPosition {
  prices?(): readonly SavedPrices[];
}

/** What a call of `history`, `mergeHistories`, `activities` or `watch` reads with. */
type ItemReader = EventReader<Valuable, unknown, unknown>;

/**
 * Adds the values of events or activities on their day: `fiat` of each amount, and `fee_fiat` of the fee. Null where no price is known.
 *
 * @remarks
 * The service states the price of the native coin in transactions of REST, and for the last 31 days in `marketChart`, which is requested
 * once. The price of a transaction holds for all events of its day: up to 1,000 events are held until a transaction of the day states
 * it. With `order: "asc"`, events state no prices: `requests` requests one transaction for each day. Tokens have values only with
 * `priceOf`.
 *
 * The source is a call of `history`, `mergeHistories`, `activities` or `watch`. The events, their order, tokens and failures are the
 * source's, and so is the signal that cancels. A merged history of several chains needs a client for each of them.
 *
 * @example
 * ```ts
 * import { history, withValues } from "address-query/history";
 *
 * for await (const { timestamp, direction, fiat } of withValues(client, history(client, { address_hash }))) {
 *   console.log(timestamp, direction, fiat?.value ?? "not known", fiat?.currency);
 * }
 * ```
 * @throws {AddressQueryError} `invalid_parameter` for an option that is unknown or invalid, or a result of `priceOf` that is not a price:
 * the iteration rejects. `withValues` itself never throws.
 */
export function withValues<Item extends Valuable, Report>(
  client: ValueClient | readonly ValueClient[],
  source: ValueSource<Item, Report>,
  options?: ValueOptions,
): ValuedCall<Item, Report> {
  const clients = [client].flat() as ValueClient[];
  const copy = { ...options };
  const create = (reader: ItemReader) => {
    checkValues(clients, copy);
    return new ValuedReader(reader, clients, copy);
  };
  if (source instanceof EventCall)
    return source.derive(create, ["values", copy.requests, copy.currency]) as unknown as ValuedCall<Item, Report>;
  return new EventCall(clients[0] as ValueClient, () => {
    throw createParameterError("source", "must be a call of history, mergeHistories, activities or watch");
  }) as unknown as ValuedCall<Item, Report>;
}

function checkValues(clients: readonly ValueClient[], options: ValueOptions): void {
  for (const client of clients) checkClient(client);
  checkNames("option", options, ["requests", "priceOf", "currency"]);
  const { requests = false, priceOf = () => null, currency = "" } = options;
  if (typeof requests !== "boolean") throw createParameterError("requests", "must be a boolean");
  if (typeof priceOf !== "function") throw createParameterError("priceOf", "must be a function");
  if (typeof currency !== "string") throw createParameterError("currency", "must be a string");
}

/** Values the items of another reader. */
class ValuedReader implements ItemReader {
  readonly #reader: ItemReader;
  readonly #options: ValueOptions;
  readonly #clients: readonly ValueClient[];
  /** The prices of the chain of each client. */
  #prices: readonly CoinPrices[] = [];
  #items: AsyncIterator<Valuable, undefined> | undefined;
  /** The items that were read and not delivered. */
  readonly #held: HeldItem[] = [];
  /** The end of the other reader, with its failure if there was one. */
  #end: { error?: unknown } | undefined;
  /** The prices of tokens on the day of the last item. */
  readonly #tokenPrices = new Map<string, string | null>();
  #day = "";
  /** The position after the last delivered item. The other reader may be further. */
  position: unknown;

  constructor(reader: ItemReader, clients: readonly ValueClient[], options: ValueOptions) {
    this.#reader = reader;
    this.#clients = clients;
    this.#options = options;
    this.position = reader.position;
  }

  get report(): unknown {
    return this.#reader.report;
  }

  plan(signal: HistoryFilter["signal"]): Promise<HistoryPlan> | undefined {
    const { requests = false } = this.#options;
    return this.#reader.plan?.(signal)?.then((plan) => ({ ...plan, prices: { requests } }));
  }

  async *read(signal: AbortSignal): AsyncGenerator<Valuable, undefined, undefined> {
    const saved = (this.position as ValuedPosition | null)?.prices?.();
    this.#prices = await Promise.all(
      this.#clients.map(async (client, i) => {
        const prices = new CoinPrices(client, { signal });
        if (saved?.[i]) await prices.restore(saved[i]);
        return prices;
      }),
    );
    this.#items = this.#reader.read(signal);
    for (;;) {
      if (this.#held.length === 0 && this.#end === undefined) await this.#read();
      const [head] = this.#held;
      if (head === undefined) break;
      await this.#addValues(head);
      this.#held.shift();
      this.position = this.#rememberPrices(head);
      yield head.item;
    }
    this.position = this.#reader.position;
    if (this.#end && "error" in this.#end) throw this.#end.error;
  }

  /** Returns the position after an item, with the prices that the items after it may be valued with. */
  #rememberPrices({ position, item }: HeldItem): unknown {
    const getDays = () => [item, ...this.#held.map((held) => held.item)].map(getDay);
    return position && Object.assign(position, { prices: () => this.#prices.map((prices) => prices.save(getDays())) });
  }

  /** Reads an item, if there is another one, and holds it. */
  async #read(): Promise<void> {
    try {
      const { done, value } = await (this.#items as AsyncIterator<Valuable, undefined>).next();
      if (done) this.#end = {};
      else this.#hold(value as Item);
    } catch (error) {
      this.#end = { error };
    }
  }

  #hold(item: Item): void {
    const { chain_id } = item;
    // Only events of a merged history have a chain. Several clients by URL may be of several chains.
    const matching = this.#prices.filter(
      (_, i) => chain_id === undefined || (this.#clients[i]?.source.chainId ?? null) === chain_id,
    );
    const prices = chain_id === null && matching.length > 1 ? undefined : matching[0];
    const rate = getStatedRate(item);
    if (rate !== null) prices?.add(getDay(item), rate, item.transaction_hash);
    this.#held.push({ item, prices, position: this.#reader.position });
  }

  async #addValues({ item, prices }: HeldItem): Promise<void> {
    // The notice of a watch that an event was removed has no amounts.
    if (!("fee" in item)) return;
    const legs = getLegs(item);
    const fee = { ...getFeeLeg(item), owner: item };
    const isNative = ({ asset, amount }: Leg) => asset.type === "native" && isMoved(amount);
    const isPriced = prices && item.timestamp && [...legs, fee].some(isNative);
    const price = isPriced ? await this.#getCoinPrice(item, prices) : null;
    for (const leg of legs) Object.assign(leg.owner, { fiat: await this.#getValue(leg, item, price) });
    Object.assign(item, { fee_fiat: await this.#getValue(fee, item, price) });
  }

  async #getValue({ asset, amount }: Leg, item: Item, coinPrice: Price | null): Promise<FiatValue | null> {
    if (!isMoved(amount)) return null;
    const price = asset.type === "native" ? coinPrice : await this.#getTokenPrice(asset, getDay(item));
    const value = price && fiatValue(amount, { decimals: getDecimals(asset, amount), exchange_rate: price.rate });
    if (!value) return null;
    return { value, basis: price.basis, price_source: price.price_source, currency: this.#options.currency ?? "USD" };
  }

  /** Returns the price of the native coin for the first item that is held. */
  async #getCoinPrice(item: Item, prices: CoinPrices): Promise<Price | null> {
    const day = getDay(item);
    const own = getStatedRate(item);
    if (own !== null) return { rate: own, basis: "transaction", price_source: "historic_exchange_rate" };
    if (prices.get(day) === undefined) await this.#findCoinPrice(day, prices);
    const price = prices.get(day);
    if (!price) return null;
    const { rate, transaction_hash, isToday, price_source } = price;
    const isOwn = transaction_hash !== null && transaction_hash === item.transaction_hash;
    return { rate, basis: isToday ? "today" : isOwn ? "transaction" : "day", price_source };
  }

  /** Searches for the price of a day: in the chart, in later items of the day, and in a transaction. */
  async #findCoinPrice(day: string, prices: CoinPrices): Promise<void> {
    await prices.readChart();
    const getHash = () =>
      this.#held.find((held) => held.prices === prices && getDay(held.item) === day && held.item.transaction_hash)?.item
        .transaction_hash;
    // Rows of the account interface state no prices, and no record states a price on its first day.
    const canBeStated = Date.parse(day) < Date.now() - 2 * DAY_MS;
    const isSearching = () =>
      this.#held.length < MAX_HELD &&
      getDay(this.#held.at(-1)?.item) === day &&
      ((canBeStated && !this.#held.some(({ item }) => isAccountRow(item))) || (this.#options.requests && !getHash()));
    while (prices.get(day) === undefined && this.#end === undefined && isSearching()) await this.#read();
    const hash = getHash();
    if (prices.get(day) === undefined && this.#options.requests && hash) await prices.request(day, hash);
    prices.add(day, null, null);
  }

  async #getTokenPrice(token: TokenAsset, day: string): Promise<Price | null> {
    const { priceOf } = this.#options;
    if (!priceOf || day === "") return null;
    if (day !== this.#day) this.#tokenPrices.clear();
    this.#day = day;
    const id = `${token.contract} ${token.token_id}`;
    const rate = this.#tokenPrices.get(id) ?? (await priceOf(token, day)) ?? null;
    if (rate !== null && (typeof rate !== "string" || fiatValue("1", { decimals: 0, exchange_rate: rate }) === null))
      throw createParameterError("priceOf", "must return a decimal string, or null");
    this.#tokenPrices.set(id, rate);
    return rate === null ? null : { rate, basis: "day", price_source: "priceOf" };
  }
}

/** Returns the day of an item in UTC. Empty: not known. */
function getDay(item: Partial<Item> | undefined): string {
  return item?.timestamp?.slice(0, 10) ?? "";
}

/** Returns the price of the native coin that the transaction of an item states. */
function getStatedRate(item: Item): string | null {
  return getEvents(item).find(({ fiat_rate }) => fiat_rate)?.fiat_rate ?? null;
}

function isAccountRow(item: Item): boolean {
  return getEvents(item).some(({ record }) => "timeStamp" in record);
}

function getEvents(item: Item): readonly Pick<ValuableEvent, "fiat_rate" | "record">[] {
  return "events" in item ? item.events : [item];
}

/** Returns the amounts of an item. */
function getLegs(item: Item): Leg[] {
  if (!("sent" in item)) return [{ asset: item.asset, amount: getMovedAmount(item)?.toString() ?? null, owner: item }];
  return [...item.sent, ...item.received].map((owner) => ({ ...owner, owner }));
}

/** Whether an amount is known and not 0. */
function isMoved(amount: string | null): boolean {
  return amount !== null && amount !== "0";
}
