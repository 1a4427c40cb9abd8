// Values of other realms and implementations, as in test environments that imitate a browser (jsdom, happy-dom).
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { afterEach, describe, test as nodeTest } from "node:test";
import { runInNewContext } from "node:vm";
import * as compat from "../../pkg/compat.js";
import * as index from "../../pkg/index.js";
import * as slim from "../../pkg/slim.js";
import { importEntry } from "./copies.mjs";
import { BASE, HASH, createDeferred, createFetch, expectError, page } from "./support.mjs";

const WASM = readFileSync(new URL("../../pkg/client.wasm", import.meta.url));
const test = (name, body) => nodeTest(name, { timeout: 120_000 }, body);

const foreign = runInNewContext("({ Uint8Array, ArrayBuffer, Promise })");
assert.notEqual(foreign.Uint8Array, Uint8Array);

const bytes = new TextEncoder().encode(page([3, 2]).padEnd(1024));
const copyBytes = (size = bytes.length, offset = 0) => {
  const buffer = new foreign.ArrayBuffer(size);
  new Uint8Array(buffer).set(bytes, offset);
  return buffer;
};
/** Creates a body with these chunks. */
const createStream = (...chunks) => ({
  getReader: () => ({ read: async () => (chunks.length ? { done: false, value: chunks.shift() } : { done: true }) }),
});
const createResponse = (members) => ({ status: 200, headers: new Headers(), ...members });

const entries = { index, compat, slim };
await slim.init({ module: WASM });

for (const [name, { AddressClient }] of Object.entries(entries)) {
  const listWithdrawals = (fetch, options, callOptions) =>
    new AddressClient({ baseUrl: BASE, fetch, maxAttempts: 1, ...options }).addressWithdrawals(
      { address_hash: HASH },
      callOptions,
    );
  const readIndices = async (...responses) => (await listWithdrawals(createFetch(...responses))).items.map(({ index }) => index);

  describe(`${name}: a body of another realm`, () => {
    for (const [title, chunk] of [
      ["a Uint8Array", () => new foreign.Uint8Array(copyBytes())],
      ["a view of a larger buffer", () => new foreign.Uint8Array(copyBytes(4096, 512), 512, bytes.length)],
      ["an ArrayBuffer", () => copyBytes()],
    ]) {
      test(`may arrive as ${title}`, async () => {
        assert.deepEqual(await readIndices(() => createResponse({ body: createStream(chunk()) })), [3, 2]);
      });
    }

    test("may be read with arrayBuffer", async () => {
      assert.deepEqual(await readIndices(() => createResponse({ body: {}, arrayBuffer: async () => copyBytes() })), [3, 2]);
    });

    test("may come in a promise of that realm", async () => {
      const fetch = () => foreign.Promise.resolve(new Response(page([4])));
      assert.equal((await listWithdrawals(fetch)).items.length, 1);
    });

    test("whose bytes were transferred rejects with code network", async () => {
      const { buffer } = new Uint8Array(bytes);
      structuredClone(buffer, { transfer: [buffer] });
      await expectError(listWithdrawals(createFetch(() => createResponse({ body: createStream(buffer) }))), "network");
      assert.deepEqual(await readIndices(page([1])), [1]);
    });
  });
}

describe("globals of another implementation", () => {
  const { AbortController, Request, fetch } = globalThis;
  afterEach(() => Object.assign(globalThis, { AbortController, Request, fetch }));

  /** Like the AbortController of jsdom. */
  class ForeignController {
    signal = Object.assign(new EventTarget(), { aborted: false, reason: undefined });

    abort(reason) {
      Object.assign(this.signal, { aborted: true, reason });
      this.signal.dispatchEvent(new Event("abort"));
    }
  }

  /** Like the Request of Node since version 22. */
  class StrictRequest extends Request {
    constructor(url, init) {
      if (init?.signal && !(init.signal instanceof AbortSignal)) throw new TypeError("Expected signal to be an AbortSignal");
      super(url, init);
    }
  }

  const listWithdrawals = (fetch, callOptions) =>
    new index.AddressClient({ baseUrl: BASE, fetch, maxAttempts: 1 }).addressWithdrawals({ address_hash: HASH }, callOptions);

  test("a request is sent even if its signal is rejected", async () => {
    Object.assign(globalThis, { AbortController: ForeignController, Request: StrictRequest });
    const fetch = createFetch(page([2], 2), page([1]));
    assert.deepEqual(
      (await listWithdrawals(fetch).toArray({ limit: 9 })).map(({ index }) => index),
      [2, 1],
    );
    for (const { credentials, redirect } of fetch.requests) assert.deepEqual([credentials, redirect], ["omit", "follow"]);
  });

  test("a signal of another implementation aborts the call", async () => {
    const gate = createDeferred();
    const fetch = createFetch(() => gate.promise);
    const controller = new ForeignController();
    const call = expectError(listWithdrawals(fetch, { signal: controller.signal }), "aborted", { cause: "enough" });
    await fetch.sent(1);
    controller.abort("enough");
    await call;
    assert.equal(fetch.requests[0].signal.aborted, true);
  });

  test("a mock of the global fetch that returns nothing leads to a network error", async () => {
    globalThis.fetch = () => undefined;
    await expectError(listWithdrawals(undefined), "network");
  });
});

const readWasm = async () => {
  const buffer = new foreign.ArrayBuffer(WASM.length);
  new Uint8Array(buffer).set(WASM);
  return buffer;
};

/** A response with the module that `WebAssembly.compileStreaming` rejects. */
class ForeignResponse {
  [Symbol.toStringTag] = "Response";
  ok = true;
  bodyUsed = false;
  arrayBuffer = readWasm;

  constructor(type = "application/wasm") {
    this.headers = new Headers({ "content-type": type });
  }
}

describe("external: the module from a stub of the global fetch", () => {
  const { fetch } = globalThis;
  afterEach(() => Object.assign(globalThis, { fetch }));

  for (const [title, respond] of [
    ["in a Response of another realm", async () => new ForeignResponse()],
    ["in one without its content type", async () => new ForeignResponse("application/octet-stream")],
    ["in a promise of another realm", () => foreign.Promise.resolve(new ForeignResponse())],
  ]) {
    test(title, async () => {
      const urls = [];
      globalThis.fetch = (url) => {
        urls.push(String(url));
        return respond();
      };
      const { AddressClient } = await importEntry("external");
      for (const chunk of [bytes, new foreign.Uint8Array(copyBytes())]) {
        const client = new AddressClient({
          baseUrl: BASE,
          fetch: createFetch(() => createResponse({ body: createStream(chunk) })),
        });
        assert.equal((await client.addressWithdrawals({ address_hash: HASH })).items.length, 2);
      }
      assert.deepEqual(urls, [new URL("../../pkg/client.wasm", import.meta.url).href], "the module is fetched once");
    });
  }

  test("that fails leads to code load, and the next call retries", async () => {
    const { AddressClient } = await importEntry("external");
    // Each call sends its request while the module is loading.
    const client = new AddressClient({ baseUrl: BASE, fetch: createFetch(page([1]), page([1])) });
    globalThis.fetch = () => foreign.Promise.reject(new TypeError("offline"));
    await expectError(client.addressWithdrawals({ address_hash: HASH }), "load", { retryable: true });
    globalThis.fetch = async () => new ForeignResponse();
    assert.equal((await client.addressWithdrawals({ address_hash: HASH })).items.length, 1);
  });
});

test("slim: init accepts a Response that compileStreaming rejects", async () => {
  for (const module of [new ForeignResponse(), readWasm()]) {
    const { AddressClient, init } = await importEntry("slim");
    await init({ module });
    const client = new AddressClient({ baseUrl: BASE, fetch: createFetch(page([1])) });
    assert.equal((await client.addressWithdrawals({ address_hash: HASH })).items.length, 1);
  }
});
