// Requests that are sent while the module is still loading count like all others: limits, other tabs, events, timeouts.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { importCopy } from "./copies.mjs";
import { loadLate, WASM } from "./late-module.mjs";
import { BASE, createFetch, HASH, inPage, neverRespond, page, WITHDRAWALS } from "./support.mjs";

const EARLY_REQUESTS = new URL("../../target/parts/early-requests.js", import.meta.url);
const LISTS = [
  "addressWithdrawals",
  "addressLogs",
  "addressTokens",
  "addressNft",
  "addressTransactions",
  "addressBlocksValidated",
];
const EMPTY_PAGE = '{"items":[],"next_page_params":null}';
const params = { address_hash: HASH };

/** Waits until everything that can happen without the module has happened. */
const settle = () => new Promise((resolve) => setTimeout(resolve, 5));

const getCode = (promise) =>
  promise.then(
    () => "done",
    ({ code }) => code,
  );

/** Calls a method and aborts the call. Returns whether its request was sent. */
async function callAndAbort(client, fetch, name, more) {
  const sent = fetch.requests.length;
  const controller = new AbortController();
  const code = getCode(client[name]({ ...params, ...more }, { signal: controller.signal }));
  await settle();
  controller.abort();
  assert.equal(await code, "aborted");
  return fetch.requests.length > sent;
}

describe("a request that no call takes over", () => {
  test("is counted by the rate limiter", async () => {
    const { AddressClient, arrive } = await loadLate();
    const fetch = createFetch(neverRespond, EMPTY_PAGE);
    const events = [];
    const onEvent = ({ kind, url, ms }) => events.push([kind, url, ms > 0]);
    const client = new AddressClient({ baseUrl: BASE, fetch, onEvent, maxPerSecond: 1 });
    assert.equal(await callAndAbort(client, fetch, "addressWithdrawals"), true);
    assert.deepEqual(events, []);
    arrive();
    await client.preload();
    assert.deepEqual(events, [["request", WITHDRAWALS, false]]);
    await getCode(client.addressLogs(params, { deadlineMs: 100 }));
    assert.equal(fetch.requests.length, 1, "the rate limit requires a wait beyond the deadline");
    await client.addressLogs(params);
    assert.deepEqual(events[1], ["wait", `${BASE}/api/v2/addresses/${HASH}/logs`, true]);
  });

  test("is counted after the module failed to load", async () => {
    const { AddressClient, init, arrive, fail } = await loadLate();
    const fetch = createFetch(neverRespond, EMPTY_PAGE);
    const events = [];
    const client = new AddressClient({ baseUrl: BASE, fetch, onEvent: ({ kind }) => events.push(kind), maxPerSecond: 1 });
    const code = getCode(client.addressWithdrawals(params));
    const { signal } = await fetch.sent(1);
    fail(new Error("offline"));
    assert.equal(await code, "load");
    assert.equal(signal.aborted, true);
    arrive();
    await init({ module: WASM });
    assert.equal(await getCode(client.addressLogs(params)), "done");
    assert.deepEqual(events, ["request", "wait", "request", "response"]);
  });

  test("keeps the API key out of its event", () =>
    inPage(async () => {
      const { AddressClient, arrive } = await loadLate();
      const fetch = createFetch(neverRespond, neverRespond);
      const urls = [];
      const options = { baseUrl: BASE, apiKey: "proapi_00", fetch, onEvent: ({ url }) => urls.push(url) };
      const client = new AddressClient(options);
      assert.equal(await callAndAbort(client, fetch, "addressWithdrawals"), true);
      assert.equal(await callAndAbort(client, fetch, "addressTokens", { type: "ERC-20" }), true);
      arrive();
      await client.preload();
      assert.deepEqual(urls, [WITHDRAWALS, `${BASE}/api/v2/addresses/${HASH}/tokens?type=ERC-20`]);
    }));

  test("counts as one of the requests that may be sent early", async () => {
    const { AddressClient } = await loadLate();
    const fetch = createFetch(...LISTS.map(() => neverRespond));
    const slow = new AddressClient({ baseUrl: BASE, fetch, maxPerSecond: 2 });
    const fast = new AddressClient({ baseUrl: BASE, fetch });
    const sent = [];
    for (const [client, name] of LISTS.map((name, index) => [index < 3 ? slow : fast, name])) {
      sent.push(await callAndAbort(client, fetch, name));
    }
    assert.deepEqual(sent, [true, true, false, false, false, false]);
  });
});

describe("other tabs learn of", () => {
  /** Stubs the global `fetch` and the channel to other tabs, which clients with their own `fetch` do not use. */
  function stubGlobals(t, fetch) {
    const { BroadcastChannel, fetch: original } = globalThis;
    const messages = [];
    globalThis.BroadcastChannel = class {
      postMessage([kind]) {
        messages.push(kind);
      }
      close() {}
    };
    globalThis.fetch = fetch;
    t.after(() => Object.assign(globalThis, { BroadcastChannel, fetch: original }));
    return messages;
  }

  test("a request that is taken over, once", async (t) => {
    const fetch = createFetch(page([1]));
    const messages = stubGlobals(t, fetch);
    const { AddressClient, arrive } = await loadLate();
    const call = new AddressClient({ baseUrl: BASE }).addressWithdrawals(params).then();
    await fetch.sent(1);
    arrive();
    await call;
    assert.deepEqual(messages, [0]);
    assert.equal(fetch.requests.length, 1);
  });

  test("a request that no call takes over, once", async (t) => {
    const fetch = createFetch(neverRespond);
    const messages = stubGlobals(t, fetch);
    const { AddressClient, arrive } = await loadLate();
    const client = new AddressClient({ baseUrl: BASE });
    assert.equal(await callAndAbort(client, fetch, "addressWithdrawals"), true);
    arrive();
    await client.preload();
    await client.preload();
    assert.deepEqual(messages, [0]);
  });
});

test("requests that are taken over keep later ones within maxConcurrent and maxPerSecond", async (t) => {
  t.mock.timers.enable({ apis: ["Date"] });
  for (const limits of [{ maxConcurrent: 2 }, { maxPerSecond: 2 }]) {
    const { AddressClient, arrive } = await loadLate();
    const fetch = createFetch(neverRespond, neverRespond, EMPTY_PAGE);
    const events = [];
    const onEvent = ({ kind }) => events.push(kind);
    const client = new AddressClient({ baseUrl: BASE, fetch, onEvent, ...limits });
    const controller = new AbortController();
    const codes = LISTS.slice(0, 3).map((name) => getCode(client[name](params, { signal: controller.signal })));
    await settle();
    arrive();
    await client.preload();
    await settle();
    assert.equal(fetch.requests.length, 2);
    assert.deepEqual(events, ["request", "request", "wait"], JSON.stringify(limits));
    controller.abort();
    assert.deepEqual(await Promise.all(codes), ["aborted", "aborted", "aborted"]);
  }
});

test("nothing is sent early after a call whose request the module sends first", async () => {
  for (const limits of [{ maxConcurrent: 2 }, { maxPerSecond: 2 }]) {
    const { AddressClient, arrive } = await loadLate();
    const fetch = createFetch(...LISTS.map(() => neverRespond));
    const client = new AddressClient({ baseUrl: BASE, fetch, ...limits });
    const controller = new AbortController();
    const start = (name, more) => getCode(client[name]({ ...params, ...more }, { signal: controller.signal }));
    const codes = [start("addressLogs"), start("addressTokens", { type: "erc-20" }), start("addressWithdrawals")];
    await settle();
    assert.equal(fetch.requests.length, 1);
    arrive();
    await client.preload();
    await settle();
    assert.deepEqual(
      fetch.urls().map((url) => url.slice(url.lastIndexOf("/"))),
      ["/logs", "/tokens?type=ERC-20"],
    );
    controller.abort();
    await Promise.all(codes);
  }
});

test("an early request equals the module's request in every respect", async () => {
  const FIELDS = ["method", "url", "credentials", "redirect", "mode", "cache", "referrerPolicy", "integrity", "keepalive"];
  const describeRequest = (request) => [...FIELDS.map((field) => [field, request[field]]), ...request.headers];
  for (const more of [{}, { apiKey: "proapi_00" }]) {
    const fetch = createFetch(neverRespond, EMPTY_PAGE);
    // A server sends its key in a header, and no early requests.
    await inPage(async () => {
      const { AddressClient, arrive } = await loadLate();
      const client = new AddressClient({ baseUrl: BASE, fetch, allowKeyInPage: true, ...more });
      await callAndAbort(client, fetch, "addressLogs");
      arrive();
      await client.preload();
      await client.addressLogs(params);
    });
    const [early, late] = fetch.requests;
    assert.deepEqual(describeRequest(early), describeRequest(late));
    assert.equal(early.redirect, more.apiKey ? "manual" : "follow");
  }
});

test("each client sends with its own fetch", async () => {
  const { AddressClient, arrive } = await loadLate();
  const fetches = [createFetch(page([1])), createFetch(page([2])), createFetch(page([3]))];
  const { fetch } = globalThis;
  globalThis.fetch = fetches[2];
  try {
    const options = [{ fetch: fetches[0] }, { fetch: fetches[1] }, {}];
    const controller = new AbortController();
    const calls = options.map((more, index) =>
      new AddressClient({ baseUrl: BASE, ...more })
        .addressWithdrawals(params, index === 0 ? { signal: controller.signal } : {})
        .then(
          ({ items }) => items[0].index,
          ({ code }) => code,
        ),
    );
    await settle();
    controller.abort();
    arrive();
    assert.deepEqual(await Promise.all(calls), ["aborted", 2, 3]);
    assert.deepEqual(
      fetches.map(({ requests }) => requests.length),
      [1, 1, 1],
    );
  } finally {
    globalThis.fetch = fetch;
  }
});

test("a request is not taken over by a client with another fetch", async () => {
  const { sendEarly, sendOrTakeOver } = await importCopy(EARLY_REQUESTS);
  const [own, other] = [createFetch(page([1])), createFetch(page([2]))];
  sendEarly({ baseUrl: BASE, fetch: own }, ["/api/v2/stats"], { params: {}, options: {}, resumeToken: null }, assert.fail);
  const send = async (fetch) => {
    const response = await sendOrTakeOver(fetch, new Request(`${BASE}/api/v2/stats`));
    return (await response.json()).items[0].index;
  };
  assert.equal(own.requests.length, 1);
  assert.equal(await send(other), 2);
  assert.equal(await send(own), 1);
  assert.equal(own.requests.length, 1);
});

test("a request with another method or other headers does not take it over", async () => {
  const { sendEarly, sendOrTakeOver } = await importCopy(EARLY_REQUESTS);
  const fetch = createFetch(page([1]), page([2]), page([3]));
  sendEarly({ baseUrl: BASE, fetch }, ["/api/v2/stats"], { params: {}, options: {}, resumeToken: null }, assert.fail);
  const send = async (init) => {
    const response = await sendOrTakeOver(fetch, new Request(`${BASE}/api/v2/stats`, init));
    return (await response.json()).items[0].index;
  };
  assert.equal(fetch.requests.length, 1);
  assert.equal(await send({ method: "POST" }), 2);
  assert.equal(await send({ headers: { accept: "application/json" } }), 3);
  assert.equal(await send({}), 1);
});

test("equal calls of two clients send one request each, as without early requests", async () => {
  const { AddressClient, arrive } = await loadLate();
  const fetch = createFetch(page([1]), page([2]));
  const calls = [1, 2].map(() => new AddressClient({ baseUrl: BASE, fetch }).addressWithdrawals(params).then());
  await settle();
  assert.equal(fetch.requests.length, 2);
  arrive();
  assert.deepEqual(
    (await Promise.all(calls)).map(({ items }) => items[0].index),
    [1, 2],
  );
});

test("the deadline ends an early request", async () => {
  const { AddressClient, arrive } = await loadLate();
  const fetch = createFetch(neverRespond);
  const client = new AddressClient({ baseUrl: BASE, fetch, maxAttempts: 1 });
  const code = getCode(client.addressWithdrawals(params, { deadlineMs: 20 }));
  const { signal } = await fetch.sent(1);
  await settle();
  assert.equal(signal.aborted, false);
  arrive();
  assert.equal(await code, "timeout");
  assert.equal(signal.aborted, true);
  assert.equal(fetch.requests.length, 1);
});
