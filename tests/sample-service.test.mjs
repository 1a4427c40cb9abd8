// Tests of the REST lists of the sample service: they must behave like the real service, because the client's tests rely on them.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { keccak_256 } from "@noble/hashes/sha3.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import { createSampleService } from "../pkg/testing/index.js";
import { assertSameItems, parseCursor, readAllPages, request } from "./sample-requests.mjs";
import { startSampleServer } from "./sample-server.mjs";

const BACKEND_VERSIONS = [8, 11, 12];
const services = Object.fromEntries(
  BACKEND_VERSIONS.map((backendVersion) => [backendVersion, createSampleService({ backendVersion })]),
);
const findAddress = (label) => services[11].addresses.find((address) => address.label === label).hash;
const hub = findAddress("Busy smart account");
const settlement = findAddress("Settlement contract");
const minter = findAddress("Batch minter");
const hostile = findAddress("Hostile names");

const LISTS = [
  "/addresses",
  "/token-transfers",
  ...["token-transfers", "internal-transactions", "logs", "coin-balance-history", "withdrawals", "nft"].map(
    (name) => `/addresses/${hub}/${name}`,
  ),
];

const allItemsCache = new Map();

/** All items of a list of a shared service, cached. */
function getAllItems(backendVersion, path, query = {}) {
  const key = JSON.stringify([backendVersion, path, query]);
  if (!allItemsCache.has(key)) allItemsCache.set(key, services[backendVersion].getAllItems(path, query));
  return allItemsCache.get(key);
}

/** Makes the next service create all rows again: services share the rows of the last four seeds. */
function forgetRows() {
  for (let seed = 101; seed <= 104; seed++) createSampleService({ seed });
}

// The client reads the lists without filters to their end, in `tests/js/sample-records.test.mjs`.
describe("reading all pages gives all items", () => {
  for (const [path, filters] of [
    ["/addresses", { sort: "transactions_count", order: "desc" }],
    ["/addresses", { sort: "transactions_count", order: "asc" }],
    ["/addresses", { sort: "balance", order: "asc" }],
    [`/addresses/${hub}/token-transfers`, { type: "erc-1155,ERC-404", filter: "from" }],
    [`/addresses/${hub}/internal-transactions`, { filter: "to" }],
    [`/addresses/${hub}/nft`, { type: "[ERC-1155]" }],
  ]) {
    test(`with filters ${JSON.stringify(filters)}`, async () => {
      for (const backendVersion of [8, 12]) {
        const { items } = await readAllPages(services[backendVersion], path, filters);
        assertSameItems(items, getAllItems(backendVersion, path, filters));
        assert.ok(items.length > 50);
      }
    });
  }

  test("with other page sizes", async () => {
    for (const [pageSize, address] of [
      [1, hostile],
      [33, minter],
      [100, minter],
    ]) {
      const service = createSampleService({ pageSize });
      const path = `/addresses/${address}/token-transfers`;
      assertSameItems((await readAllPages(service, path)).items, service.getAllItems(path));
    }
  });

  test("with items_count as the page size in version 12", async () => {
    const path = `/addresses/${hub}/nft`;
    const { pages, cursors } = await readAllPages(services[12], path, { items_count: 90 });
    assert.deepEqual(
      pages.map((page) => page.length),
      [90, 90, 90, 90, 40],
    );
    assert.ok(cursors.every((cursor) => !("items_count" in cursor)));
    assert.equal((await request(services[12], path, { items_count: 5000 })).body.items.length, 100);
  });
});

describe("the data", () => {
  test("have the documented numbers of records", () => {
    const minimumCounts = {
      "token-transfers": 2000,
      "internal-transactions": 2000,
      "coin-balance-history": 1000,
      nft: 400,
      withdrawals: 300,
      logs: 1,
    };
    for (const [list, count] of Object.entries(minimumCounts))
      assert.ok(getAllItems(11, `/addresses/${hub}/${list}`).length >= count, list);
    assert.equal(getAllItems(11, `/addresses/${settlement}/logs`).length, 3000);
    assert.ok(getAllItems(11, "/addresses").length >= 2000);
    for (const list of Object.keys(minimumCounts))
      assert.deepEqual(getAllItems(11, `/addresses/${findAddress("Fresh wallet")}/${list}`), []);
  });

  test("depend only on the seed", () => {
    forgetRows();
    const again = createSampleService({ backendVersion: 11 });
    const other = createSampleService({ seed: 2 });
    for (const path of ["/addresses", `/addresses/${hub}/nft`, `/addresses/${minter}/token-transfers`]) {
      assertSameItems(again.getAllItems(path), getAllItems(11, path));
    }
    assert.notDeepEqual(other.getAllItems("/addresses"), getAllItems(11, "/addresses"));
  });

  test("do not depend on the order in which lists are read", async () => {
    forgetRows();
    const service = createSampleService();
    const path = `/addresses/${settlement}/logs`;
    const before = service.getAllItems(path);
    service.getAllItems("/token-transfers");
    assertSameItems(service.getAllItems(path), before);
    assertSameItems(before, getAllItems(11, path));
  });

  test("do not change when another service with the seed grows", async () => {
    // Their first pages have the newest rows, which growth changes.
    const paths = ["/blocks", "/transactions", `/addresses/${findAddress("Exchange hot wallet")}/token-transfers`];
    const [grown, other] = [createSampleService(), createSampleService()];
    grown.grow(3);
    grown.reorganise(2);
    for (const path of paths) {
      const [changed, unchanged, expected] = await Promise.all([grown, other, services[11]].map((each) => request(each, path)));
      assert.notEqual(changed.text, unchanged.text);
      assert.equal(unchanged.text, expected.text);
    }
  });

  test("are consistent across lists", () => {
    const transfers = getAllItems(11, "/token-transfers");
    const blocks = new Map();
    for (const { block_number, block_hash, timestamp } of transfers) {
      const known = blocks.get(block_number) ?? { block_hash, timestamp };
      assert.deepEqual({ block_hash, timestamp }, known);
      blocks.set(block_number, known);
    }
    const byTime = [...blocks].sort(([a], [b]) => a - b).map(([, { timestamp }]) => timestamp);
    assert.deepEqual(byTime, [...byTime].sort());
    const positions = transfers.map(
      (transfer) => `${transfer.transaction_hash}/${transfer.log_index}/${transfer.total?.token_id}`,
    );
    assert.equal(new Set(positions).size, positions.length);
    const history = getAllItems(11, `/addresses/${hub}/coin-balance-history`);
    const sums = history.slice(1).map((older, i) => BigInt(older.value) + BigInt(history[i].delta));
    // Rows without a change are hidden, so the deltas of the other rows still add up.
    assert.deepEqual(
      sums.map(String),
      history.slice(0, -1).map(({ value }) => value),
    );
  });

  test("have totals with the members of every token type", () => {
    const members = new Set(
      getAllItems(12, "/token-transfers").map(({ token_type, total }) => `${token_type} ${total && Object.keys(total).sort()}`),
    );
    assert.deepEqual([...members].sort(), [
      "ERC-1155 decimals,token_id,token_instance,value",
      "ERC-20 decimals,ui_multiplier,value",
      "ERC-20 decimals,value",
      "ERC-20 null",
      "ERC-404 decimals,token_id,token_instance,value",
      "ERC-721 token_id,token_instance",
      "ERC-7984 decimals,value",
    ]);
  });

  test("have logs with zero to four topics, padded to four", () => {
    const logs = getAllItems(11, `/addresses/${settlement}/logs`);
    for (const { topics } of logs) assert.equal(topics.length, 4);
    const counts = new Set(logs.map(({ topics }) => topics.filter(Boolean).length));
    assert.deepEqual([...counts].sort(), [0, 1, 2, 3, 4]);
    assert.ok(logs.some(({ decoded }) => decoded === null));
    assert.ok(logs.some(({ decoded }) => decoded?.parameters.some(({ value }) => Array.isArray(value?.[0]))));
  });

  test("have checksum addresses and real event topics", () => {
    const transferTopic = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";
    assert.ok(getAllItems(11, `/addresses/${settlement}/logs`).some(({ topics }) => topics[0] === transferTopic));
    for (const { hash } of getAllItems(11, "/addresses").slice(0, 20)) {
      const digest = bytesToHex(keccak_256(utf8ToBytes(hash.slice(2).toLowerCase())));
      for (const [i, digit] of [...hash.slice(2)].entries())
        assert.equal(digit === digit.toUpperCase(), /\d/.test(digit) || digest[i] >= "8");
    }
  });

  test("have hostile strings that survive JSON", async () => {
    const { text, body } = await request(services[11], `/addresses/${hostile}/token-transfers`);
    for (const part of ["<img src=x onerror=alert(1)>", "</script>", "\\u0000", "\u202E", "javascript:alert(1)"])
      assert.ok(text.includes(part), part);
    assert.ok(body.items.some(({ token }) => token.name.length === 5000));
    const { meta } = body.items.flatMap(({ from, to }) => [from, to]).find(({ metadata }) => metadata).metadata.tags[0];
    assert.ok(Object.hasOwn(meta, "__proto__") && Object.hasOwn(meta, "constructor"));
  });

  test("have NFT metadata with a large embedded image", () => {
    const sizes = getAllItems(11, `/addresses/${hub}/nft`).map(({ metadata }) => metadata?.image?.length ?? 0);
    assert.equal(sizes.filter((size) => size > 20_000).length, 1);
  });
});

describe("pages", () => {
  test("can end inside a log; their cursor names the last complete log if there is one", async () => {
    const hubPages = await readAllPages(services[11], `/addresses/${hub}/token-transfers`, {
      type: "ERC-20,ERC-1155",
      filter: "to",
    });
    const batches = hubPages.cursors.filter((cursor) => "batch_log_index" in cursor);
    assert.ok(batches.length > 3);
    assert.ok(batches.every((cursor) => "block_number" in cursor && "index" in cursor));
    const minterCursors = (await readAllPages(services[11], `/addresses/${minter}/token-transfers`)).cursors.slice(0, 3);
    for (const cursor of minterCursors)
      assert.deepEqual(Object.keys(cursor), ["batch_block_hash", "batch_log_index", "batch_transaction_hash", "index_in_batch"]);
  });

  test("are short or empty where rows are hidden as scam", async () => {
    const path = `/addresses/${findAddress("Airdrop target")}/token-transfers`;
    const { pages } = await readAllPages(services[11], path);
    assert.ok(pages.slice(0, -1).some((page) => page.length === 0));
    assert.ok(pages.slice(0, -1).some((page) => page.length > 0 && page.length < 50));
    const all = await readAllPages(services[11], path, {}, { headers: { "show-scam-tokens": "true" } });
    assert.ok(all.pages.slice(0, -1).every((page) => page.length === 50));
    const history = await readAllPages(services[11], `/addresses/${hub}/coin-balance-history`);
    assert.ok(history.pages.slice(0, -1).some((page) => page.length < 50));
  });

  test("of /addresses start over if the cursor lacks its null key", async () => {
    let cursor = {};
    do cursor = parseCursor((await request(services[11], "/addresses", cursor)).text);
    while (cursor.transactions_count !== "null");
    const first = (await request(services[11], "/addresses")).body.items;
    const { transactions_count, ...incomplete } = cursor;
    assert.deepEqual((await request(services[11], "/addresses", incomplete)).body.items, first);
    assert.notDeepEqual((await request(services[11], "/addresses", cursor)).body.items, first);
    assert.equal((await request(services[11], "/addresses", { ...cursor, transactions_count: "" })).status, 200);
  });

  test("start after the values of the cursor, not after a row count", async () => {
    const path = `/addresses/${hub}/withdrawals`;
    const all = getAllItems(11, path);
    const { body } = await request(services[11], path, { index: all[99].index - 1 });
    assert.equal(body.items[0].index, all.find(({ index }) => index < all[99].index - 1).index);
  });

  test("lose their order in version 12 if sort and order are not sent again", async () => {
    const sorted = { sort: "transactions_count", order: "desc" };
    const cursor11 = parseCursor((await request(services[11], "/addresses", sorted)).text);
    const cursor12 = parseCursor((await request(services[12], "/addresses", sorted)).text);
    assert.deepEqual(
      [cursor11.sort, cursor11.order, cursor12.sort, cursor12.order],
      ["transactions_count", "desc", undefined, undefined],
    );
    const complete = await request(services[12], "/addresses", { ...sorted, ...cursor12 });
    const incomplete = await request(services[12], "/addresses", cursor12);
    assert.notDeepEqual(incomplete.body.items, complete.body.items);
    assert.deepEqual(
      (await request(services[12], "/addresses", { sort: "balance" })).body.items,
      (await request(services[12], "/addresses")).body.items,
    );
  });
});

describe("filters", () => {
  const all = getAllItems(11, `/addresses/${hub}/token-transfers`);
  const isSameAddress = (a, b) => a.toLowerCase() === b.toLowerCase();
  const getTransfers = (query) => getAllItems(11, `/addresses/${hub}/token-transfers`, query);

  test("by direction", () => {
    assertSameItems(
      getTransfers({ filter: "from" }),
      all.filter(({ from }) => isSameAddress(from.hash, hub)),
    );
    assertSameItems(
      getTransfers({ filter: "to" }),
      all.filter(({ to }) => isSameAddress(to.hash, hub)),
    );
  });

  test("by token type and token", () => {
    assertSameItems(
      getTransfers({ type: "[erc-721,ERC-7984]" }),
      all.filter(({ token_type }) => ["ERC-721", "ERC-7984"].includes(token_type)),
    );
    assertSameItems(getTransfers({ type: "" }), all);
    const { address_hash } = all[0].token;
    assertSameItems(
      getTransfers({ token: address_hash }),
      all.filter(({ token }) => token.address_hash === address_hash),
    );
    assertSameItems(getTransfers({ token: findAddress("Fresh wallet") }), []);
    const getNfts = (type) => getAllItems(11, `/addresses/${hub}/nft`, { type });
    assert.equal(getNfts("ERC-20").length, 400);
    assert.ok(getNfts("ERC-404,ERC-20").every(({ token_type }) => token_type === "ERC-404"));
  });

  test("by topic in any position", () => {
    const path = `/addresses/${settlement}/logs`;
    const logs = getAllItems(11, path);
    const topic = logs.find(({ topics }) => topics[2]).topics[2];
    const expected = logs.filter(({ topics }) => topics.includes(topic));
    assert.deepEqual(getAllItems(11, path, { topic: topic.toUpperCase().replace("0X", "0x") }), expected);
    assert.deepEqual(getAllItems(8, path, { topic: topic.slice(2) }).length, expected.length);
  });

  test("by value in version 12", () => {
    const path = `/addresses/${hub}/internal-transactions`;
    const every = getAllItems(12, path);
    assert.deepEqual(
      getAllItems(12, path, { include_zero_value: "false" }),
      every.filter(({ value }) => value !== "0"),
    );
    assert.deepEqual(getAllItems(12, path, { include_zero_value: "true" }), every);
  });
});

describe("errors", () => {
  const logs = `/addresses/${hub}/logs`;
  const createEntry = (name, detail) => ({ detail, source: { pointer: `/${name}` }, title: "Invalid value" });

  for (const [name, path, query, detail] of [
    ["page", logs, "page=2", "Unexpected field: page"],
    [
      "include_zero_value",
      `/addresses/${hub}/internal-transactions`,
      "include_zero_value=true",
      "Unexpected field: include_zero_value",
    ],
    ["address_hash_param", "/addresses/0x12/logs", "", "Invalid format. Expected ~r/^0x([A-Fa-f0-9]{40})$/"],
    ["address_hash_param", "/addresses/sample.eth/nft", "", "Invalid format. Expected ~r/^0x([A-Fa-f0-9]{40})$/"],
    ["filter", `/addresses/${hub}/token-transfers`, "filter=both", "Invalid value for enum"],
    ["token", `/addresses/${hub}/token-transfers`, "token=0x1", "Invalid format. Expected ~r/^0x([A-Fa-f0-9]{40})$/"],
    ["sort", "/addresses", "sort=hash&order=asc", "Invalid value for enum"],
    ["order", "/addresses", "order=up", "Invalid value for enum"],
    ["topic", logs, "topic=", "Invalid format. Expected ~r/^0x([A-Fa-f0-9]*)$/"],
    ["topic", logs, "topic=null", "Invalid format. Expected ~r/^0x([A-Fa-f0-9]*)$/"],
    ["block_number", logs, "block_number=-1&index=1", "-1 is smaller than inclusive minimum 0"],
    ["index", logs, "block_number=1&index=1e3", "Invalid integer. Got: string"],
    ["fetched_coin_balance", "/addresses", "fetched_coin_balance=4e%2B21", "Invalid format. Expected ~r/^-?([1-9][0-9]*|0)$/"],
    ["items_count", logs, "items_count=51", "51 is larger than inclusive maximum 50"],
    ["items_count", logs, "items_count=0", "0 is smaller than inclusive minimum 1"],
    ["items_count", "/token-transfers", "items_count=50", "Unexpected field: items_count"],
    ["index", logs, "index=1&block_number=2&index=1", "Sent more than once"],
  ]) {
    test(`${name}: ${query || path}`, async () => {
      const { status, body } = await request(services[11], path, query);
      assert.equal(status, 422);
      assert.deepEqual(body, { errors: [createEntry(name, detail)] });
    });
  }

  test("for unknown token types", async () => {
    for (const type of ["ERC-21", "ERC-20, ERC-721", "ERC-20,", "[ERC-20"]) {
      const { status, body } = await request(services[11], "/token-transfers", { type });
      assert.equal(status, 422, type);
      assert.equal(body.errors[0].source.pointer, "/type");
    }
  });

  test("list all invalid parameters at once", async () => {
    const { body } = await request(services[12], "/addresses/x/logs", "page=1&index=a&items_count=x&include_zero_value=1");
    assert.deepEqual(
      body.errors.map(({ source }) => source.pointer),
      ["/address_hash_param", "/page", "/index", "/items_count", "/include_zero_value"],
    );
  });

  test("have the older format for a topic of the wrong length, and always in version 8", async () => {
    for (const [backendVersion, path, query] of [
      [11, logs, "topic=0x12"],
      [12, logs, "topic=0x"],
      [8, "/addresses/0x12/logs", ""],
    ]) {
      const { status, body } = await request(services[backendVersion], path, query);
      assert.deepEqual([status, body], [422, { message: "Invalid parameter(s)" }]);
    }
  });

  test("for restricted and overloaded addresses and unknown paths", async () => {
    const restricted = findAddress("Restricted address");
    for (const [path, query, status, body] of [
      [`/addresses/${restricted}/nft`, {}, 403, { message: "Restricted access" }],
      [`/addresses/${hub}/token-transfers`, { token: restricted }, 403, { message: "Restricted access" }],
      [`/addresses/${findAddress("Overloaded address")}/logs`, {}, 500, "Internal server error"],
      [`/addresses/${hub}/nothing`, {}, 400, { message: "Unknown API v2 action" }],
      ["/constructor", {}, 400, { message: "Unknown API v2 action" }],
    ]) {
      const response = await request(services[11], path, query);
      assert.deepEqual([response.status, response.body], [status, body]);
    }
  });

  test("for other paths and for queries that are too long", async () => {
    const other = await services[11].fetch("/api/v3/addresses");
    assert.deepEqual([other.status, await other.json()], [404, { message: "Not found", result: null, status: "0" }]);
    const long = await services[11].fetch(`/api/v2/addresses?apikey=${"x".repeat(5000)}`);
    assert.equal(long.status, 414);
    assert.match(long.headers.get("content-type"), /html/);
  });
});

describe("version differences:", () => {
  const getFirstItem = (backendVersion, path) => getAllItems(backendVersion, path)[0];

  test("8 sends old names beside new ones and lacks later members", () => {
    const { token, ...transfer } = getFirstItem(8, "/token-transfers");
    assert.equal(token.address, token.address_hash);
    assert.equal(token.holders, token.holders_count);
    for (const name of ["reputation", "circulating_supply"]) assert.ok(!(name in token));
    assert.ok(!("token_type" in transfer));
    assert.ok(!("block_timestamp" in getFirstItem(8, `/addresses/${hub}/logs`)));
    assert.ok("block_timestamp" in getFirstItem(11, `/addresses/${hub}/logs`));
    const owner = getFirstItem(8, `/addresses/${findAddress("Tagged proxy contract")}/logs`).address;
    assert.equal(owner.implementations[0].address, owner.implementations[0].address_hash);
    assert.deepEqual(
      owner.public_tags.map((tag) => Object.keys(tag).length),
      [4, 0],
    );
  });

  test("8 sums items_count, ignores unknown parameters, and writes large numbers with exponents", async () => {
    const { cursors } = await readAllPages(services[8], `/addresses/${hub}/withdrawals`, { nonsense: "1", filter: "sideways" });
    assert.deepEqual(
      cursors.map(({ items_count }) => Number(items_count)),
      cursors.map((_, i) => 50 * (i + 1)),
    );
    const addresses = await readAllPages(services[8], "/addresses");
    assert.ok(addresses.cursors.some((cursor) => /^\d+E\+18$/.test(cursor.fetched_coin_balance)));
    assert.match((await request(services[8], "/addresses", { apikey: "secret" })).text, /"apikey":"secret"/);
  });

  test("11 sends items_count for all lists but token transfers", async () => {
    for (const path of LISTS) {
      const cursor = parseCursor((await request(services[11], path)).text);
      assert.equal(cursor.items_count, path.endsWith("token-transfers") ? undefined : "50", path);
    }
    assert.doesNotMatch((await request(services[11], "/addresses", { apikey: "secret" })).text, /secret/);
    assert.equal((await request(services[11], `/addresses/${hub}/token-transfers`, { items_count: 50 })).status, 200);
  });

  test("12 reports unprocessed internal transactions", async () => {
    const path = `/addresses/${hub}/internal-transactions`;
    const page = await request(services[12], path);
    assert.equal(page.body.meta.status, 2);
    assert.deepEqual(
      (await request(services[12], path, { block_number: 23_700_000, transaction_index: 0, index: 0 })).body.meta,
      { status: 1, message: null },
    );
    assert.ok(!("meta" in (await request(services[11], path)).body));
  });

  test("12 has additional members and large builder indices", () => {
    const getWithdrawals = (backendVersion) => getAllItems(backendVersion, `/addresses/${hub}/withdrawals`);
    assert.ok(getWithdrawals(12).some(({ validator_index }) => validator_index > 2 ** 32));
    assert.ok(getWithdrawals(11).every(({ validator_index }) => validator_index < 2 ** 32));
    assert.ok(getWithdrawals(11).some((withdrawal) => !("receiver" in withdrawal)));
    assert.ok(getAllItems(12, `/addresses/${hub}/logs`).some(({ decoded }) => decoded?.abi));
    assert.ok("image_media_type" in getFirstItem(12, `/addresses/${hub}/nft`));
    const owner = getFirstItem(12, `/addresses/${findAddress("Tagged proxy contract")}/logs`).address;
    assert.deepEqual(
      owner.implementations.map((implementation) => "name" in implementation),
      [true, false],
    );
  });
});

describe("fetch", () => {
  const path = "/api/v2/addresses";

  test("accepts strings, URLs and requests of any origin", async () => {
    const { fetch } = services[11];
    const inputs = [
      path,
      `http://127.0.0.1:1/1${path}/`,
      new URL(`https://x.example/api/gateway${path}`),
      new Request(`https://x.example${path}`),
    ];
    const bodies = await Promise.all(inputs.map(async (input) => (await fetch(input)).text()));
    assert.equal(new Set(bodies).size, 1);
  });

  test("sends the headers of a caller without a rate limit", async () => {
    const { headers } = await services[11].fetch(path);
    assert.deepEqual(
      ["limit", "remaining", "reset"].map((name) => headers.get(`x-ratelimit-${name}`)),
      ["-1", "-1", "-1"],
    );
    assert.equal(headers.get("content-type"), "application/json; charset=utf-8");
  });

  test("rejects with the reason of the signal, before and during the latency", async () => {
    const slow = createSampleService({ latencyMs: 60_000 });
    await assert.rejects(slow.fetch(path, { signal: AbortSignal.abort() }), { name: "AbortError" });
    const controller = new AbortController();
    const responses = [
      slow.fetch(path, { signal: controller.signal }),
      slow.fetch(new Request(`https://x.example${path}`, { signal: controller.signal })),
    ];
    const reason = new Error("no longer needed");
    controller.abort(reason);
    for (const response of responses) await assert.rejects(response, (error) => error === reason);
  });

  test("rejects invalid options", () => {
    assert.throws(() => createSampleService({ backendVersion: 10 }), RangeError);
    assert.throws(() => createSampleService({ pageSize: 0 }), RangeError);
    assert.throws(() => createSampleService({ blocksPerRequest: -1 }), RangeError);
    assert.throws(() => createSampleService({ page_size: 1 }), /unknown option page_size; valid options are seed, /);
  });
});

describe("over HTTP", () => {
  let server;
  before(async () => (server = await startSampleServer({ backendVersion: 12 })));
  after(() => server.close());

  test("the path selects a backend version", async () => {
    const requestList = async (prefix) =>
      (await fetch(`${server.url}${prefix}/api/v2/addresses/${hub}/internal-transactions`)).json();
    assert.ok("meta" in (await requestList("")));
    assert.ok(!("meta" in (await requestList("/v11"))));
    assert.ok("block_index" in (await requestList("/v8")).items[0]);
  });

  test("CORS allows every origin and exposes the rate limit headers", async () => {
    const { headers } = await fetch(`${server.url}/api/v2/addresses`);
    assert.equal(headers.get("access-control-allow-origin"), "*");
    assert.match(headers.get("access-control-expose-headers"), /x-ratelimit-reset/);
    const preflight = await fetch(`${server.url}/api/v2/addresses`, { method: "OPTIONS" });
    assert.equal(preflight.status, 204);
    assert.doesNotMatch(preflight.headers.get("access-control-allow-headers"), /x-api-key/);
  });

  test("the helpers for tests respond", async () => {
    const path = `/addresses/${hub}/nft`;
    const items = await (await fetch(`${server.url}/v8/_sample/all-items?path=${path}&type=ERC-404`)).json();
    assert.deepEqual(items, getAllItems(8, path, { type: "ERC-404" }));
    const error = await fetch(`${server.url}/_sample/respond?status=503&body=%3Chtml%3E&type=text/html`);
    assert.deepEqual([error.status, error.headers.get("content-type"), await error.text()], [503, "text/html", "<html>"]);
    assert.equal((await fetch(`${server.url}/_sample/slow?ms=5`)).status, 200);
    const controller = new AbortController();
    const stalled = await fetch(`${server.url}/_sample/stall`, { signal: controller.signal });
    const reader = stalled.body.getReader();
    const length = Number(stalled.headers.get("content-length"));
    assert.ok(length > 1);
    // The server sends half of the body.
    for (let left = length >> 1; left > 0; ) left -= (await reader.read()).value.length;
    const next = reader.read();
    assert.equal(await Promise.race([next, setTimeout(200, "stalled")]), "stalled");
    controller.abort();
    await assert.rejects(next, { name: "AbortError" });
  });
});
