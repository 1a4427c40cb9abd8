// Checks that visible elements stay in place while the page loads, so that users press what they aim at.
import assert from "node:assert/strict";
import { test } from "node:test";
import { AddressClient } from "../../pkg/index.js";
import { createSampleService } from "../../pkg/testing/index.js";
import { openDemo } from "./demo-page.mjs";

const { addresses, fetch } = createSampleService();
const { hash: BUSY_ADDRESS } = addresses.find(({ id }) => id === "hub");
const client = new AddressClient({ baseUrl: "https://sample.invalid", fetch });
/** The maximum layout shift of a page by window width, as the browser computes it. 0.1 is considered good. */
const MAX_SHIFT = { 1280: 0.01, 820: 0.01, 390: 0.04 };

/** Runs in the page: records the positions of the tabs in each frame in which they change, and all shifts. */
function observePlaces() {
  const seen = { tabs: [], shifts: [] };
  window.seen = seen;
  const readTabs = () => {
    const tabs = [...document.querySelectorAll("[role=tab]")].map((tab) => Math.round(tab.getBoundingClientRect().left)).join();
    if (tabs && seen.tabs.at(-1) !== tabs) seen.tabs.push(tabs);
    requestAnimationFrame(readTabs);
  };
  readTabs();
  new PerformanceObserver((list) => {
    for (const { value, sources } of list.getEntries())
      seen.shifts.push({ value, elements: sources.map(({ node }) => `${node?.nodeName} ${node?.className ?? ""}`) });
  }).observe({ type: "layout-shift", buffered: true });
}

async function loadPage(t, width) {
  const { page } = await openDemo(t, "", { viewport: { width, height: 800 } });
  await page.addInitScript(observePlaces);
  await page.goto(`${new URL(page.url()).origin}/?address=${BUSY_ADDRESS}&tab=transactions`);
  await page.locator("[role=tab] .count:not(:empty)").first().waitFor();
  await page.locator(".address-header .skeleton").first().waitFor({ state: "detached" });
  await page.locator("aq-export-menu button").waitFor();
  // The last shift is reported after its frame.
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
  return page.evaluate(() => window.seen);
}

test("the tabs stay in place when their counts arrive", async (t) => {
  const { tabs } = await loadPage(t, 1280);
  assert.equal(tabs.length, 1, `left edges of the tabs: ${tabs.join(" then ")}`);
});

for (const [width, limit] of Object.entries(MAX_SHIFT)) {
  test(`a page of ${width} pixels stays in place while it loads`, async (t) => {
    const { shifts } = await loadPage(t, Number(width));
    const total = shifts.reduce((sum, { value }) => sum + value, 0);
    assert.ok(total <= limit, `${total.toFixed(4)}: ${JSON.stringify(shifts)}`);
  });
}

for (const width of [1280, 390]) {
  test(`the pages of a transaction, a token and a contract stay in place while they load, at ${width} pixels`, async (t) => {
    const { items } = await client.addressTokenTransfers({ address_hash: BUSY_ADDRESS });
    const [{ transaction_hash, token }] = items;
    const { page } = await openDemo(t, "", { viewport: { width, height: 800 } });
    await page.addInitScript(observePlaces);
    for (const query of [
      `?show=transaction&id=${transaction_hash}`,
      `?show=token&id=${token.address_hash}`,
      `?address=${token.address_hash}&tab=contract`,
    ]) {
      await page.goto(`${new URL(page.url()).origin}/${query}`);
      await page.locator(".fact-groups").first().waitFor();
      await page.waitForLoadState("networkidle");
      await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
      const { shifts } = await page.evaluate(() => window.seen);
      const total = shifts.reduce((sum, { value }) => sum + value, 0);
      assert.ok(total <= MAX_SHIFT[width], `${query}: ${total.toFixed(4)}: ${JSON.stringify(shifts)}`);
    }
  });
}
