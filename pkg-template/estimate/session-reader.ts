// The requests of an estimate, and how long they take. Each is sent once.
import type { AddressQueryError } from "../errors.js";
import { callMethod } from "../method.js";
import type { ActionOptions } from "../options.js";
import type { Session } from "../session.js";

type Counters = Readonly<Record<string, string | number | null | undefined>>;

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

  /** Returns the major version of the service. Null: not known. */
  async getVersion(): Promise<number | null> {
    const result = await this.#request<{ backend_version: string | null }>("backendVersion", {});
    const version = Number.parseInt(result?.backend_version?.replace(/^\D+/, "") ?? "", 10);
    return Number.isNaN(version) ? null : version;
  }

  /** Returns the counters of all lists of an address, which end at 51. */
  async getShortCounters(address_hash: string): Promise<Readonly<Record<string, number | null>>> {
    return (await this.#request<Record<string, number | null>>("addressTabsCounters", { address_hash })) ?? {};
  }

  /** Returns the counters of some lists of an address. */
  async getCounters(address_hash: string): Promise<Counters> {
    return (await this.#request<Counters>("addressCounters", { address_hash })) ?? {};
  }

  /** Whether an action has a row of this number, from 1 to 10,000. Null: not known. */
  async hasRow(action: string, params: object, row: number): Promise<boolean | null> {
    const rows = await this.#request<{ items: readonly unknown[] }>(action, { ...params, page: row, offset: 1 });
    return rows && rows.items.length > 0;
  }

  /** Returns the first page of a list. Null: the service does not have the list. */
  getFirstPage(name: string, params: object): Promise<{ items: readonly unknown[]; resumeToken: string | null } | null> {
    return this.#request(name, params);
  }

  #request<Result>(name: string, params: object): Promise<Result | null> {
    const key = JSON.stringify([name, params]);
    const result = this.#results.get(key) ?? this.#send(name, params);
    this.#results.set(key, result);
    return result as Promise<Result | null>;
  }

  /** Returns the result of a method. Null: the service does not have it. */
  async #send(name: string, params: object): Promise<unknown> {
    const start = Date.now();
    try {
      return await callMethod(this.session, name, params, this.#options);
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
