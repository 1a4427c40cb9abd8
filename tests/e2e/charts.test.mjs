// Tests of the small charts: the keyboard and the pointer show exact values, which are also in the table.
import assert from "node:assert/strict";
import { test } from "node:test";
import { createSampleService } from "../../pkg/testing/index.js";
import { setUpBrowser } from "./demo-page.mjs";
import { importSource } from "./import-source.mjs";

const openDemo = setUpBrowser();
const { hash: hub } = createSampleService().addresses.find(({ id }) => id === "hub");
const { toWorth } = await importSource("charts/worth.ts");

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
  await page.locator("aq-hover-card").waitFor({ state: "attached" });
  await page.waitForLoadState("networkidle");
  await page.emulateMedia({ media: "print" });
  assert.ok(await page.locator(".chart-rows").first().isVisible());
  for (const pressed of ["aq-top-bar", ".tabs", ".overview-card > h2 > a"])
    assert.equal(await page.locator(pressed).first().isVisible(), false, pressed);
});

test("the balance is shown at the price of each day that has one", async (t) => {
  const demo = await openDemo(t, `?address=${hub}&tab=balance-history&chart=worth`, { viewport: { width: 1360, height: 900 } });
  const plot = demo.page.locator(".plot");
  await plot.waitFor();
  assert.match(await plot.getAttribute("aria-label"), /^Worth by day: [\d.]+ US dollars/);
  assert.match(await demo.page.locator("figcaption").innerText(), /\$[\d,]+\.\d\d$/);
});

test("a balance keeps its value until its next change, and has no worth before the first one or without a price", () => {
  const balances = [
    { date: "2026-10-03", value: "300" },
    { date: "2026-10-01", value: "100" },
  ];
  const prices = ["2026-10-04", "2026-10-03", "2026-10-02", "2026-10-01", "2026-09-30"].map((date, index) => ({
    date,
    closing_price: index === 1 ? null : "2.5",
  }));
  assert.deepEqual(toWorth({ balances, prices }, 2), [
    { day: "2026-10-01", wei: "100", dollars: "2.5" },
    { day: "2026-10-02", wei: "100", dollars: "2.5" },
    { day: "2026-10-04", wei: "300", dollars: "7.5" },
  ]);
  assert.deepEqual(toWorth({ balances: [], prices }, 2), []);
});
