// Tests of the tab with the merged history, and of its live watch.
import assert from "node:assert/strict";
import { test } from "node:test";
import { createSampleService } from "../../pkg/testing/index.js";
import { setUpBrowser } from "./demo-page.mjs";
import { importSource } from "./import-source.mjs";

const { toChecksumAddress } = await importSource("format/checksum.ts");
const openDemo = setUpBrowser();
const sample = createSampleService();
const getHash = (id) => sample.addresses.find((address) => address.id === id).hash;

test("merges all lists newest first, and marks what may be spam", async (t) => {
  const demo = await openDemo(t, `?address=${getHash("airdropped")}&tab=history`);
  const rows = await demo.readRows("history");
  assert.equal(rows.length, 50);
  await demo.page.getByText("Merged from").waitFor();
  assert.ok(rows.some((row) => row.includes("Token transfer Zero value")));
  const others = await demo.readRowsAfter("history", () => demo.chooseFilter("Hide", "Zero value"));
  assert.equal(others.length, 50);
  assert.ok(!others.some((row) => row.includes("Zero value")));
});

test("pages of the history follow each other without lost or doubled events", async (t) => {
  const demo = await openDemo(t, `?address=${getHash("quiet")}&tab=history`, { settings: { paging: "endless" } });
  const expected = sample.getEvents(getHash("quiet"));
  await demo.page.getByText(/^All \d+ events?$/).waitFor();
  await demo.page.getByText("Everything was read, and nothing is missing.").waitFor();
  const rows = await demo.readRows("history");
  assert.equal(rows.length, expected.length);
});

test("shows the addresses of all lists in one letter case", async (t) => {
  const demo = await openDemo(t, `?address=${getHash("quiet")}&tab=history`);
  await demo.readRows("history");
  const links = await demo.page
    .locator("tbody a[data-address]")
    .evaluateAll((elements) => elements.map((element) => new URL(element.href).searchParams.get("address")));
  assert.ok(links.length > 3, `${links}`);
  for (const address of links) assert.equal(address, toChecksumAddress(address.toLowerCase(), 1));
});

test("filters by kind of event and by suspicion, in the URL", async (t) => {
  const demo = await openDemo(t, `?address=${getHash("hub")}&tab=history`);
  await demo.readRows("history");
  const rows = await demo.readRowsAfter("history", () => demo.chooseFilter("Events", "Withdrawal"));
  assert.equal(demo.getQuery().get("include"), "withdrawal");
  assert.ok(rows.length > 0 && rows.every((row) => row.includes("Withdrawal")));
  await demo.readRowsAfter("history", () => demo.chooseFilter("Order", "Oldest first"));
  assert.equal(demo.getQuery().get("order"), "asc");
});

test("turns to the next page and back", async (t) => {
  const demo = await openDemo(t, `?address=${getHash("hub")}&tab=history`);
  const first = await demo.readRows("history");
  const second = await demo.readRowsAfter("history", () => demo.getButton("Next").click());
  assert.equal(second.length, 50);
  assert.notDeepEqual(second, first);
  assert.deepEqual(await demo.readRowsAfter("history", () => demo.page.goBack()), first);
});

test("a live watch shows new events, marked as new", { timeout: 60_000 }, async (t) => {
  const demo = await openDemo(t, `?address=${getHash("deep")}&tab=history`);
  await demo.readRows("history");
  const toggle = demo.getButton("Watch live");
  await toggle.click();
  await demo.page.getByText("No new events yet.").waitFor();
  const news = demo.page.locator("aq-live-events tbody:not(.spacer) tr");
  // The watch polls at once when the browser is online again. The sample chain grows every few seconds.
  for (let wait = 0; wait < 30 && (await news.count()) === 0; wait += 1) {
    await demo.page.waitForTimeout(1000);
    await demo.page.evaluate(() => dispatchEvent(new Event("online")));
  }
  assert.match(await news.first().innerText(), /new/);
  await toggle.click();
  await demo.page.getByText(/^Stopped\. \d+ new events?\./).waitFor();
  assert.equal(await toggle.getAttribute("aria-pressed"), "false");
});
