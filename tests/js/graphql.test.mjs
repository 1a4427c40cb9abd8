// Tests of `client.graphql` against the sample service: the same records as `client.account`, page after page.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { AddressClient, isAddressQueryError } from "../../pkg/index.js";
import { createSampleService } from "../../pkg/testing/index.js";

const BASE = "https://sample.example";
const shared = createSampleService();
const { hash: address } = shared.addresses.find(({ id }) => id === "hub");
const sample = (id) => shared.addresses.find((entry) => entry.id === id).hash;
const createClient = (service = shared, options = {}) =>
  new AddressClient({ baseUrl: BASE, fetch: service.fetch, maxAttempts: 1, ...options });
const client = createClient();

/** Returns the record with these members set to null. */
const withNulls = (record, ...names) => ({ ...record, ...Object.fromEntries(names.map((name) => [name, null])) });
const rejection = (promise) =>
  promise.then(
    () => assert.fail("the call succeeded"),
    (error) => error,
  );

describe("graphql", () => {
  test("txList has the records of account.txList, in both orders", async () => {
    for (const id of ["hub", "deep"]) {
      for (const sort of [undefined, "asc", "desc"]) {
        const params = { address: sample(id), sort };
        const records = await client.graphql.txList(params).toArray({ limit: 22 });
        const { items } = await client.account.txList({ ...params, page: 1, offset: 22 });
        assert.deepEqual(
          records,
          items.map((item) => withNulls(item, "confirmations", "methodId")),
        );
      }
    }
  });

  test("tokenTx has the records of account.tokenTx, and the transfers of NFTs without a value", async () => {
    const token = (await client.account.tokenTx({ address, page: 1, offset: 1 })).items[0].contractAddress;
    for (const params of [{ address }, { contractaddress: token }]) {
      const records = await client.graphql.tokenTx(params).toArray({ limit: 40 });
      const { items } = await client.account.tokenTx({ ...params, page: 1, offset: 40 });
      const contracts = new Set(items.map((item) => item.contractAddress));
      const fungible = records.filter((record) => contracts.has(record.contractAddress));
      const expected = items.map((item) => withNulls(item, "confirmations", "methodId", "functionName"));
      assert.ok(fungible.length > 5);
      assert.deepEqual(fungible, expected.slice(0, fungible.length));
    }
  });

  test("txListInternal has the records of account.txListInternal, including records without value", async () => {
    const { items } = await client.account.txListInternal({ address, page: 1, offset: 500 });
    // A transaction with more than one page of calls.
    const { transactionHash: txhash } = items.find((item) => Number(item.index) > 5);
    const expected = (await client.account.txListInternal({ txhash, include_zero_value: true })).items;
    assert.ok(expected.length > 5);
    const records = await client.graphql.txListInternal({ txhash }).toArray({ limit: 100 });
    assert.deepEqual(
      records,
      expected.map((item) => withNulls(item, "timeStamp")),
    );
  });

  test("balances equal the account module's", async () => {
    const hashes = shared.addresses.map(({ hash }) => hash).filter((hash) => hash !== sample("overloaded"));
    const balances = await client.graphql.balanceMulti({ address: hashes });
    assert.deepEqual(
      balances.map(({ account }) => account),
      hashes,
    );
    assert.ok(balances.every(({ stale }) => stale === false));
    assert.equal(
      await client.graphql.balance({ address: sample("whale") }),
      await client.account.balance({ address: sample("whale") }),
    );
    assert.equal(balances[hashes.indexOf(sample("whale"))].balance, String(2n ** 256n - 1n));
    assert.equal(await client.graphql.balance({ address: `0x${"5a".repeat(20)}` }), null);
  });

  test("pages follow cursors, and a token continues after a page", async () => {
    const urls = [];
    const fetch = (request) => {
      urls.push([request.method, request.url, request.headers.get("content-type"), request.headers.get("x-api-key")]);
      return shared.fetch(request);
    };
    const counting = new AddressClient({ baseUrl: `${BASE}/prefix`, fetch, apiKey: "secret-key" });
    const first = await counting.graphql.txList({ address });
    assert.equal(first.items.length, 4);
    assert.deepEqual(first.next_page_params, { after: btoa("arrayconnection:3") });
    const second = await counting.graphql.txList({ address }, { resume: first.resumeToken });
    const eight = await client.graphql.txList({ address }).toArray({ limit: 8 });
    assert.deepEqual([...first.items, ...second.items], eight);
    const request = ["POST", `${BASE}/prefix/api/v1/graphql`, "application/json", "secret-key"];
    assert.deepEqual(urls, [request, request]);
  });

  test("an address that is not known has an empty list", async () => {
    const page = await client.graphql.txList({ address: `0x${"5a".repeat(20)}` });
    assert.deepEqual([page.items, page.next_page_params, page.resumeToken], [[], null, null]);
  });

  test("refusals have a code and say what to do", async () => {
    for (const [graphqlMaxComplexity, code] of [
      [0, "disabled"],
      [50, "too_complex"],
    ]) {
      const refusing = createClient(createSampleService({ graphqlMaxComplexity }));
      const error = await rejection(refusing.graphql.txList({ address }).toArray({ limit: 1 }));
      assert.ok(isAddressQueryError(error));
      assert.deepEqual([error.code, error.retryable], [code, false], error.message);
      assert.match(error.message, /use the methods of client\.account$/);
    }
    const error = await rejection(client.graphql.txList({ address: "0x12" }));
    assert.deepEqual([error.code, error.parameter], ["invalid_parameter", "address"]);
    const options = await rejection(client.graphql.balanceMulti({ address }, { untilFresh: true }));
    assert.equal(options.code, "invalid_parameter");
  });

  test("faults are retried, and a record of a wrong type is an error", async () => {
    const faults = { rate: 0.3, seed: 4 };
    const retrying = createClient(createSampleService({ faults }), { maxAttempts: 10, timeoutMs: 300 });
    const records = await retrying.graphql.txList({ address }).toArray({ limit: 40 });
    assert.deepEqual(records, await client.graphql.txList({ address }).toArray({ limit: 40 }));
    const repeating = createClient(createSampleService({ faults: { rate: 1, kinds: ["repeated_cursor"] } }));
    const error = await rejection(repeating.graphql.txList({ address }).toArray({ limit: 40 }));
    assert.deepEqual([error.code, error.partial.length], ["cursor", 4]);
    const spoiled = createClient(createSampleService({ faults: { rate: 1, kinds: ["wrong_type"] } }));
    assert.equal((await rejection(spoiled.graphql.txList({ address }).pages().next())).code, "decode");
  });

  test("hostile strings stay strings, and nothing drifts", async () => {
    const drift = [];
    const strict = createClient(shared, { onDrift: (entry) => drift.push(entry) });
    const params = { address: sample("hostile") };
    const records = await strict.graphql.tokenTx(params).toArray({ limit: 100 });
    const { items } = await client.account.tokenTx(params);
    const names = new Set(records.map((record) => record.tokenName));
    assert.ok(items.length > 0);
    for (const { tokenName } of items) assert.ok(names.has(tokenName));
    await strict.graphql.txList({ address }).toArray({ limit: 20 });
    assert.deepEqual(drift, []);
  });
});
