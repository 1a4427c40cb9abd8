// Tests of the account module of the sample service: it must behave like the real one, because the client's tests rely on it.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { createSampleService } from "../pkg/testing/index.js";
import { startSampleServer } from "./sample-server.mjs";

const HEAD = 23_705_400;
const OVERSIZED_BLOCK = 22_222_222;
const WINDOW_TOO_LARGE = "Result window is too large, PageNo x Offset size must be less than or equal to 10000";
const INVALID = "0x12";
const UNKNOWN_ADDRESS = `0x${"5a".repeat(20)}`;
const shared = createSampleService();
const services = { 8: createSampleService({ backendVersion: 8 }), 11: shared, 12: createSampleService({ backendVersion: 12 }) };
const findAddress = (label) => shared.addresses.find((address) => address.label === label).hash;
const [hub, quiet, deep, distributor, oversized, lagging, producer] = [
  "Busy smart account",
  "Quiet account",
  "Exchange hot wallet",
  "Token distributor",
  "Token with an oversized block",
  "Unprocessed calls",
  "Validator",
].map(findAddress);

/** Requests an action; returns status, body and headers. */
async function request(action, query = {}, service = shared) {
  const response = await service.fetch(
    `https://any.example/prefix/api?${new URLSearchParams({ module: "account", action, ...query })}`,
  );
  return { status: response.status, body: await response.json(), headers: response.headers };
}

/** Requests an action that succeeds; returns its result. */
async function requestResult(action, query, service) {
  const { status, body } = await request(action, query, service);
  assert.deepEqual([status, body.status, body.message], [200, "1", "OK"], JSON.stringify(body).slice(0, 200));
  return body.result;
}

const allRowsCache = new Map();

/** All rows of an action, cached for the shared service, whose chain never grows. */
function getAllRows(action, query = {}, service = shared) {
  if (service !== shared) return service.getAllRows(action, query);
  const key = JSON.stringify([action, query]);
  if (!allRowsCache.has(key)) allRowsCache.set(key, shared.getAllRows(action, query));
  return allRowsCache.get(key);
}

const requestFirstRow = async (action, query) => (await requestResult(action, query))[0];
const toLowerCase = (hash) => hash.toLowerCase();

/** Like deepEqual, but fast for thousands of flat rows; reports only the first difference. */
function assertSameRows(actual, expected) {
  const isSame = (a = {}, b) =>
    Object.keys(a).length === Object.keys(b).length && Object.keys(b).every((name) => a[name] === b[name]);
  const difference = expected.findIndex((row, i) => !isSame(actual[i], row));
  if (difference >= 0) assert.deepEqual(actual[difference], expected[difference], `row ${difference}`);
  assert.equal(actual.length, expected.length);
}

async function assertError(action, query, message, service) {
  const { status, body } = await request(action, query, service);
  assert.deepEqual([status, body], [200, { message, result: null, status: "0" }]);
}

async function assertEmpty(action, query, message) {
  const { status, body } = await request(action, query);
  assert.deepEqual([status, body], [200, { message, result: [], status: "0" }]);
}

const TRANSACTION_KEYS = (
  "blockHash blockNumber confirmations contractAddress cumulativeGasUsed from gas gasPrice gasUsed hash input " +
  "isError methodId nonce timeStamp to transactionIndex txreceipt_status value"
).split(" ");
const TRANSFER_KEYS = (
  "blockHash blockNumber confirmations contractAddress cumulativeGasUsed from functionName gas gasPrice " +
  "gasUsed hash input methodId nonce timeStamp to tokenDecimal tokenName tokenSymbol transactionIndex"
).split(" ");

describe("records", () => {
  for (const [action, address, keys] of [
    ["txlist", deep, TRANSACTION_KEYS],
    ["txlist", hub, TRANSACTION_KEYS],
    [
      "pendingtxlist",
      hub,
      ["contractAddress", "cumulativeGasUsed", "from", "gas", "gasPrice", "gasUsed", "hash", "input", "nonce", "to", "value"],
    ],
    [
      "txlistinternal",
      hub,
      [
        "blockNumber",
        "callType",
        "contractAddress",
        "errCode",
        "from",
        "gas",
        "gasUsed",
        "index",
        "input",
        "isError",
        "timeStamp",
        "to",
        "transactionHash",
        "type",
        "value",
      ],
    ],
    ["tokentx", hub, [...TRANSFER_KEYS, "value"]],
    ["tokennfttx", hub, [...TRANSFER_KEYS, "tokenID"]],
    ["token1155tx", hub, [...TRANSFER_KEYS, "tokenID", "tokenValue"]],
    ["token404tx", hub, [...TRANSFER_KEYS, "tokenID", "value"]],
    ["getminedblocks", producer, ["blockNumber", "timeStamp"]],
  ]) {
    test(`of ${action} are flat objects of strings`, async () => {
      const nullable = ["tokenName", "tokenSymbol"];
      for (const row of await requestResult(action, { address, offset: 2000 })) {
        assert.deepEqual(Object.keys(row).sort(), [...keys].sort());
        for (const [name, value] of Object.entries(row))
          assert.ok(typeof value === "string" || (value === null && nullable.includes(name)), name);
        for (const name of ["from", "to", "contractAddress"]) if (row[name]) assert.match(row[name], /^0x[0-9a-f]{40}$/);
      }
    });
  }

  test("of transactions include creations, failures, method ids and several in one block", async () => {
    const rows = await requestResult("txlist", { address: deep });
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

  test("agree with the REST lists on positions, times and amounts", async () => {
    const compareByPosition = (a, b) => b.block_number - a.block_number || b.log_index - a.log_index;
    const rest = shared.getAllItems(`/addresses/${hub}/token-transfers`, { type: "ERC-20" }).sort(compareByPosition);
    const rows = await requestResult("tokentx", { address: hub });
    assert.deepEqual(
      rows.map(({ hash, blockHash, timeStamp, value }) => [hash, blockHash, Number(timeStamp), value]),
      rest.map(({ transaction_hash: hash, block_hash, timestamp, total }) => [
        hash,
        block_hash,
        Date.parse(timestamp) / 1000,
        total?.value ?? "",
      ]),
    );
    const sent = new Set((await requestResult("txlist", { address: hub, filter_by: "from" })).map(({ hash }) => hash));
    assert.ok(rows.some(({ hash }) => sent.has(hash)));
  });

  test("of transfers have a decoded method without 0x, or none", async () => {
    const rows = await requestResult("tokentx", { address: hub });
    const decoded = rows.find(({ functionName }) => functionName.startsWith("transfer("));
    assert.deepEqual([decoded.methodId, decoded.functionName], ["a9059cbb", "transfer(address to, uint256 value)"]);
    assert.ok(rows.some(({ methodId, functionName, input }) => methodId === "" && functionName === "" && input !== "0x"));
    for (const name of ["tokenName", "tokenSymbol"]) assert.ok(rows.some((row) => row[name] === null));
    assert.ok(rows.some(({ tokenDecimal }) => tokenDecimal === ""));
    const erc404Rows = await requestResult("token404tx", { address: hub });
    assert.ok(erc404Rows.some((row) => row.tokenID === "") && erc404Rows.some((row) => row.value === ""));
    const erc1155Rows = await requestResult("token1155tx", { address: hub });
    const sizes = erc1155Rows.map(({ hash }) => erc1155Rows.filter((row) => row.hash === hash).length);
    assert.equal(Math.max(...sizes), 160);
  });

  test("of internal transactions have the type of call in callType", async () => {
    const rows = await requestResult("txlistinternal", { address: hub, include_zero_value: "TRUE" });
    const types = new Set(rows.map(({ type, callType }) => `${type}/${callType}`));
    assert.deepEqual([...types].sort(), [
      "call/call",
      "call/delegatecall",
      "call/staticcall",
      "create/",
      "create2/",
      "selfdestruct/",
    ]);
    assert.ok(rows.every(({ isError, errCode }) => (isError === "1") === (errCode !== "")));
    assert.ok(rows.some(({ to, contractAddress }) => to === "" && contractAddress !== ""));
  });

  test("of mined blocks have a time in their own format", async () => {
    const row = await requestFirstRow("getminedblocks", { address: producer });
    assert.match(row.timeStamp, /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.000000Z$/);
  });

  test("of tokens can lack names and decimals; NFTs have an id", async () => {
    const rows = await requestResult("tokenlist", { address: hub });
    assert.ok(rows.some((row) => row.name === null && row.symbol === null && row.decimals === ""));
    assert.ok(rows.every((row) => ["ERC-1155", "ERC-404"].includes(row.type) === "id" in row));
    const { contractAddress: contractaddress, balance } = rows.find(({ type }) => type === "ERC-20");
    assert.equal(await requestResult("tokenbalance", { address: hub, contractaddress }), balance);
    assert.equal(await requestResult("tokenbalance", { address: UNKNOWN_ADDRESS, contractaddress }), "0");
    const hostile = await requestResult("tokenlist", { address: findAddress("Hostile names") });
    assert.ok(hostile.some(({ symbol }) => symbol?.includes("<script>")));
  });

  test("of accounts include stale and unknown balances", async () => {
    const rows = await requestResult("listaccounts", { offset: 10_000 }, createSampleService());
    assert.equal(rows.length, 5000);
    assert.deepEqual(Object.keys(rows[0]).sort(), ["address", "balance", "stale"]);
    assert.ok(rows.some(({ balance }) => balance === ""));
    assert.deepEqual(
      [true, false].map((stale) => rows.some((row) => row.stale === stale)),
      [true, true],
    );
    assert.equal((await requestResult("listaccounts")).length, 10);
    assert.deepEqual(await requestResult("listaccounts", { page: 600 }), []);
  });
});

describe("responses", () => {
  const withHub = (query) => ({ address: hub, ...query });
  const invalid = "Invalid address format";
  const missing = "Query parameter 'address' is required";
  for (const [action, query, message] of [
    ["balance", {}, missing],
    ["balance", { address: INVALID }, "Invalid address hash"],
    ["balancemulti", {}, missing],
    ["balancemulti", { address: `${hub},${INVALID}` }, "Invalid address hash"],
    ["pendingtxlist", {}, missing],
    ["pendingtxlist", { address: INVALID }, invalid],
    ["txlist", {}, missing],
    ["txlist", { address: "" }, invalid],
    ["txlistinternal", { address: INVALID, txhash: INVALID }, invalid],
    ["txlistinternal", { txhash: hub }, "Invalid txhash format"],
    ...["tokentx", "tokennfttx", "token1155tx", "token404tx"].flatMap((action) => [
      [action, {}, "Query parameter address or contractaddress is required"],
      [action, { address: INVALID, contractaddress: INVALID }, invalid],
      [action, withHub({ contractaddress: INVALID }), "Invalid contract address format"],
    ]),
    ["tokenbalance", {}, "Required query parameters missing: contractaddress, address"],
    ["tokenbalance", { address: hub }, "Required query parameters missing: contractaddress"],
    ["tokenbalance", withHub({ contractaddress: INVALID }), "Invalid contractaddress format"],
    ["tokenbalance", { address: INVALID, contractaddress: hub }, invalid],
    ["tokenlist", {}, "Query parameter address is required"],
    ["tokenlist", { address: INVALID }, invalid],
    ["getminedblocks", {}, missing],
    ["getminedblocks", { address: INVALID }, invalid],
  ]) {
    test(`reject ${action} ${JSON.stringify(query)}`, () => assertError(action, query, message));
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
    test(`are empty with a message: ${action}`, () => assertEmpty(action, { address: UNKNOWN_ADDRESS }, message));
  }

  test("reject a request without a known module and action", async () => {
    const requestRaw = async (search) => {
      const response = await shared.fetch(`/api?${search}`);
      return [response.status, await response.json()];
    };
    const createBody = (message) => ({ message, result: null, status: "0" });
    assert.deepEqual(await requestRaw(""), [400, createBody("Params 'module' and 'action' are required parameters")]);
    assert.deepEqual(await requestRaw("module=account"), [
      400,
      createBody("Params 'module' and 'action' are required parameters"),
    ]);
    assert.deepEqual(await requestRaw("module=acount&action=txlist"), [400, createBody("Unknown module")]);
    assert.deepEqual(await requestRaw("module=account&action=constructor"), [400, createBody("Unknown action")]);
  });

  test("report a crash and a rate limit", async () => {
    const crash = await request("txlist", { address: findAddress("Overloaded address") });
    assert.deepEqual([crash.status, crash.body], [500, { message: "Something went wrong.", result: null, status: "0" }]);
    const responses = [];
    for (let i = 0; i < 3; i++) responses.push(await request("balance", { address: findAddress("Rate-limited address") }));
    const limit = { message: "Too many requests. Increase limits now at https://dev.blockscout.com", result: null, status: "0" };
    assert.deepEqual(
      responses.map(({ status, body }) => [status, body]),
      [
        [429, limit],
        [200, limit],
        [200, { message: "OK", result: "7000000000000000000", status: "1" }],
      ],
    );
    assert.deepEqual(
      ["remaining", "reset"].map((name) => responses[0].headers.get(`x-ratelimit-${name}`)),
      ["0", "40"],
    );
  });

  test("accept any letter case, unknown parameters, three paths and a body", async () => {
    const query = "module=Account&action=TXLIST&nonsense=1&offset=2&address=" + hub.toUpperCase().replace("X", "x");
    const expected = getAllRows("txlist", { address: hub }).slice(0, 2);
    for (const path of ["/api", "/api/", "/api/v1", "/deep/path/api/v1/"]) {
      assertSameRows((await (await shared.fetch(`${path}?${query}`)).json()).result, expected);
    }
    const json = JSON.stringify(Object.fromEntries(new URLSearchParams(query)));
    for (const [type, body] of [
      ["application/x-www-form-urlencoded", query],
      ["application/json", json],
    ]) {
      const response = await shared.fetch("/api", { method: "POST", body, headers: { "content-type": type } });
      assertSameRows((await response.json()).result, expected);
    }
    assert.equal((await shared.fetch("/api/xyz")).status, 404);
  });
});

/** The 60,000 transactions of the address `deep`, which are made once. */
let newestFirst;
const getNewestFirst = () => (newestFirst ??= getAllRows("txlist", { address: deep, sort: "asc" }).toReversed());

describe("pages", () => {
  test("end at the result window", async () => {
    for (const action of [
      "txlist",
      "pendingtxlist",
      "txlistinternal",
      "tokentx",
      "tokennfttx",
      "token1155tx",
      "token404tx",
      "listaccounts",
    ]) {
      await assertError(action, { address: hub, page: 2, offset: 5001 }, WINDOW_TOO_LARGE);
    }
    // Checked before all other parameters, but only if both are given.
    await assertError("txlist", { address: INVALID, page: 101, offset: 100 }, WINDOW_TOO_LARGE);
    await assertError("txlistinternal", { txhash: `0x${"0".repeat(64)}`, page: 101, offset: 100 }, WINDOW_TOO_LARGE);
    assertSameRows(await requestResult("txlist", { address: deep, page: 2, offset: 5000 }), getNewestFirst().slice(5000, 10_000));
    const blocks = await requestResult("getminedblocks", { address: producer, page: 13, offset: 1000 });
    assertSameRows(blocks, getAllRows("getminedblocks", { address: producer }).slice(12_000));
  });

  test("have defaults for page and offset", async () => {
    const all = getNewestFirst();
    assert.equal(all.length, 60_000);
    assertSameRows(await requestResult("txlist", { address: deep, page: 2 }), all.slice(10_000, 20_000));
    assertSameRows(await requestResult("txlist", { address: deep, offset: 7 }), all.slice(0, 7));
    await assertEmpty("txlist", { address: deep, page: 7 }, "No transactions found");
  });

  test("ignore invalid numbers", async () => {
    const expected = getAllRows("txlist", { address: quiet }).slice(0, 5);
    for (const query of [
      { page: 0, offset: 5 },
      { page: "x", offset: 5 },
      { page: -1, offset: 5 },
      { page: "1.5", offset: 5 },
    ]) {
      assertSameRows(await requestResult("txlist", { address: quiet, ...query }), expected);
    }
    for (const offset of [0, 10_001, "many", ""])
      assert.equal((await requestResult("listaccounts", { offset, page: 6 })).length, 10);
    assertSameRows(await requestResult("txlist", { address: deep, offset: 10_001, page: 6 }), getNewestFirst().slice(50_000));
  });

  test("give all rows together, in either order", async () => {
    for (const [action, address] of [
      ["tokentx", hub],
      ["token1155tx", hub],
      ["txlistinternal", hub],
      ["txlist", distributor],
    ]) {
      for (const sort of ["asc", "desc"]) {
        const all = getAllRows(action, { address, sort });
        const rows = [];
        for (let page = 1; rows.length < all.length; page++)
          rows.push(...(await requestResult(action, { address, sort, page, offset: 1000 })));
        assertSameRows(rows, all);
      }
    }
  });
});

describe("filters", () => {
  test("sort in descending order unless asc is requested", async () => {
    const newest = await requestResult("txlist", { address: hub });
    assertSameRows(await requestResult("txlist", { address: hub, sort: "asc" }), newest.toReversed());
    for (const sort of ["ASC", "up", "desc"]) assertSameRows(await requestResult("txlist", { address: hub, sort }), newest);
    const numbers = newest.map(({ blockNumber }) => Number(blockNumber));
    assert.deepEqual(
      numbers,
      numbers.toSorted((a, b) => b - a),
    );
  });

  test("by block include both ends", async () => {
    for (const [action, query] of [
      ["txlist", { address: deep }],
      ["txlist", { address: distributor }],
      ["txlistinternal", { address: hub }],
      ["tokentx", { address: hub }],
    ]) {
      const all = getAllRows(action, { ...query, startblock: HEAD - 1_500_000 });
      const [startblock, endblock] = [all.at(-70).blockNumber, all.at(-140).blockNumber];
      const expected = all.filter(({ blockNumber }) => Number(blockNumber) >= startblock && Number(blockNumber) <= endblock);
      assert.ok(expected.length > 60);
      assertSameRows(await requestResult(action, { ...query, startblock, endblock }), expected);
    }
    await assertEmpty("txlist", { address: deep, startblock: 20, endblock: 10 }, "No transactions found");
  });

  test("by an invalid block are ignored", async () => {
    for (const startblock of ["-1", String(2 ** 31), "0x10", "latest", ""]) {
      for (const action of ["txlist", "tokentx", "txlistinternal"]) {
        const rows = await requestResult(action, { address: hub, startblock, endblock: startblock, offset: 20 });
        assertSameRows(rows, getAllRows(action, { address: hub }).slice(0, 20));
      }
    }
    await assertEmpty("txlist", { address: hub, startblock: 2 ** 31 - 1 }, "No transactions found");
    assertSameRows(
      await requestResult("getminedblocks", { address: producer, startblock: HEAD, offset: 3 }),
      await requestResult("getminedblocks", { address: producer, offset: 3 }),
    );
  });

  test("by direction and time exist in txlist only", async () => {
    for (const address of [deep, distributor]) {
      const all = await requestResult("txlist", { address });
      const from = await requestResult("txlist", { address, filter_by: "from", offset: 1000 });
      assertSameRows(from, all.filter((row) => row.from === toLowerCase(address)).slice(0, 1000));
      const to = all.filter((row) => row.to === toLowerCase(address));
      const received = await request("txlist", { address, filter_by: "to", offset: 100 });
      assertSameRows(received.body.result, to.slice(0, 100));
      const [last, start] = [all[100].timeStamp, all[300].timeStamp];
      const inRange = all.filter(({ timeStamp }) => Number(timeStamp) >= start && Number(timeStamp) <= last);
      assertSameRows(await requestResult("txlist", { address, start_timestamp: start, end_timestamp: last }), inRange);
      const wider = { start_timestamp: Number(start) - 1, end_timestamp: Number(last) + 1 };
      assertSameRows(await requestResult("txlist", { address, ...wider }), inRange);
      const narrower = { start_timestamp: Number(start) + 1, end_timestamp: Number(last) - 1 };
      const strictlyInside = inRange.filter(({ timeStamp }) => timeStamp !== start && timeStamp !== last);
      assertSameRows(await requestResult("txlist", { address, ...narrower }), strictlyInside);
      const invalid = { filter_by: "both", start_timestamp: "soon", end_timestamp: 10 ** 15 };
      assertSameRows(await requestResult("txlist", { address, ...invalid, offset: 50 }), all.slice(0, 50));
    }
    const transfers = await requestResult("tokentx", { address: hub, filter_by: "from", end_timestamp: 1, offset: 50 });
    assertSameRows(transfers, getAllRows("tokentx", { address: hub }).slice(0, 50));
  });

  test("by value hide internal transactions of zero by default", async () => {
    const every = getAllRows("txlistinternal", { address: hub, include_zero_value: "true" });
    const some = every.filter(({ value }) => value !== "0");
    assert.ok(some.length < every.length);
    assertSameRows(await requestResult("txlistinternal", { address: hub }), some);
    assertSameRows(await requestResult("txlistinternal", { address: hub, include_zero_value: "yes" }), some);
    assertSameRows(await requestResult("txlistinternal", { address: hub, include_zero_value: "true" }), every);
    const { transactionHash: txhash } = every[0];
    const inTransaction = every.filter((row) => row.transactionHash === txhash).reverse();
    assertSameRows(
      await requestResult("txlistinternal", { txhash, include_zero_value: "true", page: 2, offset: 1 }),
      inTransaction,
    );
    assert.ok((await requestResult("txlistinternal", { endblock: HEAD - 400 })).length > some.length);
    await assertEmpty("txlistinternal", { txhash: `0x${"0".repeat(64)}` }, "No internal transactions found");
  });

  test("by token and address", async () => {
    const { contractAddress: contractaddress } = await requestFirstRow("tokentx", { address: hub });
    const ofHub = getAllRows("tokentx", { address: hub }).filter((row) => row.contractAddress === contractaddress);
    assertSameRows(await requestResult("tokentx", { address: hub, contractaddress }), ofHub);
    const ofToken = await requestResult("tokentx", { contractaddress });
    assert.ok(ofToken.length > ofHub.length && ofToken.every((row) => row.contractAddress === contractaddress));
    await assertEmpty("tokennfttx", { contractaddress }, "No token transfers found");
  });
});

describe("reading past the result window", () => {
  /** Reads all rows by block ranges. Each full page is truncated to its last complete block, and the next range starts there. */
  async function readByBlockRanges(action, query, service = shared) {
    const rows = [];
    let requests = 0;
    for (let startblock = query.startblock ?? 0; ; requests++) {
      const { body } = await request(action, { ...query, startblock, sort: "asc" }, service);
      if (body.result.length < 10_000) return { rows: [...rows, ...body.result], requests: requests + 1 };
      startblock = Number(body.result.at(-1).blockNumber);
      rows.push(...body.result.filter(({ blockNumber }) => Number(blockNumber) < startblock));
    }
  }

  test("of an oversized block, a page without an offset reads past the window", async () => {
    const block = { startblock: OVERSIZED_BLOCK, endblock: OVERSIZED_BLOCK };
    const all = getAllRows("tokentx", { contractaddress: oversized, ...block });
    assert.equal(all.length, 10_500);
    assertSameRows(await requestResult("tokentx", { contractaddress: oversized, ...block }), all.slice(0, 10_000));
    for (const query of [
      { contractaddress: oversized },
      { address: distributor },
      { address: distributor, contractaddress: oversized },
    ]) {
      assertSameRows(await requestResult("tokentx", { ...query, ...block, page: 2 }), all.slice(10_000));
      assertSameRows(await requestResult("tokentx", { ...query, ...block, page: 20, offset: 500 }), all.slice(9500, 10_000));
      await assertError("tokentx", { ...query, ...block, page: 21, offset: 500 }, WINDOW_TOO_LARGE);
      assert.equal((await requestResult("tokentx", { ...query, endblock: OVERSIZED_BLOCK - 1 })).length, 1800);
      assert.equal((await requestResult("tokentx", { ...query, startblock: OVERSIZED_BLOCK + 1 })).length, 1200);
    }
  });

  test("identical transfers of one transaction are equal rows", () => {
    const rows = getAllRows("tokentx", { contractaddress: oversized }).map((row) => JSON.stringify(row));
    assert.equal(rows.length, 13_500);
    assert.ok(new Set(rows).size <= 13_500 - 1500 - 420);
    const byHash = rows.map((row) => JSON.parse(row).hash);
    assert.ok(rows.some((row, i) => row === rows[i + 1] && byHash[i] === byHash[i + 1]));
  });

  test("works while the chain grows", async () => {
    const growing = createSampleService({ blocksPerRequest: 3 });
    const query = { address: deep, startblock: 21_000_060 };
    const before = getAllRows("txlist", { ...query, sort: "asc" }, growing);
    const { rows, requests } = await readByBlockRanges("txlist", query, growing);
    assert.equal(requests, 2);
    const omitConfirmations = ({ confirmations, ...row }) => row;
    assertSameRows(rows.slice(0, before.length).map(omitConfirmations), before.map(omitConfirmations));
    const after = getAllRows("txlist", query, growing);
    assert.equal(after.length, before.length + requests * 3 * 2);
    assert.deepEqual([after[0].blockNumber, after[0].confirmations], [String(HEAD + requests * 3), "0"]);
    assert.throws(() => createSampleService({ blocksPerRequest: -1 }), RangeError);
  });
});

describe("unprocessed internal transactions", () => {
  const LAST_PROCESSED_BLOCK = HEAD - 400;

  test("are omitted, with status 2", async () => {
    const { body } = await request("txlistinternal", { address: lagging });
    assert.deepEqual(
      [body.status, body.message],
      ["2", "Some internal transactions within this block range have not yet been processed"],
    );
    assert.ok(body.result.length > 20);
    assert.ok(body.result.every(({ blockNumber }) => Number(blockNumber) <= LAST_PROCESSED_BLOCK));
    assertSameRows(await requestResult("txlistinternal", { address: lagging, endblock: LAST_PROCESSED_BLOCK }), body.result);
    const empty = await request("txlistinternal", { address: lagging, startblock: LAST_PROCESSED_BLOCK + 1 });
    assert.deepEqual([empty.body.status, empty.body.result], ["2", []]);
    assert.equal((await request("txlistinternal")).body.status, "2");
  });

  test("give an empty list for one transaction", async () => {
    const [{ transaction_hash: txhash }] = shared.getAllItems(`/addresses/${lagging}/internal-transactions`);
    const { status, body } = await request("txlistinternal", { txhash });
    const message = "Internal transactions for this transaction have not been processed yet";
    assert.deepEqual([status, body], [200, { message, result: [], status: "2" }]);
  });
});

describe("balances", () => {
  const createService = () => createSampleService();
  const requestBalances = async (hashes, service) => requestResult("balancemulti", { address: hashes.join() }, service);
  const [stale, unfetched, stuck, whale, unused] = [
    "Stale balance",
    "Unknown balance",
    "Stuck balance",
    "Largest balance",
    "Fresh wallet",
  ].map(findAddress);

  test("of one address are a string, of several a list", async () => {
    const service = createService();
    assert.equal(await requestResult("balance", { address: hub }, service), "1234567890123456789012");
    assert.equal(await requestResult("balance", { address: whale }, service), String(2n ** 256n - 1n));
    assert.equal(await requestResult("balance", { address: unused }, service), "0");
    assert.equal(await requestResult("balance", { address: unfetched }, service), null);
    const two = await requestResult("balance", { address: `${hub},${whale}` }, service);
    assert.deepEqual(
      two.map((row) => Object.keys(row).sort()),
      [
        ["account", "balance", "stale"],
        ["account", "balance", "stale"],
      ],
    );
    assert.equal((await requestBalances([hub], service)).length, 1);
  });

  test("are distinct and ignore the order of the request, unknown addresses first", async () => {
    const addresses = [hub, whale, UNKNOWN_ADDRESS, hub.toLowerCase(), quiet, unused];
    const rows = await requestBalances(addresses, createService());
    assert.deepEqual(
      rows
        .slice(0, 2)
        .map(({ account }) => account)
        .sort(),
      [toLowerCase(UNKNOWN_ADDRESS), toLowerCase(unused)].sort(),
    );
    assert.deepEqual(rows.map(({ account }) => account).sort(), [...new Set(addresses.map(toLowerCase))].sort());
    assertSameRows(await requestBalances(addresses.toReversed(), createService()), rows);
  });

  test("are limited to twenty addresses, without an error", async () => {
    const twenty = Array.from({ length: 20 }, (_, i) => `0x${String(i).padStart(40, "0")}`);
    const rows = await requestBalances([...twenty, hub, INVALID], createService());
    assert.deepEqual(rows.map(({ account }) => account).sort(), twenty);
  });

  test("are stale in the first two responses", async () => {
    const service = createService();
    const observed = [];
    for (let i = 0; i < 4; i++)
      observed.push((await requestBalances([stale], service)).map(({ balance, stale }) => [balance, stale])[0]);
    const [storedBalance, currentBalance] = ["1000000000000000000", "2500000000000000000"];
    assert.deepEqual(observed, [
      [storedBalance, true],
      [storedBalance, true],
      [currentBalance, false],
      [currentBalance, false],
    ]);
    assert.deepEqual((await requestBalances([stale], createService()))[0].balance, storedBalance, "services do not share state");
  });

  test("can be unknown in the first response, or always stale", async () => {
    const service = createService();
    const observed = [];
    for (let i = 0; i < 5; i++) {
      const rows = new Map((await requestBalances([unfetched, stuck], service)).map((row) => [row.account, row]));
      observed.push([
        rows.get(toLowerCase(unfetched)).balance,
        rows.get(toLowerCase(unfetched)).stale,
        rows.get(toLowerCase(stuck)).stale,
      ]);
    }
    const laterState = ["77000000000000001", false, true];
    assert.deepEqual(observed, [[null, true, true], laterState, laterState, laterState, laterState]);
  });

  test("are not refreshed by getAllRows", async () => {
    const service = createService();
    const [rows] = Array.from({ length: 3 }, () => getAllRows("listaccounts", {}, service));
    assertSameRows(rows, await requestResult("listaccounts", { offset: 10_000 }, service));
    assert.equal((await requestBalances([stale], service))[0].stale, true);
  });
});

describe("eth_get_balance", () => {
  const requestBalance = (query, service) => request("eth_get_balance", query, service);
  const createResult = (result) => ({ jsonrpc: "2.0", result, id: 0 });
  const toHex = (value) => `0x${BigInt(value).toString(16)}`;
  const whale = findAddress("Largest balance");
  const stale = findAddress("Stale balance");

  test("responds in a JSON-RPC envelope", async () => {
    assert.deepEqual((await requestBalance({ address: hub })).body, createResult(toHex("1234567890123456789012")));
    assert.deepEqual(
      (await requestBalance({ address: hub, block: "latest" })).body,
      createResult(toHex("1234567890123456789012")),
    );
    assert.deepEqual((await requestBalance({ address: whale, block: "earliest" })).body, createResult(toHex(2n ** 256n - 1n)));
    assert.deepEqual(
      (await requestBalance({ address: stale, block: "pending" })).body,
      createResult(toHex("2500000000000000000")),
    );
  });

  test("returns the last balance at or before a block", async () => {
    const history = shared.getAllItems(`/addresses/${hub}/coin-balance-history`);
    const { block_number, value } = history[100];
    for (const block of [block_number, history[99].block_number - 1]) {
      assert.deepEqual((await requestBalance({ address: hub, block })).body, createResult(toHex(value)));
    }
  });

  test("has its own error statuses", async () => {
    const requestErrors = async (query) => {
      const errors = [];
      for (const backendVersion of [11, 12]) {
        const { status, body } = await requestBalance(query, services[backendVersion]);
        errors.push([status, body.jsonrpc, body.id, body.error.message ?? body.error, typeof body.error]);
      }
      return errors;
    };
    for (const [query, status, message] of [
      [{ address: INVALID }, 400, "Invalid address hash"],
      [{ address: INVALID, block: "0x10" }, 400, "Invalid block"],
      [{ address: hub, block: "newest" }, 400, "Invalid block"],
      [{ address: hub, block: "earliest" }, 404, "Balance not found"],
      [{ address: hub, block: "pending" }, 404, "Balance not found"],
      [{ address: hub, block: 5 }, 404, "Balance not found"],
      [{ address: UNKNOWN_ADDRESS }, 404, "Balance not found"],
    ]) {
      assert.deepEqual(await requestErrors(query), [
        [status, "2.0", 0, message, "string"],
        [status, "2.0", 0, message, "object"],
      ]);
    }
    const { status, body } = await requestBalance({});
    assert.deepEqual([status, body], [500, { message: "Something went wrong.", result: null, status: "0" }]);
  });
});

describe("version 8", () => {
  const service = services[8];

  test("lacks later actions, members and the filter by value", async () => {
    for (const action of ["token1155tx", "token404tx"]) {
      const { status, body } = await request(action, { address: hub }, service);
      assert.deepEqual([status, body.message], [400, "Unknown action"]);
    }
    assert.ok(!("methodId" in (await requestResult("txlist", { address: deep, offset: 1 }, service))[0]));
    assert.ok((await requestResult("txlistinternal", { address: hub }, service)).some(({ value }) => value === "0"));
    assert.equal((await request("txlistinternal", { address: lagging }, service)).body.status, "1");
  });
});

describe("the data", () => {
  test("depend only on the seed", async () => {
    const again = createSampleService();
    const other = createSampleService({ seed: 2 });
    for (const [action, query] of [
      ["listaccounts", { offset: "50" }],
      ["tokentx", { contractaddress: oversized, offset: "50" }],
    ]) {
      assertSameRows(await requestResult(action, query, again), await requestResult(action, query, createSampleService()));
    }
    const otherDeep = other.addresses.find(({ label }) => label === "Exchange hot wallet").hash;
    const denseRange = { startblock: 19_000_000, endblock: 19_000_999 };
    assert.equal(getAllRows("txlist", { address: otherDeep, ...denseRange }, other).length, 4000);
    assert.notEqual(otherDeep, deep);
  });

  test("are the same over HTTP", async () => {
    const server = await startSampleServer();
    try {
      const query = `action=txlist&address=${hub}&filter_by=from`;
      const { result } = await (await fetch(`${server.url}/api?module=account&${query}`)).json();
      assertSameRows(await (await fetch(`${server.url}/v11/_sample/all-rows?${query}`)).json(), result);
      const posted = await fetch(`${server.url}/api`, { method: "POST", body: new URLSearchParams(`module=account&${query}`) });
      assertSameRows((await posted.json()).result, result);
    } finally {
      await server.close();
    }
  });
});
