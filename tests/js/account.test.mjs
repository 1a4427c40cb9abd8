// The account module: each action asked once, the rules that are kept before anything is sent, what answers mean, and
// balances of many addresses.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { AddressClient } from "../../pkg/index.js";
import { createSampleService } from "../../pkg/testing/index.js";
import { accountOf, addressesOf, assertRows } from "./rows.mjs";
import { BASE, HASH, deferred, failure, hang, scripted, settle } from "./support.mjs";

const LIMIT = { timeout: 20_000 };
const shared = createSampleService();
const at = addressesOf(shared);
const [hub, deep, crowded, producer, whale, stale, unfetched, stuck] = [
  "Busy smart account", "Deep history", "Token with an oversized block", "Block producer", "Largest balance", "Stale balance", "Unknown balance", "Stuck balance",
].map(at);
const TRANSACTION = `0x${"12".repeat(32)}`;
const STRANGER = `0x${"5a".repeat(20)}`;

const urlOf = (action, query) => `${BASE}/api?module=account&action=${action}${query && `&${query}`}`;
const accountWith = (fetch, options) => new AddressClient({ baseUrl: BASE, fetch, maxAttempts: 1, ...options }).account;
const answer = (status, message, result) => JSON.stringify({ message, result, status });
const numbered = (i) => `0x${String(i).padStart(40, "0")}`;
const queryOf = (url) => Object.fromEntries(new URL(url).searchParams);
const askedFor = (url) => queryOf(url).address.split(",");

/** A balance for each address that is asked for, made of its last digits, in another order. */
const multi = ({ url }) => {
  const result = askedFor(url).map((account) => ({ account, balance: String(Number(account.slice(-3))), stale: false }));
  return new Response(answer("1", "OK", result.reverse()));
};

describe("an action with rows", LIMIT, () => {
  for (const [method, action, params, query, nulls] of [
    ["txList", "txlist", { address: deep, page: 2, offset: 500, sort: "asc" }, `address=${deep}&sort=asc&page=2&offset=500`, ["to", "contractAddress", "gasPrice"]],
    ["pendingTxList", "pendingtxlist", { address: hub }, `address=${hub}`, ["gasUsed", "cumulativeGasUsed", "contractAddress"]],
    ["txListInternal", "txlistinternal", { address: hub, include_zero_value: true }, `address=${hub}&include_zero_value=true`, ["to", "contractAddress", "input"]],
    ["tokenTx", "tokentx", { address: hub, page: 1, offset: 300 }, `address=${hub}&page=1&offset=300`, ["methodId"]],
    ["tokenNftTx", "tokennfttx", { address: hub }, `address=${hub}`, ["tokenDecimal"]],
    ["token1155Tx", "token1155tx", { address: hub }, `address=${hub}`, ["tokenSymbol"]],
    ["token404Tx", "token404tx", { address: hub }, `address=${hub}`, ["tokenID", "value"]],
    ["tokenTx", "tokentx", { contractaddress: crowded, address: hub }, `address=${hub}&contractaddress=${crowded}`, []],
    ["tokenList", "tokenlist", { address: hub }, `address=${hub}`, ["id", "decimals"]],
    ["getMinedBlocks", "getminedblocks", { address: producer, page: 3, offset: 20 }, `address=${producer}&page=3&offset=20`, []],
    ["listAccounts", "listaccounts", { page: 2, offset: 100 }, "page=2&offset=100", ["balance"]],
    ["listAccounts", "listaccounts", undefined, "", []],
  ]) {
    test(`${method} ${query}`, async () => {
      const { account, urls } = accountOf(shared);
      const { page = 1, offset = action === "listaccounts" ? 10 : 10_000, ...filters } = params ?? {};
      // Asked first: an account that was asked for may be fresh afterwards.
      const truth = shared.getAllRows(action, Object.fromEntries(Object.entries(filters).map(([name, value]) => [name, String(value)])));
      const answer = await account[method](params);
      assert.deepEqual(urls, [urlOf(action, query)]);
      assert.deepEqual(Object.keys(answer).sort(), ["incomplete", "items", "message"]);
      assert.deepEqual([answer.incomplete, answer.message], [false, null]);
      const wanted = truth.slice((page - 1) * offset, page * offset).map((row) => {
        if (action === "tokenlist") return { id: null, ...row };
        if (action === "getminedblocks") return { ...row, timestamp: row.timeStamp.replace(" ", "T") };
        return row;
      });
      assertRows(answer.items, wanted);
      assert.ok(wanted.length > 0 || params.contractaddress, "rows");
      for (const name of nulls) assert.ok(answer.items.some((row) => row[name] === null), `${name} is never null`);
      assert.deepEqual(structuredClone(answer), answer);
      assert.deepEqual(JSON.parse(JSON.stringify(answer)), answer);
    });
  }

  test("takes all its parameters, and none that are undefined", async () => {
    const empty = answer("0", "No transactions found", []);
    const fetch = scripted(empty, empty, empty);
    const account = accountWith(fetch);
    await account.txList({
      address: HASH, sort: "desc", startblock: 0, endblock: 2_147_483_647, page: 100, offset: 100, filter_by: "from", start_timestamp: 5, end_timestamp: 5,
    });
    await account.txListInternal({ txhash: TRANSACTION, address: undefined, sort: null });
    await account.txListInternal();
    assert.deepEqual(fetch.urls(), [
      urlOf("txlist", `address=${HASH}&sort=desc&startblock=0&endblock=2147483647&page=100&offset=100&filter_by=from&start_timestamp=5&end_timestamp=5`),
      urlOf("txlistinternal", `txhash=${TRANSACTION}`),
      urlOf("txlistinternal", ""),
    ]);
  });

  test("keeps undocumented fields only where asked to", async () => {
    const body = answer("1", "OK", [{ address: HASH, balance: "1", stale: false, new: [1] }]);
    assert.deepEqual((await accountWith(scripted(body)).listAccounts()).items, [{ address: HASH, balance: "1", stale: false }]);
    const [{ extra }] = (await accountWith(scripted(body), { keepExtra: true }).listAccounts()).items;
    assert.deepEqual(extra, { new: [1] });
  });
});

describe("an action with a value", LIMIT, () => {
  test("gives balances as text, null while not known", async () => {
    const service = createSampleService();
    const { account, urls } = accountOf(service);
    assert.equal(await account.balance({ address: whale }), String(2n ** 256n - 1n));
    assert.deepEqual([await account.balance({ address: unfetched }), await account.balance({ address: unfetched })], [null, "77000000000000001"]);
    assert.deepEqual(urls, [whale, unfetched, unfetched].map((address) => urlOf("balance", `address=${address}`)));
  });

  test("gives a node's hex, at a block", async () => {
    const { account, urls } = accountOf(shared);
    assert.equal(BigInt(await account.ethGetBalance({ address: hub })), 1_234_567_890_123_456_789_012n);
    for (const block of [0, "7", "earliest"]) assert.equal(await account.ethGetBalance({ address: whale, block }), `0x${"f".repeat(64)}`);
    assert.deepEqual(urls.map((url) => queryOf(url).block), [undefined, "0", "7", "earliest"]);
    assert.ok(urls[1].startsWith(urlOf("eth_get_balance", `address=${whale}`)));
  });

  test("gives the balance of a token", async () => {
    const { account, urls } = accountOf(shared);
    const { items } = await account.tokenList({ address: hub });
    const { contractAddress: contractaddress, balance } = items.find(({ type }) => type === "ERC-20");
    assert.equal(await account.tokenBalance({ contractaddress, address: hub }), balance);
    assert.equal(await account.tokenBalance({ contractaddress, address: STRANGER }), "0");
    assert.equal(urls[1], urlOf("tokenbalance", `contractaddress=${contractaddress}&address=${hub}`));
  });
});

describe("rules are kept before anything is sent", LIMIT, () => {
  const paging = [
    [{ page: 1 }, "offset", "must be given together with page"],
    [{ offset: 1 }, "page", "must be given together with offset"],
    [{ page: 2, offset: 5001 }, "page", "times offset must be at most 10000"],
    [{ page: 0, offset: 1 }, "page", "must be a page number from 1 to 2147483647"],
    [{ page: 1, offset: 10_001 }, "offset", "must be a number of records from 1 to 10000"],
    [{ page: 1.5, offset: 1 }, "page", "must be a page number"],
  ];
  const blocks = [
    [{ startblock: 2, endblock: 1 }, "endblock", "must not be smaller than startblock"],
    [{ startblock: -1 }, "startblock", "must be a block number from 0 to 2147483647"],
    [{ endblock: "latest" }, "endblock", "must be a block number"],
    [{ sort: "up" }, "sort", "must be \"asc\" or \"desc\""],
  ];
  const unknown = [[{ adress: HASH }, "adress", "is not a parameter of"]];
  const wrong = [[{ address: "0x12" }, "address", "must be an address hash"], [{ address: `${HASH},${HASH}` }, "address", "must be an address hash"]];
  const missing = [[{ address: undefined }, "address", "is required"]];
  const transfers = [...wrong, ...paging, ...blocks, ...unknown, [{ address: undefined }, "address", "or contractaddress is required"], [{ contractaddress: "x" }, "contractaddress", "must be an address hash"]];
  const rules = {
    ethGetBalance: [...wrong, ...missing, ...unknown, ...["0x10", "newest", -1].map((block) => [{ block }, "block", "must be a block number, \"latest\", \"earliest\" or \"pending\""])],
    balance: [...wrong, ...missing, ...unknown],
    pendingTxList: [...wrong, ...missing, ...paging, ...unknown],
    txList: [
      ...wrong, ...missing, ...paging, ...blocks, ...unknown,
      [{ filter_by: "both" }, "filter_by", "must be \"to\" or \"from\""],
      [{ start_timestamp: 2, end_timestamp: 1 }, "end_timestamp", "must not be smaller than start_timestamp"],
      [{ end_timestamp: new Date(0) }, "end_timestamp", "must be a Unix time in seconds"],
    ],
    txListInternal: [
      ...wrong, ...paging, ...blocks, ...unknown,
      ...[{ sort: "asc" }, { startblock: 1 }, { endblock: 1 }, { page: 1, offset: 1 }].map((params) =>
        [{ address: undefined, txhash: TRANSACTION, ...params }, Object.keys(params)[0], "can be used only together with address"]),
      [{ txhash: HASH }, "txhash", "must be a transaction hash"],
      [{ include_zero_value: "yes" }, "include_zero_value", "must be true or false"],
    ],
    tokenTx: transfers, tokenNftTx: transfers, token1155Tx: transfers, token404Tx: transfers,
    tokenBalance: [...wrong.map(([params, ...rest]) => [{ contractaddress: HASH, ...params }, ...rest]), [{ address: undefined, contractaddress: HASH }, "address", "is required"], [{}, "contractaddress", "is required"], ...unknown],
    tokenList: [...wrong, ...missing, [{ page: 1 }, "page", "is not a parameter of tokenList"]],
    getMinedBlocks: [...wrong, ...missing, ...paging.filter(([, , rule]) => !rule.startsWith("times")), [{ startblock: 1 }, "startblock", "is not a parameter of getMinedBlocks"]],
    listAccounts: [...paging.map(([params, ...rest]) => [{ address: undefined, ...params }, ...rest]), [{}, "address", "is not a parameter of listAccounts"]],
  };

  for (const [method, cases] of Object.entries(rules)) {
    test(method, async () => {
      const fetch = scripted();
      for (const [params, parameter, rule] of cases) {
        const error = await failure(accountWith(fetch)[method]({ address: HASH, ...params }), "invalid_parameter", { parameter });
        assert.ok(error.message.includes(rule), error.message);
      }
      for (const params of ["text", [HASH]]) await failure(accountWith(fetch)[method](params), "invalid_parameter", { parameter: "params" });
      assert.equal(fetch.requests.length, 0);
    });
  }

  test("options too", async () => {
    const fetch = scripted();
    const account = accountWith(fetch);
    for (const [options, parameter, rule] of [
      [{ timeoutMs: 0 }, "timeoutMs", "must be a number of milliseconds"],
      [{ resume: "x" }, "resume", "unknown option; valid options are signal, timeoutMs"],
      [{ signal: {} }, "signal", "must be an AbortSignal"],
      ["text", "options", "must be an object"],
    ]) {
      for (const call of [() => account.txList({ address: HASH }, options), () => account.balance({ address: HASH }, options), () => account.balanceMulti({ address: HASH }, options)]) {
        const error = await failure(call(), "invalid_parameter", { parameter });
        assert.ok(error.message.includes(rule), error.message);
      }
    }
    for (const [options, parameter, rule] of [
      [{ until: "later" }, "until", "must be \"fresh\""],
      [{ until: true }, "until", "must be \"fresh\""],
      [{ until: "fresh", freshWithinMs: 0 }, "freshWithinMs", "must be a number of milliseconds"],
      [{ deadline: 1 }, "deadline", "unknown option; valid options are signal, timeoutMs, deadlineMs, maxAttempts, maxWaitMs, until, freshWithinMs"],
    ]) {
      const error = await failure(account.balanceMulti({ address: HASH }, options), "invalid_parameter", { parameter });
      assert.ok(error.message.includes(rule), error.message);
    }
    await failure(account.txList({ address: HASH }, { until: "fresh" }), "invalid_parameter", { parameter: "until" });
    assert.equal(fetch.requests.length, 0);
  });
});

describe("an answer", LIMIT, () => {
  const read = (body, status = 200) => accountWith(scripted(() => new Response(body, { status }))).txList({ address: HASH });

  test("with nothing found is empty", async () => {
    assert.deepEqual(await read(answer("0", "No transactions found", [])), { items: [], incomplete: false, message: null });
    for (const method of ["txList", "pendingTxList", "txListInternal", "tokenTx", "tokenNftTx", "token1155Tx", "token404Tx", "tokenList", "getMinedBlocks"]) {
      const { account } = accountOf(shared);
      assert.deepEqual(await account[method]({ address: STRANGER }), { items: [], incomplete: false, message: null }, method);
    }
  });

  test("without a result is a refusal, in the service's words", async () => {
    for (const result of [null, undefined, ""]) {
      const error = await failure(read(answer("0", "Invalid \"address\" format", result)), "refused");
      assert.ok(error.message.includes("Invalid \"address\" format"), error.message);
      assert.equal(error.url, urlOf("txlist", `address=${HASH}`));
    }
    const balance = accountWith(scripted(answer("0", "Invalid address hash", null))).balance({ address: HASH });
    await failure(balance, "refused", { status: 200 });
  });

  test("of a failing status says so, in either shape", async () => {
    for (const [status, body] of [[400, answer("0", "Unknown action", null)], [404, "{\"message\":\"Unknown action\"}"], [500, "\"Unknown action\""]]) {
      const error = await failure(read(body, status), "http_status", { status });
      assert.ok(error.message.includes("Unknown action"), error.message);
    }
    await failure(accountOf(shared).account.txList({ address: at("Overloaded address") }), "http_status", { status: 500 });
    await failure(accountOf(createSampleService({ backendVersion: 8 })).account.token404Tx({ address: hub }), "http_status", { status: 400 });
  });

  test("in a node's shape that refuses says so", async () => {
    for (const backendVersion of [11, 12]) {
      const { account } = accountOf(createSampleService({ backendVersion }));
      const error = await failure(account.ethGetBalance({ address: STRANGER }), "http_status", { status: 404 });
      assert.ok(error.message.includes("Balance not found"), error.message);
    }
  });

  test("with status 2 is incomplete", async () => {
    const { account } = accountOf(shared);
    const address = at("Unprocessed calls");
    const { items, incomplete, message } = await account.txListInternal({ address });
    assertRows(items, shared.getAllRows("txlistinternal", { address }));
    assert.deepEqual([incomplete, message], [true, "Some internal transactions within this block range have not yet been processed"]);
    assert.deepEqual(await read(answer("2", "soon", [])), { items: [], incomplete: true, message: "soon" });
  });

  test("that asks to slow down is rate_limited, whatever its status", async () => {
    const { account, urls } = accountOf(createSampleService());
    const address = at("Rate-limited address");
    const first = await failure(account.balance({ address }), "rate_limited", { status: 429, retryAfterMs: 40 });
    const second = await failure(account.balance({ address }), "rate_limited", { status: 200 });
    for (const { message } of [first, second]) assert.ok(message.includes("Too many requests"), message);
    assert.equal(await account.balance({ address }), "7000000000000000000");
    assert.equal(urls.length, 3);
  });

  test("that differs from what is documented cannot be read", async () => {
    await failure(read(answer("1", "OK", [{ blockNumber: "x" }])), "decode");
    await failure(read("{\"message\":\"OK\",\"result\":[{"), "decode");
    await failure(read("<html>"), "decode");
  });

  test("that is late or not wanted any more ends the request", async () => {
    for (const call of ["txList", "balance", "balanceMulti"]) {
      const fetch = scripted(hang, hang);
      const account = accountWith(fetch);
      await failure(account[call]({ address: HASH }, { timeoutMs: 1 }), "timeout");
      const controller = new AbortController();
      const outcome = failure(account[call]({ address: HASH }, { signal: controller.signal }), "aborted", { cause: "enough" });
      await fetch.sent(2);
      controller.abort("enough");
      await outcome;
      assert.deepEqual(fetch.requests.map(({ signal }) => signal.aborted), [true, true], call);
      await failure(account[call]({ address: HASH }, { signal: controller.signal }), "aborted", { cause: "enough" });
    }
  });
});

describe("balance()", LIMIT, () => {
  test("calls of one tick are one request, whatever the order and case", async () => {
    const fetch = scripted(multi, multi);
    const account = accountWith(fetch);
    const upper = `0x${"AB".repeat(18)}0003`;
    const addresses = [numbered(2), numbered(1), numbered(2), upper, upper.toLowerCase()];
    assert.deepEqual(await Promise.all(addresses.map((address) => account.balance({ address }))), ["2", "1", "2", "3", "3"]);
    assert.equal(fetch.requests.length, 1);
    assert.equal(queryOf(fetch.urls()[0]).action, "balancemulti");
    assert.deepEqual(askedFor(fetch.urls()[0]).sort(), [numbered(1), numbered(2), upper.toLowerCase()].sort());
    await Promise.all([1, 2].map((i) => account.balance({ address: numbered(i) })));
    assert.equal(fetch.requests.length, 2, "the next tick");
  });

  test("45 addresses are 3 requests", async () => {
    const fetch = scripted(multi, multi, multi);
    const addresses = Array.from({ length: 45 }, (_, i) => numbered(i));
    const account = accountWith(fetch);
    const balances = await Promise.all(addresses.map((address) => account.balance({ address })));
    assert.deepEqual(balances, addresses.map((_, i) => String(i)));
    assert.deepEqual(fetch.urls().map((url) => askedFor(url).length), [20, 20, 5]);
  });

  test("a wrong address rejects its own caller only", async () => {
    const fetch = scripted(multi);
    const account = accountWith(fetch);
    const shouted = HASH.replace("0x", "0X");
    const wrong = ["0x12", undefined, 5, `${HASH},${HASH}`, shouted, [HASH], new String(HASH)].map((address) => failure(account.balance({ address }), "invalid_parameter", { parameter: "address" }));
    assert.deepEqual(await Promise.all([1, 2].map((i) => account.balance({ address: numbered(i) }))), ["1", "2"]);
    await Promise.all(wrong);
    assert.equal(fetch.requests.length, 1);
  });

  test("a refusal of all is asked about one by one", async () => {
    const refuse = answer("0", "Invalid address hash", null);
    const one = ({ url }) => new Response(askedFor(url)[0] === numbered(2) ? refuse : answer("1", "OK", "7"));
    const fetch = scripted(refuse, one, one);
    const account = accountWith(fetch);
    const [good, bad] = [account.balance({ address: numbered(1) }), failure(account.balance({ address: numbered(2) }), "refused")];
    assert.equal(await good, "7");
    await bad;
    assert.deepEqual(fetch.urls().map((url) => queryOf(url).action), ["balancemulti", "balance", "balance"]);
  });

  test("another failure is everyone's", async () => {
    const fetch = scripted(() => new Response("", { status: 503 }));
    const account = accountWith(fetch);
    await Promise.all([1, 2].map((i) => failure(account.balance({ address: numbered(i) }), "http_status", { status: 503 })));
    assert.equal(fetch.requests.length, 1);
  });

  test("one caller's abort does not end the others' request", async () => {
    const controller = new AbortController();
    const held = deferred();
    const fetch = scripted((request) => held.promise.then(() => multi(request)));
    const account = accountWith(fetch);
    const mine = failure(account.balance({ address: numbered(1) }, { signal: controller.signal }), "aborted", { cause: "mine" });
    const others = [2, 3].map((i) => account.balance({ address: numbered(i) }, { signal: new AbortController().signal }));
    await fetch.sent(1);
    controller.abort("mine");
    await mine;
    assert.equal(fetch.requests[0].signal.aborted, false);
    held.resolve();
    assert.deepEqual(await Promise.all(others), ["2", "3"]);
  });

  test("the last caller's abort ends the request", async () => {
    const controllers = [1, 2].map(() => new AbortController());
    const fetch = scripted(hang);
    const account = accountWith(fetch, { maxAttempts: 5 });
    const outcomes = controllers.map(({ signal }, i) => failure(account.balance({ address: numbered(i) }, { signal }), "aborted"));
    const request = await fetch.sent(1);
    controllers[0].abort();
    await settle();
    assert.equal(request.signal.aborted, false);
    controllers[1].abort();
    await Promise.all(outcomes);
    await settle();
    assert.deepEqual([request.signal.aborted, fetch.requests.length], [true, 1]);
  });

  test("an abort of all who asked so far ends nothing for who asks later in the tick", async () => {
    const controller = new AbortController();
    const fetch = scripted(multi);
    const account = accountWith(fetch);
    const first = failure(account.balance({ address: numbered(1) }, { signal: controller.signal }), "aborted");
    controller.abort();
    const others = [2, 3].map((i) => account.balance({ address: numbered(i) }));
    await first;
    assert.deepEqual(await Promise.all(others), ["2", "3"]);
  });

  test("an abort is heard once, whatever becomes of the request", async () => {
    // A rejection that nobody hears of would end this process.
    for (const end of [(request) => Promise.resolve(multi(request)), () => Promise.reject(new Error("gone")), () => new Response(answer("0", "no", null))]) {
      const controller = new AbortController();
      const held = deferred();
      const one = () => new Response(answer("0", "no", null));
      const fetch = scripted((request) => held.promise.then(() => end(request)), one);
      const account = accountWith(fetch);
      const mine = failure(account.balance({ address: numbered(1) }, { signal: controller.signal }), "aborted");
      const other = account.balance({ address: numbered(2) }).catch((error) => error.code);
      await fetch.sent(1);
      controller.abort();
      held.resolve();
      await mine;
      assert.ok(["2", "network", "refused"].includes(await other));
    }
  });

  test("an abort within the tick sends nothing for that caller", async () => {
    const fetch = scripted(multi, ({ url }) => new Response(answer("1", "OK", String(Number(askedFor(url)[0].slice(-3))))));
    const account = accountWith(fetch);
    const abandoned = (i) => {
      const controller = new AbortController();
      const outcome = failure(account.balance({ address: numbered(i) }, { signal: controller.signal }), "aborted");
      controller.abort();
      return outcome;
    };
    await abandoned(1);
    await settle();
    assert.equal(fetch.requests.length, 0);
    const others = [2, 3].map((i) => account.balance({ address: numbered(i) }));
    await abandoned(1);
    assert.deepEqual(await Promise.all(others), ["2", "3"]);
    assert.deepEqual(askedFor(fetch.urls()[0]), [numbered(2), numbered(3)]);
    const last = account.balance({ address: numbered(4) });
    await abandoned(1);
    assert.equal(await last, "4");
    assert.equal(queryOf(fetch.urls()[1]).action, "balance");
  });

  test("calls with settings of their own, or that are not to be gathered, ask alone", async () => {
    const one = () => new Response(answer("1", "OK", "7"));
    const fetch = scripted(one, one, one, one);
    const account = accountWith(fetch);
    await Promise.all([account.balance({ address: numbered(1) }, { timeoutMs: 5000 }), account.balance({ address: numbered(2) }, {})]);
    const separate = accountWith(fetch, { gatherBalances: false });
    await Promise.all([1, 2].map((i) => separate.balance({ address: numbered(i) })));
    assert.deepEqual(fetch.urls().map((url) => queryOf(url).action), Array(4).fill("balance"));
  });
});

describe("balanceMulti()", LIMIT, () => {
  test("keeps order, spelling and duplicates; unknown is null", async () => {
    const { account, urls } = accountOf(createSampleService());
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
    assert.deepEqual(urls.map((url) => askedFor(url).length), [3]);
    assert.equal(queryOf(urls[0]).action, "balancemulti");
    assert.deepEqual(structuredClone(balances), balances);
    assert.deepEqual(await account.balanceMulti({ address: `${whale},${hub}` }), balances.slice(0, 2));
  });

  test("takes any number", async () => {
    const { account, urls } = accountOf(shared);
    const address = Array.from({ length: 101 }, (_, i) => numbered(i));
    assert.deepEqual((await account.balanceMulti({ address })).map(({ account }) => account), address);
    assert.deepEqual(urls.map((url) => askedFor(url).length), [20, 20, 20, 20, 20, 1]);
  });

  test("an address that the service leaves out is null", async () => {
    const [row] = await accountWith(scripted(answer("1", "OK", []))).balanceMulti({ address: [HASH] });
    assert.deepEqual(row, { account: HASH, balance: null, stale: false });
  });

  test("names what is wrong", async () => {
    const fetch = scripted();
    const account = accountWith(fetch);
    for (const [params, parameter, rule] of [
      [{ address: [HASH, "0x12"] }, "address[1]", "must be an address hash"],
      [{ address: `${HASH},${HASH},` }, "address[2]", "must be an address hash"],
      [{ address: [] }, "address", "must name at least one address"],
      [{ address: [1] }, "address", "must be address hashes"],
      [{ address: 5 }, "address", "must be address hashes"],
      [{}, "address", "is required"],
      [undefined, "address", "is required"],
      [{ address: HASH, page: 1 }, "page", "is not a parameter of balanceMulti"],
    ]) {
      const error = await failure(account.balanceMulti(params), "invalid_parameter", { parameter });
      assert.ok(error.message.includes(rule), error.message);
    }
    assert.equal(fetch.requests.length, 0);
  });

  test("is what the caller gave at that moment", async () => {
    const fetch = scripted(multi);
    const address = [numbered(1)];
    const balances = accountWith(fetch).balanceMulti({ address });
    address[0] = numbered(2);
    assert.deepEqual((await balances).map(({ balance }) => balance), ["1"]);
  });
});

describe("balanceMulti() until fresh", LIMIT, () => {
  /** Time passes only when the test says so. */
  const stopClock = (t) => t.mock.timers.enable({ apis: ["setTimeout", "Date"] });

  /** Lets the requests that are due be sent and answered, which takes the sample service a moment of no time. */
  const answered = async (t, urls, count) => {
    for (let i = 0; i < 50; i++) {
      await settle();
      t.mock.timers.tick(0);
    }
    assert.equal(urls.length, count);
  };

  /** Asks; the clock moves on by these pauses, each followed by one request more. */
  async function follow(t, { address, freshWithinMs, pauses }) {
    stopClock(t);
    const { account, urls } = accountOf(createSampleService());
    const outcome = account.balanceMulti({ address }, { until: "fresh", ...(freshWithinMs && { freshWithinMs }) });
    await answered(t, urls, 1);
    for (const [i, pause] of pauses.entries()) {
      t.mock.timers.tick(pause - 1);
      await answered(t, urls, i + 1);
      t.mock.timers.tick(1);
      await answered(t, urls, i + 2);
    }
    return { balances: await outcome, asked: urls.map(askedFor) };
  }

  test("asks again, with growing pauses, for the stale ones only", async (t) => {
    const { balances, asked } = await follow(t, { address: [hub, stale, unfetched], pauses: [1000, 2000] });
    assert.deepEqual(balances.map(({ balance, stale }) => [balance, stale]), [
      ["1234567890123456789012", false], ["2500000000000000000", false], ["77000000000000001", false],
    ]);
    assert.deepEqual(asked.map((addresses) => addresses.length), [3, 2, 1]);
    assert.deepEqual(asked[2], [stale.toLowerCase()]);
  });

  test("tells what stayed stale at the deadline", async (t) => {
    const { balances } = await follow(t, { address: [stuck, hub], freshWithinMs: 4500, pauses: [1000, 2000, 1500] });
    assert.deepEqual(balances.map(({ stale }) => stale), [true, false]);
    assert.equal(balances[0].balance, "5000000000000000000");
  });

  test("asks once where all are fresh, or freshness is not asked for", async (t) => {
    assert.equal((await follow(t, { address: [hub], pauses: [] })).asked.length, 1);
    const { account, urls } = accountOf(createSampleService());
    const balances = account.balanceMulti({ address: stuck });
    await answered(t, urls, 1);
    assert.equal((await balances)[0].stale, true);
  });

  test("can be aborted in a pause", async (t) => {
    stopClock(t);
    const controller = new AbortController();
    const { account, urls } = accountOf(createSampleService());
    const outcome = failure(account.balanceMulti({ address: stuck }, { until: "fresh", signal: controller.signal }), "aborted", { cause: "enough" });
    await answered(t, urls, 1);
    controller.abort("enough");
    await outcome;
    t.mock.timers.tick(60_000);
    await answered(t, urls, 1);
  });
});
