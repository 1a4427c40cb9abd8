// Tests of the settings, which are a menu of the bar.
import assert from "node:assert/strict";
import { test } from "node:test";
import { openDemo } from "./demo-page.mjs";

const [PHONE, WIDE] = [
  { width: 390, height: 844 },
  { width: 1280, height: 720 },
];

async function openPage(t, viewport) {
  const demo = await openDemo(t, "?tab=top-addresses", { viewport });
  await demo.waitForRows("top-addresses");
  return { demo, page: demo.page, keyboard: demo.page.keyboard };
}

for (const viewport of [PHONE, WIDE]) {
  test(`the settings open inside a window of ${viewport.width} pixels`, async (t) => {
    const { demo, page } = await openPage(t, viewport);
    const panel = await demo.openSettings();
    await panel.getByText("Theme").waitFor();
    // The panel is placed again in the frame after its content has loaded.
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
    const { x, y, width, height } = await panel.boundingBox();
    assert.ok(x >= 0 && x + width <= viewport.width && y >= 0 && y + height <= viewport.height, `${x} ${y} ${width} ${height}`);
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), viewport.width);
    await page.mouse.click(10, viewport.height - 10);
    await panel.waitFor({ state: "hidden" });
  });
}

test("a choice takes effect and is stored, and the menu stays open", async (t) => {
  const { demo, page } = await openPage(t, PHONE);
  const panel = await demo.openSettings();
  const choose = (name, option) => panel.getByRole("group", { name }).getByRole("radio", { name: option }).check();
  await choose("Theme", "Dark");
  assert.equal(await page.evaluate(() => getComputedStyle(document.documentElement).colorScheme), "dark");
  await choose("Times", "Dates");
  await choose("Lists", "Endless");
  await choose("Density", "Compact");
  assert.deepEqual(await page.evaluate(() => JSON.parse(localStorage.getItem("address-query-settings"))), {
    theme: "dark",
    paging: "endless",
    times: "absolute",
    density: "compact",
    ipfsGateway: "",
  });
  assert.ok(await panel.isVisible());
});

test("the density changes the height of the rows", async (t) => {
  const { demo, page } = await openPage(t, WIDE);
  const readHeight = async () => (await page.locator("tbody tr[aria-rowindex]").first().boundingBox()).height;
  assert.equal(await readHeight(), 48);
  await demo.chooseSetting("Density", "Compact");
  assert.equal(await readHeight(), 42);
});

test("Escape closes the menu and returns the focus to its button", async (t) => {
  const { demo, page, keyboard } = await openPage(t, PHONE);
  await demo.getButton("Settings").focus();
  await keyboard.press("Enter");
  const panel = page.getByRole("group", { name: "Settings" });
  await panel.getByRole("radio", { name: "Dark" }).focus();
  await keyboard.press("Escape");
  await panel.waitFor({ state: "hidden" });
  assert.equal(await page.evaluate(() => document.activeElement.ariaLabel), "Settings");
});

test("Escape closes the list of shortcuts", async (t) => {
  const { demo, page, keyboard } = await openPage(t, PHONE);
  const panel = await demo.openSettings();
  await panel.getByRole("button", { name: "Keyboard shortcuts" }).click();
  const dialog = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  await dialog.waitFor();
  await keyboard.press("Escape");
  await dialog.waitFor({ state: "hidden" });
});

test("? lists the shortcuts while the menu is closed", async (t) => {
  const { page, keyboard } = await openPage(t, PHONE);
  await keyboard.press("?");
  const dialog = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  await dialog.waitFor();
  await dialog.getByRole("button", { name: "Close" }).click();
  await dialog.waitFor({ state: "hidden" });
  assert.equal(await page.getByRole("group", { name: "Settings" }).isVisible(), false);
});
