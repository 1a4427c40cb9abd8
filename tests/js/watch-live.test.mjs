// `watch` with a socket: its events are reasons to poll, in virtual time. `make soak` runs the random sequences with more seeds.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { execPath } from "node:process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { watch } from "../../pkg/history/index.js";
import { AddressClient } from "../../pkg/index.js";
import { createSampleService } from "../../pkg/testing/index.js";
import { createRandom } from "../../target/parts/testing/random.js";
import { getExpectedEvents, simplify } from "./history-model.mjs";
import { VirtualTime } from "./virtual-time.mjs";

const SEEDS = Array.from({ length: Number(process.env.SEEDS ?? 2) }, (_, seed) => seed);
const RANDOM_SCRIPT = fileURLToPath(new URL("watch-process.mjs", import.meta.url));
const SECOND = 1_000;
const MINUTE = 60_000;
const HOUR = 3_600_000;
const COVERED = ["transaction", "token_transfer"];
const BASE_URL = "https://sample.invalid";

await new AddressClient({ baseUrl: BASE_URL, fetch: createSampleService().fetch }).addresses();
const time = new VirtualTime();

/** Creates a service and a client of it. `requests` has the time and the URL of each request. `urls` has the URLs of the sockets. */
function setUp(options) {
  const service = createSampleService();
  const { hash } = service.addresses.find(({ id }) => id === "deep");
  const other = service.addresses.find(({ id }) => id === "quiet").hash;
  const setup = { service, address_hash: hash, other, requests: [], urls: [], states: [], isOffline: false };
  setup.WebSocket = class extends service.sockets.WebSocket {
    constructor(url) {
      super(url);
      setup.urls.push({ time: time.now, url });
    }
  };
  const fetch = (request) => {
    setup.requests.push({ time: time.now, url: request.url });
    return setup.isOffline ? Promise.reject(new TypeError("offline")) : service.fetch(request);
  };
  setup.client = new AddressClient({ baseUrl: BASE_URL, maxAttempts: 1, fetch, ...options });
  return setup;
}

/** Watches, and collects the notices with their times. */
function start(setup, params = {}) {
  const controller = new AbortController();
  const { WebSocket } = setup;
  const live = { WebSocket, ...params.live };
  const onState = ({ state }) => setup.states.push(state);
  const call = watch(setup.client, {
    address_hash: setup.address_hash,
    signal: controller.signal,
    onState,
    ...params,
    live: params.live === false ? false : live,
  });
  const notices = [];
  const ended = (async () => {
    for await (const notice of call) notices.push({ time: time.now, notice });
  })();
  ended.catch(() => {});
  const stop = async () => {
    controller.abort();
    await assert.rejects(ended, { code: "aborted" });
  };
  return { call, notices, ended, stop };
}

/** Makes the socket proven: an event of the whole chain arrives. */
const prove = ({ service }) => service.sockets.announce("transactions:new_transaction", "transaction", { transaction: 1 });

/** Repeats something every 12 seconds for some time. */
async function every12s(ms, act) {
  for (let passed = 0; passed < ms; passed += 12 * SECOND) {
    await time.sleep(12 * SECOND);
    act();
  }
}

const getTopic = (hash) => `addresses:${hash.toLowerCase()}`;
const countLists = ({ requests }, list) => requests.filter(({ url }) => url.includes(`/${list}`)).length;

time.test("an event of the socket makes it poll, and the data come from the poll", async () => {
  const setup = setUp();
  const { client, service, address_hash } = setup;
  const from = (await client.blocks()).items[0].height + 1;
  const { notices, call, stop } = start(setup);
  await time.sleep(MINUTE);
  assert.deepEqual(service.sockets.topics, ["transactions:new_transaction", getTopic(address_hash)]);
  assert.equal(setup.urls[0].url, "wss://sample.invalid/socket/v2/websocket?vsn=2.0.0");
  const grown = time.now;
  service.grow(2);
  await time.sleep(2 * SECOND);
  assert.deepEqual(
    notices.map(({ notice }) => simplify(notice)),
    getExpectedEvents(service, address_hash, { from }),
  );
  assert.ok(notices.every(({ time }) => time <= grown + SECOND));
  assert.deepEqual(setup.states, ["polling", "live"]);
  const { state, kinds } = call.report;
  assert.equal(state, "live");
  assert.deepEqual(kinds, {
    transaction: "live",
    internal_transaction: "polled",
    token_transfer: "live",
    block_reward: "polled",
    withdrawal: "polled",
  });
  await stop();
  await time.sleep(SECOND);
  assert.equal(service.sockets.connections, 0);
});

time.test("an idle hour of a live list costs twelve requests of the list, and of a polled one sixty", async () => {
  for (const [live, expected] of [
    [undefined, 12],
    [false, 60],
  ]) {
    const setup = setUp();
    const { stop } = start(setup, { address_hash: setup.other, include: COVERED, live });
    await every12s(10 * MINUTE, () => setup.service.grow(1));
    setup.requests.length = 0;
    await every12s(HOUR, () => setup.service.grow(1));
    for (const list of ["transactions", "token-transfers"]) assert.equal(countLists(setup, list), expected);
    await stop();
  }
});

time.test("kinds that the service does not announce keep their interval, and their news cause a complete poll", async () => {
  const setup = setUp();
  const { service, other: address_hash } = setup;
  const { stop } = start(setup, { address_hash });
  await every12s(10 * MINUTE, () => service.grow(1));
  setup.requests.length = 0;
  await every12s(HOUR, () => service.grow(1));
  assert.equal(countLists(setup, "transactions"), 12);
  assert.ok(countLists(setup, "withdrawals") >= 60);
  await stop();
  const watched = start(setup);
  await every12s(5 * MINUTE, () => prove(setup));
  const grown = time.now;
  service.sockets.setFaults("silent");
  service.grow(1);
  await time.sleep(MINUTE);
  assert.ok(watched.notices.length >= 4);
  assert.ok(watched.notices.every(({ time }) => time <= grown + MINUTE));
  await watched.stop();
});

for (const [lagMs, limit] of [
  [0, 1_500],
  [3_000, 4_500],
  [10_000, 11_500],
]) {
  time.test(`events arrive ${limit} ms after an announcement by a service whose replica lags by ${lagMs} ms`, async () => {
    const setup = setUp();
    const { service, address_hash } = setup;
    const { notices, stop } = start(setup);
    await every12s(MINUTE, () => prove(setup));
    const random = createRandom("lag", lagMs);
    const delays = [];
    for (let i = 0; i < 41; i++) {
      await every12s(12 * SECOND * (1 + random.nextInt(20)), () => prove(setup));
      await time.sleep(random.nextInt(12_000));
      const announced = time.now;
      notices.length = 0;
      service.sockets.setFaults();
      service.sockets.announce(getTopic(address_hash), "transaction");
      await time.sleep(lagMs);
      service.sockets.setFaults("silent");
      service.grow(1);
      await time.sleep(15 * SECOND - lagMs);
      delays.push(notices[0].time - announced);
    }
    const median = delays.sort((a, b) => a - b)[20];
    assert.ok(median <= limit, `${median} ms`);
    await stop();
  });
}

time.test("a storm of events costs no more than a poll every three seconds, and none after five minutes", async () => {
  const setup = setUp();
  const { service, other: address_hash } = setup;
  const { stop } = start(setup, { address_hash, include: ["transaction"] });
  await time.sleep(MINUTE);
  setup.requests.length = 0;
  const storm = async (ms) => {
    for (let passed = 0; passed < ms; passed += 100) {
      await time.sleep(100);
      service.sockets.announce(getTopic(address_hash), passed % 200 ? "transaction" : "balance");
      prove(setup);
    }
  };
  await storm(5 * MINUTE + SECOND);
  const isPoll = ({ url }) => url.includes("getblocknobytime");
  assert.ok(setup.requests.filter(isPoll).length <= 101);
  await time.sleep(MINUTE);
  assert.deepEqual(service.sockets.topics, []);
  setup.requests.length = 0;
  await storm(10 * MINUTE);
  assert.ok(setup.requests.filter(isPoll).length <= 11);
  assert.equal(setup.states.at(-1), "polling");
  await time.sleep(30 * MINUTE);
  assert.ok(service.sockets.topics.includes(getTopic(address_hash)));
  await stop();
});

for (const fault of ["refused", "unanswered", "silent"]) {
  time.test(`${fault}: the intervals stay the same as without a socket`, async () => {
    const setup = setUp();
    setup.service.sockets.setFaults(fault);
    const { stop } = start(setup, { address_hash: setup.other, include: ["transaction"] });
    await every12s(10 * MINUTE, () => setup.service.grow(1));
    setup.requests.length = 0;
    await every12s(HOUR, () => setup.service.grow(1));
    assert.equal(countLists(setup, "transactions"), 60);
    assert.deepEqual(setup.states, ["polling"]);
    await stop();
  });
}

time.test("after five refused handshakes, the next ones are at least 15 minutes apart", async () => {
  const setup = setUp();
  setup.service.sockets.setFaults("refused");
  const { stop } = start(setup);
  await time.sleep(2 * HOUR);
  const gaps = setup.urls.slice(1).map(({ time }, i) => time - setup.urls[i].time);
  assert.ok(
    gaps.slice(0, 4).every((gap, i) => gap >= 700 * 2 ** i && gap <= 1_300 * 2 ** i + 100),
    gaps.join(),
  );
  assert.ok(gaps.length >= 7 && gaps.slice(4).every((gap) => gap >= 15 * MINUTE && gap <= 30 * MINUTE), gaps.join());
  await stop();
});

time.test("it connects again after every close, polls once, and backs off", async () => {
  const setup = setUp();
  const { service } = setup;
  const { stop } = start(setup, { include: ["transaction"] });
  for (const code of [1000, 1001, 1006, 1011]) {
    await every12s(2 * MINUTE, () => prove(setup));
    assert.equal(setup.states.at(-1), "live");
    const count = setup.urls.length;
    service.sockets.close(code);
    await time.sleep(100);
    assert.equal(setup.states.at(-1), "polling");
    setup.requests.length = 0;
    await time.sleep(2 * SECOND);
    assert.equal(setup.urls.length, count + 1, String(code));
    assert.ok(setup.requests.length >= 1);
  }
  // A service that accepts and closes again is not a reliable one.
  const { length } = setup.urls;
  for (let i = 0; i < 600; i++) {
    await time.sleep(SECOND);
    prove(setup);
    service.sockets.close();
  }
  assert.ok(setup.urls.length - length <= 25, String(setup.urls.length - length));
  await stop();
});

time.test("a topic that closes is joined again, and its events are not missed", async () => {
  const setup = setUp();
  const { service, address_hash } = setup;
  const { notices, stop } = start(setup);
  await every12s(MINUTE, () => prove(setup));
  for (const event of ["phx_error", "phx_close"]) {
    service.sockets.announce(getTopic(address_hash), event);
    notices.length = 0;
    service.grow(1);
    await time.sleep(5 * SECOND);
    assert.ok(notices.length > 0, event);
    assert.ok(service.sockets.topics.includes(getTopic(address_hash)));
  }
  assert.equal(setup.urls.length, 3);
  await stop();
});

time.test("an event that nothing announced costs the trust", async () => {
  const setup = setUp();
  const { service } = setup;
  const { notices, stop } = start(setup, { include: COVERED });
  await every12s(11 * MINUTE, () => prove(setup));
  assert.equal(setup.states.at(-1), "live");
  service.sockets.setFaults("silent");
  service.grow(1);
  service.sockets.setFaults();
  await every12s(6 * MINUTE, () => prove(setup));
  assert.ok(notices.length > 0);
  assert.equal(setup.states.at(-1), "polling");
  await every12s(33 * MINUTE, () => prove(setup));
  assert.equal(setup.states.at(-1), "live");
  await stop();
});

time.test("an announced event that polls could not read for minutes does not cost the trust", async () => {
  const setup = setUp();
  const { service } = setup;
  const { notices, stop } = start(setup, { include: COVERED });
  await every12s(3 * MINUTE, () => prove(setup));
  setup.isOffline = true;
  service.grow(1);
  await every12s(5 * MINUTE, () => prove(setup));
  setup.isOffline = false;
  await every12s(5 * MINUTE, () => prove(setup));
  assert.ok(notices.length > 0);
  assert.equal(setup.states.at(-1), "live");
  await stop();
});

time.test("without events of the chain, the socket is no longer trusted after a minute", async () => {
  const setup = setUp();
  const { stop } = start(setup);
  await every12s(5 * MINUTE, () => prove(setup));
  assert.equal(setup.states.at(-1), "live");
  await time.sleep(100 * SECOND);
  assert.equal(setup.states.at(-1), "live");
  await time.sleep(30 * SECOND);
  assert.equal(setup.states.at(-1), "polling");
  await stop();
});

time.test("an unanswered heartbeat closes the socket", async () => {
  const setup = setUp();
  const { stop } = start(setup);
  await time.sleep(MINUTE);
  setup.service.sockets.setFaults("unanswered");
  await time.sleep(45 * SECOND);
  assert.ok(setup.urls.length >= 2);
  setup.service.sockets.setFaults();
  await time.sleep(MINUTE);
  assert.equal(setup.service.sockets.connections, 1);
  await stop();
});

for (const fault of ["duplicates", "reordered", "hostile_frames", "closes"]) {
  time.test(`${fault}: every event is delivered once`, async () => {
    const setup = setUp();
    const { client, service, address_hash } = setup;
    const from = (await client.blocks()).items[0].height + 1;
    service.sockets.setFaults(fault);
    const { notices, stop } = start(setup);
    await time.sleep(10 * SECOND);
    for (let i = 0; i < 30; i++) {
      service.grow(1);
      await time.sleep(12 * SECOND);
    }
    await time.sleep(6 * MINUTE);
    assert.deepEqual(
      notices.map(({ notice }) => simplify(notice)),
      getExpectedEvents(service, address_hash, { from }),
    );
    await stop();
  });
}

time.test("watches share a socket, and the last one closes it", async () => {
  const setup = setUp();
  const { service, address_hash, other } = setup;
  const first = start(setup);
  const second = start(setup, { address_hash: other });
  const third = start(setup);
  await time.sleep(MINUTE);
  assert.equal(setup.urls.length, 1);
  assert.equal(service.sockets.topics.length, 3);
  await third.stop();
  await first.stop();
  await time.sleep(SECOND);
  assert.deepEqual(service.sockets.topics, ["transactions:new_transaction", getTopic(other)]);
  assert.ok(!service.sockets.topics.includes(getTopic(address_hash)));
  await second.stop();
  await time.sleep(SECOND);
  assert.equal(service.sockets.connections, 0);
});

time.test("a page that is hidden for a minute closes the socket, and opens another one when it is shown", async () => {
  const page = new EventTarget();
  page.hidden = false;
  globalThis.document = page;
  const setup = setUp();
  const { stop } = start(setup);
  const setHidden = (hidden) => {
    page.hidden = hidden;
    page.dispatchEvent(new Event("visibilitychange"));
  };
  await time.sleep(MINUTE);
  setHidden(true);
  await time.sleep(59 * SECOND);
  assert.equal(setup.service.sockets.connections, 1);
  await time.sleep(2 * SECOND);
  assert.equal(setup.service.sockets.connections, 0);
  await time.sleep(HOUR);
  assert.equal(setup.urls.length, 1);
  setHidden(false);
  await time.sleep(SECOND);
  assert.equal(setup.urls.length, 2);
  assert.equal(setup.service.sockets.connections, 1);
  await stop();
  delete globalThis.document;
});

time.test("it says when polls fail", async () => {
  const setup = setUp();
  const { call, stop } = start(setup, { include: COVERED });
  await time.sleep(MINUTE);
  setup.isOffline = true;
  await time.sleep(2 * MINUTE);
  assert.equal(call.report.state, "retrying");
  assert.deepEqual(call.report.kinds, { transaction: "stale", token_transfer: "stale" });
  setup.isOffline = false;
  await time.sleep(2 * MINUTE);
  assert.deepEqual(setup.states, ["polling", "retrying", "polling"]);
  await stop();
});

time.test("the socket of the gateway needs a key, and its credits are counted and limited", async () => {
  const baseUrl = "https://api.sample.invalid/1";
  const setup = setUp({ baseUrl, maxCredits: 1_000_000 });
  const { service } = setup;
  const polling = start(setup, { live: false });
  await time.sleep(MINUTE);
  await polling.stop();
  assert.deepEqual(setup.urls, []);
  await assert.rejects(start(setup).ended, { code: "invalid_parameter", parameter: "live" });
  const { call, notices, stop } = start(setup, { live: { apiKey: "a key" } });
  await time.sleep(MINUTE);
  assert.equal(setup.urls[0].url, "wss://api.sample.invalid/ws/1?apikey=a%20key");
  service.grow(1);
  await time.sleep(2 * SECOND);
  assert.ok(notices.length > 0);
  assert.equal(setup.states.at(-1), "live");
  // The connection, two subscriptions, the events of the chain and the address, and the end of the subscription to the chain.
  assert.equal(call.report.credits, 10 + 2 + 4 + 1);
  await every12s(HOUR, () => prove(setup));
  assert.equal(setup.states.at(-1), "live");
  assert.ok(call.report.credits <= 17 + 3 * 16, String(call.report.credits));
  await stop();
  const limited = setUp({ baseUrl, maxCredits: 5 });
  await assert.rejects(start(limited, { live: { apiKey: "a" } }).ended, { code: "credit_limit" });
  assert.deepEqual(limited.urls, []);
});

test("invalid parameters are rejected before any request", async () => {
  const { client, address_hash, requests } = setUp();
  for (const [params, parameter] of [
    [{ live: "yes" }, "live"],
    [{ live: { key: "a" } }, "key"],
    [{ pollMs: 999 }, "pollMs"],
    [{ pollMs: 60_001 }, "pollMs"],
    [{ pollMs: "1000" }, "pollMs"],
    [{ onState: {} }, "onState"],
  ]) {
    const call = watch(client, { address_hash, ...params });
    await assert.rejects(call[Symbol.asyncIterator]().next(), { code: "invalid_parameter", parameter });
  }
  assert.equal(requests.length, 0);
});

test("any events of the socket, and none, lead to the same data as polling alone", async (context) => {
  const { stdout } = await promisify(execFile)(execPath, [RANDOM_SCRIPT, "--live", ...SEEDS], { maxBuffer: 1 << 26 });
  for (const line of stdout.trim().split("\n")) {
    const { seed, error, counts, sockets, missing, extra } = JSON.parse(line);
    if (error !== undefined) assert.fail(error);
    context.diagnostic(`seed ${seed}: ${counts.added} events, ${counts.removed} removed, ${sockets} sockets`);
    assert.deepEqual({ missing, extra }, { missing: [], extra: [] }, `seed ${seed}`);
  }
});
