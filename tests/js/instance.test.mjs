// `client.instance()`, and failures that the version of the instance explains, against all versions of the sample service.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { AddressClient } from "../../pkg/index.js";
import { createSampleService } from "../../pkg/testing/index.js";
import { BASE, HASH, collect, createFetch, expectError, neverRespond, observeFetch } from "./support.mjs";

const VERSION_URL = `${BASE}/api/v2/config/backend-version`;
const INSTANCE_URLS = [`${BASE}/api/v2/config/backend`, VERSION_URL, `${BASE}/api/v2/main-page/indexing-status`];
const rejectAction = () => new Response('{"message":"Unknown API v2 action"}', { status: 400 });

/** Creates a client of a sample service, and the list of the URLs that it requests. */
function createSampleClient(backendVersion, options) {
  const service = createSampleService({ backendVersion, firstTracedBlock: 200_000 });
  const fetch = observeFetch(service.fetch);
  const { urls } = fetch;
  return { client: new AddressClient({ baseUrl: BASE, fetch, ...options }), urls };
}

describe("instance()", () => {
  for (const [backendVersion, version, chainType] of [
    [8, "v8.1.2", null],
    [11, "v11.2.7", "ethereum"],
    [12, "v12.0.1", "ethereum"],
  ]) {
    test(`returns what version ${backendVersion} states`, async () => {
      const { client, urls } = createSampleClient(backendVersion);
      const info = {
        backendVersion: version,
        chainType,
        finishedIndexing: false,
        finishedIndexingBlocks: true,
        indexedBlocksRatio: 1,
        indexedInternalTransactionsRatio: 0.99,
      };
      assert.deepEqual(await client.instance(), info);
      assert.deepEqual(urls.sort(), INSTANCE_URLS);
      // The result is cached, and a copy.
      (await client.instance()).chainType = "changed";
      assert.deepEqual(await client.instance(), info);
      assert.equal(urls.length, 3);
    });
  }

  test("is a plain promise, and concurrent calls share their requests", async () => {
    const { client, urls } = createSampleClient(11);
    const calls = [client.instance(), client.instance({ timeoutMs: 1000 })];
    assert.equal(calls[0].constructor, Promise);
    const [one, two] = await Promise.all(calls);
    assert.deepEqual(one, two);
    assert.equal(urls.length, 3);
  });

  test("rejects if no request succeeds", async () => {
    const fetch = createFetch(rejectAction, rejectAction, rejectAction);
    const client = new AddressClient({ baseUrl: BASE, fetch, maxAttempts: 1 });
    await expectError(client.instance(), "http_status", { status: 400, url: VERSION_URL });
  });

  test("reports drift, and rejects unknown options and aborted signals", async () => {
    const drifts = [];
    const fetch = createFetch(
      ...Array(3).fill('{"backend_version":null,"finished_indexing":null,"chain_type":null,"new_field":1}'),
    );
    const options = { baseUrl: BASE, fetch, maxAttempts: 1, onDrift: ({ record, field }) => drifts.push(`${record}.${field}`) };
    const client = new AddressClient(options);
    assert.equal((await client.instance()).backendVersion, null);
    for (const record of ["BackendVersion", "IndexingStatus", "BackendConfig"]) assert.ok(drifts.includes(`${record}.new_field`));
    await expectError(client.instance({ resume: "x" }), "invalid_parameter", { parameter: "resume" });
    await expectError(client.instance({ signal: AbortSignal.abort() }), "aborted");
  });
});

describe("an operation that the instance does not have", () => {
  const operations = {
    addressBeaconDeposits: ["9.1.0", (client) => client.addressBeaconDeposits({ address_hash: HASH })],
    token1155Tx: ["9.0.0", (client) => client.account.token1155Tx({ address: HASH })],
    token404Tx: ["9.0.0", (client) => collect(client.account.token404Tx.all({ address: HASH }))],
  };
  for (const [operation, [sinceVersion, call]] of Object.entries(operations)) {
    test(operation, async () => {
      const { client, urls } = createSampleClient(8);
      const error = await expectError(call(client), "unsupported_version", {
        operation,
        parameter: undefined,
        sinceVersion,
        backendVersion: "8.1.2",
        status: 400,
        retryable: false,
      });
      assert.match(error.message, new RegExp(`^${operation} requires backend version ${sinceVersion} or later`));
      assert.equal(urls.length, 2);
      assert.equal(urls[1], VERSION_URL);
      for (const version of [11, 12]) {
        const later = createSampleClient(version);
        await call(later.client);
        assert.ok(!later.urls.includes(VERSION_URL));
      }
    });
  }
});

describe("a parameter that the instance does not have", () => {
  const calls = {
    addressInternalTransactions: (client) => client.addressInternalTransactions({ address_hash: HASH, include_zero_value: true }),
    internalTransactions: (client) => collect(client.internalTransactions({ include_zero_value: false })),
  };
  for (const [operation, call] of Object.entries(calls)) {
    test(operation, async () => {
      const details = {
        operation,
        parameter: "include_zero_value",
        sinceVersion: "12.0.0",
        backendVersion: "11.2.7",
        status: 422,
      };
      const error = await expectError(call(createSampleClient(11).client), "unsupported_version", details);
      assert.deepEqual(JSON.parse(JSON.stringify(error)).sinceVersion, "12.0.0");
    });
  }

  test("is not an error where the instance ignores it or has it", async () => {
    for (const version of [8, 12]) {
      const { client, urls } = createSampleClient(version);
      await calls.addressInternalTransactions(client);
      assert.equal(urls.length, 1);
    }
  });
});

describe("the request of the version", () => {
  const listDeposits = (fetch, options) =>
    new AddressClient({ baseUrl: BASE, fetch, maxAttempts: 1 }).addressBeaconDeposits({ address_hash: HASH }, options);

  test("ends with the call", async () => {
    const fetch = createFetch(rejectAction, neverRespond);
    const controller = new AbortController();
    const rejected = expectError(listDeposits(fetch, { signal: controller.signal }), "aborted");
    const { signal } = await fetch.sent(2);
    controller.abort();
    await rejected;
    assert.ok(signal.aborted);
  });

  test("leaves the original failure unchanged if it fails too", async () => {
    const failing = createSampleService({
      backendVersion: 8,
      faults: { script: [{ match: "/config/", fault: "internal_server_error", times: Number.POSITIVE_INFINITY }] },
    });
    const error = await expectError(listDeposits(failing.fetch), "http_status", { status: 400, sinceVersion: undefined });
    assert.match(error.message, /Unknown API v2 action/);
  });
});
