// Iterating over very many records: what a page costs, from the first to the last, and what memory is in use meanwhile.

const PAGE = 50;
const address_hash = "0xb73Fc943f7f0836328cce02C7141e861DF8038eF";

/** A `fetch` that makes pages of transfers as they are asked for, each with the next one's cursor. */
function endless(text, records) {
  const encoder = new TextEncoder();
  const items = text.slice(0, text.lastIndexOf("\"next_page_params\""));
  const bytes = encoder.encode(items);
  const last = records / PAGE;
  return async (request) => {
    const page = Number(new URL(request.url).searchParams.get("block_number") ?? 0) + 1;
    const cursor = encoder.encode(`"next_page_params":${page < last ? `{"block_number":${page},"index":0}` : "null"}}`);
    const body = new Uint8Array(bytes.length + cursor.length);
    body.set(bytes);
    body.set(cursor, bytes.length);
    return new Response(body);
  };
}

/**
 * `heap` tells the bytes of JavaScript's heap that are in use. A sample is taken every `every` pages, and beside it what
 * \`JSON.parse\` takes for such a page at that time: the machine may have become slower meanwhile.
 */
export async function iterate(assets, heap, { records, every }) {
  const { AddressClient } = await assets.module("pkg/index.js");
  let memory;
  const { instantiate } = WebAssembly;
  WebAssembly.instantiate = async (module, imports) => {
    const instance = await instantiate(module, imports);
    ({ memory } = instance.exports);
    return instance;
  };
  const text = new TextDecoder().decode(await assets.bytes("payloads/0.json"));
  const fetch = endless(text, records);
  const client = new AddressClient({ baseUrl: "https://bench.invalid", fetch });
  const samples = [];
  let peakHeap = 0;
  let seen = 0;
  let started = performance.now();
  for await (const _ of client.addressTokenTransfers({ address_hash })) {
    if (++seen % (every * PAGE) === 0) {
      const ms = (performance.now() - started) / every;
      const used = performance.memory.usedJSHeapSize;
      peakHeap = Math.max(peakHeap, used);
      samples.push({ page: seen / PAGE, ms, parse: parsed(text, every) });
      started = performance.now();
    }
  }
  if (seen !== records) throw new Error(`${seen} records instead of ${records}`);
  return { records, wasm: memory.buffer.byteLength, peakHeap, liveHeap: await heap(), samples };
}

/** Milliseconds that a page's text takes to be parsed, the mean of so many times. */
function parsed(text, times) {
  const started = performance.now();
  for (let i = 0; i < times; i++) kept = JSON.parse(text);
  return (performance.now() - started) / times;
}

let kept;
