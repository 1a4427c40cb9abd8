// Random schedules of calls while the module is loading, in virtual time: the results equal the results with a loaded module, and
// the service gets the same requests, but earlier.
import assert from "node:assert/strict";
import { test } from "node:test";
import { createRandom } from "../../target/parts/testing/random.js";
import { importSlim, WASM } from "./late-module.mjs";
import { BASE, createDeferred, HASH } from "./support.mjs";
import { VirtualTime } from "./virtual-time.mjs";

const SEEDS = Number(process.env.SEEDS ?? 30);
const EMPTY_PAGE = '{"items":[],"next_page_params":null}';
const KEY = "proapi_00";
const time = new VirtualTime();
const compiled = await WebAssembly.compile(WASM);
const { instantiate } = WebAssembly;

/** Calls, limits and failures. The same seed gives the same schedule. */
function createSchedule(seed) {
  const random = createRandom("early requests", seed);
  const names = [
    "addressWithdrawals",
    "addressLogs",
    "address",
    "addressCounters",
    "stats",
    "addressTokens",
    "addressTokensOfType",
  ];
  const limits = [{}, { maxConcurrent: 1 }, { maxConcurrent: 3 }, { maxPerSecond: 1 }, { maxPerSecond: 2.5 }];
  const keys = [{}, { apiKey: KEY }, { apiKey: async () => KEY }];
  const params = [{ address_hash: HASH }, { address_hash: HASH }, { address_hash: "0x" }, { address_hash: HASH, unknown: 1 }];
  return {
    options: { baseUrl: BASE, maxAttempts: 1, ...random.pick(limits), ...random.pick(keys) },
    arrival: random.pick(["during", "late", "later", "never", "failing", "trapping"]),
    /** The call of an export during which the instance traps, counted from the first one. */
    trapAt: random.nextInt(400),
    isOffline: random.nextBoolean(0.1),
    /** How long the service takes for a response. Some calls never get one. */
    latency: random.pick([1, 20, 2_000]),
    stalled: random.nextBoolean(0.3) ? random.pick(["logs", "counters", "withdrawals"]) : null,
    calls: Array.from({ length: 1 + random.nextInt(8) }, () => ({
      client: random.nextInt(2),
      name: random.pick(names),
      params: random.pick(params),
      delay: random.pick([0, 0, 0, 5]),
      abortedAfter: random.nextBoolean(0.25) ? random.pick([0, 1, 10]) : null,
    })),
  };
}

/** Returns a method. The module changes the type of a token before it sends it. */
function getMethod(client, name) {
  if (name === "stats") return (_, options) => client.stats({}, options);
  if (name !== "addressTokensOfType") return (...args) => client[name](...args);
  return (params, options) => client.addressTokens({ ...params, type: "erc-20" }, options);
}

/** A service that records its requests: URL, time, and whether the response has arrived or the request was aborted. */
function createService({ isOffline, latency, stalled }) {
  const requests = [];
  const fetch = ({ url, signal }) =>
    new Promise((resolve, reject) => {
      const request = { url, at: time.now, inFlight: requests.filter(({ isOpen }) => isOpen).length + 1, isOpen: true };
      requests.push(request);
      const end = (settle, value) => {
        request.isOpen = false;
        settle(value);
      };
      signal.addEventListener("abort", () => end(reject, signal.reason));
      if (isOffline) setTimeout(() => end(reject, new TypeError("Failed to fetch")), 1);
      else if (!url.includes(stalled)) {
        const body = /logs|withdrawals|tokens/.test(url) ? EMPTY_PAGE : "{}";
        setTimeout(() => end(resolve, new Response(body)), latency);
      }
    });
  return { fetch, requests };
}

/** Replaces the next instance with one that traps during this call of an export. */
function trapOnce(trapAt) {
  WebAssembly.instantiate = async (module, imports) => {
    WebAssembly.instantiate = instantiate;
    const { exports } = await instantiate(module, imports);
    let calls = 0;
    const trap = (call) =>
      typeof call !== "function"
        ? call
        : (...args) => {
            if (++calls === trapAt) throw new WebAssembly.RuntimeError("unreachable");
            return call(...args);
          };
    return { exports: Object.fromEntries(Object.entries(exports).map(([name, value]) => [name, trap(value)])) };
  };
}

/** Calls a method whose request is not sent early, after which no other request is. */
async function endEarlyRequests(AddressClient) {
  const controller = new AbortController();
  const client = new AddressClient({ baseUrl: `${BASE}/`, fetch: () => assert.fail("a request was sent") });
  const call = client.stats({}, { signal: controller.signal });
  controller.abort();
  await assert.rejects(call, { code: "aborted" });
}

/**
 * Runs a schedule with a new copy of the entry. Returns the result of each call, the requests that the service has seen, and the URLs
 * of the events.
 */
async function run({ AddressClient, init }, schedule, arrival, isEarly = true) {
  const module = createDeferred();
  const { fetch, requests } = createService(schedule);
  const events = [];
  const onEvent = ({ kind, url }) => kind === "request" && events.push(url);
  const clients = [0, 1].map(() => new AddressClient({ ...schedule.options, fetch, onEvent }));
  if (arrival === "trapping") trapOnce(schedule.trapAt);
  if (arrival === "before") await init({ module: compiled });
  else init({ module: module.promise }).catch(() => {});
  if (!isEarly) await endEarlyRequests(AddressClient);
  const end = new AbortController();
  const calls = schedule.calls.map(async ({ client, name, params, delay, abortedAfter }) => {
    await time.sleep(delay);
    const controller = new AbortController();
    end.signal.addEventListener("abort", () => controller.abort());
    const call = getMethod(clients[client], name)(params, {
      signal: controller.signal,
      timeoutMs: 600_000,
      deadlineMs: 600_000,
    });
    const result = call.then(
      (value) => JSON.stringify(value),
      ({ code, parameter }) => `${code} ${parameter}`,
    );
    if (abortedAfter === 0) controller.abort();
    else if (abortedAfter !== null) setTimeout(() => controller.abort(), abortedAfter);
    return result;
  });
  if (arrival !== "during") await time.sleep(arrival === "later" ? 5_000 : 15);
  if (arrival === "failing") module.reject(new Error("no module"));
  else if (arrival !== "never") module.resolve(compiled);
  // By then everything has settled except stalled requests and calls that wait for a module that never arrives.
  await time.sleep(60_000);
  end.abort();
  const results = await Promise.all(calls);
  await time.sleep(10_000);
  WebAssembly.instantiate = instantiate;
  return { results, requests, events };
}

const countEach = (values) => values.reduce((counts, value) => counts.set(value, (counts.get(value) ?? 0) + 1), new Map());

/** Checks that the service has seen no more requests than the limits allow. */
function checkLimits({ maxConcurrent = 6, maxPerSecond }, requests, message) {
  for (const { inFlight } of requests) assert.ok(inFlight <= maxConcurrent, `${message}: ${inFlight} in flight`);
  const count = Math.max(1, Math.floor(maxPerSecond ?? requests.length));
  requests.slice(count).forEach(({ at }, index) => {
    assert.ok(at - requests[index].at >= (count * 1_000) / maxPerSecond, `${message}: more than ${count} requests in a window`);
  });
}

test("random schedules: same results, same requests, none repeated, none left open, all within the limits", async () => {
  const arrivals = new Map();
  let early = 0;
  for (let seed = 0; seed < SEEDS; seed++) {
    const schedule = createSchedule(seed);
    const { arrival, options, calls } = schedule;
    const reference = await time.run(run(await importSlim(), schedule, "before"));
    const { results, requests, events } = await time.run(run(await importSlim(), schedule, arrival));
    const message = `seed ${seed}: ${JSON.stringify(schedule)}`;
    const isAborted = (index) => calls[index].abortedAfter !== null;

    results.forEach((result, index) => {
      const expected = reference.results[index];
      // Whether an aborted call ends earlier depends on the time.
      if (isAborted(index) && result === "aborted undefined") return;
      // A call without a module cannot be checked, and one during a crash fails.
      const possible = { failing: ["load undefined"], never: ["aborted undefined"], trapping: [expected, "internal undefined"] };
      const isPossible = (possible[arrival] ?? [expected]).includes(result);
      assert.ok(isPossible, `${message}: call ${index} is ${result} instead of ${expected}`);
    });

    const isLoaded = !["failing", "never", "trapping"].includes(arrival);
    const today = isLoaded ? await time.run(run(await importSlim(), schedule, arrival, false)) : reference;
    const expectedUrls = countEach(today.requests.map(({ url }) => url));
    for (const [url, count] of countEach(requests.map(({ url }) => url))) {
      // A call that was aborted before its request was sent may have sent it early.
      const more = calls.some((_, index) => isAborted(index)) ? 1 : 0;
      const most = (expectedUrls.get(url) ?? 0) + more;
      assert.ok(count <= most, `${message}: ${url} is sent ${count} times instead of ${most}`);
    }
    if (isLoaded) {
      const sent = countEach(requests.map(({ url }) => url));
      for (const [url, count] of expectedUrls) {
        const isCertain = !calls.some((_, index) => isAborted(index));
        assert.ok(!isCertain || sent.get(url) === count, `${message}: ${url} is not sent`);
      }
      const seen = countEach(events);
      for (const [url, count] of sent) {
        const logged = seen.get(url.replace(/.apikey=.*/, "")) ?? 0;
        assert.ok(logged >= count, `${message}: ${count - logged} requests of ${url} have no event`);
      }
    }
    assert.deepEqual(
      requests.filter(({ isOpen }) => isOpen),
      [],
      `${message}: requests are left behind`,
    );
    checkLimits(options, requests, message);
    arrivals.set(arrival, (arrivals.get(arrival) ?? 0) + 1);
    if (arrival === "never") early += requests.length;
  }
  assert.equal(arrivals.size, 6, "all arrivals");
  assert.ok(early > 0, "some requests are sent early");
});
