// The main path through the demo page, the same in every engine: lists and pages, the account area, errors, a way out.
import assert from "node:assert/strict";
import { createSampleService } from "../../pkg/testing/index.js";
import { startSite } from "../../www/serve.mjs";
import { ADDRESS, startService } from "../e2e/service.mjs";
import { TABS } from "../e2e/tabs.mjs";
import { freePort, until } from "./webdriver.mjs";

const sample = createSampleService();
const hashOf = (label) => sample.addresses.find((address) => address.label === label).hash;

/** Walks through the page; throws at the first thing that is not as it should be. → how many steps there were */
export async function walk(browser) {
  const site = await startSite({ maxAge: 600 });
  // It gives this address a record with a wrong type, and does not answer else.
  const service = await startService((path) => (path.includes(ADDRESS) ? { body: { items: [{ block_hash: 7 }] } } : "never"));
  const visit = new Visit(browser, site.url, service);
  try {
    for (const [name, step] of Object.entries(steps)) {
      await step(visit).catch((error) => {
        throw new Error(`${name}: ${error.message}`, { cause: error });
      });
      assert.equal(await visit.pageErrors(), "", `${name}: the page threw`);
    }
  } finally {
    service.close();
    await site.close();
  }
  return Object.keys(steps).length;
}

const steps = {
  async "every tab shows rows, pages on and back"(visit) {
    await visit.open();
    for (const [id, label] of Object.entries(TABS)) {
      await visit.click("tab", label);
      const first = await visit.rows(id);
      const second = await visit.rowsAfter(id, () => visit.click("button", "Next"));
      assert.notDeepEqual(second, first, `${label}: page 2 is not page 1`);
      assert.equal((await visit.query()).get("page"), "2");
      assert.deepEqual(await visit.rowsAfter(id, () => visit.click("button", "Previous")), first, `${label}: back on page 1`);
    }
  },

  async "the account area shows balances and follows stale ones"(visit) {
    await visit.click("button", "Account");
    await visit.rows("balances");
    const list = ["Stale balance", "Unknown balance", "Largest balance", "Block producer"].map(hashOf);
    await visit.browser.fill("//textarea", list.join(", "));
    assert.deepEqual(
      withoutAddress(await visit.rowsAfter("balances", () => visit.click("button", "Read balances"))),
      ["1 stale", "— being fetched", "≈ 1.157 × 10⁵⁹ fresh", "4,096 fresh"],
    );
    await visit.click("button", "Follow until fresh");
    await visit.text("All balances are fresh");
    assert.deepEqual(
      withoutAddress(await visit.rows("balances")),
      ["2.5 now fresh+1.5", "0.077000… now fresh", "≈ 1.157 × 10⁵⁹ fresh", "4,096 fresh"],
    );
  },

  async "60,000 transactions are read to the end"(visit) {
    await visit.open({ tab: "history", address: hashOf("Deep history") });
    assert.equal((await visit.rows("history")).length, 25);
    await visit.click("button", "Read all");
    await visit.text("Read completely");
    await visit.text("Shown: the newest 200 of 60,000 records");
    assert.equal((await visit.rows("history")).length, 200);
  },

  async "what goes wrong has its message, code and status"(visit) {
    await visit.open();
    await visit.rows("token-transfers");
    await visit.browser.fill("//input[@id='address']", "0x1234");
    await visit.click("button", "Look up");
    await visit.text("This is not an address");
    await visit.browser.click("//select[@id='sample']/option[normalize-space()='Restricted address']");
    assert.match(await visit.error(), /http_status[^]*403/);
    await visit.open({ tab: "token-transfers", address: ADDRESS, source: visit.service.url });
    assert.match(await visit.error(), /decode[^]*items\[0\]/);
    await visit.open({ tab: "all-addresses", source: "ftp://x" });
    assert.match(await visit.error(), /invalid_parameter/);
    await visit.open({ tab: "all-addresses", source: `http://127.0.0.1:${await freePort()}` });
    assert.match(await visit.error(), /network/);
  },

  async "a request under way is cancelled, on the wire too"(visit) {
    const { requests } = visit.service;
    const sent = requests.length;
    await visit.open({ tab: "all-addresses", source: visit.service.url });
    await until("the request", () => requests[sent]);
    let isOver = false;
    requests[sent].closed.then(() => (isOver = true));
    await visit.click("button", "Cancel");
    await visit.text("Cancelled");
    await until("the request to end", () => isOver);
  },
};

class Visit {
  constructor(browser, origin, service) {
    this.browser = browser;
    this.origin = origin;
    this.service = service;
  }

  async open(query = {}) {
    await this.browser.goto(`${this.origin}?${new URLSearchParams(query)}`);
    await this.browser.run(`
      const keep = (error) => (document.documentElement.dataset.errors = String(error));
      addEventListener("error", ({ message }) => keep(message));
      addEventListener("unhandledrejection", ({ reason }) => keep(reason));
    `);
  }

  click(role, name) {
    const element = role === "tab" ? "button[@role='tab']" : "button";
    return this.browser.click(`//${element}[normalize-space()='${name}' and not(@disabled)]`);
  }

  /** The rows' text once the list `id` is there and nothing is loading. */
  rows(id, before = null) {
    return this.browser.until(`rows of ${id}`, ROWS, id, before);
  }

  /** Runs `act` and gives the rows of the page it leads to, told apart by the URL. */
  async rowsAfter(id, act) {
    const before = await this.browser.url();
    await act();
    return this.rows(id, before);
  }

  text(text) {
    return this.browser.until(`"${text}"`, "return document.body.innerText.includes(arguments[0])", text);
  }

  error() {
    return this.browser.until("an error", "return document.querySelector('#panel[aria-busy=\"false\"] .error-state')?.innerText");
  }

  pageErrors() {
    return this.browser.run("return document.documentElement.dataset.errors ?? ''");
  }

  async query() {
    return new URL(await this.browser.url()).searchParams;
  }
}

// An age can pass from "59 s ago" to "1 min ago" between two looks at the same row; pictures come when they come.
const ROWS = `
  const [id, before] = arguments;
  const rows = document.querySelectorAll('#panel[aria-busy="false"] table[data-list="' + id + '"] tbody tr');
  if (location.href === before || rows.length === 0) return null;
  return [...rows].map(({ cells }) =>
    [...cells]
      .filter((cell) => !cell.querySelector(".picture"))
      .map((cell) => cell.textContent.replace(/\\d+ \\w+ ago|just now/, "AGE"))
      .join(" ")
      .replace(/\\s+/g, " ")
      .trim(),
  );
`;

const withoutAddress = (rows) => rows.map((row) => row.replace(/^0x\S+ /, ""));
