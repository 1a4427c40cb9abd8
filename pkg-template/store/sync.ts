// `sync`: brings a copy up to date.
import { checkCallOptions, checkNames, createParameterError } from "../entry-support.js";
import type { HistoryClient, HistoryEvent } from "../history/index.js";
import { parseSelection } from "../history/params.js";
import { Copy } from "./copy.js";
import type { Store, SyncParams, SyncReport } from "./public-types.js";
import { DatabaseStore } from "./store.js";
import { createReport } from "./stored-report.js";
import { type BlockRange, Synchronizer, type SyncSetup } from "./synchronizer.js";

/** The names of the parameters of `sync`. */
export const SYNC_NAMES: readonly string[] = ["address_hash", "include", "signal", "onProgress"];

/**
 * Brings the stored history of an address up to date: reads what is new, and what is not final yet.
 *
 * @remarks
 * The first sync reads the whole history, newest first. What was read is stored with a resume token, so that the next sync continues
 * after an interruption. Later ones read the newest pages only: blocks are final at the depth of the chain, or at twelve blocks, after two
 * minutes, and if the instance states that it has indexed all internal transactions. Events of other blocks are read again and replaced.
 *
 * Calls and tabs that synchronize an address at the same time share one sync. A signal, a failure or the end of the page leaves what was
 * stored until then.
 *
 * @example
 * ```ts
 * import { createStore, sync } from "address-query/store";
 *
 * const store = createStore();
 * const { added, removed, complete } = await sync(client, store, { address_hash, onProgress: ({ fraction }) => console.log(fraction) });
 * ```
 * @throws {AddressQueryError} `invalid_parameter` for a parameter that is unknown or invalid, `storage` if the database fails, and every
 * failure of a request.
 */
export async function sync(client: HistoryClient, store: Store, params: SyncParams): Promise<SyncReport> {
  checkNames("parameter", params, SYNC_NAMES);
  const setup = createSetup(client, store, params, false);
  return (await runSync(store as DatabaseStore, setup, () => {})).report;
}

/** Checks the parameters of a sync. */
export function createSetup(client: HistoryClient, store: Store, params: SyncParams, isStoreOptional: boolean): SyncSetup {
  const { address_hash, include, signal, onProgress } = params;
  const { address, kinds } = parseSelection(client, { address_hash, include, signal }, SYNC_NAMES);
  checkCallOptions({ onProgress });
  if (!(store instanceof DatabaseStore)) throw createParameterError("store", "must be a store of createStore");
  const copy = new Copy(store.database, client.source, address);
  return { client, copy, include: kinds, signal, onProgress, isStoreOptional };
}

/** The report of a sync, and the blocks whose events are those of the service now. */
export interface SyncResult {
  report: SyncReport;
  ranges: readonly BlockRange[];
}

/** Synchronizes while no other call or tab does. `onEvents` is called with the events of each write. */
export async function runSync(
  store: DatabaseStore,
  setup: SyncSetup,
  onEvents: (events: readonly HistoryEvent[]) => void,
): Promise<SyncResult> {
  const started = new Date().toISOString();
  const { copy, include } = setup;
  return store.lock(copy, setup.signal, async () => {
    const state = await copy.load().catch(() => undefined);
    if (state?.synced_at && state.synced_at > started && include.every((kind) => state.kinds.includes(kind))) {
      const part = { from: 0, to: state.head, kinds: state.kinds, records: {} };
      const report = { ...createReport(state, part), events: state.events, added: 0, removed: [], restarted: null };
      return { report: { ...report, shared: true, behind: false, error: null }, ranges: [{ from: 0, to: state.head }] };
    }
    const synchronizer = new Synchronizer(setup);
    try {
      for await (const events of synchronizer.run()) onEvents(events);
    } finally {
      store.notify();
    }
    return { report: synchronizer.report, ranges: synchronizer.ranges };
  });
}
