// The main scenarios of the demo page, run in every browser engine. The tests in tests/e2e cover the details in Chromium.
import assert from "node:assert/strict";
import { createSampleService } from "../../pkg/testing/index.js";
import { startSite } from "../../www/serve.mjs";
import { ADDRESS, startMockService } from "../e2e/mock-service.mjs";
import { ADDRESS_TABS, CHAIN_TABS } from "../e2e/tab-labels.mjs";
import { findFreePort, waitUntil } from "./webdriver-client.mjs";

const sample = createSampleService();
const getHash = (label) => sample.addresses.find((address) => address.label === label).hash;

/** Runs all scenarios and returns how many there are. Throws at the first failure. */
export async function runScenarios(browser) {
  const site = await startSite({ maxAge: 600 });
  // Returns an invalid record for ADDRESS, and never responds to any other request.
  const service = await startMockService((path) => (path.includes(ADDRESS) ? { body: { items: [{ block_hash: 7 }] } } : null));
  const demo = new DemoPage(browser, site.url, service);
  try {
    for (const [name, run] of Object.entries(scenarios)) {
      await run(demo).catch((error) => {
        throw new Error(`${name}: ${error.message}`, { cause: error });
      });
      assert.equal(await demo.getPageError(), "", `${name}: the page must not throw`);
    }
  } finally {
    service.close();
    await site.close();
  }
  return Object.keys(scenarios).length;
}

const scenarios = {
  async "Next and Previous work in every tab"(demo) {
    const tabs = [...Object.keys(ADDRESS_TABS), ...Object.keys(CHAIN_TABS)];
    for (const tab of tabs) {
      const label = tab === "blocks-validated" ? "Validator" : "Busy smart account";
      await demo.open(tab in CHAIN_TABS ? { tab } : { tab, address: getHash(label) });
      const first = await demo.readRows(tab);
      const second = await demo.readRowsAfter(tab, () => demo.click("button", "Next"));
      assert.notDeepEqual(second, first, `${tab}: page 2 differs from page 1`);
      assert.equal((await demo.getQuery()).get("page"), "2");
      const firstAgain = await demo.readRowsAfter(tab, () => demo.click("button", "Previous"));
      assert.deepEqual(firstAgain, first, `${tab}: back on page 1`);
    }
  },

  async "an endless list goes on as the user scrolls"(demo) {
    await demo.open({ tab: "withdrawals", address: getHash("Busy smart account") }, { paging: "endless" });
    await demo.readRows("withdrawals");
    const isComplete = `scrollTo(0, document.documentElement.scrollHeight);
      return document.querySelector(".list-status > p").textContent === "All 300 withdrawals"`;
    await demo.browser.waitUntil("all withdrawals", isComplete);
  },

  async "the tabs without a plain list open, and their parts work"(demo) {
    const address = getHash("Busy smart account");
    await demo.open({ tab: "tokens", address });
    assert.match((await demo.readRows("tokens"))[0], /ERC-20/);
    await demo.open({ tab: "nfts", address });
    await demo.browser.click("(//button[contains(@class,'tile')])[1]");
    await demo.waitForText("Metadata");
    await demo.open({ tab: "balance-history", address });
    await demo.browser.waitUntil("the chart", "return document.querySelector('aq-balance-chart svg') !== null");
    await demo.open({ tab: "history", view: "table", address });
    assert.equal((await demo.readRows("history")).length, 5);
    const quiet = getHash("Quiet account");
    await demo.open({ tab: "history", view: "table", address: quiet }, { paging: "endless" });
    await demo.waitForText("Everything was read, and nothing is missing.");
    await demo.open({ tab: "tools", tool: "audit", address: quiet });
    await demo.click("button", "Start audit");
    await demo.waitForText("as of block");
  },

  async "the first request leaves before the module arrives"(demo) {
    const service = await startMockService(() => ({ body: { items: [], next_page_params: null } }));
    const isSent = () => service.requests.some(({ path }) => path.endsWith(`${ADDRESS}/withdrawals`));
    let isHeld = false;
    // Without an early request, the module would never arrive.
    const hold = async (file) => {
      if (!file.endsWith(".wasm")) return;
      isHeld = true;
      await waitUntil("the first request", isSent);
    };
    const site = await startSite({ hold });
    try {
      await demo.browser.goto(
        `${site.url}?${new URLSearchParams({ tab: "withdrawals", address: ADDRESS, source: service.url })}`,
      );
      await demo.waitForText("Withdrawals: no records found");
      assert.ok(isHeld, "the module is a file");
      assert.equal(service.requests.filter(({ path }) => path.endsWith(`${ADDRESS}/withdrawals`)).length, 1);
    } finally {
      await site.close();
      service.close();
    }
  },

  async "a filter is in the URL, and Back removes it"(demo) {
    await demo.open({ tab: "token-transfers", address: getHash("Busy smart account") });
    const all = await demo.readRows("token-transfers");
    const check = async () => {
      await demo.click("button", "Token type");
      await demo.browser.click("//input[@name='filter-type' and @value='ERC-721']");
    };
    const some = await demo.readRowsAfter("token-transfers", check);
    assert.ok(some.every((row) => row.includes("ERC-721")));
    assert.equal((await demo.getQuery()).get("type"), "ERC-721");
    const back = () => demo.browser.evaluate("history.back()");
    assert.deepEqual(await demo.readRowsAfter("token-transfers", back), all);
  },

  async "all records of a tab are exported"(demo) {
    await demo.open({ tab: "withdrawals", address: getHash("Busy smart account") });
    await demo.readRows("withdrawals");
    await demo.browser.click("//aq-export-menu//button[contains(@class,'menu-button')]");
    await demo.click("button", "NDJSON");
    await demo.waitForText("300 withdrawals");
    await demo.waitForText("Save file");
    await demo.click("button", "Discard");
  },

  async "an export continues after its page was closed, several times"(demo) {
    const query = { tab: "token-transfers", address: getHash("Busy smart account") };
    const total = sample.getAllItems(`/addresses/${query.address}/token-transfers`).length;
    await demo.open(query);
    await demo.browser.click("//aq-export-menu//button[contains(@class,'menu-button')]");
    await demo.click("button", "NDJSON");
    for (const share of [0.1, 0.2, 0.3, 0.4, 0.5, 0.6]) {
      await demo.browser.waitUntil(`${share} of the export`, READ_EXPORTED_COUNT + " > arguments[0]", share * total);
      await demo.open(query);
      // The page returns to its position when the rows are there, and a click would miss its target.
      await demo.readRows(query.tab);
      await demo.browser.click("//aq-export-menu//button[@aria-label='Export unfinished']");
      await demo.click("button", "Resume");
    }
    await demo.waitForText("Export ready");
    await demo.waitForText(`NDJSON: ${total.toLocaleString("en")} token transfers`);
    assert.doesNotMatch(await demo.browser.evaluate("return document.body.innerText"), /cannot store/);
    await demo.click("button", "Discard");
  },

  async "a theme can be chosen"(demo) {
    const readBackground = () => demo.browser.evaluate("return getComputedStyle(document.body).backgroundColor");
    const backgrounds = [];
    for (const theme of ["dark", "light"]) {
      await demo.open({ tab: "top-addresses" }, { paging: "pages", theme });
      await demo.readRows("top-addresses");
      backgrounds.push(await readBackground());
    }
    assert.deepEqual(backgrounds, ["rgb(13, 16, 20)", "rgb(247, 248, 250)"]);
  },

  async "the drawer lists the requests"(demo) {
    const address = getHash("Busy smart account");
    await demo.open({ tab: "logs", address });
    await demo.readRows("logs");
    await demo.browser.click("//button[contains(@class,'network-toggle')]");
    await demo.waitForText(`/addresses/${address}/logs`);
    await demo.click("button", "Clear");
    await demo.waitForText("No requests yet.");
    await demo.browser.click("//*[@id='network-panel']//button[normalize-space()='Close']");
  },

  async "stale balances are refreshed"(demo) {
    await demo.open({ tab: "tools", tool: "balances", addresses: getHash("Exchange hot wallet") });
    await demo.readRows("balances");
    const hashes = ["Stale balance", "Unknown balance", "Largest balance", "Validator"].map(getHash);
    await demo.browser.fill("//textarea", hashes.join(", "));
    assert.deepEqual(removeAddresses(await demo.readRowsAfter("balances", () => demo.click("button", "Get balances"))), [
      "1 ETH stale",
      "— pending",
      "≈ 1.157 × 10⁵⁹ ETH up to date",
      "4,095.236627… ETH up to date",
    ]);
    await demo.click("button", "Refresh until up to date");
    await demo.waitForText("All balances are up to date");
    assert.deepEqual(removeAddresses(await demo.readRows("balances")), [
      "2.5 ETH updated+1.5 ETH",
      "0.077000… ETH updated",
      "≈ 1.157 × 10⁵⁹ ETH up to date",
      "4,095.236627… ETH up to date",
    ]);
  },

  async "errors show a message, a code and a status"(demo) {
    await demo.open({ address: getHash("Busy smart account"), tab: "token-transfers" });
    await demo.readRows("token-transfers");
    await demo.browser.fill("//input[@id='address']", "0x1234");
    await demo.click("button", "Search");
    await demo.waitForText("Invalid address");
    await demo.browser.click("//input[@id='address']");
    await demo.browser.fill("//input[@id='address']", "Restricted");
    await demo.browser.click("//li[@role='option' and contains(., 'Restricted address')]");
    assert.match(await demo.waitForError(), /http_status[^]*403/);
    await demo.open({ tab: "token-transfers", address: ADDRESS, source: demo.service.url });
    assert.match(await demo.waitForError(), /decode[^]*items\[0\]/);
    await demo.open({ tab: "top-addresses", source: "ftp://x" });
    assert.match(await demo.waitForError(), /invalid_parameter/);
    await demo.open({ tab: "top-addresses", source: `http://127.0.0.1:${await findFreePort()}` });
    assert.match(await demo.waitForError(), /network/);
  },

  async "Cancel closes the connection of the request"(demo) {
    const { requests } = demo.service;
    const requestCount = requests.length;
    await demo.open({ tab: "top-addresses", source: demo.service.url });
    await waitUntil("the request", () => requests[requestCount]);
    let isClosed = false;
    requests[requestCount].closed.then(() => (isClosed = true));
    await demo.click("button", "Cancel");
    await demo.waitForText("Cancelled");
    await waitUntil("the connection to close", () => isClosed);
  },
};

/** A page object like the one in tests/e2e/demo-page.mjs, but for WebDriver. */
class DemoPage {
  constructor(browser, origin, service) {
    this.browser = browser;
    this.origin = origin;
    this.service = service;
  }

  /** Lists are read page by page, unless a scenario says otherwise. */
  async open(query = {}, settings = { paging: "pages" }) {
    await this.browser.goto(this.origin);
    await this.browser.evaluate("localStorage.setItem('address-query-settings', arguments[0])", JSON.stringify(settings));
    await this.browser.goto(`${this.origin}?${new URLSearchParams(query)}`);
    await this.browser.evaluate(`
      const storeError = (error) => (document.documentElement.dataset.error = String(error));
      // Firefox reports this as an error, although it only delays a measurement to the next frame.
      const isDelay = (message) => message.startsWith("ResizeObserver loop completed");
      addEventListener("error", ({ message }) => isDelay(message) || storeError(message));
      addEventListener("unhandledrejection", ({ reason }) => storeError(reason));
    `);
  }

  click(role, name) {
    const element = role === "tab" ? "a[@role='tab']" : "button";
    return this.browser.click(`//${element}[(normalize-space()='${name}' or @aria-label='${name}') and not(@disabled)]`);
  }

  /** Waits until the tab has loaded and the URL is not `previousUrl`, and returns the text of each row. */
  readRows(tabId, previousUrl = null) {
    return this.browser.waitUntil(`rows of ${tabId}`, READ_ROWS, tabId, previousUrl);
  }

  /** Runs `act`, waits until the URL has changed, and returns the rows of the new page. */
  async readRowsAfter(tabId, act) {
    const previousUrl = await this.browser.getUrl();
    await act();
    return this.readRows(tabId, previousUrl);
  }

  waitForText(text) {
    return this.browser.waitUntil(`"${text}"`, "return document.body.innerText.includes(arguments[0])", text);
  }

  waitForError() {
    const script = "return document.querySelector('.list-body[aria-busy=\"false\"] .error-box')?.innerText";
    return this.browser.waitUntil("an error", script);
  }

  /** Returns the last uncaught error, or "". */
  getPageError() {
    return this.browser.evaluate("return document.documentElement.dataset.error ?? ''");
  }

  async getQuery() {
    return new URL(await this.browser.getUrl()).searchParams;
  }
}

// Replaces ages, which change over time.
const READ_ROWS = `
  const [tabId, previousUrl] = arguments;
  const selector = '.list-body[aria-busy="false"][data-tab="' + tabId + '"] tr[aria-rowindex]:not([aria-rowindex="1"])';
  const rows = document.querySelectorAll(selector);
  // Only the rows in view are in the document, added a few in each frame. A spacer keeps the place of the others.
  scrollTo(0, 0);
  if (document.querySelector("thead + .spacer") || (rows.length < 5 && document.querySelector(".spacer"))) return null;
  if (location.href === previousUrl || rows.length === 0) return null;
  return [...rows].slice(0, 5).map(({ cells }) =>
    [...cells]
      .map((cell) => cell.textContent.replace(/\\d+ \\S+ ago/, "AGE"))
      .join(" ")
      .replace(/\\s+/g, " ")
      .trim(),
  );
`;

const READ_EXPORTED_COUNT = `
  const status = document.querySelector("aq-export-menu [role=status]")?.textContent ?? "";
  return Number(/: ([\\d,]+) /.exec(status)?.[1].replace(",", ""))`;

const removeAddresses = (rows) => rows.map((row) => row.replace(/^0x\S+ /, ""));
