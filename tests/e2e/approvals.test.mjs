// Tests of the tab of approvals: the result, a service without `eth_call`, a cancelled search, and another address.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { approvals } from "../../pkg/approvals/index.js";
import { AddressClient } from "../../pkg/index.js";
import { createSampleService } from "../../pkg/testing/index.js";
import { startSampleServer } from "../sample-server.mjs";
import { openDemo } from "./demo-page.mjs";

const sample = createSampleService();
const client = new AddressClient({ baseUrl: "https://sample.invalid", fetch: sample.fetch });
const { hash } = sample.addresses.find(({ id }) => id === "quiet");

/** The requests of a search. The watch of the address sends others at any time. */
const SEARCH = /[?&]module=logs/;
let server;
before(async () => (server = await startSampleServer()));
after(() => server.close());
const getServerQuery = (params) => `?${new URLSearchParams({ address: hash, source: server.url, ...params })}`;

/** Returns the number of approvals in the table. Only the ones in view are in the document. */
const countRows = async (page) => Number(await page.getByRole("table", { name: "Approvals" }).getAttribute("aria-rowcount")) - 1;

test("a click searches for approvals, and shows the value at risk", async (t) => {
  const { items } = await approvals(client, { address_hash: hash, current: true });
  assert.ok(items.length > 3);
  const { page } = await openDemo(t, `?address=${hash}&tab=approvals`);
  await page.getByRole("button", { name: "Search approvals" }).waitFor();
  assert.equal(await page.locator("[data-tab=approvals] table").count(), 0);
  await page.getByRole("button", { name: "Search approvals" }).click();
  await page.getByRole("button", { name: "Search again" }).waitFor();
  assert.equal(await countRows(page), items.length);
  // Only the rows in view are in the document.
  const rows = page.locator("[data-tab=approvals] tbody[data-index]");
  await rows.nth(3).waitFor();
  const texts = await rows.allInnerTexts();
  for (const [index, text] of texts.entries()) {
    const { isUnlimited, token_id } = items[index];
    assert.equal(text.includes("Unlimited"), isUnlimited, text);
    assert.equal(text.includes("#"), token_id !== null && !isUnlimited, text);
  }
  assert.match(
    await page.locator("#panel [role=status]").innerText(),
    /^\d+ approvals? found, \$[\d,.]+ at risk, as of block [\d,]+, from [\d,]+ events\.$/,
  );
});

test("a search that was left is cancelled", async (t) => {
  const demo = await openDemo(t, getServerQuery({ tab: "approvals" }));
  await demo.page.route(SEARCH, () => {});
  const isSent = demo.page.waitForRequest(SEARCH);
  await demo.getButton("Search approvals").click();
  await isSent;
  const isCancelled = demo.page.waitForEvent("requestfailed", (request) => SEARCH.test(request.url()));
  await demo.showTab("Logs");
  await isCancelled;
  await demo.showTab("Approvals");
  await demo.getButton("Search approvals").waitFor();
});

test("hostile names of tokens and spenders are shown as text", async (t) => {
  const { hash } = sample.addresses.find(({ id }) => id === "hostile");
  const { page } = await openDemo(t, `?address=${hash}&tab=approvals`, { viewport: { width: 390, height: 844 } });
  await page.getByRole("button", { name: "Search approvals" }).click();
  await page.locator("[data-tab=approvals] tbody[data-index='0']").waitFor();
  const titles = await page.$$eval("[data-tab=approvals] tbody[data-index='0'] td", (cells) =>
    cells.map((cell) => cell.getBoundingClientRect().right <= innerWidth && cell.dataset.title),
  );
  // A row is a card, so that it does not extend beyond the page.
  assert.deepEqual(titles, ["Token", "Spender", "Covers", "Approved", "Value at risk", "Since"]);
  // The riskiest approvals come first. Those of tokens without a price, which have the hostile names, come last.
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
  await page.waitForFunction(() => /<|⟨U\+/.test(document.querySelector("[data-tab=approvals]").textContent));
  const found = await page.evaluate(() => ({
    elements: document.querySelectorAll("#panel :is(img, script, iframe, form, object)").length,
    hidden: /[\u200b\u202a-\u202e\u2066-\u2069]/.test(document.querySelector("#panel").textContent),
    isTooWide: document.documentElement.scrollWidth > innerWidth,
  }));
  assert.deepEqual(found, { elements: 0, hidden: false, isTooWide: false });
  assert.ok((await countRows(page)) > 10);
});

test("a cancelled search shows nothing, and can be started again", async (t) => {
  const { page } = await openDemo(t, getServerQuery({ tab: "approvals" }));
  await page.route(SEARCH, () => {});
  await page.getByRole("button", { name: "Search approvals" }).click();
  await page.getByRole("button", { name: "Cancel" }).click();
  await page.unroute(SEARCH);
  await page.getByRole("button", { name: "Search approvals" }).click();
  await page.getByRole("table", { name: "Approvals" }).waitFor();
});
