// Clients in several tabs and workers of one origin share a rate limit.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { chromium } from "playwright-core";
import { startSite } from "../../www/serve.mjs";
import { chromiumPath, launchArgs } from "../browser.mjs";
import { PACKAGE } from "./demo-page.mjs";
import { ADDRESS, startMockService } from "./mock-service.mjs";

/** For how long the service refuses requests, in milliseconds. */
const HOLD_MS = 1_500;
let site, browser;
before(async () => {
  site = await startSite({ pkg: PACKAGE });
  browser = await chromium.launch({ executablePath: chromiumPath(), args: launchArgs });
});
after(async () => {
  await browser.close();
  await site.close();
});

/** Starts a service that refuses its second request, and states when to continue. `times` has the times of all requests. */
async function startHoldingService() {
  const times = [];
  const headers = { "access-control-expose-headers": "x-ratelimit-reset", "x-ratelimit-reset": String(HOLD_MS) };
  const service = await startMockService(() => {
    const isRefused = times.push(Date.now()) === 2;
    return isRefused ? { status: 429, headers, body: {} } : { body: { items: [], next_page_params: null } };
  });
  return { service, times };
}

/** Makes a call, in the page or, with `inWorker`, in one of its workers. A refused call is not retried. */
async function makeCall({ baseUrl, address_hash, inWorker }) {
  const run = async (pkg, baseUrl, address_hash) => {
    const { AddressClient } = await import(pkg);
    globalThis.client ??= new AddressClient({ baseUrl, maxAttempts: 1 });
    await globalThis.client.addressWithdrawals({ address_hash }).catch(() => {});
  };
  const args = [new URL("/pkg/index.js", location.href).href, baseUrl, address_hash];
  if (!inWorker) return run(...args);
  const code = `(${run})(...${JSON.stringify(args)}).then(() => postMessage(null))`;
  const worker = new Worker(URL.createObjectURL(new Blob([code], { type: "text/javascript" })), { type: "module" });
  await new Promise((resolve, reject) => {
    worker.onmessage = resolve;
    worker.onerror = ({ message }) => reject(new Error(message));
  });
}

for (const inWorker of [false, true]) {
  test(`a refusal in another ${inWorker ? "tab's worker" : "tab"} holds the requests of this one`, async (t) => {
    const context = await browser.newContext();
    const { service, times } = await startHoldingService();
    t.after(() => Promise.all([context.close(), service.close()]));
    const [own, other] = [await context.newPage(), await context.newPage()];
    for (const page of [own, other]) await page.goto(new URL("pkg/package.json", site.url).href);
    const settings = { baseUrl: service.url, address_hash: ADDRESS };
    await own.evaluate(makeCall, settings);
    await other.evaluate(makeCall, { ...settings, inWorker });
    await own.evaluate(makeCall, settings);
    const [, refused, next] = times;
    assert.ok(next - refused >= HOLD_MS - 10, `sent ${next - refused} ms after the refusal`);
  });
}

test("a page ignores messages of other scripts on the channel", async () => {
  const context = await browser.newContext();
  const service = await startMockService(() => ({ body: { items: [], next_page_params: null } }));
  const page = await context.newPage();
  const errors = [];
  page.on("pageerror", (error) => errors.push(error));
  await page.goto(new URL("pkg/package.json", site.url).href);
  const names = await page.evaluate(async (baseUrl) => {
    const names = [];
    globalThis.BroadcastChannel = class extends BroadcastChannel {
      constructor(name) {
        super(name);
        names.push(name);
      }
    };
    const { AddressClient } = await import("/pkg/index.js");
    globalThis.client = new AddressClient({ baseUrl, apiKey: "a secret key".replaceAll(" ", "-") });
    await globalThis.client.addressWithdrawals({ address_hash: "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed" });
    const channel = new BroadcastChannel(names[0]);
    for (const message of [null, 1, "x", {}, [], [0], [9, 9, 9], [2, Infinity, 0], ["2", Date.now(), 0], [{}, {}, {}]]) {
      channel.postMessage(message);
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
    await globalThis.client.addressWithdrawals({ address_hash: "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed" });
    return names;
  }, service.url);
  assert.deepEqual(errors, []);
  assert.match(names[0], /^address-query http:\/\/127\.0\.0\.1:\d+ [0-9a-f]{16}$/);
  assert.ok(!names[0].includes("secret"));
  service.close();
  await context.close();
});
