// Whatever a caller's fetch does, a call ends with a page or with a typed error.
import assert from "node:assert/strict";
import { afterEach, describe, test as limited } from "node:test";
import { WITHDRAWALS, failure, page, row, scripted, withdrawals } from "./support.mjs";

// What goes wrong here hangs.
const test = (name, body) => limited(name, { timeout: 5000 }, body);

const bytes = (text) => new TextEncoder().encode(text);
const body = (...chunks) =>
  new ReadableStream({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk);
      controller.close();
    },
  });

describe("a fetch that fails", () => {
  for (const [what, answer, said] of [
    ["rejects with an Error", () => Promise.reject(new TypeError("Failed to fetch")), "Failed to fetch"],
    ["rejects with a text", () => Promise.reject("offline"), "offline"],
    ["rejects with undefined", () => Promise.reject(), "no reason given"],
    ["rejects with null", () => Promise.reject(null), "no reason given"],
    ["rejects with an object", () => Promise.reject({ message: 7 }), "no reason given"],
    ["rejects with an endless message", () => Promise.reject(new Error("x".repeat(10_000))), "x".repeat(200)],
    ["gives undefined", () => undefined, "fetch gave no Response"],
    ["gives null", () => null, "fetch gave no Response"],
    ["gives a text", () => page([1]), "fetch gave no Response"],
    ["gives parsed JSON", () => JSON.parse(page([1])), "fetch gave no Response"],
  ]) {
    test(what, async () => {
      const error = await failure(withdrawals(scripted(answer)), "network", { url: WITHDRAWALS, attempts: 1 });
      assert.ok(error.message.includes(`(${said})`), error.message);
    });
  }

  test("throws at once", async () => {
    const fetch = () => {
      throw new Error("not today");
    };
    assert.match((await failure(withdrawals(fetch), "network")).message, /^no answer \(not today\)/);
  });

  // What mocks of fetch in applications' tests look like.
  for (const [what, answer] of [
    ["nothing but a status", { status: 200 }],
    ["a json method", { ok: true, status: 200, json: async () => JSON.parse(page([1])) }],
    ["headers that are a plain object", { ok: true, status: 200, headers: {}, json: async () => JSON.parse(page([1])) }],
    ["headers, but a body that is no stream", { status: 200, headers: new Headers(), body: page([1]) }],
    ["headers, but a body that is a plain object", { status: 200, headers: new Headers(), body: {} }],
  ]) {
    test(`gives an imitation of a Response: ${what}`, async () => {
      await failure(withdrawals(scripted(() => answer)), "network");
    });
  }

  test("gives a Response that was read already", async () => {
    const used = new Response(page([1]));
    await used.text();
    await failure(withdrawals(scripted(() => used)), "network");
    const locked = new Response(page([1]));
    locked.body.getReader();
    await failure(withdrawals(scripted(() => locked)), "network");
  });

  test("leaves the client in order", async () => {
    const fetch = scripted(() => Promise.reject(new Error("gone")), () => undefined, page([5]));
    await failure(withdrawals(fetch), "network");
    await failure(withdrawals(fetch), "network");
    assert.deepEqual((await withdrawals(fetch)).items, [row(5)]);
  });
});

describe("a body", () => {
  const read = (answer) => withdrawals(scripted(() => new Response(answer)));

  test("arrives in any pieces", async () => {
    const whole = bytes(page([9, 8, 7]));
    for (const size of [1, 2, 7, 64]) {
      const chunks = Array.from({ length: Math.ceil(whole.length / size) }, (_, i) => whole.slice(i * size, (i + 1) * size));
      assert.equal((await read(body(...chunks))).items.length, 3);
    }
    assert.equal((await read(body(new Uint8Array(), whole, new Uint8Array()))).items.length, 3);
  });

  test("that breaks off is a network error", async () => {
    const broken = new ReadableStream({
      start: (controller) => controller.enqueue(bytes("{\"items\":[")),
      pull: (controller) => controller.error(new TypeError("terminated")),
    });
    assert.match((await failure(read(broken), "network")).message, /^no answer \(terminated\)/);
  });

  test("of something else than bytes is an error", async () => {
    for (const chunk of [page([1]), 7, null, undefined, {}, [123]]) {
      const error = await withdrawals(scripted(() => ({ status: 200, headers: new Headers(), body: body(chunk) }))).catch((error) => error);
      assert.match(error.code, /^(network|decode)$/, String(chunk));
    }
  });

  test("that is no page is told apart", async () => {
    await failure(read("<html><title>Just a moment...</title></html>"), "decode");
    await failure(read("null"), "decode");
    await failure(read(""), "decode");
    await failure(read(null), "decode");
    await failure(read(page([1]).slice(0, 40)), "decode");
    await failure(read("{\"message\":\"Unknown module\",\"result\":null,\"status\":\"0\"}"), "refused");
    await failure(read(JSON.stringify({ items: [row(1), row("x")] })), "decode", { path: "items[1].index" });
  });
});

describe("a failing status", () => {
  const read = (body, init) => withdrawals(scripted(() => new Response(body, init)));

  test("is an error with what is known", async () => {
    const limited = await failure(read("{\"message\":\"Slow down\"}", { status: 429, headers: { "x-ratelimit-reset": "1500" } }), "rate_limited", {
      status: 429, retryAfterMs: 1500, url: WITHDRAWALS, attempts: 1, name: "AddressQueryError",
    });
    assert.equal(limited.message, "the service answered 429, \"Slow down\"; ask more slowly, or use an API key");
    assert.ok(limited instanceof Error && limited.stack.includes("Slow down"));
    assert.equal("cause" in limited, false);
    const crashed = await failure(read("\"Internal server error\"", { status: 500 }), "http_status", { status: 500 });
    assert.equal("retryAfterMs" in crashed || "path" in crashed || "parameter" in crashed || "resumeToken" in crashed, false);
  });

  test("that no real Response has is one, too", async () => {
    await failure(withdrawals(scripted(() => Response.error())), "http_status", { status: 0 });
  });
});

describe("without a fetch of the caller's", () => {
  const { fetch: real } = globalThis;
  afterEach(() => {
    globalThis.fetch = real;
  });

  test("the global one is used, whatever it is at the time", async () => {
    const call = withdrawals(undefined);
    globalThis.fetch = scripted(page([1]));
    assert.equal((await call).items.length, 1);
    globalThis.fetch = scripted(page([1, 2]));
    assert.equal((await withdrawals(undefined)).items.length, 2);
  });

  test("none at all is an error", async () => {
    delete globalThis.fetch;
    await failure(withdrawals(undefined), "network");
  });
});
