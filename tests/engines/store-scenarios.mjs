// The store in every browser engine: its copy after a reload, two tabs, exports that are interrupted by reloads, and a full disk.
// tests/package/store.test.mjs covers the details in Chromium.
import assert from "node:assert/strict";
import { createRandom } from "../../target/parts/testing/random.js";
import { ADDRESS, ScriptedService } from "../js/service.mjs";
import { startStoreSite } from "../store-site.mjs";
import { waitUntil } from "./webdriver-client.mjs";

/** Runs all scenarios and returns how many there are. Throws at the first failure. */
export const runStoreScenarios = (browser) => run(browser, scenarios);

/** Runs the scenario of a browser whose sites may store little. */
export const runQuotaScenario = (browser) => run(browser, { [FULL_DISK]: scenarioOfFullDisk });

async function run(browser, scenarios) {
  for (const [name, scenario] of Object.entries(scenarios)) {
    const site = await startStoreSite();
    const getHash = (id) => site.service.addresses.find((address) => address.id === id).hash;
    try {
      await scenario(new StorePage(browser, site), getHash);
    } catch (error) {
      throw new Error(`${name}: ${error.message}`, { cause: error });
    } finally {
      site.close();
    }
  }
  return Object.keys(scenarios).length;
}

const scenarios = {
  async "a history is stored, and read after a reload without a request"(page, getHash) {
    const hash = getHash("settlement");
    await page.open();
    const { complete, added } = await page.call("sync", hash);
    const expected = await page.call("readService", hash);
    assert.deepEqual([complete, added], [true, expected.length]);
    await page.open();
    page.site.requests = 0;
    for (const order of ["desc", "asc"]) {
      const { keys, complete, synced_at } = await page.call("read", hash, order);
      assert.deepEqual(keys, order === "desc" ? expected : expected.toReversed());
      assert.equal(complete, true);
      assert.match(synced_at, /^20/);
    }
    assert.equal(page.site.requests, 0);
    // Hostile strings are in its records.
    await page.call("sync", getHash("hostile"));
    await page.open();
    const { keys } = await page.call("read", getHash("hostile"));
    assert.deepEqual(keys, await page.call("readService", getHash("hostile")));
  },

  async "what is new comes after what is stored"(page) {
    const chain = new ScriptedService({ random: createRandom("engines", 1), clamp: 50 });
    page.site.service = chain;
    chain.grow(300);
    const getKeys = () => chain.getKeys().map(([key]) => key);
    await page.open();
    const before = await page.call("readBoth", ADDRESS);
    assert.deepEqual([before.keys.sort(), before.complete, before.error], [getKeys().sort(), true, null]);
    chain.reorganise(5);
    chain.grow(10);
    await page.open();
    page.site.requests = 0;
    const { keys, complete } = await page.call("readBoth", ADDRESS);
    assert.ok(page.site.requests < 20, `${page.site.requests} requests`);
    assert.deepEqual([keys.sort(), complete], [getKeys().sort(), true]);
  },

  async "an address is forgotten, and the others stay"(page, getHash) {
    await page.open();
    for (const id of ["quiet", "collector"]) await page.call("sync", getHash(id));
    await page.open();
    assert.equal((await page.call("accounts")).length, 2);
    await page.call("forget", getHash("quiet"));
    assert.deepEqual(await page.call("accounts"), [getHash("collector").toLowerCase()]);
    assert.deepEqual((await page.call("read", getHash("quiet"))).keys, []);
    assert.ok((await page.call("read", getHash("collector"))).keys.length > 100);
    await page.call("forget", getHash("collector"));
    assert.equal(await page.call("size"), 0);
  },

  async "two tabs synchronize once, and each hears of the other"(page, getHash) {
    const hash = getHash("settlement");
    await page.open();
    const first = await page.browser.getWindow();
    const second = await page.browser.openWindow();
    await page.open();
    await page.call("listen");
    const finish = [];
    page.site.requests = 0;
    for (const window of [second, first]) {
      await page.browser.switchTo(window);
      await page.start("sync", hash);
    }
    for (const window of [first, second]) {
      await page.browser.switchTo(window);
      finish.push(await page.finish("sync"));
    }
    const { requests } = page.site;
    assert.deepEqual(finish.map(({ shared }) => shared).sort(), [false, true]);
    assert.ok(finish.every(({ complete, events }) => complete && events === finish[0].events && events > 1_000));
    await page.browser.waitUntil("the change of the other tab", "return window.test.changes > 0");
    // Deleted by one tab while the other one uses it.
    await page.browser.switchTo(first);
    await page.call("deleteDatabase");
    await page.browser.switchTo(second);
    assert.deepEqual(await page.call("accounts"), []);
    page.site.requests = 0;
    assert.equal((await page.call("sync", hash)).complete, true);
    assert.ok(page.site.requests >= requests - 2, "both tabs together have sent the requests of one");
    await page.browser.closeWindow();
    await page.browser.switchTo(first);
  },

  async "an export continues after its page was reloaded, with the same bytes"(page, getHash) {
    const hash = getHash("hub");
    await page.open();
    const expected = await page.call("exportAtOnce", hash);
    const total = page.site.requests;
    let last = 0;
    // The service stalls, so that the export is unfinished.
    page.site.limit = Math.floor(0.2 * total);
    for (let reload = 0; reload < 3; reload++) {
      page.site.requests = 0;
      await page.start("export", hash);
      await waitUntil("a stored part", async () => {
        const [stored] = await page.call("listExports");
        return stored?.records > last && page.site.requests > page.site.limit;
      });
      await page.open();
      const [{ records }] = await page.call("listExports");
      assert.ok(records > last);
      last = records;
    }
    page.site.limit = Number.POSITIVE_INFINITY;
    page.site.requests = 0;
    const { text, records, continued, complete } = await page.call("export", hash);
    assert.ok(continued >= last, "it continues with what was stored");
    assert.ok(page.site.requests < total, `${page.site.requests} of ${total} requests`);
    assert.equal(complete, true);
    assert.ok(records > continued);
    assert.ok(text === expected, "the bytes of an uninterrupted export");
    assert.deepEqual(await page.call("listExports"), []);
  },
};

const FULL_DISK = "a full disk is an error with its reason, and the history is read without the copy";
async function scenarioOfFullDisk(page, getHash) {
  const hash = getHash("hub");
  await page.open();
  const { code, reason } = await page.call("sync", hash);
  assert.deepEqual({ code, reason }, { code: "storage", reason: "quota" });
  const { keys, error } = await page.call("readBoth", hash);
  assert.deepEqual(new Set(keys), new Set(await page.call("readService", hash)));
  assert.equal(error.reason, "quota");
  const { keys: stored, complete } = await page.call("read", hash);
  assert.ok(stored.length < keys.length);
  assert.equal(complete, false);
  // What is forgotten makes room.
  await page.call("forget", hash);
  assert.equal((await page.call("sync", getHash("quiet"))).complete, true);
}

/** The page of `tests/store-site.mjs`. */
class StorePage {
  constructor(browser, site) {
    this.browser = browser;
    this.site = site;
  }

  /** Opens the page, or reloads it. */
  async open() {
    await this.browser.goto(this.site.url);
    await this.browser.waitUntil("the script of the page", "return window.test !== undefined");
  }

  /** Calls a function of the page. Returns its result. */
  async call(name, ...args) {
    await this.start(name, ...args);
    return this.finish(name);
  }

  /** Calls a function of the page, without waiting for it. */
  async start(name, ...args) {
    const script = `
      const [name, ...args] = arguments;
      const results = (window.results ??= {});
      delete results[name];
      Promise.resolve(window.test[name](...args)).then(
        (value) => (results[name] = { value: value ?? null }),
        (error) => (results[name] = { error: String(error?.stack ?? error) }),
      );`;
    await this.browser.evaluate(script, name, ...args);
  }

  /** Waits for the result of a function that was started. */
  async finish(name) {
    const { value, error } = await this.browser.waitUntil(`the result of ${name}`, "return window.results[arguments[0]]", name);
    assert.equal(error, undefined);
    return value;
  }
}
