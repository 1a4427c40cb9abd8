// Tests of reading a chain through the gateway, and of the destinations of its API key.
import assert from "node:assert/strict";
import { test } from "node:test";
import { createSampleService } from "../../pkg/testing/index.js";
import { openDemo } from "./demo-page.mjs";

const sample = createSampleService();
const { hash: ADDRESS } = sample.addresses.find(({ id }) => id === "hub");
const KEY = "proapi_e2eSecret123";

/**
 * Responds to requests of the page to other hosts with the sample data and these headers, if the gateway gets the right key.
 * Returns their URLs.
 */
async function serveGateway(demo, createHeaders = () => ({})) {
  const urls = [];
  await demo.page.route(/^https:/, async (route) => {
    const url = new URL(route.request().url());
    urls.push(url);
    const headers = { "access-control-allow-origin": "*", ...createHeaders() };
    if (url.origin === "https://api.blockscout.com" && url.searchParams.get("apikey") !== KEY)
      return route.fulfill({ status: 403, headers, json: { message: "Invalid API key" } });
    const path = url.pathname.replace(/^.*\/\d+\//, "/");
    const response = await sample.fetch(`https://sample.invalid${path}${url.search}`);
    return route.fulfill({ status: response.status, headers, json: await response.json() });
  });
  return urls;
}

async function connect(demo, key) {
  await demo.chooseSource("Gateway with API key…");
  await demo.page.getByLabel("Chain id").fill("8453");
  await demo.page.getByLabel("API key", { exact: true }).fill(key);
  await demo.getButton("Connect").click();
}

test("a chain is read through the gateway with the key, which no URL and no part of the page shows", async (t) => {
  const demo = await openDemo(t, `?address=${ADDRESS}&tab=withdrawals`);
  const expected = await demo.readRows("withdrawals");
  const urls = await serveGateway(demo);
  await connect(demo, KEY);
  await demo.page.waitForURL((url) => url.searchParams.get("source") === "gateway:8453");
  assert.deepEqual(await demo.readRows("withdrawals"), expected);
  assert.ok(urls.length > 0 && urls.every(({ origin }) => origin === "https://api.blockscout.com"), urls.join());
  assert.ok(
    urls.every(({ pathname }) => pathname.startsWith("/8453/api")),
    urls.join(),
  );
  assert.ok(urls.every(({ searchParams }) => searchParams.get("apikey") === KEY));

  await demo.getButton(/^Network/).click();
  await demo.page.getByText("/withdrawals").first().waitFor();
  const exposed = await demo.page.evaluate(() => location.href + JSON.stringify(localStorage) + document.body.innerHTML);
  assert.ok(!exposed.includes(KEY), "the key is not shown");
  await demo.page.reload();
  assert.deepEqual(await demo.readRows("withdrawals"), expected, "a reload keeps the key");
});

test("a gateway proxy shows the name and the coin of the chain at the end of its URL", async (t) => {
  const demo = await openDemo(t, `?address=${ADDRESS}&tab=withdrawals`);
  const urls = await serveGateway(demo);
  const source = "https://dapp.invalid/api/blockscout/100";
  await demo.page.goto(
    `${new URL(demo.page.url()).origin}/?${new URLSearchParams({ address: ADDRESS, tab: "transactions", source })}`,
  );
  await demo.page.getByRole("button", { name: "Service: Gnosis (proxy)" }).waitFor();
  await demo.page
    .getByText(/ XDAI$/)
    .first()
    .waitFor();
  assert.ok(urls.length > 0 && urls.every(({ href }) => href.startsWith(source)), urls.join());
});

test("another instance does not get the key of the gateway", async (t) => {
  const demo = await openDemo(t, `?address=${ADDRESS}&tab=withdrawals`);
  const urls = await serveGateway(demo);
  await connect(demo, KEY);
  await demo.page.waitForURL((url) => url.searchParams.get("source") === "gateway:8453");
  await demo.waitForRows("withdrawals");
  urls.length = 0;
  await demo.chooseSource("Ethereum");
  await demo.page.waitForURL((url) => url.searchParams.get("source") === "mainnet");
  await demo.waitForRows("withdrawals");
  assert.ok(urls.length > 0 && !urls.join().includes(KEY), urls.join());
});

test("a key that the gateway rejects can be replaced", async (t) => {
  const demo = await openDemo(t, `?address=${ADDRESS}&tab=withdrawals`);
  await serveGateway(demo);
  await connect(demo, "proapi_wrongKey");
  assert.match(await (await demo.waitForNotice("error-box")).innerText(), /403/);
  await demo.page.getByRole("button", { name: /^Service: / }).click();
  await demo.page.getByLabel("API key", { exact: true }).fill(KEY);
  await demo.getButton("Connect").click();
  assert.ok((await demo.readRows("withdrawals")).length > 0);
});

test("a shared link to a chain of the gateway asks for a key", async (t) => {
  const demo = await openDemo(t, `?address=${ADDRESS}&tab=withdrawals&source=gateway:8453`);
  await demo.waitForNotice("error-box");
  await demo.page.getByRole("button", { name: /^Service: / }).click();
  assert.equal(await demo.page.getByLabel("Chain id").inputValue(), "8453");
  await serveGateway(demo);
  await demo.page.getByLabel("API key", { exact: true }).fill(KEY);
  await demo.getButton("Connect").click();
  assert.ok((await demo.readRows("withdrawals")).length > 0);
});

test("the export menu shows the credits that remain, where the gateway lets the page read them", async (t) => {
  const demo = await openDemo(t, `?address=${ADDRESS}&tab=withdrawals`);
  let credits = 5000;
  const menu = demo.page.locator("aq-export-menu");
  await menu.locator(".menu-button").click();
  await menu.getByText("All withdrawals").waitFor();
  assert.equal(await menu.getByText(/credits? left/).count(), 0, "an instance has no credits");
  await demo.page.keyboard.press("Escape");
  await serveGateway(demo, () => ({
    "access-control-expose-headers": "x-credits-remaining",
    "x-credits-remaining": String(credits),
  }));
  await connect(demo, KEY);
  await demo.page.waitForURL((url) => url.searchParams.get("source") === "gateway:8453");
  await demo.waitForRows("withdrawals");
  await menu.locator(".menu-button").click();
  await menu.getByText("5,000 credits left in the plan of the API key").waitFor();
  await menu
    .getByText(/^Takes at least .+: at least 51 withdrawals in at least 2 requests, for at least 40 credits\.$/)
    .waitFor();
  credits = 4900;
  await menu.getByRole("button", { name: "NDJSON", exact: true }).click();
  await menu.getByText("Export ready").waitFor();
  await menu.getByText("4,900 credits left").waitFor();
});
