// The requests of an estimate, and how long they take. Each is sent once.
import type { AddressQueryError } from "../errors.js";
import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE } from "../limits.js";
import { callMethod } from "../method.js";
import { listOptions } from "../option-table.js";
import type { ActionOptions, ListOptions } from "../options.js";
import type { Session } from "../session.js";

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

/** A list of the whole chain, which is long and whose pages are full. The sizes of pages are those of the instance. */
const BLOCKS = "/api/v2/blocks";
/** With these codes, the service does not state a number. All other failures are those of the estimate. */
const UNSTATED = /^(refused|http_status|unsupported_version|decode|api_key_required|blocked)$/;

export class SessionReader {
  readonly session: Session;
  /** The milliseconds of the fastest and of the slowest request. */
  readonly latency = { min: Number.POSITIVE_INFINITY, max: 0 };
  readonly #options: ActionOptions;
  readonly #results = new Map<string, Promise<unknown>>();

  constructor(session: Session, options: ActionOptions) {
    this.session = session;
    this.#options = options;
  }

  /** Returns the counter of a list of an address, which ends at 51 and has up to 50 exactly. Null: not stated. */
  async getShortCounter(address_hash: string, counter: string): Promise<number | null> {
    return parseCounter((await this.#request<Counters>("addressTabsCounters", { address_hash }))?.[counter]);
  }

  /** Returns the counter of some lists of an address. Null: not stated. */
  async getCounter(address_hash: string, counter: string): Promise<number | null> {
    return parseCounter((await this.#request<Counters>("addressCounters", { address_hash }))?.[counter]);
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
    return (await this.#request<{ items: readonly unknown[] }>(action, params))?.items ?? null;
  }

  /** Returns the first page of a list. Null: the service does not have the list. */
  getFirstPage(name: string, params: object, options: ListOptions = {}): Promise<FirstPage | null> {
    return this.#request(name, params, options);
  }

  /** Returns the sizes of the pages of a list of up to `rows`, without the option `pageSize`. Null: not known. */
  async getPageSizes(rows: number): Promise<PageSizes | null> {
    const page = await this.getFirstPage(BLOCKS, {});
    if (page === null) return null;
    const { items, next_page_params, resumeToken } = page;
    const first = resumeToken === null ? DEFAULT_PAGE_SIZE : items.length;
    // Where a request can choose the size, cursors have none.
    if (rows <= first || next_page_params?.items_count !== undefined) return { first, later: first };
    const large = await this.getFirstPage(BLOCKS, {}, { pageSize: MAX_PAGE_SIZE });
    return { first, later: large === null ? first : large.resumeToken === null ? MAX_PAGE_SIZE : large.items.length };
  }

  #request<Result>(name: string, params: object, options?: ListOptions): Promise<Result | null> {
    const key = JSON.stringify([name, params, options]);
    const result = this.#results.get(key) ?? this.#send(name, params, options);
    this.#results.set(key, result);
    return result as Promise<Result | null>;
  }

  /** Returns the result of a method. Null: the service does not have it. */
  async #send(name: string, params: object, options?: ListOptions): Promise<unknown> {
    const start = Date.now();
    try {
      return await callMethod(this.session, name, params, { ...this.#options, ...options }, options && listOptions);
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

/** Returns the number of a counter. Null for anything else: a service that sends a negative number, or hundreds of digits, states none. */
function parseCounter(value: string | number | null | undefined): number | null {
  return /^\d{1,15}$/.test(String(value)) ? Number(value) : null;
}
