// The account area: balances and their freshness, tokens, and whole histories with progress, stop, resume and report.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { createSampleService } from "../../pkg/testing/index.js";
import { pastedAddresses } from "../../www/pasted.js";
import { useBrowser } from "./browse.mjs";
import { startService } from "./service.mjs";

const open = useBrowser();
const sample = createSampleService();
const hashOf = (label) => sample.addresses.find((address) => address.label === label).hash;

// The sample service behind HTTP, so that a test can hold an answer back or fail it.
let service;
let hold = () => null;
before(async () => {
  service = await startService(async (path, query, url) => {
    const held = hold(query);
    if (held) return held;
    const response = await sample.fetch(`https://sample.invalid${url}`);
    return { status: response.status, body: await response.json() };
  });
});
after(() => service.close());

const tab = (id, label, more = {}) => `?${new URLSearchParams({ tab: id, address: hashOf(label), ...more })}`;
const onService = (id, label) => tab(id, label, { source: service.url });
/** The tallies of the range reader: { Records: 60000, … }. */
const tallies = (visit) =>
  visit.page
    .locator(".tallies > div")
    .evaluateAll((all) =>
      Object.fromEntries(
        all.map(({ children: [label, value] }) => [label.textContent, Number(value.textContent.replaceAll(",", ""))]),
      ),
    );
const heading = (visit, name) => visit.page.getByRole("heading", { name, exact: true }).waitFor();
const isWindow = (query) => query.get("offset") === "10000";

test("pasted text gives each address once, and names what is none with its place", () => {
  const [a, b] = [hashOf("Deep history"), hashOf("Stale balance")];
  const pasted = pastedAddresses(`${a},\n "${b}"; 0x1234\t${a.toLowerCase()}\n\n<b>x</b>`);
  assert.deepEqual(pasted.addresses, [a, b]);
  assert.equal(pasted.repeated, 1);
  assert.deepEqual(pasted.wrong, [
    { text: "0x1234", place: 3 },
    { text: "<b>x</b>", place: 5 },
  ]);
});

test("balances of a pasted list: in its order, stale ones marked, bad ones named; then followed to fresh", async (t) => {
  const visit = await open(t, "?tab=balances");
  await visit.rows("balances");
  const list = ["Stale balance", "Unknown balance", "Largest balance", "Block producer"].map(hashOf);
  const area = visit.page.getByLabel("Addresses, one per line");
  await area.fill([...list, "0x1234<img/src=x>", list[0]].join("\n"));
  await area.press("Control+Enter");
  await visit.page.getByText("1 entry is not an address and was left out").waitFor();
  await visit.page.getByText("Entry 5: 0x1234<img").waitFor();
  assert.deepEqual(
    (await visit.rows("balances")).map((row) => row.replace(/^0x\S+ /, "")),
    ["1 stale", "— being fetched", "≈ 1.157 × 10⁵⁹ fresh", "4,096 fresh"],
  );
  const links = visit.page.locator("tbody a[data-address]");
  assert.deepEqual(await links.evaluateAll((all) => all.map(({ title }) => title)), list);
  assert.equal(await visit.page.locator("tbody .number").nth(1).getAttribute("title"), `${2n ** 256n - 1n} wei`);

  await visit.button("Follow until fresh").click();
  await visit.page.getByText("All balances are fresh").waitFor();
  assert.deepEqual(
    (await visit.rows("balances")).map((row) => row.replace(/^0x\S+ /, "")),
    ["2.5 now fresh+1.5", "0.077000… now fresh", "≈ 1.157 × 10⁵⁹ fresh", "4,096 fresh"],
  );
  assert.equal(await visit.button("Follow until fresh").count(), 0);

  await visit.page.reload();
  assert.equal((await visit.rows("balances")).length, 4, "the list is in the URL");
  await links.first().click();
  await visit.page.getByRole("tab", { name: "Transactions and transfers", selected: true }).waitFor();
  assert.equal(visit.query().get("address"), list[0]);
});

test("following can be stopped, and the balances are still there", async (t) => {
  const visit = await open(t, tab("balances", "Stuck balance"));
  assert.match((await visit.rows("balances"))[0], /stale/);
  await visit.button("Follow until fresh").click();
  await visit.page.getByText("Following 1 balance").waitFor();
  await visit.button("Cancel").click();
  await visit.page.getByText("Stopped following").waitFor();
  assert.match((await visit.rows("balances"))[0], / 5 stale$/);
  assert.equal(await visit.page.evaluate(() => document.activeElement.textContent), "Follow until fresh");
});

test("a list too long for the URL survives reload and back", async (t) => {
  const visit = await open(t, "?tab=balances");
  await visit.rows("balances");
  const many = Array.from({ length: 300 }, (_, index) => `0x${(index + 1).toString(16).padStart(40, "0")}`);
  await visit.page.getByLabel("Addresses, one per line").fill(many.join("\n"));
  await visit.button("Read balances").click();
  await visit.page.getByText("300 balances, in").waitFor();
  assert.equal((await visit.rows("balances")).length, 200);
  await visit.button("Show 100 more").click();
  assert.equal((await visit.rows("balances")).length, 300);
  assert.ok(visit.page.url().length < 1000);
  await visit.page.reload();
  await visit.page.getByText("300 balances, in").waitFor();
  await visit.tab("Tokens").click();
  await visit.rows("tokens");
  await visit.page.goBack();
  await visit.page.getByText("300 balances, in").waitFor();
});

test("the token list: names, standards, ids and amounts, a bounded number at once", async (t) => {
  const visit = await open(t);
  await visit.button("Account").click();
  await visit.tab("Tokens").click();
  const rows = await visit.rows("tokens");
  const all = sample.truthOf("tokenlist", { address: visit.query().get("address") });
  assert.ok(all.length > 200);
  assert.equal(rows.length, 200);
  assert.match(rows[0], /^Sample DollarSUSDERC-200xe96e…ce0d — ≈ 5\.701 × 10²²$/);
  assert.equal(await visit.page.locator("tbody .number").first().getAttribute("title"), `${all[0].balance} base units`);
  assert.ok(rows.some((row) => /ERC-1155.* #\d/.test(row)), "items have ids");
  await visit.button(`Show ${all.length - 200} more`).click();
  assert.equal((await visit.rows("tokens")).length, all.length);

  await visit.button("Lists").click();
  await visit.rows("token-transfers");
  await visit.button("Account").click();
  await visit.rows("tokens"); // the tab of the area that was last on show
});

test("60,000 transactions are read to the end, with few rows on the page and a report", async (t) => {
  const visit = await open(t, tab("history", "Deep history"));
  assert.equal((await visit.rows("history")).length, 25);
  await visit.button("Read all").click();
  await heading(visit, "Read completely");
  const { Records, Requests, "Least requests": least } = await tallies(visit);
  assert.deepEqual({ Records, least }, { Records: 60_000, least: 6 });
  assert.ok(Requests >= least && Requests <= 9, `${Requests} requests`);
  await visit.page.getByText("Every block of the range was read").waitFor();
  await visit.page.getByText("Shown: the newest 200 of 60,000 records").waitFor();

  const rows = await visit.page.locator("tbody tr").evaluateAll((all) =>
    all.map(({ cells }) => [
      cells[2].querySelector("[title]").title,
      cells[3].textContent.includes("failed"),
      cells[6].textContent,
    ]),
  );
  const truth = sample.truthOf("txlist", { address: hashOf("Deep history"), startblock: "23000000" }).slice(0, 200);
  assert.deepEqual(rows.map(([hash]) => hash), truth.map(({ hash }) => hash));
  assert.deepEqual(rows.map(([, failed]) => failed), truth.map(({ isError }) => isError === "1"));
  assert.deepEqual(rows.map(([, , to]) => to.includes("creates a contract")), truth.map(({ to }) => to === ""));
});

test("a reading that was stopped goes on without loss or repetition, oldest first too", { timeout: 40_000 }, async (t) => {
  let windows = 0;
  // The third window never comes.
  hold = (query) => (isWindow(query) && ++windows === 3 ? "never" : null);
  t.after(() => (hold = () => null));
  const visit = await open(t, `${onService("history", "Deep history")}&order=asc`);
  await visit.rows("history");
  await visit.button("Read all").click();
  await visit.page.locator(".tallies dd").first().filter({ hasText: /^1\d,\d{3}$/ }).waitFor();
  await visit.button("Cancel").click();
  await heading(visit, "Stopped");
  const stopped = await tallies(visit);
  assert.equal(stopped.Windows, 2);
  assert.ok(stopped.Records > 10_000 && stopped.Records < 20_001 && stopped["Blocks left"] > 0);
  assert.equal(await visit.page.evaluate(() => document.activeElement.textContent), "Resume");
  await visit.page.keyboard.press("Enter");
  await heading(visit, "Read completely");
  const done = await tallies(visit);
  assert.equal(done.Records, 60_000);
  assert.ok(done.Windows >= 6 && done.Requests >= 6 && done.Requests <= 9, "counted from the beginning, read once");
  const last = await visit.page.locator("tbody tr:last-child td:nth-child(3) [title]").first().getAttribute("title");
  const [newest] = sample.truthOf("txlist", { address: hashOf("Deep history"), startblock: "23699000" });
  assert.equal(last, newest.hash);
});

test("a failure in the middle is told, and Resume goes on from there", { timeout: 40_000 }, async (t) => {
  const windows = [];
  hold = (query) => {
    if (!isWindow(query) || windows.push(query) !== 2) return null;
    return { status: 403, body: { message: "Not today" } };
  };
  t.after(() => (hold = () => null));
  const visit = await open(t, `${onService("history", "Token distributor")}&records=erc-20`);
  await visit.button("Read all").click();
  assert.match(await (await visit.notice("error-state")).innerText(), /Not today[\s\S]*Status\s*403/);
  await visit.button("Resume").click();
  await heading(visit, "Read completely");
  assert.equal((await tallies(visit)).Records, 13_500);
  const first = windows.filter((query) => query.toString() === windows[0].toString());
  assert.equal(first.length, 1, "it did not start over");
});

test("another tab ends a reading, and nothing of it appears later", { timeout: 20_000 }, async (t) => {
  let windows = 0;
  hold = (query) => (isWindow(query) && ++windows === 2 ? "never" : null);
  t.after(() => (hold = () => null));
  const visit = await open(t, onService("history", "Deep history"));
  await visit.button("Read all").click();
  await visit.page.locator(".tallies dd").first().filter({ hasText: /^9,\d{3}$/ }).waitFor();
  const held = service.requests.at(-1);
  await visit.tab("Balances").click();
  await visit.rows("balances");
  await held.closed;
  assert.equal(await visit.page.locator(".reading").count(), 0);
});

test("what the service has not processed is told with the first look, and in the report", async (t) => {
  const lagging = await open(t, tab("history", "Unprocessed calls", { records: "internal", first: "23704970" }));
  await lagging.page.getByText("none in this range of blocks").waitFor();
  await lagging.page.getByText("Some internal transactions within this block range").waitFor();
  const visit = await open(t, tab("history", "Unprocessed calls", { records: "internal" }));
  await visit.page.getByText("Some internal transactions within this block range").waitFor();
  await visit.button("Read all").click();
  await heading(visit, "Read to the end, with gaps");
  await visit.page.getByText("Blocks 0 to the newest: Some internal transactions").waitFor();
});

test("refused, empty and out of order: the account area has its states, too", async (t) => {
  const visit = await open(t, tab("history", "Too heavy address"));
  assert.match(await (await visit.notice("error-state")).innerText(), /Code\s*http_status[\s\S]*500/);
  await visit.page.getByLabel("Sample addresses").selectOption({ label: "Unused account" });
  await visit.page.getByText("none in this range of blocks").waitFor();
  await visit.tab("Tokens").click();
  await visit.page.getByText("This address holds no tokens").waitFor();
  await visit.tab("Balances").click();
  await visit.page.getByLabel("Addresses, one per line").fill("nothing");
  await visit.button("Read balances").click();
  await visit.page.getByText("Nothing in the list is an address").waitFor();
});
