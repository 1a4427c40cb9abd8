// Tests of the settings, which are a menu where the bar has no room for them.
import assert from "node:assert/strict";
import { test } from "node:test";
import { setUpBrowser } from "./demo-page.mjs";

const openDemo = setUpBrowser();
const [PHONE, WIDE] = [
  { width: 390, height: 844 },
  { width: 1280, height: 720 },
];

async function openSettings(t, viewport) {
  const demo = await openDemo(t, "", { viewport });
  await demo.readRows("top-addresses");
  const summary = demo.page.locator(".settings > summary");
  const panel = demo.page.getByRole("group", { name: "Settings" });
  return { demo, page: demo.page, keyboard: demo.page.keyboard, summary, panel, theme: panel.getByLabel("Theme") };
}

test("the settings are a closed menu on a phone, which opens inside the screen", async (t) => {
  const { page, summary, panel } = await openSettings(t, PHONE);
  assert.equal(await panel.isVisible(), false);
  await summary.click();
  await panel.waitFor();
  const { x, width } = await panel.boundingBox();
  assert.ok(x >= 0 && x + width <= PHONE.width, `from ${x} to ${x + width}`);
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), PHONE.width);
  await summary.click();
  await panel.waitFor({ state: "hidden" });
});

test("a choice takes effect and is stored, and the menu stays open", async (t) => {
  const { page, summary, panel, theme } = await openSettings(t, PHONE);
  await summary.click();
  await theme.selectOption("dark");
  assert.equal(await page.evaluate(() => getComputedStyle(document.documentElement).colorScheme), "dark");
  await panel.getByLabel("Times").selectOption("absolute");
  await panel.getByLabel("Lists").selectOption("endless");
  assert.deepEqual(await page.evaluate(() => JSON.parse(localStorage.getItem("address-query-settings"))), {
    theme: "dark",
    paging: "endless",
    times: "absolute",
    ipfsGateway: "",
  });
  assert.ok(await panel.isVisible());
});

test("Escape closes the menu and returns the focus to its button", async (t) => {
  const { demo, keyboard, summary, panel, theme } = await openSettings(t, PHONE);
  await summary.focus();
  await keyboard.press("Enter");
  await theme.focus();
  await keyboard.press("Escape");
  await panel.waitFor({ state: "hidden" });
  assert.equal(await demo.getFocusedText(), "Settings");
});

test("Escape closes the list of shortcuts before the menu", async (t) => {
  const { page, keyboard, summary, panel } = await openSettings(t, PHONE);
  await summary.click();
  await panel.getByRole("button", { name: "Shortcuts" }).click();
  const dialog = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  await dialog.waitFor();
  await keyboard.press("Escape");
  await dialog.waitFor({ state: "hidden" });
  assert.ok(await panel.isVisible());
  await keyboard.press("Escape");
  await panel.waitFor({ state: "hidden" });
});

test("? lists the shortcuts while the menu is closed", async (t) => {
  const { page, keyboard, panel } = await openSettings(t, PHONE);
  await keyboard.press("?");
  const dialog = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  await dialog.waitFor();
  await dialog.getByRole("button", { name: "Close" }).click();
  await dialog.waitFor({ state: "hidden" });
  assert.equal(await panel.isVisible(), false);
});

test("a wide bar shows all settings, and Escape does not hide them", async (t) => {
  const { keyboard, summary, theme } = await openSettings(t, WIDE);
  assert.equal(await summary.isVisible(), false);
  await theme.focus();
  await keyboard.press("Escape");
  assert.ok(await theme.isVisible());
});

test("the settings become a menu when the window becomes narrow, and the other way round", async (t) => {
  const { page, summary, theme } = await openSettings(t, WIDE);
  await page.setViewportSize(PHONE);
  await theme.waitFor({ state: "hidden" });
  assert.ok(await summary.isVisible());
  await page.setViewportSize(WIDE);
  await theme.waitFor();
  assert.equal(await summary.isVisible(), false);
});
