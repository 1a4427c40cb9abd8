// Measures iteration over very many records: the time per page, from the first to the last, and the memory in use.

const PAGE_SIZE = 50;
const address_hash = "0xb73Fc943f7f0836328cce02C7141e861DF8038eF";

/** Creates a `fetch` that responds with pages of transfers, made from one page as JSON. */
function createPagedFetch(json, recordCount) {
  const encoder = new TextEncoder();
  const items = encoder.encode(json.slice(0, json.lastIndexOf('"next_page_params"')));
  const lastPage = recordCount / PAGE_SIZE;
  return async (request) => {
    const page = Number(new URL(request.url).searchParams.get("block_number") ?? 0) + 1;
    const cursor = encoder.encode(`"next_page_params":${page < lastPage ? `{"block_number":${page},"index":0}` : "null"}}`);
    const body = new Uint8Array(items.length + cursor.length);
    body.set(items);
    body.set(cursor, items.length);
    return new Response(body);
  };
}

/**
 * Iterates over `records` records. Takes a sample every `pagesPerSample` pages: the time per page, and the time of `JSON.parse`
 * for such a page at that moment, because the speed of the machine can change. `getHeapBytes` returns the bytes in use.
 */
export async function measureIteration(assets, getHeapBytes, { records, pagesPerSample }) {
  const getWasmBytes = observeWasmMemory();
  const { AddressClient } = await assets.module("pkg/index.js");
  const json = new TextDecoder().decode(await assets.bytes("payloads/0.json"));
  const client = new AddressClient({ baseUrl: "https://bench.invalid", fetch: createPagedFetch(json, records) });
  const samples = [];
  let peakHeap = 0;
  let seen = 0;
  let start = performance.now();
  for await (const _ of client.addressTokenTransfers({ address_hash })) {
    if (++seen % (pagesPerSample * PAGE_SIZE) === 0) {
      const ms = (performance.now() - start) / pagesPerSample;
      peakHeap = Math.max(peakHeap, performance.memory.usedJSHeapSize);
      samples.push({ page: seen / PAGE_SIZE, ms, parse: measureParse(json, pagesPerSample) });
      start = performance.now();
    }
  }
  if (seen !== records) throw new Error(`got ${seen} records, expected ${records}`);
  return { records, wasm: getWasmBytes(), peakHeap, liveHeap: await getHeapBytes(), samples };
}

/** Returns a function that returns the size of the WebAssembly memory, if that is created after this call. */
export function observeWasmMemory() {
  let memory;
  const { instantiate } = WebAssembly;
  WebAssembly.instantiate = async (module, imports) => {
    const instance = await instantiate(module, imports);
    // The names of the exports are minified.
    memory = Object.values(instance.exports).find((value) => value instanceof WebAssembly.Memory);
    return instance;
  };
  return () => memory.buffer.byteLength;
}

/** Measures the mean time of `JSON.parse` in milliseconds. */
function measureParse(json, count) {
  const start = performance.now();
  // A result that nothing uses could be optimized away.
  for (let i = 0; i < count; i++) globalThis.lastResult = JSON.parse(json);
  return (performance.now() - start) / count;
}
