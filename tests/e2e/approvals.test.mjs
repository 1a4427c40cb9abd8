// Tests of the tab of approvals: the result, a service without `eth_call`, a cancelled search, and another address.
import assert from "node:assert/strict";
import { test } from "node:test";
import { approvals } from "../../pkg/approvals/index.js";
import { AddressClient } from "../../pkg/index.js";
import { createSampleService } from "../../pkg/testing/index.js";
import { setUpBrowser } from "./demo-page.mjs";

const openDemo = setUpBrowser();
const sample = createSampleService();
const client = new AddressClient({ baseUrl: "https://sample.invalid", fetch: sample.fetch });
const { hash } = sample.addresses.find(({ label }) => label === "Busy smart account");

test("approvals are searched on a click, and shown with what is at risk", async (t) => {
  const { items } = await approvals(client, { address_hash: hash, current: true });
  assert.ok(items.length > 3);
  const { page } = await openDemo(t, `?address=${hash}&tab=approvals`);
  await page.getByRole("button", { name: "Search approvals" }).waitFor();
  assert.equal(await page.locator("[data-tab=approvals] table").count(), 0);
  await page.getByRole("button", { name: "Search approvals" }).click();
  await page.getByRole("button", { name: "Search again" }).waitFor();
  const rows = page.getByRole("table", { name: "Approvals" }).locator("tbody tr");
  assert.equal(await rows.count(), items.length);
  const texts = await rows.allInnerTexts();
  for (const [index, { isUnlimited, token_id }] of items.entries()) {
    assert.equal(texts[index].includes("Unlimited"), isUnlimited, texts[index]);
    assert.equal(texts[index].includes("#"), token_id !== null && !isUnlimited, texts[index]);
  }
  assert.match(
    await page.locator("#panel [role=status]").innerText(),
    /^\d+ approvals? found, \$[\d,.]+ at risk, as of block [\d,]+, over [\d,]+ events\.$/,
  );
});

test("hostile names of tokens and spenders are shown as text", async (t) => {
  const { hash } = sample.addresses.find(({ id }) => id === "hostile");
  const { page } = await openDemo(t, `?address=${hash}&tab=approvals`, { viewport: { width: 390, height: 844 } });
  await page.getByRole("button", { name: "Search approvals" }).click();
  await page.getByRole("table", { name: "Approvals" }).waitFor();
  const found = await page.evaluate(() => ({
    rows: document.querySelectorAll("[data-tab=approvals] tbody tr").length > 10,
    hostile: /<|⟨U\+/.test(document.querySelector("[data-tab=approvals]").textContent),
    elements: document.querySelectorAll("#panel :is(img, script, iframe, form, object)").length,
    hidden: /[\u200b\u202a-\u202e\u2066-\u2069]/.test(document.querySelector("#panel").textContent),
    isTooWide: document.documentElement.scrollWidth > innerWidth,
  }));
  assert.deepEqual(found, { rows: true, hostile: true, elements: 0, hidden: false, isTooWide: false });
});

test("a cancelled search shows nothing, and can begin again", async (t) => {
  const { page } = await openDemo(t, `?address=${hash}&tab=approvals`);
  await page.getByRole("button", { name: "Search approvals" }).click();
  await page.getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("button", { name: "Search approvals" }).click();
  await page.getByRole("table", { name: "Approvals" }).waitFor();
});
