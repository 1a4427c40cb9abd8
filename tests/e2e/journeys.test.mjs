// Five questions that users have, and the clicks that each answer takes. Pressing Enter counts as a click, and so does typing.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { createSampleService } from "../../pkg/testing/index.js";
import { openDemo } from "./demo-page.mjs";

const { addresses } = createSampleService();
const getHash = (id) => addresses.find((address) => address.id === id).hash;
/** Two weeks after the newest block of the sample data, so that the page offers months and years with data. */
const now = Date.UTC(2026, 10, 15);
const SETTINGS = { settings: { paging: "endless" }, now, viewport: { width: 1360, height: 900 } };

/** Walks through the steps of a journey, and prints how many there were. */
async function walk(name, limit, steps) {
  const start = performance.now();
  for (const step of steps) await step();
  console.log(`${name}: ${steps.length} clicks, ${((performance.now() - start) / 1000).toFixed(1)} s`);
  assert.ok(steps.length <= limit, `${steps.length} clicks`);
}

/** Runs in the page. A click permits a file dialog for a few seconds. On a slow machine, the export would need a second click. */
function keepUserActivation() {
  const readClock = performance.now.bind(performance);
  performance.now = () => readClock() / 20;
  Object.defineProperty(navigator, "userActivation", { value: { isActive: true } });
}

test("an address is found by its name", async (t) => {
  const { page } = await openDemo(t, "", SETTINGS);
  await walk("an address by name", 3, [
    () => page.keyboard.press("/"),
    () => page.keyboard.type("hub.sample.eth"),
    () => page.keyboard.press("Enter"),
  ]);
  await page.locator("h1", { hasText: "hub.sample.eth" }).waitFor();
});

test("what an address did in a month is a list of sentences", async (t) => {
  const demo = await openDemo(t, `?address=${getHash("hub")}`, SETTINGS);
  const { page } = demo;
  await walk("what happened in a month", 1, [() => page.locator("aq-history-periods a").nth(1).click()]);
  await page.waitForURL((url) => /^\d{4}-\d{2}$/.test(url.searchParams.get("period")));
  await page.locator(".list-body[aria-busy=false]").waitFor();
});

test("the search shows whether a token is a scam", async (t) => {
  const { page } = await openDemo(t, "", SETTINGS);
  await walk("whether a token is a scam", 2, [
    () => page.getByRole("combobox").click(),
    () => page.keyboard.type("claim-reward"),
  ]);
  await page.getByRole("option").filter({ hasText: "scam" }).first().waitFor();
});

test("a line above the history shows the fees of a year", async (t) => {
  const demo = await openDemo(t, `?address=${getHash("quiet")}`, SETTINGS);
  const { page } = demo;
  await walk("fees of a year", 1, [() => page.getByRole("link", { name: "2026", exact: true }).click()]);
  await page.getByText(/^All \d+ events?$/).waitFor();
  assert.match(await page.locator(".totals").innerText(), /^[\d.,<…\s]+ETH in fees of \d+ transactions?/);
});

test("the events of a year are exported for accounting", async (t) => {
  const demo = await openDemo(t, `?address=${getHash("quiet")}`, { ...SETTINGS, prepare: keepUserActivation });
  const { page } = demo;
  // The test cannot control a file dialog.
  await page.evaluate(() => delete window.showSaveFilePicker);
  const download = page.waitForEvent("download");
  await walk("an export of a year for accounting", 2, [
    () => demo.getButton("Export").click(),
    () => page.getByRole("group", { name: "Export" }).getByRole("button", { name: "2026" }).click(),
  ]);
  assert.match((await download).suggestedFilename(), /^history-0x\w{8}-2026\.csv$/);
  // The list shows what is in the file.
  assert.equal(demo.getQuery().get("period"), "2026");
  const lines = readFileSync(await (await download).path(), "utf8")
    .trim()
    .split(/\r?\n/);
  assert.match(lines[0], /"sent","received",.*"fee"/);
  assert.ok(lines.length > 1 && lines.slice(1).every((line) => line.startsWith('"2026-')), lines[1]);
});
