// Tests of the network drawer, and of the faults of the sample data.
import assert from "node:assert/strict";
import { test } from "node:test";
import { createSampleService } from "../../pkg/testing/index.js";
import { openDemo } from "./demo-page.mjs";

const hub = createSampleService().addresses.find(({ id }) => id === "hub").hash;

const findEvents = (demo, kind) => demo.page.locator(`.network-log tr[data-kind="${kind}"]`);
const countEvents = (demo, kind) => findEvents(demo, kind).count();

async function openDrawer(demo) {
  await demo.page.getByRole("button", { name: /^Network/ }).click();
  return demo.page.getByRole("region", { name: "Events of the network" });
}

/** Reads the totals, such as { Requests: "12" }. */
const readTotals = (demo) =>
  demo.page
    .locator("#network-panel .stats > div")
    .evaluateAll((items) =>
      Object.fromEntries(items.map(({ children: [name, value] }) => [name.textContent, value.textContent])),
    );

test("shows each request and response as it happens, with its time", async (t) => {
  const demo = await openDemo(t, `?address=${hub}&tab=logs`);
  await demo.waitForRows("logs");
  const log = await openDrawer(demo);
  // The watch of the address sends other requests at any time.
  const findList = (kind) => findEvents(demo, kind).filter({ hasText: `/addresses/${hub}/logs` });
  await findList("response").waitFor();
  assert.match(await findList("response").innerText(), /\d+ ms\s+HTTP 200/);
  await demo.getButton("Refresh").click();
  await findList("response").nth(1).waitFor();
  assert.equal(await findList("request").count(), 2);
  const totals = await readTotals(demo);
  assert.ok(Number(totals.Requests) >= 3, totals.Requests);
  assert.equal(totals["Rate limit"], "none noticed");

  await demo.getButton("Clear").click();
  await findList("request").first().waitFor({ state: "detached" });
  await demo.page.keyboard.press("Escape");
  await log.waitFor({ state: "hidden" });
  assert.match(await demo.page.evaluate(() => document.activeElement.ariaLabel), /^Network/);
});

test("with faults the client retries, and the list is the same", async (t) => {
  const demo = await openDemo(t, `?address=${hub}&tab=logs`, { speed: 4 });
  const expected = await demo.readRows("logs");
  const log = await openDrawer(demo);
  const setKind = async (kind) => {
    await demo.page.locator(".faults summary").click();
    await demo.page.getByLabel(kind, { exact: true }).check();
    await demo.page.locator(".faults summary").click();
  };
  await setKind("bad gateway");
  await setKind("rate limited reset");
  await setKind("schema drift");
  await demo.page.getByLabel("Share of the requests").fill("60");
  await demo.page.getByText("Kinds: 3 chosen").waitFor();
  for (let reads = 0; reads < 20; reads += 1) {
    await demo.getButton("Refresh").click();
    assert.deepEqual(await demo.readRows("logs"), expected);
    if ((await countEvents(demo, "retry")) > 0 && (await countEvents(demo, "drift")) > 0) break;
  }
  assert.match(await log.locator('tr[data-kind="retry"]').first().innerText(), /(http_status|rate_limited), again in \d+ ms/);
  assert.ok((await countEvents(demo, "drift")) > 0);
  assert.notEqual((await readTotals(demo)).Retries, "0");

  await demo.page.reload();
  await demo.waitForRows("logs");
  await openDrawer(demo);
  assert.equal(await demo.page.getByLabel("Share of the requests").inputValue(), "60", "a reload keeps the faults");
});

test("only the sample data can have faults", async (t) => {
  const demo = await openDemo(t, "?source=http://127.0.0.1:9");
  await openDrawer(demo);
  assert.equal(await demo.page.getByText("Faults of the sample data").count(), 0);
});
