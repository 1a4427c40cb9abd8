// `address-query/store`: what a sync requests, stores, replaces and reports. store-random.test.mjs mixes all of it.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { activities, history, toNdjson, withValues } from "../../pkg/history/index.js";
import { AddressClient, AddressQueryError } from "../../pkg/index.js";
import { createStore, memoryDatabase, sync, syncedHistory } from "../../pkg/store/index.js";
import { createSampleService } from "../../pkg/testing/index.js";
import { createRandom } from "../../target/parts/testing/random.js";
import { createLocks, replaceNavigator } from "./locks.mjs";
import { ADDRESS, createAddress, ScriptedService } from "./service.mjs";
import { collect, expectError, observeFetch } from "./support.mjs";

const SOURCES = ["transactions", "internal-transactions", "token-transfers", "blocks-validated", "withdrawals"];
const sample = createSampleService();
const HUB = sample.addresses.find(({ id }) => id === "hub").hash;

function createClient(fetch, options) {
  const observed = observeFetch(fetch);
  const client = new AddressClient({
    baseUrl: "https://chain.invalid",
    fetch: observed,
    maxAttempts: 1,
    maxPerSecond: 1000,
    ...options,
  });
  return { client, urls: observed.urls };
}

function createChain(blocks, script) {
  const chain = new ScriptedService({ random: createRandom("store", 1), clamp: 50, ...script });
  chain.grow(blocks);
  return chain;
}

const toKeys = (events) => events.map(({ key, block_number }) => `${key} ${block_number}`);
const getKeys = (chain) =>
  chain
    .getKeys()
    .map(([key, block]) => `${key} ${block}`)
    .sort();
const readKeys = async (store, client, params) =>
  toKeys(await collect(store.history(client, { address_hash: ADDRESS, ...params }))).sort();
const countPaths = (urls) => {
  const counts = {};
  for (const url of urls) {
    const { pathname, searchParams } = new URL(url);
    const name = searchParams.get("action") ?? pathname.split("/").at(-1).replace(/^\d+$/, "block");
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
};
/** The newest blocks, each list, and the last block again. */
const ONE_OF_EACH = Object.fromEntries(["blocks", ...SOURCES, "block"].map((name) => [name, 1]));

describe("a sync", () => {
  test("of the busy sample address stores its history, and the next one sends two requests for the head and one for each source", async () => {
    const { client, urls } = createClient(sample.fetch);
    const store = createStore({ database: memoryDatabase() });
    const progress = [];
    const report = await sync(client, store, { address_hash: HUB, onProgress: (state) => progress.push(state) });
    const expected = await collect(history(client, { address_hash: HUB }));
    assert.equal(report.complete, true);
    assert.equal(report.added, expected.length);
    assert.ok(progress.length > 10 && progress.every(({ fraction }, i) => fraction >= (progress[i - 1]?.fraction ?? 0)));
    assert.deepEqual(progress.at(-1), { events: expected.length, block: 0, fraction: 1 });
    urls.length = 0;
    assert.deepEqual(await collect(store.history(client, { address_hash: HUB })), expected);
    assert.deepEqual(urls, [], "nothing is requested to read it");
    const second = await sync(client, store, { address_hash: HUB });
    assert.deepEqual(countPaths(urls), ONE_OF_EACH);
    assert.deepEqual([second.added, second.removed, second.complete], [0, [], true]);
    assert.equal(await store.size(), (await store.accounts())[0].bytes);
  });

  test("after growth by ten blocks reads exactly their events and the window, with one request for each source", async () => {
    const chain = createChain(300, { clamp: 100 });
    const { client, urls } = createClient(chain.fetch);
    const store = createStore({ database: memoryDatabase() });
    await sync(client, store, { address_hash: ADDRESS });
    const before = getKeys(chain);
    // The window: what is not final, and 20 final events, which must still be there.
    const blocks = chain.getKeys().map(([, block]) => block);
    const final = blocks.filter((block) => block <= chain.head - 12);
    const first = final.sort((a, b) => b - a)[19];
    chain.grow(10);
    const events = getKeys(chain);
    const window = blocks.filter((block) => block >= first).length;
    urls.length = 0;
    let read = 0;
    const report = await sync(client, store, { address_hash: ADDRESS, onProgress: ({ events }) => (read = events) });
    assert.deepEqual([report.added, report.removed], [events.length - before.length, []]);
    assert.equal(read, events.length - before.length + window);
    assert.deepEqual(countPaths(urls), { ...ONE_OF_EACH, "indexing-status": 1 });
    assert.deepEqual(await readKeys(store, client), events);
  });

  test("continues after an interruption, with what was stored until then", async () => {
    const chain = createChain(1200);
    let left = 70;
    const { client, urls } = createClient(async (request) => {
      if (left-- > 0) return chain.fetch(request);
      throw new TypeError("fetch failed");
    });
    const store = createStore({ database: memoryDatabase() });
    const total = await countRequests(chain);
    await expectError(sync(client, store, { address_hash: ADDRESS }), "network");
    const call = store.history(client, { address_hash: ADDRESS });
    const stored = (await collect(call)).length;
    assert.ok(stored > 100);
    assert.equal(call.report.complete, false);
    assert.match(call.report.sources[0].reasons[0], /^blocks 0 to \d+: not read since a sync was interrupted$/);
    assert.equal(call.report.synced_at, null);
    assert.match(call.report.read_at, /^20/);
    const last = Number(call.report.sources[0].reasons[0].match(/to (\d+):/)[1]);
    assert.deepEqual(call.report.unread, [{ from: 0, to: last }]);
    left = Number.POSITIVE_INFINITY;
    await sync(client, store, { address_hash: ADDRESS });
    assert.deepEqual(await readKeys(store, client), getKeys(chain));
    // The pages that were read ahead, and the newest ones, are read again.
    const [account] = await store.accounts();
    assert.ok(account.read_at <= account.synced_at);
    assert.ok(urls.length < total + 20, `${urls.length} requests instead of ${total}`);
  });

  test("that was interrupted before a reorganisation is complete after the next one", async () => {
    const chain = createChain(600);
    let left = 25;
    const { client } = createClient(async (request) => {
      if (left-- > 0) return chain.fetch(request);
      throw new TypeError("fetch failed");
    });
    const store = createStore({ database: memoryDatabase() });
    await expectError(sync(client, store, { address_hash: ADDRESS }), "network");
    chain.reorganise(5);
    left = Number.POSITIVE_INFINITY;
    // The token belongs to a head that was replaced, but the blocks that it continues with were not.
    const { complete, sources } = await sync(client, store, { address_hash: ADDRESS });
    assert.equal(complete, true, JSON.stringify(sources));
    assert.deepEqual(await readKeys(store, client), getKeys(chain));
  });

  test("fails if the copy is removed meanwhile, and the next one reads all of it again", async () => {
    const chain = createChain(1200);
    const { client } = createClient(chain.fetch);
    const store = createStore({ database: memoryDatabase() });
    let clearing;
    const onProgress = () => (clearing ??= store.clear());
    const error = await expectError(sync(client, store, { address_hash: ADDRESS, onProgress }), "storage");
    assert.equal(error.reason, "closed");
    assert.deepEqual(await readKeys(store, client), []);
    assert.equal((await sync(client, store, { address_hash: ADDRESS })).complete, true);
    assert.deepEqual(await readKeys(store, client), getKeys(chain));
  });

  test("fails if another tab changes the copy meanwhile, where browsers have no locks", async (t) => {
    t.after(replaceNavigator({}));
    const chain = createChain(1200);
    const database = memoryDatabase();
    const [store, other] = [0, 1].map(() => createStore({ database: { ...database } }));
    let left = 60;
    const { client } = createClient(async (request) => {
      if (left-- === 0) await sync(createClient(chain.fetch).client, other, { address_hash: ADDRESS });
      return chain.fetch(request);
    });
    const error = await expectError(sync(client, store, { address_hash: ADDRESS }), "storage");
    assert.equal(error.reason, "closed");
    assert.deepEqual(await readKeys(store, client), getKeys(chain));
    assert.equal((await sync(client, store, { address_hash: ADDRESS })).complete, true);
  });

  test("does without the locks of a browser that denies them", async (t) => {
    t.after(replaceNavigator({ locks: { request: async () => Promise.reject(new DOMException("denied", "SecurityError")) } }));
    const chain = createChain(100);
    const { client } = createClient(chain.fetch);
    const events = await collect(syncedHistory(client, { address_hash: ADDRESS, store: createStore() }));
    assert.deepEqual(toKeys(events).sort(), getKeys(chain));
  });

  test("replaces the events of replaced blocks, and says which are gone", async () => {
    const chain = createChain(100);
    const { client } = createClient(chain.fetch);
    const store = createStore({ database: memoryDatabase() });
    await sync(client, store, { address_hash: ADDRESS });
    const before = new Set(chain.getKeys().map(([key]) => key));
    chain.reorganise(8);
    const after = new Set(chain.getKeys().map(([key]) => key));
    const { removed, restarted } = await sync(client, store, { address_hash: ADDRESS });
    assert.deepEqual(removed.sort(), [...before].filter((key) => !after.has(key)).sort());
    assert.equal(restarted, null);
    assert.deepEqual(await readKeys(store, client), getKeys(chain));
  });

  test("finds out that blocks beyond the window were replaced, or that another chain is behind the URL", async () => {
    const other = createChain(350, { random: createRandom("store", 2), firstHash: 1e6 });
    const shorter = createChain(50, { random: createRandom("store", 2), firstHash: 2e6 });
    let chain = createChain(300);
    const { client } = createClient((request) => chain.fetch(request));
    const store = createStore({ database: memoryDatabase() });
    await sync(client, store, { address_hash: ADDRESS });
    chain.reorganise(40);
    assert.equal((await sync(client, store, { address_hash: ADDRESS })).restarted, "other_events");
    assert.deepEqual(await readKeys(store, client), getKeys(chain));
    for (chain of [other, shorter]) {
      const { restarted, complete } = await sync(client, store, { address_hash: ADDRESS });
      assert.deepEqual([restarted, complete], ["other_events", true]);
      assert.deepEqual(await readKeys(store, client), getKeys(chain));
    }
  });

  test("finds out that blocks beyond the window were replaced, also if the sync before was interrupted at its end", async () => {
    const chain = createChain(300);
    const { client: whole } = createClient(chain.fetch);
    const store = createStore({ database: memoryDatabase() });
    await sync(whole, store, { address_hash: ADDRESS });
    chain.reorganise(40);
    const controller = new AbortController();
    const { client } = createClient((request) => {
      // The last request of a sync.
      if (/blocks\/\d+$/.test(request.url)) controller.abort();
      return chain.fetch(request);
    });
    await expectError(sync(client, store, { address_hash: ADDRESS, signal: controller.signal }), "aborted");
    assert.equal((await sync(whole, store, { address_hash: ADDRESS })).restarted, "other_events");
    assert.deepEqual(await readKeys(store, whole), getKeys(chain));
  });

  test("changes nothing if the service is behind", async () => {
    const behind = createChain(100);
    const ahead = createChain(160);
    let chain = ahead;
    const { client } = createClient((request) => chain.fetch(request));
    const store = createStore({ database: memoryDatabase() });
    await sync(client, store, { address_hash: ADDRESS });
    chain = behind;
    const report = await sync(client, store, { address_hash: ADDRESS });
    assert.deepEqual([report.behind, report.restarted, report.removed], [true, null, []]);
    assert.deepEqual(await readKeys(store, client), getKeys(ahead));
  });

  test("reads blocks again until the instance states that it has indexed them", async () => {
    const status = { finished_indexing: false, finished_indexing_blocks: true, indexed_internal_transactions_ratio: "0.5" };
    const chain = createChain(60, { status });
    const { client, urls } = createClient(chain.fetch);
    const store = createStore({ database: memoryDatabase() });
    const first = await sync(client, store, { address_hash: ADDRESS });
    const [, { state, reasons }] = first.sources;
    assert.equal(state, "incomplete");
    assert.match(reasons[0], /not verified/);
    urls.length = 0;
    await sync(client, store, { address_hash: ADDRESS });
    assert.ok(countPaths(urls)["token-transfers"] > 1);
    Object.assign(status, { indexed_internal_transactions_ratio: "1.00" });
    assert.equal((await sync(client, store, { address_hash: ADDRESS })).complete, true);
    urls.length = 0;
    await sync(client, store, { address_hash: ADDRESS });
    assert.deepEqual(countPaths(urls), ONE_OF_EACH);
  });

  test("reports the records that were omitted, also by later syncs", async () => {
    const chain = createChain(300);
    let broken = null;
    const fetch = async (request) => {
      const response = await chain.fetch(request);
      if (!request.url.includes("/withdrawals")) return response;
      const body = await response.json();
      broken ??= body.items[20].index;
      for (const item of body.items) if (item.index === broken) item.amount = { no: "amount" };
      return Response.json(body);
    };
    const { client } = createClient(fetch, { badRecords: "skip" });
    const store = createStore({ database: memoryDatabase() });
    const first = await sync(client, store, { address_hash: ADDRESS });
    assert.deepEqual([first.complete, first.omitted.count], [false, 1]);
    chain.grow(100);
    const second = await sync(client, store, { address_hash: ADDRESS });
    assert.deepEqual([second.complete, second.omitted.count], [false, 1]);
    const newest = store.history(client, { address_hash: ADDRESS, from: chain.head - 50 });
    await collect(newest);
    assert.equal(newest.report.complete, true);
  });

  test("reads everything again for kinds that are not stored", async () => {
    const chain = createChain(60);
    const { client } = createClient(chain.fetch);
    const store = createStore({ database: memoryDatabase() });
    await sync(client, store, { address_hash: ADDRESS, include: ["transaction"] });
    const call = store.history(client, { address_hash: ADDRESS });
    await collect(call);
    assert.deepEqual(
      call.report.sources.map(({ state }) => state),
      ["complete", "skipped", "skipped", "skipped", "skipped"],
    );
    const { restarted, complete } = await sync(client, store, { address_hash: ADDRESS });
    assert.deepEqual([restarted, complete], ["kinds", true]);
    assert.deepEqual(await readKeys(store, client), getKeys(chain));
  });

  test("is shared by calls at the same time", async () => {
    const chain = createChain(60);
    const { client, urls } = createClient(chain.fetch);
    const database = memoryDatabase();
    const [store, other] = [createStore({ database }), createStore({ database })];
    const total = await countRequests(chain);
    await new Promise((resolve) => setTimeout(resolve, 5));
    const slow = createClient(async (request) => {
      await new Promise((resolve) => setTimeout(resolve, 2));
      return chain.fetch(request);
    });
    const reports = await Promise.all([
      sync(slow.client, store, { address_hash: ADDRESS }),
      sync(client, other, { address_hash: ADDRESS }),
    ]);
    assert.deepEqual(
      reports.map(({ shared, complete, added }) => [shared, complete, added > 0]),
      [
        [false, true, true],
        [true, true, false],
      ],
    );
    assert.equal(slow.urls.length + urls.length, total);
  });

  test("is shared by tabs, also if each wraps the database", async (t) => {
    t.after(replaceNavigator({ locks: createLocks() }));
    const { client } = createClient(createChain(60).fetch);
    const database = memoryDatabase();
    const tabs = [0, 1].map(() => createStore({ database: { ...database } }));
    const reports = await Promise.all(tabs.map((store) => sync(client, store, { address_hash: ADDRESS })));
    assert.deepEqual(
      reports.map(({ shared }) => shared),
      [false, true],
    );
  });

  test("fails with the code of the database, and stores what fits", async () => {
    const chain = createChain(400);
    const { client } = createClient(chain.fetch);
    const database = createFullDatabase(3);
    const store = createStore({ database });
    await expectError(sync(client, store, { address_hash: ADDRESS }), "storage", { reason: "quota" });
    const call = store.history(client, { address_hash: ADDRESS });
    assert.ok((await collect(call)).length > 0);
    assert.equal(call.report.complete, false);
  });

  test("rejects invalid parameters", async () => {
    const { client } = createClient(sample.fetch);
    const store = createStore({ database: memoryDatabase() });
    const invalid = [
      [sync(client, store, { address_hash: "0x12" }), "address_hash"],
      [sync(client, {}, { address_hash: HUB }), "store"],
      [sync(client, store, { address_hash: HUB, order: "asc" }), "order"],
      [sync(client, store, { address_hash: HUB, include: [] }), "include"],
      [sync({}, store, { address_hash: HUB }), "client"],
      [collect(syncedHistory(client, { address_hash: HUB })), "store"],
      [collect(store.history({}, { address_hash: HUB })), "source"],
      [collect(store.history(client, { address_hash: HUB, concurrency: 2 })), "concurrency"],
      [store.verify(client, { address_hash: HUB, samples: 0 }), "samples"],
    ];
    for (const [promise, parameter] of invalid) await expectError(promise, "invalid_parameter", { parameter });
    assert.throws(() => createStore({ name: "" }), { parameter: "name" });
    assert.throws(() => createStore({ database: {} }), { parameter: "database" });
    assert.throws(() => createStore({ names: "x" }), { parameter: "names" });
  });
});

describe("a stored history", () => {
  const create = async () => {
    const { client } = createClient(sample.fetch);
    const store = createStore({ database: memoryDatabase() });
    const address_hash = sample.addresses.find(({ id }) => id === "proxy").hash;
    await sync(client, store, { address_hash });
    return { client, store, address_hash };
  };

  test("has the orders, bounds and tokens of a history", async () => {
    const { client, store, address_hash } = await create();
    const all = await collect(history(client, { address_hash }));
    const { block_number: from } = all.at(-40);
    const { block_number: to } = all[30];
    const time = new Date(all[100].timestamp);
    const selections = [
      {},
      { from, to },
      { from: time },
      { to: time },
      { to: 1e8 },
      { include: ["token_transfer", "withdrawal"] },
      { exclude: ["scam_token", "zero_value"], from },
    ];
    for (const selection of selections) {
      const expected = await collect(history(client, { address_hash, ...selection }));
      assert.deepEqual(await collect(store.history(client, { address_hash, ...selection })), expected);
      const ascending = store.history(client, { address_hash, ...selection, order: "asc" });
      assert.deepEqual(await collect(ascending), expected.toReversed?.() ?? [...expected].reverse());
      for (const order of ["asc", "desc"]) {
        const parts = [];
        let resume;
        do {
          const call = store.history(client, { address_hash, ...selection, order, resume });
          parts.push(...(await call.more(37)));
          resume = call.resumeToken;
        } while (resume !== null);
        assert.deepEqual(parts, order === "desc" ? expected : [...expected].reverse());
      }
    }
    const call = store.history(client, { address_hash });
    await call.more(1);
    const other = store.history(client, { address_hash, order: "asc", resume: call.resumeToken });
    await expectError(collect(other), "invalid_parameter", { parameter: "resume" });
  });

  test("is a source of activities, values and exports", async () => {
    const { client, store, address_hash } = await create();
    const list = await collect(activities(store.history(client, { address_hash }), { exclude: ["scam_token"] }));
    const expected = await collect(activities(client, { address_hash, exclude: ["scam_token"] }));
    assert.deepEqual(
      list.map(({ key, kind }) => [key, kind]),
      expected.map(({ key, kind }) => [key, kind]),
    );
    const valued = await withValues(client, store.history(client, { address_hash })).more(3);
    assert.equal(valued.length, 3);
    const text = await new Response(toNdjson(store.history(client, { address_hash }))).text();
    assert.equal(text, await new Response(toNdjson(history(client, { address_hash }))).text());
  });

  test("is empty, and says so, if nothing is stored", async () => {
    const { client } = createClient(sample.fetch);
    const call = createStore({ database: memoryDatabase() }).history(client, { address_hash: HUB });
    assert.deepEqual(await collect(call), []);
    assert.deepEqual([call.report.complete, call.report.synced_at], [false, null]);
    assert.ok(call.report.sources.every(({ state, reasons }) => state === "skipped" && reasons[0] === "not stored"));
  });

  test("is found by the account of the list, and forgotten", async () => {
    const chain = createChain(30);
    const one = createClient(chain.fetch).client;
    const two = createClient(chain.fetch, { baseUrl: "https://other.invalid" }).client;
    const store = createStore({ database: memoryDatabase() });
    const changes = [];
    const end = store.onChange(() => changes.push(1));
    for (const client of [one, two]) await sync(client, store, { address_hash: ADDRESS });
    await sync(one, store, { address_hash: createAddress("c3") });
    const accounts = await store.accounts();
    assert.deepEqual(accounts.map(({ account, source }) => [account.slice(0, 4), source.baseUrl]).sort(), [
      ["0xa1", "https://chain.invalid"],
      ["0xa1", "https://other.invalid"],
      ["0xc3", "https://chain.invalid"],
    ]);
    const stored = accounts.find(({ source, account }) => account === ADDRESS && source.baseUrl.includes("other"));
    assert.deepEqual(await readKeys(store, stored), getKeys(chain));
    await store.forget(ADDRESS, two);
    assert.equal((await store.accounts()).length, 2);
    await store.forget(ADDRESS);
    assert.deepEqual(
      (await store.accounts()).map(({ account }) => account),
      [createAddress("c3")],
    );
    await store.clear();
    assert.deepEqual(await store.database.read("", "\uffff"), []);
    assert.equal(changes.length, 6);
    end();
    await store.clear();
    assert.equal(changes.length, 6);
  });

  test("decodes a record when it is read, and is otherwise like a history", async () => {
    const chain = createChain(60);
    const { client } = createClient(chain.fetch);
    const store = createStore({ database: memoryDatabase() });
    await sync(client, store, { address_hash: ADDRESS });
    const expected = JSON.stringify(await collect(history(client, { address_hash: ADDRESS })));
    const stored = await collect(store.history(client, { address_hash: ADDRESS }));
    assert.equal(JSON.stringify(stored), expected);
    assert.equal(JSON.stringify(stored.map((event) => ({ ...event }))), expected);
    assert.deepEqual(structuredClone(stored), JSON.parse(expected));
    const [event] = stored;
    assert.equal(event.record, event.record);
    // As in the state of a user interface.
    assert.equal(new Proxy(Object.freeze(event), {}).record, event.record);
    const other = {};
    stored[1].record = other;
    assert.equal(stored[1].record, other);
    assert.deepEqual(Object.keys(stored[1]), Object.keys(JSON.parse(expected)[1]));
  });

  test("of an older form is read again, and removed", async () => {
    const chain = createChain(30);
    const { client } = createClient(chain.fetch);
    const database = memoryDatabase();
    await database.write({ put: [["history/1/accounts/x", { account: ADDRESS }]] });
    const store = createStore({ database });
    assert.deepEqual(await store.accounts(), []);
    await sync(client, store, { address_hash: ADDRESS });
    assert.equal(await database.get("history/1/accounts/x"), undefined);
  });

  test("that is damaged is an error of the database", async () => {
    const chain = createChain(30);
    const { client } = createClient(chain.fetch);
    const database = memoryDatabase();
    const store = createStore({ database });
    await sync(client, store, { address_hash: ADDRESS });
    const entries = await database.read("history/2/events", "history/2/events0");
    await database.write({ put: entries.map(([key]) => [key, new Uint8Array([1, 2, 3])]) });
    await expectError(collect(store.history(client, { address_hash: ADDRESS })), "storage", { reason: "unavailable" });
  });
});

describe("a synced history", () => {
  for (const order of ["desc", "asc"]) {
    test(`delivers what is stored, then what is new, ${order}`, async () => {
      const chain = createChain(100);
      const { client, urls } = createClient(chain.fetch);
      const store = createStore({ database: memoryDatabase() });
      const first = syncedHistory(client, { address_hash: ADDRESS, store, order });
      const keys = toKeys(await collect(first));
      assert.deepEqual([...keys].sort(), getKeys(chain));
      const stored = toKeys(await collect(store.history(client, { address_hash: ADDRESS, order })));
      assert.deepEqual(keys, stored);
      assert.equal(first.report.complete, true);
      chain.grow(3);
      chain.reorganise(7);
      urls.length = 0;
      const events = new Map();
      const second = syncedHistory(client, { address_hash: ADDRESS, store, order });
      let beforeRequests = 0;
      for await (const event of second) {
        if (urls.length === 0) beforeRequests += 1;
        if (event.kind === "removed") assert.ok(events.delete(event.key));
        else events.set(event.key, event);
      }
      assert.equal(beforeRequests, stored.length);
      assert.deepEqual(toKeys([...events.values()]).sort(), getKeys(chain));
      assert.ok(second.report.removed.length > 0);
    });
  }

  test("reads from the service if the database fails, and says so", async () => {
    const chain = createChain(300);
    for (const order of ["desc", "asc"]) {
      for (const writes of [0, 2]) {
        const { client } = createClient(chain.fetch);
        const store = createStore({ database: createFullDatabase(writes) });
        const call = syncedHistory(client, { address_hash: ADDRESS, store, order });
        assert.deepEqual(toKeys(await collect(call)).sort(), getKeys(chain));
        assert.deepEqual([call.report.error.code, call.report.error.reason], ["storage", "quota"]);
      }
      const { client } = createClient(chain.fetch);
      // Node.js has no IndexedDB.
      const call = syncedHistory(client, { address_hash: ADDRESS, store: createStore(), order });
      assert.deepEqual(toKeys(await collect(call)).sort(), getKeys(chain));
      assert.equal(call.report.error.reason, "unavailable");
    }
  });

  test("delivers what is stored offline, and then fails", async () => {
    const chain = createChain(30);
    let isOffline = false;
    const { client } = createClient(async (request) => {
      if (!isOffline) return chain.fetch(request);
      throw new TypeError("fetch failed");
    });
    const store = createStore({ database: memoryDatabase() });
    await sync(client, store, { address_hash: ADDRESS });
    isOffline = true;
    const call = syncedHistory(client, { address_hash: ADDRESS, store });
    const events = [];
    const reading = (async () => {
      for await (const event of call) events.push(event);
    })();
    await expectError(reading, "network");
    assert.deepEqual(toKeys(events).sort(), getKeys(chain));
    assert.equal(call.report.complete, true);
    assert.match(call.report.synced_at, /^20/);
  });

  test("ends with its loop, and stores what was read until then", async () => {
    const chain = createChain(400);
    const { client, urls } = createClient(chain.fetch);
    const store = createStore({ database: memoryDatabase() });
    for await (const _ of syncedHistory(client, { address_hash: ADDRESS, store })) break;
    const total = await countRequests(chain);
    assert.ok(urls.length < total, `${urls.length} of ${total} requests`);
    assert.ok((await readKeys(store, client)).length >= 50);
  });

  test("is canceled by its signal", async () => {
    const chain = createChain(400);
    const { client } = createClient(chain.fetch);
    const controller = new AbortController();
    const call = syncedHistory(client, {
      address_hash: ADDRESS,
      store: createStore({ database: memoryDatabase() }),
      signal: controller.signal,
      onProgress: () => controller.abort(),
    });
    await expectError(collect(call), "aborted");
  });
});

describe("verify", () => {
  test("compares stored blocks with the service, and says what differs", async () => {
    const chain = createChain(120);
    const { client } = createClient(chain.fetch);
    const database = memoryDatabase();
    const store = createStore({ database });
    const samples = 100;
    const verify = () => store.verify(client, { address_hash: ADDRESS, samples });
    assert.deepEqual(await verify(), { correct: true, blocks: [], missing: [], gone: [], omitted: { count: 0, first: [] } });
    await sync(client, store, { address_hash: ADDRESS });
    const before = new Set(chain.getKeys().map(([key]) => key));
    assert.equal((await verify()).correct, true);
    chain.reorganise(60);
    const { correct, blocks, missing, gone } = await verify();
    assert.equal(correct, false);
    assert.ok(blocks.length > 1 && missing.length > 0 && gone.length > 0);
    assert.ok(missing.every(({ key, block_number }) => !before.has(key) || block_number > 1060));
    assert.ok(gone.every((key) => before.has(key)));
  });
});

/** A database that is full after some writes. */
function createFullDatabase(writes) {
  const database = memoryDatabase();
  let left = writes;
  const write = async (change) => {
    if (left-- <= 0) throw AddressQueryError.create("storage", "full", { reason: "quota" });
    await database.write(change);
  };
  return { ...database, write };
}

/** Counts the requests of a first sync. */
async function countRequests(chain) {
  const { client, urls } = createClient(chain.fetch);
  await sync(client, createStore({ database: memoryDatabase() }), { address_hash: ADDRESS });
  return urls.length;
}
