// Test fixtures and a page object for the demo page: one browser and one demo server for each process.
import assert from "node:assert/strict";
import { after } from "node:test";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { startSite } from "../../www/serve.mjs";
import { chromiumPath, launchArgs } from "../browser.mjs";

// NFT images of the sample data have hosts that do not exist. Without this, tests would wait for DNS lookups to fail.
const LOOPBACK_ONLY = "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1";

/** The package, for tests that import it from /pkg. */
export const PACKAGE = process.env.AQ_PKG ?? fileURLToPath(new URL("../../pkg", import.meta.url));

/** Lists are read page by page, unless a test says otherwise. */
const SETTINGS = { paging: "pages" };

/** Pages of one site share a process, in which the module is compiled once. It lasts as long as one of them is open. */
const ONE_PROCESS = "--process-per-site";

let opening, previousTest;

/** Starts the demo server and the browser. All files of a process share them. */
async function openBrowser() {
  const site = await startSite({ maxAge: 600, pkg: PACKAGE });
  const args = [...launchArgs, LOOPBACK_ONLY, ONE_PROCESS];
  const browser = await chromium.launch({ executablePath: chromiumPath(), args });
  // All tests share its HTTP cache, so that they load the scripts once.
  const context = await browser.newContext();
  const idle = await context.newPage();
  await idle.goto(`${site.url}licenses.txt`);
  return { site, browser, context, devtools: await context.newCDPSession(idle) };
}

after(async () => {
  const { browser, site } = (await opening) ?? {};
  await browser?.close();
  await site?.close();
});

/**
 * Resolves to a DemoPage. `now` is the date that the page takes for today, time passes `speed` times faster in the page, `prepare` runs
 * there before its scripts, and `media` are options of `emulateMedia`. The pages of a test share what they store, and no other test
 * sees it. The environment variable AQ_PKG names another build of the package, for tests that import it from /pkg.
 */
export async function openDemo(t, query = "", options = {}) {
  const { settings = SETTINGS, now, speed, prepare, viewport, permissions = [], ...media } = options;
  opening ??= openBrowser();
  const { site, context, devtools } = await opening;
  if (t !== previousTest) {
    const { origin } = new URL(site.url);
    await devtools.send("Storage.clearDataForOrigin", { origin, storageTypes: "local_storage,indexeddb" });
  }
  previousTest = t;
  await context.grantPermissions(permissions);
  const page = await context.newPage();
  const demo = new DemoPage(page);
  t.after(async () => {
    await page.close();
    assert.deepEqual(demo.pageErrors, [], "the page must not throw");
  });
  if (viewport) await page.setViewportSize(viewport);
  await page.emulateMedia(media);
  if (now || speed) await page.addInitScript(startClock, { now, speed });
  if (prepare) await page.addInitScript(prepare);
  await page.addInitScript((json) => localStorage.setItem("address-query-settings", json), JSON.stringify(settings));
  await page.goto(site.url + query);
  // Chromium drops the keys and clicks that come before the first paint.
  await page.waitForFunction(() => performance.getEntriesByName("first-contentful-paint").length > 0);
  return demo;
}

/** Playwright's clock also replaces the entries of `performance`, which then has no paints. */
function startClock({ now = Date.now(), speed = 1 }) {
  const { setTimeout, setInterval } = globalThis;
  const readClock = performance.now.bind(performance);
  const start = readClock();
  Date.now = () => Math.floor(now + (readClock() - start) * speed);
  performance.now = () => readClock() * speed;
  globalThis.setTimeout = (callback, ms = 0, ...args) => setTimeout(callback, ms / speed, ...args);
  globalThis.setInterval = (callback, ms = 0, ...args) => setInterval(callback, ms / speed, ...args);
}

class DemoPage {
  constructor(page) {
    this.page = page;
    this.pageErrors = [];
    page.on("pageerror", (error) => this.pageErrors.push(error.message));
    page.setDefaultTimeout(60_000);
  }

  getTab(name) {
    // The name of a tab ends with the number of its records, such as "50+".
    return this.page.getByRole("tab", { name: new RegExp(`^${name}( [0-9]+[+]?)?$`) });
  }

  /** Returns the ids of all tabs, folded ones included. */
  async listTabs() {
    await this.page.getByRole("tab").first().waitFor();
    return this.page.evaluate(() => [
      ...new Set([...document.querySelectorAll(".tabs a")].map(({ search }) => new URLSearchParams(search).get("tab"))),
    ]);
  }

  /** Shows the tab with this id, and waits until it has loaded. */
  async openTab(id) {
    await this.page.evaluate((id) => document.querySelector(`.tabs a[href*="tab=${id}"]`).click(), id);
    await this.page.locator(`#tab-${id}[aria-selected="true"]`).waitFor();
    await this.page.locator("#panel [aria-busy=true]").waitFor({ state: "detached" });
  }

  /** Shows a tab, which may be folded into the menu "More", or appear once the subject of the page is known. */
  async showTab(name) {
    const tab = this.getTab(name);
    const more = this.page.getByRole("button", { name: "More tabs" });
    await tab.or(more).first().waitFor();
    if ((await tab.count()) > 0) return tab.click();
    await more.click();
    return this.page.locator(".menu-panel:popover-open a", { hasText: name }).click();
  }

  /** Opens the menu of a filter. */
  async openFilter(label) {
    const button = this.page
      .locator(".filters")
      .getByRole("button", { name: new RegExp(`^${label}`) })
      .first();
    if ((await button.getAttribute("aria-expanded")) !== "true") await button.click();
  }

  /** Opens the menu of a filter, clicks one of its options and closes the menu. */
  async chooseFilter(label, option) {
    await this.openFilter(label);
    await this.page.getByLabel(option, { exact: true }).click();
    await this.page.keyboard.press("Escape");
    // The attribute follows the menu, and `openFilter` reads it.
    await this.page.locator('.filters [aria-expanded="true"]').waitFor({ state: "detached" });
  }

  async openSettings() {
    const panel = this.page.getByRole("group", { name: "Settings" });
    if (!(await panel.isVisible())) await this.getButton("Settings").click();
    return panel;
  }

  async chooseSetting(name, option) {
    const panel = await this.openSettings();
    await panel.getByRole("group", { name }).getByRole("radio", { name: option }).check();
    await this.page.keyboard.press("Escape");
  }

  /** Chooses one of the sample addresses that the search suggests. */
  async chooseSample(label) {
    await this.page.getByRole("combobox").click();
    await this.page.getByRole("option", { name: label }).click();
  }

  /** Chooses the source to read from. Some options ask for details. */
  async chooseSource(label) {
    await this.page.getByRole("button", { name: /^Service: / }).click();
    await this.getButton(label).click();
  }

  getButton(name) {
    return this.page.getByRole("button", { name, exact: true });
  }

  /** Waits until the tab has loaded. */
  async waitForRows(tabId) {
    await this.page.locator(`.list-body[aria-busy="false"][data-tab="${tabId}"] tbody:not(.spacer) tr`).first().waitFor();
  }

  /** Returns the texts of the rows of a tab, or of the first `limit`. Only the rows in view are in the document, so it scrolls. */
  async readRows(tabId, limit) {
    await this.waitForRows(tabId);
    const rows = await this.page.evaluate(collectRows, { selector: "tbody:not(.spacer) tr[aria-rowindex]", limit });
    return rows.map((cells) => normalizeRow(cells.join(" ")));
  }

  /** Waits until the gallery of NFTs has loaded, and returns the text of each heading, and of each tile in rows. */
  async readGallery() {
    await this.page.locator('.list-body[aria-busy="false"] .tile').first().waitFor();
    const [headings, tiles] = [{ selector: ".collection" }, { selector: ".tiles" }];
    return { headings: await this.page.evaluate(collectRows, headings), rows: await this.page.evaluate(collectRows, tiles) };
  }

  /** Waits until the feed has loaded, and returns the label of the button of each entry, which has the number of events. */
  async readFeed() {
    await this.page.locator('.list-body[aria-busy="false"] .feed-entry').first().waitFor();
    const entries = await this.page.evaluate(collectRows, { selector: ".feed-entry", parts: ".expand" });
    return entries.map(([label]) => label);
  }

  /** Runs `act`, waits until the URL has changed, and returns the rows of the new page, or the first `limit`. */
  async readRowsAfter(tabId, act, limit) {
    const urlBefore = this.page.url();
    await act();
    await this.page.waitForURL((url) => url.href !== urlBefore);
    return this.readRows(tabId, limit);
  }

  /** Waits for "empty" or "error-box". */
  async waitForNotice(className) {
    const notice = this.page.locator(`#panel .list-body[aria-busy="false"] .${className}`);
    await notice.waitFor();
    return notice;
  }

  /** Adds blocks to the sample chain of the page. */
  async growSample(blocks) {
    await this.page.evaluate(async (blocks) => {
      const { name } = performance.getEntriesByType("resource").find(({ name }) => /\/sample-\w+\.js$/.test(name));
      const { growSample } = await import(name);
      for (let block = 0; block < blocks; block += 1) growSample();
    }, blocks);
  }

  /** Returns the keys of the page's database. */
  readStoredKeys() {
    return this.page.evaluate(async () => {
      const open = indexedDB.open("address-query-demo");
      await new Promise((resolve) => (open.onsuccess = resolve));
      const request = open.result.transaction("entries").objectStore("entries").getAllKeys();
      await new Promise((resolve) => (request.onsuccess = resolve));
      open.result.close();
      return request.result;
    });
  }

  getQuery() {
    return new URL(this.page.url()).searchParams;
  }

  getFocusedText() {
    return this.page.evaluate(() => document.activeElement.textContent);
  }
}

/**
 * Runs in the page: scrolls through the first `limit` rows that match `selector`, and returns the labels or texts of their parts,
 * such as cells.
 */
async function collectRows({ selector, parts = ":scope > *", limit = Infinity }) {
  const found = new Map();
  // The task after the frame, in which the page has rendered.
  const nextFrame = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
  const isInView = ({ top, bottom }) => bottom > Math.max(top, 0) && top < innerHeight;
  // A few rows are added in each frame. Until then, a spacer takes up their space.
  const hasGap = () => [...document.querySelectorAll(".spacer")].some((spacer) => isInView(spacer.getBoundingClientRect()));
  const top = scrollY;
  const getBottom = () => document.documentElement.scrollHeight - innerHeight;
  for (let target = 0; ; target += innerHeight) {
    // Once its rows have loaded, the page may still return to where it was.
    do {
      scrollTo(0, target);
      await nextFrame();
    } while (hasGap() || Math.abs(scrollY - Math.min(target, getBottom())) > 1);
    for (const row of document.querySelectorAll(selector)) {
      found.set(
        Number(row.ariaRowIndex ?? row.dataset.index),
        [...row.querySelectorAll(parts)].map((part) => part.ariaLabel ?? part.textContent),
      );
    }
    if (target >= getBottom() || found.size >= limit) break;
  }
  do {
    scrollTo(0, top);
    await nextFrame();
  } while (hasGap());
  const rows = [...found].sort(([a], [b]) => a - b).map(([, texts]) => texts);
  return rows.slice(0, limit);
}

/** Removes the age, which can change from "59 sec. ago" to "1 min. ago" between two reads of the same row. */
const normalizeRow = (text) =>
  text
    .replace(/\d+ \S+ ago/, "AGE")
    .replace(/\s+/g, " ")
    .trim();
