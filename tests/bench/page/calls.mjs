// Measures whole calls over HTTP: one page, many pages one after another, and one large response as it arrives.
import createOpenApiClient from "openapi-fetch";
import ky from "ky";
import { createZodValidator } from "../schemas/zod.mjs";
import { compare, summarize } from "./timing.mjs";

/** The sample address with more than a hundred records in each list. */
const address_hash = "0xb73Fc943f7f0836328cce02C7141e861DF8038eF";
const PATH = `/api/v2/addresses/${address_hash}/token-transfers`;

/** Measures one page of transfers with every client, from a service that needs `latencyMs` for it. */
export async function measureCall(assets, origin, { latencyMs, ...settings }) {
  const { AddressClient } = await assets.module("pkg/index.js");
  const baseUrl = `${origin}/${latencyMs > 0 ? `latency/${latencyMs}` : "service"}`;
  const url = baseUrl + PATH;
  const client = new AddressClient({ baseUrl });
  const openapi = createOpenApiClient({ baseUrl: `${baseUrl}/api/v2` });
  const validate = createZodValidator(await assets.json("records.json"), "TokenTransfer");
  const fetchItems = async () => (await (await fetch(url)).json()).items;
  const contenders = [
    { name: "fetch, r.json()", run: fetchItems },
    { name: "address-query", run: async () => (await client.addressTokenTransfers({ address_hash })).items },
    { name: "fetch, zod", run: async () => validate(await fetchItems()) },
    { name: "ky", run: async () => (await ky(url).json()).items },
    {
      name: "openapi-fetch",
      run: async () => {
        const params = { path: { address_hash } };
        return (await openapi.GET("/addresses/{address_hash}/token-transfers", { params })).data.items;
      },
    },
  ].map((contender) => ({ ...contender, isAsync: true }));
  const getKeys = (items) => items.map(({ transaction_hash, log_index }) => `${transaction_hash} ${log_index}`).join();
  const expected = getKeys(await fetchItems());
  for (const { name, run } of contenders)
    if (getKeys(await run()) !== expected) throw new Error(`${name} returns other transfers`);
  return compare(contenders, { batchMs: 20, ...settings });
}

/** Measures many pages from a service with a latency of `latencyMs`. The caller works for `workMs` after each page. */
export async function measurePrefetch(assets, origin, { pages, latencyMs, workMs, rounds }) {
  const { AddressClient } = await assets.module("pkg/index.js");
  const baseUrl = `${origin}/latency/${latencyMs}`;
  const work = () => {
    for (const end = performance.now() + workMs; performance.now() < end; );
  };
  const fetchPage = async (cursor) => (await fetch(`${baseUrl}${PATH}?${new URLSearchParams(cursor)}`)).json();
  const contenders = {
    // The lower bound: the same pages one after another, not parsed, and the work after the last one.
    "latency bound": async () => {
      for (let page = 0; page < pages; page++) await (await fetch(`${baseUrl}${PATH}?bound=${page}`)).arrayBuffer();
      work();
      return pages;
    },
    "address-query": async () => {
      let seen = 0;
      for await (const _ of new AddressClient({ baseUrl }).addressTokenTransfers({ address_hash }).pages()) {
        work();
        if (++seen === pages) break;
      }
      return seen;
    },
    "fetch loop": async () => {
      let cursor = {};
      for (let page = 0; page < pages; page++) {
        cursor = (await fetchPage(cursor)).next_page_params;
        work();
      }
      return pages;
    },
    "fetch loop, hand-written prefetch": async () => {
      let next = fetchPage({});
      for (let page = 0; page < pages; page++) {
        const { next_page_params } = await next;
        if (page + 1 < pages) next = fetchPage(next_page_params);
        work();
      }
      return pages;
    },
  };
  const times = Object.fromEntries(Object.keys(contenders).map((name) => [name, []]));
  // The first round is a warm-up: the server creates its responses, and the engine compiles.
  for (let round = 0; round <= rounds; round++) {
    for (const [name, run] of Object.entries(contenders)) {
      const start = performance.now();
      if ((await run()) !== pages) throw new Error(`${name} read too few pages`);
      if (round > 0) times[name].push(performance.now() - start);
    }
  }
  return Object.entries(times).map(([name, ms]) => ({
    name,
    ms: summarize(ms),
    ratio: summarize(ms.map((time, round) => time / times["latency bound"][round])),
  }));
}

/** Measures one large response at a given bandwidth: the time to the first record, the whole call, and the longest task. */
export async function measureStream(assets, origin, { mbits, rows, rounds }) {
  const { AddressClient } = await assets.module("pkg/index.js");
  const baseUrl = `${origin}/bandwidth/${mbits}`;
  const client = new AddressClient({ baseUrl });
  const address = address_hash;
  // Each calls `onFirst` when it has the first record, and returns the number of records.
  const contenders = {
    "fetch, r.json()": async (onFirst) => {
      const { result } = await (await fetch(`${baseUrl}/api?module=account&action=txlist&address=${address}`)).json();
      onFirst();
      return result.length;
    },
    "address-query, txList()": async (onFirst) => {
      const { items } = await client.account.txList({ address });
      onFirst();
      return items.length;
    },
    "address-query, txList.all()": async (onFirst) => {
      let seen = 0;
      // One response uses the whole bandwidth, so the range is read in one part.
      for await (const _ of client.account.txList.all({ address }, { concurrency: 1 })) if (++seen === 1) onFirst();
      return seen;
    },
  };
  const times = Object.fromEntries(
    Object.keys(contenders).map((name) => [name, { firstRecord: [], total: [], longestTask: [] }]),
  );
  for (let round = 0; round <= rounds; round++) {
    for (const [name, run] of Object.entries(contenders)) {
      performance.clearResourceTimings();
      const observer = observeTasks();
      const start = performance.now();
      let firstRecord;
      const seen = await run(() => (firstRecord = performance.now()));
      const total = performance.now() - start;
      const longestTask = await observer.stop(round > 0 ? name : "warm-up");
      if (seen !== rows) throw new Error(`${name} returned ${seen} rows, expected ${rows}`);
      const firstByte = await getResponseStart("/bandwidth/");
      if (round > 0) {
        times[name].firstRecord.push(firstRecord - firstByte);
        times[name].total.push(total);
        times[name].longestTask.push(longestTask);
      }
    }
  }
  const baseline = times["fetch, r.json()"].total;
  return Object.entries(times).map(([name, { firstRecord, total, longestTask }]) => ({
    name,
    firstRecord: summarize(firstRecord),
    total: summarize(total),
    longestTask: summarize(longestTask),
    ratio: summarize(total.map((time, round) => time / baseline[round])),
  }));
}

/** Returns the time of the first byte of the only response with this path. The browser reports it some time after the last one. */
async function getResponseStart(path) {
  for (let attempt = 0; attempt < 100; attempt++) {
    const entry = performance.getEntriesByType("resource").find(({ name }) => name.includes(path));
    if (entry?.responseStart) return entry.responseStart;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error("the browser reported no time of the first byte");
}

/**
 * Observes the event loop. `stop(name)` returns the longest time between two of its turns, and adds a performance measure with
 * that name for the browser's trace (see long-tasks.mjs).
 */
function observeTasks() {
  const { port1, port2 } = new MessageChannel();
  let longest = 0;
  let start = 0;
  let last = performance.now();
  let isRunning = true;
  let onStopped;
  port1.onmessage = () => {
    const now = performance.now();
    if (now - last > longest) [longest, start] = [now - last, last];
    last = now;
    if (isRunning) port2.postMessage(null);
    else onStopped();
  };
  port2.postMessage(null);
  return {
    async stop(name) {
      isRunning = false;
      await new Promise((resolve) => (onStopped = resolve));
      performance.measure(name, { start, duration: longest });
      return longest;
    },
  };
}
