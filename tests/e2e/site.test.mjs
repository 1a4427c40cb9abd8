// Tests of the site that `make site` writes: it works in any folder of a server.
import assert from "node:assert/strict";
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { test } from "node:test";
import { chromium } from "playwright-core";
import { startSite } from "../../www/serve.mjs";
import { chromiumPath, launchArgs } from "../browser.mjs";
import { findViolations, runExample } from "../guide/page.mjs";

const SITE = fileURLToPath(new URL("../../target/site", import.meta.url));

test("the page and the guide work below a folder", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "site-"));
  t.after(() => rm(folder, { recursive: true }));
  await cp(SITE, join(folder, "project"), { recursive: true });
  await cp(join(SITE, "index.html"), join(folder, "index.html"));
  const site = await startSite({ folder });
  const browser = await chromium.launch({ executablePath: chromiumPath(), args: launchArgs });
  t.after(async () => {
    await browser.close();
    await site.close();
  });
  const page = await browser.newPage();
  const problems = [];
  page.on("pageerror", (error) => problems.push(error.message));
  page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
  await page.goto(`${site.url}project/index.html`);
  await page.getByRole("link", { name: "Everyday wallet" }).waitFor();
  await page.getByRole("button", { name: "Settings" }).click();
  await page.getByRole("link", { name: "API reference" }).waitFor();
  await page.getByRole("link", { name: "Guide" }).click();
  await page.waitForURL(/\/project\/guide\/index\.html$/);
  await page.getByRole("heading", { level: 1, name: "Read any blockchain address" }).waitFor();

  // An example runs, and the search leads to another page. `make test-guide` checks all pages.
  const { outputs, errors } = await runExample(page, 0);
  assert.deepEqual(errors, []);
  assert.equal(outputs.length, 5);
  assert.deepEqual(await findViolations(page), []);
  await page.keyboard.press("Control+k");
  await page.locator(".VPLocalSearchBox input").fill("resumeToken");
  await page.locator(".VPLocalSearchBox a[href*=paginate]").first().click();
  await page.waitForURL(/\/project\/guide\/paginate\.html/);
  assert.deepEqual(problems, []);

  await page.getByRole("link", { name: "Types" }).first().click();
  await page.waitForURL(/\/project\/guide\/types-address-query\.html$/);
});
