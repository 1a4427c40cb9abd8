// Tests of the tab with the merged history, and of its live watch.
import assert from "node:assert/strict";
import { test } from "node:test";
import { createSampleService } from "../../pkg/testing/index.js";
import { openDemo } from "./demo-page.mjs";
import { importSource } from "./import-source.mjs";

const { toChecksumAddress } = await importSource("format/checksum.ts");
const { periodOptions, toPeriod } = await importSource("history/period.ts");
const { toFeedRows } = await importSource("history/feed-rows.ts");
const sample = createSampleService();
const getHash = (id) => sample.addresses.find((address) => address.id === id).hash;

test("merges all lists newest first, and marks what may be spam", async (t) => {
  const demo = await openDemo(t, `?address=${getHash("airdropped")}&tab=history&view=table`);
  const rows = await demo.readRows("history");
  assert.equal(rows.length, 50);
  assert.ok(rows.some((row) => row.includes("Token transfer Zero value")));
  const others = await demo.readRowsAfter("history", () => demo.chooseFilter("Hide", "Zero value"));
  assert.equal(others.length, 50);
  assert.ok(!others.some((row) => row.includes("Zero value")));
});

test("pages of the history follow each other without lost or duplicate events", async (t) => {
  const demo = await openDemo(t, `?address=${getHash("quiet")}&tab=history&view=table`, { settings: { paging: "endless" } });
  const expected = sample.getEvents(getHash("quiet"));
  await demo.page.getByText(/^All \d+ events?$/).waitFor();
  await demo.page.getByText("Everything was read, and nothing is missing.").waitFor();
  const rows = await demo.readRows("history");
  assert.equal(rows.length, expected.length);
});

test("shows the addresses of all lists in one letter case", async (t) => {
  const demo = await openDemo(t, `?address=${getHash("quiet")}&tab=history&view=table`);
  await demo.waitForRows("history");
  const found = demo.page.locator("tbody a[data-address]");
  await found.nth(3).waitFor();
  const links = await found.evaluateAll((elements) => elements.map(({ href }) => new URL(href).searchParams.get("address")));
  for (const address of links) assert.equal(address, toChecksumAddress(address.toLowerCase(), 1));
});

test("filters by kind of event and by suspicion, in the URL", async (t) => {
  const demo = await openDemo(t, `?address=${getHash("hub")}&tab=history&view=table`);
  await demo.waitForRows("history");
  const rows = await demo.readRowsAfter("history", () => demo.chooseFilter("Events", "Withdrawal"));
  assert.equal(demo.getQuery().get("include"), "withdrawal");
  assert.ok(rows.length > 0 && rows.every((row) => row.includes("Withdrawal")));
  await demo.readRowsAfter("history", () => demo.chooseFilter("Order", "Oldest first"));
  assert.equal(demo.getQuery().get("order"), "asc");
});

test("goes to the next page and back", async (t) => {
  const demo = await openDemo(t, `?address=${getHash("hub")}&tab=history&view=table`);
  const first = await demo.readRows("history");
  const second = await demo.readRowsAfter("history", () => demo.getButton("Next").click());
  // Pages end between two transactions.
  assert.ok(second.length >= 50, `${second.length} rows`);
  assert.notDeepEqual(second, first);
  assert.deepEqual(await demo.readRowsAfter("history", () => demo.page.goBack()), first);
});

test("a live watch shows new events, marked as new", async (t) => {
  const demo = await openDemo(t, `?address=${getHash("deep")}&tab=history&view=table`);
  await demo.waitForRows("history");
  const toggle = demo.getButton("Watch live");
  await toggle.click();
  const news = demo.page.locator("aq-live-events tbody:not(.spacer) tr");
  await demo.page.getByText("No new events yet.").or(news).first().waitFor();
  // The watch polls at once when the browser is online again.
  for (let wait = 0; wait < 450 && (await news.count()) === 0; wait += 1) {
    await demo.growSample(1);
    await demo.page.evaluate(() => dispatchEvent(new Event("online")));
    await demo.page.waitForTimeout(200);
  }
  assert.match(await news.first().innerText(), /new/);
  await toggle.click();
  await demo.page.getByText(/^Stopped\. \d+ new events?\./).waitFor();
  assert.equal(await toggle.getAttribute("aria-pressed"), "false");
});

test("the feed has a heading for each day in UTC", () => {
  const [first, second] = ["2026-11-02T00:00:01Z", "2026-11-01T23:59:59Z"];
  const days = [first, first, second, null];
  const rows = toFeedRows(days.map((timestamp, key) => ({ key, timestamp })));
  const shown = rows.map(({ day, activity }) => day ?? activity.key);
  assert.deepEqual(shown, ["2026-11-02", 0, 1, "2026-11-01", 2, "", 3]);
});

test("the history is a feed of sentences with details and spam warnings", async (t) => {
  const demo = await openDemo(t, `?address=${getHash("airdropped")}&tab=history`);
  const { page } = demo;
  const entries = page.locator(".feed-entry");
  await entries.first().waitFor();
  await page.locator(".feed-day h2").first().waitFor();
  await entries.nth(3).waitFor();
  const sentences = await page.locator(".feed-entry .sentence").allInnerTexts();
  for (const sentence of sentences) assert.match(sentence, /^(Received|Sent|Called|Failed)/);
  const details = entries.first().locator(".expand");
  await details.click();
  await entries.first().locator('.expand[aria-expanded="true"]').waitFor();
  await entries.first().locator(".feed-details .details").first().waitFor();
  await details.click();
  await entries.first().locator(".feed-details").first().waitFor({ state: "detached" });
  const marks = page.locator(".feed-entry .suspicion");
  // Only the entries in view are in the document.
  for (let step = 0; step < 30 && (await marks.count()) === 0; step += 1) {
    await page.evaluate(() => scrollBy(0, innerHeight / 2));
    await page.waitForTimeout(200);
  }
  assert.match(await marks.first().innerText(), /^(Scam token|Lookalike address|Zero value)$/);
});

test("the feed names counterparties that other records name, and takes the end of the sample data for today", async (t) => {
  const { page } = await openDemo(t, `?address=${getHash("showcase")}&tab=history`);
  const first = page.locator(".feed-entry").first();
  await first.getByRole("link", { name: "ines.sample.eth" }).waitFor();
  assert.match(await first.locator("time").innerText(), /^\d+ hr\. ago$/);
  await page.goto(page.url().replace("&tab=history", ""));
  await page.locator('.overview-card[aria-label="Activity"] .calendar').waitFor();
  const last = page.locator(".calendar rect").last();
  assert.match(await last.locator("title").textContent(), /^Nov 1, 2026/);
});

test("the feed has all events of the address, and the table shows the same", async (t) => {
  const expected = sample.getEvents(getHash("quiet"));
  const demo = await openDemo(t, `?address=${getHash("quiet")}&tab=history`, { settings: { paging: "endless" } });
  await demo.page.getByText(`All ${expected.length} events`, { exact: true }).waitFor();
  const total = (await demo.readFeed()).reduce((sum, label) => sum + Number(/\d+/.exec(label)[0]), 0);
  assert.equal(total, expected.length);
  await demo.chooseFilter("View", "Table");
  assert.equal((await demo.readRows("history")).length, expected.length);
});

test("a period limits the history and its totals", async (t) => {
  const hash = getHash("quiet");
  const events = sample.getEvents(hash);
  const toMonth = ({ timestamp }) => new Date(timestamp * 1000).toISOString().slice(0, 7);
  const month = toMonth(events.at(-1));
  const expected = events.filter((event) => toMonth(event) === month);
  assert.ok(expected.length > 0 && expected.length < events.length, `${expected.length} of ${events.length}`);
  const demo = await openDemo(t, `?address=${hash}&tab=history`, { settings: { paging: "endless" } });
  await demo.page.locator("aq-feed .feed-line").first().waitFor();
  assert.equal(await demo.page.locator(".totals").count(), 0);
  await demo.page.goto(`${new URL(demo.page.url()).origin}/?address=${hash}&tab=history&period=${month}`);
  await demo.page.getByText(new RegExp(`^All ${expected.length} events?$`)).waitFor();
  const fees = expected.reduce((sum, { fee }) => sum + (fee ?? 0n), 0n);
  const shown = await demo.page.locator(".totals .number").first().getAttribute("title");
  assert.ok(shown.includes(`(${fees} base units)`), `${fees} in ${shown}`);
  await demo.openFilter("Period");
  await demo.page.getByRole("radio", { name: "2025" }).waitFor();
});

test("a range of blocks limits the history", async (t) => {
  const hash = getHash("quiet");
  const events = sample.getEvents(hash).map(({ block_number }) => block_number);
  const [from, to] = [events[5], events.at(-5)].sort((a, b) => a - b);
  const toCount = (isWithin) => new RegExp(`^All ${events.filter(isWithin).length} events?$`);
  const query = `?address=${hash}&tab=history&blocks=${from}-${to}`;
  const { page } = await openDemo(t, query, { settings: { paging: "endless" } });
  await page.getByText(toCount((block) => block >= from && block <= to)).waitFor();
  await page.getByRole("button", { name: /^Blocks: / }).click();
  const field = page.getByRole("textbox", { name: "Blocks" });
  await field.fill("many");
  await field.press("Enter");
  await page.getByText("Enter a block, or a range such as 18000000-18100000.").waitFor();
  await field.fill(`${to}-`);
  await field.press("Enter");
  await page.getByText(toCount((block) => block >= to)).waitFor();
  await field.fill(String(from));
  await field.press("Enter");
  await page.getByText(toCount((block) => block === from)).waitFor();
});

test("the history names what the service has not processed", async (t) => {
  const hash = getHash("lagging");
  const blocks = sample.getEvents(hash).map(({ block_number }) => block_number);
  const query = `?address=${hash}&tab=history&order=asc&blocks=${blocks.sort((a, b) => a - b).at(-120)}-`;
  const { page } = await openDemo(t, query, { settings: { paging: "endless" } });
  await page.getByText(/1 source incomplete/).click();
  await page.locator("details bdi", { hasText: /internal/i }).waitFor();
});

test("an invalid period is rejected", async (t) => {
  const demo = await openDemo(t, `?address=${getHash("quiet")}&tab=history&period=2026-13`);
  const box = await demo.waitForNotice("error-box");
  assert.match(await box.innerText(), /^invalid_parameter/);
});

test("periods begin and end with months and years in UTC", () => {
  const toIso = (value) => Object.values(toPeriod(value)).map((date) => date.toISOString());
  assert.deepEqual(toIso("2026-02"), ["2026-02-01T00:00:00.000Z", "2026-02-28T23:59:59.000Z"]);
  assert.deepEqual(toIso("2025"), ["2025-01-01T00:00:00.000Z", "2025-12-31T23:59:59.000Z"]);
  const values = periodOptions(Date.parse("2026-01-31T12:00:00Z")).map(([value]) => value);
  assert.deepEqual(values, ["", "2026-01", "2025-12", "2025-11", "2026", "2025", "2024", "2023", "2022"]);
});
