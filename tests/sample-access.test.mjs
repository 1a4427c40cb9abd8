// Tests of the refusals of the sample service: keys, rate limits, the CDN's pages, and what a page of another origin sees of them.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { createPageFetch, createSampleService } from "../pkg/testing/index.js";
import { startSampleServer } from "./sample-server.mjs";

const INSTANCE = "https://instance.example";
const PAGE = "https://app.example";
const LIST = `${INSTANCE}/api/v2/withdrawals`;
const ACTION = `${INSTANCE}/api?module=account&action=listaccounts`;
const BLOCK_ACTION = `${INSTANCE}/api?module=block&action=getblocknobytime&timestamp=1700000000&closest=before`;

const requestStatus = async (service, url, init) => (await service.fetch(url, init)).status;

describe("an instance that requires a key", () => {
  const KEY = "instance-key";
  const createService = (requiresKey) => createSampleService({ requiresKey, apiKeys: [KEY] });

  test("for the account module refuses keyless calls, and serves REST and GraphQL", async () => {
    const service = createService("account_module");
    for (const url of [ACTION, BLOCK_ACTION, ACTION.replace("/api?", "/api/v1?")]) {
      const response = await service.fetch(url);
      assert.equal(response.status, 401);
      assert.deepEqual(await response.json(), { message: "Unauthorized", result: null, status: "0" });
      assert.equal(response.headers.get("access-control-allow-origin"), "*");
    }
    assert.equal(await requestStatus(service, LIST), 200);
    const query = { method: "POST", body: JSON.stringify({ query: "{ __typename }" }) };
    assert.notEqual(await requestStatus(service, `${INSTANCE}/api/v1/graphql`, query), 401);
    assert.equal(await requestStatus(service, `${ACTION}&apikey=${KEY}`), 200);
  });

  test("always refuses keyless REST requests, too", async () => {
    const service = createService("always");
    const response = await service.fetch(LIST);
    assert.deepEqual([response.status, await response.json()], [401, { message: "Unauthorized" }]);
    assert.equal(await requestStatus(service, ACTION), 401);
    assert.equal(await requestStatus(service, `${LIST}?apikey=${KEY}`), 200);
  });

  test("prefers the header to the parameter, and treats an unknown key like a missing one", async () => {
    const service = createService("always");
    const headers = (key) => ({ headers: { "x-api-key": key } });
    assert.equal(await requestStatus(service, LIST, headers(KEY)), 200);
    assert.equal(await requestStatus(service, `${LIST}?apikey=${KEY}`, headers("other")), 401);
    assert.equal(await requestStatus(createSampleService(), `${LIST}?apikey=other`), 200);
  });

  test("can begin to require it", async () => {
    const service = createService("never");
    assert.equal(await requestStatus(service, ACTION), 200);
    service.reconfigure({ requiresKey: "account_module" });
    assert.equal(await requestStatus(service, ACTION), 401);
    assert.equal(await requestStatus(service, LIST), 200);
  });
});

describe("the CDN", () => {
  test("refuses with status 403 as HTML, as text or without a body, and without CORS headers", async () => {
    const service = createSampleService({ faults: { rate: 1, kinds: ["cdn_forbidden"] } });
    const bodies = new Set();
    for (let i = 0; i < 30; i++) {
      const { status, headers, ...response } = await service.fetch(LIST).then(async (response) => ({
        status: response.status,
        headers: response.headers,
        body: await response.text(),
      }));
      assert.equal(status, 403);
      for (const name of headers.keys()) assert.doesNotMatch(name, /^(access-control|x-ratelimit)-/);
      bodies.add(response.body.slice(0, 16));
    }
    assert.deepEqual([...bodies].sort(), ["", "<!DOCTYPE html><", "error code: 1010"]);
  });

  test("challenges requests without a Referer of the instance's own origin", async () => {
    const service = createSampleService({ requiresReferer: true });
    const request = (referer) => service.fetch(LIST, referer === undefined ? {} : { headers: { referer } });
    for (const referer of [undefined, `${PAGE}/`, `${INSTANCE}.evil.example/`]) {
      const response = await request(referer);
      assert.equal(response.status, 403);
      assert.equal(response.headers.get("access-control-allow-origin"), null);
      assert.match(await response.text(), /^<!DOCTYPE html>.*Just a moment/);
    }
    assert.equal((await request(`${INSTANCE}/address/0x1`)).status, 200);
  });
});

describe("a rate limit", () => {
  /** Runs a test with a clock that it sets. */
  const testWithClock = (name, run) =>
    test(name, async (t) => {
      t.mock.timers.enable({ apis: ["Date"], now: 1_800_000_000_000 });
      await run(t.mock.timers);
    });
  const read = async (service, url = LIST) => {
    const { status, headers } = await service.fetch(url);
    return [status, ...["limit", "remaining", "reset"].map((name) => Number(headers.get(`x-ratelimit-${name}`)))];
  };

  testWithClock("counts the requests of a window, and states the wait in milliseconds", async (clock) => {
    const service = createSampleService({ rateLimit: { requests: 2 } });
    assert.deepEqual(await read(service), [200, 2, 1, 60_000]);
    clock.tick(10_000);
    assert.deepEqual(await read(service, ACTION), [200, 2, 0, 50_000]);
    assert.deepEqual(await read(service), [429, 2, 0, 50_000]);
    clock.tick(49_999);
    assert.deepEqual(await read(service), [429, 2, 0, 1]);
    clock.tick(1);
    assert.deepEqual(await read(service), [200, 2, 1, 60_000]);
  });

  testWithClock("can refuse for minutes without saying so", async (clock) => {
    const service = createSampleService({ rateLimit: { requests: 1, blockMs: 600_000, statesReset: false } });
    assert.deepEqual(await read(service), [200, 1, 0, 60_000]);
    assert.deepEqual(await read(service), [429, 1, 0, -1]);
    clock.tick(599_999);
    // Requests in between do not extend it.
    assert.deepEqual(await read(service), [429, 1, 0, -1]);
    clock.tick(1);
    assert.equal((await read(service))[0], 200);
  });

  testWithClock("has the bodies of both interfaces", async () => {
    const service = createSampleService({ rateLimit: { requests: 0 } });
    const message = "Too many requests. Increase limits now at https://dev.blockscout.com";
    assert.deepEqual(await (await service.fetch(LIST)).json(), { message });
    const response = await service.fetch(ACTION);
    assert.deepEqual([response.status, await response.json()], [429, { message, result: null, status: "0" }]);
    assert.equal(response.headers.get("access-control-allow-origin"), "*");
    assert.equal(response.headers.get("retry-after"), null);
  });

  testWithClock("does not count requests with a key, and outlives other changes", async () => {
    const service = createSampleService({ rateLimit: { requests: 1, blockMs: 600_000 }, apiKeys: ["key"] });
    for (let i = 0; i < 3; i++) assert.equal((await read(service, `${LIST}?apikey=key`))[0], 200);
    assert.equal((await read(service))[0], 200);
    assert.equal((await read(service))[0], 429);
    service.reconfigure({ backendVersion: 12 });
    assert.equal((await read(service))[0], 429);
    service.reconfigure({ rateLimit: undefined });
    assert.equal((await read(service))[0], 200);
  });

  test("rejects invalid options", () => {
    for (const [rateLimit, message] of [
      [{ requests: -1 }, /rateLimit\.requests must be a non-negative integer, got -1/],
      [{ requests: 1, windowMs: 0 }, /rateLimit\.windowMs must be a positive integer, got 0/],
      [{ requests: 1, blockMs: 0.5 }, /rateLimit\.blockMs must be a non-negative integer, got 0.5/],
      [{ requests: 1, perSecond: 2 }, /unknown option rateLimit\.perSecond; valid options are requests, windowMs/],
    ]) {
      assert.throws(() => createSampleService({ rateLimit }), { name: "RangeError", message });
    }
    assert.throws(
      () => createSampleService({ requiresKey: true }),
      /requiresKey must be one of never, account_module, always, got true/,
    );
    assert.throws(() => createSampleService({ apiKeys: "key" }), /apiKeys must be an array of strings/);
  });
});

describe("a page of another origin", () => {
  const script = (fault) => ({ faults: { script: [{ match: "", fault, times: Number.POSITIVE_INFINITY }] } });
  const createFetch = (options) => createPageFetch(createSampleService(options).fetch, PAGE);

  test("reads responses with CORS headers, and only the headers that are exposed", async () => {
    const { headers } = await createFetch()(LIST);
    assert.deepEqual([...headers.keys()].sort(), [
      "bypass-429-option",
      "content-type",
      "x-ratelimit-limit",
      "x-ratelimit-remaining",
      "x-ratelimit-reset",
    ]);
    const refused = await createFetch(script("rate_limited_retry_after"))(LIST);
    assert.deepEqual([refused.status, refused.headers.get("retry-after")], [429, null]);
    assert.equal((await createFetch({ requiresKey: "always" })(LIST)).status, 401);
  });

  test("sees only a TypeError when the CDN refuses", async () => {
    for (const options of [script("cdn_forbidden"), { requiresReferer: true }]) {
      await assert.rejects(createFetch(options)(LIST), { name: "TypeError", message: "Failed to fetch" });
    }
  });

  test("cannot send a header that the service does not allow", async () => {
    const fetch = createFetch();
    await assert.rejects(fetch(LIST, { headers: { "x-api-key": "key" } }), TypeError);
    assert.equal((await fetch(LIST, { headers: { "show-scam-tokens": "true" } })).status, 200);
  });

  test("is not restricted on its own origin", async () => {
    const service = createSampleService({ requiresReferer: true, ...script("rate_limited_retry_after") });
    const response = await createPageFetch(service.fetch, INSTANCE)(LIST, { headers: { "x-api-key": "key" } });
    assert.deepEqual([response.status, response.headers.get("retry-after")], [429, "1"]);
  });

  test("can abort a request with its own reason", async () => {
    const controller = new AbortController();
    const response = createFetch({ latencyMs: 60_000 })(LIST, { signal: controller.signal });
    const reason = new Error("no longer needed");
    controller.abort(reason);
    await assert.rejects(response, (error) => error === reason);
  });
});

describe("over HTTP", () => {
  test("CORS headers come from the sample service, and options reach it", async (t) => {
    const server = await startSampleServer({ requiresReferer: true, requiresKey: "account_module" });
    t.after(server.close);
    const challenged = await fetch(`${server.url}/api/v2/withdrawals`);
    assert.deepEqual([challenged.status, challenged.headers.get("access-control-allow-origin")], [403, null]);
    const headers = { referer: `${server.url}/` };
    const served = await fetch(`${server.url}/v9/api/v2/withdrawals`, { headers });
    assert.deepEqual([served.status, served.headers.get("access-control-allow-origin")], [200, "*"]);
    const refused = await fetch(`${server.url}/api?module=account&action=listaccounts`, { headers });
    assert.equal(refused.status, 401);
  });
});
