// Tests of keyboard navigation: the ARIA tab pattern, and focus that is not lost.
import assert from "node:assert/strict";
import { test } from "node:test";
import { createSampleService } from "../../pkg/testing/index.js";
import { openDemo } from "./demo-page.mjs";

const { hash: ADDRESS } = createSampleService().addresses.find(({ id }) => id === "hub");
const TRANSFERS = `?address=${ADDRESS}&tab=token-transfers`;

test("arrows, Home and End move the focus between tabs, and Enter and Space activate", async (t) => {
  const demo = await openDemo(t, TRANSFERS);
  await demo.waitForRows("token-transfers");
  await demo.page.locator("[role=tab] .count").first().waitFor();
  const { keyboard } = demo.page;
  const getSelectedTab = () => demo.page.locator('[role="tab"][aria-selected="true"]').getAttribute("id");
  const getFocused = () => demo.page.evaluate(() => document.activeElement.id);
  const ids = await demo.page.getByRole("tab").evaluateAll((tabs) => tabs.map(({ id }) => id));
  const [first, shown, next, last] = [ids[0], "tab-token-transfers", ids[ids.indexOf("tab-token-transfers") + 1], ids.at(-1)];

  await demo.page.locator(`#${shown}`).focus();
  const steps = [
    ["ArrowRight", next],
    ["End", last],
    ["Home", first],
    ["ArrowLeft", last],
    ["ArrowRight", first],
  ];
  for (const [key, id] of steps) {
    await keyboard.press(key);
    assert.equal(await getFocused(), id, key);
    assert.equal(await getSelectedTab(), shown, "moving the focus does not activate a tab");
    assert.equal(
      await demo.page.locator('[role="tab"][tabindex="0"]').getAttribute("id"),
      id,
      "only the focused tab is a tab stop",
    );
  }

  await keyboard.press("Enter");
  await demo.page.locator(".overview").waitFor();
  assert.equal(await getSelectedTab(), "tab-overview");
  assert.equal(await getFocused(), "tab-overview", "activating a tab keeps the focus");
  for (const key of ["ArrowRight", "ArrowRight", "ArrowRight", "Space"]) await keyboard.press(key);
  await demo.waitForRows("token-transfers");

  const panel = demo.page.getByRole("tabpanel", { name: "Token transfers" });
  assert.equal(await demo.getTab("Token transfers").getAttribute("aria-controls"), await panel.getAttribute("id"));
});

test("Shift+Tab returns the focus to the selected tab", async (t) => {
  const demo = await openDemo(t, TRANSFERS);
  await demo.waitForRows("token-transfers");
  await demo.getTab("Token transfers").focus();
  await demo.page.keyboard.press("ArrowRight");
  await demo.page.keyboard.press("Tab");
  await demo.page.keyboard.press("Shift+Tab");
  assert.equal(await demo.page.evaluate(() => document.activeElement.id), "tab-token-transfers");
});

test("a changed filter keeps the focus", async (t) => {
  const demo = await openDemo(t, TRANSFERS);
  await demo.waitForRows("token-transfers");
  await demo.openFilter("Token type");
  await demo.page.getByLabel("ERC-20", { exact: true }).focus();
  await demo.readRowsAfter("token-transfers", () => demo.page.keyboard.press("Space"));
  assert.equal(await demo.page.evaluate(() => document.activeElement.value), "ERC-20");
});

test("shortcuts move through tabs and pages, and ? lists them", async (t) => {
  const demo = await openDemo(t, TRANSFERS);
  const first = await demo.readRows("token-transfers");
  const { keyboard } = demo.page;
  const second = await demo.readRowsAfter("token-transfers", () => keyboard.press("n"));
  assert.notDeepEqual(second, first);
  assert.deepEqual(await demo.readRowsAfter("token-transfers", () => keyboard.press("p")), first);
  await keyboard.press("[");
  await demo.waitForRows("transactions");
  await keyboard.press("]");
  await demo.waitForRows("token-transfers");
  await keyboard.press("?");
  await demo.page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
  await keyboard.press("Escape");
  for (const key of ["/", "Control+k"]) {
    await demo.page.evaluate(() => document.activeElement.blur());
    await keyboard.press(key);
    assert.equal(await demo.page.evaluate(() => document.activeElement.id), "address", key);
  }
  await keyboard.type("n?");
  assert.equal(await demo.page.locator("dialog[open]").count(), 0, "typing in an input is not a shortcut");
});
