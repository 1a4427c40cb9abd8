// `createStore`: histories in a database.
import { checkAddress, checkNames, createParameterError } from "../entry-support.js";
import type { HistoryClient } from "../history/index.js";
import type { Hex } from "../public.js";
import { Copy } from "./copy.js";
import type { StoreDatabase } from "./database.js";
import { indexedDatabase } from "./indexed-db.js";
import { lock } from "./lock.js";
import type {
  Store,
  StoredAccount,
  StoredHistoryCall,
  StoredHistoryParams,
  StoredSource,
  StoreOptions,
  VerifyParams,
  VerifyReport,
} from "./public-types.js";
import { readStoredHistory } from "./stored-history.js";
import { verify } from "./verify.js";

const DEFAULT_NAME = "address-query";

/**
 * Creates a store of histories: in the browser's database, or in another one. Nothing is opened before it is used.
 *
 * @remarks
 * Any number of addresses and chains share a store. `sync` and `syncedHistory` fill it. What they read stays on this device until `forget`
 * or `clear`, or until the browser or the user deletes it.
 *
 * @example
 * ```ts
 * import { createStore, sync } from "address-query/store";
 *
 * const store = createStore({ name: "wallet" });
 * await sync(client, store, { address_hash });
 * for await (const event of store.history(client, { address_hash })) console.log(event.timestamp, event.kind, event.amount);
 * ```
 * @throws {AddressQueryError} `invalid_parameter` for an option that is unknown or invalid.
 */
export function createStore(options: StoreOptions = {}): Store {
  checkNames("option", options, ["name", "database"]);
  const { name = DEFAULT_NAME, database } = options;
  if (typeof name !== "string" || name === "") throw createParameterError("name", "must be a string that is not empty");
  if (database !== undefined && typeof database?.write !== "function")
    throw createParameterError("database", "must have get, read, write and close");
  return database ? new DatabaseStore(database, undefined) : new DatabaseStore(indexedDatabase(name), name);
}

/** Implements `Store`. */
export class DatabaseStore implements Store {
  readonly database: StoreDatabase;
  /** The name that other tabs know it by. */
  readonly #name: string | undefined;
  readonly #listeners = new Set<() => void>();
  #channel: BroadcastChannel | undefined;

  constructor(database: StoreDatabase, name: string | undefined) {
    this.database = database;
    this.#name = name;
  }

  history(source: StoredSource, params: StoredHistoryParams): StoredHistoryCall {
    return readStoredHistory(this.database, source, params);
  }

  async accounts(): Promise<StoredAccount[]> {
    const states = await Copy.list(this.database);
    return states.map(({ source, account, kinds, events, bytes, synced_at, read_at, head }) => {
      return { source, account: account as Hex, kinds: [...kinds], events, bytes, synced_at, read_at, to: head };
    });
  }

  async size(): Promise<number> {
    return (await this.accounts()).reduce((sum, { bytes }) => sum + bytes, 0);
  }

  async forget(address_hash: string, source?: StoredSource): Promise<void> {
    checkAddress("address_hash", address_hash);
    const account = address_hash.toLowerCase();
    const isSelected = (stored: StoredAccount) =>
      stored.account === account && (!source || JSON.stringify(stored.source) === JSON.stringify(source.source));
    for (const { source } of (await this.accounts()).filter(isSelected)) {
      const copy = new Copy(this.database, source, account);
      // A sync of it would write it again.
      await this.lock(copy, undefined, () => this.database.write({ remove: copy.ranges }));
    }
    this.notify();
  }

  async clear(): Promise<void> {
    await this.database.write({ remove: [["", "\uffff"]] });
    this.notify();
  }

  verify(client: HistoryClient, params: VerifyParams): Promise<VerifyReport> {
    return verify(this.database, client, params);
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    this.#open();
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size > 0) return;
      this.#channel?.close();
      this.#channel = undefined;
    };
  }

  async close(): Promise<void> {
    this.#listeners.clear();
    this.#channel?.close();
    this.#channel = undefined;
    await this.database.close();
  }

  /** Runs a task while no other call or tab changes a copy. A database without a name may be the same one in another tab. */
  lock<Value>(copy: Copy, signal: unknown, task: () => Promise<Value>): Promise<Value> {
    return lock(this.database, `${this.#name ?? ""} ${copy.key}`, copy.key, signal, task);
  }

  /** Tells the listeners, and the other tabs, that something has changed. */
  notify(): void {
    const listens = this.#channel !== undefined;
    this.#open()?.postMessage(null);
    if (!listens && this.#listeners.size === 0) {
      this.#channel?.close();
      this.#channel = undefined;
    }
    for (const listener of this.#listeners) listener();
  }

  #open(): BroadcastChannel | undefined {
    if (this.#name === undefined || typeof BroadcastChannel === "undefined") return undefined;
    if (this.#channel === undefined) {
      this.#channel = new BroadcastChannel(`address-query ${this.#name}`);
      this.#channel.onmessage = () => {
        for (const listener of this.#listeners) listener();
      };
    }
    return this.#channel;
  }
}
