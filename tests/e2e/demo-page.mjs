// Test fixtures and a page object for the demo page: one browser and one demo server for each test file.
import assert from "node:assert/strict";
import { after, before } from "node:test";
import { chromium } from "playwright-core";
import { startSite } from "../../www/serve.mjs";
import { chromiumPath, launchArgs } from "../browser.mjs";

// NFT images of the sample data have hosts that do not exist. Without this, tests would wait for DNS lookups to fail.
const LOOPBACK_ONLY = "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1";

/**
 * Call it once per test file. Returns `openDemo(t, query, contextOptions)`, which resolves to a DemoPage.
 * The environment variable AQ_PKG names another build of the package to test.
 */
export function setUpBrowser() {
  let browser, site, sharedContext;
  before(async () => {
    site = await startSite({ maxAge: 600, ...(process.env.AQ_PKG ? { pkg: process.env.AQ_PKG } : {}) });
    browser = await chromium.launch({ executablePath: chromiumPath(), args: [...launchArgs, LOOPBACK_ONLY] });
  });
  after(async () => {
    await browser?.close();
    await site?.close();
  });
  return async (t, query = "", contextOptions = null) => {
    // Tests can share a context, because the page stores nothing. Its HTTP cache saves loading the modules again.
    if (!contextOptions) sharedContext ??= await browser.newContext();
    const context = contextOptions ? await browser.newContext(contextOptions) : sharedContext;
    const page = await context.newPage();
    const demo = new DemoPage(page);
    t.after(async () => {
      await (contextOptions ? context : page).close();
      assert.deepEqual(demo.pageErrors, [], "the page must not throw");
    });
    await page.goto(site.url + query);
    return demo;
  };
}

class DemoPage {
  constructor(page) {
    this.page = page;
    this.pageErrors = [];
    page.on("pageerror", (error) => this.pageErrors.push(error.message));
    page.setDefaultTimeout(20_000);
  }

  getTab(name) {
    return this.page.getByRole("tab", { name, exact: true });
  }

  getButton(name) {
    return this.page.getByRole("button", { name, exact: true });
  }

  /** Waits until the tab has loaded, and returns the text of each row. Omits images, which load at their own time. */
  async readRows(tabId) {
    await this.page.locator(`#panel[aria-busy="false"] table[data-tab="${tabId}"] tbody tr`).first().waitFor();
    const rows = await this.page.locator("tbody tr").evaluateAll((rows) =>
      rows.map(({ cells }) =>
        [...cells]
          .filter((cell) => !cell.querySelector(".nft-image"))
          .map((cell) => cell.textContent)
          .join(" "),
      ),
    );
    return rows.map(normalizeRow);
  }

  /** Runs `act`, waits until the URL has changed, and returns the rows of the new page. */
  async readRowsAfter(tabId, act) {
    const urlBefore = this.page.url();
    await act();
    await this.page.waitForURL((url) => url.href !== urlBefore);
    return this.readRows(tabId);
  }

  /** Waits for "empty-state" or "error-state". */
  async waitForNotice(className) {
    const notice = this.page.locator(`#panel[aria-busy="false"] .${className}`);
    await notice.waitFor();
    return notice;
  }

  getQuery() {
    return new URL(this.page.url()).searchParams;
  }

  getFocusedText() {
    return this.page.evaluate(() => document.activeElement.textContent);
  }
}

/** Removes the age, which can change from "59 secs ago" to "1 min ago" between two reads of the same row. */
const normalizeRow = (text) =>
  text
    .replace(/\d+ \w+ ago|just now/, "AGE")
    .replace(/\s+/g, " ")
    .trim();
