// The requests of an estimate, and how long they take. Each is sent once.
import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE } from "../entry-support.js";
import type { AddressClient } from "../index.js";
import type { ActionOptions, AddressQueryError, ListOptions, ListPlan } from "../public.js";

/** The members of a client that an estimate uses. */
type EstimateClient = Pick<
  AddressClient,
  "account" | "addressCounters" | "addressTabsCounters" | "addressTokenTransfers" | "blocks" | "credits" | "limits"
>;
type ClientMethod = (params: object, options: ListOptions) => Promise<unknown>;

/** The plan of any list, as far as an estimate uses its pages. */
export type AnyListPlan = ListPlan<Promise<FirstPage>>;

type Counters = Readonly<Record<string, string | number | null | undefined>>;

/** The first page of a list, as far as an estimate uses it. */
export interface FirstPage {
  items: readonly { token_type?: string | null }[];
  next_page_params: { items_count?: unknown } | null;
  resumeToken: string | null;
}

/** The records of the first page of a list, and of each later one. */
export interface PageSizes {
  first: number;
  later: number;
}

/** With these codes, the service does not state a number. Any other failure makes the estimate fail. */
const UNSTATED = /^(refused|http_status|unsupported_version|decode|api_key_required|blocked)$/;

export class ClientReader {
  readonly client: EstimateClient;
  /** The milliseconds of the fastest and of the slowest request. */
  readonly latency = { min: Number.POSITIVE_INFINITY, max: 0 };
  readonly #options: ActionOptions;
  readonly #results = new Map<string, Promise<unknown>>();

  constructor(client: object, options: ActionOptions) {
    this.client = client as EstimateClient;
    this.#options = options;
  }

  /** Returns a counter of a list of an address. `addressTabsCounters` has counters that end at 51 and are exact up to 50. Null: not stated. */
  async getCounter(
    method: "addressCounters" | "addressTabsCounters",
    address_hash: string,
    counter: string,
  ): Promise<number | null> {
    const value = (await this.#call<Counters>(method, { address_hash }))?.[counter];
    // A service that sends a negative number, or hundreds of digits, states none.
    return /^\d{1,15}$/.test(String(value)) ? Number(value) : null;
  }

  /** Returns the number of the rows of an action on its first page of `limit` rows. Null: not known, because the service lacks it. */
  async countFirstRows(action: string, params: object, limit: number): Promise<number | null> {
    return (await this.#readRows(action, { ...params, page: 1, offset: limit }))?.length ?? null;
  }

  /** Whether an action has a row of this number, from 1 to 10,000. Null: not known. */
  async hasRow(action: string, params: object, row: number): Promise<boolean | null> {
    const rows = await this.#readRows(action, { ...params, page: row, offset: 1 });
    return rows && rows.length > 0;
  }

  async #readRows(action: string, params: object): Promise<readonly unknown[] | null> {
    return (await this.#call<{ items: readonly unknown[] }>(action, params, {}, this.client.account))?.items ?? null;
  }

  /** Returns the first page of a list. Null: the service does not have the list. */
  getFirstPage({ operation, params, open }: AnyListPlan): Promise<FirstPage | null> {
    return this.#request([operation, params], open);
  }

  /** Returns a page of the transfers of an address: the first one, or one that `resume` continues. */
  getTransfers(params: { address_hash: string; type?: string }, options?: ListOptions): Promise<FirstPage | null> {
    return this.#call("addressTokenTransfers", params, options);
  }

  /**
   * Returns the sizes of the pages of a list of up to `rows`, without the option `pageSize`. Null: not known. They are
   * measured on the list of the chain's blocks, which is long and has full pages.
   */
  async getPageSizes(rows: number): Promise<PageSizes | null> {
    const page = await this.#call<FirstPage>("blocks", {});
    if (page === null) return null;
    const { items, next_page_params, resumeToken } = page;
    const first = resumeToken === null ? DEFAULT_PAGE_SIZE : items.length;
    // Where a request can choose the size, cursors have none.
    if (rows <= first || next_page_params?.items_count !== undefined) return { first, later: first };
    const large = await this.#call<FirstPage>("blocks", {}, { pageSize: MAX_PAGE_SIZE });
    return { first, later: large === null ? first : large.resumeToken === null ? MAX_PAGE_SIZE : large.items.length };
  }

  /** Calls a method of the client. Null: the service does not have the result. */
  #call<Result>(name: string, params: object, options?: ListOptions, methods: object = this.client): Promise<Result | null> {
    const method = (methods as Record<string, ClientMethod>)[name] as ClientMethod;
    return this.#request([name, params, options], (shared) => method.call(methods, params, { ...shared, ...options }));
  }

  #request<Result>(id: readonly unknown[], send: (options: ActionOptions) => Promise<unknown>): Promise<Result | null> {
    const key = JSON.stringify(id);
    const result = this.#results.get(key) ?? this.#send(send);
    this.#results.set(key, result);
    return result as Promise<Result | null>;
  }

  async #send(send: (options: ActionOptions) => Promise<unknown>): Promise<unknown> {
    const start = Date.now();
    try {
      return await send(this.#options);
    } catch (error) {
      if (UNSTATED.test((error as AddressQueryError).code)) return null;
      throw error;
    } finally {
      const ms = Date.now() - start;
      this.latency.min = Math.min(this.latency.min, ms);
      this.latency.max = Math.max(this.latency.max, ms);
    }
  }
}
