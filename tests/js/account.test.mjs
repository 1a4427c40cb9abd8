// The account module: requests and results of each action, validation of parameters, responses, and batches of balances.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { AddressClient } from "../../pkg/index.js";
import { createSampleService } from "../../pkg/testing/index.js";
import { createAccount, createAddressFinder, assertRows } from "./account-rows.mjs";
import { BASE, HASH, createDeferred, createFetch, expectError, flushTasks, neverRespond } from "./support.mjs";

const TIMEOUT = { timeout: 120_000 };
const shared = createSampleService();
const findAddress = createAddressFinder(shared);
const [hub, deep, oversized, producer, whale, stale, unfetched, stuck] = [
  "Busy smart account",
  "Exchange hot wallet",
  "Token with an oversized block",
  "Validator",
  "Largest balance",
  "Stale balance",
  "Unknown balance",
  "Stuck balance",
].map(findAddress);
const TRANSACTION = `0x${"12".repeat(32)}`;
const UNUSED_ADDRESS = `0x${"5a".repeat(20)}`;

const createUrl = (action, query) => `${BASE}/api?module=account&action=${action}${query && `&${query}`}`;
const createAccountWithFetch = (fetch, options) =>
  new AddressClient({ baseUrl: BASE, fetch, maxAttempts: 1, ...options }).account;
const createBody = (status, message, result) => JSON.stringify({ message, result, status });
const numberedAddress = (i) => `0x${String(i).padStart(40, "0")}`;
const parseQuery = (url) => Object.fromEntries(new URL(url).searchParams);
const parseAddresses = (url) => parseQuery(url).address.split(",");

/** Responds to `balancemulti`: the balance of each address is its last digits, and the order is reversed. */
const respondWithBalances = ({ url }) => {
  const result = parseAddresses(url).map((account) => ({ account, balance: String(Number(account.slice(-3))), stale: false }));
  return new Response(createBody("1", "OK", result.reverse()));
};

describe("an action that returns rows", TIMEOUT, () => {
  for (const [method, action, params, query, nulls] of [
    [
      "txList",
      "txlist",
      { address: deep, page: 2, offset: 500, sort: "asc" },
      `address=${deep}&sort=asc&page=2&offset=500`,
      ["to", "contractAddress", "gasPrice"],
    ],
    ["pendingTxList", "pendingtxlist", { address: hub }, `address=${hub}`, ["gasUsed", "cumulativeGasUsed", "contractAddress"]],
    [
      "txListInternal",
      "txlistinternal",
      { address: hub, include_zero_value: true },
      `address=${hub}&include_zero_value=true`,
      ["to", "contractAddress", "input"],
    ],
    ["tokenTx", "tokentx", { address: hub, page: 1, offset: 300 }, `address=${hub}&page=1&offset=300`, ["methodId"]],
    ["tokenNftTx", "tokennfttx", { address: hub }, `address=${hub}`, ["tokenDecimal"]],
    ["token1155Tx", "token1155tx", { address: hub }, `address=${hub}`, ["tokenSymbol"]],
    ["token404Tx", "token404tx", { address: hub }, `address=${hub}`, ["tokenID", "value"]],
    ["tokenTx", "tokentx", { contractaddress: oversized, address: hub }, `address=${hub}&contractaddress=${oversized}`, []],
    ["tokenList", "tokenlist", { address: hub }, `address=${hub}`, ["id", "decimals"]],
    ["getMinedBlocks", "getminedblocks", { address: producer, page: 3, offset: 20 }, `address=${producer}&page=3&offset=20`, []],
    ["listAccounts", "listaccounts", { page: 2, offset: 100 }, "page=2&offset=100", ["balance"]],
    ["listAccounts", "listaccounts", undefined, "", []],
  ]) {
    test(`${method} ${query}`, async () => {
      const { account, urls } = createAccount(shared);
      const { page = 1, offset = action === "listaccounts" ? 10 : 10_000, ...filters } = params ?? {};
      // Before the call, which can refresh an account.
      const allRows = shared.getAllRows(
        action,
        Object.fromEntries(Object.entries(filters).map(([name, value]) => [name, String(value)])),
      );
      const result = await account[method](params);
      assert.deepEqual(urls, [createUrl(action, query)]);
      assert.deepEqual(Object.keys(result).sort(), ["incomplete", "items", "message", "omitted"]);
      assert.deepEqual([result.incomplete, result.message], [false, null]);
      const expected = allRows.slice((page - 1) * offset, page * offset).map((row) => {
        if (action === "tokenlist") return { id: null, ...row };
        if (action === "getminedblocks") return { ...row, timestamp: row.timeStamp.replace(" ", "T") };
        return row;
      });
      assertRows(result.items, expected);
      assert.ok(expected.length > 0 || params.contractaddress, "no rows");
      for (const name of nulls)
        assert.ok(
          result.items.some((row) => row[name] === null),
          `${name} is never null`,
        );
      assert.deepEqual(structuredClone(result), result);
      assert.deepEqual(JSON.parse(JSON.stringify(result)), result);
    });
  }

  test("sends all parameters except those that are null or undefined", async () => {
    const empty = createBody("0", "No transactions found", []);
    const fetch = createFetch(empty, empty, empty);
    const account = createAccountWithFetch(fetch);
    await account.txList({
      address: HASH,
      sort: "desc",
      startblock: 0,
      endblock: 2_147_483_647,
      page: 100,
      offset: 100,
      filter_by: "from",
      start_timestamp: 5,
      end_timestamp: 5,
    });
    await account.txListInternal({ txhash: TRANSACTION, address: undefined, sort: null });
    await account.txListInternal();
    assert.deepEqual(fetch.urls(), [
      createUrl(
        "txlist",
        `address=${HASH}&sort=desc&startblock=0&endblock=2147483647&page=100&offset=100&filter_by=from&start_timestamp=5&end_timestamp=5`,
      ),
      createUrl("txlistinternal", `txhash=${TRANSACTION}`),
      createUrl("txlistinternal", ""),
    ]);
  });

  test("returns undocumented fields only with keepExtra", async () => {
    const body = createBody("1", "OK", [{ address: HASH, balance: "1", stale: false, new: [1] }]);
    assert.deepEqual((await createAccountWithFetch(createFetch(body)).listAccounts()).items, [
      { address: HASH, balance: "1", stale: false },
    ]);
    const [{ extra }] = (await createAccountWithFetch(createFetch(body), { keepExtra: true }).listAccounts()).items;
    assert.deepEqual(extra, { new: [1] });
  });
});

describe("an action that returns a value", TIMEOUT, () => {
  test("returns balances as strings, and null for an unknown balance", async () => {
    const service = createSampleService();
    const { account, urls } = createAccount(service);
    assert.equal(await account.balance({ address: whale }), String(2n ** 256n - 1n));
    assert.deepEqual(
      [await account.balance({ address: unfetched }), await account.balance({ address: unfetched })],
      [null, "77000000000000001"],
    );
    assert.deepEqual(
      urls,
      [whale, unfetched, unfetched].map((address) => createUrl("balance", `address=${address}`)),
    );
  });

  test("returns the hex string of eth_getBalance, at a block", async () => {
    const { account, urls } = createAccount(shared);
    assert.equal(BigInt(await account.ethGetBalance({ address: hub })), 1_234_567_890_123_456_789_012n);
    for (const block of [0, "7", "earliest"])
      assert.equal(await account.ethGetBalance({ address: whale, block }), `0x${"f".repeat(64)}`);
    assert.deepEqual(
      urls.map((url) => parseQuery(url).block),
      [undefined, "0", "7", "earliest"],
    );
    assert.ok(urls[1].startsWith(createUrl("eth_get_balance", `address=${whale}`)));
  });

  test("returns the balance of a token", async () => {
    const { account, urls } = createAccount(shared);
    const { items } = await account.tokenList({ address: hub });
    const { contractAddress: contractaddress, balance } = items.find(({ type }) => type === "ERC-20");
    assert.equal(await account.tokenBalance({ contractaddress, address: hub }), balance);
    assert.equal(await account.tokenBalance({ contractaddress, address: UNUSED_ADDRESS }), "0");
    assert.equal(urls[1], createUrl("tokenbalance", `contractaddress=${contractaddress}&address=${hub}`));
  });
});

describe("invalid parameters are rejected before anything is sent", TIMEOUT, () => {
  // The rules of the parameters are tested in tests/native/account/requests.rs.
  const cases = [
    ["txList", { address: undefined }, "address", "is required"],
    ["txList", { end_timestamp: new Date(0) }, "end_timestamp", "must be a Unix time in seconds"],
    ["tokenBalance", { contractaddress: HASH, address: "0x12" }, "address", "must be an address hash"],
    ["txListInternal", { include_zero_value: "yes" }, "include_zero_value", "must be true or false"],
    ["ethGetBalance", { block: -1 }, "block", 'must be a block number, "latest", "earliest" or "pending"'],
    ["getMinedBlocks", { page: 1.5, offset: 1 }, "page", "must be a page number"],
    ["listAccounts", {}, "address", "is not a parameter of listAccounts"],
  ];
  const ranges = ["txList", "txListInternal", "tokenTx", "tokenNftTx", "token1155Tx", "token404Tx"];
  for (const method of ranges) {
    cases.push([method, { startblock: -1 }, "startblock", "must be a block number from 0 to 2147483647"]);
    cases.push([method, { sort: "up" }, "sort", 'must be "asc" or "desc"']);
  }
  for (const method of [...ranges, "ethGetBalance", "balance", "pendingTxList", "tokenList", "getMinedBlocks"]) {
    cases.push([method, { address: "0x12" }, "address", "must be an address hash"]);
  }
  for (const method of new Set(cases.map(([method]) => method))) {
    test(method, async () => {
      const fetch = createFetch();
      const unknown = [method, { address: undefined, adress: HASH }, "adress", `is not a parameter of ${method}`];
      for (const [, params, parameter, rule] of [unknown, ...cases.filter(([name]) => name === method)]) {
        const call = createAccountWithFetch(fetch)[method]({ address: HASH, ...params });
        const error = await expectError(call, "invalid_parameter", { parameter });
        assert.ok(error.message.includes(rule), error.message);
      }
      for (const params of ["text", [HASH]])
        await expectError(createAccountWithFetch(fetch)[method](params), "invalid_parameter", { parameter: "params" });
      assert.equal(fetch.requests.length, 0);
    });
  }

  test("invalid options are rejected too", async () => {
    const fetch = createFetch();
    const account = createAccountWithFetch(fetch);
    for (const [options, parameter, rule] of [
      [{ timeoutMs: 0 }, "timeoutMs", "must be a number of milliseconds"],
      [{ resume: "x" }, "resume", "unknown option; valid options are signal, timeoutMs"],
      [{ signal: {} }, "signal", "must be an AbortSignal"],
      ["text", "options", "must be an object"],
    ]) {
      for (const call of [
        () => account.txList({ address: HASH }, options),
        () => account.balance({ address: HASH }, options),
        () => account.balanceMulti({ address: HASH }, options),
      ]) {
        const error = await expectError(call(), "invalid_parameter", { parameter });
        assert.ok(error.message.includes(rule), error.message);
      }
    }
    for (const [options, parameter, rule] of [
      [{ until: "later" }, "until", 'must be "fresh"'],
      [{ until: true }, "until", 'must be "fresh"'],
      [{ until: "fresh", freshWithinMs: 0 }, "freshWithinMs", "must be a number of milliseconds"],
      [
        { deadline: 1 },
        "deadline",
        "unknown option; valid options are signal, timeoutMs, deadlineMs, maxAttempts, maxWaitMs, until, freshWithinMs",
      ],
    ]) {
      const error = await expectError(account.balanceMulti({ address: HASH }, options), "invalid_parameter", { parameter });
      assert.ok(error.message.includes(rule), error.message);
    }
    await expectError(account.txList({ address: HASH }, { until: "fresh" }), "invalid_parameter", { parameter: "until" });
    assert.equal(fetch.requests.length, 0);
  });
});

describe("a response", TIMEOUT, () => {
  const read = (body, status = 200) =>
    createAccountWithFetch(createFetch(() => new Response(body, { status }))).txList({ address: HASH });

  test("without rows is an empty result", async () => {
    const empty = { items: [], incomplete: false, message: null, omitted: { count: 0, first: [] } };
    assert.deepEqual(await read(createBody("0", "No transactions found", [])), empty);
    for (const method of [
      "txList",
      "pendingTxList",
      "txListInternal",
      "tokenTx",
      "tokenNftTx",
      "token1155Tx",
      "token404Tx",
      "tokenList",
      "getMinedBlocks",
    ]) {
      const { account } = createAccount(shared);
      assert.deepEqual(await account[method]({ address: UNUSED_ADDRESS }), empty, method);
    }
  });

  test("without a result rejects with code refused and the service's message", async () => {
    for (const result of [null, undefined, ""]) {
      const error = await expectError(read(createBody("0", 'Invalid "address" format', result)), "refused");
      assert.ok(error.message.includes('Invalid "address" format'), error.message);
      assert.equal(error.url, createUrl("txlist", `address=${HASH}`));
    }
    const balance = createAccountWithFetch(createFetch(createBody("0", "Invalid address hash", null))).balance({ address: HASH });
    await expectError(balance, "refused", { status: 200 });
  });

  test("with an error status rejects with the message of its body, whatever its format", async () => {
    for (const [status, body] of [
      [400, createBody("0", "Unknown action", null)],
      [404, '{"message":"Unknown action"}'],
      [500, '"Unknown action"'],
    ]) {
      const error = await expectError(read(body, status), "http_status", { status });
      assert.ok(error.message.includes("Unknown action"), error.message);
    }
    await expectError(createAccount(shared).account.txList({ address: findAddress("Overloaded address") }), "http_status", {
      status: 500,
    });
    await expectError(
      createAccount(createSampleService({ backendVersion: 8 })).account.token404Tx({ address: hub }),
      "unsupported_version",
      { status: 400 },
    );
  });

  test("of an Ethereum node with an error rejects with its message", async () => {
    for (const backendVersion of [11, 12]) {
      const { account } = createAccount(createSampleService({ backendVersion }));
      const error = await expectError(account.ethGetBalance({ address: UNUSED_ADDRESS }), "http_status", { status: 404 });
      assert.ok(error.message.includes("Balance not found"), error.message);
    }
  });

  test("with status 2 is an incomplete result", async () => {
    const { account } = createAccount(shared);
    const address = findAddress("Unprocessed calls");
    const { items, incomplete, message } = await account.txListInternal({ address });
    assertRows(items, shared.getAllRows("txlistinternal", { address }));
    assert.deepEqual(
      [incomplete, message],
      [true, "Some internal transactions within this block range have not yet been processed"],
    );
    assert.deepEqual(await read(createBody("2", "soon", [])), {
      items: [],
      incomplete: true,
      message: "soon",
      omitted: { count: 0, first: [] },
    });
  });

  test("with the maximum number of rows is an incomplete result", async () => {
    const { account } = createAccount(shared);
    const { items, incomplete, message } = await account.tokenTx({ contractaddress: oversized });
    const expected = "the service returns at most 10000 rows, so that more may exist; all() reads them";
    assert.deepEqual([items.length, incomplete, message], [10_000, true, expected]);
    const page = await account.tokenTx({ contractaddress: oversized, page: 1, offset: 5_000 });
    assert.deepEqual([page.items.length, page.incomplete, page.message], [5_000, false, null]);
  });

  test("that reports too many requests rejects with rate_limited, whatever its status", async () => {
    const { account, urls } = createAccount(createSampleService());
    const address = findAddress("Rate-limited address");
    const first = await expectError(account.balance({ address }), "rate_limited", { status: 429, retryAfterMs: 40 });
    const second = await expectError(account.balance({ address }), "rate_limited", { status: 200 });
    for (const { message } of [first, second]) assert.ok(message.includes("Too many requests"), message);
    assert.equal(await account.balance({ address }), "7000000000000000000");
    assert.equal(urls.length, 3);
  });

  test("that does not match the documentation rejects with code decode", async () => {
    await expectError(read(createBody("1", "OK", [{ blockNumber: "x" }])), "decode");
    await expectError(read('{"message":"OK","result":[{'), "decode");
    await expectError(read("<html>"), "decode");
  });

  test("that is late, or whose call is aborted, cancels the request", async () => {
    for (const call of ["txList", "balance", "balanceMulti"]) {
      const fetch = createFetch(neverRespond, neverRespond);
      const account = createAccountWithFetch(fetch);
      await expectError(account[call]({ address: HASH }, { timeoutMs: 1 }), "timeout");
      const controller = new AbortController();
      const outcome = expectError(account[call]({ address: HASH }, { signal: controller.signal }), "aborted", {
        cause: "enough",
      });
      await fetch.sent(2);
      controller.abort("enough");
      await outcome;
      assert.deepEqual(
        fetch.requests.map(({ signal }) => signal.aborted),
        [true, true],
        call,
      );
      await expectError(account[call]({ address: HASH }, { signal: controller.signal }), "aborted", { cause: "enough" });
    }
  });
});

describe("balance()", TIMEOUT, () => {
  test("calls of one tick are sent as one request, whatever the order and letter case of the addresses", async () => {
    const fetch = createFetch(respondWithBalances, respondWithBalances);
    const account = createAccountWithFetch(fetch);
    const upper = `0x${"AB".repeat(18)}0003`;
    const addresses = [numberedAddress(2), numberedAddress(1), numberedAddress(2), upper, upper.toLowerCase()];
    assert.deepEqual(await Promise.all(addresses.map((address) => account.balance({ address }))), ["2", "1", "2", "3", "3"]);
    assert.equal(fetch.requests.length, 1);
    assert.equal(parseQuery(fetch.urls()[0]).action, "balancemulti");
    assert.deepEqual(
      parseAddresses(fetch.urls()[0]).sort(),
      [numberedAddress(1), numberedAddress(2), upper.toLowerCase()].sort(),
    );
    await Promise.all([1, 2].map((i) => account.balance({ address: numberedAddress(i) })));
    assert.equal(fetch.requests.length, 2, "the next tick");
  });

  test("calls for 45 addresses are sent as 3 requests", async () => {
    const fetch = createFetch(respondWithBalances, respondWithBalances, respondWithBalances);
    const addresses = Array.from({ length: 45 }, (_, i) => numberedAddress(i));
    const account = createAccountWithFetch(fetch);
    const balances = await Promise.all(addresses.map((address) => account.balance({ address })));
    assert.deepEqual(
      balances,
      addresses.map((_, i) => String(i)),
    );
    assert.deepEqual(
      fetch.urls().map((url) => parseAddresses(url).length),
      [20, 20, 5],
    );
  });

  test("an invalid address rejects only its own call", async () => {
    const fetch = createFetch(respondWithBalances);
    const account = createAccountWithFetch(fetch);
    const upperCasePrefix = HASH.replace("0x", "0X");
    const rejected = ["0x12", undefined, 5, `${HASH},${HASH}`, upperCasePrefix, [HASH], new String(HASH)].map((address) =>
      expectError(account.balance({ address }), "invalid_parameter", { parameter: "address" }),
    );
    assert.deepEqual(await Promise.all([1, 2].map((i) => account.balance({ address: numberedAddress(i) }))), ["1", "2"]);
    await Promise.all(rejected);
    assert.equal(fetch.requests.length, 1);
  });

  test("after a refused batch each address is requested separately", async () => {
    const refusal = createBody("0", "Invalid address hash", null);
    const respondToSingle = ({ url }) =>
      new Response(parseAddresses(url)[0] === numberedAddress(2) ? refusal : createBody("1", "OK", "7"));
    const fetch = createFetch(refusal, respondToSingle, respondToSingle);
    const account = createAccountWithFetch(fetch);
    const [good, bad] = [
      account.balance({ address: numberedAddress(1) }),
      expectError(account.balance({ address: numberedAddress(2) }), "refused"),
    ];
    assert.equal(await good, "7");
    await bad;
    assert.deepEqual(
      fetch.urls().map((url) => parseQuery(url).action),
      ["balancemulti", "balance", "balance"],
    );
  });

  test("another failure of a batch rejects all its calls", async () => {
    const fetch = createFetch(() => new Response("", { status: 503 }));
    const account = createAccountWithFetch(fetch);
    await Promise.all(
      [1, 2].map((i) => expectError(account.balance({ address: numberedAddress(i) }), "http_status", { status: 503 })),
    );
    assert.equal(fetch.requests.length, 1);
  });

  test("the abort of one call does not cancel the request of the others", async () => {
    const controller = new AbortController();
    const gate = createDeferred();
    const fetch = createFetch((request) => gate.promise.then(() => respondWithBalances(request)));
    const account = createAccountWithFetch(fetch);
    const aborted = expectError(account.balance({ address: numberedAddress(1) }, { signal: controller.signal }), "aborted", {
      cause: "mine",
    });
    const others = [2, 3].map((i) => account.balance({ address: numberedAddress(i) }, { signal: new AbortController().signal }));
    await fetch.sent(1);
    controller.abort("mine");
    await aborted;
    assert.equal(fetch.requests[0].signal.aborted, false);
    gate.resolve();
    assert.deepEqual(await Promise.all(others), ["2", "3"]);
  });

  test("the abort of all calls cancels the request", async () => {
    const controllers = [1, 2].map(() => new AbortController());
    const fetch = createFetch(neverRespond);
    const account = createAccountWithFetch(fetch, { maxAttempts: 5 });
    const outcomes = controllers.map(({ signal }, i) =>
      expectError(account.balance({ address: numberedAddress(i) }, { signal }), "aborted"),
    );
    const request = await fetch.sent(1);
    controllers[0].abort();
    await flushTasks();
    assert.equal(request.signal.aborted, false);
    controllers[1].abort();
    await Promise.all(outcomes);
    await flushTasks();
    assert.deepEqual([request.signal.aborted, fetch.requests.length], [true, 1]);
  });

  test("the abort of all calls of a batch does not affect calls later in the tick", async () => {
    const controller = new AbortController();
    const fetch = createFetch(respondWithBalances);
    const account = createAccountWithFetch(fetch);
    const first = expectError(account.balance({ address: numberedAddress(1) }, { signal: controller.signal }), "aborted");
    controller.abort();
    const others = [2, 3].map((i) => account.balance({ address: numberedAddress(i) }));
    await first;
    assert.deepEqual(await Promise.all(others), ["2", "3"]);
  });

  test("an aborted call rejects once, whatever the outcome of the request", async () => {
    // An unhandled rejection would end this process.
    for (const respond of [
      (request) => Promise.resolve(respondWithBalances(request)),
      () => Promise.reject(new Error("gone")),
      () => new Response(createBody("0", "no", null)),
    ]) {
      const controller = new AbortController();
      const gate = createDeferred();
      const respondToSingle = () => new Response(createBody("0", "no", null));
      const fetch = createFetch((request) => gate.promise.then(() => respond(request)), respondToSingle);
      const account = createAccountWithFetch(fetch);
      const aborted = expectError(account.balance({ address: numberedAddress(1) }, { signal: controller.signal }), "aborted");
      const other = account.balance({ address: numberedAddress(2) }).catch((error) => error.code);
      await fetch.sent(1);
      controller.abort();
      gate.resolve();
      await aborted;
      assert.ok(["2", "network", "refused"].includes(await other));
    }
  });

  test("a call that is aborted within the tick sends nothing", async () => {
    const fetch = createFetch(
      respondWithBalances,
      ({ url }) => new Response(createBody("1", "OK", String(Number(parseAddresses(url)[0].slice(-3))))),
    );
    const account = createAccountWithFetch(fetch);
    const callAndAbort = (i) => {
      const controller = new AbortController();
      const outcome = expectError(account.balance({ address: numberedAddress(i) }, { signal: controller.signal }), "aborted");
      controller.abort();
      return outcome;
    };
    await callAndAbort(1);
    await flushTasks();
    assert.equal(fetch.requests.length, 0);
    const others = [2, 3].map((i) => account.balance({ address: numberedAddress(i) }));
    await callAndAbort(1);
    assert.deepEqual(await Promise.all(others), ["2", "3"]);
    assert.deepEqual(parseAddresses(fetch.urls()[0]), [numberedAddress(2), numberedAddress(3)]);
    const last = account.balance({ address: numberedAddress(4) });
    await callAndAbort(1);
    assert.equal(await last, "4");
    assert.equal(parseQuery(fetch.urls()[1]).action, "balance");
  });

  test("calls with options, and calls with batchBalances: false, are sent separately", async () => {
    const respond = () => new Response(createBody("1", "OK", "7"));
    const fetch = createFetch(respond, respond, respond, respond);
    const account = createAccountWithFetch(fetch);
    await Promise.all([
      account.balance({ address: numberedAddress(1) }, { timeoutMs: 5000 }),
      account.balance({ address: numberedAddress(2) }, {}),
    ]);
    const separate = createAccountWithFetch(fetch, { batchBalances: false });
    await Promise.all([1, 2].map((i) => separate.balance({ address: numberedAddress(i) })));
    assert.deepEqual(
      fetch.urls().map((url) => parseQuery(url).action),
      Array(4).fill("balance"),
    );
  });
});

describe("balanceMulti()", TIMEOUT, () => {
  test("keeps the order, letter case and duplicates of addresses, and returns null for an unknown balance", async () => {
    const { account, urls } = createAccount(createSampleService());
    const lower = hub.toLowerCase();
    const address = [whale, hub, unfetched, lower, whale];
    const balances = await account.balanceMulti({ address });
    const rich = "1234567890123456789012";
    const most = String(2n ** 256n - 1n);
    assert.deepEqual(balances, [
      { account: whale, balance: most, stale: false },
      { account: hub, balance: rich, stale: false },
      { account: unfetched, balance: null, stale: true },
      { account: lower, balance: rich, stale: false },
      { account: whale, balance: most, stale: false },
    ]);
    assert.deepEqual(
      urls.map((url) => parseAddresses(url).length),
      [3],
    );
    assert.equal(parseQuery(urls[0]).action, "balancemulti");
    assert.deepEqual(structuredClone(balances), balances);
    assert.deepEqual(await account.balanceMulti({ address: `${whale},${hub}` }), balances.slice(0, 2));
  });

  test("accepts any number of addresses", async () => {
    const { account, urls } = createAccount(shared);
    const address = Array.from({ length: 101 }, (_, i) => numberedAddress(i));
    assert.deepEqual(
      (await account.balanceMulti({ address })).map(({ account }) => account),
      address,
    );
    assert.deepEqual(
      urls.map((url) => parseAddresses(url).length),
      [20, 20, 20, 20, 20, 1],
    );
  });

  test("an address that is missing in the response has a null balance", async () => {
    const [row] = await createAccountWithFetch(createFetch(createBody("1", "OK", []))).balanceMulti({ address: [HASH] });
    assert.deepEqual(row, { account: HASH, balance: null, stale: false });
  });

  test("invalid parameters are named", async () => {
    const fetch = createFetch();
    const account = createAccountWithFetch(fetch);
    for (const [params, parameter, rule] of [
      [{ address: [HASH, "0x12"] }, "address[1]", "must be an address hash"],
      [{ address: `${HASH},${HASH},` }, "address[2]", "must be an address hash"],
      [{ address: [] }, "address", "must contain at least one address"],
      [{ address: [1] }, "address", "must be address hashes"],
      [{ address: 5 }, "address", "must be address hashes"],
      [{}, "address", "is required"],
      [undefined, "address", "is required"],
      [{ address: HASH, page: 1 }, "page", "is not a parameter of balanceMulti"],
    ]) {
      const error = await expectError(account.balanceMulti(params), "invalid_parameter", { parameter });
      assert.ok(error.message.includes(rule), error.message);
    }
    assert.equal(fetch.requests.length, 0);
  });

  test("later changes of the parameters have no effect", async () => {
    const fetch = createFetch(respondWithBalances);
    const address = [numberedAddress(1)];
    const balances = createAccountWithFetch(fetch).balanceMulti({ address });
    address[0] = numberedAddress(2);
    assert.deepEqual(
      (await balances).map(({ balance }) => balance),
      ["1"],
    );
  });
});

describe("balanceMulti() until fresh", TIMEOUT, () => {
  /** Replaces the timers, so that the test controls the time. */
  const stopClock = (t) => t.mock.timers.enable({ apis: ["setTimeout", "Date"] });

  /** Waits until due requests have responses, without advancing the time. Checks their number. */
  const waitForRequests = async (t, urls, count) => {
    for (let i = 0; i < 50; i++) {
      await flushTasks();
      t.mock.timers.tick(0);
    }
    assert.equal(urls.length, count);
  };

  /** Calls balanceMulti until fresh, and advances the time by these pauses. Checks that each is followed by one request. */
  async function readUntilFresh(t, { address, freshWithinMs, pauses }) {
    stopClock(t);
    const { account, urls } = createAccount(createSampleService());
    const outcome = account.balanceMulti({ address }, { until: "fresh", ...(freshWithinMs && { freshWithinMs }) });
    await waitForRequests(t, urls, 1);
    for (const [i, pause] of pauses.entries()) {
      t.mock.timers.tick(pause - 1);
      await waitForRequests(t, urls, i + 1);
      t.mock.timers.tick(1);
      await waitForRequests(t, urls, i + 2);
    }
    return { balances: await outcome, requested: urls.map(parseAddresses) };
  }

  test("requests stale balances again, with growing pauses", async (t) => {
    const { balances, requested } = await readUntilFresh(t, { address: [hub, stale, unfetched], pauses: [1000, 2000] });
    assert.deepEqual(
      balances.map(({ balance, stale }) => [balance, stale]),
      [
        ["1234567890123456789012", false],
        ["2500000000000000000", false],
        ["77000000000000001", false],
      ],
    );
    assert.deepEqual(
      requested.map((addresses) => addresses.length),
      [3, 2, 1],
    );
    assert.deepEqual(requested[2], [stale.toLowerCase()]);
  });

  test("marks balances that are still stale at the deadline", async (t) => {
    const { balances } = await readUntilFresh(t, { address: [stuck, hub], freshWithinMs: 4500, pauses: [1000, 2000, 1500] });
    assert.deepEqual(
      balances.map(({ stale }) => stale),
      [true, false],
    );
    assert.equal(balances[0].balance, "5000000000000000000");
  });

  test("sends one request if all balances are fresh, or without the option", async (t) => {
    assert.equal((await readUntilFresh(t, { address: [hub], pauses: [] })).requested.length, 1);
    const { account, urls } = createAccount(createSampleService());
    const balances = account.balanceMulti({ address: stuck });
    await waitForRequests(t, urls, 1);
    assert.equal((await balances)[0].stale, true);
  });

  test("can be aborted during a pause", async (t) => {
    stopClock(t);
    const controller = new AbortController();
    const { account, urls } = createAccount(createSampleService());
    const outcome = expectError(
      account.balanceMulti({ address: stuck }, { until: "fresh", signal: controller.signal }),
      "aborted",
      { cause: "enough" },
    );
    await waitForRequests(t, urls, 1);
    controller.abort("enough");
    await outcome;
    t.mock.timers.tick(60_000);
    await waitForRequests(t, urls, 1);
  });
});
