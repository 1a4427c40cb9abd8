// The cost of a page as exact numbers that are the same on every machine: calls between JavaScript and WebAssembly, copied
// bytes, and memory.
import assert from "node:assert/strict";
import { test } from "node:test";
import { bind } from "../../target/parts/bindings.js";
import { HASH, row } from "./support.mjs";

const encoder = new TextEncoder();

/** Totals so far: calls of imports and exports, and bytes copied into and out of WebAssembly memory. */
const totals = { imports: 0, exports: 0, bytesIn: 0, bytesOut: 0 };
let memory;

// The package reaches its module only through these functions.
const { instantiate } = WebAssembly;
WebAssembly.instantiate = async (module, imports) => {
  // Node also instantiates internal modules.
  if (imports?.a === undefined) return instantiate(module, imports);
  const countCalls = (kind, functions) =>
    Object.fromEntries(
      Object.entries(functions).map(([name, value]) => {
        if (typeof value !== "function") return [name, value];
        const countCall = (...args) => {
          totals[kind]++;
          return value(...args);
        };
        return [name, countCall];
      }),
    );
  const wrapped = Object.fromEntries(Object.entries(imports).map(([module, names]) => [module, countCalls("imports", names)]));
  const { exports } = await instantiate(module, wrapped);
  memory = Object.values(exports).find((value) => value instanceof WebAssembly.Memory);
  return { exports: countCalls("exports", exports) };
};
const { set } = Uint8Array.prototype;
Uint8Array.prototype.set = function (source, at) {
  if (this.buffer === memory?.buffer) totals.bytesIn += source.length;
  return set.call(this, source, at);
};
const { decode } = TextDecoder.prototype;
TextDecoder.prototype.decode = function (bytes, options) {
  if (bytes !== undefined && bytes.buffer === memory?.buffer) totals.bytesOut += bytes.byteLength;
  return decode.call(this, bytes, options);
};
const { AddressClient } = await import("../../pkg/index.js");

/** Creates a client whose responses are pages with this number of rows, each body in this number of chunks. */
function createClient({ rows, chunks = 1, pages = Infinity }) {
  const bodies = { bytes: 0 };
  const fetch = async ({ url }) => {
    const number = Number(new URL(url).searchParams.get("index") ?? 0) + 1;
    // All amounts differ, so that none can be shared.
    const items = Array.from({ length: rows }, (_, i) => row(i, { amount: String(10n ** 18n + BigInt(number * 1000 + i)) }));
    const body = encoder.encode(JSON.stringify({ items, next_page_params: number < pages ? { index: number } : null }));
    bodies.bytes += body.length;
    const size = Math.ceil(body.length / chunks);
    const remaining = Array.from({ length: chunks }, (_, i) => body.subarray(i * size, (i + 1) * size));
    return new Response(
      new ReadableStream({ pull: (stream) => (remaining.length ? stream.enqueue(remaining.shift()) : stream.close()) }),
    );
  };
  return { client: new AddressClient({ baseUrl: "https://counters.invalid", fetch }), bodies };
}

test("WebAssembly memory does not grow with the number of pages", async () => {
  const { client } = createClient({ rows: 5, pages: 1000 });
  let read = 0;
  let sizeAfter200;
  for await (const _ of client.addressWithdrawals({ address_hash: HASH }).pages()) {
    if (++read === 200) sizeAfter200 = memory.buffer.byteLength;
  }
  assert.equal(read, 1000);
  assert.equal(memory.buffer.byteLength, sizeAfter200);
});

/** Measures the cost of reading one page, after earlier pages have filled the caches of engine and module. */
async function measureCost(kind) {
  const { client, bodies } = createClient({ ...kind, pages: 12 });
  const costs = [];
  for await (const _ of client.addressWithdrawals({ address_hash: HASH }, { prefetch: 0 }).pages()) {
    costs.push({ ...totals, body: bodies.bytes });
  }
  const [before, after] = costs.slice(-3, -1);
  return Object.fromEntries(Object.entries(after).map(([name, value]) => [name, value - before[name]]));
}

test("a page of 500 rows takes as many calls between JavaScript and WebAssembly as a page of one row", async () => {
  const { imports, exports } = await measureCost({ rows: 1 });
  for (const rows of [50, 500]) {
    const cost = await measureCost({ rows });
    assert.deepEqual({ imports: cost.imports, exports: cost.exports }, { imports, exports }, `${rows} rows`);
  }
  assert.ok(imports > 0 && exports > 0, "calls are counted");
  // Most of the calls start and end the request.
  assert.ok(imports + exports <= 125, `${imports} calls of imports, ${exports} calls of exports`);
});

test("each further chunk of a body takes the same number of calls", async () => {
  const countCalls = async (kind) => {
    const { imports, exports } = await measureCost(kind);
    return imports + exports;
  };
  const each = (await countCalls({ rows: 50, chunks: 2 })) - (await countCalls({ rows: 50, chunks: 1 }));
  assert.ok(each <= 24, `${each} calls`);
  for (const rows of [50, 500]) {
    assert.equal(await countCalls({ rows, chunks: 8 }), (await countCalls({ rows, chunks: 1 })) + 7 * each, `${rows} rows`);
  }
});

test("every byte of a response is copied into WebAssembly once, and every string is copied out at most once", async () => {
  for (const kind of [{ rows: 0 }, { rows: 50 }, { rows: 500 }, { rows: 500, chunks: 5 }]) {
    const { body, bytesIn, bytesOut } = await measureCost(kind);
    assert.equal(bytesIn, body, JSON.stringify(kind));
    // The extra bytes are names and URLs of the call.
    assert.ok(bytesOut <= body + 1000, `${bytesOut} bytes out of ${body}: ${JSON.stringify(kind)}`);
  }
});

test("the module does not export the functions of the benchmark", () => {
  assert.deepEqual(Object.keys(bind().classes), ["Call", "Session"]);
});
