// `withValues` and `sumValues`: what events were worth on their day.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { estimate } from "../../pkg/estimate/index.js";
import { EventCall } from "../../pkg/history/event-call.js";
import { history, sumValues, toCsv, withValues } from "../../pkg/history/index.js";
import { AddressClient } from "../../pkg/index.js";
import { createSampleService } from "../../pkg/testing/index.js";
import { collect, expectError, observeFetch } from "./support.mjs";

const MAX_HELD = 1000;
const DAY = "2020-03-01";
const COIN = { type: "native", decimals: "18" };
const TOKEN = {
  type: "token",
  standard: "ERC-20",
  contract: `0x${"c".repeat(40)}`,
  name: "T",
  symbol: "T",
  decimals: "6",
  token_id: null,
};

const { addresses } = createSampleService();
const find = (id) => addresses.find((address) => address.id === id).hash;

/** Creates a client of a sample service. `urls` has the URLs of its requests. */
function setUp(options) {
  const service = createSampleService(options);
  const fetch = observeFetch(service.fetch);
  const { urls } = fetch;
  const client = new AddressClient({ baseUrl: "https://sample.invalid", maxPerSecond: 1000, fetch });
  return { service, client, urls };
}

const count = (urls, pattern) => urls.filter((url) => pattern.test(url)).length;
const isTransaction = /\/transactions\/0x/;
const isChart = /\/stats\/charts\/market/;

/** Whether a value is exactly the product of an amount of 18 decimals and a price. */
function isProduct(value, amount, price) {
  const parse = (decimal) => {
    const [, whole, fraction = "", exponent = "0"] = /^(\d+)(?:\.(\d+))?(?:e(.*))?$/i.exec(decimal);
    return [BigInt(whole + fraction), fraction.length - Number(exponent)];
  };
  const [[v, valueScale], [p, priceScale]] = [parse(value), parse(price)];
  return v * 10n ** BigInt(40 + 18 + priceScale) === BigInt(amount) * p * 10n ** BigInt(40 + valueScale);
}

/** Returns the prices of the days as the REST lists of an address and the chart state them. */
async function readPrices(service, client, address_hash) {
  const { chart_data } = await client.marketChart();
  const prices = new Map(chart_data.map(({ date, closing_price }) => [date, closing_price]));
  for (const { timestamp, historic_exchange_rate } of service.getAllItems(`/addresses/${address_hash}/transactions`))
    if (historic_exchange_rate) prices.set(timestamp?.slice(0, 10), historic_exchange_rate);
  return prices;
}

const isMoved = ({ amount, success }) => success !== false && amount !== null && amount !== "0";

/** Creates an event of a source. */
function createEvent(index, more = {}) {
  return {
    kind: "internal_transaction",
    key: `event ${index}`,
    timestamp: `${DAY}T00:00:${String(59 - (index % 60)).padStart(2, "0")}Z`,
    transaction_hash: `0x${String(index).padStart(64, "0")}`,
    direction: "in",
    asset: COIN,
    amount: "1000000000000000000",
    fee: null,
    fiat_rate: null,
    success: true,
    record: {},
    ...more,
  };
}

/** Creates a source of events, which fails at its end with `error`. Its position is the number of the events that it has read. */
function createSource(events, { error, signal } = {}) {
  const createReader = (start) => {
    const reader = {
      position: start,
      report: null,
      async *read() {
        for (const event of events.slice(start ?? 0)) {
          reader.position = (reader.position ?? 0) + 1;
          source.read = reader.position;
          yield { ...event };
        }
        if (error) throw error;
        reader.position = null;
      },
    };
    return reader;
  };
  const setup = { operation: "history", identity: "", token: null, signal, createReader };
  const source = new EventCall({ baseUrl: () => "", source: { chainId: 1 } }, () => setup);
  return source;
}

/** Returns the position of a token of such a source. */
const getPosition = ({ resumeToken }) => resumeToken && Number(resumeToken.split(".").at(-1));

/** Creates a client whose chart has these prices. `urls` has the URLs of its requests. */
function createPriceless(transaction = {}, chart_data = []) {
  const client = new AddressClient({ baseUrl: "https://sample.invalid" });
  const calls = [];
  const record = (name, result) => async (params) => {
    calls.push([name, params.transaction_hash]);
    return result;
  };
  const methods = { marketChart: record("chart", { chart_data }), transaction: record("transaction", transaction) };
  return { calls, client: Object.assign(Object.create(client), methods, { baseUrl: () => "", source: { chainId: 1 } }) };
}

describe("every value is the amount times the price of the day, and null only where the service states none", () => {
  for (const backendVersion of [8, 9, 11, 12]) {
    for (const id of ["showcase", "quiet", "collector"]) {
      test(`version ${backendVersion}: ${id}`, async () => {
        const { service, client, urls } = setUp({ backendVersion });
        const address_hash = find(id);
        const prices = await readPrices(service, client, address_hash);
        for (const [order, requests] of [
          ["desc", false],
          ["asc", true],
        ]) {
          urls.length = 0;
          const call = withValues(client, history(client, { address_hash, order }), { requests });
          const events = await collect(call);
          for (const { key, asset, amount, success, timestamp, fee, fiat, fee_fiat } of events) {
            const title = `${id} ${order} ${key}`;
            const price = prices.get(timestamp.slice(0, 10));
            if (asset.type === "token" || !isMoved({ amount, success })) assert.equal(fiat, null, title);
            else if (price !== undefined) assert.ok(isProduct(fiat.value, amount, price), title);
            else if (!requests) assert.equal(fiat, null, title);
            if (fee === null || fee === "0") assert.equal(fee_fiat, null, title);
            else assert.ok(isProduct(fee_fiat.value, fee, price), title);
            for (const value of [fiat, fee_fiat])
              if (value) assert.deepEqual(Object.keys(value), ["value", "basis", "price_source", "currency"]);
          }
          assert.ok(count(urls, isChart) <= 1);
          const days = new Set(events.map(({ timestamp }) => timestamp.slice(0, 10)));
          assert.ok(count(urls, isTransaction) <= (requests ? days.size : 0));
          assert.equal(new Set(urls.filter((url) => isTransaction.test(url))).size, count(urls, isTransaction));
          // Apart from the values, the events are the history's.
          const without = events.map(({ fiat, fee_fiat, ...event }) => event);
          const plain = history(client, { address_hash, order });
          assert.deepEqual(without, await collect(plain));
          assert.deepEqual(call.report, plain.report);
          assert.equal(call.resumeToken, null);
        }
      });
    }
  }
});

test("without requests, an ascending history has values of the last 31 days only", async () => {
  const { client, urls } = setUp();
  const events = await collect(withValues(client, history(client, { address_hash: find("showcase"), order: "asc" })));
  const valued = events.filter(({ fiat, fee_fiat }) => fiat ?? fee_fiat);
  const { chart_data } = await client.marketChart();
  assert.ok(valued.length > 0 && valued.length < events.length / 2);
  for (const { timestamp } of valued) assert.ok(chart_data.some(({ date }) => date === timestamp.slice(0, 10)));
  assert.equal(count(urls, isTransaction), 0);
});

test("on a day that has not ended, the basis is today", async () => {
  const [today, yesterday] = [0, 1].map((age) => new Date(Date.now() - age * 86_400_000).toISOString());
  const chart_data = [today, yesterday].map((time, i) => ({ date: time.slice(0, 10), closing_price: String(i + 1) }));
  const events = [today, yesterday].map((timestamp, i) => createEvent(i, { timestamp }));
  const valued = await collect(withValues(createPriceless({}, chart_data).client, createSource(events)));
  assert.deepEqual(
    valued.map(({ fiat }) => fiat),
    [
      { value: "1", basis: "today", price_source: "marketChart", currency: "USD" },
      { value: "2", basis: "day", price_source: "marketChart", currency: "USD" },
    ],
  );
});

test("a price that a later event of the day states holds for the earlier ones, and the token counts only delivered events", async () => {
  const { client, calls } = createPriceless();
  const own = { transaction_hash: createEvent(1).transaction_hash };
  const events = [createEvent(0), createEvent(1), createEvent(2, { ...own, fiat_rate: "2.5" }), createEvent(3)];
  const source = createSource([...events, createEvent(4, { timestamp: "2020-02-29T00:00:00Z" })]);
  const call = withValues(client, source, { currency: "EUR" });
  const seen = [];
  for await (const { key, fiat } of call)
    seen.push([key, fiat?.value, fiat?.basis, fiat?.currency, getPosition(call), source.read]);
  assert.deepEqual(seen, [
    ["event 0", "2.5", "day", "EUR", 1, 3],
    ["event 1", "2.5", "transaction", "EUR", 2, 3],
    ["event 2", "2.5", "transaction", "EUR", 3, 3],
    ["event 3", "2.5", "day", "EUR", 4, 4],
    ["event 4", undefined, undefined, undefined, 5, 5],
  ]);
  assert.deepEqual(calls, [["chart", undefined]]);
});

test("at most 1,000 events are held for a price", async () => {
  const events = Array.from({ length: 2 * MAX_HELD }, (_, i) => createEvent(i));
  const source = createSource([...events, createEvent(0, { fiat_rate: "1" })]);
  for await (const { fiat } of withValues(createPriceless().client, source)) {
    assert.equal(fiat, null);
    assert.equal(source.read, MAX_HELD);
    break;
  }
});

test("an event of today is delivered at once", async () => {
  const source = createSource([createEvent(0, { timestamp: new Date().toISOString() }), createEvent(1)]);
  for await (const _ of withValues(createPriceless().client, source)) {
    assert.equal(source.read, 1);
    break;
  }
});

test("a failure of the source comes after the events that were held, with its token", async () => {
  const failure = new Error("broken");
  const call = withValues(createPriceless().client, createSource([createEvent(0), createEvent(1)], { error: failure }));
  const iterator = call[Symbol.asyncIterator]();
  assert.equal((await iterator.next()).value.key, "event 0");
  assert.equal(getPosition(call), 1);
  assert.equal((await iterator.next()).value.key, "event 1");
  await assert.rejects(iterator.next(), failure);
  assert.equal(getPosition(call), 2);
});

test("a failed request for a price is an error whose token repeats no event", async () => {
  const { service } = setUp();
  let isDown = true;
  const fetch = (request) =>
    isDown && isTransaction.test(request.url) ? new Response("{}", { status: 503 }) : service.fetch(request);
  const client = new AddressClient({ baseUrl: "https://sample.invalid", maxPerSecond: 1000, maxAttempts: 1, fetch });
  const params = { address_hash: find("collector"), order: "asc" };
  const seen = [];
  const read = async (resume) => {
    for await (const { key, fiat, fee_fiat } of withValues(client, history(client, { ...params, resume }), { requests: true }))
      seen.push([key, fiat?.value, fee_fiat?.value]);
  };
  const error = await expectError(read(), "http_status");
  assert.ok(error.resumeToken === undefined || seen.length > 0);
  isDown = false;
  await read(error.resumeToken);
  const whole = await collect(withValues(client, history(client, params), { requests: true }));
  assert.deepEqual(
    seen,
    whole.map(({ key, fiat, fee_fiat }) => [key, fiat?.value, fee_fiat?.value]),
  );
});

test("values continue at the token of any event", async () => {
  const { client } = setUp();
  for (const order of ["asc", "desc"]) {
    const params = { address_hash: find("quiet"), order };
    const create = (resume) => withValues(client, history(client, { ...params, resume }), { requests: true });
    const whole = (await collect(create())).map(({ key, fiat }) => [key, fiat?.value]);
    for (let length = 1; length < whole.length; length += 7) {
      const seen = [];
      let call = create();
      for await (const { key, fiat } of call) if (seen.push([key, fiat?.value]) === length) break;
      call = create(call.resumeToken);
      for await (const { key, fiat } of call) seen.push([key, fiat?.value]);
      assert.deepEqual(seen, whole, `${order} ${length}`);
    }
  }
});

test("a list that grows has values", async () => {
  const { client } = setUp();
  const params = { address_hash: find("quiet") };
  const whole = await collect(withValues(client, history(client, params)));
  const call = withValues(client, history(client, params));
  const seen = [];
  while (seen.length < whole.length) seen.push(...(await call.more(7)));
  assert.deepEqual([seen, await call.more(7)], [whole, []]);
});

test("priceOf values tokens, is called once for each token and day, and must return a price", async () => {
  const nft = { ...TOKEN, standard: "ERC-721", token_id: "7", decimals: "18" };
  const events = [
    createEvent(0, { asset: TOKEN, amount: "1500000" }),
    createEvent(1, { asset: TOKEN, amount: "1" }),
    createEvent(2, { asset: nft, amount: "1" }),
    createEvent(3, { asset: TOKEN, amount: "0" }),
    createEvent(4, { asset: TOKEN, amount: "2000000", timestamp: "2020-02-29T10:00:00Z" }),
    createEvent(5, { asset: { ...TOKEN, decimals: null }, amount: "1" }),
    createEvent(6, { asset: TOKEN, amount: "1", timestamp: null }),
  ];
  const calls = [];
  const priceOf = ({ token_id }, day) => {
    calls.push([token_id, day]);
    return token_id === null ? Promise.resolve("0.99") : "1.2E+3";
  };
  const { client } = createPriceless();
  const valued = await collect(withValues(client, createSource(events), { priceOf }));
  assert.deepEqual(
    valued.map(({ fiat }) => fiat?.value ?? null),
    ["1.485", "0.00000099", "1200", null, "1.98", null, null],
  );
  assert.deepEqual([valued[0].fiat.basis, valued[0].fiat.price_source], ["day", "priceOf"]);
  assert.deepEqual(calls, [
    [null, DAY],
    ["7", DAY],
    [null, "2020-02-29"],
    [null, DAY],
  ]);
  for (const price of [5, "-1", "", "abc", {}])
    await expectError(collect(withValues(client, createSource(events), { priceOf: () => price })), "invalid_parameter", {
      parameter: "priceOf",
    });
});

test("a fee in a token has the token's value", async () => {
  const { type, standard, name, token_id, ...token_fee } = { ...TOKEN, amount: "2000000" };
  const [event] = await collect(
    withValues(createPriceless().client, createSource([createEvent(0, { token_fee, asset: TOKEN })]), { priceOf: () => "3" }),
  );
  assert.equal(event.fee_fiat.value, "6");
});

test("an activity has a value for each leg and for its fee", async () => {
  const activity = {
    timestamp: `${DAY}T10:00:00Z`,
    transaction_hash: createEvent(0).transaction_hash,
    sent: [{ asset: COIN, amount: "2000000000000000000" }],
    received: [{ asset: TOKEN, amount: "3000000" }],
    fee: "1000000000000000",
    events: [createEvent(0, { fiat_rate: "2000" })],
  };
  const [{ sent, received, fee_fiat }] = await collect(withValues(createPriceless().client, createSource([activity])));
  assert.deepEqual(
    [sent[0].fiat.value, sent[0].fiat.basis, received[0].fiat, fee_fiat.value],
    ["4000", "transaction", null, "2"],
  );
});

test("each chain of a merged history has the prices of its client, and no other one", async () => {
  const createClients = (...chainIds) =>
    chainIds.map((chainId, i) => {
      const { client } = createPriceless({ historic_exchange_rate: String(chainId ?? i + 2) });
      return Object.assign(client, { source: { chainId } });
    });
  const events = [10, 1, null].map((chain_id, i) => createEvent(i, { chain_id }));
  for (const [clients, values] of [
    [createClients(1, 10), ["10", "1", undefined]],
    [createClients(10), ["10", undefined, undefined]],
    [createClients(undefined), [undefined, undefined, "2"]],
    [createClients(undefined, undefined), [undefined, undefined, undefined]],
  ]) {
    const valued = await collect(withValues(clients, createSource(events), { requests: true }));
    assert.deepEqual(
      valued.map(({ fiat }) => fiat?.value),
      values,
    );
  }
});

test("a signal and the end of an iteration cancel requests for prices", async () => {
  const { client } = createPriceless();
  let signal;
  client.marketChart = (_, options) =>
    new Promise((_, reject) => {
      signal = options.signal;
      signal.addEventListener("abort", () => reject(Object.assign(new Error("aborted"), { code: "aborted" })));
    });
  const controller = new AbortController();
  const reading = collect(withValues(client, createSource([createEvent(0)], controller)));
  setTimeout(() => controller.abort());
  await assert.rejects(reading, { code: "aborted" });
  const iterator = withValues(client, createSource([createEvent(0)]))[Symbol.asyncIterator]();
  const next = iterator.next();
  await new Promise((resolve) => setTimeout(resolve));
  await iterator.return();
  assert.deepEqual([signal.aborted, (await next).done], [true, true]);
});

test("sums are exact, and say how many amounts have no value", async () => {
  const events = [
    createEvent(0, { fiat_rate: "0.1", fee: "1" }),
    createEvent(1, { amount: "2000000000000000000" }),
    createEvent(2, { direction: "out", amount: String(10n ** 60n) }),
    createEvent(3, { direction: "self" }),
    createEvent(4, { asset: TOKEN, amount: "1" }),
    createEvent(5, { asset: TOKEN, amount: "0" }),
    createEvent(6, { amount: null }),
    createEvent(7, { success: false }),
  ];
  const { client } = createPriceless();
  assert.deepEqual(await sumValues(withValues(client, createSource(events))), {
    sent: { value: `1${"0".repeat(41)}`, valued: 1, unvalued: 0 },
    received: { value: "0.3", valued: 2, unvalued: 2 },
    fees: { value: "0.0000000000000000001", valued: 1, unvalued: 0 },
    currency: "USD",
  });
  const [euros, dollars] = await Promise.all(
    ["EUR", "USD"].map((currency) => collect(withValues(client, createSource(events), { currency }))),
  );
  await expectError(sumValues([...euros, ...dollars]), "invalid_parameter", { parameter: "items" });
});

test("the columns of an export can be values", async () => {
  const call = withValues(createPriceless().client, createSource([createEvent(0, { fiat_rate: "2" }), createEvent(1)]));
  const columns = ["key", "fiat.value", { name: "currency", value: ({ fiat }) => fiat?.currency }];
  const text = await new Response(toCsv(call, { columns, header: false })).text();
  assert.equal(text, '"event 0","2","USD"\r\n"event 1","2","USD"\r\n');
});

test("an estimate counts the requests for prices", async () => {
  for (const [params, requests] of [
    [{ order: "asc" }, true],
    [{ order: "asc", from: new Date("2025-09-01") }, true],
    [{ order: "desc" }, false],
  ]) {
    const { client, urls } = setUp();
    const create = () => history(client, { address_hash: find("collector"), ...params });
    const [plain, priced] = [await estimate(create()), await estimate(withValues(client, create(), { requests }))];
    urls.length = 0;
    await collect(withValues(client, create(), { requests }));
    const title = JSON.stringify([params, plain.requests, priced.requests, urls.length]);
    assert.ok(urls.length >= priced.requests.min && urls.length <= priced.requests.max, title);
    assert.ok(priced.requests.max > plain.requests.max, title);
  }
  const { client } = setUp();
  await expectError(estimate(withValues(client, createSource([]))), "invalid_parameter");
});

test("invalid arguments reject when the iteration starts", async () => {
  const { client } = createPriceless();
  for (const [args, parameter] of [
    [[{}, createSource([])], "client"],
    [[client, {}], "source"],
    [[client, []], "source"],
    [[client, createSource([]), { price: true }], "price"],
    [[client, createSource([]), { requests: 1 }], "requests"],
    [[client, createSource([]), { priceOf: "1" }], "priceOf"],
    [[client, createSource([]), { currency: 1 }], "currency"],
  ])
    await expectError(collect(withValues(...args)), "invalid_parameter", { parameter });
});
