// Tests of the bar that says how many records are newer than the shown ones.
import assert from "node:assert/strict";
import { test } from "node:test";
import { createSampleService } from "../../pkg/testing/index.js";
import { openDemo } from "./demo-page.mjs";

const sample = createSampleService();
const getHash = (id) => sample.addresses.find((address) => address.id === id).hash;
const BLOCKS = 2;
/** A block adds up to four records to a list, and a page has 50. */
const MAX_BLOCKS = 12;

/** Waits until the page has joined the socket of the sample service, which says that blocks are new. */
async function waitForBar(demo) {
  const bar = demo.page.locator(".new-events button");
  await demo.page.locator(".new-events").waitFor({ state: "attached" });
  for (let wait = 0; wait < 60 && !(await bar.isVisible()); wait += 1) {
    if (wait * BLOCKS < MAX_BLOCKS) await demo.growSample(BLOCKS);
    await demo.page.waitForTimeout(1000);
  }
  return bar;
}

const readCount = async (bar) => Number(/^(\d+) new/.exec(await bar.innerText())[1]);

for (const tab of ["history", "transactions"]) {
  test(`${tab}: new records wait behind a bar, and the rows do not move`, async (t) => {
    const demo = await openDemo(t, `?address=${getHash("deep")}&tab=${tab}&view=table`);
    const before = await demo.readRows(tab);
    const row = demo.page.locator(`.list-body[data-tab="${tab}"] tbody:not(.spacer) tr`).first();
    const box = await row.boundingBox();
    const bar = await waitForBar(demo);
    await bar.filter({ hasText: /^\d+ new\s*live$/ }).waitFor();
    assert.deepEqual(await row.boundingBox(), box);
    assert.deepEqual(await demo.readRows(tab), before);
    const count = await readCount(bar);
    await bar.click();
    await bar.waitFor({ state: "detached" });
    const after = await demo.readRows(tab);
    // More may have arrived since the click.
    assert.ok(after.indexOf(before[0]) >= count, `${count} new: ${after.slice(0, 5).join("\n")}`);
  });
}

test("tabs share one watch, and each counts the records that it does not show", async (t) => {
  const demo = await openDemo(t, `?address=${getHash("deep")}&tab=transactions`);
  await demo.waitForRows("transactions");
  const bar = await waitForBar(demo);
  await demo.showTab("Token transfers");
  await demo.waitForRows("token-transfers");
  await demo.page.locator(".new-events").waitFor({ state: "attached" });
  assert.equal(await bar.count(), 0, "the list was read after the blocks");
  await demo.showTab("Transactions");
  await bar.waitFor();
});

test("the overview shows new activities after a click", async (t) => {
  const demo = await openDemo(t, `?address=${getHash("deep")}`);
  const latest = demo.page.locator('.overview-card[aria-label="Latest"] li');
  await latest.first().waitFor();
  const before = await latest.first().innerText();
  const bar = await waitForBar(demo);
  assert.equal(await latest.first().innerText(), before);
  await bar.click();
  await bar.waitFor({ state: "detached" });
  await demo.page.waitForFunction(
    ([selector, text]) => ![text, undefined].includes(document.querySelector(selector)?.innerText),
    ['.overview-card[aria-label="Latest"] li', before],
  );
});
