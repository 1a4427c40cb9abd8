// The methods of the REST API, derived from the declarations of the package: the URL of each, and its result for a fixture.
import assert from "node:assert/strict";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { describe, test } from "node:test";
import { AddressClient, keyOf } from "../../pkg/index.js";
import { fillPath } from "./operations.mjs";
import { BASE, HASH, createFetch, expectError } from "./support.mjs";

const TRANSACTION = `0x${"5c".repeat(32)}`;
/** A value for each parameter of a path. */
const PATH_VALUES = {
  address_hash: HASH,
  transaction_hash: TRANSACTION,
  token_id: "9".repeat(78),
  block_hash_or_number: 22_546_398,
  user_operation_hash: TRANSACTION,
};
/** The parameters of the query that a method requires. */
const QUERY_VALUES = { searchQuick: { q: "ab c" }, search: { q: "ab c" }, searchRedirect: { q: "ab c" } };
const FIXTURES = new URL("../fixtures/", import.meta.url);
const declarations = readFileSync(new URL("../../pkg/endpoints.d.ts", import.meta.url), "utf8");
const records = readFileSync(new URL("../../pkg/records.d.ts", import.meta.url), "utf8");

/** The methods with their path and result: `ListCall<Item, …>` or `Promise<Record>`. */
const methods = Array.from(
  declarations.matchAll(/`GET (\/api\/v2\S*)`(?:(?!\*\/)[^])*\*\/\s+(\w+)\(([^)]*)\): (ListCall|Promise)<(\w+)/g),
  ([, path, name, params, result, record]) => ({
    path,
    name,
    hasParams: !params.includes("Record<string, never>"),
    result,
    record,
  }),
);
const toFolder = (name) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** Returns the fixtures of a method, or of another method with the same record. */
function readFixtures({ name, result, record }) {
  const sameRecord = methods
    .filter((method) => method.record === record && method.result === result)
    .map((method) => method.name);
  const folder = [name, ...sameRecord].map(toFolder).find((folder) => existsSync(new URL(`${folder}/`, FIXTURES)));
  assert.ok(folder, `no fixture for ${name}`);
  return readdirSync(new URL(`${folder}/`, FIXTURES))
    .filter((file) => /^v\d+\.json$/.test(file))
    .map((file) => readFileSync(new URL(`${folder}/${file}`, FIXTURES), "utf8"));
}

/** Returns the names of the fields of a record. */
function getFieldNames(record) {
  const [, kinds, body] = new RegExp(`^export interface ${record}(Fields)? \\{\\n([^]*?)^\\}`, "m").exec(records);
  const names = Array.from(body.matchAll(/^ {2}"?([^\s":/*?]+\??)"?: /gm), ([, name]) => name);
  return [...(kinds ? ["type"] : []), ...names.filter((name) => name !== "extra?")];
}

/** Calls a method, and returns its result and the URLs of its requests. */
async function call({ name, path, hasParams }, body) {
  const fetch = createFetch(body);
  const client = new AddressClient({ baseUrl: BASE, fetch, maxAttempts: 1 });
  const params = { ...fillPath(path, PATH_VALUES).params, ...QUERY_VALUES[name] };
  const result = await (hasParams ? client[name](params) : client[name]());
  return { result, urls: fetch.urls() };
}

test("the declarations have all methods", () => {
  // The base class of the client's base class has the methods of the REST API.
  const { prototype } = Object.getPrototypeOf(Object.getPrototypeOf(AddressClient));
  const names = Object.getOwnPropertyNames(prototype).filter((name) => name !== "constructor");
  assert.deepEqual(methods.map(({ name }) => name).sort(), names.sort());
});

describe("each method requests its path, and returns the declared fields", () => {
  for (const method of methods) {
    test(method.name, async () => {
      const fields = getFieldNames(method.record).sort();
      for (const body of readFixtures(method)) {
        const { result, urls } = await call(method, body);
        const query = method.name in QUERY_VALUES ? "?q=ab%20c" : "";
        assert.deepEqual(urls, [BASE + fillPath(method.path, PATH_VALUES).path + query]);
        if (method.result === "Promise") {
          assert.deepEqual(Object.keys(result).sort(), fields);
          continue;
        }
        const sent = JSON.parse(body);
        assert.equal(result.items.length, (Array.isArray(sent) ? sent : sent.items).length);
        for (const item of result.items) {
          assert.deepEqual(Object.keys(item).sort(), fields);
          assert.equal(typeof keyOf(item), "string");
        }
      }
    });
  }
});

describe("a lookup", () => {
  const client = (fetch, options) => new AddressClient({ baseUrl: BASE, fetch, maxAttempts: 1, ...options });
  const COUNTERS = { transactions_count: "28", token_transfers_count: "13", gas_usage_count: "2142213", validations_count: "0" };

  test("is a plain promise, which sends its request at once", async () => {
    const fetch = createFetch(JSON.stringify(COUNTERS));
    const promise = client(fetch).addressCounters({ address_hash: HASH });
    assert.equal(promise.constructor, Promise);
    await fetch.sent(1);
    assert.deepEqual(await promise, COUNTERS);
  });

  test("passes JSON numbers as numbers", async () => {
    const stats = await client(
      createFetch(`{"total_blocks":"1","average_block_time":12031.5,"network_utilization_percentage":-1e-2}`),
    ).stats();
    assert.deepEqual(
      [stats.average_block_time, stats.network_utilization_percentage, stats.coin_price_change_percentage],
      [12031.5, -0.01, null],
    );
  });

  test("keeps undocumented fields with keepExtra, and reports drift", async () => {
    const drifts = [];
    const options = { keepExtra: true, onDrift: ({ kind, record, field }) => drifts.push(`${kind} ${record}.${field}`) };
    const counters = await client(createFetch(JSON.stringify({ ...COUNTERS, new_count: 1 })), options).addressCounters({
      address_hash: HASH,
    });
    assert.deepEqual(counters.extra, { new_count: 1 });
    assert.deepEqual(drifts, ["unknown_field AddressCounters.new_count"]);
  });

  test("rejects with the status and message of the service", async () => {
    const fetch = createFetch(() => new Response('{"message":"Not found"}', { status: 404 }));
    const error = await expectError(client(fetch).transaction({ transaction_hash: TRANSACTION }), "http_status", { status: 404 });
    assert.match(error.message, /Not found/);
  });

  test("rejects invalid parameters, records and aborted signals", async () => {
    await expectError(client(createFetch()).address({}), "invalid_parameter", { parameter: "address_hash" });
    const error = await expectError(
      client(createFetch(`{"hash":"${HASH}","coin_balance":{}}`)).address({ address_hash: HASH }),
      "decode",
      { path: "coin_balance" },
    );
    assert.match(error.message, /check baseUrl/);
    await expectError(client(createFetch()).stats({}, { signal: AbortSignal.abort() }), "aborted");
  });
});

describe("a list of one page", () => {
  const items = [
    { date: "2026-04-30", value: "1" },
    { date: "2026-05-01", value: "0" },
  ];

  test("may be an object or an array", async () => {
    for (const [body, days] of [
      [{ days: 10, items }, 10],
      [items, null],
    ]) {
      const fetch = createFetch(JSON.stringify(body));
      const client = new AddressClient({ baseUrl: BASE, fetch, maxAttempts: 1 });
      const page = await client.addressCoinBalanceHistoryByDay({ address_hash: HASH });
      assert.deepEqual(page, { items, days, next_page_params: null, resumeToken: null, omitted: { count: 0, first: [] } });
    }
  });

  test("can be iterated", async () => {
    const client = new AddressClient({ baseUrl: BASE, fetch: createFetch(JSON.stringify(items)), maxAttempts: 1 });
    assert.deepEqual(await client.addressCoinBalanceHistoryByDay({ address_hash: HASH }).toArray({ limit: 10 }), items);
  });
});

describe("getBlockNoByTime", () => {
  const getBlock = (body) => {
    const fetch = createFetch(JSON.stringify(body));
    const client = new AddressClient({ baseUrl: BASE, fetch, maxAttempts: 1 });
    return { fetch, promise: client.block.getBlockNoByTime({ timestamp: 1_750_000_000, closest: "before" }) };
  };

  test("returns the number of the block", async () => {
    const { fetch, promise } = getBlock({ status: "1", message: "OK", result: { blockNumber: "22546398" } });
    assert.deepEqual(await promise, { blockNumber: "22546398" });
    assert.deepEqual(fetch.urls(), [`${BASE}/api?module=block&action=getblocknobytime&timestamp=1750000000&closest=before`]);
  });

  test("rejects with code refused if there is no such block", async () => {
    const { promise } = getBlock({ status: "0", message: "Block does not exist", result: null });
    const error = await expectError(promise, "refused");
    assert.match(error.message, /Block does not exist/);
  });
});
