// The script of the page of `tests/store-site.mjs`: what the browser tests of the store do, in terms of JSON.
import { history, toCsv } from "/history/index.js";
import { AddressClient } from "/index.js";
import { createStore, indexedDatabase, listExports, resumableExport, sync, syncedHistory } from "/store/index.js";

const client = new AddressClient({ baseUrl: "/", maxPerSecond: 1000, maxAttempts: 1 });
const store = createStore({ name: "wallet" });
const exports = createStore({ name: "exports" });

/** The keys of events, in their order. */
async function readKeys(events) {
  const keys = [];
  for await (const { key } of events) keys.push(key);
  return keys;
}

const describeError = ({ code, reason, message }) => ({ code, reason, message });

globalThis.test = {
  changes: 0,
  listen: () => store.onChange(() => (globalThis.test.changes += 1)),
  sync: (address_hash) =>
    sync(client, store, { address_hash }).then(
      ({ shared, complete, events, added, restarted }) => ({ shared, complete, events, added, restarted }),
      describeError,
    ),

  /** Reads the copy, without the network. */
  async read(address_hash, order) {
    const call = store.history(client, { address_hash, order });
    return { keys: await readKeys(call), complete: call.report.complete, synced_at: call.report.synced_at };
  },

  /** Reads the service, without the copy. */
  readService: (address_hash, order) => readKeys(history(client, { address_hash, order })),

  /** Reads the copy, and then what is new. */
  async readBoth(address_hash) {
    const call = syncedHistory(client, { address_hash, store });
    const keys = new Set();
    for await (const { kind, key } of call) keys[kind === "removed" ? "delete" : "add"](key);
    return { keys: [...keys], complete: call.report.complete, error: call.report.error && describeError(call.report.error) };
  },

  accounts: async () => (await store.accounts()).map(({ account }) => account),
  size: () => store.size(),
  forget: (address_hash) => store.forget(address_hash),
  deleteDatabase: () =>
    new Promise((resolve, reject) =>
      Object.assign(indexedDB.deleteDatabase("wallet"), { onsuccess: () => resolve(), onblocked: reject }),
    ),

  /** Counts the addresses in stores with these names, before and after each synchronizes one. */
  async syncNames(names, address_hash) {
    const counts = [];
    for (const name of names) {
      const store = createStore({ name });
      const before = (await store.accounts()).length;
      await sync(client, store, { address_hash });
      counts.push([before, (await store.accounts()).length]);
    }
    return counts;
  },

  listExports: () => listExports(exports),

  /** Exports a history. Returns its result, with the text of the file. */
  async export(address_hash) {
    let continued = null;
    const onProgress = ({ records }) => (continued ??= records);
    const events = history(client, { address_hash });
    const { file, records, complete } = await resumableExport(events, { store: exports, onProgress });
    return { continued, records, complete, text: await file.text() };
  },

  exportAtOnce: (address_hash) => new Response(toCsv(history(client, { address_hash }))).text(),

  /** Keeps writing to a database. The page is closed meanwhile. */
  async writeForever() {
    const database = indexedDatabase("killed");
    const entries = await database.read("", "large");
    let number = entries[0]?.[1] ?? 0;
    globalThis.test.written = number;
    const write = async () => {
      for (;;) {
        number += 1;
        const put = Array.from({ length: 20 }, (_, index) => [`${index}`.padStart(3, "0"), number]);
        await database.write({ remove: [["", "z"]], put: [...put, ["large", new Uint8Array(50_000)]] });
        globalThis.test.written = number;
      }
    };
    void write();
    return entries.map(([, value]) => value);
  },
};
