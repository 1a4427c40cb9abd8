// Tests of the site that `make site` writes, if it is there: it works in any folder of a server.
import assert from "node:assert/strict";
import { cp, mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { test } from "node:test";
import { chromium } from "playwright-core";
import { startSite } from "../../www/serve.mjs";
import { chromiumPath, launchArgs } from "../browser.mjs";

const SITE = fileURLToPath(new URL("../../target/site", import.meta.url));
const isBuilt = await stat(join(SITE, "index.html")).then(
  () => true,
  () => false,
);

test("the page and the guide work below a folder", { skip: !isBuilt && "run `make site` first" }, async (t) => {
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
  await page.locator("tbody tr[aria-rowindex]").first().waitFor();
  await page.getByRole("link", { name: "API reference" }).waitFor();
  await page.getByRole("link", { name: "Guide" }).click();
  await page.waitForURL(/\/project\/guide\.html$/);
  await page.getByRole("heading", { level: 1 }).first().waitFor();
  assert.deepEqual(problems, []);
  await page.getByRole("link", { name: "API reference" }).click();
  await page.waitForURL(/\/project\/api\/index\.html$/);
});
