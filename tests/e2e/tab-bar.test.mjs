// Tests of the tab bar: tabs that do not fit are folded into a menu, and the current tab is always in the bar.
import assert from "node:assert/strict";
import { test } from "node:test";
import { createSampleService } from "../../pkg/testing/index.js";
import { openDemo } from "./demo-page.mjs";

const { hash: BUSY_ADDRESS } = createSampleService().addresses.find(({ id }) => id === "hub");
const PHONE = { width: 390, height: 844 };

/** Opens a tab, and waits for the parts of the page that arrive later. */
async function openTab(t, id, viewport = PHONE) {
  const demo = await openDemo(t, `?address=${BUSY_ADDRESS}&tab=${id}`, { viewport });
  await demo.page.locator(".worth .number").first().waitFor();
  return demo;
}

/** Waits until a tab is shown and completely in view. */
const waitUntilInView = ({ page }, id) =>
  page.waitForFunction((id) => {
    const tab = document.querySelector(`#tab-${id}[aria-selected=true]`);
    const { left, right } = tab?.getBoundingClientRect() ?? { left: -1 };
    return left >= 0 && right <= document.querySelector("[role=tablist]").getBoundingClientRect().right + 1;
  }, id);

test("the tab of the URL is in view, and the page is not scrolled", async (t) => {
  for (const id of ["overview", "transactions", "internal-transactions", "logs", "tools"]) {
    const demo = await openTab(t, id);
    await waitUntilInView(demo, id);
    assert.equal(await demo.page.evaluate(() => scrollY), 0);
    assert.equal(await demo.page.evaluate(() => document.documentElement.scrollWidth), PHONE.width);
  }
});

test("a tab of the chain that addresses also have stays in view", async (t) => {
  const demo = await openDemo(t, "?tab=tools", { viewport: PHONE });
  await waitUntilInView(demo, "tools");
  await demo.page.getByRole("combobox").fill(BUSY_ADDRESS);
  await demo.getButton("Search").click();
  await demo.getTab("Overview").waitFor();
  await waitUntilInView(demo, "tools");
});

test("the menu More has all tabs that do not fit, and shows them", async (t) => {
  const demo = await openTab(t, "overview");
  const more = demo.getButton("More tabs");
  await more.click();
  const folded = await demo.page.locator(".menu-panel:popover-open a").allInnerTexts();
  const shown = await demo.page.getByRole("tab").count();
  assert.equal(shown + folded.length, (await demo.listTabs()).length);
  assert.ok(shown >= 2 && folded.length >= 6, `${shown} shown, folded: ${folded}`);
  await demo.page.locator(".menu-panel:popover-open a", { hasText: "Logs" }).click();
  await waitUntilInView(demo, "logs");
  await more.click();
  assert.equal(await demo.page.locator(".menu-panel:popover-open a", { hasText: "Logs" }).count(), 0);
  await demo.page.keyboard.press("Escape");
  assert.equal(await demo.page.evaluate(() => document.activeElement.ariaLabel), "More tabs");
});

test("a wide bar has no menu, and folds tabs when it becomes narrower", async (t) => {
  const demo = await openDemo(t, "", { viewport: { width: 1920, height: 900 } });
  await demo.page.getByRole("tab").nth(2).waitFor();
  assert.equal(await demo.getButton("More tabs").count(), 0);
  await demo.page.setViewportSize({ width: 320, height: 900 });
  await demo.getButton("More tabs").waitFor();
  await demo.page.setViewportSize({ width: 1920, height: 900 });
  await demo.getButton("More tabs").waitFor({ state: "detached" });
});

test("each tab that is shown with the keyboard is in view", async (t) => {
  const demo = await openTab(t, "overview");
  const ids = await demo.listTabs();
  const order = ["overview", "history", "transactions", "token-transfers", "tokens"];
  assert.ok(ids.length > 8, ids.join());
  for (const id of order.slice(1)) {
    await demo.page.keyboard.press("]");
    await waitUntilInView(demo, id);
  }
  for (const id of order.slice(0, -1).reverse()) {
    await demo.page.keyboard.press("[");
    await waitUntilInView(demo, id);
  }
});

test("the tabs stay below the bar while the list is scrolled", async (t) => {
  const demo = await openTab(t, "token-transfers", { width: 1360, height: 900 });
  await demo.waitForRows("token-transfers");
  await demo.page.evaluate(() => scrollTo(0, 1500));
  await demo.page.waitForFunction(() => document.querySelector(".tabs").getBoundingClientRect().top === 52);
});
