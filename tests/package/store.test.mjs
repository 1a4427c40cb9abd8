// The store in a real browser: its database, two tabs, a full disk, a deleted database, and a browser that is killed.
//
// The browser is killed with KILLS=50 node --test tests/package/store.test.mjs
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createReadStream, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { chromium } from "playwright-core";
import { createSampleService } from "../../pkg/testing/index.js";
import { chromiumPath, launchArgs } from "../browser.mjs";

const KILLS = Number(process.env.KILLS ?? 0);
const PKG = fileURLToPath(new URL("../../pkg", import.meta.url));
const TYPES = { js: "text/javascript", wasm: "application/wasm" };

/** What the page compares with instead of Node's assertions. */
const ASSERT = `
  const toText = (value) => JSON.stringify(value, (_, item) =>
    typeof item === "bigint" ? item + "n" : item === undefined ? "undefined" : item instanceof Uint8Array ? [...item] : item);
  const deepEqual = (a, b, message) => { if (toText(a) !== toText(b)) throw new Error((message ?? "") + toText(a) + " instead of " + toText(b)); };
  const rejects = (promise, { name }) => promise.then(() => { throw new Error("fulfilled"); }, (error) => deepEqual(error.name, name));
  export default { deepEqual, equal: deepEqual, rejects };`;

const service = createSampleService();
const HUB = service.addresses.find(({ id }) => id === "hub").hash;
let server;
let browser;
let url;
let requests = 0;

before(async () => {
  const plugin = {
    name: "assert",
    setup(bundler) {
      bundler.onResolve({ filter: /^node:assert/ }, () => ({ path: "assert", namespace: "assert" }));
      bundler.onLoad({ filter: /.*/, namespace: "assert" }, () => ({ contents: ASSERT }));
    },
  };

  const entry = fileURLToPath(new URL("../js/store-database.mjs", import.meta.url));
  const { outputFiles } = await build({ entryPoints: [entry], bundle: true, format: "esm", write: false, plugins: [plugin] });
  server = createServer(async (request, response) => {
    const path = new URL(request.url, "http://x").pathname;
    if (path.startsWith("/api/")) {
      requests += 1;
      const answer = await service.fetch(new Request(`http://x${request.url}`));
      response.writeHead(answer.status, { "content-type": "application/json" }).end(await answer.text());
    } else if (path === "/tests.js") response.writeHead(200, { "content-type": TYPES.js }).end(outputFiles[0].text);
    else if (path === "/") response.writeHead(200, { "content-type": "text/html" }).end("<!doctype html><title>store</title>");
    else if (existsSync(join(PKG, path)))
      createReadStream(join(PKG, path)).pipe(
        response.writeHead(200, { "content-type": TYPES[path.split(".").at(-1)] ?? "text/plain" }),
      );
    else response.writeHead(404).end();
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${server.address().port}/`;
  browser = await chromium.launch({ executablePath: chromiumPath(), args: launchArgs });
});

after(async () => {
  await browser?.close();
  server?.close();
  server?.closeAllConnections();
});

/** Opens a page. `globalThis.create()` returns the modules, a client of the sample service and a store. */
async function openPage(context) {
  const page = await context.newPage();
  await page.goto(url);
  await page.evaluate(() => {
    globalThis.create = async () => {
      const [main, entry] = await Promise.all([import("/index.js"), import("/store/index.js")]);
      const client = new main.AddressClient({ baseUrl: "/", maxPerSecond: 1000 });
      return { ...entry, client, store: entry.createStore({ name: "wallet" }) };
    };
  });
  return page;
}

test("a database of the browser keeps its contract", async () => {
  const context = await browser.newContext();
  const page = await openPage(context);
  const results = await page.evaluate(async () => {
    const { indexedDatabase } = await globalThis.create();
    const { DATABASE_TESTS } = await import("/tests.js");
    let databases = 0;
    const run = async ([name, test]) => {
      await test(() => indexedDatabase(`test ${++databases}`)).catch((error) =>
        Promise.reject(new Error(`${name}: ${error.stack}`)),
      );
    };
    return (await Promise.allSettled(Object.entries(DATABASE_TESTS).map(run))).map(({ reason }) => reason?.message ?? "ok");
  });
  assert.deepEqual([...new Set(results)], ["ok"]);
  await context.close();
});

test("two tabs synchronize once, and each hears of the other", async () => {
  const context = await browser.newContext();
  const [one, two] = [await openPage(context), await openPage(context)];
  await two.evaluate(async () => {
    globalThis.created = await globalThis.create();
    globalThis.changes = 0;
    globalThis.created.store.onChange(() => globalThis.changes++);
  });
  requests = 0;
  const synchronize = async (address_hash) => {
    const { client, store, sync } = globalThis.created ?? (await globalThis.create());
    const { shared, complete, events } = await sync(client, store, { address_hash });
    return { shared, complete, events };
  };
  const reports = await Promise.all([one.evaluate(synchronize, HUB), two.evaluate(synchronize, HUB)]);
  assert.deepEqual(reports.map(({ shared }) => shared).sort(), [false, true]);
  assert.ok(reports.every(({ complete, events }) => complete && events === reports[0].events && events > 10_000));
  assert.ok(requests < 250, `${requests} requests`);
  await two.waitForFunction(() => globalThis.changes > 0);

  // The other tab deletes the database while this one uses it.
  const left = await two.evaluate(async () => {
    await new Promise((resolve, reject) =>
      Object.assign(indexedDB.deleteDatabase("wallet"), { onsuccess: resolve, onblocked: reject }),
    );
    return (await globalThis.created.store.accounts()).length;
  });
  assert.equal(left, 0);
  assert.equal((await one.evaluate(synchronize, HUB)).shared, false);
  await context.close();
});

test("a full disk is an error with its reason, and the history is read without the copy", async () => {
  const context = await browser.newContext();
  const page = await openPage(context);
  const session = await context.newCDPSession(page);
  await session.send("Storage.overrideQuotaForOrigin", { origin: url.slice(0, -1), quotaSize: 600_000 });
  const result = await page.evaluate(async (address_hash) => {
    const { client, store, sync, syncedHistory } = await globalThis.create();
    const error = await sync(client, store, { address_hash }).then(String, ({ code, reason }) => ({ code, reason }));
    const call = syncedHistory(client, { address_hash, store });
    const keys = new Set();
    for await (const event of call) keys.add(event.key);
    const stored = store.history(client, { address_hash });
    let count = 0;
    for await (const _ of stored) count += 1;
    return { error, events: keys.size, reason: call.report.error?.reason, count, complete: stored.report.complete };
  }, HUB);
  assert.deepEqual(result.error, { code: "storage", reason: "quota" });
  assert.ok(result.events > 10_000);
  assert.equal(result.reason, "quota");
  assert.ok(result.count > 100 && result.count < result.events);
  assert.equal(result.complete, false);
  await context.close();
});

const skip = KILLS === 0 && "it starts a browser for each kill: set KILLS, as make commands does";
test("a browser that is killed while it writes has the last complete write", { skip }, async (t) => {
  const profile = mkdtempSync(join(tmpdir(), "address-query-profile-"));
  let last = 0;
  for (let kill = 0; kill <= KILLS; kill++) {
    const args = [...launchArgs, "--headless=new", `--user-data-dir=${profile}`, "--remote-debugging-port=0", "--no-first-run"];
    rmSync(join(profile, "DevToolsActivePort"), { force: true });
    const child = spawn(chromiumPath(), [...args, "about:blank"], { stdio: "ignore", detached: true });
    // All processes of this browser are in one group.
    const killBrowser = () => process.kill(-child.pid, "SIGKILL");
    t.after(() => child.exitCode === null && child.signalCode === null && killBrowser());
    const connected = await connect(profile);
    const page = await openPage(connected.contexts()[0]);
    const numbers = await page.evaluate(async () => {
      const { indexedDatabase } = await globalThis.create();
      const database = indexedDatabase("killed");
      const entries = await database.read("", "large");
      let number = entries[0]?.[1] ?? 0;
      globalThis.written = number;
      const write = async () => {
        for (;;) {
          number += 1;
          const put = Array.from({ length: 20 }, (_, index) => [`${index}`.padStart(3, "0"), number]);
          await database.write({ remove: [["", "z"]], put: [...put, ["large", new Uint8Array(50_000)]] });
          globalThis.written = number;
        }
      };
      void write();
      return entries.map(([, value]) => value);
    });
    assert.ok(new Set(numbers).size <= 1, "all entries are of one write");
    const stored = numbers[0] ?? 0;
    assert.ok(stored >= last, `${stored} after ${last}`);
    await page.waitForFunction((start) => globalThis.written > start + 3, stored);
    await new Promise((resolve) => setTimeout(resolve, (kill * 13) % 60));
    last = stored;
    killBrowser();
    await once(child, "close");
    await connected.close().catch(() => {});
  }
  rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
});

/** Connects to the browser of a profile when it has written its port. */
async function connect(profile) {
  for (let attempt = 0; ; attempt++) {
    try {
      const [port] = readFileSync(join(profile, "DevToolsActivePort"), "utf8").split("\n");
      return await chromium.connectOverCDP(`http://127.0.0.1:${port}`);
    } catch (error) {
      if (attempt > 200) throw error;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}
