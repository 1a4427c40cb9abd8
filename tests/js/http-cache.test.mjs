// HTTP caches between a client and the service, in the browser and on the way. Calls that must be fresh bypass them, and so do
// retries.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { approvals } from "../../pkg/approvals/index.js";
import { fresh } from "../../pkg/arguments.js";
import { activitySpan, auditBalance, history, mergeHistories, watch } from "../../pkg/history/index.js";
import { AddressClient } from "../../pkg/index.js";
import { portfolio } from "../../pkg/portfolio/index.js";
import { createSampleService } from "../../pkg/testing/index.js";
import { loadLate } from "./late-module.mjs";
import { BASE_PATH, createTestProxy, ORIGIN, startUpstream } from "./proxy-upstream.mjs";
import { BASE, collect, createFetch, HASH, page, row, WITHDRAWALS } from "./support.mjs";

/** Creates a `fetch` with the HTTP cache of a browser in front of a proxy. It sends the headers that a browser adds. */
function createCachingFetch(proxy) {
  const kept = new Map();
  return async ({ url, cache }) => {
    const found = cache === "default" && kept.get(url);
    if (found) return found.clone();
    const headers = { "sec-fetch-site": "same-origin", ...(cache === "no-store" && { "cache-control": "no-cache" }) };
    const response = await proxy(new Request(url, { headers }));
    if (/max-age/.test(response.headers.get("cache-control"))) kept.set(url, response.clone());
    return response;
  };
}

const createClient = (upstream, options) =>
  new AddressClient({
    baseUrl: `${ORIGIN}${BASE_PATH}/1`,
    fetch: createCachingFetch(createTestProxy(upstream, { maxAge: 60 })),
    ...options,
  });

describe("behind a proxy with maxAge", () => {
  test("a history has the records that arrived after its pages were cached", async (t) => {
    const withdrawals = [row(1, { block_number: 5 })];
    const upstream = await startUpstream(t, (request, response) => {
      const [{ block_number }] = withdrawals;
      if (request.url.includes("getblocknobytime")) {
        response.end(JSON.stringify({ status: "1", message: "OK", result: { blockNumber: String(block_number) } }));
      } else response.end(JSON.stringify({ items: withdrawals, next_page_params: null }));
    });
    const client = createClient(upstream);
    const readList = async () => (await client.addressWithdrawals({ address_hash: HASH })).items.length;
    assert.equal(await readList(), 1);
    withdrawals.unshift(row(2, { block_number: 6 }));
    assert.equal(await readList(), 1, "the list is cached");
    for (const order of ["desc", "asc"]) {
      const events = history(client, { address_hash: HASH, include: ["withdrawal"], order });
      assert.equal((await collect(events)).length, 2, order);
      assert.equal(events.report.complete, true);
    }
  });

  for (const body of [
    "<html><title>Just a moment...</title></html>",
    '{"status":"0","message":"NOTOK","result":"Max rate limit reached"}',
    "null",
    '{"items":[',
  ]) {
    test(`a retry after ${body} reaches the gateway`, async (t) => {
      const bodies = [body];
      const upstream = await startUpstream(t, (_request, response) => response.end(bodies.shift() ?? page([1])));
      const { items } = await createClient(upstream).addressWithdrawals({ address_hash: HASH });
      assert.deepEqual([items.length, upstream.requests.length], [1, 2]);
      assert.equal(upstream.requests[1].headers["cache-control"], "no-cache");
    });
  }
});

test("every request of a history, watch, audit, portfolio and of approvals bypasses HTTP caches", async () => {
  const service = createSampleService({ backendVersion: 12 });
  const modes = new Map();
  let name = "";
  const fetch = (request) => {
    modes.set(name, [...(modes.get(name) ?? []), request.cache]);
    return service.fetch(request);
  };
  const client = new AddressClient({ baseUrl: BASE, fetch, maxPerSecond: 1000 });
  const { hash } = service.addresses.find(({ label }) => label === "Quiet account");
  const params = { address_hash: hash };
  const readFirst = async (iterable) => {
    for await (const _ of iterable) break;
  };
  const calls = {
    desc: () => collect(history(client, params)),
    asc: () => collect(history(client, { ...params, order: "asc" })),
    merged: () => collect(mergeHistories([{ client, ...params }])),
    portfolio: () => portfolio([{ client, ...params }]),
    watch: () => readFirst(watch(client, { ...params, since: 0 })),
    span: () => activitySpan(client, params),
    audit: () => auditBalance(client, params),
    approvals: () => approvals(client, { ...params, current: true }),
  };
  for (name of Object.keys(calls)) {
    await calls[name]();
    assert.ok(modes.get(name).length > 1, name);
    assert.deepEqual(new Set(modes.get(name)), new Set(["no-store"]), name);
  }
  name = "list";
  await client.addressWithdrawals(params);
  assert.deepEqual(modes.get(name), ["default"]);
});

test("an early request bypasses HTTP caches like the request that takes it over", async () => {
  const { AddressClient, arrive } = await loadLate();
  const fetch = createFetch(page([1]), page([2]));
  const client = new AddressClient({ baseUrl: BASE, fetch });
  const lists = [{}, { [fresh]: true }].map((options) =>
    client.addressWithdrawals({ address_hash: HASH }, options).then(({ items }) => items[0].index),
  );
  await fetch.sent(2);
  assert.deepEqual(
    fetch.requests.map(({ cache }) => cache),
    ["default", "no-store"],
  );
  arrive();
  assert.deepEqual(await Promise.all(lists), [1, 2]);
  assert.equal(fetch.requests.length, 2);
});

/** Replaces `Request` for a test with one that has no cache modes. `check` may throw, or return another URL. */
function removeCacheModes(t, check) {
  const { Request } = globalThis;
  globalThis.Request = class extends Request {
    constructor(url, init = {}) {
      super(check(url, init) ?? url, { ...init, cache: "default" });
    }
    get cache() {
      return undefined;
    }
  };
  t.after(() => {
    globalThis.Request = Request;
  });
}
/** React Native adds a parameter to the URL. */
const addParameter = (url, { cache }) => (cache === "no-store" ? `${url}?_=1` : undefined);

test("a request is left to the module where requests have no cache mode", async (t) => {
  const { AddressClient, arrive } = await loadLate();
  removeCacheModes(t, addParameter);
  const fetch = createFetch(page([1]));
  const client = new AddressClient({ baseUrl: BASE, fetch });
  const list = client.addressWithdrawals({ address_hash: HASH }, { [fresh]: true }).then(({ items }) => items.length);
  await new Promise((resolve) => setTimeout(resolve));
  assert.deepEqual(fetch.urls(), []);
  arrive();
  assert.equal(await list, 1);
  assert.deepEqual(fetch.urls(), [WITHDRAWALS]);
});

describe("a runtime whose requests have no cache mode", () => {
  const runtimes = {
    "rejects the option": (_url, { cache }) => {
      if (cache !== undefined) throw new Error("The 'cache' field on 'RequestInitializerDict' is not implemented.");
    },
    "adds a parameter to the URL": addParameter,
  };
  for (const [name, check] of Object.entries(runtimes)) {
    test(`gets no cache mode if it ${name}`, async (t) => {
      removeCacheModes(t, check);
      const fetch = createFetch(page([1]));
      const client = new AddressClient({ baseUrl: BASE, fetch });
      const { items } = await client.addressWithdrawals({ address_hash: HASH }, { [fresh]: true });
      assert.equal(items.length, 1);
      assert.deepEqual(fetch.urls(), [WITHDRAWALS]);
      assert.equal(fetch.requests[0].signal.aborted, false);
    });
  }
});
