// Builds the page of the tutorial, from the files that it shows, and opens it.
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { chromium } from "playwright-core";
import { build, preview } from "../../www/node_modules/vite/dist/node/index.js";
import { chromiumPath, launchArgs } from "../browser.mjs";
import { ROOT } from "../documents.mjs";
import { serveSampleData } from "./page.mjs";

let browser, folder, server;

before(async () => {
  folder = mkdtempSync(join(tmpdir(), "tutorial-"));
  const page = readFileSync(join(ROOT, "www/guide/pages/tutorial.md"), "utf8");
  for (const [, name, code] of page.matchAll(/^`(.+)`:\n\n```\w+\n([^]*?)^```$/gm)) writeFileSync(join(folder, name), code);
  mkdirSync(join(folder, "node_modules"));
  symlinkSync(join(ROOT, "pkg"), join(folder, "node_modules/address-query"));
  await build({ root: folder, base: "./", logLevel: "error" });
  server = await preview({ root: folder, logLevel: "error", preview: { host: "127.0.0.1" } });
  browser = await chromium.launch({ executablePath: chromiumPath(), args: launchArgs });
});
after(async () => {
  await browser?.close();
  await server?.close();
  rmSync(folder, { recursive: true, force: true });
});

test("the page of the tutorial shows a balance and transfers, and loads more", async () => {
  const page = await browser.newPage();
  await serveSampleData(page);
  await page.goto(server.resolvedUrls.local[0]);
  await page.getByRole("heading", { name: /^[\d.]+ ETH$/ }).waitFor();
  await page.getByRole("button", { name: "Load more" }).click();
  await page.locator("li").nth(60).waitFor();
  assert.match(await page.locator("li").first().innerText(), /^\d{4}-.* [\d.]* \w/);
});
