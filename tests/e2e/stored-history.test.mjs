// Tests of the copies of histories that the page stores: reopened addresses, and a service that cannot be reached.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { createSampleService } from "../../pkg/testing/index.js";
import { setUpBrowser } from "./demo-page.mjs";
import { startMockService } from "./mock-service.mjs";

const openDemo = setUpBrowser();
const sample = createSampleService();
const quiet = sample.addresses.find(({ id }) => id === "quiet").hash;

/** The time of the newest block: a busy address has more than fifty events in the two weeks before it. */
const NEWEST = Date.UTC(2026, 10, 1);

// Serves the sample data over HTTP. A test can hold its responses.
let service;
let held = Promise.resolve();
before(async () => {
  service = await startMockService(async (_path, _query, url) => {
    await held;
    const response = await sample.fetch(`https://sample.invalid${url}`);
    return { status: response.status, body: await response.json() };
  });
});
after(() => service.close());

/** Holds all responses until the function that it returns is called. */
function hold(t) {
  let release;
  held = new Promise((resolve) => (release = resolve));
  t.after(release);
  return release;
}

const toQuery = (params) => `?${new URLSearchParams({ source: service.url, ...params })}`;

/** Opens an address, and waits until its newest activities were read. Returns parts of the page. */
async function visit(t, address) {
  const demo = await openDemo(t, toQuery({ address }), { now: NEWEST });
  const latest = demo.page.getByRole("region", { name: "Latest" }).getByRole("listitem");
  await latest.first().waitFor();
  return { demo, page: demo.page, latest, note: demo.page.getByRole("status").filter({ hasText: "As of" }) };
}

test("a reopened address shows its overview at once, says how old it is, and brings it up to date", async (t) => {
  const { page, latest, note } = await visit(t, quiet);
  const shown = await latest.allInnerTexts();
  assert.equal(await note.count(), 0);
  const release = hold(t);
  await page.reload();
  await note.filter({ hasText: /^As of .+ ago\. Updating…$/ }).waitFor();
  assert.equal((await latest.allInnerTexts()).length, shown.length);
  release();
  await note.waitFor({ state: "detached" });
  assert.deepEqual(await latest.allInnerTexts(), shown);
});

test("a reopened history shows its events at once, and reads them again", async (t) => {
  const { demo, page, note } = await visit(t, quiet);
  await demo.showTab("History");
  const entries = page.locator(".feed-entry");
  const labels = await demo.readFeed();
  const release = hold(t);
  await page.reload();
  await note.filter({ hasText: /^As of .+ ago\. Updating…$/ }).waitFor();
  await entries.first().waitFor();
  release();
  await note.waitFor({ state: "detached" });
  assert.deepEqual(await demo.readFeed(), labels);
});

test("a known address is shown while the service cannot be reached", async (t) => {
  const { demo, page, latest, note } = await visit(t, quiet);
  await page.route(`${service.url}/**`, (route) => route.abort());
  await page.reload();
  await note.filter({ hasText: "The service cannot be reached." }).waitFor();
  await latest.first().waitFor();
  await page.getByText("Not stored on this device.").first().waitFor();
  await demo.showTab("History");
  await page.locator(".feed-entry").first().waitFor();
  await note.filter({ hasText: "The service cannot be reached." }).waitFor();
  assert.equal(await page.locator(".error-box").count(), 0);

  await page.unroute(`${service.url}/**`);
  await note.getByRole("button", { name: "Retry" }).click();
  await note.waitFor({ state: "detached" });
});
