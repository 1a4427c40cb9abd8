// Measures what each entry point costs a visitor: the bytes to download, and the time from the start of the navigation to the
// first page of a list, with an empty and with a full cache, over a throttled connection in Chromium.
//
//   node tests/package/load-times.mjs [--rounds 9] [--mbit 10] [--latency 40] [--cpu 1] [--service 0]
//
// The page is one script, bundled and minified by esbuild and compressed with brotli. The variants take turns, in an order that
// changes from round to round. `ratio` compares the first visit with the first visit of plain `fetch` in the same round. `--cpu 4`
// slows the processor down to a quarter of its speed. `--service 300` lets the service take 300 ms for a response.
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { loadavg } from "node:os";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { brotliCompressSync } from "node:zlib";
import { build } from "esbuild";
import { createHarness } from "./consumers/harness.mjs";

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "9" },
    mbit: { type: "string", default: "10" },
    latency: { type: "string", default: "40" },
    cpu: { type: "string", default: "1" },
    service: { type: "string", default: "0" },
  },
});
const [rounds, mbit, latency, cpu, service] = [values.rounds, values.mbit, values.latency, values.cpu, values.service].map(
  Number,
);

const PRELOAD = '<link rel="preload" href="client.wasm" as="fetch" crossorigin>';
const ENTRY = (entry) => `
  import { AddressClient } from "${entry}";
  export const readPage = (baseUrl) => new AddressClient({ baseUrl }).addresses();`;
/** The alternatives that a page would use otherwise: plain `fetch`, or a validating library. */
const FETCH = 'export const readPage = async (baseUrl) => (await fetch(baseUrl + "/api/v2/addresses")).json();';
const ZOD = `
  import * as z from "zod";
  const reference = z.object({ hash: z.string().regex(/^0x[0-9a-fA-F]{40}$/), name: z.string().nullish() });
  const item = reference.extend({ coin_balance: z.string().regex(/^[0-9]+$/), transactions_count: z.string().nullish() });
  const page = z.object({ items: z.array(item), next_page_params: z.record(z.string(), z.unknown()).nullable() });
  export const readPage = async (baseUrl) => page.parse(await (await fetch(baseUrl + "/api/v2/addresses")).json());`;
const VARIANTS = [
  { name: "fetch and json()", reader: FETCH },
  { name: "fetch and zod", reader: ZOD },
  { name: ".", entry: "address-query" },
  { name: "./external", entry: "address-query/external" },
  { name: "./external, preloaded", entry: "address-query/external", head: PRELOAD },
  { name: "./compat", entry: "address-query/compat" },
];

const harness = await createHarness({ latencyMs: service });
try {
  const pages = [];
  for (const variant of VARIANTS) pages.push({ ...variant, url: await buildPage(variant), cold: [], cached: [] });
  for (let round = -1; round < rounds; round++) {
    for (const page of rotate(pages, Math.max(round, 0))) {
      const { cold, cached, bytes } = await measureVisit(page.url);
      // The first round is a warm-up.
      if (round < 0) continue;
      page.cold.push(cold);
      page.cached.push(cached);
      page.bytes = bytes;
    }
  }
  console.log(
    `${mbit} Mbit/s, ${latency} ms, service ${service} ms, ${cpu}x CPU throttle, ${rounds} rounds, load average ${formatLoad()}; median (quartiles) in ms until the first page of a list\n`,
  );
  const printRow = ([name, bytes, ...cells]) =>
    console.log([name.padEnd(24), String(bytes).padStart(14), ...cells.map((cell) => cell.padStart(22))].join(""));
  printRow(["variant", "bytes, brotli", "cold", "ratio", "cached"]);
  const [plain] = pages;
  for (const { name, bytes, cold, cached } of pages) {
    const ratios = cold.map((time, round) => time / plain.cold[round]);
    printRow([name, bytes, formatSpread(cold), formatSpread(ratios, 2), formatSpread(cached)]);
  }
} finally {
  await harness.close();
}

/** Builds and serves the page of a variant; returns its URL. */
async function buildPage({ name, entry, reader = ENTRY(entry), head = "" }) {
  const project = harness.createProject(name.replaceAll(/\W+/g, "-"), {
    "reader.js": reader,
    "main.js": `
      import { readPage } from "./reader.js";
      const baseUrl = new URL(location.href).searchParams.get("service");
      globalThis.scenarioResult = readPage(baseUrl).then(() => performance.now());`,
    "dist/index.html": `<!doctype html><meta charset="utf-8"><title>loading</title>${head}<script type="module" src="main.js"></script>`,
  });
  await build({
    absWorkingDir: project,
    entryPoints: ["main.js"],
    bundle: true,
    minify: true,
    format: "esm",
    outdir: "dist",
    // For zod.
    nodePaths: [fileURLToPath(new URL("../bench/node_modules", import.meta.url))],
    logLevel: "error",
  });
  cpSync(join(project, "node_modules/address-query/client.wasm"), join(project, "dist/client.wasm"));
  for (const file of ["main.js", "client.wasm"]) {
    const path = join(project, "dist", file);
    writeFileSync(path, brotliCompressSync(readFileSync(path)));
  }
  const { url } = await harness.serveFolder(join(project, "dist"), {}, (path, response) => {
    if (/^\.(js|wasm)$/.test(extname(path))) {
      response.setHeader("content-encoding", "br");
      response.setHeader("cache-control", "max-age=31536000, immutable");
    }
    return false;
  });
  return harness.addServiceParameter(url);
}

/** Visits a page with an empty cache, then until the browser's code cache is full; returns both times and the bytes. */
async function measureVisit(url) {
  const context = await (await harness.getBrowser()).newContext();
  try {
    const page = await context.newPage();
    const session = await context.newCDPSession(page);
    const throughput = (mbit * 1e6) / 8;
    await session.send("Network.enable");
    await session.send("Network.emulateNetworkConditions", {
      offline: false,
      latency,
      downloadThroughput: throughput,
      uploadThroughput: throughput,
    });
    await session.send("Emulation.setCPUThrottlingRate", { rate: cpu });
    let bytes = 0;
    const ownRequests = new Set();
    session.on(
      "Network.responseReceived",
      ({ requestId, response }) => /\.(js|wasm)$/.test(response.url) && ownRequests.add(requestId),
    );
    session.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
      if (ownRequests.has(requestId)) bytes += encodedDataLength;
    });
    const load = async () => {
      await page.goto(url);
      await page.waitForFunction(() => globalThis.scenarioResult !== undefined);
      return page.evaluate(() => globalThis.scenarioResult);
    };
    const cold = await load();
    const coldBytes = bytes;
    // The browser fills its code cache during the second and third visit.
    await load();
    await load();
    return { cold, cached: await load(), bytes: coldBytes };
  } finally {
    await context.close();
  }
}

/** Returns the items in the same order, beginning with another one. */
function rotate(items, count) {
  const start = count % items.length;
  return [...items.slice(start), ...items.slice(0, start)];
}

/** Formats the median and the quartiles. */
function formatSpread(values, digits = 0) {
  const sorted = values.toSorted((a, b) => a - b);
  const getQuantile = (share) => sorted[Math.floor((sorted.length - 1) * share)].toFixed(digits);
  return `${getQuantile(0.5)} (${getQuantile(0.25)} to ${getQuantile(0.75)})`;
}

function formatLoad() {
  return loadavg()
    .map((load) => load.toFixed(1))
    .join(", ");
}
