// The options of queries, run by TanStack Query against the sample service.
import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { dehydrate, hydrate, InfiniteQueryObserver, QueryClient } from "@tanstack/query-core";
import { mainnet } from "../../pkg/chains.js";
import { AddressClient } from "../../pkg/index.js";
import { activities, history, mergeHistories } from "../../pkg/history/index.js";
import { portfolio } from "../../pkg/portfolio/index.js";
import { activitiesQuery, createQueries, historyQuery, portfolioQuery } from "../../pkg/query/index.js";
import { createSampleService } from "../../pkg/testing/index.js";

const BASE_URL = "https://sample.invalid";

function setUp(options = {}) {
  const service = createSampleService({ backendVersion: 12 });
  const requests = [];
  const fetch = (request) => {
    requests.push(request);
    return (options.answer ?? service.fetch)(request);
  };
  const { answer, ...others } = options;
  const client = new AddressClient({ baseUrl: BASE_URL, fetch, ...others });
  const address_hash = service.addresses.find(({ id }) => id === "hub").hash;
  const cache = new QueryClient();
  return { service, client, requests, address_hash, queries: createQueries(client), cache };
}

/** Fetches pages like a list that is scrolled to its end. Returns the result of the last one. */
async function scroll(cache, options, maxPages = Number.POSITIVE_INFINITY) {
  const observer = new InfiniteQueryObserver(cache, options);
  const unsubscribe = observer.subscribe(() => {});
  let result = await observer.refetch();
  for (let pages = 1; result.hasNextPage && pages < maxPages; pages++) result = await observer.fetchNextPage();
  unsubscribe();
  if (result.error) throw result.error;
  return result;
}

const getItems = ({ data }) => data.pages.flatMap(({ items }) => items);

suite("lists", () => {
  test("the pages of an infinite query have all records of the list, in its order", async () => {
    const { client, queries, address_hash, cache } = setUp();
    const result = await scroll(cache, queries.addressTokenTransfers({ address_hash }));
    const all = await client.addressTokenTransfers({ address_hash }).toArray({ limit: 100_000 });
    assert.ok(result.data.pages.length > 2);
    assert.deepEqual(getItems(result), [...all]);
  });

  test("a stored cache continues in another session", async () => {
    const { client, queries, address_hash, cache } = setUp();
    await scroll(cache, queries.addressTokenTransfers({ address_hash }), 2);
    const stored = JSON.stringify(dehydrate(cache));
    const next = setUp();
    hydrate(next.cache, JSON.parse(stored));
    const observer = new InfiniteQueryObserver(next.cache, {
      ...next.queries.addressTokenTransfers({ address_hash }),
      staleTime: Number.POSITIVE_INFINITY,
    });
    const unsubscribe = observer.subscribe(() => {});
    assert.equal(next.requests.length, 0, "the pages come from the cache");
    const result = await observer.fetchNextPage();
    unsubscribe();
    assert.equal(result.data.pages.length, 3);
    const expected = await client.addressTokenTransfers({ address_hash }).toArray({ limit: getItems(result).length });
    assert.deepEqual(getItems(result), [...expected]);
  });

  test("options of the call apply to each page", async () => {
    const { queries, address_hash, cache } = setUp();
    const result = await scroll(cache, queries.addressTransactions({ address_hash }, { pageSize: 20 }), 2);
    assert.deepEqual(
      result.data.pages.map(({ items }) => items.length),
      [20, 20],
    );
  });
});

suite("whole lists", () => {
  test("`all` of a list and of a range has at most `limit` records", async () => {
    const { client, queries, address_hash, cache } = setUp();
    const transfers = queries.addressTokenTransfers.all({ address_hash }, { limit: 230 });
    const expected = await client.addressTokenTransfers({ address_hash }).toArray({ limit: 230 });
    assert.deepEqual(await cache.fetchQuery(transfers), [...expected]);
    assert.deepEqual(transfers.queryKey.slice(2), [
      "addressTokenTransfers.all",
      { address_hash: address_hash.toLowerCase() },
      { limit: 230 },
    ]);
    const params = { address: address_hash, sort: "asc" };
    const rows = await cache.fetchQuery(queries.account.txList.all(params, { limit: 120 }));
    assert.deepEqual(rows, [...(await client.account.txList.all(params).toArray({ limit: 120 }))]);
    await assert.rejects(cache.fetchQuery(queries.addressLogs.all({ address_hash }, {})), { parameter: "limit" });
  });
});

suite("one result", () => {
  test("lookups, actions and GraphQL", async () => {
    const { client, queries, address_hash, cache } = setUp();
    for (const [options, expected] of [
      [queries.address({ address_hash }), await client.address({ address_hash })],
      [queries.stats(), await client.stats()],
      [queries.account.balance({ address: address_hash }), await client.account.balance({ address: address_hash })],
      [queries.graphql.balance({ address: address_hash }), await client.graphql.balance({ address: address_hash })],
    ]) {
      assert.deepEqual(await cache.fetchQuery(options), expected, options.queryKey.join(" "));
    }
  });

  test("a failure is not retried by the query", async () => {
    const answer = () => Promise.resolve(new Response("{}", { status: 500 }));
    const { queries, requests, address_hash, cache } = setUp({ answer, maxAttempts: 1 });
    await assert.rejects(cache.fetchQuery(queries.address({ address_hash })), { name: "AddressQueryError", status: 500 });
    assert.equal(requests.length, 1);
  });

  test("an invalid parameter is named before a request is sent", async () => {
    const { queries, requests, cache } = setUp();
    const expected = { code: "invalid_parameter", parameter: "address_hash" };
    await assert.rejects(cache.fetchQuery(queries.address({ address_hash: "0x12" })), expected);
    assert.equal(requests.length, 0);
  });

  test("a cancelled query aborts its request", async () => {
    let signal;
    const answer = (request) => {
      ({ signal } = request);
      return new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    };
    const { queries, address_hash, cache } = setUp({ answer });
    const options = queries.address({ address_hash });
    const result = cache.fetchQuery(options);
    while (signal === undefined) await new Promise((resolve) => setTimeout(resolve));
    await cache.cancelQueries({ queryKey: options.queryKey });
    await assert.rejects(result);
    assert.equal(signal.aborted, true);
  });

  test("an unknown method has no query", () => {
    const { queries } = setUp();
    assert.equal(queries.addres, undefined);
    assert.equal(queries.account.balanc, undefined);
    assert.equal(queries[Symbol.iterator], undefined);
  });
});

suite("keys", () => {
  const MIXED = "0x00000000219ab540356cBB839Cbe05303d7705Fa";

  test("equal calls have equal keys, whatever the letter case of an address and the omitted parameters", () => {
    const { queries } = setUp();
    const { queryKey } = queries.addressTokenTransfers({ address_hash: MIXED, type: ["ERC-20"] });
    assert.deepEqual(queryKey, [
      "address-query",
      { baseUrl: BASE_URL },
      "addressTokenTransfers",
      { address_hash: MIXED.toLowerCase(), type: ["ERC-20"] },
      {},
    ]);
    const same = { address_hash: MIXED.toUpperCase().replace("X", "x"), type: ["ERC-20"], filter: null, token: undefined };
    assert.deepEqual(queries.addressTokenTransfers(same).queryKey, queryKey);
    assert.deepEqual(JSON.parse(JSON.stringify(queryKey)), queryKey);
  });

  test("another call, instance, chain or form of the records has another key", () => {
    const fetch = () => Promise.reject(new Error("not sent"));
    const createKey = (options, params = { address_hash: MIXED }) =>
      JSON.stringify(createQueries(new AddressClient({ baseUrl: BASE_URL, fetch, ...options })).addressLogs(params).queryKey);
    const keys = [
      createKey({}),
      createKey({}, { address_hash: MIXED.replace("a", "b") }),
      createKey({ baseUrl: "https://other.invalid" }),
      createKey({ baseUrl: "/proxy", chainId: 1 }),
      createKey({ baseUrl: "/proxy", chainId: 10 }),
      createKey({ badRecords: "skip" }),
      createKey({ keepExtra: true }),
      createKey({ showScamTokens: true }),
    ];
    assert.equal(new Set(keys).size, keys.length);
  });

  test("parameters that JSON cannot hold are a typed error", () => {
    const { queries, client } = setUp();
    const cyclic = {};
    cyclic.self = cyclic;
    for (const token_id of [1n, cyclic]) {
      const expected = { code: "invalid_parameter", parameter: "params" };
      assert.throws(() => queries.tokenInstance({ address_hash: MIXED, token_id }), expected);
      assert.throws(() => historyQuery(history, client, { address_hash: MIXED, from: token_id }), expected);
    }
  });

  test("the server and the page have equal keys for a chain, wherever each reads it", () => {
    const apiKey = "proapi_0123456789abcdef";
    const sources = [
      { chainId: 1, apiKey },
      { baseUrl: "/api/blockscout", chainId: 1 },
      { baseUrl: "https://proxy.example/api", chain: mainnet },
      { chain: mainnet },
      { baseUrl: mainnet.baseUrl, chainId: 1 },
    ].map((options) => createQueries(new AddressClient(options)).stats().queryKey);
    for (const queryKey of sources) assert.deepEqual(queryKey, ["address-query", { chainId: 1 }, "stats", {}, {}]);
  });

  test("a key does not contain a secret in the base URL", () => {
    for (const [baseUrl, expected] of [
      ["https://h.example/?apikey=SECRETKEY0001", "https://h.example/"],
      ["https://h.example/p#SECRETKEY0001/x", "https://h.example/p"],
      ["https://user:SECRETKEY0001@h.example/p", "https://h.example/p"],
    ])
      assert.deepEqual(createQueries(new AddressClient({ baseUrl })).stats().queryKey[1], { baseUrl: expected });
  });

  test("a key does not contain the API key", () => {
    const fetch = () => Promise.reject(new Error("not sent"));
    const apiKey = "proapi_0123456789abcdef";
    const queries = createQueries(new AddressClient({ chainId: 1, apiKey, fetch }));
    const { queryKey } = queries.address({ address_hash: MIXED });
    assert.doesNotMatch(JSON.stringify(queryKey), /proapi/);
    assert.deepEqual(queryKey[1], { chainId: 1 });
  });
});

suite("history", () => {
  test("the pages have all events once, in order", async () => {
    const { client, address_hash, cache } = setUp();
    const to = 23_705_386;
    const params = { address_hash, include: ["token_transfer"], to };
    const result = await scroll(cache, historyQuery(history, client, params, 40), 4);
    const expected = [];
    for await (const event of history(client, params)) if (expected.push(event) === getItems(result).length) break;
    assert.deepEqual(
      result.data.pages.map(({ items }) => items.length),
      [40, 40, 40, 40],
    );
    assert.deepEqual(getItems(result), expected);
  });

  test("a page has at least one event", async () => {
    const { client, requests, address_hash, cache } = setUp();
    for (const limit of [0, -1, 1.5, Number.NaN, "5", null]) {
      const { queryKey, queryFn } = historyQuery(history, client, { address_hash }, limit);
      await assert.rejects(cache.fetchQuery({ queryKey, queryFn, retry: false }), {
        code: "invalid_parameter",
        parameter: "limit",
      });
    }
    assert.equal(requests.length, 0);
  });

  test("the last page has the report, and no page follows", async () => {
    const { client, address_hash, cache } = setUp();
    const result = await scroll(cache, historyQuery(history, client, { address_hash, include: ["withdrawal"] }, 50));
    const { resumeToken, report } = result.data.pages.at(-1);
    assert.equal(resumeToken, null);
    assert.equal(report.complete, true);
    assert.equal(result.hasNextPage, false);
  });
});

suite("several accounts", () => {
  /** Accounts on two chains. */
  function setUpAccounts() {
    const { service, cache } = setUp();
    const hashes = ["showcase", "collector"].map((id) => service.addresses.find((address) => address.id === id).hash);
    const accounts = [1, 10].flatMap((chainId) => {
      const client = new AddressClient({ baseUrl: BASE_URL, chainId, fetch: service.fetch });
      return hashes.map((address_hash) => ({ client, address_hash }));
    });
    return { accounts, cache, hashes };
  }

  test("the pages of a merged history have all events once, in order", async () => {
    const { accounts, cache } = setUpAccounts();
    const params = { include: ["token_transfer"], ownTransfers: "once" };
    const result = await scroll(cache, historyQuery(mergeHistories, accounts, params, 60), 3);
    assert.deepEqual(getItems(result), await mergeHistories(accounts, params).more(180));
  });

  test("the pages of activities have all activities once, of one account and of several", async () => {
    const { accounts, cache } = setUpAccounts();
    const [{ client, address_hash }] = accounts;
    const alone = await scroll(cache, activitiesQuery(activities, client, { address_hash }, 20), 3);
    // An activity has a function, which no cache stores.
    const toData = (items) => JSON.parse(JSON.stringify(items));
    assert.deepEqual(toData(getItems(alone)), toData(await activities(client, { address_hash }).more(60)));
    const readMerged = (accounts, params) => activities(mergeHistories(accounts, params));
    const merged = await scroll(cache, activitiesQuery(readMerged, accounts, {}, 20), 3);
    assert.deepEqual(toData(getItems(merged)), toData(await activities(mergeHistories(accounts)).more(60)));
  });

  test("a portfolio is one result", async () => {
    const { accounts, cache } = setUpAccounts();
    const result = await cache.fetchQuery(portfolioQuery(portfolio, accounts, { include: ["nfts"] }));
    const expected = await portfolio(accounts, { include: ["nfts"] });
    assert.equal(result.value, expected.value);
    assert.deepEqual(result.holdings, expected.holdings);
  });

  test("keys name the chain and the address of each account, and the parameters", () => {
    const { accounts, hashes } = setUpAccounts();
    const [first, second] = hashes.map((hash) => hash.toLowerCase());
    const sources = [1, 10].flatMap((chainId) => [first, second].map((address_hash) => ({ chainId, address_hash })));
    const limited = { limit: 50 };
    assert.deepEqual(historyQuery(mergeHistories, accounts, { order: "asc" }).queryKey, [
      "address-query",
      sources,
      "history",
      { order: "asc" },
      limited,
    ]);
    assert.deepEqual(activitiesQuery(activities, accounts[0].client, { address_hash: first }).queryKey, [
      "address-query",
      { chainId: 1 },
      "activities",
      { address_hash: first },
      limited,
    ]);
    assert.deepEqual(portfolioQuery(portfolio, accounts, { limit: 5 }).queryKey, [
      "address-query",
      sources,
      "portfolio",
      { limit: 5 },
      {},
    ]);
  });
});
