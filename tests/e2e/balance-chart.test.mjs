// Tests of the chart beside the balance history: by day and by block, its values, and its states without a line.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { createSampleService } from "../../pkg/testing/index.js";
import { openDemo } from "./demo-page.mjs";
import { ADDRESS, startMockService } from "./mock-service.mjs";

const sampleHash = Object.fromEntries(createSampleService().addresses.map(({ id, hash }) => [id, hash]));
const CHART = `?address=${sampleHash.quiet}&tab=balance-history`;

let service, respond;
before(async () => {
  service = await startMockService((path) => respond(path));
});
after(() => service.close());

const readCaption = async (demo) => (await demo.page.locator(".balance-chart > p").innerText()).replace(/\s+/g, " ").trim();
const findDrawing = (demo, name) => demo.page.locator(".balance-chart").getByRole("img", { name });

test("the chart shows the balance by day, its lowest and highest value, and the value at the arrow keys or the pointer", async (t) => {
  const demo = await openDemo(t, CHART);
  const drawing = findDrawing(demo, /^Balance by day\./);
  await drawing.waitFor();
  assert.equal(await readCaption(demo), "0.042 ETH ($111.31) Nov 1, 2026");
  assert.match(await demo.page.locator(".line-ends").innerText(), /Oct 22, 2026\s+Nov 1, 2026/);
  const [high, low] = (await demo.page.locator(".line-range span").allInnerTexts()).map(Number);
  assert.ok(high > low && low > 0, `${low} to ${high}`);
  const output = demo.page.locator(".balance-chart output");
  await drawing.focus();
  await demo.page.keyboard.press("End");
  assert.match(await output.innerText(), /^Nov 1, 2026: 0\.042 ETH/);
  await demo.page.keyboard.press("ArrowLeft");
  assert.match(await output.innerText(), /^Oct 31, 2026: /);
  await demo.page.keyboard.press("Home");
  assert.match(await output.innerText(), /^Oct 22, 2026: /);
  await drawing.blur();
  assert.equal(await output.innerText(), "");
  await drawing.hover();
  assert.match(await output.innerText(), /^Oct 2\d, 2026: /);
});

test("the chart by block ends with the balance of the first row, and its choice is in the URL", async (t) => {
  const demo = await openDemo(t, CHART);
  await demo.chooseFilter("Chart", "By block");
  await findDrawing(demo, /^Balance by block\./).waitFor();
  assert.equal(demo.getQuery().get("chart"), "block");
  const [row] = await demo.readRows("balance-history");
  const [, balance, block] = /^(.+ ETH) Block ([\d,]+), at most the newest 500 changes$/.exec(await readCaption(demo));
  assert.ok(row.includes(` ${block} `) && row.endsWith(balance), `${block}, ${balance} in ${row}`);
});

test("the chart fits its frame when the window becomes narrower", async (t) => {
  const demo = await openDemo(t, CHART, { viewport: { width: 1280, height: 900 } });
  await findDrawing(demo, /^Balance by day/).waitFor();
  await demo.page.setViewportSize({ width: 390, height: 900 });
  assert.equal(await demo.page.evaluate(() => document.documentElement.scrollWidth), 390);
});

test("a chart that fails leaves the table unaffected, and a chart without changes says so", async (t) => {
  const page = { body: { items: [], next_page_params: null } };
  let isBroken = true;
  respond = (path) => {
    if (!path.endsWith("/coin-balance-history-by-day")) return page;
    return isBroken ? { status: 403, body: {} } : { body: { items: [{ date: "2026-10-01", value: "1" }], days: 10 } };
  };
  const demo = await openDemo(t, `?${new URLSearchParams({ tab: "balance-history", address: ADDRESS, source: service.url })}`);
  const chart = demo.page.locator(".balance-chart");
  await chart.locator(".error-box").waitFor();
  await demo.waitForNotice("empty");
  isBroken = false;
  await chart.getByRole("button", { name: "Retry" }).click();
  await chart.getByText("Too few changes for a chart.").waitFor();
});
