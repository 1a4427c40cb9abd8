// Everything that is not a table of rows: wrong input, nothing found, failures, waiting, cancelling.
import assert from "node:assert/strict";
import { createServer } from "node:net";
import { after, before, test } from "node:test";
import { useBrowser } from "./browse.mjs";
import { ADDRESS, startService, transfer } from "./service.mjs";

const open = useBrowser();
const page = (items) => ({ body: { items, next_page_params: null } });

let service;
let answer;
before(async () => (service = await startService((path, query) => answer(path, query))));
after(() => service.close());

const onService = (tab, address = ADDRESS) => `?${new URLSearchParams({ tab, address, source: service.url })}`;
const sentSince = (count) => service.requests.slice(count);

test("an invalid address gets a message beside it and sends nothing", async (t) => {
  answer = () => page([transfer()]);
  const visit = await open(t, onService("token-transfers"));
  await visit.rows("token-transfers");
  const [sent, url] = [service.requests.length, visit.page.url()];
  const input = visit.page.getByLabel("Address", { exact: true });
  await input.fill("0x1234");
  await visit.button("Look up").click();
  await visit.page.getByText("This is not an address").waitFor();
  assert.equal(await input.getAttribute("aria-invalid"), "true");
  assert.equal(visit.page.url(), url);

  // A valid one after it is the first thing sent: had the invalid one gone out, it would stand before it.
  const other = `0x${"42".repeat(20)}`;
  await input.fill(`  ${other} `);
  await input.press("Enter");
  await visit.page.waitForURL((next) => next.searchParams.get("address") === other);
  await visit.rows("token-transfers");
  assert.equal(await input.getAttribute("aria-invalid"), "false");
  assert.deepEqual(
    sentSince(sent).map(({ path }) => path),
    [`/api/v2/addresses/${other}/token-transfers`],
  );
});

test("an invalid address in the URL is told, too", async (t) => {
  const visit = await open(t, "?address=%3Cb%3E");
  await visit.page.getByText("This is not an address").waitFor();
  await visit.notice("empty-state");
});

test("an unused address shows the empty state in every list of an address", async (t) => {
  const visit = await open(t);
  await visit.page.getByLabel("Sample addresses").selectOption({ label: "Unused account" });
  for (const tab of ["Logs", "NFTs", "Token transfers", "Internal transactions", "Balance history", "Withdrawals"]) {
    await visit.tab(tab).click();
    await visit.page.getByText(`${tab}: nothing recorded here yet.`).waitFor();
    assert.equal(await visit.page.locator("table").count(), 0);
  }
});

test("an empty page in the middle of a list says that the list goes on", async (t) => {
  const next_page_params = { block_number: 100, index: 1 };
  answer = (path, query) => (query.has("index") ? page([transfer()]) : { body: { items: [], next_page_params } });
  const visit = await open(t, onService("token-transfers"));
  await visit.page.getByText("the list goes on").waitFor();
  await visit.button("Next").click();
  assert.equal((await visit.rows("token-transfers")).length, 1);
});

test("a base URL typed but not connected is used by the next look-up", async (t) => {
  answer = () => page([transfer({ name: "From the service" })]);
  const visit = await open(t);
  await visit.rows("token-transfers");
  await visit.page.getByText("Live service").click();
  await visit.page.getByLabel("Base URL").fill(service.url);
  await visit.page.getByLabel("Address", { exact: true }).fill(ADDRESS);
  await visit.button("Look up").click();
  await visit.page.getByText("From the service").waitFor();
  assert.equal(visit.query().get("source"), service.url);
});

test("refused and failing addresses show code and status", async (t) => {
  const visit = await open(t);
  for (const [label, status] of Object.entries({ "Restricted address": "403", "Too heavy address": "500" })) {
    await visit.page.getByLabel("Sample addresses").selectOption({ label });
    await visit.page.locator(".error-state", { hasText: status }).waitFor();
    const error = await visit.notice("error-state");
    assert.match(await error.innerText(), /Code\s*http_status/);
    assert.ok(await error.getByRole("button", { name: "Retry" }).isVisible());
  }
});

test("Retry asks again and shows what comes", async (t) => {
  answer = () => ({ status: 403, body: { message: "Restricted access" } });
  const visit = await open(t, onService("token-transfers"));
  const error = await visit.notice("error-state");
  assert.match(await error.innerText(), /403/);
  answer = () => page([transfer({ name: "Recovered" })]);
  await visit.button("Retry").click();
  assert.match((await visit.rows("token-transfers"))[0], /Recovered/);
});

test("a record that is not what it should be is a decode error with its path", async (t) => {
  answer = () => page([transfer(), { ...transfer({ index: 1 }), transaction_hash: 7 }]);
  const visit = await open(t, onService("token-transfers"));
  const text = await (await visit.notice("error-state")).innerText();
  assert.match(text, /Code\s*decode/);
  assert.match(text, /items\[1\]\.transaction_hash/);
});

test("a service that does not answer is a network error", async (t) => {
  const visit = await open(t);
  await visit.rows("token-transfers");
  await visit.page.getByText("Live service").click();
  const url = await unusedUrl();
  await visit.page.getByLabel("Base URL").fill(url);
  await visit.button("Connect").click();
  const error = await visit.notice("error-state");
  assert.match(await error.innerText(), /Code\s*network/);
  assert.equal(visit.query().get("source"), url);

  await visit.page.getByText("Sample data").click();
  assert.ok((await visit.rows("token-transfers")).length > 0, "the sample data is back");
  assert.equal(visit.query().get("source"), null);
});

test("a base URL that is none, and a damaged page token, say so", async (t) => {
  const wrong = await open(t, "?tab=all-addresses&source=ftp%3A%2F%2Fx");
  assert.match(await (await wrong.notice("error-state")).innerText(), /Code\s*invalid_parameter/);
  const damaged = await open(t, "?tab=all-addresses&at=nonsense&page=3");
  assert.match(await (await damaged.notice("error-state")).innerText(), /Code\s*(cursor|invalid_parameter)/);
  await damaged.button("Go to the first page").click();
  assert.ok((await damaged.rows("all-addresses")).length > 0);
});

test("Cancel ends the request under way, and Retry takes it up again", { timeout: 20_000 }, async (t) => {
  answer = () => null;
  const sent = service.requests.length;
  const visit = await open(t, onService("token-transfers"));
  assert.equal(await visit.page.locator("#panel").getAttribute("aria-busy"), "true");
  await sentRequest(sent);
  await visit.button("Cancel").click();
  await visit.page.getByRole("heading", { name: "Cancelled" }).waitFor();
  await service.requests[sent].closed;
  answer = () => page([transfer()]);
  await visit.button("Retry").click();
  assert.equal((await visit.rows("token-transfers")).length, 1);
});

test("a pause that the service asks for is told, and can be cancelled", { timeout: 20_000 }, async (t) => {
  const headers = { "retry-after": "60", "access-control-expose-headers": "retry-after" };
  answer = () => ({ status: 429, headers, body: { message: "Too many requests" } });
  const visit = await open(t, onService("token-transfers"));
  await visit.page.getByText(/^Loading… The service asks for a pause of about (60|59) s\.$/).waitFor();
  await visit.button("Cancel").click();
  await visit.page.getByRole("heading", { name: "Cancelled" }).waitFor();
});

test("an attempt that failed is told while the next one is waited for", { timeout: 20_000 }, async (t) => {
  let failed = false;
  answer = () => {
    const reply = failed ? page([transfer()]) : { status: 503, headers, body: {} };
    failed = true;
    return reply;
  };
  const headers = { "retry-after": "1", "access-control-expose-headers": "retry-after" };
  const visit = await open(t, onService("token-transfers"));
  await visit.page.getByText("An attempt failed (http_status); the next one follows in about 1 s.").waitFor();
  assert.equal((await visit.rows("token-transfers")).length, 1);
});

test("another tab aborts the request of the one before", { timeout: 20_000 }, async (t) => {
  answer = (path) => (path.endsWith("/logs") ? null : page([transfer()]));
  const sent = service.requests.length;
  const visit = await open(t, onService("logs"));
  await sentRequest(sent);
  await visit.tab("Token transfers").click();
  assert.equal((await visit.rows("token-transfers")).length, 1);
  await service.requests[sent].closed;
});

/** Waits until the service has seen the request number `index`. */
async function sentRequest(index) {
  while (service.requests.length <= index) await new Promise((done) => setImmediate(done));
}

/** The URL of a port that was free a moment ago, so that a connection is refused. */
function unusedUrl() {
  return new Promise((done) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => done(`http://127.0.0.1:${port}`));
    });
  });
}
