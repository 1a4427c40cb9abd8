// What the tests share: one browser and one site per test file, and words for what a visitor does and sees.
import assert from "node:assert/strict";
import { after, before } from "node:test";
import { chromium } from "playwright-core";
import { startSite } from "../../www/serve.mjs";
import { chromiumPath, launchArgs } from "../browser.mjs";

// Pictures of the sample data live on hosts that do not exist; no test may wait for a name server to say so.
const LOOPBACK_ONLY = "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1";

/** Call once per file; gives `open(t, query, contextOptions)` → Visit. AQ_PKG names another build of the package. */
export function useBrowser() {
  let browser, site, shared;
  before(async () => {
    site = await startSite({ maxAge: 600, ...(process.env.AQ_PKG ? { pkg: process.env.AQ_PKG } : {}) });
    browser = await chromium.launch({ executablePath: chromiumPath(), args: [...launchArgs, LOOPBACK_ONLY] });
  });
  after(async () => {
    await browser?.close();
    await site?.close();
  });
  return async (t, query = "", options = null) => {
    // The page stores nothing, so visits may share a context: its cache spares them loading all modules again.
    const context = options ? await browser.newContext(options) : (shared ??= await browser.newContext());
    const page = await context.newPage();
    const visit = new Visit(page, site.url);
    t.after(async () => {
      await (options ? context : page).close();
      assert.deepEqual(visit.pageErrors, [], "the page threw");
    });
    await page.goto(site.url + query);
    return visit;
  };
}

class Visit {
  constructor(page, origin) {
    this.page = page;
    this.origin = origin;
    this.pageErrors = [];
    page.on("pageerror", (error) => this.pageErrors.push(error.message));
    page.setDefaultTimeout(20_000);
  }

  tab(name) {
    return this.page.getByRole("tab", { name, exact: true });
  }

  button(name) {
    return this.page.getByRole("button", { name, exact: true });
  }

  /** The rows' text once the list `id` is there and nothing is loading; without pictures, which come when they come. */
  async rows(id) {
    await this.page.locator(`#panel[aria-busy="false"] table[data-list="${id}"] tbody tr`).first().waitFor();
    const texts = await this.page.locator("tbody tr").evaluateAll((rows) =>
      rows.map(({ cells }) =>
        [...cells]
          .filter((cell) => !cell.querySelector(".picture"))
          .map((cell) => cell.textContent)
          .join(" "),
      ),
    );
    return texts.map(withoutAge);
  }

  /** Runs `act` and gives the rows of the page it leads to, told apart by the page number or the URL. */
  async rowsAfter(id, act) {
    const before = this.page.url();
    await act();
    await this.page.waitForURL((url) => url.href !== before);
    return this.rows(id);
  }

  async notice(className) {
    const notice = this.page.locator(`#panel[aria-busy="false"] .${className}`);
    await notice.waitFor();
    return notice;
  }

  query() {
    return new URL(this.page.url()).searchParams;
  }
}

// An age can pass from "59 s ago" to "1 min ago" between two looks at the same row.
const withoutAge = (text) =>
  text
    .replace(/\d+ \w+ ago|just now/, "AGE")
    .replace(/\s+/g, " ")
    .trim();
