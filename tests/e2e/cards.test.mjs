// Tests the tables of a narrow page, where each row is a card.
import assert from "node:assert/strict";
import { test } from "node:test";
import { createSampleService } from "../../pkg/testing/index.js";
import { openDemo } from "./demo-page.mjs";

const { hash: ADDRESS } = createSampleService().addresses.find(({ id }) => id === "hub");
const TABS = [
  "transactions",
  "token-transfers",
  "tokens",
  "internal-transactions",
  "balance-history",
  "logs",
  "withdrawals",
  "history",
];

/** Reads the titles of a card, the cells that are cut off, and the heights of the cards and of the space reserved for others. */
function readCards() {
  const cells = [...document.querySelectorAll("aq-record-table tbody:not(.spacer) td[data-title]")];
  const isCut = (cell) => {
    const { left, right } = cell.getBoundingClientRect();
    return left < 0 || right > innerWidth || cell.scrollHeight > cell.clientHeight;
  };
  const heights = [...document.querySelectorAll("aq-record-table tbody:not(.spacer)")].map((body) => body.offsetHeight);
  const table = document.querySelector("aq-record-table table");
  return {
    titles: [...new Set(cells.map((cell) => getComputedStyle(cell, "::before").content.slice(1, -1)))],
    columns: [...document.querySelectorAll("aq-record-table th:not(.w-expand)")].map((title) => title.textContent.trim()),
    cut: cells.filter(isCut).map((cell) => `${cell.dataset.title}: ${cell.textContent.trim()}`),
    heights: [...new Set(heights)],
    kept: table.offsetHeight - heights.reduce((sum, height) => sum + height, 0),
    rows: heights.length,
  };
}

/** Returns the number in the text that matches `pattern`. */
async function readNumber(page, pattern) {
  const [, number] = pattern.exec(await page.getByText(pattern).textContent());
  return Number(number);
}

for (const width of [390, 820]) {
  test(`a card shows every cell of its row at a width of ${width}`, async (t) => {
    const demo = await openDemo(t, `?address=${ADDRESS}`, { viewport: { width, height: 1600 } });
    for (const tab of TABS) {
      await demo.page.goto(
        demo.page.url().replace(/\?.*/, `?address=${ADDRESS}&tab=${tab}${tab === "history" ? "&view=table" : ""}`),
      );
      await demo.page.locator(`.list-body[aria-busy="false"][data-tab="${tab}"] tbody:not(.spacer) tr`).first().waitFor();
      await demo.page.waitForTimeout(200);
      const { titles, columns, cut, heights, kept, rows } = await demo.page.evaluate(readCards);
      const total = await readNumber(demo.page, /^Page 1: (\d+) /);
      const folded = tab === "tokens" ? await readNumber(demo.page, /^Show (\d+) tokens? that may be spam/) : 0;
      assert.deepEqual(titles, columns, tab);
      assert.deepEqual(cut, [], tab);
      assert.equal(heights.length, 1, `${tab}: ${heights}`);
      assert.equal(kept, (total - folded - rows) * heights[0], `${tab}: the place of the other rows`);
    }
  });
}

test("rows become cards when the page becomes narrow, and rows again when it becomes wide", async (t) => {
  const demo = await openDemo(t, `?address=${ADDRESS}&tab=transactions`, { viewport: { width: 1360, height: 900 } });
  const row = demo.page.locator("tbody:not(.spacer)").first();
  await row.waitFor();
  const readHeight = () => row.evaluate((body) => body.offsetHeight);
  const wide = await readHeight();
  await demo.page.setViewportSize({ width: 390, height: 900 });
  await demo.page.waitForFunction((wide) => document.querySelector("tbody:not(.spacer)").offsetHeight > 2 * wide, wide);
  const [height, total] = await demo.page.evaluate(() => [
    document.querySelector("tbody:not(.spacer)").offsetHeight,
    document.querySelector("aq-record-table table").offsetHeight,
  ]);
  assert.ok(Math.abs(total - 50 * height) <= 50, `${total} for 50 rows of ${height}`);
  await demo.page.setViewportSize({ width: 1360, height: 900 });
  await demo.page.waitForFunction((wide) => document.querySelector("tbody:not(.spacer)").offsetHeight === wide, wide);
});
