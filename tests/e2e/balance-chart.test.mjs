// Tests of the chart above the balance history: by day and by block, its cursor, and its states without a line.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { createSampleService } from "../../pkg/testing/index.js";
import { setUpBrowser } from "./demo-page.mjs";
import { ADDRESS, startMockService } from "./mock-service.mjs";

const openDemo = setUpBrowser();
const sampleHash = Object.fromEntries(createSampleService().addresses.map(({ id, hash }) => [id, hash]));
const CHART = `?address=${sampleHash.quiet}&tab=balance-history`;

let service, respond;
before(async () => {
  service = await startMockService((path) => respond(path));
});
after(() => service.close());

const readCaption = async (demo) =>
  (await demo.page.locator(".balance-chart figcaption").innerText()).replace(/\s+/g, " ").trim();

test("the chart shows the balance by day, and the point at the arrow keys or the pointer", async (t) => {
  const demo = await openDemo(t, CHART);
  await demo.page.locator(".plot canvas").waitFor();
  assert.equal(await readCaption(demo), "Nov 1, 2026 0.042 ETH $111.31");
  const plot = demo.page.getByRole("img", { name: /^Balance by day: / });
  await plot.focus();
  await demo.page.keyboard.press("ArrowLeft");
  await demo.page.locator("figcaption", { hasText: "Oct 31, 2026" }).waitFor();
  await demo.page.keyboard.press("Home");
  await demo.page.locator("figcaption", { hasText: "Oct 22, 2026" }).waitFor();
  await plot.blur();
  await demo.page.locator("figcaption", { hasText: "Nov 1, 2026" }).waitFor();
  await plot.hover();
  await demo.page.locator("figcaption", { hasText: /Oct 2\d, 2026/ }).waitFor();
});

test("the chart by block ends with the balance of the first row, and its choice is in the URL", async (t) => {
  const demo = await openDemo(t, CHART);
  await demo.chooseFilter("Chart", "By block");
  await demo.page.getByRole("img", { name: /^Balance by block: / }).waitFor();
  assert.equal(demo.getQuery().get("chart"), "block");
  const [row] = await demo.readRows("balance-history");
  const [, block, balance] = /^Block ([\d,]+) (.+ ETH)$/.exec(await readCaption(demo));
  assert.ok(row.includes(` ${block} `) && row.endsWith(balance), `${block}, ${balance} in ${row}`);
});

test("the chart fits its frame when the window becomes narrower", async (t) => {
  const demo = await openDemo(t, CHART, { viewport: { width: 1280, height: 900 } });
  await demo.page.locator(".plot canvas").waitFor();
  await demo.page.setViewportSize({ width: 390, height: 900 });
  await demo.page.waitForFunction(
    () => document.querySelector(".uplot").clientWidth <= document.querySelector(".plot").clientWidth,
  );
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
  await chart.getByText("Too few balance changes for a chart.").waitFor();
});
