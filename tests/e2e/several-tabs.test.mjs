// Clients in several tabs and workers of one origin share a rate limit.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { chromium } from "playwright-core";
import { startSite } from "../../www/serve.mjs";
import { chromiumPath, launchArgs } from "../browser.mjs";
import { ADDRESS, startMockService } from "./mock-service.mjs";

const CALLS = 25;
let site, browser;
before(async () => {
  site = await startSite({ port: 0 });
  browser = await chromium.launch({ executablePath: chromiumPath(), args: launchArgs });
});
after(async () => {
  await browser.close();
  await site.close();
});

/** Starts a service that accepts five requests a second, and counts the others in `refused`. */
async function startLimitedService() {
  const counts = { refused: 0 };
  let [second, count] = [0, 0];
  const service = await startMockService(() => {
    const now = Math.floor(Date.now() / 1000);
    [second, count] = [now, now === second ? count + 1 : 1];
    if (count > 5) counts.refused++;
    return count > 5 ? { status: 429, body: {} } : { body: { items: [], next_page_params: null } };
  });
  return { service, counts };
}

/** Makes calls one after the other, in the page or, with `inWorker`, in a worker of it. */
async function makeCalls({ baseUrl, address_hash, calls, inWorker }) {
  const run = async (pkg, options, address_hash, calls) => {
    const { AddressClient } = await import(pkg);
    const client = new AddressClient(options);
    for (let i = 0; i < calls; i++) await client.addressWithdrawals({ address_hash });
  };
  const args = [new URL("/pkg/index.js", location.href).href, { baseUrl, maxAttempts: 20 }, address_hash, calls];
  if (!inWorker) return run(...args);
  const code = `(${run})(...${JSON.stringify(args)}).then(() => postMessage(null))`;
  const worker = new Worker(URL.createObjectURL(new Blob([code], { type: "text/javascript" })), { type: "module" });
  await new Promise((resolve, reject) => {
    worker.onmessage = resolve;
    worker.onerror = ({ message }) => reject(new Error(message));
  });
}

/** Reads in two tabs and a worker at the same time. Returns the number of refused requests. */
async function countRefused(contexts) {
  const { service, counts } = await startLimitedService();
  const pages = await Promise.all(contexts.map((context) => context.newPage()));
  await Promise.all(pages.map((page) => page.goto(new URL("theme.css", site.url).href)));
  const settings = { baseUrl: service.url, address_hash: ADDRESS, calls: CALLS };
  await Promise.all(pages.map((page, i) => page.evaluate(makeCalls, { ...settings, inWorker: i === 2 })));
  await Promise.all(pages.map((page) => page.close()));
  service.close();
  return counts.refused;
}

test("tabs and workers of one origin are refused less often than those of separate profiles", async () => {
  const separate = await Promise.all([1, 2, 3].map(() => browser.newContext()));
  const shared = separate[0];
  const [alone, connected] = [await countRefused(separate), await countRefused([shared, shared, shared])];
  assert.ok(alone > 15 && 5 * connected < 4 * alone, `${connected} refused when connected, ${alone} when separate`);
});

test("a page survives messages of other scripts on the channel", async () => {
  const context = await browser.newContext();
  const service = await startMockService(() => ({ body: { items: [], next_page_params: null } }));
  const page = await context.newPage();
  const errors = [];
  page.on("pageerror", (error) => errors.push(error));
  await page.goto(new URL("theme.css", site.url).href);
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
