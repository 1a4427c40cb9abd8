// Tests of the sample service itself: it must keep the rules of the real one, or the client's tests prove nothing.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { createSampleService } from "../pkg-template/testing/index.js";
import { keccak256 } from "../pkg-template/testing/keccak.js";
import { startService } from "./service.mjs";

const DIALECTS = [8, 11, 12];
const services = Object.fromEntries(DIALECTS.map((dialect) => [dialect, createSampleService({ dialect })]));
const at = (label) => services[11].addresses.find((address) => address.label === label).hash;
const hub = at("Busy smart account");
const settlement = at("Settlement contract");
const minter = at("Batch minter");
const hostile = at("Hostile names");

const LISTS = [
  "/addresses", "/token-transfers",
  ...["token-transfers", "internal-transactions", "logs", "coin-balance-history", "withdrawals", "nft"].map((name) => `/addresses/${hub}/${name}`),
];

/** Asks as a careful client does: `query` is an object, or text to be sent as it is. */
async function ask(service, path, query = {}, init) {
  const search = typeof query === "string" ? query : new URLSearchParams(query);
  const response = await service.fetch(`https://any.example/prefix/api/v2${path}?${search}`, init);
  const text = await response.text();
  return { status: response.status, text, body: JSON.parse(text), headers: response.headers };
}

/** The cursor as query parameters, read from text so that no digit is lost. */
function cursorOf(text) {
  const json = /"next_page_params":(null|\{[^{}]*\})\}$/.exec(text)[1];
  if (json === "null") return null;
  const exact = json.replace(/:(-?\d+(?:E[+]\d+)?)([,}])/g, ":\"$1\"$2");
  return Object.fromEntries(Object.entries(JSON.parse(exact)).map(([name, value]) => [name, String(value)]));
}

const truths = new Map();

/** The truth of a shared service, asked for once. */
function truth(dialect, path, query = {}) {
  const key = JSON.stringify([dialect, path, query]);
  if (!truths.has(key)) truths.set(key, services[dialect].truth(path, query));
  return truths.get(key);
}

async function walk(service, path, filters = {}, init) {
  const pages = [];
  const cursors = [];
  for (let cursor = {}; cursor; ) {
    const { status, text, body } = await ask(service, path, { ...filters, ...cursor }, init);
    assert.equal(status, 200, text.slice(0, 300));
    pages.push(body.items);
    cursor = cursorOf(text);
    if (cursor) cursors.push(cursor);
    assert.ok(pages.length < 2000, "the walk does not end");
  }
  return { pages, cursors, items: pages.flat() };
}

/** As deepEqual, but quick on thousands of items, and brief about the first that differs. */
function assertSameItems(actual, expected) {
  const difference = expected.findIndex((item, i) => JSON.stringify(item) !== JSON.stringify(actual[i]));
  if (difference >= 0) assert.deepEqual(actual[difference], expected[difference], `item ${difference}`);
  assert.equal(actual.length, expected.length);
}

describe("walking by cursors gives the truth", () => {
  for (const dialect of DIALECTS) {
    for (const path of LISTS) {
      test(`${dialect} ${path.replace(hub, "hub")}`, async () => {
        const { items, cursors } = await walk(services[dialect], path);
        assertSameItems(items, truth(dialect, path));
        assert.equal(new Set(cursors.map((cursor) => JSON.stringify(cursor))).size, cursors.length);
      });
    }
  }

  for (const [path, filters] of [
    ["/addresses", { sort: "transactions_count", order: "desc" }],
    ["/addresses", { sort: "transactions_count", order: "asc" }],
    ["/addresses", { sort: "balance", order: "asc" }],
    [`/addresses/${hub}/token-transfers`, { type: "erc-1155,ERC-404", filter: "from" }],
    [`/addresses/${hub}/internal-transactions`, { filter: "to" }],
    [`/addresses/${hub}/nft`, { type: "[ERC-1155]" }],
  ]) {
    test(`filtered ${JSON.stringify(filters)}`, async () => {
      for (const dialect of [8, 12]) {
        const { items } = await walk(services[dialect], path, filters);
        assertSameItems(items, truth(dialect, path, filters));
        assert.ok(items.length > 50);
      }
    });
  }

  test("with pages of other sizes", async () => {
    for (const [pageSize, address] of [[1, hostile], [33, minter], [100, minter]]) {
      const service = createSampleService({ pageSize });
      const path = `/addresses/${address}/token-transfers`;
      assertSameItems((await walk(service, path)).items, service.truth(path));
    }
  });

  test("with a page size of the caller's choice in 12", async () => {
    const path = `/addresses/${hub}/nft`;
    const { pages, cursors } = await walk(services[12], path, { items_count: 90 });
    assert.deepEqual(pages.map((page) => page.length), [90, 90, 90, 90, 40]);
    assert.ok(cursors.every((cursor) => !("items_count" in cursor)));
    assert.equal((await ask(services[12], path, { items_count: 5000 })).body.items.length, 100);
  });
});

describe("data", () => {
  test("are as many as promised", () => {
    const least = { "token-transfers": 5000, "internal-transactions": 2000, "coin-balance-history": 1000, nft: 400, withdrawals: 300, logs: 1 };
    for (const [list, count] of Object.entries(least)) assert.ok(truth(11, `/addresses/${hub}/${list}`).length >= count, list);
    assert.equal(truth(11, `/addresses/${settlement}/logs`).length, 3000);
    assert.ok(truth(11, "/addresses").length >= 2000);
    for (const list of Object.keys(least)) assert.deepEqual(truth(11, `/addresses/${at("Unused account")}/${list}`), []);
  });

  test("depend on the seed alone", () => {
    const again = createSampleService({ dialect: 11 });
    const other = createSampleService({ seed: 2 });
    for (const path of ["/addresses", `/addresses/${hub}/nft`, `/addresses/${minter}/token-transfers`]) {
      assertSameItems(again.truth(path), truth(11, path));
    }
    assert.notDeepEqual(other.truth("/addresses"), truth(11, "/addresses"));
  });

  test("do not depend on which list was read first", async () => {
    const service = createSampleService();
    const path = `/addresses/${settlement}/logs`;
    const before = service.truth(path);
    service.truth("/token-transfers");
    assertSameItems(service.truth(path), before);
    assertSameItems(before, truth(11, path));
  });

  test("agree with each other", () => {
    const transfers = truth(11, "/token-transfers");
    const blocks = new Map();
    for (const { block_number, block_hash, timestamp } of transfers) {
      const known = blocks.get(block_number) ?? { block_hash, timestamp };
      assert.deepEqual({ block_hash, timestamp }, known);
      blocks.set(block_number, known);
    }
    const byTime = [...blocks].sort(([a], [b]) => a - b).map(([, { timestamp }]) => timestamp);
    assert.deepEqual(byTime, [...byTime].sort());
    const places = transfers.map((transfer) => `${transfer.transaction_hash}/${transfer.log_index}/${transfer.total?.token_id}`);
    assert.equal(new Set(places).size, places.length);
    const history = truth(11, `/addresses/${hub}/coin-balance-history`);
    const sums = history.slice(1).map((older, i) => BigInt(older.value) + BigInt(history[i].delta));
    // Rows without a change are hidden, so that the deltas of the others still add up.
    assert.deepEqual(sums.map(String), history.slice(0, -1).map(({ value }) => value));
  });

  test("have every form a transfer's total may take", () => {
    const forms = new Set(truth(12, "/token-transfers").map(({ token_type, total }) => `${token_type} ${total && Object.keys(total).sort()}`));
    assert.deepEqual([...forms].sort(), [
      "ERC-1155 decimals,token_id,token_instance,value",
      "ERC-20 decimals,ui_multiplier,value",
      "ERC-20 decimals,value",
      "ERC-20 null",
      "ERC-404 decimals,token_id,token_instance,value",
      "ERC-721 token_id,token_instance",
      "ERC-7984 decimals,value",
    ]);
  });

  test("have logs with none to four topics, always in four places", () => {
    const logs = truth(11, `/addresses/${settlement}/logs`);
    const counts = new Set(logs.map(({ topics }) => (assert.equal(topics.length, 4), topics.filter(Boolean).length)));
    assert.deepEqual([...counts].sort(), [0, 1, 2, 3, 4]);
    assert.ok(logs.some(({ decoded }) => decoded === null));
    assert.ok(logs.some(({ decoded }) => decoded?.parameters.some(({ value }) => Array.isArray(value?.[0]))));
  });

  test("have checksummed addresses and true event topics", () => {
    assert.equal(keccak256("Transfer(address,address,uint256)"), "ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef");
    for (const { hash } of truth(11, "/addresses").slice(0, 20)) {
      const checks = keccak256(hash.slice(2).toLowerCase());
      for (const [i, digit] of [...hash.slice(2)].entries()) assert.equal(digit === digit.toUpperCase(), /\d/.test(digit) || checks[i] >= "8");
    }
  });

  test("have hostile texts, that survive JSON", async () => {
    const { text, body } = await ask(services[11], `/addresses/${hostile}/token-transfers`);
    for (const part of ["<img src=x onerror=alert(1)>", "</script>", "\\u0000", "\u202E", "javascript:alert(1)"]) assert.ok(text.includes(part), part);
    assert.ok(body.items.some(({ token }) => token.name.length === 5000));
    const { meta } = body.items.flatMap(({ from, to }) => [from, to]).find(({ metadata }) => metadata).metadata.tags[0];
    assert.ok(Object.hasOwn(meta, "__proto__") && Object.hasOwn(meta, "constructor"));
  });

  test("have NFT metadata with a large picture inside", () => {
    const sizes = truth(11, `/addresses/${hub}/nft`).map(({ metadata }) => metadata?.image?.length ?? 0);
    assert.equal(sizes.filter((size) => size > 20_000).length, 1);
  });
});

describe("pages", () => {
  test("end inside a log, and name the last complete one if there is any", async () => {
    const inHub = await walk(services[11], `/addresses/${hub}/token-transfers`, { type: "ERC-20,ERC-1155", filter: "to" });
    const batches = inHub.cursors.filter((cursor) => "batch_log_index" in cursor);
    assert.ok(batches.length > 3);
    assert.ok(batches.every((cursor) => "block_number" in cursor && "index" in cursor));
    const first = (await walk(services[11], `/addresses/${minter}/token-transfers`)).cursors.slice(0, 3);
    for (const cursor of first) assert.deepEqual(Object.keys(cursor), ["batch_block_hash", "batch_log_index", "batch_transaction_hash", "index_in_batch"]);
  });

  test("get short and empty where rows are hidden as scam", async () => {
    const path = `/addresses/${at("Airdrop target")}/token-transfers`;
    const { pages } = await walk(services[11], path);
    assert.ok(pages.slice(0, -1).some((page) => page.length === 0));
    assert.ok(pages.slice(0, -1).some((page) => page.length > 0 && page.length < 50));
    const all = await walk(services[11], path, {}, { headers: { "show-scam-tokens": "true" } });
    assert.ok(all.pages.slice(0, -1).every((page) => page.length === 50));
    const history = await walk(services[11], `/addresses/${hub}/coin-balance-history`);
    assert.ok(history.pages.slice(0, -1).some((page) => page.length < 50));
  });

  test("of all addresses start over when a null key is dropped", async () => {
    let cursor = {};
    do cursor = cursorOf((await ask(services[11], "/addresses", cursor)).text);
    while (cursor.transactions_count !== "null");
    const first = (await ask(services[11], "/addresses")).body.items;
    const { transactions_count, ...careless } = cursor;
    assert.deepEqual((await ask(services[11], "/addresses", careless)).body.items, first);
    assert.notDeepEqual((await ask(services[11], "/addresses", cursor)).body.items, first);
    assert.equal((await ask(services[11], "/addresses", { ...cursor, transactions_count: "" })).status, 200);
  });

  test("are found by value, not by count", async () => {
    const path = `/addresses/${hub}/withdrawals`;
    const all = truth(11, path);
    const { body } = await ask(services[11], path, { index: all[99].index - 1 });
    assert.equal(body.items[0].index, all.find(({ index }) => index < all[99].index - 1).index);
  });

  test("lose their order when sort and order are not sent again in 12", async () => {
    const sorted = { sort: "transactions_count", order: "desc" };
    const in11 = cursorOf((await ask(services[11], "/addresses", sorted)).text);
    const in12 = cursorOf((await ask(services[12], "/addresses", sorted)).text);
    assert.deepEqual([in11.sort, in11.order, in12.sort, in12.order], ["transactions_count", "desc", undefined, undefined]);
    const right = await ask(services[12], "/addresses", { ...sorted, ...in12 });
    const careless = await ask(services[12], "/addresses", in12);
    assert.notDeepEqual(careless.body.items, right.body.items);
    assert.deepEqual((await ask(services[12], "/addresses", { sort: "balance" })).body.items, (await ask(services[12], "/addresses")).body.items);
  });
});

describe("filters", () => {
  const all = truth(11, `/addresses/${hub}/token-transfers`);
  const same = (a, b) => a.toLowerCase() === b.toLowerCase();
  const transfers = (query) => truth(11, `/addresses/${hub}/token-transfers`, query);

  test("by direction", () => {
    assertSameItems(transfers({ filter: "from" }), all.filter(({ from }) => same(from.hash, hub)));
    assertSameItems(transfers({ filter: "to" }), all.filter(({ to }) => same(to.hash, hub)));
  });

  test("by token standard and token", () => {
    assertSameItems(transfers({ type: "[erc-721,ERC-7984]" }), all.filter(({ token_type }) => ["ERC-721", "ERC-7984"].includes(token_type)));
    assertSameItems(transfers({ type: "" }), all);
    const { address_hash } = all[0].token;
    assertSameItems(transfers({ token: address_hash }), all.filter(({ token }) => token.address_hash === address_hash));
    assertSameItems(transfers({ token: at("Unused account") }), []);
    const nfts = (type) => truth(11, `/addresses/${hub}/nft`, { type });
    assert.equal(nfts("ERC-20").length, 400);
    assert.ok(nfts("ERC-404,ERC-20").every(({ token_type }) => token_type === "ERC-404"));
  });

  test("by topic in any place", () => {
    const path = `/addresses/${settlement}/logs`;
    const logs = truth(11, path);
    const topic = logs.find(({ topics }) => topics[2]).topics[2];
    const expected = logs.filter(({ topics }) => topics.includes(topic));
    assert.deepEqual(truth(11, path, { topic: topic.toUpperCase().replace("0X", "0x") }), expected);
    assert.deepEqual(truth(8, path, { topic: topic.slice(2) }).length, expected.length);
  });

  test("by value in 12", () => {
    const path = `/addresses/${hub}/internal-transactions`;
    const every = truth(12, path);
    assert.deepEqual(truth(12, path, { include_zero_value: "false" }), every.filter(({ value }) => value !== "0"));
    assert.deepEqual(truth(12, path, { include_zero_value: "true" }), every);
  });
});

describe("refusals", () => {
  const logs = `/addresses/${hub}/logs`;
  const entry = (name, detail) => ({ detail, source: { pointer: `/${name}` }, title: "Invalid value" });

  for (const [name, path, query, detail] of [
    ["page", logs, "page=2", "Unexpected field: page"],
    ["include_zero_value", `/addresses/${hub}/internal-transactions`, "include_zero_value=true", "Unexpected field: include_zero_value"],
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
      const { status, body } = await ask(services[11], path, query);
      assert.equal(status, 422);
      assert.deepEqual(body, { errors: [entry(name, detail)] });
    });
  }

  test("of token standards", async () => {
    for (const type of ["ERC-21", "ERC-20, ERC-721", "ERC-20,", "[ERC-20"]) {
      const { status, body } = await ask(services[11], "/token-transfers", { type });
      assert.equal(status, 422, type);
      assert.equal(body.errors[0].source.pointer, "/type");
    }
  });

  test("name every fault at once", async () => {
    const { body } = await ask(services[12], "/addresses/x/logs", "page=1&index=a&items_count=x&include_zero_value=1");
    assert.deepEqual(body.errors.map(({ source }) => source.pointer), ["/address_hash_param", "/page", "/index", "/items_count", "/include_zero_value"]);
  });

  test("have the older form for a topic of the wrong length, and throughout in 8", async () => {
    for (const [dialect, path, query] of [[11, logs, "topic=0x12"], [12, logs, "topic=0x"], [8, "/addresses/0x12/logs", ""]]) {
      const { status, body } = await ask(services[dialect], path, query);
      assert.deepEqual([status, body], [422, { message: "Invalid parameter(s)" }]);
    }
  });

  test("of whole addresses", async () => {
    const restricted = at("Restricted address");
    for (const [path, query, status, body] of [
      [`/addresses/${restricted}/nft`, {}, 403, { message: "Restricted access" }],
      [`/addresses/${hub}/token-transfers`, { token: restricted }, 403, { message: "Restricted access" }],
      [`/addresses/${at("Too heavy address")}/logs`, {}, 500, "Internal server error"],
      [`/addresses/${hub}/nothing`, {}, 400, { message: "Unknown API v2 action" }],
      ["/constructor", {}, 400, { message: "Unknown API v2 action" }],
    ]) {
      const answer = await ask(services[11], path, query);
      assert.deepEqual([answer.status, answer.body], [status, body]);
    }
  });

  test("outside REST, and of endless queries", async () => {
    const other = await services[11].fetch("/api/v3/addresses");
    assert.deepEqual([other.status, await other.json()], [404, { message: "Not found", result: null, status: "0" }]);
    const long = await services[11].fetch(`/api/v2/addresses?apikey=${"x".repeat(5000)}`);
    assert.equal(long.status, 414);
    assert.match(long.headers.get("content-type"), /html/);
  });
});

describe("dialects", () => {
  const first = (dialect, path) => truth(dialect, path)[0];

  test("8 sends old names beside new ones and lacks later members", () => {
    const { token, ...transfer } = first(8, "/token-transfers");
    assert.equal(token.address, token.address_hash);
    assert.equal(token.holders, token.holders_count);
    for (const name of ["reputation", "circulating_supply"]) assert.ok(!(name in token));
    assert.ok(!("token_type" in transfer));
    assert.ok(!("block_timestamp" in first(8, `/addresses/${hub}/logs`)));
    assert.ok("block_timestamp" in first(11, `/addresses/${hub}/logs`));
    const owner = first(8, `/addresses/${at("Tagged proxy contract")}/logs`).address;
    assert.equal(owner.implementations[0].address, owner.implementations[0].address_hash);
    assert.deepEqual(owner.public_tags.map((tag) => Object.keys(tag).length), [4, 0]);
  });

  test("8 counts items up, takes anything, and writes large numbers with exponents", async () => {
    const { cursors } = await walk(services[8], `/addresses/${hub}/withdrawals`, { nonsense: "1", filter: "sideways" });
    assert.deepEqual(cursors.map(({ items_count }) => Number(items_count)), cursors.map((_, i) => 50 * (i + 1)));
    const rich = await walk(services[8], "/addresses");
    assert.ok(rich.cursors.some((cursor) => /^\d+E\+18$/.test(cursor.fetched_coin_balance)));
    assert.match((await ask(services[8], "/addresses", { apikey: "secret" })).text, /"apikey":"secret"/);
  });

  test("11 carries items_count where the service does", async () => {
    for (const path of LISTS) {
      const cursor = cursorOf((await ask(services[11], path)).text);
      assert.equal(cursor.items_count, path.endsWith("token-transfers") ? undefined : "50", path);
    }
    assert.doesNotMatch((await ask(services[11], "/addresses", { apikey: "secret" })).text, /secret/);
    assert.equal((await ask(services[11], `/addresses/${hub}/token-transfers`, { items_count: 50 })).status, 200);
  });

  test("12 reports what is still being processed", async () => {
    const path = `/addresses/${hub}/internal-transactions`;
    const page = await ask(services[12], path);
    assert.equal(page.body.meta.status, 2);
    assert.deepEqual((await ask(services[12], path, { block_number: 23_700_000, transaction_index: 0, index: 0 })).body.meta, { status: 1, message: null });
    assert.ok(!("meta" in (await ask(services[11], path)).body));
  });

  test("12 has members and numbers of its own", () => {
    const withdrawals = (dialect) => truth(dialect, `/addresses/${hub}/withdrawals`);
    assert.ok(withdrawals(12).some(({ validator_index }) => validator_index > 2 ** 32));
    assert.ok(withdrawals(11).every(({ validator_index }) => validator_index < 2 ** 32));
    assert.ok(withdrawals(11).some((withdrawal) => !("receiver" in withdrawal)));
    assert.ok(truth(12, `/addresses/${hub}/logs`).some(({ decoded }) => decoded?.abi));
    assert.ok("image_media_type" in first(12, `/addresses/${hub}/nft`));
    const owner = first(12, `/addresses/${at("Tagged proxy contract")}/logs`).address;
    assert.deepEqual(owner.implementations.map((implementation) => "name" in implementation), [true, false]);
  });
});

describe("fetch", () => {
  const path = "/api/v2/addresses";

  test("takes texts, URLs and requests of any origin", async () => {
    const { fetch } = services[11];
    const inputs = [path, `http://127.0.0.1:1/1${path}/`, new URL(`https://x.example/api/gateway${path}`), new Request(`https://x.example${path}`)];
    const bodies = await Promise.all(inputs.map(async (input) => (await fetch(input)).text()));
    assert.equal(new Set(bodies).size, 1);
  });

  test("sends the headers of an unlimited caller", async () => {
    const { headers } = await services[11].fetch(path);
    assert.deepEqual(["limit", "remaining", "reset"].map((name) => headers.get(`x-ratelimit-${name}`)), ["-1", "-1", "-1"]);
    assert.equal(headers.get("content-type"), "application/json; charset=utf-8");
  });

  test("ends with the reason of the signal, before and while it waits", async () => {
    const slow = createSampleService({ latencyMs: 60_000 });
    await assert.rejects(slow.fetch(path, { signal: AbortSignal.abort() }), { name: "AbortError" });
    const controller = new AbortController();
    const answers = [slow.fetch(path, { signal: controller.signal }), slow.fetch(new Request(`https://x.example${path}`, { signal: controller.signal }))];
    const reason = new Error("no longer needed");
    controller.abort(reason);
    for (const answer of answers) await assert.rejects(answer, (error) => error === reason);
  });

  test("refuses options that make no sense", () => {
    assert.throws(() => createSampleService({ dialect: 9 }), RangeError);
    assert.throws(() => createSampleService({ pageSize: 0 }), RangeError);
  });
});

describe("over HTTP", () => {
  let service;
  before(async () => (service = await startService({ dialect: 12 })));
  after(() => service.close());

  test("answers in the dialect of the path", async () => {
    const internal = async (prefix) => (await fetch(`${service.url}${prefix}/api/v2/addresses/${hub}/internal-transactions`)).json();
    assert.ok("meta" in (await internal("")));
    assert.ok(!("meta" in (await internal("/v11"))));
    assert.ok("block_index" in (await internal("/v8")).items[0]);
  });

  test("allows every origin and exposes the rate headers", async () => {
    const { headers } = await fetch(`${service.url}/api/v2/addresses`);
    assert.equal(headers.get("access-control-allow-origin"), "*");
    assert.match(headers.get("access-control-expose-headers"), /x-ratelimit-reset/);
    const preflight = await fetch(`${service.url}/api/v2/addresses`, { method: "OPTIONS" });
    assert.equal(preflight.status, 204);
    assert.doesNotMatch(preflight.headers.get("access-control-allow-headers"), /x-api-key/);
  });

  test("helps tests", async () => {
    const path = `/addresses/${hub}/nft`;
    const told = await (await fetch(`${service.url}/v8/_sample/truth?path=${path}&type=ERC-404`)).json();
    assert.deepEqual(told, truth(8, path, { type: "ERC-404" }));
    const broken = await fetch(`${service.url}/_sample/echo-status?status=503&body=%3Chtml%3E&type=text/html`);
    assert.deepEqual([broken.status, broken.headers.get("content-type"), await broken.text()], [503, "text/html", "<html>"]);
    assert.equal((await fetch(`${service.url}/_sample/slow?ms=5`)).status, 200);
    const stalled = await fetch(`${service.url}/_sample/stall`, { signal: AbortSignal.timeout(200) });
    await assert.rejects(stalled.text(), { name: "TimeoutError" });
  });
});
