// Tests of the tab bar on a screen that is narrower than its tabs.
import assert from "node:assert/strict";
import { test } from "node:test";
import { createSampleService } from "../../pkg/testing/index.js";
import { setUpBrowser } from "./demo-page.mjs";

const openDemo = setUpBrowser();
const [{ hash: BUSY_ADDRESS }] = createSampleService().addresses;
const VIEWPORT = { width: 390, height: 844 };

/** Opens a tab on a phone, and waits for the counts. */
async function openTab(t, id) {
  const demo = await openDemo(t, `?address=${BUSY_ADDRESS}&tab=${id}`, { viewport: VIEWPORT });
  await demo.page.locator("[role=tab] .count:not(:empty)").first().waitFor();
  return demo;
}

/** Waits until a tab is on display, and the whole of it in view, as near to the middle of the bar as the other tabs allow. */
const waitUntilInView = ({ page }, id) =>
  page.waitForFunction((id) => {
    const tab = document.querySelector(`#tab-${id}[aria-selected=true]`);
    if (!tab) return false;
    const [bar, { left, right }] = [tab.parentElement, tab.getBoundingClientRect()];
    const isAtEnd = bar.scrollLeft === 0 || bar.scrollLeft + bar.clientWidth >= bar.scrollWidth - 1;
    const isInMiddle = Math.abs((left + right - innerWidth) / 2) <= 2;
    return left >= 0 && right <= innerWidth && (isAtEnd || isInMiddle);
  }, id);

test("the tab of the URL is scrolled into view, and the page is not", async (t) => {
  for (const id of ["transactions", "logs", "history", "tools"]) {
    const demo = await openTab(t, id);
    await waitUntilInView(demo, id);
    assert.equal(await demo.page.evaluate(() => scrollY), 0);
  }
});

test("a tab of the chain that an address has too is scrolled into view", async (t) => {
  const demo = await openDemo(t, "?tab=tools", { viewport: VIEWPORT });
  await waitUntilInView(demo, "tools");
  await demo.page.getByLabel("Address", { exact: true }).fill(BUSY_ADDRESS);
  await demo.getButton("Search").click();
  await demo.getTab("History").waitFor();
  await waitUntilInView(demo, "tools");
});

test("each tab that is shown with the keyboard is scrolled into view", async (t) => {
  const demo = await openTab(t, "transactions");
  const ids = await demo.page.getByRole("tab").evaluateAll((tabs) => tabs.map(({ id }) => id.slice("tab-".length)));
  assert.ok(ids.length > 8, ids.join());
  for (const id of ids.slice(1)) {
    await demo.page.keyboard.press("]");
    await waitUntilInView(demo, id);
  }
  for (const id of ids.slice(0, -1).reverse()) {
    await demo.page.keyboard.press("[");
    await waitUntilInView(demo, id);
  }
});

test("the bar stays where the user scrolled it, until another tab is shown", async (t) => {
  const demo = await openTab(t, "transactions");
  await demo.readRows("transactions");
  const bar = demo.page.getByRole("tablist");
  const scrollTo = (left) => bar.evaluate((element, left) => (element.scrollLeft = left), left);
  await scrollTo(300);
  await demo.readRowsAfter("transactions", () => demo.getButton("Next").click());
  assert.equal(await bar.evaluate(({ scrollLeft }) => scrollLeft), 300);
  await demo.page.goBack();
  await demo.page.keyboard.press("]");
  await waitUntilInView(demo, "token-transfers");
});
