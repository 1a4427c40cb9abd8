// Builds the page "Rust in a page" from the files that it shows, and opens it.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { chromium } from "playwright-core";
import { createServer } from "../../www/node_modules/vite/dist/node/index.js";
import { chromiumPath, launchArgs } from "../browser.mjs";
import { ROOT } from "../documents.mjs";
import { serveSampleData } from "./page.mjs";

let browser, folder, server;

before(async () => {
  folder = mkdtempSync(join(tmpdir(), "rust-page-"));
  const page = readFileSync(join(ROOT, "www/guide/pages/rust.md"), "utf8");
  for (const [, name, code] of page.matchAll(/^`(.+)`:\n\n```\w+\n([^]*?)^```$/gm)) {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, code.replace('path = "../address-query"', `path = ${JSON.stringify(ROOT)}`));
  }
  // The same versions of the dependencies as in this repository.
  copyFileSync(join(ROOT, "Cargo.lock"), join(folder, "Cargo.lock"));
  const [, build] = /^(wasm-pack build.*)$/m.exec(page);
  const [command, ...options] = build.split(" ");
  execFileSync(command, [...options, "--dev"], {
    cwd: folder,
    env: { ...process.env, CARGO_TARGET_DIR: join(ROOT, "target") },
    stdio: ["ignore", "ignore", "inherit"],
  });
  server = await createServer({ root: folder, logLevel: "error", server: { host: "127.0.0.1" } });
  await server.listen();
  browser = await chromium.launch({ executablePath: chromiumPath(), args: launchArgs });
});
after(async () => {
  await browser?.close();
  await server?.close();
  rmSync(folder, { recursive: true, force: true });
});

test("the page in Rust lists transfers", async () => {
  const page = await browser.newPage();
  await serveSampleData(page);
  await page.goto(server.resolvedUrls.local[0]);
  await page.locator("li").nth(40).waitFor();
  assert.match(await page.locator("li").first().innerText(), /^\d{4}-\S+ 0x\w{40} \S/);
});
