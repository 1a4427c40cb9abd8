// `estimate`: the actual needs of a read are within the estimate.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { estimate } from "../../pkg/estimate/index.js";
import { history, toCsv, watch } from "../../pkg/history/index.js";
import { AddressClient } from "../../pkg/index.js";
import { createSampleService } from "../../pkg/testing/index.js";
import { expectError, HASH, observeFetch } from "./support.mjs";
import { VirtualTime } from "./virtual-time.mjs";

const GATEWAY = "https://gateway.invalid/1";
const { addresses, getAllItems } = createSampleService();
const find = (id) => addresses.find((address) => address.id === id).hash;
/** The number of transactions of `hub`. */
const TRANSACTIONS = getAllItems(`/addresses/${find("hub")}/transactions`).length;
await new AddressClient({ baseUrl: GATEWAY, fetch: createSampleService().fetch }).addresses();
const time = new VirtualTime();

const services = new Map();

/** Creates a service, or returns the earlier one with these options. */
function getService(options) {
  const key = JSON.stringify(options);
  if (!services.has(key)) services.set(key, createSampleService(options));
  return services.get(key);
}

/** Creates a client of a sample service that charges credits. `urls` has the URLs of its requests. */
function setUp({ client: options, ...serviceOptions } = {}) {
  const service = getService({ latencyMs: 100, ...serviceOptions });
  const fetch = observeFetch(service.fetch);
  const { urls } = fetch;
  return { service, urls, client: new AddressClient({ baseUrl: GATEWAY, fetch, ...options }) };
}

async function readAll(records) {
  let count = 0;
  for await (const _ of records) count += 1;
  return count;
}

function assertWithin(actual, { min, max }, title) {
  assert.ok(actual >= min && actual <= (max ?? Number.POSITIVE_INFINITY), `${title}: ${actual}, not ${min} to ${max}`);
}

/** Estimates a read, and then reads with another client. The actual needs are within the expected ones. */
async function check(createCall, { isCounted, maxRequests = Number.POSITIVE_INFINITY, ...options } = {}) {
  const before = setUp(options);
  const expected = await estimate(createCall(before.client));
  assert.ok(before.urls.length <= maxRequests, `the estimate took ${before.urls.length} requests`);
  const { client, urls } = setUp(options);
  const start = time.now;
  const actual = {
    records: await readAll(createCall(client)),
    requests: urls.length,
    credits: client.credits.spent,
    seconds: (time.now - start) / 1000,
  };
  const title = `${JSON.stringify(expected)} ${JSON.stringify(actual)}`;
  for (const [unit, range] of Object.entries(expected)) {
    assertWithin(actual[unit], range, `${unit} of ${title}`);
    if (isCounted !== undefined) assert.equal(range.max !== null, isCounted, title);
  }
  return { expected, actual };
}

/** Versions and page sizes: the ordinary ones, the limit of an instance, and pages that are all smaller. */
const SERVICES = [
  ...[8, 9, 11, 12].map((backendVersion) => ({ backendVersion })),
  { backendVersion: 11, pageSize: 20 },
  { backendVersion: 12, maxPageSize: 70 },
  { backendVersion: 12, pageSize: 20, maxPageSize: 70 },
];
const LISTS = [
  "addressBlocksValidated",
  "addressCoinBalanceHistory",
  "addressInternalTransactions",
  "addressLogs",
  "addressNft",
  "addressNftCollections",
  "addressTokenBalances",
  "addressTokenTransfers",
  "addressTokens",
  "addressTransactions",
  "addressWithdrawals",
];
const ACTIONS = ["txList", "txListInternal", "tokenTx", "tokenNftTx", "token1155Tx", "token404Tx"];
/** These take long, so each is read from another service. `make soak` reads every address from all services. */
const LONG = ["hub", "oversized", "producer"];
/** These take so long that only `make soak` reads them. */
const LONGEST = ["distributor", "deep"];
/** Addresses whose reads fail or need retries. */
const FAILING = ["overloaded", "restricted", "limited"];
const IS_SOAK = Number(process.env.SEEDS ?? 0) > 16;

describe("a stated bound holds for every address", () => {
  SERVICES.forEach((options, index) => {
    time.test(JSON.stringify(options), async () => {
      const { backendVersion } = options;
      const actions = backendVersion === 8 ? ACTIONS.slice(0, 4) : ACTIONS;
      for (const [position, { id, hash }] of addresses.entries()) {
        const isRead = LONG.includes(id) ? LONG.indexOf(id) === index - 1 : position % SERVICES.length === index;
        if (FAILING.includes(id) || !(IS_SOAK || (isRead && !LONGEST.includes(id)))) continue;
        const params = { address_hash: hash };
        const calls = [
          ...LISTS.map((method) => (client) => client[method](params)),
          ...actions.map((action) => (client) => client.account[action].all({ address: hash, sort: "asc" })),
          ...["asc", "desc"].map((order) => (client) => history(client, { ...params, order })),
        ];
        for (const call of calls) await check(call, options);
      }
    });
  });
});

for (const backendVersion of [11, 12]) {
  describe(`version ${backendVersion}`, () => {
    for (const [method, id, maxRequests, isCounted = true] of [
      // The first page has all records.
      ["addressTransactions", "quiet", 1],
      ["addressLogs", "hostile", 1],
      ["addressWithdrawals", "quiet", 1],
      ["addressTokens", "quiet", 1],
      ["addressNft", "quiet", 1],
      // The first page always has all records.
      ["addressTokenBalances", "hub", 1],
      // From a large counter and the page sizes.
      ["addressTransactions", "hub", 5],
      ["addressBlocksValidated", "producer", 5],
      // From single rows of four actions with many rows.
      ["addressTokenTransfers", "hub", 30],
      ["addressInternalTransactions", "hub", 9],
      // No counter exists.
      ["addressLogs", "hub", 5, false],
      ["addressNft", "hub", 3, false],
    ]) {
      time.test(`expects the needs of ${method} of ${id}`, () =>
        check((client) => client[method]({ address_hash: find(id) }, { prefetch: 0 }), {
          backendVersion,
          maxRequests,
          isCounted,
        }),
      );
    }

    for (const [action, id, maxRequests] of [
      ["txList", "hub", 5],
      ["tokenTx", "hub", 7],
      ["txListInternal", "hub", 8],
      ["tokenNftTx", "minter", 3],
    ]) {
      time.test(`expects the needs of all() of ${action} of ${id}`, () =>
        check((client) => client.account[action].all({ address: find(id), sort: "asc" }), {
          backendVersion,
          maxRequests,
          isCounted: true,
        }),
      );
    }
  });
}

for (const order of ["desc", "asc"]) {
  describe(`history in order ${order}`, () => {
    time.test("of an address with few events takes a few requests", async () => {
      const maxRequests = order === "asc" ? 7 : 3;
      await check((client) => history(client, { address_hash: find("quiet"), order }), { maxRequests, isCounted: true });
    });

    time.test("of an address with many events", async () => {
      const include = ["transaction", "token_transfer", "internal_transaction"];
      const { expected } = await check((client) => history(client, { address_hash: find("hub"), order, include }), {
        maxRequests: 40,
        isCounted: true,
      });
      assert.ok(expected.records.max - expected.records.min < 3_200, JSON.stringify(expected));
    });

    time.test("of a period is estimated from single rows", async () => {
      const [{ height }] = createSampleService().getAllItems("/blocks");
      const include = ["transaction", "token_transfer"];
      for (const period of [{ from: height - 20_000 }, { to: height - 20_000 }, { from: height - 20_000, to: height - 5_000 }]) {
        const read = (client) => history(client, { address_hash: find("hub"), order, include, ...period });
        const { expected } = await check(read, { maxRequests: 60, isCounted: true });
        assert.ok(expected.records.max - expected.records.min < 7500, JSON.stringify(expected));
      }
    });

    time.test("continues after a resume token", async () => {
      const { client } = setUp();
      const params = { address_hash: find("settlement"), order, include: ["transaction", "token_transfer"] };
      const call = history(client, params);
      let left = await readAll(history(client, params));
      for await (const _ of call) if (--left === 100) break;
      const { expected } = await check((client) => history(client, { ...params, resume: call.resumeToken }), {
        maxRequests: 25,
        isCounted: true,
      });
      assert.ok(expected.records.max <= 800, JSON.stringify(expected));
    });
  });
}

time.test("a filter may select any share, and all records of a short first page", async () => {
  const read = (id) => (client) => client.addressTokenTransfers({ address_hash: find(id), filter: "from" }, { prefetch: 0 });
  const { expected } = await check(read("quiet"), { maxRequests: 2 });
  assert.deepEqual(expected.records, { min: 9, max: 9 });
  await check(read("hub"), { maxRequests: 30 });
});

time.test("the page size and the number of parts determine the requests", async () => {
  for (const options of [{ pageSize: 20 }, { pageSize: 100 }, { concurrency: 3 }]) {
    const read = (client) => client.addressTransactions({ address_hash: find("hub") }, { prefetch: 0, ...options });
    await check(read, { backendVersion: 12, maxRequests: 5, isCounted: true });
  }
});

time.test("a list that is read oldest first has its bounds, and is read twice if it is long", async () => {
  for (const id of ["hub", "whale", "quiet"]) {
    for (const bounds of [{}, { fromBlock: 23_000_000 }, { toBlock: 23_690_000 }]) {
      const options = { prefetch: 0, order: "asc", ...bounds };
      await check((client) => client.addressTransactions({ address_hash: find(id) }, options), { maxRequests: 5 });
    }
  }
  const options = { prefetch: 0, order: "asc" };
  const { expected } = await check((client) => client.addressTokenTransfers({ address_hash: find("hub") }, options), {
    maxRequests: 30,
  });
  assert.ok(expected.requests.min > 40, JSON.stringify(expected));
});

time.test("seconds follow from maxPerSecond and from the latency of the estimate", async () => {
  const read = (client) => client.addressTransactions({ address_hash: find("hub") }, { prefetch: 0 });
  const seconds = Math.ceil(TRANSACTIONS / 50) / 2;
  for (const [maxPerSecond, latencyMs] of [
    [2, 100],
    [undefined, 500],
  ]) {
    const { expected } = await check(read, { latencyMs, client: { maxPerSecond }, maxRequests: 4 });
    assertWithin(seconds, expected.seconds, "seconds");
    assert.ok(expected.seconds.max < 0.97 * expected.requests.max, JSON.stringify(expected));
  }
});

time.test("an instance charges no credits", async () => {
  const { client } = setUp({ client: { baseUrl: "https://instance.invalid" } });
  const { credits, requests } = await estimate(client.addressTransactions({ address_hash: find("hub") }));
  assert.deepEqual(credits, { min: 0, max: 0 });
  assert.ok(requests.min > 7);
});

time.test("counters are enough if the account interface is refused", async () => {
  const { client } = setUp({ requiresKey: "account_module" });
  const { records } = await estimate(history(client, { address_hash: find("hub"), include: ["transaction"], to: 5_000_000 }));
  assert.deepEqual(records, { min: 0, max: TRANSACTIONS });
  const internal = await estimate(client.addressInternalTransactions({ address_hash: find("hub") }));
  assert.deepEqual(internal.records, { min: 51, max: null });
});

time.test("an excluded suspicion may exclude all events", async () => {
  const { client } = setUp();
  const params = { address_hash: find("quiet"), include: ["token_transfer"] };
  assert.ok((await estimate(history(client, params))).records.min > 15);
  assert.equal((await estimate(history(client, { ...params, exclude: ["zero_value"] }))).records.min, 0);
});

time.test("an export of a period shows its progress", async () => {
  const { client } = setUp();
  const [{ height }] = createSampleService().getAllItems("/blocks");
  const events = history(client, { address_hash: find("hub"), include: ["transaction"], from: height - 20_000 });
  const { records } = await estimate(events);
  const fractions = [];
  const stream = toCsv(events, { total: records.max, onProgress: ({ fraction }) => fractions.push(fraction) });
  await readAll(stream);
  assert.ok(fractions.length > 3);
  assert.deepEqual(
    fractions,
    [...fractions].sort((a, b) => a - b),
  );
  assert.ok(fractions.at(-2) > 0.7, `${fractions}`);
});

time.test("implausible counters are ignored", async () => {
  for (const counter of [-5, "-5", "1.5", "", null, "9".repeat(400), {}]) {
    const { fetch } = createSampleService();
    const edit = async (request) => {
      const response = await fetch(request);
      if (!/counters$/.test(request.url)) return response;
      const names = Object.keys(await response.json());
      return Response.json(Object.fromEntries(names.map((name) => [name, counter])));
    };
    const client = new AddressClient({ baseUrl: GATEWAY, fetch: edit });
    for (const call of [
      client.addressTransactions({ address_hash: find("hub") }),
      client.addressBlocksValidated({ address_hash: find("producer") }),
      history(client, { address_hash: find("hub"), include: ["transaction", "withdrawal"] }),
    ]) {
      for (const { min, max } of Object.values(await estimate(call))) {
        assert.ok(Number.isFinite(min) && min >= 0 && (max === null || (Number.isFinite(max) && max >= min)), `${min} ${max}`);
      }
    }
  }
});

time.test("the maximum is null where the size of pages is not known", async () => {
  const { fetch } = createSampleService();
  const withoutBlocks = (request) => (/blocks$/.test(request.url) ? new Response("{}", { status: 404 }) : fetch(request));
  const client = new AddressClient({ baseUrl: GATEWAY, fetch: withoutBlocks });
  const { records, requests } = await estimate(client.addressTransactions({ address_hash: find("hub") }));
  assert.deepEqual(
    [records, requests],
    [
      { min: TRANSACTIONS, max: TRANSACTIONS },
      { min: Math.ceil(TRANSACTIONS / 100), max: null },
    ],
  );
});

describe("failures", () => {
  time.test("for parameters and options come before any request", async () => {
    const { client, urls } = setUp();
    const reject = (call, parameter, options) => expectError(estimate(call, options), "invalid_parameter", { parameter });
    await reject(history(client, { address_hash: "0x1" }), "address_hash");
    await reject(client.addressLogs({ address_hash: HASH }, { pageSiz: 1 }), "pageSiz");
    await reject(client.addressLogs({ address_hash: HASH }), "limit", { limit: 1 });
    await reject(client.addressLogs({ address_hash: HASH }), "signal", { signal: 1 });
    for (const call of [
      null,
      undefined,
      [],
      {},
      watch(client, { address_hash: HASH }),
      client.addressCounters({ address_hash: HASH }),
    ]) {
      if (call instanceof Promise) call.catch(() => {});
      await reject(call, "call");
    }
    const { client: other } = setUp({ client: { baseUrl: "https://other.invalid" } });
    const call = history(other, { address_hash: find("quiet") });
    for await (const _ of call) break;
    await reject(history(client, { address_hash: find("quiet"), resume: call.resumeToken }), "resume");
    assert.deepEqual(
      urls.filter((url) => !url.endsWith("/counters")),
      [],
    );
  });

  time.test("of the service fail the estimate, unless only its counters fail", async () => {
    const failing = { faults: { rate: 1, kinds: ["network_error"] }, client: { maxAttempts: 1 } };
    await expectError(estimate(setUp(failing).client.addressLogs({ address_hash: HASH })), "network");
    const { fetch } = createSampleService();
    const fetchUncounted = (request) =>
      /counters$/.test(request.url) ? Response.json({ message: "Not found" }, { status: 404 }) : fetch(request);
    const uncounted = new AddressClient({ baseUrl: GATEWAY, fetch: fetchUncounted });
    const { records } = await estimate(uncounted.addressTransactions({ address_hash: find("hub") }));
    assertWithin(TRANSACTIONS, records, "records");
  });

  time.test("a signal aborts the requests", async () => {
    const { client } = setUp();
    const controller = new AbortController();
    const reason = new Error("no longer needed");
    const estimating = estimate(history(client, { address_hash: find("hub") }), { signal: controller.signal });
    setTimeout(() => controller.abort(reason), 150);
    const error = await expectError(estimating, "aborted");
    assert.equal(error.cause, reason);
  });
});

describe("the plan of a call says what it reads, and sends nothing", () => {
  test("a list", async () => {
    const { client, urls } = setUp();
    const params = { address_hash: HASH };
    const { client: owner, operation, params: planned, options } = client.addressLogs(params, { pageSize: 20 }).plan();
    assert.equal(owner, client);
    assert.deepEqual([operation, planned, options], ["/api/v2/addresses/{address_hash}/logs", params, { pageSize: 20 }]);
    assert.deepEqual(urls, []);
  });

  time.test("another call of the list has its own options", async () => {
    const { client, urls } = setUp();
    const plan = client.addressLogs({ address_hash: find("whale") }).plan();
    await plan.open({ pageSize: 20 });
    assert.equal(urls.length, 1);
  });

  test("a range", () => {
    const { client } = setUp();
    const { operation, params, options } = client.account.txList.all({ address: HASH }, { concurrency: 3 }).plan();
    assert.deepEqual([operation, params, options], ["txList", { address: HASH }, { concurrency: 3 }]);
  });

  test("invalid options are an error", () => {
    const { client } = setUp();
    const isError = ({ parameter }) => parameter === "pageSize";
    assert.throws(() => client.addressLogs({ address_hash: HASH }, { pageSize: 0 }).plan(), isError);
  });

  test("a history", async () => {
    const { client, urls } = setUp();
    const { reads, blocks, isResumed } = await history(client, { address_hash: HASH, include: ["transaction"] }).plan();
    assert.deepEqual(reads, [{ kind: "transaction", method: "addressTransactions", standard: undefined }]);
    assert.deepEqual([blocks, isResumed, urls], [null, false, []]);
  });
});

test("limits are the options that limit the client", () => {
  const { client } = setUp({ client: { maxCredits: 500, maxPerSecond: 2 } });
  assert.deepEqual(client.limits, { maxCredits: 500, maxPerSecond: 2 });
});
