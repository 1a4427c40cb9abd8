// The store in a real browser: its database, hostile names, two tabs, a full disk, a deleted database, an export whose page is reloaded,
// and a browser that is killed.
//
// The browser is killed with KILLS=50 node --test tests/package/store.test.mjs
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { chromium } from "playwright-core";
import { chromiumPath, launchArgs } from "../browser.mjs";
import { startStoreSite } from "../store-site.mjs";
import { waitUntil } from "../wait-until.mjs";

const KILLS = Number(process.env.KILLS ?? 0);

/** What the page compares with instead of Node's assertions. */
const ASSERT = `
  const toText = (value) => JSON.stringify(value, (_, item) =>
    typeof item === "bigint" ? item + "n" : item === undefined ? "undefined" : item instanceof Uint8Array ? [...item] : item);
  const deepEqual = (a, b, message) => { if (toText(a) !== toText(b)) throw new Error((message ?? "") + toText(a) + " instead of " + toText(b)); };
  const rejects = (promise, { name }) => promise.then(() => { throw new Error("fulfilled"); }, (error) => deepEqual(error.name, name));
  export default { deepEqual, equal: deepEqual, rejects };`;

const plugin = {
  name: "assert",
  setup(bundler) {
    bundler.onResolve({ filter: /^node:assert/ }, () => ({ path: "assert", namespace: "assert" }));
    bundler.onLoad({ filter: /.*/, namespace: "assert" }, () => ({ contents: ASSERT }));
  },
};
const entry = fileURLToPath(new URL("../js/store-database.mjs", import.meta.url));
const { outputFiles } = await build({ entryPoints: [entry], bundle: true, format: "esm", write: false, plugins: [plugin] });
const site = await startStoreSite({ "/tests.js": outputFiles[0].text });
after(() => site.close());
const browser = await chromium.launch({ executablePath: chromiumPath(), args: launchArgs });
after(() => browser.close());

const getHash = (wanted) => site.service.addresses.find(({ id }) => id === wanted).hash;
const HUB = getHash("hub");

/** Opens a page. `globalThis.test` has the functions of tests/store-page.mjs. */
async function openPage(context) {
  const page = await context.newPage();
  await page.goto(site.url);
  await page.waitForFunction(() => globalThis.test);
  return page;
}

/** Calls a function of the page. */
const call = (page, name, ...args) => page.evaluate(([name, args]) => globalThis.test[name](...args), [name, args]);

test("a database of the browser keeps its contract", async () => {
  const context = await browser.newContext();
  const page = await openPage(context);
  const results = await page.evaluate(async () => {
    const [{ indexedDatabase }, { DATABASE_TESTS }] = await Promise.all([import("/store/index.js"), import("/tests.js")]);
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

test("stores with hostile names are stores, and separate ones", async () => {
  const context = await browser.newContext();
  const page = await openPage(context);
  const names = [
    "-",
    "../x",
    "a/b",
    "%2e",
    "\0",
    "\ud800",
    "\ud801",
    "__proto__",
    "\u2028",
    " ",
    "x".repeat(5_000),
    "x".repeat(5_001),
  ];
  const counts = await call(page, "syncNames", names, getHash("quiet"));
  assert.deepEqual(
    counts,
    names.map(() => [0, 1]),
  );
  await context.close();
});

test("two tabs synchronize once, and each hears of the other", async () => {
  const context = await browser.newContext();
  const [one, two] = [await openPage(context), await openPage(context)];
  await call(two, "listen");
  site.requests = 0;
  const reports = await Promise.all([call(one, "sync", HUB), call(two, "sync", HUB)]);
  assert.deepEqual(reports.map(({ shared }) => shared).sort(), [false, true]);
  assert.ok(reports.every(({ complete, events }) => complete && events === reports[0].events && events > 5_000));
  assert.ok(site.requests < 125, `${site.requests} requests`);
  await two.waitForFunction(() => globalThis.test.changes > 0);

  // The other tab deletes the database while this one uses it.
  await call(two, "deleteDatabase");
  assert.deepEqual(await call(two, "accounts"), []);
  assert.equal((await call(one, "sync", HUB)).shared, false);
  await context.close();
});

test("a full disk is an error with its reason, and the history is read without the copy", async () => {
  const context = await browser.newContext();
  const page = await openPage(context);
  const session = await context.newCDPSession(page);
  await session.send("Storage.overrideQuotaForOrigin", { origin: site.url.slice(0, -1), quotaSize: 1_500_000 });
  const { code, reason } = await call(page, "sync", HUB);
  assert.deepEqual({ code, reason }, { code: "storage", reason: "quota" });
  const { keys, error } = await call(page, "readBoth", HUB);
  assert.ok(keys.length > 5_000);
  assert.equal(error.reason, "quota");
  const stored = await call(page, "read", HUB);
  assert.ok(stored.keys.length > 100 && stored.keys.length < keys.length);
  assert.equal(stored.complete, false);
  await context.close();
});

test("an export continues after its page was reloaded, with the same bytes", async () => {
  const context = await browser.newContext();
  const page = await openPage(context);
  site.requests = 0;
  const expected = await call(page, "exportAtOnce", HUB);
  const total = site.requests;
  let last = 0;
  // The service stalls, so that the export is unfinished.
  site.limit = Math.floor(0.2 * total);
  for (let reload = 0; reload < 3; reload++) {
    site.requests = 0;
    await page.evaluate((hash) => void globalThis.test.export(hash), HUB);
    await waitUntil("records are stored", async () => (await call(page, "listExports"))[0]?.records > last);
    while (site.requests <= site.limit) await new Promise((resolve) => setTimeout(resolve, 10));
    await page.reload();
    await page.waitForFunction(() => globalThis.test);
    const [{ records }] = await call(page, "listExports");
    assert.ok(records > last);
    last = records;
  }
  site.limit = Number.POSITIVE_INFINITY;
  site.requests = 0;
  const { text, records, continued, complete } = await call(page, "export", HUB);
  assert.deepEqual([continued, complete], [last, true]);
  assert.ok(records > last && site.requests < total);
  assert.ok(text === expected);
  assert.deepEqual(await call(page, "listExports"), []);
  await context.close();
});

const skip = KILLS === 0 && "it starts a browser for each kill: set KILLS, as make commands does";
test("a browser that is killed while it writes has the last complete write, or has deleted all of it", { skip }, async (t) => {
  const profile = mkdtempSync(join(tmpdir(), "address-query-profile-"));
  let last = 0;
  let deletions = 0;
  for (let kill = 0; kill <= KILLS; kill++) {
    const args = [...launchArgs, "--headless=new", `--user-data-dir=${profile}`, "--remote-debugging-port=0", "--no-first-run"];
    rmSync(join(profile, "DevToolsActivePort"), { force: true });
    const options = { stdio: ["ignore", "ignore", "pipe"], detached: true };
    const child = spawn(chromiumPath(), [...args, "--enable-logging=stderr", "about:blank"], options);
    let log = "";
    child.stderr.setEncoding("utf8").on("data", (text) => (log += text));
    // All processes of this browser are in one group.
    const killBrowser = () => process.kill(-child.pid, "SIGKILL");
    t.after(() => child.exitCode === null && child.signalCode === null && killBrowser());
    const connected = await connect(profile);
    const page = await openPage(connected.contexts()[0]);
    const numbers = await call(page, "writeForever");
    assert.ok(new Set(numbers).size <= 1, "all entries are of one write");
    const stored = numbers[0] ?? 0;
    // Chromium deletes a database whose files a kill has left damaged, and says so.
    const isDeleted = log.includes("IndexedDB recovering from a corrupted (and deleted) database");
    deletions += Number(isDeleted);
    assert.ok(isDeleted ? stored === 0 : stored >= last, `${stored} after ${last}`);
    await page.waitForFunction((start) => globalThis.test.written > start + 3, stored);
    await new Promise((resolve) => setTimeout(resolve, (kill * 13) % 60));
    last = stored;
    killBrowser();
    await once(child, "close");
    await connected.close().catch(() => {});
  }
  rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
  t.diagnostic(`${KILLS} kills, after ${deletions} of which Chromium has deleted the database`);
  assert.ok(deletions <= KILLS / 4);
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
