// Compares a stored history with the service on loopback, in Chromium, and prints the size of the database:
// node tests/bench/store.mjs [events]
import { createReadStream, existsSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { argv } from "node:process";
import { fileURLToPath } from "node:url";
import { chromium } from "../node_modules/playwright-core/index.mjs";
import { createSampleService } from "../../pkg/testing/index.js";
import { chromiumPath, launchArgs } from "../browser.mjs";

const EVENTS = Number(argv[2] ?? 100_000);
const RUNS = 5;
const PKG = fileURLToPath(new URL("../../pkg", import.meta.url));
const TYPES = { js: "text/javascript", wasm: "application/wasm" };

const service = createSampleService();
const { hash } = service.addresses.find(({ id }) => id === "deep");
// This address has 60,001 events, and four more in each new block.
service.grow(Math.max(0, Math.ceil((EVENTS - 60_001) / 4)));

const server = createServer(async (request, response) => {
  const path = new URL(request.url, "http://x").pathname;
  if (path.startsWith("/api/")) {
    const answer = await service.fetch(new Request(`http://x${request.url}`));
    response.writeHead(answer.status, { "content-type": "application/json" }).end(await answer.text());
  } else if (path === "/") response.writeHead(200, { "content-type": "text/html" }).end("<!doctype html><title>store</title>");
  else if (existsSync(join(PKG, path)))
    createReadStream(join(PKG, path)).pipe(
      response.writeHead(200, { "content-type": TYPES[path.split(".").at(-1)] ?? "text/plain" }),
    );
  else response.writeHead(404).end();
});
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
const url = `http://127.0.0.1:${server.address().port}/`;

const profile = mkdtempSync(join(tmpdir(), "address-query-bench-"));
const context = await chromium.launchPersistentContext(profile, { executablePath: chromiumPath(), args: launchArgs });

/** Runs a function in a new page, with a client whose module is loaded, a store, and the entries. */
async function inPage(act) {
  const page = await context.newPage();
  page.setDefaultTimeout(0);
  await page.goto(url);
  const result = await page.evaluate(
    async ([source, hash]) => {
      const names = ["/index.js", "/history/index.js", "/store/index.js"];
      const [main, history, store] = await Promise.all(names.map((name) => import(name)));
      const client = new main.AddressClient({ baseUrl: "/", maxPerSecond: 1000 });
      await client.preload();
      const act = new Function(`return ${source}`)();
      return act({ ...history, ...store, client, store: store.createStore({ name: "bench" }), params: { address_hash: hash } });
    },
    [String(act), hash],
  );
  await page.close();
  return result;
}

/** The median of several runs. */
async function measure(act) {
  const times = [];
  while (times.length < RUNS) times.push(await inPage(act));
  return times.sort((a, b) => a - b)[Math.floor(RUNS / 2)];
}

const readService = async ({ history, client, params }) => {
  const start = performance.now();
  let events = 0;
  for await (const _ of history(client, params)) events += 1;
  return { events, ms: performance.now() - start };
};
const readStore = async ({ store, client, params }) => {
  const start = performance.now();
  let events = 0;
  for await (const _ of store.history(client, params)) events += 1;
  return { events, ms: performance.now() - start };
};
const firstOfService = async ({ history, client, params }) => {
  const start = performance.now();
  await history(client, params).more(50);
  return performance.now() - start;
};
const firstOfStore = async ({ store, client, params }) => {
  const start = performance.now();
  await store.history(client, params).more(50);
  return performance.now() - start;
};

const synced = await inPage(async ({ sync, store, client, params }) => {
  const start = performance.now();
  const { events } = await sync(client, store, params);
  return { events, ms: performance.now() - start, bytes: await store.size() };
});
const print = (name, value) => console.log(name.padEnd(44), value);
print("events", synced.events);
print("first sync, ms", Math.round(synced.ms));
print("bytes of the stored events", synced.bytes);
const whole = { service: await inPage(readService), store: await inPage(readStore) };
print("all events from the service, ms", Math.round(whole.service.ms));
print("all events from the store, ms", Math.round(whole.store.ms));
print("ratio", (whole.service.ms / whole.store.ms).toFixed(1));
const first = { service: await measure(firstOfService), store: await measure(firstOfStore) };
print("first 50 events from the service, ms", first.service.toFixed(1));
print("first 50 events from the store, ms", first.store.toFixed(1));
print("ratio", (first.service / first.store).toFixed(1));
await context.close();
const measureFolder = (folder) =>
  readdirSync(folder, { withFileTypes: true }).reduce(
    (sum, entry) =>
      sum + (entry.isDirectory() ? measureFolder(join(folder, entry.name)) : statSync(join(folder, entry.name)).size),
    0,
  );
print("bytes of the database on disk", measureFolder(join(profile, "Default/IndexedDB")));
rmSync(profile, { recursive: true, force: true });
server.close();
