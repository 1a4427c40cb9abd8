// Measures reads of ranges of blocks: the time with different numbers of concurrent requests, and the memory in use.
import { observeWasmMemory } from "./memory.mjs";
import { summarize } from "./timing.mjs";

/** The sample address with 60,000 transactions. */
const DEEP_ADDRESS = "0xB816166e1C12326d7a2E4045e85C070d5e71b948";
const MAX_ROWS = 10_000;

/**
 * Measures a range of 60,000 transactions with different numbers of concurrent requests. They are evenly spread over the
 * blocks, or the sample service's.
 */
export async function measureDeepRead(assets, origin, { isEven, latencyMs, rounds }) {
  const { AddressClient } = await assets.module("pkg/index.js");
  const baseUrl = `${origin}/${isEven ? "even" : "latency"}/${latencyMs}`;
  const results = [1, 2, 4].map((concurrency) => ({ concurrency, ms: [] }));
  // The first round is a warm-up.
  for (let round = 0; round <= rounds; round++) {
    for (const result of results) {
      const { account } = new AddressClient({ baseUrl });
      const rows = account.txList.all({ address: DEEP_ADDRESS, sort: "asc" }, { concurrency: result.concurrency });
      const start = performance.now();
      let seen = 0;
      for await (const _ of rows) seen++;
      if (seen !== 60_000) throw new Error(`${seen} rows with ${result.concurrency} requests at a time`);
      if (round > 0) result.ms.push(performance.now() - start);
      result.requests = rows.report.requests;
    }
  }
  const [{ ms: sequential }] = results;
  return results.map(({ concurrency, ms, requests }) => ({
    concurrency,
    requests,
    ms: summarize(ms),
    ratio: summarize(ms.map((time, round) => time / sequential[round])),
  }));
}

/** Creates a `fetch` that responds with the transactions of an address: one in each block, made from one row. */
function createRangeFetch(row, count) {
  const toHash = (block) => `0x${block.toString(16).padStart(64, "0")}`;
  const json = JSON.stringify({ ...row, blockNumber: "<block>", hash: "<hash>" });
  const [start, middle, end] = json.split(/<block>|<hash>/);
  const isHashFirst = json.indexOf("<hash>") < json.indexOf("<block>");
  const formatRow = (block) =>
    isHashFirst ? start + toHash(block) + middle + block + end : start + block + middle + toHash(block) + end;
  return async (request) => {
    const params = new URL(request.url).searchParams;
    const first = Number(params.get("startblock") ?? 1);
    const last = Math.min(Number(params.get("endblock") ?? count), count);
    const offset = Number(params.get("offset") ?? MAX_ROWS);
    const skipped = (Number(params.get("page") ?? 1) - 1) * offset;
    const length = Math.max(0, Math.min(offset, last - first + 1 - skipped));
    const isAscending = params.get("sort") === "asc";
    const rows = Array.from({ length }, (_, i) => formatRow(isAscending ? first + skipped + i : last - skipped - i));
    return new Response(`{"message":"OK","result":[${rows.join(",")}],"status":"1"}`);
  };
}

/** Reads `records` transactions with up to `concurrency` requests at a time, and returns the memory in use. */
export async function measureReadMemory(assets, getHeapBytes, { concurrency, records }) {
  const getWasmBytes = observeWasmMemory();
  const { AddressClient } = await assets.module("pkg/index.js");
  const [row] = (await assets.json("payloads/rows-50.json")).result;
  const client = new AddressClient({ baseUrl: "https://bench.invalid", fetch: createRangeFetch(row, records) });
  const items = client.account.txList.all({ address: row.from, sort: "asc" }, { concurrency });
  let seen = 0;
  let peakHeap = 0;
  for await (const _ of items) {
    if (++seen % 1_000 === 0) peakHeap = Math.max(peakHeap, performance.memory.usedJSHeapSize);
  }
  if (seen !== records) throw new Error(`got ${seen} records, expected ${records}`);
  return { concurrency, records, wasm: getWasmBytes(), peakHeap, liveHeap: await getHeapBytes() };
}
