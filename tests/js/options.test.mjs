// Options and parameters: invalid ones are named in the error, and nothing is sent.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import vm from "node:vm";
import { AddressClient, isAddressQueryError } from "../../pkg/index.js";
import { BASE, HASH, WITHDRAWALS, createFetch, expectError, flushTasks, listWithdrawals, page } from "./support.mjs";

/** Asserts that the constructor throws for these options. */
function assertInvalid(options, parameter, rule) {
  assert.throws(
    () => new AddressClient(options),
    (error) => {
      assert.ok(isAddressQueryError(error), error.stack);
      assert.deepEqual([error.code, error.parameter], ["invalid_parameter", parameter]);
      assert.equal(error.message, `${parameter}: ${rule}`);
      return true;
    },
  );
}

const CLIENT_OPTION_NAMES =
  "baseUrl, chain, chainId, fetch, apiKey, allowKeyInPage, timeoutMs, deadlineMs, maxAttempts, maxWaitMs, maxPerSecond, maxConcurrent, maxCredits, showScamTokens, maxResponseBytes, badRecords, keepExtra, batchBalances, checkParams, onDrift, onBadRecord, onEvent";

describe("options of a client", () => {
  test("with invalid values make the constructor throw", () => {
    const required = "is required: the URL of a Blockscout instance, unless chain or chainId is given";
    for (const options of [undefined, null, {}, { baseUrl: null, chain: null, chainId: null }])
      assertInvalid(options, "baseUrl", required);
    for (const baseUrl of [5, new URL(BASE)])
      assertInvalid({ baseUrl }, "baseUrl", "must be the URL of a Blockscout instance, as a string");
    const assertAllInvalid = (name, rule, values) =>
      values.forEach((value) => assertInvalid({ baseUrl: BASE, [name]: value }, name, rule));
    for (const name of ["timeoutMs", "deadlineMs", "maxWaitMs"]) {
      assertAllInvalid(name, "must be a number of milliseconds from 1 to 2147483647", [
        0,
        0.5,
        -1,
        NaN,
        Infinity,
        2 ** 31,
        "30",
        true,
        10n,
        {},
      ]);
    }
    for (const name of ["maxAttempts", "maxConcurrent"])
      assertAllInvalid(name, "must be an integer from 1 to 100", [0, 1.5, 101, "5"]);
    assertAllInvalid("maxResponseBytes", "must be an integer from 1024 to 1073741824", [1023, 2 ** 31]);
    assertAllInvalid("maxPerSecond", "must be a number from 0.1 to 1000", [0, 1001, "1"]);
    assertAllInvalid("apiKey", "must be a string or a function that returns a string", [5, {}, ["key"]]);
    assertAllInvalid("badRecords", 'must be "throw" or "skip"', ["ignore", true, 1, {}]);
    for (const name of ["keepExtra", "batchBalances", "allowKeyInPage"])
      assertAllInvalid(name, "must be true or false", ["true", 1, {}]);
    for (const name of ["fetch", "onDrift", "onBadRecord", "onEvent"])
      assertAllInvalid(name, "must be a function", ["text", 1, {}, true]);
    for (const name of ["baseURL", "timeout", "__proto__x", "toString", "signal"])
      assertAllInvalid(name, `unknown option; valid options are ${CLIENT_OPTION_NAMES}`, [1]);
    assertInvalid(
      { baseUrl: BASE, ...JSON.parse('{"__proto__":{}}') },
      "__proto__",
      `unknown option; valid options are ${CLIENT_OPTION_NAMES}`,
    );
  });

  test("that are not an object make the constructor throw", () => {
    for (const options of [BASE, [BASE], () => BASE, new Map()]) assertInvalid(options, "options", "must be an object");
  });

  test("at the limits of their ranges are accepted", () => {
    for (const [name, ...values] of [
      ["timeoutMs", 1, 1.5, 2 ** 31 - 1],
      ["maxAttempts", 1, 100],
      ["maxPerSecond", 0.1, 1000],
      ["maxResponseBytes", 1024, 2 ** 30],
      ["apiKey", "x".repeat(8), () => "x"],
      ["badRecords", "throw", "skip"],
      ["keepExtra", true, false],
    ]) {
      for (const value of values) new AddressClient({ baseUrl: BASE, [name]: value });
    }
  });

  test("with invalid contents reject the first call, and nothing is sent", async () => {
    const fetch = createFetch();
    for (const [options, parameter, rule] of [
      [{ baseUrl: "ftp://x.example" }, "baseUrl", "must begin with https:// or http://"],
      [{ baseUrl: BASE, apiKey: "short" }, "apiKey", "8 to 512 printable ASCII characters"],
    ]) {
      const client = new AddressClient({ fetch, ...options });
      const error = await expectError(client.addressWithdrawals({ address_hash: HASH }), "invalid_parameter", { parameter });
      assert.ok(error.message.includes(rule), error.message);
    }
    assert.equal(fetch.requests.length, 0);
  });

  test("that are missing or null have their defaults", async () => {
    for (const none of [undefined, null]) {
      const options = {
        baseUrl: BASE,
        fetch: createFetch(page([1])),
        timeoutMs: none,
        badRecords: none,
        keepExtra: none,
        onDrift: none,
        onBadRecord: none,
      };
      assert.equal((await new AddressClient(options).addressWithdrawals({ address_hash: HASH })).items.length, 1);
    }
  });

  test("that are changed later do not affect the client", async () => {
    const fetch = createFetch(page([1]), page([1]));
    const options = { baseUrl: BASE, fetch };
    const client = new AddressClient(options);
    Object.assign(options, { baseUrl: "https://evil.example", fetch: createFetch(), timeoutMs: "x", unknown: 1 });
    await client.addressWithdrawals({ address_hash: HASH });
    Object.assign(options, { baseUrl: "https://worse.example" });
    await client.addressWithdrawals({ address_hash: HASH });
    assert.deepEqual(fetch.urls(), [WITHDRAWALS, WITHDRAWALS]);
  });

  test("cause no request before the first call", async () => {
    const fetch = createFetch();
    new AddressClient({ baseUrl: "?", fetch });
    await flushTasks();
    assert.equal(fetch.requests.length, 0);
  });

  test("may contain the base URL in any form that users paste", async () => {
    for (const baseUrl of ["eth.blockscout.com", `${BASE}/`, `${BASE}/api/v2/`, ` ${BASE}/api?x=1 `]) {
      const fetch = createFetch(page([1]));
      await listWithdrawals(fetch, undefined, { baseUrl });
      assert.deepEqual(fetch.urls(), [WITHDRAWALS], baseUrl);
    }
  });
});

describe("options of a call", () => {
  const assertRejected = async (options, parameter, rule) => {
    const fetch = createFetch();
    const error = await expectError(listWithdrawals(fetch, options), "invalid_parameter", { parameter });
    assert.ok(error.message.includes(rule), error.message);
    assert.equal(fetch.requests.length, 0);
  };

  test("with invalid values are named in the error", async () => {
    for (const signal of [{}, "x", true, new EventTarget(), new AbortController()])
      await assertRejected({ signal }, "signal", "must be an AbortSignal");
    for (const timeoutMs of [0, "1", NaN]) await assertRejected({ timeoutMs }, "timeoutMs", "must be a number of milliseconds");
    for (const prefetch of [2, -1, 0.5, "1", true]) await assertRejected({ prefetch }, "prefetch", "must be 0 or 1");
    for (const resume of [1, {}, [], true])
      await assertRejected({ resume }, "resume", "must be a resumeToken of a page (a string)");
    for (const name of ["limit", "baseUrl", "Signal"])
      await assertRejected(
        { [name]: 1 },
        name,
        "unknown option; valid options are signal, timeoutMs, deadlineMs, maxAttempts, maxWaitMs, resume, prefetch, concurrency",
      );
  });

  test("that are not an object are rejected", async () => {
    for (const options of ["x", ["x"], () => {}, new AbortController().signal, new Map()])
      await assertRejected(options, "options", "must be an object");
  });

  test("that are missing or null have their defaults", async () => {
    for (const none of [undefined, null]) {
      assert.equal((await listWithdrawals(createFetch(page([1])), none)).items.length, 1);
      assert.equal(
        (await listWithdrawals(createFetch(page([1])), { signal: none, timeoutMs: none, resume: none, prefetch: none })).items
          .length,
        1,
      );
    }
  });
});

describe("parameters", () => {
  const call = (params, method = "addressWithdrawals") => {
    const fetch = createFetch(JSON.stringify({ items: [] }));
    const client = new AddressClient({ baseUrl: BASE, fetch });
    return { fetch, outcome: client[method](params) };
  };
  const assertRejected = async (params, parameter, rule, method) => {
    const { fetch, outcome } = call(params, method);
    const error = await expectError(outcome, "invalid_parameter", { parameter });
    assert.ok(error.message.includes(rule), error.message);
    assert.equal(fetch.requests.length, 0);
  };
  const assertSent = async (params, query, method) => {
    const { fetch, outcome } = call(params, method);
    await outcome;
    assert.deepEqual(
      fetch.urls().map((url) => url.replace(`${BASE}/api/v2`, "")),
      [query],
    );
  };

  test("that are not an object are rejected", async () => {
    for (const params of [
      "x",
      5,
      true,
      [],
      [HASH],
      () => {},
      Symbol("x"),
      5n,
      new Map([["type", "ERC-20"]]),
      new URLSearchParams(),
    ])
      await assertRejected(params, "params", "must be an object");
  });

  test("that are missing or null are rejected if required, and not sent otherwise", async () => {
    for (const none of [undefined, null, {}, { address_hash: undefined }, { address_hash: null }]) {
      await assertRejected(none, "address_hash", "is required: an address hash: 0x and 40 hex digits");
    }
    for (const none of [undefined, null, {}, { sort: undefined, order: null }]) await assertSent(none, "/addresses", "addresses");
    await assertSent({ type: [] }, "/token-transfers", "tokenTransfers");
  });

  test("with invalid values are named in the error", async () => {
    for (const address_hash of ["", "0x12", `${HASH}0`, `${HASH} `, 5, 5n, true, {}, [HASH], new String(HASH), Symbol("x")]) {
      await assertRejected({ address_hash }, "address_hash", "must be an address hash: 0x and 40 hex digits");
    }
    await assertRejected({ address_hash: "vitalik.eth" }, "address_hash", "returns the address of a name");
    for (const type of ["ERC20", "", ["ERC-20", 5], ["ERC-20", null], {}, 5])
      await assertRejected({ type }, "type", "must be token standards", "tokenTransfers");
    await assertRejected({ address_hash: HASH, filter: ["to"] }, "filter", 'must be "to" or "from"', "addressTokenTransfers");
    await assertRejected(
      { address_hash: HASH, include_zero_value: 1 },
      "include_zero_value",
      "must be true or false",
      "addressInternalTransactions",
    );
    await assertRejected({ address_hash: HASH, topic: HASH }, "topic", "must be a topic: 0x and 64 hex digits", "addressLogs");
    await assertRejected({ sort: "hash" }, "sort", 'must be "balance" or "transactions_count"', "addresses");
    for (const name of ["page", "limit", "addressHash"])
      await assertRejected(
        { address_hash: HASH, [name]: 1 },
        name,
        "is not a parameter of addressWithdrawals; valid parameters are address_hash",
      );
    await assertRejected({ address_hash: HASH, ...JSON.parse('{"__proto__":1}') }, "__proto__", "is not a parameter");
  });

  test("are sent in the canonical form of the service", async () => {
    await assertSent({ type: ["ERC-20", "erc-721"] }, "/token-transfers?type=ERC-20,ERC-721", "tokenTransfers");
    await assertSent({ type: "ERC-20,ERC-721" }, "/token-transfers?type=ERC-20,ERC-721", "tokenTransfers");
    await assertSent({ order: "asc" }, "/addresses?order=asc&sort=balance", "addresses");
    const path = `/addresses/${HASH}/internal-transactions`;
    await assertSent(
      { address_hash: HASH, include_zero_value: false, filter: "to" },
      `${path}?filter=to&include_zero_value=false`,
      "addressInternalTransactions",
    );
  });

  test("may be any plain object, and inherited members are ignored", async () => {
    const bare = Object.assign(Object.create(null), { address_hash: HASH });
    const derived = Object.assign(Object.create({ limit: 1 }), { address_hash: HASH });
    const foreign = vm.runInNewContext(`({ address_hash: "${HASH}" })`);
    const counted = {
      reads: 0,
      get address_hash() {
        this.reads += 1;
        return HASH;
      },
    };
    Object.defineProperty(counted, "reads", { enumerable: false });
    for (const params of [bare, derived, foreign, Object.freeze({ address_hash: HASH }), counted]) {
      await assertSent(params, `/addresses/${HASH}/withdrawals`);
    }
    assert.equal(counted.reads, 1);
  });

  test("with a getter that throws reject with its exception, and do not affect other calls", async () => {
    const reason = new Error("mine");
    const fetch = createFetch(page([1]));
    const client = new AddressClient({ baseUrl: BASE, fetch });
    const throwing = {
      get address_hash() {
        throw reason;
      },
    };
    for (let i = 0; i < 20_000; i++) {
      const thrown = await client.addressWithdrawals(throwing).catch((error) => error);
      assert.ok(thrown === reason || thrown.cause === reason, thrown);
    }
    assert.equal((await client.addressWithdrawals({ address_hash: HASH })).items.length, 1);
  });
});
