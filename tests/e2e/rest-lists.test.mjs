// Tests of the REST API tabs on sample data: rows, pagination, filters, links and copy buttons.
import assert from "node:assert/strict";
import { test } from "node:test";
import { openDemo } from "./demo-page.mjs";
import { ADDRESS_TABS, CHAIN_TABS } from "./tab-labels.mjs";
import { createSampleService } from "../../pkg/testing/index.js";

const { addresses } = createSampleService();
const { hash: ADDRESS } = addresses.find(({ id }) => id === "hub");
const PRODUCER = addresses.find(({ id }) => id === "producer").hash;
/** The number of rows that are compared in each tab. The next test reads all rows of one tab. */
const SHOWN = 8;
const OF_ADDRESS = `?address=${ADDRESS}`;

test("Next and Previous return to the same rows in every tab", async (t) => {
  const { "blocks-validated": blocks, ...tabs } = ADDRESS_TABS;
  const pages = { [OF_ADDRESS]: tabs, [`?address=${PRODUCER}`]: { "blocks-validated": blocks }, "": CHAIN_TABS };
  const cases = Object.entries(pages).flatMap(([query, tabs]) => Object.entries(tabs).map((tab) => [query, ...tab]));
  let demo;
  for (const [query, id, label] of cases) {
    if (id === Object.keys(pages[query])[0]) demo = await openDemo(t, query);
    await demo.showTab(label);
    const first = await demo.readRows(id, SHOWN);
    const second = await demo.readRowsAfter(id, () => demo.getButton("Next").click(), SHOWN);
    assert.notDeepEqual(second, first, `${label}: page 2 differs from page 1`);
    assert.equal(demo.getQuery().get("page"), "2");
    const again = await demo.readRowsAfter(id, () => demo.getButton("Previous").click(), SHOWN);
    assert.deepEqual(again, first, `${label}: back on page 1`);
    assert.equal(demo.getQuery().get("resume"), null);
    assert.ok(await demo.getButton("Previous").isDisabled());
  }
});

test("Previous returns through all visited pages", async (t) => {
  const demo = await openDemo(t, `${OF_ADDRESS}&tab=withdrawals`);
  const pages = [await demo.readRows("withdrawals")];
  for (let page = 2; page <= 4; page++) pages.push(await demo.readRowsAfter("withdrawals", () => demo.getButton("Next").click()));
  assert.equal(new Set(pages.flat()).size, 200, "no duplicate rows");
  for (let page = 3; page >= 1; page--) {
    assert.deepEqual(await demo.readRowsAfter("withdrawals", () => demo.getButton("Previous").click()), pages[page - 1]);
    await demo.page.getByText(`Page ${page}: 50 withdrawals`, { exact: true }).waitFor();
  }
});

test("a filter changes the rows and the URL, and goes to the first page", async (t) => {
  const demo = await openDemo(t, `${OF_ADDRESS}&tab=token-transfers`);
  const all = await demo.readRows("token-transfers");
  await demo.readRowsAfter("token-transfers", () => demo.getButton("Next").click());
  const filtered = await demo.readRowsAfter("token-transfers", () => demo.chooseFilter("Token type", "ERC-721"));
  assert.notDeepEqual(filtered, all);
  assert.ok(
    filtered.every((row) => row.includes("ERC-721")),
    "only the selected token type",
  );
  assert.equal(demo.getQuery().get("type"), "ERC-721");
  assert.equal(demo.getQuery().get("resume"), null);

  const sent = await demo.readRowsAfter("token-transfers", () => demo.chooseFilter("Direction", "Outgoing"));
  assert.ok(
    sent.every((row) => / (OUT|SELF) /.test(row)),
    "only outgoing transfers",
  );
  assert.equal(demo.getQuery().get("filter"), "from");
});

test("sorting all addresses changes the rows and the URL", async (t) => {
  const demo = await openDemo(t, "?tab=top-addresses");
  const highest = await demo.readRows("top-addresses");
  const busiest = await demo.readRowsAfter("top-addresses", () => demo.chooseFilter("Order", "Transactions, most first"));
  assert.notDeepEqual(busiest, highest);
  assert.equal(demo.getQuery().get("sort"), "transactions_count-desc");
});

test("an invalid text filter shows the expected format and does not change the page", async (t) => {
  const demo = await openDemo(t, `${OF_ADDRESS}&tab=logs`);
  await demo.waitForRows("logs");
  const before = demo.page.url();
  await demo.openFilter("Topic");
  const topic = demo.page.locator("#filter-topic");
  await topic.fill("0x12");
  await topic.press("Enter");
  await demo.page.getByText("Enter 0x followed by 64 hex digits").waitFor();
  assert.equal(demo.page.url(), before);
});

test("an address link opens the records of that address", async (t) => {
  const demo = await openDemo(t, `${OF_ADDRESS}&tab=token-transfers`);
  await demo.waitForRows("token-transfers");
  const link = demo.page.locator("tbody a[data-address]").first();
  const address = new URLSearchParams(await link.getAttribute("href")).get("address");
  await link.click();
  await demo.page.waitForURL((url) => url.searchParams.get("address") === address);
  assert.equal(await demo.page.getByRole("combobox").inputValue(), address);
});

test("the copy button copies the full hash", async (t) => {
  const demo = await openDemo(t, `${OF_ADDRESS}&tab=token-transfers`, { permissions: ["clipboard-read", "clipboard-write"] });
  await demo.waitForRows("token-transfers");
  const hash = demo.page.locator("tbody .hash").first();
  await hash.getByRole("button").click();
  await demo.page.getByText("Copied transaction hash").waitFor();
  const copied = await demo.page.evaluate(() => navigator.clipboard.readText());
  assert.equal(copied, await hash.locator(".mono").getAttribute("title"));
  assert.match(copied, /^0x[0-9a-f]{64}$/);
});

test("a filter refuses an address with a wrong checksum", async (t) => {
  const demo = await openDemo(t, `${OF_ADDRESS}&tab=token-transfers`);
  await demo.waitForRows("token-transfers");
  const before = demo.page.url();
  await demo.openFilter("Token contract");
  const token = demo.page.locator("#filter-token");
  await token.fill("0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD");
  await token.press("Enter");
  await demo.page.getByText("has a wrong checksum").waitFor();
  assert.equal(demo.page.url(), before);
});
