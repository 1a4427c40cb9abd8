// `withValues`: what events and activities were worth on their day.
import { checkCallOptions, checkClient, checkNames, createParameterError, Iteration } from "../entry-support.js";
import { fiatValue, isAddressQueryError } from "../public.js";
import { CoinPrices } from "./coin-prices.js";
import { NATIVE } from "./draft.js";
import type { TokenAsset } from "./event.js";
import { getDecimals, getMovedAmount } from "./movement.js";
import type { HistoryPlan } from "./public-types.js";
import { encodePosition, getPosition } from "./source-position.js";
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

/** An item that was read, the position of the source after it, and the prices of its chain. */
interface HeldItem {
  item: Item;
  position: unknown;
  prices: CoinPrices | undefined;
}

/**
 * Adds the values of events or activities on their day: `fiat` of each amount, and `fee_fiat` of the fee. Null where no price is known.
 *
 * @remarks
 * The service states the price of the native coin in transactions of REST, and for the last 31 days in `marketChart`, which is requested
 * once. The price of a transaction holds for all events of its day: up to 1,000 events are held until a transaction of the day states
 * it. With `order: "asc"`, events state no prices: `requests` requests one transaction for each day. Tokens have values only with
 * `priceOf`.
 *
 * The events, their order, the resume token and failures are the source's. A merged history of several chains needs a client for each chain.
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
  const copy = { ...options };
  return new Valuation(source as ValueSource<Item>, () => checkValues([client].flat() as ValueClient[], source, copy)) as never;
}

/** What an iteration uses. */
interface ValueSetup {
  clients: readonly ValueClient[];
  options: ValueOptions;
}

function checkValues(clients: ValueClient[], source: object, options: ValueOptions): ValueSetup {
  for (const client of clients) checkClient(client);
  const { [Symbol.asyncIterator]: iterateAsync, [Symbol.iterator]: iterate } = Object(source);
  if (typeof (iterateAsync ?? iterate) !== "function") throw createParameterError("source", "must be iterable");
  checkNames("option", options, ["requests", "priceOf", "currency", "signal"]);
  const { requests, priceOf, currency, signal } = options;
  checkCallOptions({ signal });
  for (const [name, value, type] of [
    ["requests", requests, "boolean"],
    ["priceOf", priceOf, "function"],
    ["currency", currency, "string"],
  ])
    if (value != null && typeof value !== type) throw createParameterError(name as string, `must be a ${type}`);
  return { clients, options };
}

/** Implements `ValuedCall`. */
class Valuation {
  readonly #source: ValueSource<Valuable>;
  readonly #check: () => ValueSetup;
  /** The position of the source after the last delivered item. Undefined: before the iteration. */
  #position: unknown;

  constructor(source: ValueSource<Valuable>, check: () => ValueSetup) {
    this.#source = source;
    this.#check = check;
  }

  get resumeToken(): string | null {
    const position = this.#position;
    return encodePosition(this.#source, position === undefined ? getPosition(this.#source) : position);
  }

  get report(): unknown {
    return this.#source.report;
  }

  async plan(options?: Pick<ValueOptions, "signal">): Promise<HistoryPlan | undefined> {
    const { requests = false } = this.#check().options;
    const plan = await this.#source.plan?.(options);
    return plan && { ...plan, prices: { requests } };
  }

  [Symbol.asyncIterator](): AsyncIterableIterator<Valuable> {
    let reading: ValuedReader | undefined;
    const pages = {
      isClosed: false,
      close() {
        pages.isClosed = true;
        reading?.close();
      },
    };
    return new Iteration(pages, async () => {
      reading ??= new ValuedReader(this.#source, this.#check(), (position) => {
        this.#position = position;
      });
      try {
        const value = await reading.next();
        return value === undefined ? { done: true, value } : { done: false, value };
      } catch (error) {
        // A failure of the source has its token.
        if (isAddressQueryError(error) && reading && error !== reading.failure)
          Object.assign(error, { resumeToken: this.resumeToken ?? undefined });
        throw error;
      }
    });
  }
}

/** Reads and values the items of one iteration. */
class ValuedReader {
  readonly #source: ValueSource<Valuable>;
  readonly #options: ValueOptions;
  readonly #setPosition: (position: unknown) => void;
  readonly #controller = new AbortController();
  /** The prices of each chain, by the client. */
  readonly #prices: ReadonlyMap<ValueClient, CoinPrices>;
  readonly #items: AsyncIterator<Valuable> | Iterator<Valuable>;
  /** The items that were read and not delivered. */
  readonly #held: HeldItem[] = [];
  /** The end of the source, with its failure if there was one. */
  #end: { error?: unknown } | undefined;
  /** The prices of tokens on the day of the last item. */
  #tokenPrices = new Map<string, string | null>();
  #day = "";

  constructor(source: ValueSource<Valuable>, { clients, options }: ValueSetup, setPosition: (position: unknown) => void) {
    const { signal } = this.#controller;
    this.#source = source;
    this.#options = options;
    this.#setPosition = setPosition;
    this.#prices = new Map(clients.map((client) => [client, new CoinPrices(client, { signal })]));
    const iterable = source as AsyncIterable<Valuable> & Iterable<Valuable>;
    options.signal?.addEventListener("abort", this.#abort, { once: true });
    if (options.signal?.aborted) this.#abort();
    this.#items = iterable[Symbol.asyncIterator]?.() ?? iterable[Symbol.iterator]();
    setPosition(getPosition(source));
  }

  /** The failure that has ended the source. */
  get failure(): unknown {
    return this.#end?.error;
  }

  /** Returns the next item with its values, or undefined at the end. */
  async next(): Promise<Valuable | undefined> {
    if (this.#held.length === 0 && this.#end === undefined) await this.#read();
    const [head] = this.#held;
    if (head === undefined) {
      this.#setPosition(getPosition(this.#source));
      if (this.#end && "error" in this.#end) throw this.#end.error;
      return undefined;
    }
    await this.#addValues(head);
    this.#held.shift();
    this.#setPosition(head.position);
    return head.item;
  }

  /** Cancels the requests. Does not wait for the source, which may be waiting for an item. */
  close(): void {
    this.#options.signal?.removeEventListener("abort", this.#abort);
    this.#controller.abort();
    (async () => this.#items.return?.())().catch(() => {});
  }

  readonly #abort = () => this.#controller.abort(this.#options.signal?.reason);

  /** Reads an item, if there is another one, and holds it. */
  async #read(): Promise<void> {
    try {
      const { done, value } = await this.#items.next();
      if (done) this.#end = {};
      else this.#hold(value as Item);
    } catch (error) {
      this.#end = { error };
    }
  }

  #hold(item: Item): void {
    const clients = [...this.#prices.keys()];
    const client = clients.length === 1 ? clients[0] : clients.find(({ source }) => source.chainId === item.chain_id);
    const prices = client && this.#prices.get(client);
    const rate = getStatedRate(item);
    if (rate !== null) prices?.add(getDay(item), rate, item.transaction_hash);
    this.#held.push({ item, prices, position: getPosition(this.#source) });
  }

  async #addValues({ item, prices }: HeldItem): Promise<void> {
    // The notice of a watch that an event was removed has no amounts.
    if (!("fee" in item)) return;
    const legs = getLegs(item);
    const fee = getFeeLeg(item);
    const isNative = ({ asset, amount }: Leg) => asset.type === "native" && isMoved(amount);
    const price = [...legs, fee].some(isNative) && prices && item.timestamp ? await this.#getCoinPrice(item, prices) : null;
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

/** Returns the fee of an item as an amount of the coin or token that it was paid in. */
function getFeeLeg(item: Item): Leg {
  const { fee, token_fee } = item;
  if (!token_fee) return { asset: NATIVE, amount: fee, owner: item };
  const { amount, ...token } = token_fee;
  return { asset: { type: "token", standard: null, name: null, token_id: null, ...token }, amount, owner: item };
}

/** Whether an amount is known and not 0. */
function isMoved(amount: string | null): boolean {
  return amount !== null && amount !== "0";
}
