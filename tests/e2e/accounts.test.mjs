// Tests of several addresses as one account: the portfolio, the merged history, and how they are chosen.
import assert from "node:assert/strict";
import { test } from "node:test";
import { createSampleService } from "../../pkg/testing/index.js";
import { openDemo } from "./demo-page.mjs";
import { importSource } from "./import-source.mjs";

const { formatAccounts, parseAccounts } = await importSource("accounts/accounts.ts");
const { addresses } = createSampleService();
const getHash = (id) => addresses.find((address) => address.id === id).hash;
const [FIRST, SECOND] = ["showcase", "treasury"].map(getHash);
const LIST = `sample:${FIRST},sample:${SECOND}`;
const toDollars = (text) => Number(text.replace(/[$,]/g, ""));

test("accounts are parsed with the names and ids of chains, each once", () => {
  const accounts = parseAccounts(`${FIRST} 1:${SECOND}, optimism:${SECOND}; 1:${SECOND.toLowerCase()}`, "base");
  const sources = accounts.map(({ service }) => service.source);
  assert.deepEqual(sources, ["base", "mainnet", "optimism"]);
  assert.equal(formatAccounts(parseAccounts(LIST)), LIST);
  assert.equal(parseAccounts(`https://example.org/api:${FIRST}`)[0].service.source, "https://example.org/api");
  assert.throws(() => parseAccounts("1:0x12"), /Invalid address: 1:0x12/);
});

test("two addresses have one portfolio, to which each contributes", async (t) => {
  const { page } = await openDemo(t, `?accounts=${LIST}`);
  await page.getByRole("heading", { name: "2 addresses on 1 chain" }).waitFor();
  const parts = page.locator(".accounts .number");
  await parts.nth(1).waitFor();
  const [first, second] = (await parts.allInnerTexts()).map(toDollars);
  const sum = toDollars(await page.locator(".address-header .worth strong").innerText());
  assert.ok(first > 0 && second > 0 && Math.abs(first + second - sum) < 0.02, `${first} + ${second} = ${sum}`);
  const holdings = page.locator('.overview-card[aria-label="Holdings"] li');
  await holdings
    .filter({ hasText: /^\s*Sample Dollar/ })
    .first()
    .waitFor();
  await page.locator('.overview-card[aria-label="Left out as spam"] li').first().waitFor();
  // Its style sheet is loaded with the page, although no other tab was shown.
  assert.equal(await holdings.first().evaluate((item) => getComputedStyle(item).display), "flex");
  await page
    .getByRole("link", { name: /^Remove/ })
    .last()
    .click();
  await page.getByRole("heading", { name: "1 address on 1 chain" }).waitFor();
});

test("the histories of two addresses are one feed, which shows a transfer between them once", async (t) => {
  const { page } = await openDemo(t, `?accounts=${LIST}&tab=history&period=2026-10`);
  const salary = page.locator(".feed-entry").filter({ hasText: "20,700 SUSD" });
  await salary.first().waitFor();
  assert.match(await salary.innerText(), /^Sent 20,700 SUSD to lena\.sample\.eth and 4 more/);
  const owners = await page.locator(".feed-entry .sentence > .badge").allInnerTexts();
  assert.equal(new Set(owners).size, 2, owners.join());
  const values = page.locator(".feed-entry .cost > .number");
  await values.first().waitFor();
  for (const value of await values.allInnerTexts()) assert.match(value, /^[+−]?\$[\d,]+\.\d\d/);
});

test("addresses are added in the header, and several in the search are one account", async (t) => {
  const demo = await openDemo(t, `?accounts=sample:${FIRST}`);
  const { page } = demo;
  const input = page.getByRole("textbox", { name: "Add an address" });
  await input.fill("0x12");
  await input.press("Enter");
  await page.getByText("Invalid address: 0x12").waitFor();
  await input.fill(SECOND);
  await input.press("Enter");
  await page.getByRole("heading", { name: "2 addresses on 1 chain" }).waitFor();
  assert.equal(demo.getQuery().get("accounts"), LIST);
  const search = page.getByRole("combobox");
  await search.fill(`${SECOND} ${FIRST}`);
  await search.press("Enter");
  await page.waitForURL((url) => url.searchParams.get("accounts") === `sample:${SECOND},sample:${FIRST}`);
});

test("the start page offers two samples as one account", async (t) => {
  const demo = await openDemo(t);
  await demo.page.getByRole("link", { name: "2 as one account" }).click();
  assert.equal(demo.getQuery().get("accounts"), LIST);
});
