// Tests of the overview: its sums, its requests, and that each card leads to its list.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { createSampleService } from "../../pkg/testing/index.js";
import { openDemo } from "./demo-page.mjs";
import { importSource } from "./import-source.mjs";
import { ADDRESS, createAddressObject, startMockService } from "./mock-service.mjs";

const { toCounterparties, toDays, toMonths, toTokens } = await importSource("overview/recent.ts");
const sample = createSampleService();
const getHash = (id) => sample.addresses.find((address) => address.id === id).hash;
/** Four of them are the first polls of the watch for new events. */
const MAX_REQUESTS = 22;
const [OWN, A, B, TOKEN] = ["a1", "b2", "c3", "d4"].map((digits) => `0x${digits.repeat(20)}`);

const COIN = { type: "native" };
const TKN = { type: "token", contract: TOKEN, symbol: "TKN", decimals: "6", token_id: null };
const createActivity = (timestamp, party, changes) => ({
  timestamp,
  kind: "send",
  sent: [],
  received: [],
  marks: [],
  events: [],
  counterparties: [party, B].map((hash) => ({ hash, name: null })),
  ...changes,
});
const ACTIVITIES = [
  createActivity("2026-11-20T10:00:00Z", A, { sent: [{ asset: COIN, amount: "5" }] }),
  createActivity("2026-11-20T23:59:59Z", A, {
    received: [{ asset: TKN, amount: "7" }],
    events: [{ kind: "transaction" }, { kind: "token_transfer" }],
  }),
  createActivity("2026-10-01T00:00:00Z", OWN, { received: [{ asset: COIN, amount: "11" }] }),
  createActivity("2026-09-01T00:00:00Z", TOKEN, {
    kind: "spam",
    received: [{ asset: TKN, amount: null }],
    marks: ["scam_token"],
  }),
  createActivity("2020-01-01T00:00:00Z", B),
];
const NOW = Date.parse("2026-11-23T12:00:00Z");

test("days are counted in UTC, in whole weeks up to today", () => {
  const days = toDays(ACTIVITIES, NOW);
  assert.equal(new Date(days[0].time).getUTCDay(), 0);
  assert.equal(days.at(-1).time, Date.parse("2026-11-23"));
  assert.ok(days.length > 52 * 7 && days.length <= 53 * 7);
  const busy = days.filter(({ transactions }) => transactions > 0);
  assert.deepEqual(busy, [
    { time: Date.parse("2026-09-01"), transactions: 1, transfers: 0 },
    { time: Date.parse("2026-10-01"), transactions: 1, transfers: 0 },
    { time: Date.parse("2026-11-20"), transactions: 2, transfers: 1 },
  ]);
});

test("months have the incoming and outgoing amounts of one asset", () => {
  const months = toMonths(ACTIVITIES, "", NOW);
  assert.equal(months.length, 12);
  assert.deepEqual(months.at(-1), { time: Date.parse("2026-11-01"), incoming: 0n, outgoing: 5n });
  assert.deepEqual(months.at(-2), { time: Date.parse("2026-10-01"), incoming: 11n, outgoing: 0n });
  assert.deepEqual(toMonths(ACTIVITIES, TOKEN, NOW).at(-1), { time: Date.parse("2026-11-01"), incoming: 7n, outgoing: 0n });
  assert.deepEqual(toTokens(ACTIVITIES), [{ contract: TOKEN, symbol: "TKN", decimals: "6" }]);
});

test("the first counterparty of each activity is counted, without the address itself and without spam", () => {
  const found = toCounterparties(ACTIVITIES, OWN.toUpperCase());
  assert.deepEqual(
    found.map(({ party, count }) => [party.hash, count]),
    [
      [A, 2],
      [B, 1],
    ],
  );
});

test("coins that contracts paid are in the sums and sentences", async (t) => {
  const { page } = await openDemo(t, `?address=${getHash("showcase")}`);
  const card = page.locator('.overview-card[aria-label="In and out"]');
  await card.getByText("Table").click();
  const cells = await card.locator("tbody tr").allInnerTexts();
  assert.ok(cells.length >= 11, cells.join());
  const received = page.locator('.overview-card[aria-label="Latest"] .sentence').filter({ hasText: "LagoonBridge" });
  assert.match(await received.innerText(), /^Received 0.21 ETH through the bridge LagoonBridge/);
});

/** Runs in the page. The watch of a hidden page polls only once in two minutes. */
const hidePage = () => Object.defineProperty(document, "hidden", { get: () => true });

test(`the overview and its watch send at most ${MAX_REQUESTS} requests, and each card leads to its list`, async (t) => {
  // If time passed faster, a busy machine would have requests that time out and are sent again.
  const demo = await openDemo(t, `?address=${getHash("hub")}`, { prepare: hidePage, speed: 2 });
  const { page } = demo;
  await page.locator(".calendar").waitFor();
  await page.locator(".overview .skeleton").first().waitFor({ state: "detached" });
  const network = page.getByRole("button", { name: /^Network: ([6-9]|\d\d+) requests/ });
  const [, requests] = /: (\d+) requests/.exec(await network.getAttribute("aria-label"));
  assert.ok(Number(requests) <= MAX_REQUESTS, `${requests} requests`);
  const titles = await page.locator(".overview-card").evaluateAll((cards) => cards.map(({ ariaLabel }) => ariaLabel));
  assert.deepEqual(titles, ["Worth", "Holdings", "Activity", "In and out", "Latest", "Top counterparties"]);
  const links = await page
    .locator(".overview-card > h2 > a")
    .evaluateAll((found) => found.map(({ search }) => new URLSearchParams(search).get("tab")));
  assert.deepEqual(links, ["balance-history", "tokens", "history", "token-transfers", "history", "token-transfers"]);
  // More than the overview reads: it says what it covers.
  await page.getByText(/^the newest [\d,]+ activities, since /).waitFor();
  for (const title of ["In and out", "Top counterparties"]) {
    const heading = page.locator(`.overview-card[aria-label="${title}"] > h2`);
    assert.match(await heading.innerText(), /since Oct 31, 2026/, title);
  }
  // A click reads more, and another one the first activity.
  const activity = page.locator('.overview-card[aria-label="Activity"] > h2');
  const countActivities = async () => Number(/newest ([\d,]+) act/.exec(await activity.innerText())[1].replace(",", ""));
  const count = await countActivities();
  await activity.getByRole("button", { name: "Load more" }).click();
  await page.waitForFunction(
    (text) => !document.querySelector(".overview").textContent.includes(text),
    `newest ${count} activities`,
  );
  await activity.getByRole("button", { name: "Load more" }).waitFor();
  assert.ok((await countActivities()) > 3 * count, `${count}`);
  const first = page.locator(".fact", { hasText: "First activity" });
  await first.getByRole("button", { name: "Find" }).click();
  await first.getByText(/\d+ yr\. ago/).waitFor();
  assert.match(await page.locator(".sentence").first().innerText(), /^(Received|Sent|Swapped|Called|Failed)/);
  await page.locator('.overview-card[aria-label="Latest"] > h2 > a').click();
  await page.waitForURL(/tab=history/);
});

test("an ordinary wallet shows all months of its year without a click", async (t) => {
  const { page } = await openDemo(t, `?address=${getHash("showcase")}`);
  await page
    .locator('.overview-card[aria-label="Activity"] > h2')
    .getByText(/^all \d{3} activities/)
    .waitFor();
  const months = page.locator('.overview-card[aria-label="In and out"] table tbody tr');
  const texts = await months.allTextContents();
  assert.equal(texts.length, 12);
  assert.ok(
    texts.slice(0, -1).every((text) => /[1-9]/.test(text.replace(/^\D*\d{4}/, ""))),
    texts.join("\n"),
  );
});

test("every chart has a table of the same values", async (t) => {
  const { page } = await openDemo(t, `?address=${getHash("quiet")}`);
  const activity = page.locator('.overview-card[aria-label="Activity"]');
  await activity.getByRole("img", { name: "Transactions by day of the last year" }).waitFor();
  await activity.getByText("Table").click();
  const rows = activity.locator("tbody tr");
  const shown = await activity.locator("rect:not(.level-0, .unknown)").count();
  assert.ok(shown > 0);
  assert.equal(await rows.count(), shown);
  assert.match(await rows.first().innerText(), /2026\s+\d+ transactions?, \d+ token transfers?/);
  for (const name of ["Worth", "In and out"]) {
    const card = page.locator(`.overview-card[aria-label="${name}"]`);
    await card.getByText("Table").click();
    assert.ok((await card.locator("tbody tr").count()) > 2, name);
  }
});

let service, respond;
before(async () => (service = await startMockService((path) => respond(path))));
after(() => service.close());

test("a part that fails does not affect the others, and an address without records says so", async (t) => {
  const empty = { body: { items: [], next_page_params: null } };
  respond = (path) => {
    if (path.endsWith("/coin-balance-history-by-day")) return { status: 403, body: {} };
    if (path.endsWith(ADDRESS))
      return { body: { ...createAddressObject("Named"), coin_balance: "0", exchange_rate: "2000", token: null } };
    return path === "/api" ? { body: { message: "OK", status: "1", result: { blockNumber: "16" } } } : empty;
  };
  const demo = await openDemo(t, `?${new URLSearchParams({ address: ADDRESS, source: service.url })}`);
  const { page } = demo;
  await page.locator('.overview-card[aria-label="Balance"] .error-box').getByRole("button", { name: "Retry" }).waitFor();
  await page.getByText("No transactions and no token transfers.").waitFor();
  await page.getByText("Nobody yet.").waitFor();
  await page.getByText("Nothing with a price.").waitFor();
});

test("the charts of the balance history reuse what the overview has read", async (t) => {
  const days = [1, 2, 3].map((day) => ({ date: `2026-11-0${day}`, value: `${day}000000000000000000` }));
  const prices = days.map(({ date }) => ({ date, closing_price: "2000", market_cap: null, tvl: null }));
  const counts = { "/coin-balance-history-by-day": 0, "/charts/market": 0 };
  respond = (path) => {
    const end = Object.keys(counts).find((known) => path.endsWith(known));
    if (!end) return { body: { items: [], next_page_params: null } };
    counts[end] += 1;
    return { body: end === "/charts/market" ? { chart_data: prices, available_supply: "1" } : { items: days, days: 10 } };
  };
  const demo = await openDemo(t, `?${new URLSearchParams({ address: ADDRESS, source: service.url })}`);
  await demo.page.locator('.overview-card[aria-label="Balance"] .line-chart').waitFor();
  await demo.showTab("Balance history");
  await demo.page.getByRole("img", { name: /^Balance by day/ }).waitFor();
  await demo.chooseFilter("Chart", "In dollars");
  await demo.page.getByRole("img", { name: /^Worth by day/ }).waitFor();
  assert.deepEqual(counts, { "/coin-balance-history-by-day": 1, "/charts/market": 1 });
});
