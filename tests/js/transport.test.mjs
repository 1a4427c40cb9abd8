// Attempts, waits, sharing, the API key and events, as JavaScript sees them.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { describe, test } from "node:test";
import { AddressClient } from "../../pkg/index.js";
import { BASE, HASH, WITHDRAWALS, collect, deferred, failure, hang, indices, page, scripted, settle } from "./support.mjs";

const KEY = "proapi_s3cret";
const status = (status, headers, body = "") => () => new Response(body, { status, headers });
const withdrawals = (fetch, options, callOptions) =>
  new AddressClient({ baseUrl: BASE, fetch, ...options }).addressWithdrawals({ address_hash: HASH }, callOptions);

describe("attempts", () => {
  test("pass over failures, and say how many there were", async () => {
    const fetch = scripted(status(503), () => Promise.reject(new TypeError("reset")), "null", page([1]));
    assert.deepEqual(indices((await withdrawals(fetch)).items), [1]);
    assert.equal(fetch.requests.length, 4);
    const error = await failure(withdrawals(scripted(status(503), status(502)), { maxAttempts: 2 }), "http_status");
    assert.deepEqual([error.status, error.attempts], [502, 2]);
    await failure(withdrawals(scripted(status(503)), {}, { maxAttempts: 1 }), "http_status", { attempts: 1 });
  });

  test("wait for as long as the service asks, in milliseconds", async () => {
    const events = [];
    const fetch = scripted(status(429, { "x-ratelimit-reset": "1200" }), page([1]));
    await withdrawals(fetch, { onEvent: (event) => events.push(event) });
    assert.deepEqual(
      events.map(({ kind, attempt, status, code }) => [kind, attempt, status, code].filter((part) => part !== undefined).join(" ")),
      ["request 1", "response 1 429", "retry 1 429 rate_limited", "wait 2", "request 2", "response 2 200"],
    );
    assert.equal(events[2].ms, 1200);
    for (const { url } of events) assert.equal(url, WITHDRAWALS);
  });

  test("end at the deadline, with the last failure", async () => {
    const error = await failure(withdrawals(scripted(status(429, { "retry-after": "50" })), { deadlineMs: 2000 }), "rate_limited");
    assert.deepEqual([error.retryAfterMs, error.attempts, error.status], [50_000, 1, 429]);
    await failure(withdrawals(scripted(hang), { deadlineMs: 30 }), "timeout");
  });

  test("end at once when the signal says so, in a pause too; its reason is the cause", async () => {
    for (const answers of [[status(503, { "retry-after": "30" })], [status(429, { "x-ratelimit-reset": "30000" })], [hang]]) {
      const controller = new AbortController();
      const fetch = scripted(...answers);
      const call = failure(withdrawals(fetch, {}, { signal: controller.signal }), "aborted");
      await fetch.sent(1);
      await settle();
      controller.abort("enough");
      assert.equal((await call).cause, "enough");
    }
  });

  test("end at once in the line", async () => {
    const fetch = scripted(hang);
    const client = new AddressClient({ baseUrl: BASE, fetch, maxConcurrent: 1 });
    const first = new AbortController();
    const one = failure(client.addressWithdrawals({ address_hash: HASH }, { signal: first.signal }), "aborted");
    await fetch.sent(1);
    const second = new AbortController();
    const other = failure(client.addresses({}, { signal: second.signal }), "aborted");
    await settle();
    second.abort(new Error("gone"));
    assert.equal((await other).cause.message, "gone");
    first.abort();
    await one;
    assert.equal(fetch.requests.length, 1);
  });
});

describe("equal calls at once", () => {
  test("are one request, and objects of their own", async () => {
    const fetch = scripted(page([2, 1]));
    const client = new AddressClient({ baseUrl: BASE, fetch });
    const [one, other] = await Promise.all([1, 2].map(() => client.addressWithdrawals({ address_hash: HASH })));
    assert.deepEqual(one, other);
    assert.notEqual(one.items[0], other.items[0]);
    assert.equal(fetch.requests.length, 1);
  });

  test("do not end each other", async () => {
    const gate = deferred();
    const fetch = scripted(() => gate.promise);
    const client = new AddressClient({ baseUrl: BASE, fetch });
    const controller = new AbortController();
    const leaving = failure(client.addressWithdrawals({ address_hash: HASH }, { signal: controller.signal }), "aborted");
    const staying = client.addressWithdrawals({ address_hash: HASH }).then(({ items }) => indices(items));
    await fetch.sent(1);
    await settle();
    controller.abort();
    await leaving;
    assert.equal(fetch.requests[0].signal.aborted, false);
    gate.resolve(new Response(page([3])));
    assert.deepEqual(await staying, [3]);
  });

  test("end the request when all are gone", async () => {
    const fetch = scripted(hang);
    const client = new AddressClient({ baseUrl: BASE, fetch });
    const controllers = [new AbortController(), new AbortController()];
    const calls = controllers.map(({ signal }) => failure(client.addressWithdrawals({ address_hash: HASH }, { signal }), "aborted"));
    await fetch.sent(1);
    for (const controller of controllers) controller.abort();
    await Promise.all(calls);
    assert.equal(fetch.requests[0].signal.aborted, true);
  });
});

describe("the pace", () => {
  test("is one for all clients of an instance", async () => {
    const sent = [];
    const fetch = async () => {
      sent.push(performance.now());
      return new Response(page([1]));
    };
    const calls = ["1", "2", "3", "4"].map((digit) =>
      new AddressClient({ baseUrl: BASE, fetch, maxPerSecond: 3 }).addressWithdrawals({ address_hash: `0x${digit.repeat(40)}` }),
    );
    await Promise.all(calls);
    assert.ok(sent[2] - sent[0] < 900 && sent[3] - sent[0] > 1000, String(sent.map((at) => at - sent[0])));
  });
});

describe("answers", () => {
  test("are kept for cacheMs, each time as new objects", async () => {
    const fetch = scripted(page([1]));
    const client = new AddressClient({ baseUrl: BASE, fetch, cacheMs: 60_000 });
    const one = await client.addressWithdrawals({ address_hash: HASH });
    one.items.length = 0;
    assert.deepEqual(indices((await client.addressWithdrawals({ address_hash: HASH })).items), [1]);
  });

  test("over maxResponseBytes are refused", async () => {
    const error = await failure(withdrawals(scripted(page([...Array(100).keys()])), { maxResponseBytes: 2000 }), "decode");
    assert.match(error.message, /larger than 2000 bytes.*maxResponseBytes/);
  });

  test("over maxResponseBytes are refused by their Content-Length, before their body and without a retry", async () => {
    const fetch = scripted(() => new Response(new ReadableStream(), { headers: { "content-length": "2001" } }));
    const error = await failure(withdrawals(fetch, { maxResponseBytes: 2000, timeoutMs: 5000 }), "decode", { attempts: 1 });
    assert.match(error.message, /larger than 2000 bytes/);
    assert.equal(fetch.requests[0].signal.aborted, true);
  });
});

describe("the API key", () => {
  test("goes with every request, and redirects are not followed", async () => {
    for (const apiKey of [KEY, () => KEY, async () => KEY]) {
      const fetch = scripted(page([2], 2), page([1]));
      await collect(withdrawals(fetch, { apiKey }));
      assert.deepEqual(fetch.urls(), [`${WITHDRAWALS}?apikey=${KEY}`, `${WITHDRAWALS}?index=2&apikey=${KEY}`]);
      for (const { redirect } of fetch.requests) assert.equal(redirect, "manual");
    }
    const fetch = scripted(page([1]));
    await withdrawals(fetch);
    assert.equal(fetch.requests[0].redirect, "follow");
  });

  test("does not go along with a redirect, which is an error at once", async () => {
    const asked = [];
    const server = createServer((request, response) => {
      asked.push(request.url);
      response.writeHead(308, { location: "/elsewhere" }).end();
    });
    await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
    try {
      const baseUrl = `http://127.0.0.1:${server.address().port}`;
      const client = new AddressClient({ baseUrl, apiKey: KEY });
      const error = await failure(client.addressWithdrawals({ address_hash: HASH }), "http_status", { status: 308, attempts: 1 });
      assert.match(error.message, /set baseUrl to the address that it leads to/);
      assert.deepEqual(asked, [`/api/v2/addresses/${HASH}/withdrawals?apikey=${KEY}`]);
    } finally {
      server.close();
    }
  });

  test("that cannot be one is refused before anything is sent", async () => {
    const throws = () => {
      throw new Error(KEY);
    };
    for (const apiKey of ["short", throws, () => 5, async () => "short", () => Promise.reject(new Error(KEY))]) {
      const fetch = scripted();
      const error = await failure(withdrawals(fetch, { apiKey }), "invalid_parameter", { parameter: "apiKey" });
      assert.equal(fetch.requests.length, 0);
      assert.ok(!JSON.stringify([error.message, error.stack, String(error.cause)]).includes(KEY), error.stack);
    }
  });

  test("is in nothing that leaves the client", async () => {
    const left = [];
    const tell = (what) => left.push(what);
    const echo = (body) => body.replaceAll("KEY", KEY);
    const answers = [
      () => Promise.reject(new TypeError(`Failed to fetch ${BASE}/?apikey=${KEY}`)),
      status(401, {}, echo('{"message":"bad key KEY"}')),
      status(429, { "retry-after": "0" }, echo('{"message":"KEY is too busy"}')),
      status(500, {}, echo("KEY")),
      status(200, {}, echo("<html><title>KEY</title></html>")),
      status(200, {}, echo('{"error":"KEY"}')),
      status(200, {}, echo('{"items":[{"index":"KEY"}],"next_page_params":null}')),
      status(200, {}, echo('{"items":[{"index":1,"KEY":1,"request":"/?apikey=KEY"}],"next_page_params":{"index":1,"apikey":"KEY"},"KEY":"KEY"}')),
    ];
    for (const badRecords of ["throw", "skip"]) {
      for (const answer of answers) {
        const client = new AddressClient({
          baseUrl: BASE, apiKey: KEY, fetch: scripted(answer, answer), maxAttempts: 2, badRecords, onEvent: tell, onDrift: tell, onBadRecord: tell,
        });
        const call = client.addressWithdrawals({ address_hash: HASH });
        tell(await call.then((page) => page, (error) => ({ ...error, message: error.message, stack: error.stack, cause: String(error.cause) })));
        tell(call.resumeToken);
      }
    }
    const [partial] = [JSON.stringify({ status: "2", message: `still ${KEY}`, result: [] })];
    const { account } = new AddressClient({ baseUrl: BASE, apiKey: KEY, fetch: scripted(partial, partial) });
    tell(await account.txListInternal({ address: HASH }));
    const reading = account.txListInternal.all({ address: HASH });
    await collect(reading);
    tell(reading.report);
    assert.ok(left.length > 40);
    for (const text of left.map((what) => JSON.stringify(what) ?? "")) assert.ok(!text.includes("s3cret"), text);
  });
});
