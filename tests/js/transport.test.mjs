// Retries, shared requests, the cache, the API key and events, through the JavaScript interface.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { describe, test } from "node:test";
import { AddressClient } from "../../pkg/index.js";
import { importEntry } from "./copies.mjs";
import {
  BASE,
  collect,
  createDeferred,
  createFetch,
  expectError,
  flushTasks,
  HASH,
  indices,
  inPage,
  neverRespond,
  page,
  WITHDRAWALS,
} from "./support.mjs";

const KEY = "proapi_s3cret";
const respondWith =
  (status, headers, body = "") =>
  () =>
    new Response(body, { status, headers });
const listWithdrawals = (fetch, options, callOptions) =>
  new AddressClient({ baseUrl: BASE, fetch, ...options }).addressWithdrawals({ address_hash: HASH }, callOptions);

describe("retries", () => {
  test("follow failures, and errors count the attempts", async () => {
    const fetch = createFetch(respondWith(503), () => Promise.reject(new TypeError("reset")), "null", page([1]));
    assert.deepEqual(indices((await listWithdrawals(fetch)).items), [1]);
    assert.equal(fetch.requests.length, 4);
    const error = await expectError(
      listWithdrawals(createFetch(respondWith(503), respondWith(502)), { maxAttempts: 2 }),
      "http_status",
    );
    assert.deepEqual([error.status, error.attempts], [502, 2]);
    await expectError(listWithdrawals(createFetch(respondWith(503)), {}, { maxAttempts: 1 }), "http_status", { attempts: 1 });
  });

  test("wait as long as x-ratelimit-reset says, in milliseconds", async () => {
    const events = [];
    const fetch = createFetch(respondWith(429, { "x-ratelimit-reset": "1200" }), page([1]));
    await listWithdrawals(fetch, { onEvent: (event) => events.push(event) });
    assert.deepEqual(
      events.map(({ kind, attempt, status, code }) =>
        [kind, attempt, status, code].filter((value) => value !== undefined).join(" "),
      ),
      ["request 1", "response 1 429", "retry 1 429 rate_limited", "wait 2", "request 2", "response 2 200"],
    );
    assert.equal(events[2].ms, 1200);
    for (const { url } of events) assert.equal(url, WITHDRAWALS);
  });

  test("end at the deadline, with the last error", async () => {
    const error = await expectError(
      listWithdrawals(createFetch(respondWith(429, { "retry-after": "50" })), { deadlineMs: 2000 }),
      "rate_limited",
    );
    assert.deepEqual([error.retryAfterMs, error.attempts, error.status], [50_000, 1, 429]);
    await expectError(listWithdrawals(createFetch(neverRespond), { deadlineMs: 30 }), "timeout");
  });

  test("end at once when the signal is aborted, even during a pause", async () => {
    for (const responses of [
      [respondWith(503, { "retry-after": "30" })],
      [respondWith(429, { "x-ratelimit-reset": "30000" })],
      [neverRespond],
    ]) {
      const controller = new AbortController();
      const fetch = createFetch(...responses);
      const call = expectError(listWithdrawals(fetch, {}, { signal: controller.signal }), "aborted");
      await fetch.sent(1);
      await flushTasks();
      controller.abort("enough");
      assert.equal((await call).cause, "enough");
    }
  });

  test("end at once while the call waits for a permit", async () => {
    const fetch = createFetch(neverRespond);
    const client = new AddressClient({ baseUrl: BASE, fetch, maxConcurrent: 1 });
    const first = new AbortController();
    const sent = expectError(client.addressWithdrawals({ address_hash: HASH }, { signal: first.signal }), "aborted");
    await fetch.sent(1);
    const second = new AbortController();
    const waiting = expectError(client.addresses({}, { signal: second.signal }), "aborted");
    await flushTasks();
    second.abort(new Error("gone"));
    assert.equal((await waiting).cause.message, "gone");
    first.abort();
    await sent;
    assert.equal(fetch.requests.length, 1);
  });
});

describe("concurrent equal calls", () => {
  test("share one request, and return separate objects", async () => {
    const fetch = createFetch(page([2, 1]));
    const client = new AddressClient({ baseUrl: BASE, fetch });
    const [one, other] = await Promise.all([1, 2].map(() => client.addressWithdrawals({ address_hash: HASH })));
    assert.deepEqual(one, other);
    assert.notEqual(one.items[0], other.items[0]);
    assert.equal(fetch.requests.length, 1);
  });

  test("do not abort each other", async () => {
    const gate = createDeferred();
    const fetch = createFetch(() => gate.promise);
    const client = new AddressClient({ baseUrl: BASE, fetch });
    const controller = new AbortController();
    const aborted = expectError(client.addressWithdrawals({ address_hash: HASH }, { signal: controller.signal }), "aborted");
    const other = client.addressWithdrawals({ address_hash: HASH }).then(({ items }) => indices(items));
    await fetch.sent(1);
    await flushTasks();
    controller.abort();
    await aborted;
    assert.equal(fetch.requests[0].signal.aborted, false);
    gate.resolve(new Response(page([3])));
    assert.deepEqual(await other, [3]);
  });

  test("abort the request when all calls are aborted", async () => {
    const fetch = createFetch(neverRespond);
    const client = new AddressClient({ baseUrl: BASE, fetch });
    const controllers = [new AbortController(), new AbortController()];
    const calls = controllers.map(({ signal }) =>
      expectError(client.addressWithdrawals({ address_hash: HASH }, { signal }), "aborted"),
    );
    await fetch.sent(1);
    for (const controller of controllers) controller.abort();
    await Promise.all(calls);
    assert.equal(fetch.requests[0].signal.aborted, true);
  });
});

describe("responses", () => {
  test("above maxResponseBytes are rejected", async () => {
    const error = await expectError(
      listWithdrawals(createFetch(page([...Array(100).keys()])), { maxResponseBytes: 2000 }),
      "decode",
    );
    assert.match(error.message, /larger than 2000 bytes.*maxResponseBytes/);
  });

  test("with a Content-Length above maxResponseBytes are rejected before their body, without a retry", async () => {
    const fetch = createFetch(() => new Response(new ReadableStream(), { headers: { "content-length": "2001" } }));
    const error = await expectError(listWithdrawals(fetch, { maxResponseBytes: 2000, timeoutMs: 5000 }), "decode", {
      attempts: 1,
    });
    assert.match(error.message, /larger than 2000 bytes/);
    assert.equal(fetch.requests[0].signal.aborted, true);
  });
});

describe("credits", () => {
  test("that remain are an event", async () => {
    const events = [];
    const fetch = createFetch(respondWith(200, { "x-credits-remaining": "-40" }, page([1])), page([1]));
    const client = new AddressClient({ baseUrl: BASE, fetch, onEvent: (event) => events.push(event) });
    for (let call = 0; call < 2; call++) await client.addressWithdrawals({ address_hash: HASH });
    assert.deepEqual(
      events.filter(({ kind }) => kind === "credits"),
      [{ kind: "credits", url: WITHDRAWALS, attempt: 1, credits: -40 }],
    );
  });

  test("are counted by the prices of operations, and by the headers of the service", async () => {
    const costs = [];
    const fetch = createFetch(respondWith(503), respondWith(200, { "x-credits-remaining": "77.5" }, page([1])), page([1]));
    const onEvent = ({ kind, credits }) => kind === "request" && costs.push(credits);
    const client = new AddressClient({ baseUrl: `${BASE}/1`, fetch, onEvent });
    assert.deepEqual(client.credits, { spent: 0, remaining: null });
    await client.addressWithdrawals({ address_hash: HASH });
    assert.deepEqual(client.credits, { spent: 40, remaining: 77 });
    await client.addressLogs({ address_hash: HASH }).catch(() => {});
    assert.deepEqual([client.credits, costs], [{ spent: 70, remaining: 77 }, [20, 20, 30]]);
  });

  test("are not charged by an instance", async () => {
    const client = new AddressClient({ baseUrl: BASE, fetch: createFetch(page([1])), maxCredits: 0 });
    await client.addressWithdrawals({ address_hash: HASH });
    assert.deepEqual(client.credits, { spent: 0, remaining: null });
  });

  test("end an iteration before maxCredits is exceeded, and it continues with its token", async () => {
    const fetch = createFetch(page([9], 9), page([8]));
    const create = (maxCredits) => new AddressClient({ baseUrl: `${BASE}/1`, fetch, maxCredits });
    const client = create(39);
    const error = await expectError(client.addressWithdrawals({ address_hash: HASH }).toArray({ limit: 10 }), "credit_limit", {
      attempts: 0,
      retryable: false,
    });
    assert.match(error.message, /costs 20 credits, and maxCredits leaves 19; raise it to continue/);
    assert.deepEqual([error.partial.length, client.credits.spent, fetch.requests.length], [1, 20, 1]);
    const rest = await create(20)
      .addressWithdrawals({ address_hash: HASH }, { resume: error.resumeToken })
      .toArray({ limit: 10 });
    assert.deepEqual(
      rest.map(({ index }) => index),
      [8],
    );
  });

  test("fail without a retry once exhausted", async () => {
    const fetch = createFetch(respondWith(402, {}, '{"error":"Out of credits","source":"internal"}'));
    const error = await expectError(listWithdrawals(fetch, { apiKey: KEY, maxAttempts: 3 }), "out_of_credits", {
      status: 402,
      attempts: 1,
      retryable: false,
    });
    assert.match(error.message, /"Out of credits"; the API key has no credits left; wait until its plan renews them/);
  });
});

describe("the API key", () => {
  test("is sent with every request, and redirects are not followed", async () => {
    for (const apiKey of [KEY, () => KEY, async () => KEY]) {
      const fetch = createFetch(page([2], 2), page([1]));
      await collect(listWithdrawals(fetch, { apiKey }));
      assert.deepEqual(fetch.urls(), [WITHDRAWALS, `${WITHDRAWALS}?items_count=50&index=2`]);
      for (const { redirect, headers } of fetch.requests) {
        assert.equal(redirect, "manual");
        assert.deepEqual([...headers], [["x-api-key", KEY]]);
      }
    }
    const fetch = createFetch(page([1]));
    await listWithdrawals(fetch);
    assert.equal(fetch.requests[0].redirect, "follow");
  });

  test("is in the URL and not in a header in a page, where a header would cost a preflight request", async () => {
    for (const apiKey of [KEY, () => KEY]) {
      const fetch = createFetch(page([2], 2), page([1]));
      await inPage(async () => {
        const { AddressClient } = await importEntry("index");
        await collect(new AddressClient({ baseUrl: BASE, fetch, apiKey }).addressWithdrawals({ address_hash: HASH }));
      });
      assert.deepEqual(fetch.urls(), [`${WITHDRAWALS}?apikey=${KEY}`, `${WITHDRAWALS}?items_count=50&index=2&apikey=${KEY}`]);
      for (const { headers } of fetch.requests) assert.deepEqual([...headers], []);
    }
  });

  test("is not sent to the target of a redirect, which is an error without a retry", async () => {
    const requested = [];
    const server = createServer((request, response) => {
      requested.push(request.url);
      response.writeHead(308, { location: "/elsewhere" }).end();
    });
    await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
    try {
      const baseUrl = `http://127.0.0.1:${server.address().port}`;
      const client = new AddressClient({ baseUrl, apiKey: KEY });
      const error = await expectError(client.addressWithdrawals({ address_hash: HASH }), "http_status", {
        status: 308,
        attempts: 1,
      });
      assert.match(error.message, /set baseUrl to the target of the redirect/);
      assert.deepEqual(requested, [`/api/v2/addresses/${HASH}/withdrawals`]);
    } finally {
      server.close();
    }
  });

  test("that is invalid is rejected before anything is sent", async () => {
    const throwError = () => {
      throw new Error(KEY);
    };
    for (const apiKey of ["short", throwError, () => 5, async () => "short", () => Promise.reject(new Error(KEY))]) {
      const fetch = createFetch();
      const error = await expectError(listWithdrawals(fetch, { apiKey }), "invalid_parameter", { parameter: "apiKey" });
      assert.equal(fetch.requests.length, 0);
      assert.ok(!JSON.stringify([error.message, error.stack, String(error.cause)]).includes(KEY), error.stack);
    }
  });

  test("is in no page, error, event, drift, bad record or token", async () => {
    const outputs = [];
    const record = (output) => outputs.push(output);
    const insertKey = (body) => body.replaceAll("KEY", KEY);
    const responses = [
      () => Promise.reject(new TypeError(`Failed to fetch ${BASE}/?apikey=${KEY}`)),
      respondWith(401, {}, insertKey('{"message":"bad key KEY"}')),
      respondWith(429, { "retry-after": "0" }, insertKey('{"message":"KEY is too busy"}')),
      respondWith(500, {}, insertKey("KEY")),
      respondWith(200, {}, insertKey("<html><title>KEY</title></html>")),
      respondWith(200, {}, insertKey('{"error":"KEY"}')),
      respondWith(200, {}, insertKey('{"items":[{"index":"KEY"}],"next_page_params":null}')),
      respondWith(
        200,
        {},
        insertKey(
          '{"items":[{"index":1,"KEY":1,"request":"/?apikey=KEY"}],"next_page_params":{"index":1,"apikey":"KEY"},"KEY":"KEY"}',
        ),
      ),
    ];
    for (const badRecords of ["throw", "skip"]) {
      for (const response of responses) {
        const client = new AddressClient({
          baseUrl: BASE,
          apiKey: KEY,
          fetch: createFetch(response, response),
          maxAttempts: 2,
          badRecords,
          onEvent: record,
          onDrift: record,
          onBadRecord: record,
        });
        const call = client.addressWithdrawals({ address_hash: HASH });
        record(
          await call.then(
            (page) => page,
            (error) => ({ ...error, message: error.message, stack: error.stack, cause: String(error.cause) }),
          ),
        );
        record(call.resumeToken);
      }
    }
    const partial = JSON.stringify({ status: "2", message: `still ${KEY}`, result: [] });
    const { account } = new AddressClient({ baseUrl: BASE, apiKey: KEY, fetch: createFetch(partial, partial) });
    record(await account.txListInternal({ address: HASH }));
    const range = account.txListInternal.all({ address: HASH });
    await collect(range);
    record(range.report);
    assert.ok(outputs.length > 40);
    for (const json of outputs.map((output) => JSON.stringify(output) ?? "")) assert.ok(!json.includes("s3cret"), json);
  });
});
