// Tests of keyboard navigation: the ARIA tab pattern, and focus that is not lost.
import assert from "node:assert/strict";
import { test } from "node:test";
import { setUpBrowser } from "./demo-page.mjs";

const openDemo = setUpBrowser();

test("arrows, Home and End move the focus between tabs, and Enter and Space activate", async (t) => {
  const demo = await openDemo(t);
  await demo.readRows("token-transfers");
  const { keyboard } = demo.page;
  const getSelectedTab = () => demo.page.locator('[role="tab"][aria-selected="true"]').innerText();

  await demo.getTab("Token transfers").focus();
  const expectedFocus = {
    ArrowRight: "Internal transactions",
    End: "All addresses",
    Home: "Token transfers",
    ArrowLeft: "All addresses",
  };
  for (const [key, label] of Object.entries(expectedFocus)) {
    await keyboard.press(key);
    assert.equal(await demo.getFocusedText(), label, key);
    assert.equal(await getSelectedTab(), "Token transfers", "moving the focus does not activate a tab");
    assert.equal(await demo.page.locator('[role="tab"][tabindex="0"]').innerText(), label, "only the focused tab is a tab stop");
  }
  await keyboard.press("ArrowRight");
  assert.equal(await demo.getFocusedText(), "Token transfers", "the focus wraps around");

  await keyboard.press("End");
  await keyboard.press("Enter");
  await demo.readRows("all-addresses");
  assert.equal(await getSelectedTab(), "All addresses");
  assert.equal(await demo.getFocusedText(), "All addresses", "activating a tab keeps the focus");
  await keyboard.press("ArrowLeft");
  await keyboard.press("Space");
  await demo.readRows("all-token-transfers");

  const panel = demo.page.getByRole("tabpanel", { name: "All token transfers" });
  assert.equal(await demo.getTab("All token transfers").getAttribute("aria-controls"), await panel.getAttribute("id"));
});

test("Shift+Tab returns the focus to the selected tab", async (t) => {
  const demo = await openDemo(t);
  await demo.readRows("token-transfers");
  await demo.getTab("Token transfers").focus();
  await demo.page.keyboard.press("ArrowRight");
  await demo.page.keyboard.press("Tab");
  await demo.page.keyboard.press("Shift+Tab");
  assert.equal(await demo.page.evaluate(() => document.activeElement.id), "tab-token-transfers");
});

test("a changed filter keeps the focus", async (t) => {
  const demo = await openDemo(t);
  await demo.readRows("token-transfers");
  await demo.page.getByLabel("ERC-20", { exact: true }).focus();
  await demo.readRowsAfter("token-transfers", () => demo.page.keyboard.press("Space"));
  assert.equal(await demo.page.evaluate(() => document.activeElement.value), "ERC-20");
});
