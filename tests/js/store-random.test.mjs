// Random lives of a copy: syncs that end anywhere, crashes between two writes, growth, reorganisations within the final blocks and
// beyond them, faults of the service, two tabs with one database, and hostile values. A copy that says that it is complete equals the
// history of the chain, and a last sync without a failure completes it.
//
// `make soak` runs it with more seeds: SEEDS=1000 node --test tests/js/store-random.test.mjs
import assert from "node:assert/strict";
import { test } from "node:test";
import { history } from "../../pkg/history/index.js";
import { AddressClient, AddressQueryError, isAddressQueryError } from "../../pkg/index.js";
import { createStore, memoryDatabase, sync, syncedHistory } from "../../pkg/store/index.js";
import { createRandom } from "../../target/parts/testing/random.js";
import { makeHostile } from "./hostile.mjs";
import { createLocks, replaceNavigator } from "./locks.mjs";
import { ADDRESS, ScriptedService, TEMPLATES } from "./service.mjs";

const FIRST_SEED = Number(process.env.SEED ?? 1);
const SEEDS = Number(process.env.SEEDS ?? 15);
const BASE_URL = "https://chain.invalid";
/** The depth of a reorganisation that changes no final block. */
const DEPTH = 12;

class Crash extends Error {}

/** What a failing service, or a proxy before it, sends instead of a response. */
const FAULTS = [
  () => Response.json({ message: "Something went wrong" }, { status: 500 }),
  () => Response.json({ message: "Too many requests" }, { status: 429 }),
  () => new Response("<h1>504 Gateway Time-out</h1>", { status: 504, headers: { "content-type": "text/html" } }),
  async (response) => new Response((await response.text()).slice(0, -20), { headers: { "content-type": "application/json" } }),
];

/** Wraps a database. `failAt` is the number of operations until one fails, which is written or not. */
function createFailingDatabase(database, random) {
  const control = { failAt: Number.POSITIVE_INFINITY, error: () => new Crash() };
  const use = async (act) => {
    control.failAt -= 1;
    if (control.failAt > 0) return act();
    if (random.nextBoolean(0.5)) await act();
    throw control.error();
  };
  return {
    control,
    get: (key) => use(() => database.get(key)),
    read: (...args) => use(() => database.read(...args)),
    write: (change) => use(() => database.write(change)),
    close: () => database.close(),
  };
}

async function collect(iterable) {
  const items = [];
  for await (const item of iterable) items.push(item);
  return items;
}

/** Templates of records with hostile values. */
function createTemplates(random) {
  const change = ([kind, [item, ...rows]]) => [kind, [makeHostile(item, random.nextInt(1_000)), ...rows]];
  const { holding, address, ...templates } = TEMPLATES;
  return { holding, address, ...Object.fromEntries(Object.entries(templates).map(change)) };
}

async function live(seed) {
  const random = createRandom("store", seed);
  const options = { random, clamp: random.pick([3, 10, 50]), version: random.pick([11, 12]) };
  if (random.nextBoolean(0.5)) options.templates = createTemplates(random);
  let chain = new ScriptedService(options);
  chain.grow(random.nextInt(150));
  const base = memoryDatabase();
  let truth = [];
  let synced_at = null;
  const events = [];
  const getKeys = () => chain.getKeys().map(([key, block]) => `${key}@${block}`);
  const toKeys = (list) => list.map(({ key, block_number }) => `${key}@${block_number}`);

  for (let step = 0; step < 8; step++) {
    const change = random.nextInt(8);
    if (change < 3) chain.grow(random.nextInt(30));
    if (change === 3) chain.reorganise(1 + random.nextInt(DEPTH));
    if (change === 4) chain.reorganise(1 + random.nextInt(60));
    if (change === 5 && random.nextBoolean(0.3)) {
      chain = new ScriptedService({ ...options, random: createRandom("other", seed * 100 + step), firstHash: 1e6 * (step + 1) });
      chain.grow(random.nextInt(200));
    }
    let requests = random.nextBoolean(0.5) ? random.nextInt(60) : Number.POSITIVE_INFINITY;
    const controller = new AbortController();
    const faults = random.pick([0, 0.02, 0.1]);
    const fetch = async (request) => {
      if (requests-- > 0) {
        const response = await chain.fetch(request);
        return random.nextBoolean(faults) ? random.pick(FAULTS)(response) : response;
      }
      if (random.nextBoolean(0.5)) controller.abort();
      throw new TypeError("fetch failed");
    };
    const database = createFailingDatabase(base, random);
    if (random.nextBoolean(0.3)) database.control.failAt = 1 + random.nextInt(12);
    const isFull = random.nextBoolean(0.5);
    if (isFull) database.control.error = () => AddressQueryError.create("storage", "full", { reason: "quota" });
    const createClient = () => new AddressClient({ baseUrl: BASE_URL, fetch, maxAttempts: 1, maxPerSecond: 1000 });
    const store = createStore({ database });
    const include = random.nextBoolean(0.2) ? ["transaction", "token_transfer"] : undefined;
    const params = { address_hash: ADDRESS, include, signal: controller.signal };
    const before = getKeys();
    let report;
    events.push(`${change} ${chain.head}`);
    try {
      if (random.nextBoolean(0.3)) {
        const shown = new Map();
        let isStopped = false;
        const call = syncedHistory(createClient(), { ...params, store, order: random.pick(["asc", "desc"]) });
        for await (const event of call) {
          if (event.kind === "removed") assert.ok(shown.delete(event.key), "an event that was delivered is removed");
          else shown.set(event.key, event);
          isStopped = random.nextBoolean(0.002);
          if (isStopped) break;
        }
        // The sync stops in the background, and the next one waits for it.
        if (isStopped) await sync(createClient(), store, { ...params, signal: AbortSignal.abort() }).catch(() => {});
        report = call.report;
        if (!isStopped && "shared" in report && report.complete && !report.behind) {
          const kinds = include ?? ["transaction", "internal_transaction", "token_transfer", "block_reward", "withdrawal"];
          const expected = before.filter((key) => kinds.includes(getKind(key)));
          const { length } = expected;
          const delivered = toKeys([...shown.values()]);
          assert.equal(delivered.sort().join(), expected.sort().join(), `${events}: ${shown.size} of ${length}`);
        }
      } else {
        const second = createStore({ database: random.nextBoolean(0.5) ? database : base });
        const [one] = await Promise.allSettled([
          sync(createClient(), store, params),
          random.nextBoolean(0.3) && sync(createClient(), second, params),
        ]);
        if (one.reason) throw one.reason;
        report = one.value;
      }
    } catch (error) {
      const isExpected = error instanceof Crash || (isAddressQueryError(error) && error.code !== "invalid_parameter");
      if (!isExpected) throw error;
    }
    const copy = createStore({ database: base }).history(createClient(), { address_hash: ADDRESS, order: "asc" });
    const stored = toKeys(await collect(copy));
    const { complete, sources } = copy.report;
    // A sync may fail after it was written, or because another call has written it.
    if (copy.report.synced_at !== synced_at) truth = before;
    synced_at = copy.report.synced_at;
    if (!complete) {
      assert.ok(sources.some(({ reasons }) => reasons.length > 0));
      continue;
    }
    const kinds = sources.map(({ kind }) => kind);
    const expected = truth.filter((key) => kinds.includes(getKind(key)));
    const isTrue = stored.sort().join() === expected.sort().join();
    assert.ok(isTrue, `complete, but other events: ${events.join(", ")}`);
  }
  const client = new AddressClient({ baseUrl: BASE_URL, fetch: chain.fetch, maxPerSecond: 1000 });
  const store = createStore({ database: base });
  const { behind } = await sync(client, store, { address_hash: ADDRESS });
  if (behind) return;
  const expected = await collect(history(client, { address_hash: ADDRESS }));
  assert.deepEqual(await collect(store.history(client, { address_hash: ADDRESS })), expected);
}

function getKind(key) {
  const [kind] = key.split(":");
  return kind === "internal" ? "internal_transaction" : kind;
}

test("a copy that is complete equals the history", async (t) => {
  t.after(replaceNavigator({ locks: createLocks() }));
  const failures = [];
  for (let seed = FIRST_SEED; seed < FIRST_SEED + SEEDS; seed++) {
    await live(seed).catch((error) => failures.push(`seed ${seed}: ${error.message}`));
  }
  assert.deepEqual(failures, []);
  t.diagnostic(`${SEEDS} seeds`);
});
