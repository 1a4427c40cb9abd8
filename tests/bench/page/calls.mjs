// Whole calls over HTTP: one page, many pages one after the other, and one large answer while it arrives.
import createOpenApiClient from "openapi-fetch";
import ky from "ky";
import { zodRows } from "../schemas/zod.mjs";
import { compare, spread } from "./rounds.mjs";

/** The address with thousands of records in each list. */
const address_hash = "0xb73Fc943f7f0836328cce02C7141e861DF8038eF";
const PATH = `/api/v2/addresses/${address_hash}/token-transfers`;

/** One page of transfers, by every way to call for it. */
export async function onePage(assets, origin, settings) {
  const { AddressClient } = await assets.module("pkg/index.js");
  const baseUrl = `${origin}/service`;
  const url = baseUrl + PATH;
  const client = new AddressClient({ baseUrl });
  const openapi = createOpenApiClient({ baseUrl: `${baseUrl}/api/v2` });
  const check = zodRows(await assets.json("records.json"), "TokenTransfer");
  const fetched = async () => (await (await fetch(url)).json()).items;
  const contenders = [
    { name: "fetch, r.json()", run: fetched },
    { name: "address-query", run: async () => (await client.addressTokenTransfers({ address_hash })).items },
    { name: "fetch, zod", run: async () => check(await fetched()) },
    { name: "ky", run: async () => (await ky(url).json()).items },
    {
      name: "openapi-fetch",
      run: async () => {
        const params = { path: { address_hash } };
        return (await openapi.GET("/addresses/{address_hash}/token-transfers", { params })).data.items;
      },
    },
  ].map((contender) => ({ ...contender, isAsync: true }));
  const wanted = (await fetched()).map(({ transaction_hash, log_index }) => `${transaction_hash} ${log_index}`).join();
  for (const { name, run } of contenders) {
    const got = (await run()).map(({ transaction_hash, log_index }) => `${transaction_hash} ${log_index}`).join();
    if (got !== wanted) throw new Error(`${name} gives other transfers`);
  }
  return compare(contenders, { turnMs: 20, ...settings });
}

/** Many pages from a service that is `latency` ms away, with a caller who is busy for `work` ms after each. */
export async function prefetch(assets, origin, { pages, latency, work, rounds }) {
  const { AddressClient } = await assets.module("pkg/index.js");
  const baseUrl = `${origin}/late/${latency}`;
  const busy = () => {
    for (const until = performance.now() + work; performance.now() < until; );
  };
  const get = async (cursor) => (await fetch(`${baseUrl}${PATH}?${new URLSearchParams(cursor)}`)).json();
  const ways = {
    // What the service's latency alone costs: the same pages, neither read nor worked on.
    "latency bound": async () => {
      for (let page = 0; page < pages; page++) await (await fetch(`${baseUrl}${PATH}?bound=${page}`)).arrayBuffer();
      busy();
      return pages;
    },
    "address-query": async () => {
      let seen = 0;
      for await (const _ of new AddressClient({ baseUrl }).addressTokenTransfers({ address_hash }).pages()) {
        busy();
        if (++seen === pages) break;
      }
      return seen;
    },
    "fetch loop": async () => {
      let cursor = {};
      for (let page = 0; page < pages; page++) {
        cursor = (await get(cursor)).next_page_params;
        busy();
      }
      return pages;
    },
    "fetch loop, hand-made prefetch": async () => {
      let next = get({});
      for (let page = 0; page < pages; page++) {
        const { next_page_params } = await next;
        if (page + 1 < pages) next = get(next_page_params);
        busy();
      }
      return pages;
    },
  };
  const times = Object.fromEntries(Object.keys(ways).map((name) => [name, []]));
  // The first round is not counted: the server makes its answers, the engine compiles.
  for (let round = 0; round <= rounds; round++) {
    for (const [name, run] of Object.entries(ways)) {
      const started = performance.now();
      if ((await run()) !== pages) throw new Error(`${name} ended early`);
      if (round > 0) times[name].push(performance.now() - started);
    }
  }
  return Object.entries(times).map(([name, ms]) => ({
    name,
    ms: spread(ms),
    ratio: spread(ms.map((time, round) => time / times["latency bound"][round])),
  }));
}

/** A large answer at some rate: first record, whole call, and the longest time in which the page could do nothing else. */
export async function stream(assets, origin, { rate, rows, rounds }) {
  const { AddressClient } = await assets.module("pkg/index.js");
  const client = new AddressClient({ baseUrl: `${origin}/paced/${rate}` });
  const address = address_hash;
  const ways = {
    "fetch, r.json()": async (first) => {
      const { result } = await (await fetch(`${origin}/paced/${rate}/api?module=account&action=txlist&address=${address}`)).json();
      first();
      return result.length;
    },
    "address-query, txList()": async (first) => {
      const { items } = await client.account.txList({ address });
      first();
      return items.length;
    },
    "address-query, txList.all()": async (first) => {
      let seen = 0;
      for await (const _ of client.account.txList.all({ address })) if (++seen === 1) first();
      return seen;
    },
  };
  const measured = Object.fromEntries(Object.keys(ways).map((name) => [name, { first: [], whole: [], slice: [] }]));
  for (let round = 0; round <= rounds; round++) {
    for (const [name, run] of Object.entries(ways)) {
      performance.clearResourceTimings();
      const slices = watch();
      const started = performance.now();
      let first;
      const seen = await run(() => (first = performance.now()));
      const whole = performance.now() - started;
      const slice = await slices.end(round > 0 ? name : "warming up");
      if (seen !== rows) throw new Error(`${name} gives ${seen} rows`);
      const firstBytes = await arrival("/paced/");
      if (round > 0) {
        measured[name].first.push(first - firstBytes);
        measured[name].whole.push(whole);
        measured[name].slice.push(slice);
      }
    }
  }
  const whole = measured["fetch, r.json()"].whole;
  return Object.entries(measured).map(([name, times]) => ({
    name,
    first: spread(times.first),
    whole: spread(times.whole),
    slice: spread(times.slice),
    ratio: spread(times.whole.map((time, round) => time / whole[round])),
  }));
}

/** When the first bytes of the one answer from there came; the browser notes it some time after the last ones. */
async function arrival(path) {
  for (let tries = 0; tries < 100; tries++) {
    const entry = performance.getEntriesByType("resource").find(({ name }) => name.includes(path));
    if (entry?.responseStart) return entry.responseStart;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error("the browser does not tell when the first bytes came");
}

/** Finds the longest time between two turns of the event loop, and marks it for whoever traces the browser. */
function watch() {
  const { port1, port2 } = new MessageChannel();
  let longest = 0;
  let from = 0;
  let last = performance.now();
  let running = true;
  let ended;
  port1.onmessage = () => {
    const now = performance.now();
    if (now - last > longest) [longest, from] = [now - last, last];
    last = now;
    if (running) port2.postMessage(null);
    else ended();
  };
  port2.postMessage(null);
  return {
    async end(name) {
      running = false;
      await new Promise((resolve) => (ended = resolve));
      performance.measure(name, { start: from, duration: longest });
      return longest;
    },
  };
}
