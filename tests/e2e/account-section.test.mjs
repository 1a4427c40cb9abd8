// Tests of the account tools: balances of many addresses, and the audit.
import assert from "node:assert/strict";
import { test } from "node:test";
import { createSampleService } from "../../pkg/testing/index.js";
import { openDemo } from "./demo-page.mjs";
import { importSource } from "./import-source.mjs";

const { parseAddresses } = await importSource("tools/parse-addresses.ts");

const sample = createSampleService();
const getHash = (label) => sample.addresses.find((address) => address.label === label).hash;

const getQuery = (tool, label, parameters = {}) =>
  `?${new URLSearchParams({ tab: "tools", tool, address: getHash(label), ...parameters })}`;
const BALANCES = `?${new URLSearchParams({ tab: "tools", tool: "balances", addresses: getHash("Exchange hot wallet") })}`;

const removeAddress = (row) => row.replace(/^0x\S+ /, "");

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
  await demo.waitForRows("balances");
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
    "4,095.160606… ETH up to date",
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
    "4,095.160606… ETH up to date",
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
  await demo.waitForRows("balances");
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
  await demo.waitForRows("all-token-transfers");
  await demo.page.goBack();
  await waitForBalances();
});

test("the account tools show errors and empty results", async (t) => {
  const demo = await openDemo(t, getQuery("balances", "Overloaded address"), { settings: {} });
  const box = demo.page.locator("aq-balances .error-box");
  await box.waitFor();
  assert.match(await box.innerText(), /http_status[\s\S]*500/);
  await demo.page.getByLabel("Addresses, one per line").fill("nothing");
  await demo.getButton("Get balances").click();
  await demo.page.getByText("No valid addresses").waitFor();
});

test("an audit compares the sums of all events with the reported balances", async (t) => {
  const demo = await openDemo(t, getQuery("audit", "Quiet account"));
  await demo.getButton("Start audit").click();
  await demo.page.getByText(/as of block/).waitFor();
  const rows = await demo.page.locator('[data-tab="audit"] tbody tr').allInnerTexts();
  assert.ok(rows.length > 0 && rows.every((row) => /Agrees|Differs|Not known/.test(row)), rows.join());
  await demo.page.getByRole("heading", { name: "Sources" }).waitFor();
});
