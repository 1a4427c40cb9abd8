// `portfolio`: holdings, sums, spam, days, failures and refreshes. The expected balances come from the ledgers of the sample services.
import assert from "node:assert/strict";
import { test } from "node:test";
import { AddressClient, formatUnits, parseUnits } from "../../pkg/index.js";
import { portfolio } from "../../pkg/portfolio/index.js";
import { createSampleService } from "../../pkg/testing/index.js";
import { createRandom } from "../../target/parts/testing/random.js";
import { RECOVERABLE_FAULTS } from "./faults.mjs";
import { expectError } from "./support.mjs";
import { VirtualTime } from "./virtual-time.mjs";

const SEEDS = Number(process.env.SEEDS ?? 8);
const SCRIPTED = ["showcase", "treasury", "collector"];
const services = new Map([1, 100, 8453].map((chainId, index) => [chainId, createSampleService({ seed: index + 1 })]));
const findHash = (service, id) => service.addresses.find((address) => address.id === id).hash;

/** Creates a client of a sample chain. `edit` changes the JSON of a response. `answer` may replace a response. */
function createClient(chainId, { service = services.get(chainId), answer = () => undefined, edit, ...options } = {}) {
  const urls = [];
  const fetch = async (request) => {
    urls.push(request.url);
    const replaced = answer(request.url);
    if (replaced) return replaced;
    const response = await service.fetch(request);
    if (!edit) return response;
    const body = JSON.parse(await response.text());
    edit(new URL(request.url), body);
    return new Response(JSON.stringify(body), { status: response.status });
  };
  const client = new AddressClient({ baseUrl: "https://sample.invalid", chainId, fetch, maxPerSecond: 1000, ...options });
  return Object.assign(client, { urls, sample: service });
}

const clients = new Map([...services.keys()].map((chainId) => [chainId, createClient(chainId)]));
const getAccount = (id, chainId = 1, client = clients.get(chainId)) => ({ client, address_hash: findHash(client.sample, id) });
const family = [...services.keys()].flatMap((chainId) => SCRIPTED.map((id) => getAccount(id, chainId)));

/** The balances of an address, as the sums of its events in the ledger: by contract of an ERC-20 token, and `native`. */
function sumLedger(service, address_hash) {
  const account = address_hash.toLowerCase();
  const sums = new Map([["native", 0n]]);
  const collections = new Map();
  for (const { token, token_type, amount, from, to, fee, success } of service.getEvents(address_hash)) {
    const sign = BigInt(to === account) - BigInt(from === account);
    // A reward or withdrawal has no sender and no receiver.
    const direction = from === null && to === null ? 1n : sign;
    if (token === null) sums.set("native", sums.get("native") + (success ? direction * (amount ?? 0n) : 0n) - fee);
    else if (token_type === "ERC-20") sums.set(token, (sums.get(token) ?? 0n) + direction * amount);
    else collections.set(token, (collections.get(token) ?? 0n) + direction * (amount ?? 1n));
  }
  const isHeld = ([key, amount]) => key === "native" || amount !== 0n;
  return { coins: new Map([...sums].filter(isHeld)), collections: new Map([...collections].filter(isHeld)) };
}

/** Adds up decimal strings with integers of 60 decimals. */
const toInteger = (value) => parseUnits(value, 60);
const sum = (values) =>
  formatUnits(
    values.reduce((total, value) => total + toInteger(value), 0n),
    60,
  );

/** The expected amounts by key. */
function sumAll(accounts, part) {
  const amounts = new Map();
  for (const { client, address_hash } of accounts) {
    for (const [token, amount] of sumLedger(client.sample, address_hash)[part]) {
      const key = `${client.source.chainId}:${token}`;
      amounts.set(key, (amounts.get(key) ?? 0n) + amount);
    }
  }
  return Object.fromEntries([...amounts].map(([key, amount]) => [key, String(amount)]).sort());
}

const toAmounts = (items) => Object.fromEntries(items.map(({ key, amount }) => [key, amount]).sort());

/** Checks the sums of a portfolio against its parts, with integers. */
function checkSums(result) {
  const { value, holdings, accounts } = result;
  const priced = holdings.filter((holding) => holding.value !== null);
  for (const { amount, decimals, price, value } of priced) {
    const [digits, exponent = "0"] = price.toLowerCase().split("e");
    const [, fraction = ""] = digits.split(".");
    const product = BigInt(amount) * BigInt(digits.replace(".", ""));
    const places = Number(decimals) + fraction.length - Number(exponent);
    assert.equal(value, formatUnits(product, places));
  }
  assert.equal(value, sum(priced.map(({ value }) => value)));
  assert.equal(value, sum(accounts.map(({ value }) => value)));
  assert.equal(result.unpriced, holdings.length - priced.length);
  const numbers = holdings.map(({ value }) => Number(value ?? -1));
  assert.deepEqual(
    numbers,
    numbers.toSorted((a, b) => b - a),
  );
  for (const key of holdings.map(({ key }) => key)) {
    const parts = accounts.flatMap(({ holdings }) => holdings.filter((holding) => holding.key === key));
    const holding = holdings.find((holding) => holding.key === key);
    assert.equal(holding.amount, String(parts.reduce((total, { amount }) => total + BigInt(amount), 0n)));
  }
}

test("nine accounts on three chains have the balances of the ledger, and exact sums", async () => {
  const result = await portfolio(family);
  assert.equal(result.complete, true, JSON.stringify(result.accounts.map(({ reasons }) => reasons)));
  assert.deepEqual(toAmounts([...result.holdings, ...result.spam]), sumAll(family, "coins"));
  assert.deepEqual(toAmounts(result.nfts), sumAll(family, "collections"));
  checkSums(result);
  assert.ok(Number(result.value) > 0);
  for (const [index, { account, chain_id, state, error, block_number }] of result.accounts.entries()) {
    const { client, address_hash } = family[index];
    assert.deepEqual([account, chain_id, state, error], [address_hash.toLowerCase(), client.source.chainId, "complete", null]);
    assert.ok(block_number > 0);
    const alone = await portfolio([family[index]]);
    assert.equal(result.accounts[index].value, alone.value);
  }
});

test("the native coin has its symbol where the chain is known", async () => {
  const unknown = createClient(undefined, { service: services.get(1) });
  const accounts = [getAccount("showcase"), getAccount("showcase", 100), getAccount("showcase", undefined, unknown)];
  const { holdings } = await portfolio(accounts);
  const coins = holdings.filter(({ contract, token }) => contract === null && token === null);
  assert.deepEqual(Object.fromEntries(coins.map(({ key, symbol, decimals }) => [key, [symbol, decimals]])), {
    "1:native": ["ETH", "18"],
    "100:native": ["XDAI", "18"],
    "https://sample.invalid:native": [null, "18"],
  });
});

test("spam is apart, with its reason, and in no sum", async () => {
  const rate = (address_hash, changes) => (url, body) => {
    if (url.pathname.endsWith("/tokens"))
      for (const { token } of body.items) if (token.symbol === address_hash) Object.assign(token, changes);
  };
  const client = createClient(1, { edit: rate("HRB", { reputation: "scam" }) });
  const { holdings, spam, accounts } = await portfolio([getAccount("showcase", 1, client)]);
  assert.deepEqual(Object.fromEntries(spam.map(({ symbol, reason }) => [symbol, reason])), {
    HRB: "scam_token",
    VOUCHER: "advertising",
    "SUSD.": "copied_name",
    BONUS: "advertising",
  });
  const symbols = holdings.map(({ symbol }) => symbol);
  for (const { symbol } of spam) assert.ok(!symbols.includes(symbol));
  assert.equal(accounts[0].spam.length, spam.length);
});

test("the coins are worth something on each day that has a price and a known balance", async () => {
  const account = getAccount("showcase");
  const { days, accounts } = await portfolio([account, getAccount("collector")]);
  const { chart_data } = await account.client.marketChart();
  const { items } = await account.client.addressCoinBalanceHistoryByDay({ address_hash: account.address_hash });
  assert.deepEqual(
    days.map(({ date }) => date),
    chart_data.map(({ date }) => date).toReversed(),
  );
  for (const { date, amount, price, value } of accounts[0].days) {
    assert.equal(price, chart_data.find((day) => day.date === date).closing_price);
    const expected = items.findLast((item) => item.date <= date)?.value ?? null;
    assert.equal(amount, expected);
    assert.equal(value, amount && formatUnits(BigInt(amount) * BigInt(price.replace(".", "")), 20));
  }
  // The balance is not known before the first of the listed days.
  assert.equal(accounts[0].days[0].value, null);
  for (const [index, { value, missing }] of days.entries()) {
    const known = accounts.flatMap(({ days }) => days[index].value ?? []);
    assert.equal(missing, accounts.length - known.length);
    assert.equal(value, known.length > 0 ? sum(known) : null);
  }
  assert.equal(days.at(-1).missing, 0);
});

test("an account that fails does not lose the rest, and is read again", async () => {
  const state = { fails: true };
  const answer = () => (state.fails ? new Response("{}", { status: 500 }) : undefined);
  const failing = createClient(100, { answer, maxAttempts: 1 });
  const other = createClient(1);
  const accounts = [getAccount("showcase", 1, other), getAccount("collector", 100, failing)];
  const result = await portfolio(accounts);
  assert.equal(result.complete, false);
  assert.deepEqual(
    result.accounts.map(({ state, error, value }) => [state, error?.code, value !== "0"]),
    [
      ["complete", undefined, true],
      ["failed", "http_status", false],
    ],
  );
  assert.equal(result.value, result.accounts[0].value);
  state.fails = false;
  other.urls.length = 0;
  const again = await portfolio(accounts, { previous: result });
  assert.equal(again.complete, true);
  assert.deepEqual(other.urls, []);
  const { accounts: parts, ...whole } = await portfolio(accounts);
  const { accounts: againParts, ...againWhole } = again;
  assert.deepEqual({ ...againWhole, priced_at: null }, { ...whole, priced_at: null });
  assert.equal(againWhole.priced_at, result.accounts[0].read_at);
});

test("a list that fails, is cut or lacks records leaves an account incomplete", async () => {
  const answer = (url) => (/\/tokens/.test(url) ? new Response("{}", { status: 404 }) : undefined);
  const { accounts: failed, holdings } = await portfolio([getAccount("showcase", 1, createClient(1, { answer }))]);
  assert.deepEqual([failed[0].state, failed[0].error.status], ["incomplete", 404]);
  assert.match(failed[0].reasons[0], /^tokens: /);
  assert.deepEqual(
    holdings.map(({ symbol }) => symbol),
    ["ETH"],
  );
  const cut = await portfolio([getAccount("showcase")], { limit: 2 });
  assert.equal(cut.holdings.length, 3);
  assert.deepEqual(cut.accounts[0].reasons, ["tokens: there are more than 2"]);
  const edit = (url, body) => {
    if (url.pathname.endsWith("/tokens")) body.items[0].value = "many";
  };
  const skipping = createClient(1, { edit, badRecords: "skip" });
  const { accounts: skipped, complete } = await portfolio([getAccount("showcase", 1, skipping)]);
  assert.deepEqual([complete, skipped[0].state, skipped[0].reasons], [false, "incomplete", ["tokens: 1 records were omitted"]]);
});

test("days that fail leave values unknown, and the rest complete", async () => {
  const answer = (url) => (/by-day|charts/.test(url) ? new Response("{}", { status: 404 }) : undefined);
  const { complete, days } = await portfolio([getAccount("showcase", 1, createClient(1, { answer }))]);
  assert.deepEqual([complete, days], [true, []]);
});

test("an address that the chain has never seen holds nothing, and an unknown balance is not zero", async () => {
  const { complete, holdings, value } = await portfolio([getAccount("empty")]);
  assert.deepEqual([complete, value, holdings.map(({ amount }) => amount)], [true, "0", ["0"]]);
  const service = createSampleService();
  const edit = (url, body) => {
    if (/\/addresses\/0x\w+$/.test(url.pathname)) body.coin_balance = null;
    if (url.searchParams.get("action") === "balancemulti") body.result[0].balance = null;
  };
  const unknown = await portfolio([getAccount("showcase", 1, createClient(1, { service, edit }))]);
  assert.deepEqual([unknown.complete, unknown.accounts[0].state], [false, "incomplete"]);
  assert.ok(!unknown.holdings.some(({ key }) => key === "1:native"));
});

test("a token that is the native coin is not counted twice", async () => {
  const edit = (url, body) => {
    if (url.pathname.endsWith("/tokens")) body.items[0].token.address_hash = "0x471EcE3750Da237f93B8E339c536989b8978a438";
  };
  const { holdings } = await portfolio([getAccount("showcase", 1, createClient(1, { edit }))]);
  assert.ok(!holdings.some(({ symbol }) => symbol === "SUSD"));
});

test("only accounts that changed are read again", async () => {
  const service = createSampleService();
  const client = createClient(1, { service });
  const [showcase, collector] = [getAccount("showcase", 1, client), getAccount("collector", 1, client)];
  const previous = await portfolio([showcase, collector]);
  client.urls.length = 0;
  const changed = [{ account: collector.address_hash, chain_id: 1 }];
  const next = await portfolio([showcase, collector], { previous, changed });
  assert.ok(client.urls.length > 0);
  assert.ok(client.urls.every((url) => url.toLowerCase().includes(collector.address_hash.toLowerCase()) || /charts/.test(url)));
  assert.equal(next.value, previous.value);
  checkSums(next);
});

test("what is not included is not requested", async () => {
  const client = createClient(1);
  const account = getAccount("showcase", 1, client);
  const { nfts, days, complete } = await portfolio([account], { include: [] });
  assert.deepEqual([nfts, days, complete], [[], [], true]);
  assert.equal(client.urls.length, 2);
  client.urls.length = 0;
  await portfolio([account, getAccount("collector", 1, client)]);
  assert.equal(client.urls.filter((url) => url.includes("/stats/charts/market")).length, 1);
});

test("a portfolio can be stored", async () => {
  const result = await portfolio([getAccount("showcase"), getAccount("collector", 100)]);
  assert.deepEqual(structuredClone(result), result);
  assert.deepEqual(JSON.parse(JSON.stringify(result)), result);
});

test("an aborted portfolio rejects", async () => {
  const reason = new Error("enough");
  const controller = new AbortController();
  const reading = portfolio(family, { signal: controller.signal });
  controller.abort(reason);
  const error = await expectError(reading, "aborted");
  assert.equal(error.cause, reason);
  await expectError(portfolio(family, { signal: AbortSignal.abort(reason) }), "aborted");
});

test("invalid parameters are named before anything is sent", async () => {
  const client = createClient(1);
  const account = getAccount("showcase", 1, client);
  for (const [parameter, accounts, params] of [
    ["accounts", []],
    ["accounts", account],
    ["accounts", [account, { ...account, address_hash: account.address_hash.toLowerCase() }]],
    ["client", [null]],
    ["client", [{ address_hash: account.address_hash }]],
    ["address_hash", [{ client, address_hash: "0x12" }]],
    ["include", [account], { include: ["nft"] }],
    ["limit", [account], { limit: 0 }],
    ["changed", [account], { changed: account }],
    ["signal", [account], { signal: 5 }],
    ["order", [account], { order: "asc" }],
  ])
    await expectError(portfolio(accounts, params), "invalid_parameter", { parameter });
  assert.deepEqual(client.urls, []);
});

/** Reads random accounts with faults that pass. */
async function checkSeed(seed) {
  const random = createRandom("portfolio", seed);
  const accounts = [1, 100, 8453].flatMap((chainId) => {
    const faults = { seed: seed * 10 + (chainId % 7), rate: random.pick([0, 0.1, 0.3]), kinds: RECOVERABLE_FAULTS };
    const service = createSampleService({ seed: 1 + random.nextInt(1000), pageSize: random.pick([5, 50]), faults });
    const client = createClient(chainId, { service, timeoutMs: 5_000 });
    return SCRIPTED.flatMap((id) => (random.nextBoolean(0.6) ? [getAccount(id, chainId, client)] : []));
  });
  if (accounts.length === 0) return;
  let previous;
  do {
    previous = await portfolio(accounts, { previous });
  } while (!previous.complete);
  assert.deepEqual(toAmounts([...previous.holdings, ...previous.spam]), sumAll(accounts, "coins"));
  assert.deepEqual(toAmounts(previous.nfts), sumAll(accounts, "collections"));
  checkSums(previous);
}

test("random accounts have the balances of their ledgers, through faults", async (context) => {
  // From here on, timers run in virtual time.
  const time = new VirtualTime();
  for (let seed = 0; seed < SEEDS; seed++) await context.test(`seed ${seed}`, () => time.run(checkSeed(seed)));
});
