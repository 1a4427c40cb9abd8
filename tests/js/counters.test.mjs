// What a page costs, in exact numbers that no machine changes: crossings of the boundary, bytes copied, memory kept.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { HASH, row } from "./support.mjs";

const encoder = new TextEncoder();

/** What has crossed the boundary so far. */
const crossed = { imports: 0, exports: 0, bytesIn: 0, bytesOut: 0 };
let memory;

// The package knows no other way to its module than these, so they are what is counted at.
const { instantiate } = WebAssembly;
WebAssembly.instantiate = async (module, imports) => {
  // Node's own modules are none of ours.
  if (imports?.["./wasm_bg.js"] === undefined) return instantiate(module, imports);
  const counted = (kind, functions) =>
    Object.fromEntries(
      Object.entries(functions).map(([name, value]) => {
        if (typeof value !== "function") return [name, value];
        const count = (...args) => {
          crossed[kind]++;
          return value(...args);
        };
        return [name, count];
      }),
    );
  const wrapped = Object.fromEntries(Object.entries(imports).map(([module, names]) => [module, counted("imports", names)]));
  const { exports } = await instantiate(module, wrapped);
  memory = exports.memory;
  return { exports: counted("exports", exports) };
};
const { set } = Uint8Array.prototype;
Uint8Array.prototype.set = function (source, at) {
  if (this.buffer === memory?.buffer) crossed.bytesIn += source.length;
  return set.call(this, source, at);
};
const { decode } = TextDecoder.prototype;
TextDecoder.prototype.decode = function (bytes, options) {
  if (bytes !== undefined && bytes.buffer === memory?.buffer) crossed.bytesOut += bytes.byteLength;
  return decode.call(this, bytes, options);
};
const { AddressClient } = await import("../../pkg/index.js");

/** A client that is answered with pages of as many rows, each body in as many chunks. */
function clientOf({ rows, chunks = 1, pages = Infinity }) {
  const bodies = { bytes: 0 };
  const fetch = async ({ url }) => {
    const number = Number(new URL(url).searchParams.get("index") ?? 0) + 1;
    // No two amounts are equal: each is a text of its own.
    const items = Array.from({ length: rows }, (_, i) => row(i, { amount: String(10n ** 18n + BigInt(number * 1000 + i)) }));
    const body = encoder.encode(JSON.stringify({ items, next_page_params: number < pages ? { index: number } : null }));
    bodies.bytes += body.length;
    const size = Math.ceil(body.length / chunks);
    const parts = Array.from({ length: chunks }, (_, i) => body.subarray(i * size, (i + 1) * size));
    return new Response(new ReadableStream({ pull: (stream) => (parts.length ? stream.enqueue(parts.shift()) : stream.close()) }));
  };
  return { client: new AddressClient({ baseUrl: "https://counters.invalid", fetch }), bodies };
}

test("the module's memory does not grow with the pages that were read", async () => {
  const { client } = clientOf({ rows: 5, pages: 1000 });
  let read = 0;
  let early;
  for await (const _ of client.addressWithdrawals({ address_hash: HASH }).pages()) {
    if (++read === 200) early = memory.buffer.byteLength;
  }
  assert.equal(read, 1000);
  assert.equal(memory.buffer.byteLength, early);
});

/** What reading one page of this kind takes, once pages before have filled the tables of engine and module. */
async function costOf(kind) {
  const { client, bodies } = clientOf({ ...kind, pages: 12 });
  const costs = [];
  for await (const _ of client.addressWithdrawals({ address_hash: HASH }, { prefetch: 0 }).pages()) {
    costs.push({ ...crossed, body: bodies.bytes });
  }
  const [before, after] = costs.slice(-3, -1);
  return Object.fromEntries(Object.entries(after).map(([name, value]) => [name, value - before[name]]));
}

test("the boundary is crossed as often for a page of 500 rows as for one of one", async () => {
  const { imports, exports } = await costOf({ rows: 1 });
  for (const rows of [50, 500]) {
    const cost = await costOf({ rows });
    assert.deepEqual({ imports: cost.imports, exports: cost.exports }, { imports, exports }, `${rows} rows`);
  }
  // Setting up and ending a request is most of it.
  assert.ok(imports + exports <= 125, `${imports} calls out of the module, ${exports} into it`);
});

test("a further chunk of a body takes as many crossings whatever it holds", async () => {
  const crossings = async (kind) => {
    const { imports, exports } = await costOf(kind);
    return imports + exports;
  };
  const each = (await crossings({ rows: 50, chunks: 2 })) - (await crossings({ rows: 50, chunks: 1 }));
  assert.ok(each <= 24, `${each} crossings`);
  for (const rows of [50, 500]) {
    assert.equal(await crossings({ rows, chunks: 8 }), (await crossings({ rows, chunks: 1 })) + 7 * each, `${rows} rows`);
  }
});

test("every byte of an answer is copied into the module once, and no text comes out twice", async () => {
  for (const kind of [{ rows: 0 }, { rows: 50 }, { rows: 500 }, { rows: 500, chunks: 5 }]) {
    const { body, bytesIn, bytesOut } = await costOf(kind);
    assert.equal(bytesIn, body, JSON.stringify(kind));
    // Beside the texts of the rows: names and URLs of the call.
    assert.ok(bytesOut <= body + 1000, `${bytesOut} bytes out of ${body}: ${JSON.stringify(kind)}`);
  }
});

test("the package has no export for the benchmark", () => {
  const module = new WebAssembly.Module(readFileSync(new URL("../../pkg/client.wasm", import.meta.url)));
  const names = WebAssembly.Module.exports(module).map(({ name }) => name);
  assert.ok(names.includes("session_new"));
  assert.deepEqual(names.filter((name) => name.startsWith("bench")), []);
});
