// The lists on the sample data: every tab, pages, filters, links and copies.
import assert from "node:assert/strict";
import { test } from "node:test";
import { useBrowser } from "./browse.mjs";
import { TABS } from "./tabs.mjs";

const open = useBrowser();

test("every tab shows rows, and paging forward and back returns the same ones", async (t) => {
  const visit = await open(t);
  for (const [id, label] of Object.entries(TABS)) {
    await visit.tab(label).click();
    const first = await visit.rows(id);
    const second = await visit.rowsAfter(id, () => visit.button("Next").click());
    assert.notDeepEqual(second, first, `${label}: page 2 is not page 1`);
    assert.equal(visit.query().get("page"), "2");
    assert.deepEqual(
      await visit.rowsAfter(id, () => visit.button("Previous").click()),
      first,
      `${label}: back on page 1`,
    );
    assert.equal(visit.query().get("at"), null);
    assert.ok(await visit.button("Previous").isDisabled());
  }
});

test("three pages forward are three pages back", async (t) => {
  const visit = await open(t, "?tab=withdrawals");
  const forth = [await visit.rows("withdrawals")];
  for (let page = 2; page <= 4; page++)
    forth.push(await visit.rowsAfter("withdrawals", () => visit.button("Next").click()));
  assert.equal(new Set(forth.flat()).size, 200, "no row twice");
  for (let page = 3; page >= 1; page--) {
    assert.deepEqual(await visit.rowsAfter("withdrawals", () => visit.button("Previous").click()), forth[page - 1]);
    await visit.page.getByText(`Page ${page}`, { exact: true }).waitFor();
  }
});

test("a filter changes the rows and the URL, and starts over at page 1", async (t) => {
  const visit = await open(t);
  const all = await visit.rows("token-transfers");
  await visit.rowsAfter("token-transfers", () => visit.button("Next").click());
  const filtered = await visit.rowsAfter("token-transfers", () =>
    visit.page.getByText("ERC-721", { exact: true }).first().click(),
  );
  assert.notDeepEqual(filtered, all);
  assert.ok(
    filtered.every((row) => row.includes("ERC-721")),
    "only the chosen standard",
  );
  assert.equal(visit.query().get("type"), "ERC-721");
  assert.equal(visit.query().get("at"), null);

  const sent = await visit.rowsAfter("token-transfers", () => visit.page.getByLabel("Direction").selectOption("from"));
  assert.ok(
    sent.every((row) => / (out|self) /.test(row)),
    "only sent ones",
  );
  assert.equal(visit.query().get("filter"), "from");
});

test("another order of all addresses shows other rows", async (t) => {
  const visit = await open(t, "?tab=all-addresses");
  const highest = await visit.rows("all-addresses");
  const busiest = await visit.rowsAfter("all-addresses", () =>
    visit.page.getByLabel("Order").selectOption({ label: "Transactions, most first" }),
  );
  assert.notDeepEqual(busiest, highest);
  assert.equal(visit.query().get("sort"), "transactions_count-desc");
});

test("a text filter says what it expects and sends nothing until it fits", async (t) => {
  const visit = await open(t, "?tab=logs");
  await visit.rows("logs");
  const before = visit.page.url();
  const topic = visit.page.getByLabel("Topic", { exact: true });
  await topic.fill("0x12");
  await topic.press("Enter");
  await visit.page.getByText("Expected 0x and 64 hex digits").waitFor();
  assert.equal(visit.page.url(), before);
});

test("an address in a row leads to its own records", async (t) => {
  const visit = await open(t);
  await visit.rows("token-transfers");
  const link = visit.page.locator("tbody a[data-address]").first();
  const address = await link.getAttribute("title");
  await link.click();
  await visit.page.waitForURL((url) => url.searchParams.get("address") === address);
  assert.equal(await visit.page.getByLabel("Address", { exact: true }).inputValue(), address);
});

test("a hash is copied whole", async (t) => {
  const visit = await open(t, "", { permissions: ["clipboard-read", "clipboard-write"] });
  await visit.rows("token-transfers");
  const hash = visit.page.locator("tbody .hash").first();
  await hash.getByRole("button").click();
  await visit.page.getByText("Copied transaction hash").waitFor();
  const copied = await visit.page.evaluate(() => navigator.clipboard.readText());
  assert.equal(copied, await hash.locator(".mono").getAttribute("title"));
  assert.match(copied, /^0x[0-9a-f]{64}$/);
});
