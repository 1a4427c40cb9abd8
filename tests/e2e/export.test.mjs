// Tests of the export of lists and of the history.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, test } from "node:test";
import { createSampleService } from "../../pkg/testing/index.js";
import { waitUntil } from "../wait-until.mjs";
import { openDemo } from "./demo-page.mjs";
import { startMockService } from "./mock-service.mjs";

const sample = createSampleService();
const hub = sample.addresses.find(({ id }) => id === "hub").hash;
const minter = sample.addresses.find(({ id }) => id === "minter").hash;
const quiet = sample.addresses.find(({ id }) => id === "quiet").hash;

// Serves the sample data over HTTP. A test can delay or replace single responses.
let service;
let intercept = async () => null;
before(async () => {
  service = await startMockService(async (path, query, url) => {
    const replacement = await intercept(path, query);
    if (replacement) return replacement;
    const response = await sample.fetch(`https://sample.invalid${url}`);
    return { status: response.status, body: await response.json() };
  });
});
after(() => service.close());

function interceptRequests(t, act) {
  intercept = act;
  t.after(() => (intercept = async () => null));
}

/** Without a file dialog, files are downloaded. `prepare` runs in the page before its scripts. */
async function openExport(t, query, prepare) {
  const demo = await openDemo(t, query, { prepare });
  const removeDialog = () => delete window.showSaveFilePicker;
  await demo.page.addInitScript(removeDialog);
  await demo.page.evaluate(removeDialog);
  const menu = demo.page.locator("aq-export-menu");
  const open = () => menu.locator(".menu-button").click();
  await open();
  const save = async () => {
    const [download] = await Promise.all([demo.page.waitForEvent("download"), menu.getByText("Save file").click()]);
    return { name: download.suggestedFilename(), text: await readFile(await download.path(), "utf8") };
  };
  return { demo, menu, open, save, getButton: (name) => menu.getByRole("button", { name, exact: true }) };
}

/** The page removes an export after its file was saved, or the user discarded it. A reload before that would keep it. */
const waitForRemoval = (demo) =>
  waitUntil("the export is removed", async () => !(await demo.readStoredKeys()).some((key) => key.startsWith("export/")));

test("exports all transfers as CSV, beyond the current page", async (t) => {
  const { getButton, save, menu } = await openExport(t, `?address=${minter}&tab=token-transfers`);
  await getButton("CSV").click();
  await menu.getByText("Export ready").waitFor();
  const { name, text } = await save();
  assert.equal(name, `token-transfers-${minter.slice(0, 10)}.csv`);
  const [header, ...lines] = text.trimEnd().split("\r\n");
  assert.match(header, /^"timestamp","block_number","transaction_hash",/);
  const expected = sample.getAllItems(`/addresses/${minter}/token-transfers`);
  assert.ok(expected.length > 500);
  assert.deepEqual(
    lines.map((line) => line.split(",").slice(2, 4).join()),
    expected.map(({ transaction_hash, log_index }) => `"${transaction_hash}",${log_index}`),
  );
});

test("the menu says what an export needs before it starts", async (t) => {
  const query = `?${new URLSearchParams({ source: service.url, address: minter, tab: "token-transfers" })}`;
  const { demo, open, menu, getButton } = await openExport(t, query);
  await menu.getByText(/^Takes about .+: 659 token transfers in 14 to 15 requests\.$/).waitFor();
  await demo.page.keyboard.press("Escape");
  // The watch of the address requests other paths meanwhile.
  const countPages = () => service.requests.filter(({ path }) => path.endsWith("/token-transfers")).length;
  const pagesBefore = countPages();
  await open();
  await menu.getByText(/^Takes about/).waitFor();
  assert.equal(countPages(), pagesBefore, "the estimate is requested once");
  await getButton("CSV").click();
  await menu.getByText("Export ready").waitFor();
  const pages = countPages() - pagesBefore;
  assert.ok(pages >= 14 && pages <= 15, `${pages} requests`);
});

test("exports of a history and of a period show their progress", async (t) => {
  const { menu: historyMenu } = await openExport(t, `?address=${quiet}&tab=history`);
  await historyMenu.getByText(/^Takes .+: .*47 events in \d+ to \d+ requests\.$/).waitFor();

  const [{ height }] = sample.getAllItems("/blocks");
  let release;
  const isReleased = new Promise((resolve) => (release = resolve));
  interceptRequests(t, async (_, query) => {
    // The single rows of the estimate have the offset 1.
    if (query.get("action") === "txlist" && query.get("offset") === "10000") await isReleased;
    return null;
  });
  const filters = { include: "transaction", order: "asc", blocks: `${height - 20_000}-` };
  const query = `?${new URLSearchParams({ source: service.url, address: hub, tab: "history", ...filters })}`;
  const { menu, getButton } = await openExport(t, query);
  await menu.getByText(/^Takes .+: \d+ to 7\d\d events in \d to \d requests\.$/).waitFor();
  await getButton("NDJSON").click();
  await menu.getByText(/^NDJSON: 0 events of about 7\d\d/).waitFor();
  release();
  await menu.getByText("Export ready").waitFor();
});

test("exports only the records that match the filters, as NDJSON", async (t) => {
  const { getButton, save } = await openExport(t, `?address=${hub}&tab=token-transfers&type=ERC-721`);
  await getButton("NDJSON").click();
  const { name, text } = await save();
  assert.match(name, /\.ndjson$/);
  const records = text.trimEnd().split("\n").map(JSON.parse);
  const expected = sample.getAllItems(`/addresses/${hub}/token-transfers`, { type: "ERC-721" });
  assert.deepEqual(
    records.map(({ transaction_hash, log_index }) => `${transaction_hash} ${log_index}`),
    expected.map(({ transaction_hash, log_index }) => `${transaction_hash} ${log_index}`),
  );
});

test("exports the history with its accounting columns", async (t) => {
  const { getButton, save } = await openExport(t, `?address=${quiet}&tab=history`);
  await getButton("CSV for accounting").click();
  const { text } = await save();
  const [header, ...lines] = text.trimEnd().split("\r\n");
  assert.match(header, /sent/);
  assert.match(header, /received/);
  assert.ok(lines.length > 0 && lines.length <= sample.getEvents(quiet).length, `${lines.length} lines`);
});

test("exports the activities of a history for a tax program", async (t) => {
  const { getButton, save } = await openExport(t, `?address=${quiet}&tab=history`);
  await getButton("Koinly").click();
  const { text } = await save();
  const [header, ...lines] = text.trimEnd().split("\r\n");
  assert.match(header, /Date.*Sent Amount.*Received Currency/);
  assert.ok(lines.length > 0 && lines.some((line) => line.includes("ETH")), lines[0]);
});

test("a cancelled export resumes after a reload, without lost or duplicate records", async (t) => {
  let pages = 0;
  let release;
  const isReleased = new Promise((resolve) => (release = resolve));
  interceptRequests(t, async (path, query) => {
    // The estimate reads pages of one type. A resumed export requests it again if the first one came too late to be stored.
    const isOfExport = path.endsWith("/token-transfers") && query.has("block_number") && !query.has("type");
    if (isOfExport && ++pages > 4) await isReleased;
    return null;
  });
  const query = `?${new URLSearchParams({ source: service.url, address: hub, tab: "token-transfers" })}`;
  const { demo, getButton, open, save, menu } = await openExport(t, query);
  await getButton("NDJSON").click();
  await menu.getByText(/NDJSON: 250 token transfers of about 3,\d{3}/).waitFor();
  assert.ok((await menu.locator("progress").getAttribute("value")) !== "0");
  await getButton("Cancel").click();
  await menu.getByText("Export unfinished").waitFor();
  release();

  await demo.page.reload();
  await menu.getByText("Export unfinished").waitFor();
  const pagesBefore = pages;
  await open();
  await getButton("Resume").click();
  const { text } = await save();
  const expected = sample.getAllItems(`/addresses/${hub}/token-transfers`);
  assert.deepEqual(
    text
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line).log_index),
    expected.map(({ log_index }) => log_index),
  );
  const pagesAfter = pages - pagesBefore;
  assert.ok(pagesAfter <= expected.length / 50 - 3, `${pagesAfter} requests: it did not start over`);

  await getButton("Discard").click();
  await getButton("NDJSON").waitFor();
  await waitForRemoval(demo);
  await demo.page.reload();
  await menu
    .locator(".menu-button")
    .filter({ hasText: /^Export$/ })
    .waitFor();
});

test("an export that fails keeps its records and can be resumed", async (t) => {
  let fails = true;
  interceptRequests(t, async (path, query) =>
    path.endsWith("/transactions") && query.has("block_number") && fails ? { status: 403, body: { message: "Not today" } } : null,
  );
  const query = `?${new URLSearchParams({ source: service.url, address: hub, tab: "transactions" })}`;
  const { getButton, save, menu } = await openExport(t, query);
  await getButton("NDJSON").click();
  await menu.getByText("Not today").waitFor();
  assert.match(await menu.getByRole("status").innerText(), /50 transactions/);
  fails = false;
  await getButton("Resume").click();
  const { text } = await save();
  const expected = sample.getAllItems(`/addresses/${hub}/transactions`);
  assert.deepEqual(
    text
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line).hash),
    expected.map(({ hash }) => hash),
  );
});

/** Ways in which the storage of a browser fails. Each runs in the page before its scripts. */
const BROKEN_STORAGE = {
  "is denied": () => {
    const deny = () => {
      throw new DOMException("Access denied", "SecurityError");
    };
    Object.assign(IDBFactory.prototype, { open: deny, databases: deny });
    LockManager.prototype.request = async () => deny();
  },
  "cannot be opened": () => {
    // Databases of a later version cannot be opened.
    const { open } = IDBFactory.prototype;
    const isCreated = open.call(indexedDB, "address-query-demo", 2);
    isCreated.onsuccess = () => isCreated.result.close();
  },
  // The ten seconds after which the page gives up pass at once.
  "does not respond": () => {
    const { setTimeout } = window;
    window.setTimeout = (act, ms, ...args) => setTimeout(act, ms === 10_000 ? 100 : ms, ...args);
    IDBFactory.prototype.open = () => new EventTarget();
  },
  "opens, but does not respond": () => {
    const { setTimeout } = window;
    window.setTimeout = (act, ms, ...args) => setTimeout(act, ms === 10_000 ? 100 : ms, ...args);
    IDBDatabase.prototype.transaction = () => ({ objectStore: () => ({ get: () => ({}) }) });
  },
};

for (const [name, prepare] of Object.entries(BROKEN_STORAGE)) {
  test(`all records are exported if the storage of the browser ${name}`, async (t) => {
    const { demo, getButton, save, menu } = await openExport(t, `?address=${hub}&tab=withdrawals`, prepare);
    const assertNoError = async () => assert.equal(await demo.page.locator(".error-box").count(), 0);
    await getButton("NDJSON").waitFor();
    await assertNoError();
    await getButton("NDJSON").click();
    await menu.getByText("Export ready").waitFor();
    assert.match(await menu.innerText(), /This browser cannot store the export\. Keep the page open until the file is saved\./);
    const { text } = await save();
    const records = text.trimEnd().split("\n").map(JSON.parse);
    assert.deepEqual(
      records.map(({ index }) => index),
      sample.getAllItems(`/addresses/${hub}/withdrawals`).map(({ index }) => index),
    );
    await assertNoError();
    await getButton("Discard").click();
    await getButton("NDJSON").waitFor();
  });
}

test("an export that reloads interrupt, while it reads and before it is saved, ends with the same file", async (t) => {
  const query = `?${new URLSearchParams({ source: service.url, address: minter, tab: "token-transfers" })}`;
  const { demo, getButton, open, save, menu } = await openExport(t, query);
  await getButton("CSV").click();
  await menu.getByText("Export ready").waitFor();
  const { text } = await save();
  await getButton("Discard").click();

  let pages = 0;
  let release;
  const isReleased = new Promise((resolve) => (release = resolve));
  interceptRequests(t, async (path, query) => {
    if (path.endsWith("/token-transfers") && query.has("block_number") && !query.has("type") && ++pages > 4) await isReleased;
    return null;
  });
  await getButton("CSV").click();
  await menu.getByText(/^CSV: [1-9]\d* token transfers/).waitFor();
  await demo.page.reload();
  await menu.getByText("Export unfinished").waitFor();
  release();
  await open();
  await menu.getByText(/^CSV: [1-9]\d* token transfers/).waitFor();
  await getButton("Resume").click();
  await menu.getByText("Export ready").waitFor();
  await demo.page.reload();
  await menu.getByText("Export ready").waitFor();
  await open();
  const resumed = await save();
  assert.ok(text.length > 50_000);
  assert.equal(resumed.text, text);

  await waitForRemoval(demo);
  await demo.page.reload();
  await menu
    .locator(".menu-button")
    .filter({ hasText: /^Export$/ })
    .waitFor();
});
