// Values of another realm or another implementation, as test environments that imitate a page give them (jsdom, happy-dom).
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { afterEach, describe, test as limited } from "node:test";
import { runInNewContext } from "node:vm";
import * as compat from "../../pkg/compat.js";
import * as index from "../../pkg/index.js";
import * as slim from "../../pkg/slim.js";
import { BASE, HASH, deferred, failure, page, scripted } from "./support.mjs";

const WASM = readFileSync(new URL("../../pkg/client.wasm", import.meta.url));
const test = (name, body) => limited(name, { timeout: 10_000 }, body);

const foreign = runInNewContext("({ Uint8Array, ArrayBuffer, Promise })");
assert.notEqual(foreign.Uint8Array, Uint8Array);

const bytes = new TextEncoder().encode(page([3, 2]).padEnd(1024));
const copy = (size = bytes.length, offset = 0) => {
  const buffer = new foreign.ArrayBuffer(size);
  new Uint8Array(buffer).set(bytes, offset);
  return buffer;
};
/** A body of these chunks. */
const stream = (...chunks) => ({ getReader: () => ({ read: async () => (chunks.length ? { done: false, value: chunks.shift() } : { done: true }) }) });
const response = (members) => ({ status: 200, headers: new Headers(), ...members });

const entries = { index, compat, slim };
await slim.init({ module: WASM });

for (const [name, { AddressClient }] of Object.entries(entries)) {
  const withdrawals = (fetch, options, callOptions) =>
    new AddressClient({ baseUrl: BASE, fetch, maxAttempts: 1, ...options }).addressWithdrawals({ address_hash: HASH }, callOptions);
  const indices = async (...answers) => (await withdrawals(scripted(...answers))).items.map(({ index }) => index);

  describe(`${name}: a body of another realm`, () => {
    for (const [what, chunk] of [
      ["a Uint8Array", () => new foreign.Uint8Array(copy())],
      ["a part of a larger buffer", () => new foreign.Uint8Array(copy(4096, 512), 512, bytes.length)],
      ["an ArrayBuffer", () => copy()],
    ]) {
      test(`arrives as ${what}`, async () => {
        assert.deepEqual(await indices(() => response({ body: stream(chunk()) })), [3, 2]);
      });
    }

    test("arrives as a whole", async () => {
      assert.deepEqual(await indices(() => response({ body: {}, arrayBuffer: async () => copy() })), [3, 2]);
    });

    test("comes as a promise of that realm", async () => {
      const fetch = () => foreign.Promise.resolve(new Response(page([4])));
      assert.equal((await withdrawals(fetch)).items.length, 1);
    });

    test("is a network error when its bytes were transferred away", async () => {
      const { buffer } = new Uint8Array(bytes);
      structuredClone(buffer, { transfer: [buffer] });
      await failure(withdrawals(scripted(() => response({ body: stream(buffer) }))), "network");
      assert.deepEqual(await indices(page([1])), [1]);
    });
  });
}

describe("globals of another implementation", () => {
  const { AbortController, Request, fetch } = globalThis;
  afterEach(() => Object.assign(globalThis, { AbortController, Request, fetch }));

  /** As jsdom has one. */
  class ForeignController {
    signal = Object.assign(new EventTarget(), { aborted: false, reason: undefined });

    abort(reason) {
      Object.assign(this.signal, { aborted: true, reason });
      this.signal.dispatchEvent(new Event("abort"));
    }
  }

  /** As Node has one from version 22 on. */
  class StrictRequest extends Request {
    constructor(url, init) {
      if (init?.signal && !(init.signal instanceof AbortSignal)) throw new TypeError("Expected signal to be an AbortSignal");
      super(url, init);
    }
  }

  const withdrawals = (fetch, callOptions) =>
    new index.AddressClient({ baseUrl: BASE, fetch, maxAttempts: 1 }).addressWithdrawals({ address_hash: HASH }, callOptions);

  test("a request is sent though its signal is refused", async () => {
    Object.assign(globalThis, { AbortController: ForeignController, Request: StrictRequest });
    const fetch = scripted(page([2], 2), page([1]));
    assert.deepEqual((await withdrawals(fetch).toArray({ limit: 9 })).map(({ index }) => index), [2, 1]);
    for (const { credentials, redirect } of fetch.requests) assert.deepEqual([credentials, redirect], ["omit", "follow"]);
  });

  test("a caller's signal of another implementation ends the call", async () => {
    const gate = deferred();
    const fetch = scripted(() => gate.promise);
    const controller = new ForeignController();
    const call = failure(withdrawals(fetch, { signal: controller.signal }), "aborted", { cause: "enough" });
    await fetch.sent(1);
    controller.abort("enough");
    await call;
    assert.equal(fetch.requests[0].signal.aborted, true);
  });

  test("a mock of the global fetch that returns nothing leads to a network error", async () => {
    globalThis.fetch = () => undefined;
    await failure(withdrawals(undefined), "network");
  });
});

test("slim: the module may come in a Response that compileStreaming refuses", async () => {
  const arrayBuffer = async () => {
    const buffer = new foreign.ArrayBuffer(WASM.length);
    new Uint8Array(buffer).set(WASM);
    return buffer;
  };
  class ForeignResponse {
    [Symbol.toStringTag] = "Response";
    ok = true;
    headers = new Headers({ "content-type": "application/wasm" });
    bodyUsed = false;
    arrayBuffer = arrayBuffer;
  }
  for (const [query, module] of [["response", new ForeignResponse()], ["buffer", arrayBuffer()]]) {
    const { AddressClient, init } = await import(`../../pkg/slim.js?${query}`);
    await init({ module });
    const client = new AddressClient({ baseUrl: BASE, fetch: scripted(page([1])) });
    assert.equal((await client.addressWithdrawals({ address_hash: HASH })).items.length, 1);
  }
});
