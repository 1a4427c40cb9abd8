// Tests of the account section: balances, token holdings and transaction history.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { createSampleService } from "../../pkg/testing/index.js";
import { parseAddresses } from "../../www/parse-addresses.js";
import { setUpBrowser } from "./demo-page.mjs";
import { startMockService } from "./mock-service.mjs";

const openDemo = setUpBrowser();
const sample = createSampleService();
const getHash = (label) => sample.addresses.find((address) => address.label === label).hash;

// Serves the sample data over HTTP. A test can replace single responses: with another one, or with "never" for none.
let service;
let replaceResponse = () => null;
before(async () => {
  service = await startMockService(async (_, query, url) => {
    const replacement = replaceResponse(query);
    if (replacement) return replacement === "never" ? null : replacement;
    const response = await sample.fetch(`https://sample.invalid${url}`);
    return { status: response.status, body: await response.json() };
  });
});
after(() => service.close());

/** Sets `replaceResponse` until the test ends. */
function replaceResponses(t, replace) {
  replaceResponse = replace;
  t.after(() => (replaceResponse = () => null));
}

const getQuery = (tab, label, parameters = {}) => `?${new URLSearchParams({ tab, address: getHash(label), ...parameters })}`;
const getMockServiceQuery = (tab, label, parameters = {}) => getQuery(tab, label, { source: service.url, ...parameters });

/** Reads the statistics of the progress section, such as { Records: 60000 }. */
const readStats = (demo) =>
  demo.page
    .locator(".stats > div")
    .evaluateAll((items) =>
      Object.fromEntries(
        items.map(({ children: [label, value] }) => [label.textContent, Number(value.textContent.replaceAll(",", ""))]),
      ),
    );
const waitForHeading = (demo, name) => demo.page.getByRole("heading", { name, exact: true }).waitFor();
const waitForRecordCount = (demo, pattern) => demo.page.locator(".stats dd").first().filter({ hasText: pattern }).waitFor();
const isWindowRequest = (query) => query.get("offset") === "10000";
const removeAddress = (row) => row.replace(/^0x\S+ /, "");

test("parseAddresses removes duplicates and reports the position of invalid entries", () => {
  const [a, b] = [getHash("Deep history"), getHash("Stale balance")];
  const result = parseAddresses(`${a},\n "${b}"; 0x1234\t${a.toLowerCase()}\n\n<b>x</b>`);
  assert.deepEqual(result.addresses, [a, b]);
  assert.equal(result.duplicates, 1);
  assert.deepEqual(result.invalid, [
    { entry: "0x1234", position: 3 },
    { entry: "<b>x</b>", position: 5 },
  ]);
});

test("balances keep the order of the list, report invalid entries, and refresh until up to date", async (t) => {
  const demo = await openDemo(t, "?tab=balances");
  await demo.readRows("balances");
  const hashes = ["Stale balance", "Unknown balance", "Largest balance", "Block producer"].map(getHash);
  const textarea = demo.page.getByLabel("Addresses, one per line");
  await textarea.fill([...hashes, "0x1234<img/src=x>", hashes[0]].join("\n"));
  await textarea.press("Control+Enter");
  await demo.page.getByText("1 invalid address was skipped").waitFor();
  await demo.page.getByText("Entry 5: 0x1234<img").waitFor();
  await demo.page.getByText("1 duplicate address was removed").waitFor();
  assert.deepEqual((await demo.readRows("balances")).map(removeAddress), [
    "1 stale",
    "— pending",
    "≈ 1.157 × 10⁵⁹ up to date",
    "4,095.236841… up to date",
  ]);
  const links = demo.page.locator("tbody a[data-address]");
  assert.deepEqual(await links.evaluateAll((links) => links.map(({ title }) => title)), hashes);
  assert.equal(await demo.page.locator("tbody .number").nth(1).getAttribute("title"), `${2n ** 256n - 1n} wei`);

  await demo.getButton("Refresh until up to date").click();
  await demo.page.getByText("All balances are up to date").waitFor();
  assert.deepEqual((await demo.readRows("balances")).map(removeAddress), [
    "2.5 updated+1.5",
    "0.077000… updated",
    "≈ 1.157 × 10⁵⁹ up to date",
    "4,095.236841… up to date",
  ]);
  assert.equal(await demo.getButton("Refresh until up to date").count(), 0);

  await demo.page.reload();
  assert.equal((await demo.readRows("balances")).length, 4, "the URL contains the list");
  await links.first().click();
  await demo.page.getByRole("tab", { name: "Transaction history", selected: true }).waitFor();
  assert.equal(demo.getQuery().get("address"), hashes[0]);
});

test("cancelling a refresh keeps the balances", async (t) => {
  const demo = await openDemo(t, getQuery("balances", "Stuck balance"));
  assert.match((await demo.readRows("balances"))[0], /stale/);
  await demo.getButton("Refresh until up to date").click();
  await demo.page.getByText("Refreshing 1 balance").waitFor();
  await demo.getButton("Cancel").click();
  await demo.page.getByText("Refresh cancelled").waitFor();
  assert.match((await demo.readRows("balances"))[0], / 5 stale$/);
  assert.equal(await demo.getFocusedText(), "Refresh until up to date");
});

test("a list too long for the URL survives reload and back", async (t) => {
  const demo = await openDemo(t, "?tab=balances");
  await demo.readRows("balances");
  const hashes = Array.from({ length: 300 }, (_, index) => `0x${(index + 1).toString(16).padStart(40, "0")}`);
  const waitForBalances = () => demo.page.getByText("300 balances", { exact: true }).waitFor();
  await demo.page.getByLabel("Addresses, one per line").fill(hashes.join("\n"));
  await demo.getButton("Get balances").click();
  await waitForBalances();
  assert.equal((await demo.readRows("balances")).length, 200);
  await demo.getButton("Show 100 more").click();
  assert.equal((await demo.readRows("balances")).length, 300);
  assert.ok(demo.page.url().length < 1000);
  await demo.page.reload();
  await waitForBalances();
  await demo.getTab("Token holdings").click();
  await demo.readRows("tokens");
  await demo.page.goBack();
  await waitForBalances();
});

test("token holdings show names, types, IDs and amounts, 200 rows at a time", async (t) => {
  const demo = await openDemo(t);
  await demo.getButton("Account API").click();
  await demo.getTab("Token holdings").click();
  const rows = await demo.readRows("tokens");
  const holdings = sample.getAllRows("tokenlist", { address: demo.getQuery().get("address") });
  assert.ok(holdings.length > 200);
  assert.equal(rows.length, 200);
  assert.match(rows[0], /^Sample DollarSUSDERC-200xe96e…ce0d — 20,038\.06806$/);
  const tooltip = await demo.page.locator("tbody .number").first().getAttribute("title");
  assert.equal(tooltip, `${holdings[0].balance} base units`);
  assert.ok(
    rows.some((row) => /ERC-1155.* #\d/.test(row)),
    "NFTs have token IDs",
  );
  await demo.getButton(`Show ${holdings.length - 200} more`).click();
  assert.equal((await demo.readRows("tokens")).length, holdings.length);
});

test("switching sections returns to the last selected tab of each", async (t) => {
  const demo = await openDemo(t);
  await demo.readRows("token-transfers");
  await demo.getButton("Account API").click();
  await demo.getTab("Token holdings").click();
  await demo.readRows("tokens");
  await demo.getButton("REST API").click();
  await demo.readRows("token-transfers");
  await demo.getButton("Account API").click();
  await demo.readRows("tokens");
});

test("Load all reads 60,000 transactions, shows the newest 200 and a report", async (t) => {
  const demo = await openDemo(t, getQuery("history", "Deep history"));
  assert.equal((await demo.readRows("history")).length, 25);
  await demo.getButton("Load all").click();
  await waitForHeading(demo, "Complete");
  const { Records, Requests, "Minimum requests": minimumRequests } = await readStats(demo);
  assert.deepEqual({ Records, minimumRequests }, { Records: 60_000, minimumRequests: 6 });
  // Two parts are read at the same time. Each may end with a response that is not full.
  assert.ok(Requests >= minimumRequests && Requests <= 2 * minimumRequests, `${Requests} requests`);
  await demo.page.getByText("Every block in the range was read").waitFor();
  await demo.page.getByText("Showing the newest 200 of 60,000 records").waitFor();

  const rows = await demo.page.locator("tbody tr").evaluateAll((rows) =>
    rows.map(({ cells }) => ({
      hash: cells[2].querySelector("[title]").title,
      hasFailed: cells[3].textContent.includes("Failed"),
      createsContract: cells[6].textContent.includes("Contract creation"),
    })),
  );
  const records = sample.getAllRows("txlist", { address: getHash("Deep history"), startblock: "23000000" }).slice(0, 200);
  assert.deepEqual(
    rows,
    records.map(({ hash, isError, to }) => ({ hash, hasFailed: isError === "1", createsContract: to === "" })),
  );
});

test("a paused history resumes without lost or duplicate records, oldest first", { timeout: 40_000 }, async (t) => {
  let windows = 0;
  replaceResponses(t, (query) => (isWindowRequest(query) && ++windows === 3 ? "never" : null));
  const demo = await openDemo(t, getMockServiceQuery("history", "Deep history", { order: "asc" }));
  await demo.readRows("history");
  await demo.getButton("Load all").click();
  await waitForRecordCount(demo, /^1\d,\d{3}$/);
  await demo.getButton("Cancel").click();
  await waitForHeading(demo, "Paused");
  const paused = await readStats(demo);
  assert.equal(paused.Windows, 2);
  assert.ok(paused.Records > 10_000 && paused.Records < 20_001 && paused["Blocks left"] > 0);
  assert.equal(await demo.getFocusedText(), "Resume");
  await demo.page.keyboard.press("Enter");
  await waitForHeading(demo, "Complete");
  const done = await readStats(demo);
  assert.equal(done.Records, 60_000);
  assert.ok(done.Windows >= 6 && done.Requests >= 6 && done.Requests <= 9, "the totals include both runs");
  const lastHash = demo.page.locator("tbody tr:last-child td:nth-child(3) [title]").first();
  const [newest] = sample.getAllRows("txlist", { address: getHash("Deep history"), startblock: "23699000" });
  assert.equal(await lastHash.getAttribute("title"), newest.hash);
});

test("Resume continues a history after an error", { timeout: 40_000 }, async (t) => {
  const windowQueries = [];
  replaceResponses(t, (query) => {
    if (!isWindowRequest(query) || windowQueries.push(query) !== 2) return null;
    return { status: 403, body: { message: "Not today" } };
  });
  const demo = await openDemo(t, getMockServiceQuery("history", "Token distributor", { type: "erc-20" }));
  await demo.getButton("Load all").click();
  assert.match(await (await demo.waitForNotice("error-state")).innerText(), /Not today[\s\S]*HTTP status\s*403/);
  await demo.getButton("Resume").click();
  await waitForHeading(demo, "Complete");
  assert.equal((await readStats(demo)).Records, 13_500);
  const firstWindowRequests = windowQueries.filter((query) => query.toString() === windowQueries[0].toString());
  assert.equal(firstWindowRequests.length, 1, "it did not start over");
});

test("selecting another tab aborts the loading of a history", { timeout: 20_000 }, async (t) => {
  let windows = 0;
  replaceResponses(t, (query) => (isWindowRequest(query) && ++windows === 2 ? "never" : null));
  const demo = await openDemo(t, getMockServiceQuery("history", "Deep history"));
  await demo.getButton("Load all").click();
  await waitForRecordCount(demo, /^9,\d{3}$/);
  const pendingRequest = service.requests.at(-1);
  await demo.getTab("Balances").click();
  await demo.readRows("balances");
  await pendingRequest.closed;
  assert.equal(await demo.page.locator(".range-progress").count(), 0);
});

test("blocks that the service has not processed are reported in the preview and at the end", async (t) => {
  const emptyRange = { type: "internal", "from-block": "23704990" };
  const emptyDemo = await openDemo(t, getQuery("history", "Unprocessed calls", emptyRange));
  await emptyDemo.page.getByText("no records in this block range").waitFor();
  await emptyDemo.page.getByText("Some internal transactions within this block range").waitFor();
  const demo = await openDemo(t, getQuery("history", "Unprocessed calls", { type: "internal" }));
  await demo.page.getByText("Some internal transactions within this block range").waitFor();
  await demo.getButton("Load all").click();
  await waitForHeading(demo, "Finished with gaps");
  await demo.page.getByText("Blocks 0 to latest: Some internal transactions").waitFor();
});

test("the account section shows errors and empty results", async (t) => {
  const demo = await openDemo(t, getQuery("history", "Overloaded address"));
  assert.match(await (await demo.waitForNotice("error-state")).innerText(), /Code\s*http_status[\s\S]*500/);
  await demo.page.getByLabel("Sample addresses").selectOption({ label: "Unused account" });
  await demo.page.getByText("no records in this block range").waitFor();
  await demo.getTab("Token holdings").click();
  await demo.page.getByText("This address holds no tokens").waitFor();
  await demo.getTab("Balances").click();
  await demo.page.getByLabel("Addresses, one per line").fill("nothing");
  await demo.getButton("Get balances").click();
  await demo.page.getByText("No valid addresses").waitFor();
});
