// The browser can restore a page with a client from its back/forward cache, although the tabs share a channel.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { chromium } from "playwright-core";
import { startSite } from "../../www/serve.mjs";
import { chromiumPath, launchArgs } from "../browser.mjs";
import { PACKAGE } from "./demo-page.mjs";
import { ADDRESS } from "./mock-service.mjs";

let site, browser;
before(async () => {
  site = await startSite({ pkg: PACKAGE });
  // Playwright disables the cache by default.
  const ignoreDefaultArgs = ["--disable-back-forward-cache"];
  browser = await chromium.launch({ executablePath: chromiumPath(), args: launchArgs, ignoreDefaultArgs });
});
after(async () => {
  await browser.close();
  await site.close();
});

test("a page with a client is restored from the back/forward cache, and its client works", async () => {
  const page = await browser.newPage();
  const body = "<script>addEventListener('pageshow', ({ persisted }) => { globalThis.isRestored = persisted; })</script>";
  await page.route("**/page-*.html", (route) => route.fulfill({ contentType: "text/html", body }));
  const list = { json: { items: [], next_page_params: null }, headers: { "access-control-allow-origin": "*" } };
  await page.route("https://sample.invalid/**", (route) => route.fulfill(list));
  const readList = (address_hash) => globalThis.client.addressWithdrawals({ address_hash }).then(({ items }) => items.length);
  await page.goto(new URL("page-1.html", site.url).href);
  await page.evaluate(async () => {
    globalThis.channels = [];
    globalThis.BroadcastChannel = class extends BroadcastChannel {
      constructor(name) {
        super(name);
        globalThis.channels.push(name);
      }
    };
    const { AddressClient } = await import("/pkg/index.js");
    globalThis.client = new AddressClient({ baseUrl: "https://sample.invalid" });
  });
  assert.equal(await page.evaluate(readList, ADDRESS), 0);
  assert.equal(await page.evaluate(() => globalThis.channels.length), 1);
  await page.goto(new URL("page-2.html", site.url).href);
  await page.evaluate(() => void setTimeout(() => history.back()));
  await page.waitForURL("**/page-1.html", { waitUntil: "commit" });
  await page.waitForFunction(() => globalThis.isRestored);
  assert.equal(await page.evaluate(readList, ADDRESS), 0);
});
