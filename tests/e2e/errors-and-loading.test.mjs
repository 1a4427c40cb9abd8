// Tests of everything that is not a table: invalid input, empty results, errors, waiting and cancelling.
import assert from "node:assert/strict";
import { createServer } from "node:net";
import { after, before, test } from "node:test";
import { createSampleService } from "../../pkg/testing/index.js";
import { openDemo } from "./demo-page.mjs";
import { ADDRESS, createTransfer, startMockService } from "./mock-service.mjs";

const { hash: SAMPLE_ADDRESS } = createSampleService().addresses.find(({ id }) => id === "hub");
const TRANSFERS = `?address=${SAMPLE_ADDRESS}&tab=token-transfers`;
const createPage = (items) => ({ body: { items, next_page_params: null } });

let service;
let respond; // set by each test
before(async () => (service = await startMockService((path, query) => respond(path, query))));
after(() => service.close());

const getMockServiceQuery = (tab) => `?${new URLSearchParams({ tab, address: ADDRESS, source: service.url })}`;

test("an invalid address shows a message and sends no request", async (t) => {
  respond = () => createPage([createTransfer()]);
  const demo = await openDemo(t, getMockServiceQuery("token-transfers"));
  await demo.waitForRows("token-transfers");
  const [requestCount, url] = [service.requests.length, demo.page.url()];
  const input = demo.page.getByRole("combobox");
  await input.fill("0x1234");
  await demo.getButton("Search").click();
  await demo.page.getByText("Invalid address").waitFor();
  assert.equal(await input.getAttribute("aria-invalid"), "true");
  assert.equal(demo.page.url(), url);

  // The valid search must be the first request: if the invalid one had been sent, it would come before.
  const otherAddress = `0x${"42".repeat(20)}`;
  await input.fill(`  ${otherAddress} `);
  await input.press("Enter");
  await demo.page.waitForURL((next) => next.searchParams.get("address") === otherAddress);
  await demo.waitForRows("token-transfers");
  assert.equal(await input.getAttribute("aria-invalid"), "false");
  const newUrls = service.requests.slice(requestCount).map(({ path, query }) => `${path}?${query}`);
  assert.ok(newUrls.some((url) => url.startsWith(`/api/v2/addresses/${otherAddress}/token-transfers`)));
  assert.deepEqual(
    newUrls.filter((url) => /0x1234\b/.test(url)),
    [],
    "no request for the invalid address",
  );
});

test("an invalid address in the URL shows a message", async (t) => {
  const demo = await openDemo(t, "?address=%3Cb%3E&tab=top-addresses");
  await demo.page.getByText("Invalid address").waitFor();
  assert.ok((await demo.readRows("top-addresses")).length > 0, "the lists of the chain are shown");
});

test("an unused address shows the empty state in every tab of an address", async (t) => {
  const demo = await openDemo(t, TRANSFERS);
  await demo.chooseSample("Fresh wallet");
  for (const tab of ["Logs", "NFTs", "Token transfers", "Internal transactions", "Balance history", "Withdrawals"]) {
    await demo.showTab(tab);
    await demo.page.getByText(`${tab}: no records found.`).waitFor();
    assert.equal(await demo.page.locator("table").count(), 0);
  }
});

test("an empty page in the middle of a list says that there are more pages", async (t) => {
  const next_page_params = { block_number: 100, index: 1 };
  const emptyPage = { body: { items: [], next_page_params } };
  respond = (_, query) => (query.has("index") ? createPage([createTransfer()]) : emptyPage);
  const demo = await openDemo(t, getMockServiceQuery("token-transfers"));
  await demo.page.getByText("there are more pages").waitFor();
  await demo.getButton("Next").click();
  assert.equal((await demo.readRows("token-transfers")).length, 1);
});

test("a search uses a base URL that is typed but not connected", async (t) => {
  respond = () => createPage([createTransfer({ name: "From the service" })]);
  const demo = await openDemo(t, TRANSFERS);
  await demo.waitForRows("token-transfers");
  await demo.chooseSource("Other instance…");
  await demo.page.getByLabel("Base URL").fill(service.url);
  await demo.page.getByRole("combobox").fill(ADDRESS);
  await demo.getButton("Search").click();
  await demo.page.getByText("From the service").waitFor();
  assert.equal(demo.getQuery().get("source"), service.url);
});

test("HTTP errors show the code, the status and a Retry button", async (t) => {
  const demo = await openDemo(t, TRANSFERS, { speed: 10 });
  for (const [label, status] of Object.entries({ "Restricted address": "403", "Overloaded address": "500" })) {
    await demo.chooseSample(label);
    await demo.page.locator(".list-body .error-box", { hasText: status }).waitFor();
    const error = await demo.waitForNotice("error-box");
    assert.match(await error.innerText(), /^http_status/);
    assert.ok(await error.getByRole("button", { name: "Retry" }).isVisible());
  }
});

test("each error status has its own advice, or none", async (t) => {
  const refused = "The instance refused the request. Check the API key, or choose another instance.";
  const broken = "The instance may be down. Try again later.";
  for (const [status, advice, message = "Restricted access"] of [
    [401, [], "requires an API key: create one at https://dev.blockscout.com"],
    [403, [refused]],
    [418, []],
    [501, [broken]],
  ]) {
    respond = () => ({ status, body: { message: "Restricted access" } });
    const demo = await openDemo(t, getMockServiceQuery("token-transfers"));
    const error = await demo.waitForNotice("error-box");
    assert.match(await error.innerText(), new RegExp(`HTTP ${status}`));
    assert.ok((await error.innerText()).includes(message), `status ${status}`);
    assert.deepEqual(await error.locator(".error-advice").allInnerTexts(), advice, `status ${status}`);
  }
});

test("Retry repeats the request and shows the result", async (t) => {
  respond = () => ({ status: 403, body: { message: "Restricted access" } });
  const demo = await openDemo(t, getMockServiceQuery("token-transfers"));
  const error = await demo.waitForNotice("error-box");
  assert.match(await error.innerText(), /403/);
  respond = () => createPage([createTransfer({ name: "Recovered" })]);
  await demo.page.locator(".list-body").getByRole("button", { name: "Retry" }).click();
  assert.match((await demo.readRows("token-transfers"))[0], /Recovered/);
});

test("an invalid record shows a decode error with its JSON path", async (t) => {
  respond = () => createPage([createTransfer(), { ...createTransfer({ index: 1 }), transaction_hash: 7 }]);
  const demo = await openDemo(t, getMockServiceQuery("token-transfers"));
  const text = await (await demo.waitForNotice("error-box")).innerText();
  assert.match(text, /^decode/);
  assert.match(text, /items\[1\]\.transaction_hash/);
});

test("an unreachable instance shows a network error, and sample data can be selected again", async (t) => {
  const demo = await openDemo(t, TRANSFERS, { speed: 5 });
  await demo.waitForRows("token-transfers");
  await demo.chooseSource("Other instance…");
  const url = await findUnusedUrl();
  await demo.page.getByLabel("Base URL").fill(url);
  await demo.getButton("Connect").click();
  const error = await demo.waitForNotice("error-box");
  assert.match(await error.innerText(), /^network/);
  assert.equal(demo.getQuery().get("source"), url);

  await demo.chooseSource("Sample data");
  assert.ok((await demo.readRows("token-transfers")).length > 0);
  assert.equal(demo.getQuery().get("source"), null);
});

test("an invalid base URL shows an error", async (t) => {
  const demo = await openDemo(t, "?tab=top-addresses&source=ftp%3A%2F%2Fx");
  assert.match(await (await demo.waitForNotice("error-box")).innerText(), /^invalid_parameter/);
});

test("an invalid page token shows an error and a way to the first page", async (t) => {
  const demo = await openDemo(t, "?tab=top-addresses&resume=nonsense&page=3");
  assert.match(await (await demo.waitForNotice("error-box")).innerText(), /^(cursor|invalid_parameter)/);
  await demo.getButton("Go to first page").click();
  assert.ok((await demo.readRows("top-addresses")).length > 0);
});

test("Cancel aborts the request, and Retry sends it again", async (t) => {
  respond = (path) => (path.endsWith("/logs") ? null : createPage([]));
  const requestCount = service.requests.length;
  const demo = await openDemo(t, getMockServiceQuery("logs"));
  assert.equal(await demo.page.locator(".list-body").getAttribute("aria-busy"), "true");
  const request = await waitForListRequest(requestCount, "logs");
  await demo.getButton("Cancel").click();
  await demo.page.getByRole("heading", { name: "Cancelled" }).waitFor();
  await request.closed;
  respond = () => createPage([]);
  await demo.page.locator(".list-body").getByRole("button", { name: "Retry" }).click();
  await demo.page.getByText("Logs: no records found.").waitFor();
});

test("a wait after 429 is shown and can be cancelled", async (t) => {
  const headers = { "retry-after": "60", "access-control-expose-headers": "retry-after" };
  respond = () => ({ status: 429, headers, body: { message: "Too many requests" } });
  const demo = await openDemo(t, getMockServiceQuery("token-transfers"));
  await demo.page.getByText(/^Loading… Rate limited: waiting about (60|59) s\.$/).waitFor();
  await demo.getButton("Cancel").click();
  await demo.page.getByRole("heading", { name: "Cancelled" }).waitFor();
});

test("a failed attempt is shown until the retry", async (t) => {
  const headers = { "retry-after": "1", "access-control-expose-headers": "retry-after" };
  let isSeen = false;
  let served = 0;
  respond = (path) => {
    const isList = path.endsWith("/token-transfers");
    if (isList && !isSeen) return { status: 503, headers, body: {} };
    served += Number(isList);
    return createPage([createTransfer()]);
  };
  const demo = await openDemo(t, getMockServiceQuery("token-transfers"));
  await demo.page.getByText("Request failed (http_status). Retrying in about 1 s.").waitFor();
  isSeen = true;
  assert.equal((await demo.readRows("token-transfers")).length, 1);
  assert.equal(served, 1);
});

test("selecting another tab aborts the request of the previous one", async (t) => {
  respond = (path) => (path.endsWith("/logs") ? null : createPage([createTransfer()]));
  const requestCount = service.requests.length;
  const demo = await openDemo(t, getMockServiceQuery("logs"));
  const request = await waitForListRequest(requestCount, "logs");
  await demo.showTab("Token transfers");
  assert.equal((await demo.readRows("token-transfers")).length, 1);
  await request.closed;
});

/** Waits until the service has received a request of a list after the first `count` requests, and returns it. */
async function waitForListRequest(count, list) {
  for (;;) {
    const request = service.requests.slice(count).find(({ path }) => path.endsWith(`/${list}`));
    if (request) return request;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** Returns a URL whose port was just released, so that connections are refused. */
function findUnusedUrl() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(`http://127.0.0.1:${port}`));
    });
  });
}
