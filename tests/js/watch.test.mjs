// `watch`: events as they arrive, in virtual time. `make soak` runs the random chains with more seeds.
import assert from "node:assert/strict";
import { test } from "node:test";
import { history, watch } from "../../pkg/history/index.js";
import { AddressClient, isAddressQueryError } from "../../pkg/index.js";
import { createSampleService } from "../../pkg/testing/index.js";
import { createRandom } from "../../target/parts/testing/random.js";
import { ADDRESS, ChangingChain } from "./changing-chain.mjs";
import { getExpectedEvents, simplify } from "./history-model.mjs";
import { VirtualTime } from "./virtual-time.mjs";

const SEEDS = Number(process.env.SEEDS ?? 8);
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

test("delivers the events of new blocks once, oldest first", () =>
  time.run(
    (async () => {
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
    })(),
  ));

test("reports the events of replaced blocks as removed, and then the new ones", () =>
  time.run(
    (async () => {
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
    })(),
  ));

test("continues after an hour offline, also in another session", () =>
  time.run(
    (async () => {
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
    })(),
  ));

test("polls less often while nothing happens, and still less while the page is hidden", () =>
  time.run(
    (async () => {
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
      // Two requests a poll: the newest block, and the list. The first poll also finds out where to start.
      assert.equal(await countRequests(14_000), 3);
      await countRequests(5 * MINUTE);
      assert.equal(await countRequests(10 * MINUTE), 10 * 2);
      page.hidden = true;
      await countRequests(5 * MINUTE);
      assert.equal(await countRequests(10 * MINUTE), 5 * 2);
      page.hidden = false;
      page.dispatchEvent(new Event("visibilitychange"));
      assert.equal(await countRequests(1_000), 2);
      controller.abort();
      await assert.rejects(ended, { code: "aborted" });
      delete globalThis.document;
    })(),
  ));

test("an error that is not temporary ends it, with a token", () =>
  time.run(
    (async () => {
      const setup = setUp();
      const { hash } = setup.service.addresses.find(({ id }) => id === "restricted");
      const { ended } = collect(watch(setup.client, { address_hash: hash }));
      await assert.rejects(
        ended,
        (error) => isAddressQueryError(error) && error.status === 403 && error.resumeToken !== undefined,
      );
    })(),
  ));

test("invalid parameters are rejected before any request", () => {
  const { client, address_hash, requests } = setUp();
  for (const [params, parameter] of [
    [{}, "address_hash"],
    [{ address_hash, since: "token" }, "since"],
    [{ address_hash, since: -1 }, "since"],
    [{ address_hash, from: 1 }, "from"],
  ]) {
    assert.throws(() => watch(client, params), { code: "invalid_parameter", parameter });
  }
  assert.equal(requests.length, 0);
});

/** Watches a chain that grows and is reorganised, with interruptions, failures and outages. Applies the notices to a set of keys. */
async function watchRandomly(seed) {
  const random = createRandom("watch", seed);
  const chain = new ChangingChain(random, random.pick([2, 7, 50]));
  let failureRate = random.pick([0, 0, 0.1]);
  let isOffline = false;
  const client = new AddressClient({
    baseUrl: "https://sample.invalid",
    maxAttempts: 2,
    fetch: async (request) => {
      if (isOffline) throw new TypeError("offline");
      const response = await chain.fetch(request);
      if (!random.nextBoolean(failureRate)) return response;
      const body = await response.text();
      return random.pick([new Response("", { status: 500 }), new Response("", { status: 429 }), new Response(body.slice(0, -5))]);
    },
  });
  const from = chain.head + 1;
  const included = KINDS.filter(() => random.nextBoolean(0.8));
  const include = included.length > 0 ? included : KINDS;
  const keys = new Map();
  const counts = { added: 0, removed: 0 };
  let since;
  let isOver = false;
  let controller;
  const apply = (notice) => {
    if (notice.kind === "removed") {
      assert.ok(keys.delete(notice.key), `removed, but not known: ${notice.key}`);
      counts.removed += 1;
    } else {
      assert.ok(!keys.has(notice.key), `came twice: ${notice.key}`);
      keys.set(notice.key, notice.block_number);
      counts.added += 1;
    }
  };
  const consume = async () => {
    while (!isOver) {
      controller = new AbortController();
      const call = watch(client, { address_hash: ADDRESS, include, since: since ?? from, signal: controller.signal });
      const breakAfter = random.nextBoolean(0.5) ? 1 + random.nextInt(20) : Number.POSITIVE_INFINITY;
      let count = 0;
      try {
        for await (const notice of call) {
          apply(notice);
          count += 1;
          if (count >= breakAfter) break;
        }
      } catch (error) {
        assert.equal(error.code, "aborted", error.stack);
      }
      since = call.resumeToken ?? since;
    }
  };
  const consumed = consume();
  let growth = 0;
  for (let step = 0; step < 25; step++) {
    await time.sleep(random.nextInt(40_000));
    if (random.nextBoolean(0.6)) {
      // Many blocks at once, as after an outage, are read oldest first.
      const count = random.nextBoolean(0.03) ? 200 : 1 + random.nextInt(4);
      chain.grow(count);
      growth += count;
    }
    if (random.nextBoolean(0.25)) chain.reorganise(Math.min(growth, 1 + random.nextInt(6)));
    if (random.nextBoolean(0.1)) controller.abort();
    isOffline = random.nextBoolean(0.15);
  }
  isOffline = false;
  failureRate = 0;
  await time.sleep(10 * MINUTE);
  isOver = true;
  controller.abort();
  await consumed;
  return { keys, counts, include, expected: chain.getKeys().filter(([key]) => include.includes(getKind(key))) };
}

const KINDS = ["transaction", "internal_transaction", "token_transfer", "block_reward", "withdrawal"];
const getKind = (key) => {
  const [kind] = key.split(":");
  return kind === "internal" ? "internal_transaction" : kind;
};

/** Checks that nothing is missed or repeated. */
async function checkSeed(seed, context) {
  const { keys, counts, include, expected } = await time.run(watchRandomly(seed));
  context.diagnostic(`${counts.added} events of ${include.length} kinds, ${counts.removed} removed`);
  const blocks = new Map(expected);
  const missing = expected.filter(([key, block]) => keys.get(key) !== block);
  const extra = [...keys].filter(([key, block]) => blocks.get(key) !== block);
  assert.deepEqual({ missing, extra }, { missing: [], extra: [] });
}

for (let seed = 0; seed < SEEDS; seed++) {
  test(`nothing is missed or repeated on a changing chain, seed ${seed}`, (context) => checkSeed(seed, context));
}

test("a block that is replaced before a poll of many events is noticed, seeds 8 and 43", async (context) => {
  for (const seed of [8, 43]) await checkSeed(seed, context);
});

test("the random chains have all kinds of events", async () => {
  const chain = new ChangingChain(createRandom("kinds"), 50);
  chain.grow(20);
  assert.deepEqual(new Set(chain.getKeys().map(([key]) => getKind(key))), new Set(KINDS));
});

test("a watch since the end of a history misses nothing", () =>
  time.run(
    (async () => {
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
    })(),
  ));

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
