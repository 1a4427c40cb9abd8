// Tests of the charts: the keyboard and the pointer show exact values, which are also in the table.
import assert from "node:assert/strict";
import { test } from "node:test";
import { createSampleService } from "../../pkg/testing/index.js";
import { openDemo } from "./demo-page.mjs";
import { importSource } from "./import-source.mjs";

const { hash: hub } = createSampleService().addresses.find(({ id }) => id === "hub");
const { toWorthPoints } = await importSource("charts/balance-points.ts");

const openCharts = async (t) => {
  const demo = await openDemo(t, `?address=${hub}`, { viewport: { width: 1360, height: 900 } });
  await demo.page.locator(".chart-drawing[tabindex]").nth(2).waitFor();
  return demo;
};

test("the arrow keys move over the values of each chart, and its last value is in its table", async (t) => {
  const { page } = await openCharts(t);
  const figures = page.locator("figure.chart:has(output)");
  assert.equal(await figures.count(), 3);
  for (const figure of await figures.all()) {
    const [drawing, output] = [figure.locator(".chart-drawing"), figure.locator("output")];
    const marks = await drawing.locator("title").allTextContents();
    await drawing.focus();
    await page.keyboard.press("End");
    assert.equal(await output.innerText(), marks.at(-1));
    await page.keyboard.press("ArrowUp");
    assert.equal(await output.innerText(), marks.at(-2));
    await page.keyboard.press("ArrowLeft");
    const stride = Number(await drawing.getAttribute("data-stride"));
    assert.equal(await output.innerText(), marks.at(-2 - stride));
    await page.keyboard.press("Home");
    await page.keyboard.press("ArrowUp");
    assert.equal(await output.innerText(), marks[0], "the first value is the end");
    const table = await figure
      .locator("tbody tr")
      .evaluateAll((rows) => rows.map((row) => [...row.cells].map((cell) => cell.textContent)));
    assert.ok(table.length > 0 && table.every((cells) => marks.some((mark) => cells.every((cell) => mark.includes(cell)))));
    await drawing.blur();
    assert.equal(await output.innerText(), "");
  }
});

test("a tap on a chart shows the value", async (t) => {
  const { page } = await openCharts(t);
  const figure = page.locator("figure.chart:has(.bars)");
  const mark = figure.locator("g").last();
  await mark.click();
  assert.equal(await figure.locator("output").innerText(), await mark.locator("title").textContent());
});

test("printed charts have their tables, and no controls", async (t) => {
  const { page } = await openCharts(t);
  await page.waitForFunction(() => [...document.styleSheets].some(({ href }) => href?.includes("print")));
  await page.emulateMedia({ media: "print" });
  assert.ok(await page.locator(".chart-rows").first().isVisible());
  for (const pressed of ["aq-top-bar", ".tabs", ".overview-card > h2 > a"])
    assert.equal(await page.locator(pressed).first().isVisible(), false, pressed);
});

test("the balance is shown at the price of each day that has one", async (t) => {
  const demo = await openDemo(t, `?address=${hub}&tab=balance-history&chart=worth`, { viewport: { width: 1360, height: 900 } });
  await demo.page.getByRole("img", { name: /^Worth by day/ }).waitFor();
  assert.match(await demo.page.locator(".balance-chart > p").innerText(), /^\$[\d,]+\.\d\d for [\d,.]+ ETH/);
  for (const end of await demo.page.locator(".line-range span").allInnerTexts()) assert.match(end, /^\$[\d.]+[KMBT]?$/);
});

test("a balance keeps its value until its next change, and has no worth before the first one or without a price", () => {
  const balances = [
    { date: "2026-10-01", value: "100" },
    { date: "2026-10-03", value: "300" },
  ];
  const prices = ["2026-09-30", "2026-10-01", "2026-10-02", "2026-10-03", "2026-10-04"].map((date, index) => ({
    date,
    closing_price: index === 3 ? null : "2.5",
  }));
  const coin = { symbol: "C", decimals: 2 };
  const points = toWorthPoints({ balances, prices }, coin);
  assert.deepEqual(
    points.map(({ time, text }) => [new Date(time).toISOString().slice(0, 10), text]),
    [
      ["2026-10-01", "$2.50 for 1 C"],
      ["2026-10-02", "$2.50 for 1 C"],
      ["2026-10-04", "$7.50 for 3 C"],
    ],
  );
  assert.deepEqual(toWorthPoints({ balances: [], prices }, coin), []);
});
