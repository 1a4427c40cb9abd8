// Tests which state lists keep, and which they drop when other rows are shown.
import assert from "node:assert/strict";
import { test } from "node:test";
import { createSampleService } from "../../pkg/testing/index.js";
import { openDemo } from "./demo-page.mjs";

const { hash: ADDRESS } = createSampleService().addresses.find(({ id }) => id === "hub");
const ENDLESS = { settings: { paging: "endless" } };

test("details belong to their row: other rows in the same place are closed", async (t) => {
  const demo = await openDemo(t, `?address=${ADDRESS}&tab=transactions`);
  const all = await demo.readRows("transactions");
  await demo.readRowsAfter("transactions", () => demo.chooseFilter("Direction", "Incoming"));
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
  await demo.chooseSetting("Times", "Dates");
  await demo.page.evaluate(() => scrollTo(0, 0));
  await demo.page.locator(".details-row").waitFor();
});

/** The row at the top of the window, without its age. */
const readTopRow = (page) =>
  page.evaluate(() => {
    const rows = [...document.querySelectorAll("tbody tr[aria-rowindex]")];
    const { ariaRowIndex, cells } = rows.find((row) => row.getBoundingClientRect().bottom > 0);
    return [ariaRowIndex ?? "", ...[...cells].slice(2).map((cell) => cell.textContent)].join(" ").replace(/\s+/g, " ");
  });

const scrollToRow = async ({ page }, top, status) => {
  await page.getByText(status).waitFor();
  // The list stores its position on the event of the next frame.
  const scroll = (top) =>
    new Promise((resolve) => {
      addEventListener("scroll", () => setTimeout(resolve), { once: true });
      scrollTo(0, top);
    });
  await page.evaluate(scroll, top);
};

/** Waits for the position, where the rows fill the window and the header above them is complete. */
const waitForPosition = ({ page }, top) =>
  page.waitForFunction(
    (top) =>
      Math.abs(scrollY - top) < 100 &&
      document.elementFromPoint(innerWidth / 2, 100)?.closest("tr[aria-rowindex]") &&
      !document.querySelector("aq-address-header .skeleton"),
    top,
  );

for (const tab of ["History", "Withdrawals"]) {
  test(`Back from the tab ${tab} restores the position of a list`, async (t) => {
    const demo = await openDemo(t, `?address=${ADDRESS}&tab=token-transfers`, ENDLESS);
    await scrollToRow(demo, 2000, /^50 token transfers/);
    await scrollToRow(demo, 2500, /^[1-9]\d\d token transfers/);
    await demo.page.evaluate((href) => document.querySelector(`a[href$="tab=${href}"]`).click(), tab.toLowerCase());
    await demo.page.locator(`[data-tab="${tab.toLowerCase()}"] :is(tbody tr[aria-rowindex], .feed-entry)`).first().waitFor();
    await demo.page.goBack();
    await demo.page.waitForFunction(() => Math.abs(scrollY - 2500) < 100);
  });
}

test("a reload restores the rows and the position of an endless list", async (t) => {
  const demo = await openDemo(t, `?address=${ADDRESS}&tab=token-transfers`, ENDLESS);
  await scrollToRow(demo, 2000, /^50 token transfers/);
  await scrollToRow(demo, 4000, /^[1-9]\d\d token transfers/);
  await waitForPosition(demo, 4000);
  const row = await readTopRow(demo.page);
  const urlBefore = demo.page.url();
  await demo.page.reload();
  await waitForPosition(demo, 4000);
  assert.equal(await readTopRow(demo.page), row);
  // A link to the same list begins at its top.
  await demo.page.goto(urlBefore.replace("token-transfers", "logs"));
  await demo.page.goto(urlBefore);
  await demo.page.locator('tr[aria-rowindex="2"]').waitFor();
  await demo.page.waitForTimeout(500);
  assert.equal(await demo.page.evaluate(() => scrollY), 0);
});

test("a reload restores the position in a page of a list, and in the previous list", async (t) => {
  const demo = await openDemo(t, `?address=${ADDRESS}&tab=token-transfers`);
  await scrollToRow(demo, 900, /^Page 1: 50 token transfers/);
  await demo.getTab("Transactions").evaluate((element) => element.click());
  await demo.page.locator('[data-tab="transactions"] tr[aria-rowindex="2"]').waitFor();
  await scrollToRow(demo, 1500, /^Page 1: 50 transactions/);
  await demo.page.reload();
  await waitForPosition(demo, 1500);
  await demo.page.goBack();
  await demo.page.locator('[data-tab="token-transfers"]').waitFor();
  await waitForPosition(demo, 900);
});

test("the status names the records in the plural", async (t) => {
  const demo = await openDemo(t, "?tab=top-addresses", ENDLESS);
  await demo.page.getByText(/^\d+ addresses so far/).waitFor();
});
