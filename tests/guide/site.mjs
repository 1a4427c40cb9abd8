// Test fixtures for the guide: a browser, and the site that `make site` wrote, served from a folder of the server.
import assert from "node:assert/strict";
import { cpSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before } from "node:test";
import { chromium } from "playwright-core";
import { startSite } from "../../www/serve.mjs";
import { chromiumPath, launchArgs } from "../browser.mjs";
import { ROOT } from "../documents.mjs";

const SITE = join(ROOT, "target/site");
/** A request for another host fails at once. */
const LOOPBACK_ONLY = "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1";

/** The pages of the guide. */
export const PAGES = readdirSync(join(SITE, "guide"))
  .filter((name) => name.endsWith(".html") && name !== "404.html")
  .sort();

/** Call it once per test file. Returns `openPage(t, name, contextOptions)`, which resolves to a page of the guide. */
export function setUpGuide() {
  let browser, site, folder;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), "guide-"));
    cpSync(SITE, join(folder, "project"), { recursive: true });
    cpSync(join(SITE, "index.html"), join(folder, "index.html"));
    site = await startSite({ folder, maxAge: 600 });
    browser = await chromium.launch({ executablePath: chromiumPath(), args: [...launchArgs, LOOPBACK_ONLY] });
  });
  after(async () => {
    await browser?.close();
    await site?.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return async (t, name, options = {}) => {
    const context = await browser.newContext({ acceptDownloads: true, ...options });
    const page = await context.newPage();
    page.setDefaultTimeout(30_000);
    const problems = [];
    page.on("pageerror", ({ message }) => problems.push(message));
    page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
    t.after(async () => {
      await context.close();
      assert.deepEqual(problems, [], `${name} has errors in its console`);
    });
    await page.goto(`${site.url}project/guide/${name}`);
    return page;
  };
}
