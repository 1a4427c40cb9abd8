// Tests of the account tools: balances of many addresses, whole ranges of blocks, and the audit.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { createSampleService } from "../../pkg/testing/index.js";
import { setUpBrowser } from "./demo-page.mjs";
import { importSource } from "./import-source.mjs";
import { startMockService } from "./mock-service.mjs";

const { parseAddresses } = await importSource("tools/parse-addresses.ts");
const { isComplete, RangeReader } = await importSource("tools/range-reader.ts");

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

const getQuery = (tool, label, parameters = {}) =>
  `?${new URLSearchParams({ tab: "tools", tool, address: getHash(label), ...parameters })}`;
const getMockServiceQuery = (tool, label, parameters = {}) => getQuery(tool, label, { source: service.url, ...parameters });
const BALANCES = `?${new URLSearchParams({ tab: "tools", tool: "balances", addresses: getHash("Exchange hot wallet") })}`;

/** Reads the statistics of the progress section, such as { Records: 60000 }. */
const readStats = (demo) =>
  demo.page
    .locator(".range-progress .stats > div")
    .evaluateAll((items) =>
      Object.fromEntries(
        items.map(({ children: [label, value] }) => [label.textContent, Number(value.textContent.replaceAll(",", ""))]),
      ),
    );
const waitForHeading = (demo, name) => demo.page.getByRole("heading", { name, exact: true }).waitFor();
const waitForRecordCount = (demo, pattern) =>
  demo.page.locator(".range-progress .stats dd").first().filter({ hasText: pattern }).waitFor();
const isWindowRequest = (query) => query.get("offset") === "10000";
const removeAddress = (row) => row.replace(/^0x\S+ /, "");
const getLink = (demo, name) => demo.page.getByRole("link", { name, exact: true });

test("parseAddresses removes duplicates and reports the position of invalid entries", () => {
  const [a, b] = [getHash("Exchange hot wallet"), getHash("Stale balance")];
  const result = parseAddresses(`${a},\n "${b}"; 0x1234\t${a.toLowerCase()}\n\n<b>x</b>`, 1);
  assert.deepEqual(result.addresses, [a, b]);
  assert.equal(result.duplicates, 1);
  assert.deepEqual(result.invalid, [
    { entry: "0x1234", position: 3 },
    { entry: "<b>x</b>", position: 5 },
  ]);
  const wrong = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD";
  assert.deepEqual(parseAddresses(wrong, 1).invalid, [{ entry: wrong, position: 1 }]);
  assert.deepEqual(parseAddresses(`${wrong} ${wrong.toLowerCase()}`, 1).addresses, [wrong.toLowerCase()]);
});

test("balances keep the order of the list, report invalid entries, and refresh until up to date", async (t) => {
  const demo = await openDemo(t, BALANCES);
  await demo.readRows("balances");
  const hashes = ["Stale balance", "Unknown balance", "Largest balance", "Validator"].map(getHash);
  const textarea = demo.page.getByLabel("Addresses, one per line");
  await textarea.fill([...hashes, "0x1234<img/src=x>", hashes[0]].join("\n"));
  await textarea.press("Control+Enter");
  await demo.page.getByText("1 invalid address was skipped").waitFor();
  await demo.page.getByText("Entry 5: 0x1234<img").waitFor();
  await demo.page.getByText("1 duplicate address was removed").waitFor();
  assert.deepEqual((await demo.readRows("balances")).map(removeAddress), [
    "1 ETH stale",
    "— pending",
    "≈ 1.157 × 10⁵⁹ ETH up to date",
    "4,095.236627… ETH up to date",
  ]);
  const links = demo.page.locator("tbody a[data-address]");
  const shown = await links.evaluateAll((links) => links.map(({ dataset }) => dataset.address));
  assert.deepEqual(
    shown,
    hashes.map((hash) => hash.toLowerCase()),
  );
  assert.equal(
    await demo.page
      .locator("tbody .number")
      .nth(1)
      .getAttribute("title")
      .then((title) => title.split(" ")[1]),
    `(${2n ** 256n - 1n}`,
  );

  await demo.getButton("Refresh until up to date").click();
  await demo.page.getByText("All balances are up to date").waitFor();
  assert.deepEqual((await demo.readRows("balances")).map(removeAddress), [
    "2.5 ETH updated+1.5 ETH",
    "0.077000… ETH updated",
    "≈ 1.157 × 10⁵⁹ ETH up to date",
    "4,095.236627… ETH up to date",
  ]);
  assert.equal(await demo.getButton("Refresh until up to date").count(), 0);

  await demo.page.reload();
  assert.equal((await demo.readRows("balances")).length, 4, "the URL contains the list");
  await links.first().click();
  await demo.page.getByRole("tab", { name: "Overview", selected: true }).waitFor();
  assert.equal(demo.getQuery().get("address"), hashes[0]);
});

test("cancelling a refresh keeps the balances", async (t) => {
  const demo = await openDemo(t, getQuery("balances", "Stuck balance"));
  assert.match((await demo.readRows("balances"))[0], /stale/);
  await demo.getButton("Refresh until up to date").click();
  await demo.page.getByText("Refreshing 1 balance").waitFor();
  await demo.getButton("Cancel").click();
  await demo.page.getByText("Refresh cancelled").waitFor();
  assert.match((await demo.readRows("balances"))[0], / 5 ETH stale$/);
  assert.equal(await demo.getFocusedText(), "Refresh until up to date");
});

test("a list too long for the URL survives reload and back", async (t) => {
  const demo = await openDemo(t, BALANCES);
  await demo.readRows("balances");
  const hashes = Array.from({ length: 300 }, (_, index) => `0x${(index + 1).toString(16).padStart(40, "0")}`);
  const waitForBalances = () => demo.page.getByText("300 balances", { exact: true }).waitFor();
  await demo.page.getByLabel("Addresses, one per line").fill(hashes.join("\n"));
  await demo.getButton("Get balances").click();
  await waitForBalances();
  assert.equal((await demo.readRows("balances")).length, 300);
  assert.ok(demo.page.url().length < 1000);
  await demo.page.reload();
  await waitForBalances();
  await demo.showTab("All token transfers");
  await demo.readRows("all-token-transfers");
  await demo.page.goBack();
  await waitForBalances();
});

test("Load all reads 60,000 transactions, shows the newest 200 and a report", async (t) => {
  const demo = await openDemo(t, getQuery("range", "Exchange hot wallet"));
  assert.equal((await demo.readRows("range")).length, 25);
  await demo.getButton("Load all").click();
  await waitForHeading(demo, "Complete");
  const { Records, Requests, "Minimum requests": minimumRequests } = await readStats(demo);
  assert.deepEqual({ Records, minimumRequests }, { Records: 60_000, minimumRequests: 6 });
  // Two parts are read in parallel. Each may end with a response that is not full, and where the density of the rows
  // changes, a request for a single row finds where a part ends.
  assert.ok(Requests >= minimumRequests && Requests <= 3 * minimumRequests, `${Requests} requests`);
  await demo.page.getByText("Every block in the range was read").waitFor();
  await demo.page.getByText("Showing the newest 200 of 60,000 records").waitFor();

  const rows = await demo.readRows("range");
  const records = sample.getAllRows("txlist", { address: getHash("Exchange hot wallet"), startblock: "23000000" }).slice(0, 200);
  assert.equal(rows.length, 200);
  for (const [index, { hash, isError, to }] of records.entries()) {
    assert.ok(rows[index].includes(`${hash.slice(0, 6)}…${hash.slice(-4)}`), rows[index]);
    assert.equal(/failed|Failed|reverted/.test(rows[index]), isError === "1", rows[index]);
    assert.equal(rows[index].includes("Contract creation"), to === "", rows[index]);
  }
});

test("a paused history resumes without lost or duplicate records, oldest first", { timeout: 40_000 }, async (t) => {
  // The first two windows arrive. The third one, and requests that are concurrent with it, hang until the pause.
  const rows = sample.getAllRows("txlist", { address: getHash("Exchange hot wallet"), sort: "asc" });
  const lastBlock = Number(rows[15_000].blockNumber);
  let isPaused = false;
  replaceResponses(t, (query) =>
    isWindowRequest(query) && !isPaused && Number(query.get("startblock") ?? 0) > lastBlock ? "never" : null,
  );
  const demo = await openDemo(t, getMockServiceQuery("range", "Exchange hot wallet", { order: "asc" }));
  await demo.readRows("range");
  await demo.getButton("Load all").click();
  await waitForRecordCount(demo, /^1\d,\d{3}$/);
  await demo.getButton("Cancel").click();
  await waitForHeading(demo, "Paused");
  isPaused = true;
  const paused = await readStats(demo);
  assert.equal(paused.Windows, 2);
  assert.ok(paused.Records > 10_000 && paused.Records < 20_001 && paused["Blocks left"] > 0);
  assert.equal(await demo.getFocusedText(), "Resume");
  await demo.page.keyboard.press("Enter");
  await waitForHeading(demo, "Complete");
  const done = await readStats(demo);
  assert.equal(done.Records, 60_000);
  assert.ok(
    done.Windows >= 6 && done.Requests > paused.Requests && done.Requests <= 20,
    `${done.Requests} requests in both runs`,
  );
  const lastRow = (await demo.readRows("range")).at(-1);
  const [newest] = sample.getAllRows("txlist", { address: getHash("Exchange hot wallet"), startblock: "23699000" });
  assert.ok(lastRow.includes(`${newest.hash.slice(0, 6)}…${newest.hash.slice(-4)}`), lastRow);
});

test("Resume continues a history after an error", { timeout: 40_000 }, async (t) => {
  const windowQueries = [];
  replaceResponses(t, (query) => {
    if (!isWindowRequest(query) || windowQueries.push(query) !== 2) return null;
    return { status: 403, body: { message: "Not today" } };
  });
  const demo = await openDemo(t, getMockServiceQuery("range", "Token distributor", { type: "erc-20" }));
  await demo.getButton("Load all").click();
  assert.match(await (await demo.waitForNotice("error-box")).innerText(), /Not today[\s\S]*HTTP 403/);
  await demo.getButton("Resume").click();
  await waitForHeading(demo, "Complete");
  assert.equal((await readStats(demo)).Records, 13_500);
  const firstWindowRequests = windowQueries.filter((query) => query.toString() === windowQueries[0].toString());
  assert.equal(firstWindowRequests.length, 1, "it did not start over");
});

test("a range with omitted records is not complete, even after it was resumed", async () => {
  const report = { windows: 1, requests: 1, nextBlock: 5, incompleteBlocks: [], unprocessed: [], changedBlocks: [] };
  const omitted = { count: 1, first: [{ source: "txList", block: 4, path: "result[0].from" }] };
  const reports = [
    { ...report, omitted },
    { ...report, nextBlock: null, omitted: { count: 0, first: [] } },
  ];
  const all = () => ({
    report: reports.shift(),
    resumeToken: "token",
    async *windows() {
      yield [];
      if (this.report.nextBlock !== null) throw new Error("offline");
    },
  });
  const reader = new RangeReader({ all }, { sort: "asc" }, 10);
  await assert.rejects(
    reader.run(undefined, async () => {}),
    { message: "offline" },
  );
  await reader.run(undefined, async () => {});
  assert.deepEqual([isComplete(reader.report), reader.report.omitted], [false, omitted]);
});

test("selecting another tab aborts the loading of a history", { timeout: 20_000 }, async (t) => {
  let windows = 0;
  replaceResponses(t, (query) => (isWindowRequest(query) && ++windows === 2 ? "never" : null));
  const demo = await openDemo(t, getMockServiceQuery("range", "Exchange hot wallet"));
  await demo.getButton("Load all").click();
  await waitForRecordCount(demo, /^9,\d{3}$/);
  const pendingRequest = service.requests.at(-1);
  await getLink(demo, "Balances").click();
  await demo.readRows("balances");
  await pendingRequest.closed;
  assert.equal(await demo.page.locator(".range-progress").count(), 0);
});

test("blocks that the service has not processed are reported in the preview and at the end", async (t) => {
  const emptyRange = { type: "internal", "from-block": "23704990" };
  const emptyDemo = await openDemo(t, getQuery("range", "Unprocessed calls", emptyRange));
  await emptyDemo.page.getByText("no records in this block range").waitFor();
  await emptyDemo.page.getByText("Some internal transactions within this block range").waitFor();
  const demo = await openDemo(t, getQuery("range", "Unprocessed calls", { type: "internal" }));
  await demo.page.getByText("Some internal transactions within this block range").waitFor();
  await demo.getButton("Load all").click();
  await waitForHeading(demo, "Finished with gaps");
  await demo.page.getByText("Blocks 0 to latest: Some internal transactions").waitFor();
});

test("the account tools show errors and empty results", async (t) => {
  const demo = await openDemo(t, getQuery("range", "Overloaded address"), { settings: {} });
  assert.match(await (await demo.waitForNotice("error-box")).innerText(), /http_status[\s\S]*500/);
  await demo.chooseSample("Fresh wallet");
  await getLink(demo, "All records").click();
  await demo.page.getByText("no records in this block range").waitFor();
  await getLink(demo, "Balances").click();
  await demo.page.getByLabel("Addresses, one per line").fill("nothing");
  await demo.getButton("Get balances").click();
  await demo.page.getByText("No valid addresses").waitFor();
});

test("an audit compares the sums of all events with the reported balances", { timeout: 60_000 }, async (t) => {
  const demo = await openDemo(t, getQuery("audit", "Quiet account"));
  await demo.getButton("Start audit").click();
  await demo.page.getByText(/as of block/).waitFor();
  const rows = await demo.page.locator('[data-tab="audit"] tbody tr').allInnerTexts();
  assert.ok(rows.length > 0 && rows.every((row) => /Agrees|Differs|Not known/.test(row)), rows.join());
  await demo.page.getByRole("heading", { name: "Sources" }).waitFor();
});
