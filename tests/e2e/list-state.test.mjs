// Tests what lists keep of what the reader did, and what they forget when other rows are on display.
import assert from "node:assert/strict";
import { test } from "node:test";
import { createSampleService } from "../../pkg/testing/index.js";
import { setUpBrowser } from "./demo-page.mjs";

const openDemo = setUpBrowser();
const [{ hash: ADDRESS }] = createSampleService().addresses;
const ENDLESS = { settings: { paging: "endless" } };

test("details belong to their row: other rows in the same place are closed", async (t) => {
  const demo = await openDemo(t, `?address=${ADDRESS}&tab=transactions`);
  const all = await demo.readRows("transactions");
  await demo.readRowsAfter("transactions", () => demo.page.getByLabel("Direction", { exact: true }).selectOption("to"));
  await demo.getButton("Details of transaction 1").click();
  assert.equal(await demo.page.locator(".details-row").count(), 1);
  assert.deepEqual(await demo.readRowsAfter("transactions", () => demo.page.goBack()), all);
  assert.equal(await demo.page.locator(".details-row").count(), 0);
});

test("details stay open while more rows are loaded and times are shown differently", async (t) => {
  const demo = await openDemo(t, `?address=${ADDRESS}&tab=transactions`, ENDLESS);
  await demo.getButton("Details of transaction 1").click();
  await demo.getButton("Load more").click();
  await demo.page.getByText(/^[1-9]\d\d transactions/).waitFor();
  await demo.page.getByLabel("Times").selectOption("absolute");
  await demo.page.evaluate(() => scrollTo(0, 0));
  await demo.page.locator(".details-row").waitFor();
});

for (const tab of ["History", "Withdrawals"]) {
  test(`Back from the tab ${tab} restores the position of a list`, async (t) => {
    const demo = await openDemo(t, `?address=${ADDRESS}&tab=token-transfers`, ENDLESS);
    await demo.page.locator("tbody tr[aria-rowindex]").first().waitFor();
    await demo.page.evaluate(() => scrollTo(0, 2000));
    await demo.page.getByText(/^[2-9]\d\d token transfers|^1\d\d token transfers/).waitFor();
    await demo.page.evaluate(() => scrollTo(0, 2500));
    await demo.page.waitForTimeout(100);
    await demo.getTab(tab).evaluate((element) => element.click());
    await demo.page.locator(`#panel:has([data-tab="${tab.toLowerCase()}"]) tbody tr[aria-rowindex]`).first().waitFor();
    await demo.page.goBack();
    await demo.page.waitForFunction(() => Math.abs(scrollY - 2500) < 100, null, { timeout: 5000 });
  });
}

test("the status names the records in the plural", async (t) => {
  const demo = await openDemo(t, "?tab=top-addresses", ENDLESS);
  await demo.page.getByText(/^\d+ addresses so far/).waitFor({ timeout: 10_000 });
});
