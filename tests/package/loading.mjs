// What each way to load the module costs a visitor: bytes over the wire, and the time from the beginning of the navigation to
// the first page of a list, cold and from the cache, over a throttled connection in Chromium.
//
//   node tests/package/loading.mjs [--rounds 9] [--mbit 10] [--latency 40]
//
// The page is one minified script made by esbuild, compressed as a server does it once (brotli). Ways are interleaved.
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { extname, join } from "node:path";
import { parseArgs } from "node:util";
import { brotliCompressSync } from "node:zlib";
import { build } from "esbuild";
import { openWorkshop } from "./consumers/workshop.mjs";

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "9" },
    mbit: { type: "string", default: "10" },
    latency: { type: "string", default: "40" },
  },
});
const [rounds, mbit, latency] = [values.rounds, values.mbit, values.latency].map(Number);

const PRELOAD = '<link rel="preload" href="client.wasm" as="fetch" crossorigin>';
const WAYS = [
  { name: ".", entry: "address-query" },
  { name: "./external", entry: "address-query/external" },
  { name: "./external, preloaded", entry: "address-query/external", head: PRELOAD },
  { name: "./compat", entry: "address-query/compat" },
];

const workshop = await openWorkshop();
try {
  const pages = [];
  for (const way of WAYS) pages.push({ ...way, url: await page(way), cold: [], cached: [] });
  for (let round = -1; round < rounds; round++) {
    for (const page of pages) {
      const { cold, cached, bytes } = await visit(page.url);
      // The first round warms the machine up.
      if (round < 0) continue;
      page.cold.push(cold);
      page.cached.push(cached);
      page.bytes = bytes;
    }
  }
  console.log(`${mbit} Mbit/s, ${latency} ms, ${rounds} rounds; median (quartiles) in ms until the first page of a list\n`);
  console.log(["way".padEnd(24), "bytes, brotli".padStart(14), "cold".padStart(20), "cached".padStart(20)].join(""));
  for (const { name, bytes, cold, cached } of pages) {
    console.log([name.padEnd(24), String(bytes).padStart(14), spread(cold).padStart(20), spread(cached).padStart(20)].join(""));
  }
} finally {
  await workshop.close();
}

/** Builds and serves a page that loads the module this way. */
async function page({ name, entry, head = "" }) {
  const project = workshop.project(name.replaceAll(/\W+/g, "-"), {
    "main.js": `
      import { AddressClient } from "${entry}";
      const baseUrl = new URL(location.href).searchParams.get("service");
      globalThis.outcome = new AddressClient({ baseUrl }).addresses().then(() => performance.now());`,
    "dist/index.html": `<!doctype html><meta charset="utf-8"><title>loading</title>${head}<script type="module" src="main.js"></script>`,
  });
  await build({ absWorkingDir: project, entryPoints: ["main.js"], bundle: true, minify: true, format: "esm", outdir: "dist", logLevel: "error" });
  cpSync(join(project, "node_modules/address-query/client.wasm"), join(project, "dist/client.wasm"));
  for (const file of ["main.js", "client.wasm"]) {
    const path = join(project, "dist", file);
    writeFileSync(path, brotliCompressSync(readFileSync(path)));
  }
  const { url } = await workshop.serve(join(project, "dist"), {}, (path, response) => {
    if (/^\.(js|wasm)$/.test(extname(path))) {
      response.setHeader("content-encoding", "br");
      response.setHeader("cache-control", "max-age=31536000, immutable");
    }
    return false;
  });
  return workshop.asking(url);
}

/** Visits a page with an empty cache, and again until what the browser made of it has settled. */
async function visit(url) {
  const context = await (await workshop.browser()).newContext();
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
    let bytes = 0;
    const own = new Set();
    session.on("Network.responseReceived", ({ requestId, response }) => /\.(js|wasm)$/.test(response.url) && own.add(requestId));
    session.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => own.has(requestId) && (bytes += encodedDataLength));
    const load = async () => {
      await page.goto(url);
      await page.waitForFunction(() => globalThis.outcome !== undefined);
      return page.evaluate(() => globalThis.outcome);
    };
    const cold = await load();
    const sent = bytes;
    // Code caches are filled by the second and third visit.
    await load();
    await load();
    return { cold, cached: await load(), bytes: sent };
  } finally {
    await context.close();
  }
}

function spread(times) {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share) => Math.round(sorted[Math.floor((sorted.length - 1) * share)]);
  return `${at(0.5)} (${at(0.25)} to ${at(0.75)})`;
}
