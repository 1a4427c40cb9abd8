// Tests of the versions of the sample service: page sizes, version 9, rollups, and a service that changes while it is read.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { createSampleService } from "../pkg/testing/index.js";
import { assertSameItems, parseCursor, readAllPages, request } from "./sample-requests.mjs";

const services = Object.fromEntries(
  [8, 9, 11, 12].map((backendVersion) => [backendVersion, createSampleService({ backendVersion })]),
);
const findHash = (id) => services[11].addresses.find((address) => address.id === id).hash;
const hub = findHash("hub");

/** The lists of the address `hub`, and of the whole chain. */
const LISTS = [
  ...["transactions", "token-transfers", "internal-transactions", "logs", "blocks-validated", "coin-balance-history"],
  ...["withdrawals", "beacon/deposits", "celo/election-rewards", "tokens", "nft", "nft/collections"],
]
  .map((name) => `/addresses/${hub}/${name}`)
  .concat("/addresses", "/token-transfers", "/internal-transactions", "/transactions", "/blocks", "/withdrawals");
/** Versions 9 to 11 do not declare `items_count` for this list. */
const UNDECLARED = "/token-transfers";
/** Paths without pages. */
const LOOKUPS = ["token-balances", "coin-balance-history-by-day", "counters", "tabs-counters"].map(
  (name) => `/addresses/${hub}/${name}`,
);

const requestVersion = (version, path, query) => request(services[version], path, query);

describe("items_count", () => {
  for (const path of LISTS) {
    test(`is the page size in version 12, and in no cursor: ${path.replace(hub, "hub")}`, async () => {
      const all = (await requestVersion(12, path)).body.items.length;
      for (const size of [1, 3]) {
        const { body, text } = await requestVersion(12, path, { items_count: size });
        assert.ok(body.items.length <= size);
        assert.equal(body.next_page_params === null, all <= size);
        assert.ok(!("items_count" in (parseCursor(text) ?? {})));
      }
    });
  }

  test("is cut to 100 in version 12, and 50 by default", async () => {
    const path = `/addresses/${hub}/withdrawals`;
    const countItems = async (query) => (await requestVersion(12, path, query)).body.items.length;
    assert.deepEqual(
      await Promise.all(["", "items_count=100", "items_count=101", "items_count=9999"].map(countItems)),
      [50, 100, 100, 100],
    );
    const limited = createSampleService({ backendVersion: 12, maxPageSize: 70 });
    assert.equal((await request(limited, path, { items_count: 100 })).body.items.length, 70);
    const { pages, items } = await readAllPages(limited, path, { items_count: 100 });
    assert.ok(pages.slice(0, -1).every(({ length }) => length === 70));
    assertSameItems(items, limited.getAllItems(path));
  });

  test("must be sent for every page in version 12", async () => {
    const path = `/addresses/${hub}/withdrawals`;
    const { text } = await requestVersion(12, path, { items_count: 100 });
    assert.equal((await requestVersion(12, path, parseCursor(text))).body.items.length, 50);
  });

  test("is 422 in version 12 if it is below 1 or not an integer, and for paths without pages", async () => {
    for (const value of ["0", "-1", "x", "1.5", ""])
      assert.equal((await requestVersion(12, LISTS[0], { items_count: value })).status, 422, value);
    for (const path of LOOKUPS) {
      const { status, body } = await requestVersion(12, path, { items_count: 50 });
      assert.deepEqual([status, body.errors?.[0].detail], [422, "Unexpected field: items_count"], path);
    }
  });

  for (const version of [9, 11]) {
    test(`has no effect in version ${version}, where more than 50 is 422`, async () => {
      for (const path of LISTS.filter((path) => path !== UNDECLARED)) {
        assert.equal((await requestVersion(version, path, { items_count: 100 })).status, 422, path);
        const [plain, sized] = await Promise.all([{}, { items_count: 2 }].map((query) => requestVersion(version, path, query)));
        assert.equal(sized.text, plain.text, path);
        const { items_count } = parseCursor(plain.text) ?? {};
        if (items_count !== undefined) assert.equal(Number(items_count), 50);
      }
    });

    test(`is 422 for ${UNDECLARED} in version ${version}, whatever its value`, async () => {
      for (const items_count of [1, 50, 100]) {
        const { status, body } = await requestVersion(version, UNDECLARED, { items_count });
        assert.deepEqual([status, body.errors[0].detail], [422, "Unexpected field: items_count"]);
      }
    });
  }
});

describe("cursors", () => {
  test("carry items_count up to version 11 for all lists but token transfers, and the order of a list only there", async () => {
    const path = `/addresses/${hub}/transactions`;
    const query = { sort: "value", order: "desc", key: "secret" };
    for (const version of [9, 11]) {
      const cursor = parseCursor((await requestVersion(version, path, query)).text);
      assert.deepEqual([cursor.items_count, cursor.sort, cursor.order, cursor.key], ["50", "value", "desc", "secret"]);
      const transfers = parseCursor((await requestVersion(version, `/addresses/${hub}/token-transfers`)).text);
      assert.ok(!("items_count" in transfers));
    }
    const cursor = parseCursor((await requestVersion(12, path, query)).text);
    for (const name of ["items_count", "sort", "order", "key"]) assert.ok(!(name in cursor), name);
    const filtered = await requestVersion(12, `/addresses/${hub}/token-transfers`, { filter: "to" });
    assert.equal(parseCursor(filtered.text).filter, "to");
  });
});

describe("version 9", () => {
  const longPages = createSampleService({ backendVersion: 9, pageSize: 20 * 50 });

  for (const path of LISTS) {
    test(`has the items in its pages: ${path.replace(hub, "hub")}`, async () => {
      // The lists of the whole chain are too long to read in every version.
      const isLong = !path.startsWith("/addresses/");
      const expected = isLong ? (await request(longPages, path)).body.items : services[9].getAllItems(path);
      assertSameItems((await readAllPages(services[9], path, {}, {}, isLong ? 20 : Number.POSITIVE_INFINITY)).items, expected);
    });
  }

  test("rejects unknown parameters, which version 8 ignores", async () => {
    assert.equal((await requestVersion(9, LISTS[0], { page: 2 })).status, 422);
    assert.equal((await requestVersion(8, LISTS[0], { page: 2 })).status, 200);
  });

  test("has the members that later versions dropped, and lacks those that they added", () => {
    const [transaction] = services[9].getAllItems(`/addresses/${hub}/transactions`);
    assert.ok("actions" in transaction && !("fhe_operations_count" in transaction) && !("tx_burnt_fee" in transaction));
    const [internal] = services[9].getAllItems(`/addresses/${hub}/internal-transactions`);
    assert.ok("block_index" in internal);
    const [log] = services[9].getAllItems(`/addresses/${hub}/logs`);
    assert.ok(!("block_timestamp" in log));
    const [transfer] = services[9].getAllItems(`/addresses/${hub}/token-transfers`);
    assert.ok("token_type" in transfer && "reputation" in transfer.token);
    assert.ok(!("circulating_supply" in transfer.token) && !("address" in transfer.token));
  });

  test("does not say that internal transactions are missing", async () => {
    const path = `/api?module=account&action=txlistinternal&address=${findHash("lagging")}`;
    const readStatus = async (version) => (await (await services[version].fetch(path)).json()).status;
    assert.deepEqual(await Promise.all([9, 11].map(readStatus)), ["1", "2"]);
  });
});

describe("the stated version", () => {
  const read = async (service) => (await request(service, "/config/backend-version")).body.backend_version;

  test("is the backend's, another one, or none", async () => {
    assert.deepEqual(await Promise.all([8, 9, 11, 12].map((version) => read(services[version]))), [
      "v8.1.2",
      "v9.3.2",
      "v11.2.7",
      "v12.0.1",
    ]);
    assert.equal(await read(createSampleService({ versionName: null })), null);
    assert.equal(await read(createSampleService({ versionName: "v12.1.0-beta.+commit.1a2b3c" })), "v12.1.0-beta.+commit.1a2b3c");
    assert.equal(await read(createSampleService({ backendVersion: 12, chainType: "optimism" })), "v12.0.2");
  });
});

describe("a rollup", () => {
  const rollups = Object.fromEntries(
    [11, 12].map((backendVersion) => [backendVersion, createSampleService({ backendVersion, chainType: "optimism" })]),
  );
  const path = `/addresses/${hub}/transactions`;
  const L1_ROW_FIELDS = ["L1FeeScalar", "L1FeesPaid", "L1Gas", "L1GasPrice"];
  const listL1Fields = (row) => Object.keys(row).filter((name) => /^l1/i.test(name));

  for (const version of [11, 12]) {
    test(`states the fee for data on layer 1 beside the whole fee in REST, version ${version}`, () => {
      const items = rollups[version].getAllItems(path);
      const mined = items.filter(({ block_number }) => block_number !== null);
      for (const { fee, gas_used, gas_price, l1_fee, l1_fee_scalar, l1_gas_price, l1_gas_used, ...rest } of mined) {
        assert.equal(BigInt(fee.value), BigInt(gas_used) * BigInt(gas_price) + BigInt(l1_fee));
        assert.ok(BigInt(l1_fee) > 0n);
        const scaled = BigInt(l1_gas_used) * BigInt(l1_gas_price) * BigInt(Math.round(l1_fee_scalar * 1000));
        assert.equal(BigInt(l1_fee), scaled / 1000n);
        assert.equal(BigInt(rest.transaction_burnt_fee) + BigInt(rest.priority_fee), BigInt(gas_used) * BigInt(gas_price));
      }
      const pending = items.filter(({ block_number }) => block_number === null);
      assert.ok(pending.length > 0 && pending.every(({ l1_fee }) => l1_fee === null));
    });
  }

  test("states it in the account module from version 12 on", () => {
    const rows = rollups[12].getAllRows("txlist", { address: hub });
    const l1Fees = new Map(rollups[12].getAllItems(path).map(({ hash, l1_fee }) => [hash, l1_fee]));
    for (const row of rows) {
      assert.deepEqual(listL1Fields(row).sort(), L1_ROW_FIELDS);
      assert.equal(row.L1FeesPaid, l1Fees.get(row.hash));
    }
    assert.ok(rollups[11].getAllRows("txlist", { address: hub }).every((row) => listL1Fields(row).length === 0));
  });

  test("has balances that are the sums of its events, with the whole fee", async () => {
    for (const id of ["hub", "whale"]) {
      const account = findHash(id).toLowerCase();
      let sum = 0n;
      for (const { token, from, to, amount, success, fee } of rollups[12].getEvents(account)) {
        if (token !== null) continue;
        const moved = success ? amount : 0n;
        sum += (to === account ? moved : 0n) - (from === account ? moved : 0n) - fee;
      }
      const { body } = await request(rollups[12], `/addresses/${account}`);
      assert.equal(sum, BigInt(body.coin_balance), id);
    }
  });

  test("has the whole fee in the events of the sender", () => {
    const fees = new Map(rollups[12].getAllItems(path).map(({ hash, fee }) => [hash, fee.value]));
    const sent = rollups[12].getEvents(hub).filter(({ kind, from }) => kind === "transaction" && from === hub.toLowerCase());
    assert.ok(sent.length > 50);
    for (const { transaction_hash, fee } of sent) assert.equal(String(fee), fees.get(transaction_hash));
  });

  test("is of chain type optimism; other chains state no such fee", async () => {
    assert.equal((await request(rollups[11], "/config/backend")).body.chain_type, "optimism");
    assert.equal((await requestVersion(11, "/config/backend")).body.chain_type, "ethereum");
    assert.ok(services[12].getAllItems(path).every((item) => listL1Fields(item).length === 0));
    assert.ok(services[12].getAllRows("txlist", { address: hub }).every((row) => listL1Fields(row).length === 0));
  });
});

describe("a service that changes while it is read", () => {
  const path = `/addresses/${hub}/internal-transactions`;

  test("keeps its data and the blocks that were added", async () => {
    const service = createSampleService({ backendVersion: 11 });
    service.grow(2);
    const before = service.getAllItems(path).map(({ transaction_hash }) => transaction_hash);
    service.reconfigure({ backendVersion: 12 });
    assert.deepEqual(
      service.getAllItems(path).map(({ transaction_hash }) => transaction_hash),
      before,
    );
    assert.equal((await request(service, "/config/backend-version")).body.backend_version, "v12.0.1");
  });

  test("continues a cursor of the other version, and checks items_count like the new one", async () => {
    const service = createSampleService({ backendVersion: 11 });
    const all = service.getAllItems(path).map(({ index, transaction_hash }) => [transaction_hash, index]);
    const items = [];
    let query = {};
    for (const [version, items_count] of [
      [11, undefined],
      [12, 100],
      [12, 100],
      [11, undefined],
    ]) {
      service.reconfigure({ backendVersion: version });
      const { status, body, text } = await request(service, path, items_count ? { ...query, items_count } : query);
      assert.equal(status, 200);
      items.push(...body.items);
      query = parseCursor(text);
    }
    assert.equal(items.length, 300);
    assert.deepEqual(
      items.map(({ index, transaction_hash }) => [transaction_hash, index]),
      all.slice(0, 300),
    );
    assert.equal((await request(service, path, { ...query, items_count: 100 })).status, 422);
  });

  test("keeps the options that are not changed, and rejects invalid changes without an effect", async () => {
    const service = createSampleService({ backendVersion: 12, pageSize: 10 });
    service.reconfigure({ maxPageSize: 20 });
    const countItems = async (query) => (await request(service, path, query)).body.items.length;
    assert.deepEqual([await countItems({}), await countItems({ items_count: 100 })], [10, 20]);
    for (const changes of [{ seed: 2 }, { chainType: "optimism" }, { faults: {} }]) {
      assert.throws(() => service.reconfigure(changes), /^RangeError: \w+ cannot be changed/);
    }
    assert.throws(() => service.reconfigure({ pageSize: 30 }), /maxPageSize must be at least pageSize, which is 30, got 20/);
    assert.throws(() => service.reconfigure({ page_size: 5 }), /unknown option page_size/);
    assert.deepEqual([await countItems({}), await countItems({ items_count: 100 })], [10, 20]);
  });
});

test("invalid options are rejected", () => {
  for (const [options, message] of [
    [{ maxPageSize: 40 }, /maxPageSize must be at least pageSize, which is 50, got 40/],
    [{ maxPageSize: 0 }, /maxPageSize must be a positive integer, got 0/],
    [{ chainType: "arbitrum" }, /chainType must be one of ethereum, optimism, got arbitrum/],
    [{ backendVersion: 10 }, /backendVersion must be one of 8, 9, 11, 12, got 10/],
  ]) {
    assert.throws(() => createSampleService(options), { name: "RangeError", message });
  }
});
