// Tests of the tokens of an address: their value, their order, and spam that is folded away.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { openDemo } from "./demo-page.mjs";
import { ADDRESS, createTransfer, startMockService } from "./mock-service.mjs";

const createHolding = (name, value, members = {}) => ({
  token: { ...createTransfer({ name, symbol: name.slice(0, 3).toUpperCase() }).token, ...members },
  token_id: null,
  token_instance: null,
  value,
});

const HOLDINGS = [
  createHolding("Beta", "2000000", { exchange_rate: "50" }),
  createHolding("Alpha", "30000000", { exchange_rate: "1" }),
  createHolding("Gamma", "9000000000"),
  createHolding("Claim at prize.example", "1"),
  createHolding("A l p h a", "1", { symbol: "OTHER" }),
  createHolding("Flagged", "1", { reputation: "scam", exchange_rate: "1000000" }),
];

let service, listRequests;
before(async () => {
  service = await startMockService((path) => {
    if (path.endsWith("/tokens")) listRequests += 1;
    return { body: { items: path.endsWith("/tokens") ? HOLDINGS : [], next_page_params: null } };
  });
});
after(() => service.close());

async function openTokens(t) {
  listRequests = 0;
  const demo = await openDemo(t, `?${new URLSearchParams({ tab: "tokens", address: ADDRESS, source: service.url })}`, {
    settings: { paging: "endless" },
  });
  await demo.page.locator(".token-summary").waitFor();
  // Rows are added two per frame.
  await findNames(demo).nth(2).waitFor();
  return demo;
}

const findNames = (demo) => demo.page.getByRole("table", { name: "Tokens", exact: true }).locator("tbody .name");
const readNames = (demo) => findNames(demo).allInnerTexts();

test("the value of the tokens is their sum without spam, as in the header", async (t) => {
  const demo = await openTokens(t);
  assert.match(await demo.page.locator(".token-summary").innerText(), /^\$130\.00 in 2 tokens\s+with a price\./);
  await demo.page.locator(".worth").getByText("$130.00 in 2 tokens").waitFor();
  assert.deepEqual(await readNames(demo), ["Beta", "Alpha", "Gamma"]);
});

test("probable spam is shown on demand", async (t) => {
  const demo = await openTokens(t);
  await demo.getButton("Show 3 tokens that may be spam").click();
  const spam = demo.page.getByRole("table", { name: "Tokens that may be spam" });
  await spam.locator("tbody .name").nth(2).waitFor();
  assert.deepEqual(await spam.locator("tbody .name").allInnerTexts(), ["Claim at prize.example", "A l p h a", "Flagged"]);
  await demo.getButton("Hide 3 tokens that may be spam").click();
  await spam.waitFor({ state: "detached" });
});

test("the filter chooses the order, without reading again", async (t) => {
  const demo = await openTokens(t);
  await demo.page.locator(".worth", { hasText: "$130.00" }).waitFor();
  const requestsBefore = listRequests;
  const sortBy = async (option, query) => {
    await demo.chooseFilter("Order", option);
    await demo.page.waitForURL((url) => url.searchParams.get("order") === query);
    return readNames(demo);
  };
  assert.deepEqual(await sortBy("Balance, highest first", "balance-desc"), ["Gamma", "Alpha", "Beta"]);
  assert.deepEqual(await sortBy("Name, Z to A", "token-desc"), ["Gamma", "Beta", "Alpha"]);
  assert.deepEqual(await sortBy("Value, highest first", null), ["Beta", "Alpha", "Gamma"]);
  await demo.page.goBack();
  await demo.page.waitForURL(/order=token-desc/);
  assert.deepEqual(await readNames(demo), ["Gamma", "Beta", "Alpha"]);
  assert.equal(listRequests, requestsBefore, "only the loaded rows are sorted");
});

test("Load all reads the rest of the tokens of the sample data", async (t) => {
  const demo = await openDemo(t, "", { settings: { paging: "endless" } });
  await demo.chooseSample("Busy smart account");
  await demo.showTab("Tokens");
  await demo.getButton("Load all").click();
  await demo.page.getByText(/^All \d+ tokens$/).waitFor();
  assert.equal(await demo.getButton("Load all").count(), 0);
});
