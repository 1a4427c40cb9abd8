// Tests of the search: suggestions of all kinds, the keyboard, and the page that an entry leads to.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { AddressClient } from "../../pkg/index.js";
import { createSampleService } from "../../pkg/testing/index.js";
import { openDemo } from "./demo-page.mjs";
import { ADDRESS, startMockService } from "./mock-service.mjs";

const sample = createSampleService();
const client = new AddressClient({ baseUrl: "https://sample.invalid", fetch: sample.fetch });
const hub = sample.addresses.find(({ id }) => id === "hub").hash;
const MARKUP = '<img src=x onerror="window.hacked=1">';

let service;
let respond = () => ({ body: [] });
before(async () => (service = await startMockService((path, query) => respond(path, query))));
after(() => service.close());
const mockQuery = () => `?${new URLSearchParams({ source: service.url })}`;
const getSearches = () => service.requests.filter(({ path }) => path === "/api/v2/search/quick");

const getBox = ({ page }) => page.getByRole("combobox");
const getOptions = ({ page }) => page.getByRole("option");

test("a part of a name suggests what the service finds, and the keyboard opens it", async (t) => {
  const demo = await openDemo(t);
  await getBox(demo).fill("hub.sample");
  await getOptions(demo).filter({ hasText: "hub.sample.eth" }).waitFor();
  await getBox(demo).press("ArrowDown");
  await getBox(demo).press("Enter");
  await demo.page.waitForURL((url) => url.searchParams.get("address")?.toLowerCase() === hub.toLowerCase());
  await demo.page.locator("h1", { hasText: "hub.sample.eth" }).waitFor();
});

test("a whole name leads to its address at once", async (t) => {
  const demo = await openDemo(t);
  await getBox(demo).fill("hub.sample.eth");
  await getBox(demo).press("Enter");
  await demo.page.waitForURL((url) => url.searchParams.get("address")?.toLowerCase() === hub.toLowerCase());
});

test("a token, a transaction and a block are found", async (t) => {
  const { items } = await client.addressTokenTransfers({ address_hash: hub });
  const [{ transaction_hash, token }] = items;
  const demo = await openDemo(t);
  await getBox(demo).fill("wrapped sample");
  await getOptions(demo)
    .filter({ hasText: /Token · \S+ · ERC-20/ })
    .first()
    .click();
  await demo.page.waitForURL((url) => url.searchParams.get("show") === "token");
  assert.equal(demo.getQuery().get("id"), token.address_hash);
  await getBox(demo).fill(transaction_hash);
  await getBox(demo).press("Enter");
  await demo.page.waitForURL((url) => url.searchParams.get("show") === "transaction");
  assert.equal(demo.getQuery().get("id"), transaction_hash);
  await getBox(demo).fill("23705399");
  await getOptions(demo).filter({ hasText: "23,705,399" }).first().waitFor();
  await getBox(demo).press("Enter");
  await demo.page.waitForURL((url) => url.searchParams.get("show") === "block");
  await demo.page.locator("h1", { hasText: "Block 23705399" }).waitFor();
});

test("an address with a wrong checksum is rejected, and accepted in lower case", async (t) => {
  const demo = await openDemo(t);
  const wrong = hub.slice(0, -2) + "Ef";
  await getBox(demo).fill(wrong);
  await getBox(demo).press("Enter");
  await demo.page.getByRole("alert").filter({ hasText: "wrong checksum" }).waitFor();
  assert.equal(demo.getQuery().get("address"), null);
  assert.equal(await getOptions(demo).filter({ hasText: wrong }).count(), 0);
  await getBox(demo).fill(hub.toLowerCase());
  await getBox(demo).press("Enter");
  await demo.page.waitForURL((url) => url.searchParams.get("address") === hub.toLowerCase());
});

test("the service is asked when typing pauses, and its results are shown as text", async (t) => {
  respond = () => ({
    body: [
      { type: "token", name: MARKUP, symbol: "\u202Eevil", address_hash: ADDRESS, token_type: "ERC-20", reputation: "scam" },
      { type: "contract", name: `${MARKUP}2`, address_hash: `0x${"42".repeat(20)}` },
      // Anyone can give a token this name.
      { type: "token", name: "some token", symbol: "FAKE", address_hash: `0x${"43".repeat(20)}`, token_type: "ERC-20" },
    ],
  });
  const demo = await openDemo(t, mockQuery());
  const before = getSearches().length;
  // Typing on a busy machine pauses.
  await getBox(demo).evaluate((input) => {
    for (const letter of "some token") {
      input.value += letter;
      input.dispatchEvent(new InputEvent("input", { bubbles: true }));
    }
  });
  await getOptions(demo).filter({ hasText: MARKUP }).first().waitFor();
  assert.equal(getSearches().length - before, 1);
  assert.equal(await demo.page.locator("#suggestions img").count(), 0);
  assert.match(await getOptions(demo).first().innerText(), /scam[\s\S]*⟨U\+202E⟩evil/);
  await getBox(demo).press("Enter");
  await demo.page.getByRole("alert").filter({ hasText: "3 results: choose one." }).waitFor();
  assert.equal(await demo.page.evaluate(() => window.hacked), undefined);
});

test("typing on cancels the search", async (t) => {
  let asked;
  const isAsked = new Promise((resolve) => (asked = resolve));
  respond = (_, query) => {
    if (query.get("q") !== "first") return { body: [] };
    asked();
    return null;
  };
  const demo = await openDemo(t, mockQuery());
  await getBox(demo).fill("first");
  await isAsked;
  const request = getSearches().at(-1);
  await getBox(demo).fill("second");
  await request.closed;
  await demo.page.getByText("Nothing found.").waitFor();
});

test("a failed search says why, and an unknown name is not found", async (t) => {
  respond = () => ({ status: 400, body: { message: "Bad search" } });
  const demo = await openDemo(t, mockQuery());
  await getBox(demo).fill("anything");
  await demo.page.getByRole("status").filter({ hasText: "The search failed" }).waitFor();
  respond = () => ({ body: [] });
  await getBox(demo).fill("nobody.eth");
  await getBox(demo).press("Enter");
  await demo.page.getByRole("alert").filter({ hasText: "Nothing found for nobody.eth." }).waitFor();
});
