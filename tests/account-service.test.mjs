// Tests of the sample service's account module: it must keep the rules of the real one, or the client's tests prove nothing.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { createSampleService } from "../pkg-template/testing/index.js";
import { startService } from "./service.mjs";

const HEAD = 23_705_400;
const CROWDED_BLOCK = 22_222_222;
const WINDOW_TOO_LARGE = "Result window is too large, PageNo x Offset size must be less than or equal to 10000";
const BAD = "0x12";
const STRANGER = `0x${"5a".repeat(20)}`;
const shared = createSampleService();
const services = { 8: createSampleService({ dialect: 8 }), 11: shared, 12: createSampleService({ dialect: 12 }) };
const at = (label) => shared.addresses.find((address) => address.label === label).hash;
const [hub, quiet, deep, distributor, crowded, lagging, producer] = [
  "Busy smart account", "Quiet account", "Deep history", "Token distributor", "Crowded token", "Unprocessed calls", "Block producer",
].map(at);

/** Status and body of an answer. */
async function ask(action, query = {}, service = shared) {
  const response = await service.fetch(`https://any.example/prefix/api?${new URLSearchParams({ module: "account", action, ...query })}`);
  return { status: response.status, body: await response.json(), headers: response.headers };
}

/** The result of a call that is answered well. */
async function read(action, query, service) {
  const { status, body } = await ask(action, query, service);
  assert.deepEqual([status, body.status, body.message], [200, "1", "OK"], JSON.stringify(body).slice(0, 200));
  return body.result;
}

const truths = new Map();

/** Every record of an action. The shared service never grows, so it is asked once. */
function truth(action, query = {}, service = shared) {
  if (service !== shared) return service.truthOf(action, query);
  const key = JSON.stringify([action, query]);
  if (!truths.has(key)) truths.set(key, shared.truthOf(action, query));
  return truths.get(key);
}

const first = async (action, query) => (await read(action, query))[0];
const lower = (hash) => hash.toLowerCase();

/** As deepEqual, but quick on thousands of flat rows, and brief about the first that differs. */
function assertSameRows(actual, expected) {
  const isSame = (a = {}, b) => Object.keys(a).length === Object.keys(b).length && Object.keys(b).every((name) => a[name] === b[name]);
  const difference = expected.findIndex((row, i) => !isSame(actual[i], row));
  if (difference >= 0) assert.deepEqual(actual[difference], expected[difference], `row ${difference}`);
  assert.equal(actual.length, expected.length);
}

async function assertRefused(action, query, message, service) {
  const { status, body } = await ask(action, query, service);
  assert.deepEqual([status, body], [200, { message, result: null, status: "0" }]);
}

async function assertNothing(action, query, message) {
  const { status, body } = await ask(action, query);
  assert.deepEqual([status, body], [200, { message, result: [], status: "0" }]);
}

const TRANSACTION_KEYS = [
  "blockHash", "blockNumber", "confirmations", "contractAddress", "cumulativeGasUsed", "from", "gas", "gasPrice", "gasUsed", "hash", "input",
  "isError", "methodId", "nonce", "timeStamp", "to", "transactionIndex", "txreceipt_status", "value",
];
const TRANSFER_KEYS = [
  "blockHash", "blockNumber", "confirmations", "contractAddress", "cumulativeGasUsed", "from", "functionName", "gas", "gasPrice", "gasUsed", "hash",
  "input", "methodId", "nonce", "timeStamp", "to", "tokenDecimal", "tokenName", "tokenSymbol", "transactionIndex",
];

describe("records", () => {
  for (const [action, address, keys] of [
    ["txlist", deep, TRANSACTION_KEYS],
    ["txlist", hub, TRANSACTION_KEYS],
    ["pendingtxlist", hub, [
      "contractAddress", "cumulativeGasUsed", "from", "gas", "gasPrice", "gasUsed", "hash", "input", "nonce", "to", "value",
    ]],
    ["txlistinternal", hub, [
      "blockNumber", "callType", "contractAddress", "errCode", "from", "gas", "gasUsed", "index", "input", "isError", "timeStamp", "to",
      "transactionHash", "type", "value",
    ]],
    ["tokentx", hub, [...TRANSFER_KEYS, "value"]],
    ["tokennfttx", hub, [...TRANSFER_KEYS, "tokenID"]],
    ["token1155tx", hub, [...TRANSFER_KEYS, "tokenID", "tokenValue"]],
    ["token404tx", hub, [...TRANSFER_KEYS, "tokenID", "value"]],
    ["getminedblocks", producer, ["blockNumber", "timeStamp"]],
  ]) {
    test(`of ${action} are flat and hold texts only`, async () => {
      const nullable = ["tokenName", "tokenSymbol"];
      for (const row of await read(action, { address, offset: 2000 })) {
        assert.deepEqual(Object.keys(row).sort(), [...keys].sort());
        for (const [name, value] of Object.entries(row)) assert.ok(typeof value === "string" || (value === null && nullable.includes(name)), name);
        for (const name of ["from", "to", "contractAddress"]) if (row[name]) assert.match(row[name], /^0x[0-9a-f]{40}$/);
      }
    });
  }

  test("of transactions: creations, failures, method ids and several in one block", async () => {
    const rows = await read("txlist", { address: deep });
    const creation = rows.find(({ to }) => to === "");
    assert.match(creation.contractAddress, /^0x[0-9a-f]{40}$/);
    assert.deepEqual([creation.methodId, creation.input.slice(0, 10)], ["0x60806040", "0x60806040"]);
    assert.ok(rows.some((row) => row.isError === "1" && row.txreceipt_status === "0"));
    assert.ok(rows.some(({ input, methodId }) => input === "0x" && methodId === "0x"));
    assert.ok(rows.some(({ gasPrice }) => gasPrice === ""));
    assert.ok(rows.some(({ blockNumber }, i) => blockNumber === rows[i + 1]?.blockNumber));
    assert.ok(rows.every(({ blockNumber, confirmations }) => Number(blockNumber) + Number(confirmations) === HEAD));
    assert.equal(new Set(rows.map(({ hash }) => hash)).size, rows.length);
  });

  test("agree with the REST lists on places, times and amounts", async () => {
    const byPlace = (a, b) => b.block_number - a.block_number || b.log_index - a.log_index;
    const rest = shared.truth(`/addresses/${hub}/token-transfers`, { type: "ERC-20" }).sort(byPlace);
    const rows = await read("tokentx", { address: hub });
    assert.deepEqual(
      rows.map(({ hash, blockHash, timeStamp, value }) => [hash, blockHash, Number(timeStamp), value]),
      rest.map(({ transaction_hash: hash, block_hash, timestamp, total }) => [hash, block_hash, Date.parse(timestamp) / 1000, total?.value ?? ""]),
    );
    const sent = new Set((await read("txlist", { address: hub, filter_by: "from" })).map(({ hash }) => hash));
    assert.ok(rows.some(({ hash }) => sent.has(hash)));
  });

  test("of transfers decode the method without 0x, or not at all", async () => {
    const rows = await read("tokentx", { address: hub });
    const decoded = rows.find(({ functionName }) => functionName.startsWith("transfer("));
    assert.deepEqual([decoded.methodId, decoded.functionName], ["a9059cbb", "transfer(address to, uint256 value)"]);
    assert.ok(rows.some(({ methodId, functionName, input }) => methodId === "" && functionName === "" && input !== "0x"));
    for (const name of ["tokenName", "tokenSymbol"]) assert.ok(rows.some((row) => row[name] === null));
    assert.ok(rows.some(({ tokenDecimal }) => tokenDecimal === ""));
    const halves = await read("token404tx", { address: hub });
    assert.ok(halves.some((row) => row.tokenID === "") && halves.some((row) => row.value === ""));
    const batches = await read("token1155tx", { address: hub });
    const sizes = batches.map(({ hash }) => batches.filter((row) => row.hash === hash).length);
    assert.equal(Math.max(...sizes), 160);
  });

  test("of internal transactions name the kind of call apart", async () => {
    const rows = await read("txlistinternal", { address: hub, include_zero_value: "TRUE" });
    const kinds = new Set(rows.map(({ type, callType }) => `${type}/${callType}`));
    assert.deepEqual([...kinds].sort(), ["call/call", "call/delegatecall", "call/staticcall", "create/", "create2/", "selfdestruct/"]);
    assert.ok(rows.every(({ isError, errCode }) => (isError === "1") === (errCode !== "")));
    assert.ok(rows.some(({ to, contractAddress }) => to === "" && contractAddress !== ""));
  });

  test("of mined blocks have a time of their own form", async () => {
    const row = await first("getminedblocks", { address: producer });
    assert.match(row.timeStamp, /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.000000Z$/);
  });

  test("of tokens: no names, no decimals, items with an id", async () => {
    const rows = await read("tokenlist", { address: hub });
    assert.ok(rows.some((row) => row.name === null && row.symbol === null && row.decimals === ""));
    assert.ok(rows.every((row) => ["ERC-1155", "ERC-404"].includes(row.type) === "id" in row));
    const { contractAddress: contractaddress, balance } = rows.find(({ type }) => type === "ERC-20");
    assert.equal(await read("tokenbalance", { address: hub, contractaddress }), balance);
    assert.equal(await read("tokenbalance", { address: STRANGER, contractaddress }), "0");
    const hostile = await read("tokenlist", { address: at("Hostile names") });
    assert.ok(hostile.some(({ symbol }) => symbol?.includes("<script>")));
  });

  test("of accounts come in the order they were first seen", async () => {
    const rows = await read("listaccounts", { offset: 10_000 }, createSampleService());
    assert.equal(rows.length, 5000);
    assert.deepEqual(Object.keys(rows[0]).sort(), ["address", "balance", "stale"]);
    assert.ok(rows.some(({ balance }) => balance === ""));
    assert.deepEqual([true, false].map((stale) => rows.some((row) => row.stale === stale)), [true, true]);
    assert.equal((await read("listaccounts")).length, 10);
    assert.deepEqual(await read("listaccounts", { page: 600 }), []);
  });
});

describe("envelopes", () => {
  const contract = (query) => ({ address: hub, ...query });
  const invalid = "Invalid address format";
  const missing = "Query parameter 'address' is required";
  for (const [action, query, message] of [
    ["balance", {}, missing],
    ["balance", { address: BAD }, "Invalid address hash"],
    ["balancemulti", {}, missing],
    ["balancemulti", { address: `${hub},${BAD}` }, "Invalid address hash"],
    ["pendingtxlist", {}, missing],
    ["pendingtxlist", { address: BAD }, invalid],
    ["txlist", {}, missing],
    ["txlist", { address: "" }, invalid],
    ["txlistinternal", { address: BAD, txhash: BAD }, invalid],
    ["txlistinternal", { txhash: hub }, "Invalid txhash format"],
    ...["tokentx", "tokennfttx", "token1155tx", "token404tx"].flatMap((action) => [
      [action, {}, "Query parameter address or contractaddress is required"],
      [action, { address: BAD, contractaddress: BAD }, invalid],
      [action, contract({ contractaddress: BAD }), "Invalid contract address format"],
    ]),
    ["tokenbalance", {}, "Required query parameters missing: contractaddress, address"],
    ["tokenbalance", { address: hub }, "Required query parameters missing: contractaddress"],
    ["tokenbalance", contract({ contractaddress: BAD }), "Invalid contractaddress format"],
    ["tokenbalance", { address: BAD, contractaddress: hub }, invalid],
    ["tokenlist", {}, "Query parameter address is required"],
    ["tokenlist", { address: BAD }, invalid],
    ["getminedblocks", {}, missing],
    ["getminedblocks", { address: BAD }, invalid],
  ]) {
    test(`refuse ${action} ${JSON.stringify(query)}`, () => assertRefused(action, query, message));
  }

  for (const [action, message] of Object.entries({
    txlist: "No transactions found",
    pendingtxlist: "No transactions found",
    txlistinternal: "No internal transactions found",
    tokentx: "No token transfers found",
    tokennfttx: "No token transfers found",
    token1155tx: "No token transfers found",
    token404tx: "No token transfers found",
    tokenlist: "No tokens found",
    getminedblocks: "No blocks found",
  })) {
    test(`say that ${action} found nothing`, () => assertNothing(action, { address: STRANGER }, message));
  }

  test("refuse a call that names no action", async () => {
    const refused = async (search) => {
      const response = await shared.fetch(`/api?${search}`);
      return [response.status, await response.json()];
    };
    const body = (message) => ({ message, result: null, status: "0" });
    assert.deepEqual(await refused(""), [400, body("Params 'module' and 'action' are required parameters")]);
    assert.deepEqual(await refused("module=account"), [400, body("Params 'module' and 'action' are required parameters")]);
    assert.deepEqual(await refused("module=acount&action=txlist"), [400, body("Unknown module")]);
    assert.deepEqual(await refused("module=account&action=constructor"), [400, body("Unknown action")]);
  });

  test("report a crash and a limit", async () => {
    const crash = await ask("txlist", { address: at("Too heavy address") });
    assert.deepEqual([crash.status, crash.body], [500, { message: "Something went wrong.", result: null, status: "0" }]);
    const answers = [];
    for (let i = 0; i < 3; i++) answers.push(await ask("balance", { address: at("Rate-limited address") }));
    const limit = { message: "Too many requests. Increase limits now at https://dev.blockscout.com", result: null, status: "0" };
    assert.deepEqual(answers.map(({ status, body }) => [status, body]), [
      [429, limit], [200, limit], [200, { message: "OK", result: "7000000000000000000", status: "1" }],
    ]);
    assert.deepEqual(["remaining", "reset"].map((name) => answers[0].headers.get(`x-ratelimit-${name}`)), ["0", "40"]);
  });

  test("take any case, any extra parameter, three paths and a body", async () => {
    const text = "module=Account&action=TXLIST&nonsense=1&offset=2&address=" + hub.toUpperCase().replace("X", "x");
    const expected = truth("txlist", { address: hub }).slice(0, 2);
    for (const path of ["/api", "/api/", "/api/v1", "/deep/path/api/v1/"]) {
      assertSameRows((await (await shared.fetch(`${path}?${text}`)).json()).result, expected);
    }
    const json = JSON.stringify(Object.fromEntries(new URLSearchParams(text)));
    for (const [type, body] of [["application/x-www-form-urlencoded", text], ["application/json", json]]) {
      const response = await shared.fetch("/api", { method: "POST", body, headers: { "content-type": type } });
      assertSameRows((await response.json()).result, expected);
    }
    assert.equal((await shared.fetch("/api/xyz")).status, 404);
  });
});

describe("pages", () => {
  const newestFirst = () => truth("txlist", { address: deep, sort: "asc" }).toReversed();

  test("end where the window does", async () => {
    for (const action of ["txlist", "pendingtxlist", "txlistinternal", "tokentx", "tokennfttx", "token1155tx", "token404tx", "listaccounts"]) {
      await assertRefused(action, { address: hub, page: 2, offset: 5001 }, WINDOW_TOO_LARGE);
    }
    // Checked before anything else, but never without both values.
    await assertRefused("txlist", { address: BAD, page: 101, offset: 100 }, WINDOW_TOO_LARGE);
    await assertRefused("txlistinternal", { txhash: `0x${"0".repeat(64)}`, page: 101, offset: 100 }, WINDOW_TOO_LARGE);
    assertSameRows(await read("txlist", { address: deep, page: 2, offset: 5000 }), newestFirst().slice(5000, 10_000));
    const blocks = await read("getminedblocks", { address: producer, page: 13, offset: 1000 });
    assertSameRows(blocks, truth("getminedblocks", { address: producer }).slice(12_000));
  });

  test("of a page without a size, or a size without a page", async () => {
    const all = newestFirst();
    assert.equal(all.length, 60_000);
    assertSameRows(await read("txlist", { address: deep, page: 2 }), all.slice(10_000, 20_000));
    assertSameRows(await read("txlist", { address: deep, offset: 7 }), all.slice(0, 7));
    await assertNothing("txlist", { address: deep, page: 7 }, "No transactions found");
  });

  test("ignore numbers that make no sense", async () => {
    const expected = truth("txlist", { address: quiet }).slice(0, 5);
    for (const query of [{ page: 0, offset: 5 }, { page: "x", offset: 5 }, { page: -1, offset: 5 }, { page: "1.5", offset: 5 }]) {
      assertSameRows(await read("txlist", { address: quiet, ...query }), expected);
    }
    for (const offset of [0, 10_001, "many", ""]) assert.equal((await read("listaccounts", { offset, page: 6 })).length, 10);
    assertSameRows(await read("txlist", { address: deep, offset: 10_001, page: 6 }), newestFirst().slice(50_000));
  });

  test("together are the whole, in either direction", async () => {
    for (const [action, address] of [["tokentx", hub], ["token1155tx", hub], ["txlistinternal", hub], ["txlist", distributor]]) {
      for (const sort of ["asc", "desc"]) {
        const all = truth(action, { address, sort });
        const rows = [];
        for (let page = 1; rows.length < all.length; page++) rows.push(...(await read(action, { address, sort, page, offset: 1000 })));
        assertSameRows(rows, all);
      }
    }
  });
});

describe("filters", () => {
  test("by order: anything but asc is desc", async () => {
    const newest = await read("txlist", { address: hub });
    assertSameRows(await read("txlist", { address: hub, sort: "asc" }), newest.toReversed());
    for (const sort of ["ASC", "up", "desc"]) assertSameRows(await read("txlist", { address: hub, sort }), newest);
    const numbers = newest.map(({ blockNumber }) => Number(blockNumber));
    assert.deepEqual(numbers, numbers.toSorted((a, b) => b - a));
  });

  test("by block, both ends included", async () => {
    for (const [action, query] of [
      ["txlist", { address: deep }],
      ["txlist", { address: distributor }],
      ["txlistinternal", { address: hub }],
      ["tokentx", { address: hub }],
    ]) {
      const all = truth(action, { ...query, startblock: HEAD - 1_500_000 });
      const [startblock, endblock] = [all.at(-70).blockNumber, all.at(-140).blockNumber];
      const expected = all.filter(({ blockNumber }) => Number(blockNumber) >= startblock && Number(blockNumber) <= endblock);
      assert.ok(expected.length > 60);
      assertSameRows(await read(action, { ...query, startblock, endblock }), expected);
    }
    await assertNothing("txlist", { address: deep, startblock: 20, endblock: 10 }, "No transactions found");
  });

  test("by a block out of range are ignored", async () => {
    for (const startblock of ["-1", String(2 ** 31), "0x10", "latest", ""]) {
      for (const action of ["txlist", "tokentx", "txlistinternal"]) {
        const rows = await read(action, { address: hub, startblock, endblock: startblock, offset: 20 });
        assertSameRows(rows, truth(action, { address: hub }).slice(0, 20));
      }
    }
    await assertNothing("txlist", { address: hub, startblock: 2 ** 31 - 1 }, "No transactions found");
    assertSameRows(
      await read("getminedblocks", { address: producer, startblock: HEAD, offset: 3 }),
      await read("getminedblocks", { address: producer, offset: 3 }),
    );
  });

  test("by direction and time, in txlist alone", async () => {
    for (const address of [deep, distributor]) {
      const all = await read("txlist", { address });
      const from = await read("txlist", { address, filter_by: "from", offset: 1000 });
      assertSameRows(from, all.filter((row) => row.from === lower(address)).slice(0, 1000));
      const to = all.filter((row) => row.to === lower(address));
      const received = await ask("txlist", { address, filter_by: "to", offset: 100 });
      assertSameRows(received.body.result, to.slice(0, 100));
      const [last, start] = [all[100].timeStamp, all[300].timeStamp];
      const between = all.filter(({ timeStamp }) => Number(timeStamp) >= start && Number(timeStamp) <= last);
      assertSameRows(await read("txlist", { address, start_timestamp: start, end_timestamp: last }), between);
      const wider = { start_timestamp: Number(start) - 1, end_timestamp: Number(last) + 1 };
      assertSameRows(await read("txlist", { address, ...wider }), between);
      const narrower = { start_timestamp: Number(start) + 1, end_timestamp: Number(last) - 1 };
      const inside = between.filter(({ timeStamp }) => timeStamp !== start && timeStamp !== last);
      assertSameRows(await read("txlist", { address, ...narrower }), inside);
      const nonsense = { filter_by: "both", start_timestamp: "soon", end_timestamp: 10 ** 15 };
      assertSameRows(await read("txlist", { address, ...nonsense, offset: 50 }), all.slice(0, 50));
    }
    const transfers = await read("tokentx", { address: hub, filter_by: "from", end_timestamp: 1, offset: 50 });
    assertSameRows(transfers, truth("tokentx", { address: hub }).slice(0, 50));
  });

  test("by value: calls of nothing are hidden unless asked for", async () => {
    const every = truth("txlistinternal", { address: hub, include_zero_value: "true" });
    const some = every.filter(({ value }) => value !== "0");
    assert.ok(some.length < every.length);
    assertSameRows(await read("txlistinternal", { address: hub }), some);
    assertSameRows(await read("txlistinternal", { address: hub, include_zero_value: "yes" }), some);
    assertSameRows(await read("txlistinternal", { address: hub, include_zero_value: "true" }), every);
    const { transactionHash: txhash } = every[0];
    const inTransaction = every.filter((row) => row.transactionHash === txhash).reverse();
    assertSameRows(await read("txlistinternal", { txhash, include_zero_value: "true", page: 2, offset: 1 }), inTransaction);
    assert.ok((await read("txlistinternal", { endblock: HEAD - 400 })).length > some.length);
    await assertNothing("txlistinternal", { txhash: `0x${"0".repeat(64)}` }, "No internal transactions found");
  });

  test("by token and address", async () => {
    const { contractAddress: contractaddress } = await first("tokentx", { address: hub });
    const ofHub = truth("tokentx", { address: hub }).filter((row) => row.contractAddress === contractaddress);
    assertSameRows(await read("tokentx", { address: hub, contractaddress }), ofHub);
    const ofToken = await read("tokentx", { contractaddress });
    assert.ok(ofToken.length > ofHub.length && ofToken.every((row) => row.contractAddress === contractaddress));
    await assertNothing("tokennfttx", { contractaddress }, "No token transfers found");
  });
});

describe("reading past the window", () => {
  /** Reads all by block windows, the way a careful client does: a full answer is cut back to its last complete block. */
  async function readByWindows(action, query, service = shared) {
    const rows = [];
    let requests = 0;
    for (let startblock = query.startblock ?? 0; ; requests++) {
      const { body } = await ask(action, { ...query, startblock, sort: "asc" }, service);
      if (body.result.length < 10_000) return { rows: [...rows, ...body.result], requests: requests + 1 };
      startblock = Number(body.result.at(-1).blockNumber);
      rows.push(...body.result.filter(({ blockNumber }) => Number(blockNumber) < startblock));
    }
  }

  test("60,000 transactions by windows", async () => {
    const { rows, requests } = await readByWindows("txlist", { address: deep });
    assertSameRows(rows, truth("txlist", { address: deep, sort: "asc" }));
    assert.equal(requests, 7);
    const sizes = new Map();
    for (const { blockNumber } of rows) sizes.set(blockNumber, (sizes.get(blockNumber) ?? 0) + 1);
    assert.equal(Math.max(...sizes.values()), 150);
  });

  test("a block of 10,500 transfers", async () => {
    const block = { startblock: CROWDED_BLOCK, endblock: CROWDED_BLOCK };
    const all = truth("tokentx", { contractaddress: crowded, ...block });
    assert.equal(all.length, 10_500);
    assertSameRows(await read("tokentx", { contractaddress: crowded, ...block }), all.slice(0, 10_000));
    for (const query of [{ contractaddress: crowded }, { address: distributor }, { address: distributor, contractaddress: crowded }]) {
      assertSameRows(await read("tokentx", { ...query, ...block, page: 2 }), all.slice(10_000));
      assertSameRows(await read("tokentx", { ...query, ...block, page: 20, offset: 500 }), all.slice(9500, 10_000));
      await assertRefused("tokentx", { ...query, ...block, page: 21, offset: 500 }, WINDOW_TOO_LARGE);
      assert.equal((await read("tokentx", { ...query, endblock: CROWDED_BLOCK - 1 })).length, 1800);
      assert.equal((await read("tokentx", { ...query, startblock: CROWDED_BLOCK + 1 })).length, 1200);
    }
  });

  test("equal transfers of one transaction are equal records", () => {
    const rows = truth("tokentx", { contractaddress: crowded }).map((row) => JSON.stringify(row));
    assert.equal(rows.length, 13_500);
    assert.ok(new Set(rows).size <= 13_500 - 1500 - 420);
    const byHash = rows.map((row) => JSON.parse(row).hash);
    assert.ok(rows.some((row, i) => row === rows[i + 1] && byHash[i] === byHash[i + 1]));
  });

  test("while the chain grows", async () => {
    const growing = createSampleService({ grow: 3 });
    const query = { address: deep, startblock: 21_000_060 };
    const before = truth("txlist", { ...query, sort: "asc" }, growing);
    const { rows, requests } = await readByWindows("txlist", query, growing);
    assert.equal(requests, 2);
    const known = ({ confirmations, ...row }) => row;
    assertSameRows(rows.slice(0, before.length).map(known), before.map(known));
    const after = truth("txlist", query, growing);
    assert.equal(after.length, before.length + requests * 3 * 2);
    assert.deepEqual([after[0].blockNumber, after[0].confirmations], [String(HEAD + requests * 3), "0"]);
    assert.throws(() => createSampleService({ grow: -1 }), RangeError);
  });
});

describe("unprocessed internal transactions", () => {
  const NOT_PROCESSED = HEAD - 400;

  test("give what there is, with status 2", async () => {
    const { body } = await ask("txlistinternal", { address: lagging });
    assert.deepEqual([body.status, body.message], ["2", "Some internal transactions within this block range have not yet been processed"]);
    assert.ok(body.result.length > 20);
    assert.ok(body.result.every(({ blockNumber }) => Number(blockNumber) <= NOT_PROCESSED));
    assertSameRows(await read("txlistinternal", { address: lagging, endblock: NOT_PROCESSED }), body.result);
    const empty = await ask("txlistinternal", { address: lagging, startblock: NOT_PROCESSED + 1 });
    assert.deepEqual([empty.body.status, empty.body.result], ["2", []]);
    assert.equal((await ask("txlistinternal")).body.status, "2");
  });

  test("of one transaction", async () => {
    const [{ transaction_hash: txhash }] = shared.truth(`/addresses/${lagging}/internal-transactions`);
    const { status, body } = await ask("txlistinternal", { txhash });
    const message = "Internal transactions for this transaction have not been processed yet";
    assert.deepEqual([status, body], [200, { message, result: [], status: "2" }]);
  });
});

describe("balances", () => {
  const fresh = () => createSampleService();
  const balances = async (hashes, service) => read("balancemulti", { address: hashes.join() }, service);
  const [stale, unfetched, stuck, whale, unused] = ["Stale balance", "Unknown balance", "Stuck balance", "Largest balance", "Unused account"].map(at);

  test("of one address are a text, of several a list", async () => {
    const service = fresh();
    assert.equal(await read("balance", { address: hub }, service), "1234567890123456789012");
    assert.equal(await read("balance", { address: whale }, service), String(2n ** 256n - 1n));
    assert.equal(await read("balance", { address: unused }, service), "0");
    assert.equal(await read("balance", { address: unfetched }, service), null);
    const two = await read("balance", { address: `${hub},${whale}` }, service);
    assert.deepEqual(two.map((row) => Object.keys(row).sort()), [["account", "balance", "stale"], ["account", "balance", "stale"]]);
    assert.equal((await balances([hub], service)).length, 1);
  });

  test("come in no order of the request: strangers first, everyone once", async () => {
    const asked = [hub, whale, STRANGER, hub.toLowerCase(), quiet, unused];
    const rows = await balances(asked, fresh());
    assert.deepEqual(rows.slice(0, 2).map(({ account }) => account).sort(), [lower(STRANGER), lower(unused)].sort());
    assert.deepEqual(rows.map(({ account }) => account).sort(), [...new Set(asked.map(lower))].sort());
    assertSameRows(await balances(asked.toReversed(), fresh()), rows);
  });

  test("are cut at twenty without a word", async () => {
    const twenty = Array.from({ length: 20 }, (_, i) => `0x${String(i).padStart(40, "0")}`);
    const rows = await balances([...twenty, hub, BAD], fresh());
    assert.deepEqual(rows.map(({ account }) => account).sort(), twenty);
  });

  test("turn fresh from the second later request on", async () => {
    const service = fresh();
    const seen = [];
    for (let i = 0; i < 4; i++) seen.push((await balances([stale], service)).map(({ balance, stale }) => [balance, stale])[0]);
    const [old, now] = ["1000000000000000000", "2500000000000000000"];
    assert.deepEqual(seen, [[old, true], [old, true], [now, false], [now, false]]);
    assert.deepEqual((await balances([stale], fresh()))[0].balance, old, "every service has a state of its own");
  });

  test("may be unknown once, or stale for ever", async () => {
    const service = fresh();
    const seen = [];
    for (let i = 0; i < 5; i++) {
      const rows = new Map((await balances([unfetched, stuck], service)).map((row) => [row.account, row]));
      seen.push([rows.get(lower(unfetched)).balance, rows.get(lower(unfetched)).stale, rows.get(lower(stuck)).stale]);
    }
    const later = ["77000000000000001", false, true];
    assert.deepEqual(seen, [[null, true, true], later, later, later, later]);
  });

  test("are not made fresh by looking at the truth", async () => {
    const service = fresh();
    for (let i = 0; i < 3; i++) truth("listaccounts", {}, service);
    assert.equal((await balances([stale], service))[0].stale, true);
    assertSameRows(truth("listaccounts", {}, fresh()), await read("listaccounts", { offset: 10_000 }, fresh()));
  });
});

describe("eth_get_balance", () => {
  const balance = (query, service) => ask("eth_get_balance", query, service);
  const found = (result) => ({ jsonrpc: "2.0", result, id: 0 });
  const hex = (value) => `0x${BigInt(value).toString(16)}`;
  const whale = at("Largest balance");
  const stale = at("Stale balance");

  test("has an envelope of its own", async () => {
    assert.deepEqual((await balance({ address: hub })).body, found(hex("1234567890123456789012")));
    assert.deepEqual((await balance({ address: hub, block: "latest" })).body, found(hex("1234567890123456789012")));
    assert.deepEqual((await balance({ address: whale, block: "earliest" })).body, found(hex(2n ** 256n - 1n)));
    assert.deepEqual((await balance({ address: stale, block: "pending" })).body, found(hex("2500000000000000000")));
  });

  test("at a block gives the last record at or below it", async () => {
    const history = shared.truth(`/addresses/${hub}/coin-balance-history`);
    const { block_number, value } = history[100];
    for (const block of [block_number, history[99].block_number - 1]) {
      assert.deepEqual((await balance({ address: hub, block })).body, found(hex(value)));
    }
  });

  test("refuses with statuses of its own", async () => {
    const refused = async (query) => {
      const answers = [];
      for (const dialect of [11, 12]) {
        const { status, body } = await balance(query, services[dialect]);
        answers.push([status, body.jsonrpc, body.id, body.error.message ?? body.error, typeof body.error]);
      }
      return answers;
    };
    for (const [query, status, message] of [
      [{ address: BAD }, 400, "Invalid address hash"],
      [{ address: BAD, block: "0x10" }, 400, "Invalid block"],
      [{ address: hub, block: "newest" }, 400, "Invalid block"],
      [{ address: hub, block: "earliest" }, 404, "Balance not found"],
      [{ address: hub, block: "pending" }, 404, "Balance not found"],
      [{ address: hub, block: 5 }, 404, "Balance not found"],
      [{ address: STRANGER }, 404, "Balance not found"],
    ]) {
      assert.deepEqual(await refused(query), [[status, "2.0", 0, message, "string"], [status, "2.0", 0, message, "object"]]);
    }
    const { status, body } = await balance({});
    assert.deepEqual([status, body], [500, { message: "Something went wrong.", result: null, status: "0" }]);
  });
});

describe("older services", () => {
  const old = services[8];

  test("lack later actions, members and the filter of values", async () => {
    for (const action of ["token1155tx", "token404tx"]) {
      const { status, body } = await ask(action, { address: hub }, old);
      assert.deepEqual([status, body.message], [400, "Unknown action"]);
    }
    assert.ok(!("methodId" in (await read("txlist", { address: deep, offset: 1 }, old))[0]));
    assert.ok((await read("txlistinternal", { address: hub }, old)).some(({ value }) => value === "0"));
    assert.equal((await ask("txlistinternal", { address: lagging }, old)).body.status, "1");
  });
});

describe("data", () => {
  test("depend on the seed alone", async () => {
    const again = createSampleService();
    const other = createSampleService({ seed: 2 });
    for (const [action, query] of [["listaccounts", { offset: "50" }], ["tokentx", { contractaddress: crowded, offset: "50" }]]) {
      assertSameRows(await read(action, query, again), await read(action, query, createSampleService()));
    }
    const otherDeep = other.addresses.find(({ label }) => label === "Deep history").hash;
    const dense = { startblock: 19_000_000, endblock: 19_000_999 };
    assert.equal(truth("txlist", { address: otherDeep, ...dense }, other).length, 4000);
    assert.notEqual(otherDeep, deep);
  });

  test("come over HTTP, with their truth", async () => {
    const service = await startService();
    try {
      const query = `action=txlist&address=${hub}&filter_by=from`;
      const { result } = await (await fetch(`${service.url}/api?module=account&${query}`)).json();
      assertSameRows(await (await fetch(`${service.url}/v11/_sample/truth-of?${query}`)).json(), result);
      const posted = await fetch(`${service.url}/api`, { method: "POST", body: new URLSearchParams(`module=account&${query}`) });
      assertSameRows((await posted.json()).result, result);
    } finally {
      await service.close();
    }
  });
});
