// Whatever a custom fetch does, a call ends with a page or with a typed error.
import assert from "node:assert/strict";
import { afterEach, describe, test as nodeTest } from "node:test";
import { WITHDRAWALS, createFetch, expectError, listWithdrawals, page, row } from "./support.mjs";

// If these tests fail, calls never end.
const test = (name, body) => nodeTest(name, { timeout: 120_000 }, body);

const encode = (string) => new TextEncoder().encode(string);
const createBody = (...chunks) =>
  new ReadableStream({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk);
      controller.close();
    },
  });

describe("a fetch that fails", () => {
  for (const [title, response, reason] of [
    ["rejects with an Error", () => Promise.reject(new TypeError("Failed to fetch")), "Failed to fetch"],
    ["rejects with a string", () => Promise.reject("offline"), "offline"],
    ["rejects with undefined", () => Promise.reject(), "no reason given"],
    ["rejects with null", () => Promise.reject(null), "no reason given"],
    ["rejects with an object", () => Promise.reject({ message: 7 }), "no reason given"],
    ["rejects with a very long message", () => Promise.reject(new Error("x".repeat(10_000))), `${"x".repeat(200)}…`],
    ["returns undefined", () => undefined, "fetch did not return a Response"],
    ["returns null", () => null, "fetch did not return a Response"],
    ["returns a string", () => page([1]), "fetch did not return a Response"],
    ["returns parsed JSON", () => JSON.parse(page([1])), "fetch did not return a Response"],
  ]) {
    test(title, async () => {
      const error = await expectError(listWithdrawals(createFetch(response)), "network", { url: WITHDRAWALS, attempts: 1 });
      assert.ok(error.message.includes(`(${reason})`), error.message);
    });
  }

  test("throws synchronously", async () => {
    const fetch = () => {
      throw new Error("not today");
    };
    assert.match((await expectError(listWithdrawals(fetch), "network")).message, /^no response \(not today\)/);
  });

  // Typical mocks of fetch in tests of applications.
  for (const [title, response] of [
    ["only a status", { status: 200 }],
    ["a json method", { ok: true, status: 200, json: async () => JSON.parse(page([1])) }],
    ["headers that are a plain object", { ok: true, status: 200, headers: {}, json: async () => JSON.parse(page([1])) }],
    ["headers, and a body that is not a stream", { status: 200, headers: new Headers(), body: page([1]) }],
    ["headers, and a body that is a plain object", { status: 200, headers: new Headers(), body: {} }],
  ]) {
    test(`returns an imitation of a Response: ${title}`, async () => {
      await expectError(listWithdrawals(createFetch(() => response)), "network");
    });
  }

  test("returns a Response whose body was already used", async () => {
    const used = new Response(page([1]));
    await used.text();
    await expectError(listWithdrawals(createFetch(() => used)), "network");
    const locked = new Response(page([1]));
    locked.body.getReader();
    await expectError(listWithdrawals(createFetch(() => locked)), "network");
  });

  test("does not affect later calls", async () => {
    const fetch = createFetch(
      () => Promise.reject(new Error("gone")),
      () => undefined,
      page([5]),
    );
    await expectError(listWithdrawals(fetch), "network");
    await expectError(listWithdrawals(fetch), "network");
    assert.deepEqual((await listWithdrawals(fetch)).items, [row(5)]);
  });
});

describe("a body", () => {
  const read = (body) => listWithdrawals(createFetch(() => new Response(body)));

  test("may arrive in chunks of any size", async () => {
    const whole = encode(page([9, 8, 7]));
    for (const size of [1, 2, 7, 64]) {
      const chunks = Array.from({ length: Math.ceil(whole.length / size) }, (_, i) => whole.slice(i * size, (i + 1) * size));
      assert.equal((await read(createBody(...chunks))).items.length, 3);
    }
    assert.equal((await read(createBody(new Uint8Array(), whole, new Uint8Array()))).items.length, 3);
  });

  test("that breaks off rejects with code network", async () => {
    const broken = new ReadableStream({
      start: (controller) => controller.enqueue(encode('{"items":[')),
      pull: (controller) => controller.error(new TypeError("terminated")),
    });
    assert.match((await expectError(read(broken), "network")).message, /^no response \(terminated\)/);
  });

  test("with chunks that are not bytes is an error", async () => {
    for (const chunk of [page([1]), 7, null, undefined, {}, [123]]) {
      const error = await listWithdrawals(
        createFetch(() => ({ status: 200, headers: new Headers(), body: createBody(chunk) })),
      ).catch((error) => error);
      assert.match(error.code, /^(network|decode)$/, String(chunk));
    }
  });

  test("that is not a page rejects with code blocked, decode or refused", async () => {
    await expectError(read("<html><title>Just a moment...</title></html>"), "blocked");
    await expectError(read("<html><title>Explorer</title></html>"), "decode");
    await expectError(read("null"), "decode");
    await expectError(read(""), "decode");
    await expectError(read(null), "decode");
    await expectError(read(page([1]).slice(0, 40)), "decode");
    await expectError(read('{"message":"Unknown module","result":null,"status":"0"}'), "refused");
    await expectError(read(JSON.stringify({ items: [row(1), row("x")] })), "decode", { path: "items[1].index" });
  });
});

describe("an error status", () => {
  const read = (body, init) => listWithdrawals(createFetch(() => new Response(body, init)));

  test("rejects with the details of the response", async () => {
    const rateLimited = await expectError(
      read('{"message":"Slow down"}', { status: 429, headers: { "x-ratelimit-reset": "1500" } }),
      "rate_limited",
      {
        status: 429,
        retryAfterMs: 1500,
        url: WITHDRAWALS,
        attempts: 1,
        name: "AddressQueryError",
      },
    );
    assert.equal(
      rateLimited.message,
      'the service responded with status 429: "Slow down"; send fewer requests, or use an API key; a service may refuse an IP address without a key for up to 15 minutes',
    );
    assert.ok(rateLimited instanceof Error && rateLimited.stack.includes("Slow down"));
    assert.equal("cause" in rateLimited, false);
    const crashed = await expectError(read('"Internal server error"', { status: 500 }), "http_status", { status: 500 });
    assert.equal("retryAfterMs" in crashed || "path" in crashed || "parameter" in crashed || "resumeToken" in crashed, false);
  });

  test("of 0 is an error too", async () => {
    await expectError(listWithdrawals(createFetch(() => Response.error())), "http_status", { status: 0 });
  });
});

describe("without the option fetch", () => {
  const { fetch: globalFetch } = globalThis;
  afterEach(() => {
    globalThis.fetch = globalFetch;
  });

  test("the global fetch at the time of the request is used", async () => {
    const call = listWithdrawals(undefined);
    globalThis.fetch = createFetch(page([1]));
    assert.equal((await call).items.length, 1);
    globalThis.fetch = createFetch(page([1, 2]));
    assert.equal((await listWithdrawals(undefined)).items.length, 2);
  });

  test("a missing global fetch is a network error", async () => {
    delete globalThis.fetch;
    await expectError(listWithdrawals(undefined), "network");
  });
});
