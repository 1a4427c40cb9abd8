// `syncedHistory`: what is stored, and then what is new.
import { checkNames, Iteration } from "../entry-support.js";
import { type HistoryClient, type HistoryEvent, history, type RemovedEvent } from "../history/index.js";
import { isAddressQueryError } from "../public.js";
import type { StoredReport, SyncedHistoryCall, SyncedHistoryParams, SyncReport } from "./public-types.js";
import type { DatabaseStore } from "./store.js";
import { createSetup, runSync, SYNC_NAMES, type SyncResult } from "./sync.js";

/**
 * Delivers the stored history of an address at once, then brings it up to date and delivers what is new.
 *
 * @remarks
 * The stored events come in `order`, and so do the new ones after them. An event that is gone comes as `{ kind: "removed", key }`, and one
 * whose block has changed comes again with the same key. A list therefore sets events by their `key`, and sorts them by block and position.
 * Without stored events it is a history that is stored while it is read.
 *
 * If the database fails, the events come from the service, and the report has the `error`.
 *
 * @example
 * ```ts
 * import { createStore, syncedHistory } from "address-query/store";
 *
 * const events = new Map();
 * for await (const event of syncedHistory(client, { address_hash, store: createStore() })) {
 *   if (event.kind === "removed") events.delete(event.key);
 *   else events.set(event.key, event);
 * }
 * ```
 * @throws {AddressQueryError} As `sync`, without `storage`: the iteration rejects. `syncedHistory` itself never throws.
 */
export function syncedHistory(client: HistoryClient, params: SyncedHistoryParams): SyncedHistoryCall {
  let reader: SyncedReader | undefined;
  return {
    get report() {
      return reader?.report ?? null;
    },
    [Symbol.asyncIterator]() {
      const current = new SyncedReader(client, params);
      reader = current;
      const events = current.read();
      return new Iteration(current, () => events.next());
    },
  };
}

class SyncedReader {
  readonly #client: HistoryClient;
  readonly #params: SyncedHistoryParams;
  readonly #controller = new AbortController();
  /** The blocks of the events that were delivered, by key. */
  readonly #delivered = new Map<string, number>();
  /** The keys of the events that were read by the sync. */
  readonly #found = new Set<string>();
  isClosed = false;
  report: StoredReport | SyncReport | null = null;

  constructor(client: HistoryClient, params: SyncedHistoryParams) {
    this.#client = client;
    this.#params = params;
  }

  /** Cancels the sync. */
  close(): void {
    this.isClosed = true;
    this.#params?.signal?.removeEventListener("abort", this.#abort);
    this.#controller.abort();
  }

  readonly #abort = () => this.#controller.abort(this.#params.signal?.reason);

  async *read(): AsyncGenerator<HistoryEvent | RemovedEvent, undefined, undefined> {
    checkNames("parameter", this.#params, [...SYNC_NAMES, "store", "order"]);
    const { store, address_hash, include, order, signal } = this.#params;
    const setup = createSetup(this.#client, store, this.#params, true);
    signal?.addEventListener("abort", this.#abort, { once: true });
    if (signal?.aborted) this.#abort();
    setup.signal = this.#controller.signal;
    const params = { address_hash, include, order, signal: setup.signal };
    yield* this.#readStored(params);
    const { report, ranges } = yield* this.#sync(setup);
    this.report = report;
    if (order === "asc" || report.shared) {
      const isLost = report.error !== null;
      yield* isLost ? this.#deliver(history(this.#client, params)) : this.#deliver(store.history(this.#client, params));
    }
    const removed = new Set(report.removed);
    const isRead = (block: number) => ranges.some(({ from, to }) => from <= block && block <= to);
    for (const [key, block] of this.#delivered)
      if (!this.#found.has(key) && (removed.has(key) || isRead(block))) yield { kind: "removed", key };
  }

  async *#readStored(params: Parameters<DatabaseStore["history"]>[1]): AsyncGenerator<HistoryEvent, void, undefined> {
    const call = this.#params.store.history(this.#client, params);
    try {
      for await (const event of call) {
        this.report = call.report;
        this.#delivered.set(event.key, event.block_number);
        yield event;
      }
      this.report = call.report;
    } catch (error) {
      // The sync fails in the same way, and continues without the database.
      if (!isAddressQueryError(error) || error.code !== "storage") throw error;
    }
  }

  /** Synchronizes, and delivers the events of each write unless they are to come in another order. */
  async *#sync(setup: ReturnType<typeof createSetup>): AsyncGenerator<HistoryEvent, SyncResult, undefined> {
    const batches: (readonly HistoryEvent[])[] = [];
    let wake = () => {};
    let isEnded = false;
    // The lock must not wait for the consumer of the events.
    const syncing = runSync(this.#params.store as DatabaseStore, setup, (events) => {
      batches.push(events);
      wake();
    }).finally(() => {
      isEnded = true;
      wake();
    });
    syncing.catch(() => {});
    while (!isEnded || batches.length > 0) {
      const batch = batches.shift();
      if (batch === undefined) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      } else if (this.#params.order !== "asc") yield* this.#deliver(batch);
    }
    return syncing;
  }

  /** Delivers the events that were not delivered, or in another block. */
  async *#deliver(events: Iterable<HistoryEvent> | AsyncIterable<HistoryEvent>): AsyncGenerator<HistoryEvent, void, undefined> {
    const { include } = this.#params;
    for await (const event of events) {
      this.#found.add(event.key);
      if (this.#delivered.get(event.key) === event.block_number || include?.includes(event.kind) === false) continue;
      this.#delivered.set(event.key, event.block_number);
      yield event;
    }
  }
}
