// Tests of the copies of histories that the page stores: reopened addresses, a service that cannot be reached, and what is forgotten.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { createSampleService } from "../../pkg/testing/index.js";
import { openDemo } from "./demo-page.mjs";
import { startMockService } from "./mock-service.mjs";

const sample = createSampleService();
const [hub, quiet] = ["hub", "quiet"].map((name) => sample.addresses.find(({ id }) => id === name).hash);

// Serves the sample data over HTTP. A test can hold its responses, and serve another chain.
let service;
let held = Promise.resolve();
let chain = sample;
before(async () => {
  service = await startMockService(async (_path, _query, url) => {
    await held;
    const response = await chain.fetch(`https://sample.invalid${url}`);
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
async function visit(t, address, options) {
  const demo = await openDemo(t, toQuery({ address }), options);
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
  const { demo, page, latest, note } = await visit(t, quiet, { speed: 5 });
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

test("nothing of another chain that the same URL had before is shown as up to date", async (t) => {
  const { page, latest, note } = await visit(t, quiet);
  chain = createSampleService({ seed: 7 });
  t.after(() => (chain = sample));
  await page.reload();
  await page.getByText("No transactions and no token transfers.").waitFor();
  assert.equal(await latest.count(), 0);
  assert.equal(await note.count(), 0);
});

test("only the newest events of a busy address are stored", async (t) => {
  // The time of the newest block: the address has more than fifty events in the two weeks before it.
  const { page } = await visit(t, hub, { now: Date.UTC(2026, 10, 1) });
  await page.goto(new URL(toQuery({}), page.url()).href);
  const [, count] = /([\d,]+) events?/.exec(await page.locator(".stored").innerText());
  const events = Number(count.replace(",", ""));
  assert.ok(events >= 50 && events <= 600, `${events} events`);
});

test("the stored addresses are listed with their sizes, and can be forgotten", async (t) => {
  await visit(t, hub);
  const { demo, page, note, latest } = await visit(t, quiet);
  const start = new URL(toQuery({}), page.url()).href;
  const stored = page.locator(".stored");
  await page.goto(start);
  await page.getByRole("heading", { name: /^Stored on this device: [\d.]+ [kM]B/ }).waitFor();
  assert.equal(await stored.count(), 2);
  const entry = stored.filter({ hasText: new RegExp(quiet.slice(0, 6), "i") });
  assert.match(await entry.innerText(), /\d+ events, [\d.]+ kB\s+As of .+ ago/);
  await entry.getByRole("button", { name: /^Forget/ }).click();
  await entry.waitFor({ state: "detached" });
  assert.equal(await page.locator(`.start a[href*="${quiet}" i]`).count(), 0, "it is no recent address either");

  await page.goto(new URL(toQuery({ address: quiet }), start).href);
  await latest.first().waitFor();
  assert.equal(await note.count(), 0);

  await page.goto(start);
  await stored.first().waitFor();
  assert.equal(await stored.count(), 2);
  await page.getByRole("button", { name: "Forget all" }).click();
  await stored.first().waitFor({ state: "detached" });
  await page.reload();
  await page.locator(".start").waitFor();
  assert.deepEqual(await demo.readStoredKeys(), []);
});
