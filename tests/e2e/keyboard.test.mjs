// The tabs by keyboard, after the ARIA tab pattern.
import assert from "node:assert/strict";
import { test } from "node:test";
import { useBrowser } from "./browse.mjs";

const open = useBrowser();

test("arrows, Home and End move along the tabs; Enter and Space choose", async (t) => {
  const visit = await open(t);
  await visit.rows("token-transfers");
  const { keyboard } = visit.page;
  const focused = () => visit.page.evaluate(() => document.activeElement.textContent);
  const chosen = () => visit.page.locator('[role="tab"][aria-selected="true"]').innerText();

  await visit.tab("Token transfers").focus();
  const walk = {
    ArrowRight: "Internal transactions",
    End: "All addresses",
    Home: "Token transfers",
    ArrowLeft: "All addresses",
  };
  for (const [key, label] of Object.entries(walk)) {
    await keyboard.press(key);
    assert.equal(await focused(), label, key);
    assert.equal(await chosen(), "Token transfers", "the focus alone sends no request");
    assert.equal(await visit.page.locator('[role="tab"][tabindex="0"]').innerText(), label, "one tab stop");
  }
  await keyboard.press("ArrowRight");
  assert.equal(await focused(), "Token transfers", "the row of tabs is a ring");

  await keyboard.press("End");
  await keyboard.press("Enter");
  await visit.rows("all-addresses");
  assert.equal(await chosen(), "All addresses");
  assert.equal(await focused(), "All addresses", "the focus stays");
  await keyboard.press("ArrowLeft");
  await keyboard.press("Space");
  await visit.rows("all-token-transfers");

  const panel = visit.page.getByRole("tabpanel", { name: "All token transfers" });
  assert.equal(await visit.tab("All token transfers").getAttribute("aria-controls"), await panel.getAttribute("id"));
});

test("Tab leaves the row of tabs and comes back to the chosen one", async (t) => {
  const visit = await open(t);
  await visit.rows("token-transfers");
  await visit.tab("Token transfers").focus();
  await visit.page.keyboard.press("ArrowRight");
  await visit.page.keyboard.press("Tab");
  await visit.page.keyboard.press("Shift+Tab");
  assert.equal(await visit.page.evaluate(() => document.activeElement.id), "tab-token-transfers");
});

test("the focus stays on a filter that was used", async (t) => {
  const visit = await open(t);
  await visit.rows("token-transfers");
  await visit.page.getByLabel("ERC-20", { exact: true }).focus();
  await visit.rowsAfter("token-transfers", () => visit.page.keyboard.press("Space"));
  assert.equal(await visit.page.evaluate(() => document.activeElement.value), "ERC-20");
});
