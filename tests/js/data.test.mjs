// What is given out: plain data, however hostile; extra fields, drift and bad records as the caller chose.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { AddressClient } from "../../pkg/index.js";
import { createSampleService } from "../../pkg/testing/index.js";
import { BASE, HASH, collect, failure, indices, page, row, rows, scripted, withdrawals } from "./support.mjs";

const POLLUTING = "{\"__proto__\":{\"polluted\":true},\"constructor\":{\"prototype\":{\"polluted\":true}},\"toString\":\"x\",\"a\":[{\"__proto__\":1}]}";

function unpolluted() {
  assert.equal({}.polluted, undefined);
  assert.deepEqual(Object.keys(Object.prototype), []);
  assert.equal(typeof {}.toString, "function");
}

/** One NFT whose metadata is this JSON. */
const nft = (metadata, more = "") =>
  `{"id":"1","token":{"address_hash":"${HASH}"},"metadata":${metadata}${more}}`;
const nfts = (answer, options) => new AddressClient({ baseUrl: BASE, fetch: scripted(answer), maxAttempts: 1, ...options }).addressNft({ address_hash: HASH });

describe("hostile data", () => {
  test("free JSON stays data, whatever its keys", async () => {
    const { items: [{ metadata }] } = await nfts(`{"items":[${nft(POLLUTING)}]}`);
    assert.deepEqual(Object.keys(metadata), ["__proto__", "constructor", "toString", "a"]);
    assert.equal(JSON.stringify(metadata), POLLUTING);
    assert.equal(Object.getPrototypeOf(metadata), Object.prototype);
    assert.equal(metadata.polluted, undefined);
    unpolluted();
  });

  test("unknown fields stay data, dropped or kept", async () => {
    const answer = `{"items":[${nft("null", `,"__proto__":${POLLUTING},"hasOwnProperty":1`)}],"__proto__":{"polluted":true}}`;
    const dropped = await nfts(answer);
    assert.equal("extra" in dropped.items[0], false);
    assert.equal(Object.getPrototypeOf(dropped.items[0]), Object.prototype);
    const { items: [kept] } = await nfts(answer, { keepExtra: true });
    assert.deepEqual(Object.keys(kept.extra), ["__proto__", "hasOwnProperty"]);
    assert.equal(kept.polluted, undefined);
    unpolluted();
  });

  test("a cursor stays data", async () => {
    const fetch = scripted("{\"items\":[],\"next_page_params\":{\"__proto__\":\"x\",\"index\":12345678901234567890}}");
    const { next_page_params: cursor } = await withdrawals(fetch);
    assert.deepEqual(Object.entries(cursor), [["__proto__", "x"], ["index", "12345678901234567890"]]);
    unpolluted();
  });

  test("texts come as they were sent", async () => {
    const texts = ["<img src=x onerror=alert(1)>", "\u0000\u001f\u007f", "\u202Eevil", "😀é", "\\\"/", "x".repeat(100_000), "0123456789ab", "0123456789abc", ""];
    const { items } = await nfts(`{"items":[${texts.map((text) => nft("null", `,"image_url":${JSON.stringify(text)}`))}]}`);
    assert.deepEqual(items.map(({ image_url }) => image_url), texts);
  });

  test("the sample service's hostile names change nothing", async () => {
    for (const backendVersion of [8, 11, 12]) {
      const service = createSampleService({ backendVersion });
      const { hash } = service.addresses.find(({ label }) => label === "Hostile names");
      const client = new AddressClient({ baseUrl: "https://sample.example", fetch: service.fetch });
      for (const name of ["addressNft", "addressLogs", "addressTokenTransfers"]) await collect(client[name]({ address_hash: hash }));
      unpolluted();
    }
  });
});

test("pages survive structuredClone and JSON, and share nothing", async () => {
  const service = createSampleService();
  const client = new AddressClient({ baseUrl: "https://sample.example", fetch: service.fetch });
  const address_hash = service.addresses[0].hash;
  for (const call of [client.addresses(), client.addressNft({ address_hash }), client.addressLogs({ address_hash }), client.addressTokenTransfers({ address_hash })]) {
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
  const answer = rows(row(1, { new_field: { deep: [1, "two"] }, other: null }), row(2));

  test("keeps fields that are not documented, where there are any", async () => {
    const { items } = await withdrawals(scripted(answer), undefined, { keepExtra: true });
    assert.deepEqual(items, [{ ...row(1), extra: { new_field: { deep: [1, "two"] }, other: null } }, row(2)]);
  });

  test("is off by default", async () => {
    assert.deepEqual((await withdrawals(scripted(answer))).items, [row(1), row(2)]);
  });
});

test("a value that nests too deep costs its record only", async () => {
  const log = (index, value) => {
    const decoded = { method_call: "f()", method_id: "ddf252ad", parameters: [{ name: "x", type: "uint256[]", indexed: false, value: "?" }] };
    const hash = `0x${"ab".repeat(32)}`;
    const json = { address_hash: { hash: HASH }, data: "0x", index, block_number: 1, topics: [], transaction_hash: hash, block_hash: hash, decoded };
    return JSON.stringify(json).replace("\"?\"", value);
  };
  const body = `{"items":[${log(1, "[7]")},${log(2, "[".repeat(128) + "]".repeat(128))},${log(3, "[8]")}]}`;
  const logs = (options) => new AddressClient({ baseUrl: BASE, fetch: scripted(body), ...options }).addressLogs({ address_hash: HASH });
  await failure(logs(), "decode", { path: "items[1].decoded.parameters[0].value" });
  const skipped = [];
  const { items } = await logs({ badRecords: "skip", onBadRecord: (record) => skipped.push(record.path) });
  assert.deepEqual(indices(items), [1, 3]);
  assert.deepEqual(skipped, ["items[1].decoded.parameters[0].value"]);
});

describe("onDrift", () => {
  const drifting = rows(row(1, { new_field: 5, index: "1" }), row(2, { new_field: 6, index: "2" }));
  const expected = [
    { kind: "coerced_type", record: "Withdrawal", field: "index", found: "1" },
    { kind: "unknown_field", record: "Withdrawal", field: "new_field", found: "5" },
  ];
  const sorted = (drifts) => [...drifts].sort((a, b) => (a.kind < b.kind ? -1 : 1));

  test("hears of each shape once in a list", async () => {
    const drifts = [];
    const again = drifting.replace("\"next_page_params\":null", "\"next_page_params\":{\"index\":1}");
    await collect(withdrawals(scripted(again, drifting), undefined, { onDrift: (drift) => drifts.push(drift) }));
    assert.deepEqual(sorted(drifts), expected);
  });

  test("hears of each shape once in a client", async () => {
    const drifts = [];
    const client = new AddressClient({ baseUrl: BASE, fetch: scripted(drifting, drifting.replaceAll("5", "7")), onDrift: (drift) => drifts.push(drift) });
    await client.addressWithdrawals({ address_hash: HASH });
    await client.addressWithdrawals({ address_hash: HASH });
    assert.deepEqual(sorted(drifts), expected);
  });

  test("hears of missing fields and unknown labels", async () => {
    const drifts = [];
    const change = { transaction_hash: null, block_number: 1, delta: "-5", value: "5" };
    const client = new AddressClient({ baseUrl: BASE, fetch: scripted(rows(change)), onDrift: (drift) => drifts.push(drift) });
    const { items } = await client.addressCoinBalanceHistory({ address_hash: HASH });
    assert.deepEqual(items, [{ ...change, block_timestamp: null }]);
    assert.deepEqual(drifts, [{ kind: "missing_field", record: "CoinBalanceChange", field: "block_timestamp", found: "nothing" }]);
    const labels = [];
    await nfts(`{"items":[${nft("null", ",\"token_type\":\"ERC-9999\"")}]}`, { onDrift: (drift) => labels.push(drift) });
    const { kind, record, field, found } = labels.find(({ kind }) => kind === "unknown_value");
    assert.deepEqual([kind, record, field, found], ["unknown_value", "NftInstance", "token_type", "ERC-9999"]);
  });

  test("hears of values that the specification allows, which are passed on as sent", async () => {
    const drifts = [];
    const { items } = await withdrawals(scripted(rows(row(1, { amount: "-1" }))), undefined, { onDrift: (drift) => drifts.push(drift) });
    assert.equal(items[0].amount, "-1");
    assert.deepEqual(drifts, [{ kind: "unexpected_value", record: "Withdrawal", field: "amount", found: "-1" }]);
  });

  test("hears of bytes that are no UTF-8, which become U+FFFD", async () => {
    const drifts = [];
    const body = rows(row(1, { receiver: { hash: HASH, name: "a?é" } }), row(2));
    const bytes = new TextEncoder().encode(body).map((byte) => (byte === 0x3f ? 0xff : byte));
    const { items } = await withdrawals(scripted(bytes), undefined, { onDrift: (drift) => drifts.push(drift) });
    assert.deepEqual(items.map(({ index }) => index), [1, 2]);
    assert.equal(items[0].receiver.name, "a\ufffdé");
    const unexpected = drifts.filter(({ kind }) => kind === "unexpected_value");
    assert.deepEqual(unexpected.map(({ field, found }) => [field, found]), [["name", "a\ufffdé"]]);
  });

  test("hears nothing of an answer as documented", async () => {
    const drifts = [];
    await withdrawals(scripted(page([2, 1])), undefined, { onDrift: (drift) => drifts.push(drift) });
    assert.deepEqual(drifts, []);
  });
});

describe("badRecords", () => {
  const bad = row(2, { amount: "1.5" });
  const answer = rows(row(3), bad, row(1), { index: null });

  test("fail the page by default, with the place", async () => {
    for (const options of [undefined, { badRecords: "throw" }]) {
      const error = await failure(withdrawals(scripted(answer), undefined, options), "decode", { path: "items[1].amount" });
      assert.match(error.message, /^items\[1\]\.amount: expected an unsigned integer as text, found "1\.5"; /);
    }
  });

  test("are left out and told of with skip", async () => {
    const left = [];
    const { items } = await withdrawals(scripted(answer), undefined, { badRecords: "skip", onBadRecord: (record) => left.push(record) });
    assert.deepEqual(indices(items), [3, 1]);
    assert.deepEqual(left.map(({ path }) => path), ["items[1].amount", "items[3].index"]);
    assert.deepEqual(left[0], { path: "items[1].amount", expected: "an unsigned integer as text", found: "\"1.5\"", raw: JSON.stringify(bad) });
    assert.deepEqual(indices((await withdrawals(scripted(answer), undefined, { badRecords: "skip" })).items), [3, 1]);
  });

  test("on a whole page leave an empty one, and the list goes on", async () => {
    const answers = scripted(rows(bad).replace("\"next_page_params\":null", "\"next_page_params\":{\"index\":2}"), page([1]));
    assert.deepEqual(indices(await collect(withdrawals(answers, undefined, { badRecords: "skip" }))), [1]);
  });
});

test("hooks that throw surface on their own, and do not break the page", async (t) => {
  const { queueMicrotask: real } = globalThis;
  const surfaced = [];
  t.after(() => {
    globalThis.queueMicrotask = real;
  });
  globalThis.queueMicrotask = (task) =>
    real(() => {
      try {
        task();
      } catch (error) {
        surfaced.push(error);
      }
    });
  const reason = new Error("mine");
  const thrower = () => {
    throw reason;
  };
  const answer = rows(row(2, { new_field: 1 }), row("bad"));
  const { items } = await withdrawals(scripted(answer), undefined, { badRecords: "skip", onDrift: thrower, onBadRecord: thrower });
  assert.deepEqual(items, [row(2)]);
  assert.ok(surfaced.length >= 2 && surfaced.every((error) => error === reason), String(surfaced));
});

test("hooks may call the client again", async () => {
  const fetch = scripted(rows(row(1, { new_field: 1 })), page([2]));
  const inner = [];
  const client = new AddressClient({ baseUrl: BASE, fetch, onDrift: () => inner.push(client.addressWithdrawals({ address_hash: HASH }).then(({ items }) => indices(items))) });
  assert.deepEqual(indices((await client.addressWithdrawals({ address_hash: HASH })).items), [1]);
  assert.deepEqual(await Promise.all(inner), [[2]]);
});
