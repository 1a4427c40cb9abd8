// The returned data: plain objects even for hostile data, undocumented fields, drift and bad records.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { AddressClient } from "../../pkg/index.js";
import { createSampleService } from "../../pkg/testing/index.js";
import { BASE, HASH, collect, createFetch, expectError, indices, listWithdrawals, page, row, rows } from "./support.mjs";

const POLLUTING_JSON =
  '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}},"toString":"x","a":[{"__proto__":1}]}';

function assertNoPollution() {
  assert.equal({}.polluted, undefined);
  assert.deepEqual(Object.keys(Object.prototype), []);
  assert.equal(typeof {}.toString, "function");
}

/** Creates the JSON of an NFT with this metadata. */
const createNft = (metadata, more = "") => `{"id":"1","token":{"address_hash":"${HASH}"},"metadata":${metadata}${more}}`;
const listNfts = (body, options) =>
  new AddressClient({ baseUrl: BASE, fetch: createFetch(body), maxAttempts: 1, ...options }).addressNft({ address_hash: HASH });

describe("hostile data", () => {
  test("free-form JSON is returned as data, whatever its keys", async () => {
    const {
      items: [{ metadata }],
    } = await listNfts(`{"items":[${createNft(POLLUTING_JSON)}]}`);
    assert.deepEqual(Object.keys(metadata), ["__proto__", "constructor", "toString", "a"]);
    assert.equal(JSON.stringify(metadata), POLLUTING_JSON);
    assert.equal(Object.getPrototypeOf(metadata), Object.prototype);
    assert.equal(metadata.polluted, undefined);
    assertNoPollution();
  });

  test("undocumented fields are omitted, or returned as data with keepExtra", async () => {
    const body = `{"items":[${createNft("null", `,"__proto__":${POLLUTING_JSON},"hasOwnProperty":1`)}],"__proto__":{"polluted":true}}`;
    const dropped = await listNfts(body);
    assert.equal("extra" in dropped.items[0], false);
    assert.equal(Object.getPrototypeOf(dropped.items[0]), Object.prototype);
    const {
      items: [kept],
    } = await listNfts(body, { keepExtra: true });
    assert.deepEqual(Object.keys(kept.extra), ["__proto__", "hasOwnProperty"]);
    assert.equal(kept.polluted, undefined);
    assertNoPollution();
  });

  test("a cursor is returned as data", async () => {
    const fetch = createFetch('{"items":[],"next_page_params":{"__proto__":"x","index":12345678901234567890}}');
    const { next_page_params: cursor } = await listWithdrawals(fetch);
    assert.deepEqual(Object.entries(cursor), [
      ["__proto__", "x"],
      ["index", "12345678901234567890"],
    ]);
    assertNoPollution();
  });

  test("integers of up to 53 bits are returned exactly", async () => {
    const integers = [0, 2 ** 31 - 1, 2 ** 31, 2 ** 53 - 1, -1, 1 - 2 ** 53];
    const { items } = await listWithdrawals(createFetch(page(integers)));
    assert.deepEqual(indices(items), integers);
    assert.deepEqual(new Set(items.map(({ amount }) => amount)), new Set([row(0).amount]));
  });

  test("strings are returned as they were sent", async () => {
    const strings = [
      "<img src=x onerror=alert(1)>",
      "\u0000\u001f\u007f",
      "\u202Eevil",
      "😀é",
      '\\"/',
      "x".repeat(100_000),
      "0123456789ab",
      "0123456789abc",
      "",
    ];
    const { items } = await listNfts(
      `{"items":[${strings.map((string) => createNft("null", `,"image_url":${JSON.stringify(string)}`))}]}`,
    );
    assert.deepEqual(
      items.map(({ image_url }) => image_url),
      strings,
    );
  });

  test("hostile names of the sample service do not change prototypes", async () => {
    for (const backendVersion of [8, 11, 12]) {
      const service = createSampleService({ backendVersion });
      const { hash } = service.addresses.find(({ label }) => label === "Hostile names");
      const client = new AddressClient({ baseUrl: "https://sample.example", fetch: service.fetch });
      for (const name of ["addressNft", "addressLogs", "addressTokenTransfers"])
        await collect(client[name]({ address_hash: hash }));
      assertNoPollution();
    }
  });
});

test("pages work with structuredClone and JSON, and do not share objects", async () => {
  const service = createSampleService();
  const client = new AddressClient({ baseUrl: "https://sample.example", fetch: service.fetch });
  const address_hash = service.addresses.find(({ id }) => id === "hub").hash;
  for (const call of [
    client.addresses(),
    client.addressNft({ address_hash }),
    client.addressLogs({ address_hash }),
    client.addressTokenTransfers({ address_hash }),
  ]) {
    const first = await call;
    assert.deepEqual(structuredClone(first), first);
    assert.deepEqual(JSON.parse(JSON.stringify(first)), first);
    for (const item of first.items) assert.equal(Object.getPrototypeOf(item), Object.prototype);
    const before = JSON.stringify(first);
    await client.addressLogs({ address_hash });
    assert.equal(JSON.stringify(first), before, "a later page changed it");
  }
});

describe("keepExtra", () => {
  const body = rows(row(1, { new_field: { deep: [1, "two"] }, other: null }), row(2));

  test("returns undocumented fields as extra", async () => {
    const { items } = await listWithdrawals(createFetch(body), undefined, { keepExtra: true });
    assert.deepEqual(items, [{ ...row(1), extra: { new_field: { deep: [1, "two"] }, other: null } }, row(2)]);
  });

  test("is off by default", async () => {
    assert.deepEqual((await listWithdrawals(createFetch(body))).items, [row(1), row(2)]);
  });
});

test("a value that is nested too deeply is null", async () => {
  const log = (index, value) => {
    const decoded = {
      method_call: "f()",
      method_id: "ddf252ad",
      parameters: [{ name: "x", type: "uint256[]", indexed: false, value: "?" }],
    };
    const hash = `0x${"ab".repeat(32)}`;
    const json = {
      address_hash: { hash: HASH },
      data: "0x",
      index,
      block_number: 1,
      topics: [],
      transaction_hash: hash,
      block_hash: hash,
      decoded,
    };
    return JSON.stringify(json).replace('"?"', value);
  };
  const body = `{"items":[${log(1, "[7]")},${log(2, "[".repeat(128) + "]".repeat(128))},${log(3, "[8]")}]}`;
  const logs = (options) =>
    new AddressClient({ baseUrl: BASE, fetch: createFetch(body), ...options }).addressLogs({ address_hash: HASH });
  const { items } = await logs();
  assert.deepEqual(indices(items), [1, 2, 3]);
  assert.deepEqual(
    items.map(({ decoded }) => decoded.parameters[0].value),
    [[7], null, [8]],
  );
});

describe("onDrift", () => {
  const drifting = rows(row(1, { new_field: 5, index: "1" }), row(2, { new_field: 6, index: "2" }));
  const expected = [
    { kind: "coerced_type", record: "Withdrawal", field: "index", found: "1" },
    { kind: "unknown_field", record: "Withdrawal", field: "new_field", found: "5" },
  ];
  const sorted = (drifts) => [...drifts].sort((a, b) => (a.kind < b.kind ? -1 : 1));

  test("is called once for each difference in a list", async () => {
    const drifts = [];
    const again = drifting.replace('"next_page_params":null', '"next_page_params":{"index":1}');
    await collect(listWithdrawals(createFetch(again, drifting), undefined, { onDrift: (drift) => drifts.push(drift) }));
    assert.deepEqual(sorted(drifts), expected);
  });

  test("is called once for each difference in a client", async () => {
    const drifts = [];
    const client = new AddressClient({
      baseUrl: BASE,
      fetch: createFetch(drifting, drifting.replaceAll("5", "7")),
      onDrift: (drift) => drifts.push(drift),
    });
    await client.addressWithdrawals({ address_hash: HASH });
    await client.addressWithdrawals({ address_hash: HASH });
    assert.deepEqual(sorted(drifts), expected);
  });

  test("is called for missing fields and unknown values", async () => {
    const drifts = [];
    const change = { transaction_hash: null, block_number: 1, delta: "-5", value: "5" };
    const client = new AddressClient({ baseUrl: BASE, fetch: createFetch(rows(change)), onDrift: (drift) => drifts.push(drift) });
    const { items } = await client.addressCoinBalanceHistory({ address_hash: HASH });
    assert.deepEqual(items, [{ ...change, block_timestamp: null }]);
    assert.deepEqual(drifts, [
      { kind: "missing_field", record: "CoinBalanceChange", field: "block_timestamp", found: "nothing" },
    ]);
    const valueDrifts = [];
    await listNfts(`{"items":[${createNft("null", ',"token_type":"ERC-9999"')}]}`, {
      onDrift: (drift) => valueDrifts.push(drift),
    });
    const { kind, record, field, found } = valueDrifts.find(({ kind }) => kind === "unknown_value");
    assert.deepEqual([kind, record, field, found], ["unknown_value", "NftInstance", "token_type", "ERC-9999"]);
  });

  test("is called for unexpected values, which are returned as sent", async () => {
    const drifts = [];
    const { items } = await listWithdrawals(createFetch(rows(row(1, { amount: "-1" }))), undefined, {
      onDrift: (drift) => drifts.push(drift),
    });
    assert.equal(items[0].amount, "-1");
    assert.deepEqual(drifts, [{ kind: "unexpected_value", record: "Withdrawal", field: "amount", found: "-1" }]);
  });

  test("is called for invalid UTF-8, which becomes U+FFFD", async () => {
    const drifts = [];
    const body = rows(row(1, { receiver: { hash: HASH, name: "a?é" } }), row(2));
    const bytes = new TextEncoder().encode(body).map((byte) => (byte === 0x3f ? 0xff : byte));
    const { items } = await listWithdrawals(createFetch(bytes), undefined, { onDrift: (drift) => drifts.push(drift) });
    assert.deepEqual(
      items.map(({ index }) => index),
      [1, 2],
    );
    assert.equal(items[0].receiver.name, "a\ufffdé");
    const unexpected = drifts.filter(({ kind }) => kind === "unexpected_value");
    assert.deepEqual(
      unexpected.map(({ field, found }) => [field, found]),
      [["name", "a\ufffdé"]],
    );
  });

  test("is not called for a response that matches the documentation", async () => {
    const drifts = [];
    await listWithdrawals(createFetch(page([2, 1])), undefined, { onDrift: (drift) => drifts.push(drift) });
    assert.deepEqual(drifts, []);
  });
});

describe("badRecords", () => {
  const bad = row(2, { amount: "1.5" });
  const body = rows(row(3), bad, row(1), { index: null });

  test("reject the page by default, with their path", async () => {
    for (const options of [undefined, { badRecords: "throw" }]) {
      const error = await expectError(listWithdrawals(createFetch(body), undefined, options), "decode", {
        path: "items[1].amount",
      });
      assert.match(error.message, /^items\[1\]\.amount: expected an unsigned integer string, found "1\.5"; /);
    }
  });

  test("are omitted with skip, and passed to onBadRecord", async () => {
    const omitted = [];
    const { items } = await listWithdrawals(createFetch(body), undefined, {
      badRecords: "skip",
      onBadRecord: (record) => omitted.push(record),
    });
    assert.deepEqual(indices(items), [3, 1]);
    assert.deepEqual(
      omitted.map(({ path }) => path),
      ["items[1].amount", "items[3].index"],
    );
    assert.deepEqual(omitted[0], {
      block: 5,
      path: "items[1].amount",
      expected: "an unsigned integer string",
      found: '"1.5"',
      raw: JSON.stringify(bad),
    });
    assert.deepEqual(indices((await listWithdrawals(createFetch(body), undefined, { badRecords: "skip" })).items), [3, 1]);
  });

  test("can leave an empty page, and the list continues", async () => {
    const fetch = createFetch(rows(bad).replace('"next_page_params":null', '"next_page_params":{"index":2}'), page([1]));
    assert.deepEqual(indices(await collect(listWithdrawals(fetch, undefined, { badRecords: "skip" }))), [1]);
  });
});

test("exceptions of callbacks become uncaught errors, and do not affect the page", async (t) => {
  const { queueMicrotask: original } = globalThis;
  const uncaught = [];
  t.after(() => {
    globalThis.queueMicrotask = original;
  });
  globalThis.queueMicrotask = (task) =>
    original(() => {
      try {
        task();
      } catch (error) {
        uncaught.push(error);
      }
    });
  const reason = new Error("mine");
  const throwError = () => {
    throw reason;
  };
  const body = rows(row(2, { new_field: 1 }), row("bad"));
  const { items } = await listWithdrawals(createFetch(body), undefined, {
    badRecords: "skip",
    onDrift: throwError,
    onBadRecord: throwError,
  });
  assert.deepEqual(items, [row(2)]);
  assert.ok(uncaught.length >= 2 && uncaught.every((error) => error === reason), String(uncaught));
});

test("callbacks may call the client", async () => {
  const fetch = createFetch(rows(row(1, { new_field: 1 })), page([2]));
  const inner = [];
  const client = new AddressClient({
    baseUrl: BASE,
    fetch,
    onDrift: () => inner.push(client.addressWithdrawals({ address_hash: HASH }).then(({ items }) => indices(items))),
  });
  assert.deepEqual(indices((await client.addressWithdrawals({ address_hash: HASH })).items), [1]);
  assert.deepEqual(await Promise.all(inner), [[2]]);
});
