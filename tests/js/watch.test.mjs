// `watch`: events as they arrive, in virtual time. `make soak` runs the random chains with more seeds.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { execPath } from "node:process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { history, watch } from "../../pkg/history/index.js";
import { AddressClient, isAddressQueryError } from "../../pkg/index.js";
import { createSampleService } from "../../pkg/testing/index.js";
import { createRandom } from "../../target/parts/testing/random.js";
import { ADDRESS, ScriptedService, getKind, KINDS, readTemplates } from "./service.mjs";
import { getExpectedEvents, simplify } from "./history-model.mjs";
import { VirtualTime } from "./virtual-time.mjs";

const SEEDS = Array.from({ length: Number(process.env.SEEDS ?? 2) }, (_, seed) => seed);
const REPLACED_BLOCK_SEEDS = [8, 43];
const RANDOM_SCRIPT = fileURLToPath(new URL("watch-process.mjs", import.meta.url));
const MINUTE = 60_000;

await new AddressClient({ baseUrl: "https://sample.invalid", fetch: createSampleService().fetch }).addresses();
const time = new VirtualTime();

/** Creates a service, a client of it, and the address that new blocks are about. `requests` has the times of all requests. */
function setUp(options) {
  const service = createSampleService(options);
  const { hash } = service.addresses.find(({ id }) => id === "deep");
  const setup = { service, address_hash: hash, requests: [], isOffline: false };
  setup.client = new AddressClient({
    baseUrl: "https://sample.invalid",
    maxAttempts: 2,
    fetch: (request) => {
      setup.requests.push(time.now);
      return setup.isOffline ? Promise.reject(new TypeError("offline")) : service.fetch(request);
    },
  });
  return setup;
}

/** Collects the notices of a watch until it ends. */
function collect(call) {
  const notices = [];
  const ended = (async () => {
    for await (const notice of call) notices.push(notice);
  })();
  ended.catch(() => {});
  return { notices, ended };
}

/** The expected events of new blocks. */
const getNewEvents = ({ service, address_hash }, from, include) => getExpectedEvents(service, address_hash, { from, include });
const getHead = async ({ client }) => {
  const { items } = await client.blocks();
  return items[0].height;
};

time.test("delivers the events of new blocks once, oldest first", async () => {
  const setup = setUp();
  const from = (await getHead(setup)) + 1;
  const controller = new AbortController();
  const { notices, ended } = collect(watch(setup.client, { address_hash: setup.address_hash, signal: controller.signal }));
  await time.sleep(MINUTE);
  assert.deepEqual(notices, []);
  setup.service.grow(3);
  await time.sleep(MINUTE);
  setup.service.grow(2);
  await time.sleep(3 * MINUTE);
  assert.deepEqual(notices.map(simplify), getNewEvents(setup, from));
  assert.ok(notices.length >= 5 * 4, `${notices.length} events`);
  controller.abort("enough");
  await assert.rejects(ended, { code: "aborted", cause: "enough" });
});

time.test("reports the events of replaced blocks as removed, and then the new ones", async () => {
  const setup = setUp();
  const from = (await getHead(setup)) + 1;
  const controller = new AbortController();
  const { notices } = collect(watch(setup.client, { address_hash: setup.address_hash, signal: controller.signal }));
  await time.sleep(MINUTE);
  setup.service.grow(4);
  await time.sleep(MINUTE);
  const old = getNewEvents(setup, from);
  assert.deepEqual(notices.splice(0).map(simplify), old);
  setup.service.reorganise(2);
  await time.sleep(MINUTE);
  const now = getNewEvents(setup, from);
  const isMissing = ({ key }) => !now.some((event) => event.key === key);
  const removed = old.filter(isMissing).map(({ key }) => key);
  assert.ok(removed.length > 0);
  assert.deepEqual(
    notices
      .slice(0, removed.length)
      .map(({ kind, key }) => [kind, key])
      .sort(),
    removed.map((key) => ["removed", key]).sort(),
  );
  assert.deepEqual(
    notices.slice(removed.length).map(simplify),
    now.filter(({ key }) => !old.some((event) => event.key === key)),
  );
  controller.abort();
});

time.test(
  "continues after a temporary failure of the list of blocks, where the lookup of the newest one is refused",
  async () => {
    const setup = setUp();
    const from = (await getHead(setup)) + 1;
    let isFailing = true;
    const fetch = (request) => {
      if (request.url.includes("getblocknobytime")) return Response.json({ status: "0", message: "Disabled", result: null });
      if (isFailing && request.url.endsWith("/blocks")) return new Response("", { status: 503 });
      return setup.service.fetch(request);
    };
    const client = new AddressClient({ baseUrl: "https://sample.invalid", maxAttempts: 2, fetch });
    const controller = new AbortController();
    const { notices, ended } = collect(watch(client, { address_hash: setup.address_hash, signal: controller.signal }));
    await time.sleep(5 * MINUTE);
    isFailing = false;
    await time.sleep(5 * MINUTE);
    setup.service.grow(3);
    isFailing = true;
    await time.sleep(5 * MINUTE);
    isFailing = false;
    await time.sleep(5 * MINUTE);
    assert.deepEqual(notices.map(simplify), getNewEvents(setup, from));
    controller.abort("enough");
    await assert.rejects(ended, { code: "aborted", cause: "enough" });
  },
);

/** Watches a chain whose last blocks are replaced after the first poll. Returns the keys of the events, by whether they were removed. */
async function watchReplacedBlocks(chain, include, since, replaced) {
  const client = new AddressClient({ baseUrl: "https://sample.invalid", fetch: chain.fetch, maxPerSecond: 1000 });
  const keys = { added: new Set(), removed: new Set() };
  const controller = new AbortController();
  const { notices, ended } = collect(watch(client, { address_hash: ADDRESS, include, since, signal: controller.signal }));
  const apply = () => {
    for (const { kind, key } of notices.splice(0)) {
      const isRemoved = kind === "removed";
      keys[isRemoved ? "removed" : "added"].add(key);
      keys[isRemoved ? "added" : "removed"].delete(key);
    }
  };
  await time.sleep(10_000);
  apply();
  const before = new Set(keys.added);
  chain.reorganise(replaced);
  await time.sleep(MINUTE);
  apply();
  controller.abort();
  await assert.rejects(ended, { code: "aborted" });
  return { ...keys, before };
}

for (const version of [8, 9, 11, 12]) {
  time.test(`version ${version}: events of replaced blocks are removed, of every kind and from both interfaces`, async () => {
    const templates = await readTemplates(version);
    for (const kind of KINDS) {
      let removals = 0;
      // Many events are read from the account interface. It has no withdrawals and rewards.
      for (const count of [10, 600]) {
        const random = createRandom("replaced", kind, count);
        const chain = new ScriptedService({ random, clamp: 50, version, templates });
        const since = chain.head + 1;
        const getKeys = () => chain.getKeys().flatMap(([key]) => (getKind(key) === kind ? [key] : []));
        while (getKeys().length < count) chain.grow(count);
        const old = getKeys();
        const { added, removed, before } = await watchReplacedBlocks(chain, [kind], since, 10);
        const title = `${kind} ${count}`;
        assert.deepEqual(before, new Set(old), title);
        assert.deepEqual(added, new Set(getKeys()), title);
        assert.deepEqual(removed, new Set(old.filter((key) => !added.has(key))), title);
        removals += removed.size;
      }
      assert.ok(removals > 0, kind);
    }
  });
}

time.test("transfers that only the account interface had before their block was replaced are removed", async () => {
  const chain = new ScriptedService({ random: createRandom("unlisted"), clamp: 50, nftsPerBlock: 300 });
  const since = chain.head + 1;
  chain.grow(4);
  const getKeys = () => chain.getKeys().flatMap(([key]) => (getKind(key) === "token_transfer" ? [key] : []));
  const old = getKeys();
  const { added, removed, before } = await watchReplacedBlocks(chain, ["token_transfer"], since, 4);
  assert.deepEqual(before, new Set(old));
  assert.deepEqual(added, new Set(getKeys()));
  assert.deepEqual(removed, new Set(old.filter((key) => !added.has(key))));
  assert.ok(removed.size > 0);
});

time.test("a block in the far future is an error, because it would never come", async () => {
  const setup = setUp();
  const { address_hash, client } = setup;
  for (const since of [1_767_225_600, 1_767_225_600_000, (await getHead(setup)) + 10_000]) {
    await assert.rejects(watch(client, { address_hash, since })[Symbol.asyncIterator]().next(), {
      code: "invalid_parameter",
      parameter: "since",
      message: /looks like a Unix time; pass a Date/,
    });
  }
});

time.test("continues after an hour offline, even in another session", async () => {
  const setup = setUp();
  const from = (await getHead(setup)) + 1;
  let call = watch(setup.client, { address_hash: setup.address_hash });
  const iterator = call[Symbol.asyncIterator]();
  const first = iterator.next();
  await time.sleep(MINUTE);
  setup.isOffline = true;
  setup.service.grow(50);
  await time.sleep(60 * MINUTE);
  setup.isOffline = false;
  const received = [(await first).value, (await iterator.next()).value];
  const since = call.resumeToken;
  await iterator.return();
  call = watch(setup.client, { address_hash: setup.address_hash, since });
  const expected = getNewEvents(setup, from);
  for await (const event of call) {
    received.push(event);
    if (received.length === expected.length) break;
  }
  assert.deepEqual(received.map(simplify), expected);
});

time.test("waits while the instance is more than a day of blocks behind the known ones", async () => {
  const { client: _, ...setup } = setUp();
  let isBehind = false;
  const fetch = (request) =>
    isBehind && request.url.includes("getblocknobytime")
      ? Promise.resolve(Response.json({ message: "OK", status: "1", result: { blockNumber: "5" } }))
      : setup.service.fetch(request);
  const client = new AddressClient({ baseUrl: "https://sample.invalid", fetch });
  const from = (await getHead({ client })) + 1;
  const controller = new AbortController();
  const { notices, ended } = collect(watch(client, { address_hash: setup.address_hash, signal: controller.signal }));
  await time.sleep(MINUTE);
  isBehind = true;
  await time.sleep(5 * MINUTE);
  isBehind = false;
  setup.service.grow(1);
  await time.sleep(3 * MINUTE);
  controller.abort();
  await assert.rejects(ended, { code: "aborted" });
  assert.deepEqual(notices.map(simplify), getNewEvents(setup, from));
  assert.ok(notices.length > 0);
});

time.test("polls less often while nothing happens, and still less while the page is hidden", async () => {
  const page = new EventTarget();
  page.hidden = false;
  globalThis.document = page;
  const setup = setUp();
  const controller = new AbortController();
  const call = watch(setup.client, { address_hash: setup.address_hash, include: ["transaction"], signal: controller.signal });
  const { ended } = collect(call);
  const countRequests = async (ms) => {
    setup.requests.length = 0;
    await time.sleep(ms);
    return setup.requests.length;
  };
  // The first poll also finds the start. While no block arrives, a poll requests only the newest block, and no list.
  assert.equal(await countRequests(14_000), 2);
  await countRequests(5 * MINUTE);
  assert.equal(await countRequests(10 * MINUTE), 10);
  page.hidden = true;
  await countRequests(5 * MINUTE);
  assert.equal(await countRequests(10 * MINUTE), 5);
  page.hidden = false;
  page.dispatchEvent(new Event("visibilitychange"));
  assert.equal(await countRequests(1_000), 1);
  setup.service.grow(1);
  // Now a poll also reads a list, and whether the instance has indexed it.
  assert.equal(await countRequests(MINUTE), 3);
  controller.abort();
  await assert.rejects(ended, { code: "aborted" });
  delete globalThis.document;
});

time.test("an error that is not temporary ends it, with a token", async () => {
  const setup = setUp();
  const { hash } = setup.service.addresses.find(({ id }) => id === "restricted");
  const { ended } = collect(watch(setup.client, { address_hash: hash }));
  await time.sleep(1_000);
  // The lists are read when there is a new block.
  setup.service.grow(1);
  await assert.rejects(ended, (error) => isAddressQueryError(error) && error.status === 403 && error.resumeToken !== undefined);
});

test("invalid parameters are rejected before any request", async () => {
  const { client, address_hash, requests } = setUp();
  for (const [params, parameter] of [
    [{}, "address_hash"],
    [{ address_hash, since: "token" }, "since"],
    [{ address_hash, since: -1 }, "since"],
    [{ address_hash, from: 1 }, "from"],
  ]) {
    await assert.rejects(watch(client, params)[Symbol.asyncIterator]().next(), { code: "invalid_parameter", parameter });
  }
  assert.equal(requests.length, 0);
});

/** The outcome of each seed, read when a test first needs it. */
let outcomes;

/** Watches the random chains in a separate process. Returns the outcomes by seed. */
async function readOutcomes() {
  const seeds = new Set([...SEEDS, ...REPLACED_BLOCK_SEEDS]);
  const { stdout } = await promisify(execFile)(execPath, [RANDOM_SCRIPT, ...seeds], { maxBuffer: 1 << 26 });
  const lines = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  return new Map(lines.map((outcome) => [outcome.seed, outcome]));
}

/** Checks that nothing is missed or repeated. */
async function checkSeed(seed, context) {
  outcomes ??= readOutcomes();
  const { error, counts, kinds, missing, extra } = (await outcomes).get(seed);
  if (error !== undefined) assert.fail(error);
  context.diagnostic(`${counts.added} events of ${kinds} kinds, ${counts.removed} removed`);
  assert.deepEqual({ missing, extra }, { missing: [], extra: [] });
}

for (const seed of SEEDS) {
  test(`nothing is missed or repeated on a changing chain, seed ${seed}`, (context) => checkSeed(seed, context));
}

test("a block that is replaced before a poll of many events is noticed, seeds 8 and 43", async (context) => {
  for (const seed of REPLACED_BLOCK_SEEDS) await checkSeed(seed, context);
});

test("the random chains have all kinds of events", async () => {
  const chain = new ScriptedService({ random: createRandom("kinds"), clamp: 50 });
  chain.grow(20);
  assert.deepEqual(new Set(chain.getKeys().map(([key]) => getKind(key))), new Set(KINDS));
});

time.test("a watch since the end of a history misses nothing", async () => {
  const setup = setUp();
  const call = history(setup.client, { address_hash: setup.address_hash, from: (await getHead(setup)) - 2 });
  const events = [];
  for await (const event of call) events.unshift(event);
  setup.service.grow(2);
  const { to } = call.report;
  const expected = getExpectedEvents(setup.service, setup.address_hash, { from: call.report.from });
  for await (const event of watch(setup.client, { address_hash: setup.address_hash, since: to + 1 })) {
    events.push(event);
    if (events.length === expected.length) break;
  }
  assert.deepEqual(events.map(simplify), expected);
});

test("a return cancels the request in flight", async () => {
  const signals = [];
  const fetch = ({ signal }) => {
    signals.push(signal);
    return new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
  };
  const client = new AddressClient({ baseUrl: "https://sample.invalid", fetch });
  const iterator = watch(client, { address_hash: `0x${"ab".repeat(20)}` })[Symbol.asyncIterator]();
  const next = iterator.next();
  while (signals.length === 0) await new Promise((resolve) => setImmediate(resolve));
  await iterator.return();
  assert.deepEqual(await next, { done: true, value: undefined });
  assert.ok(signals.every(({ aborted }) => aborted));
});
