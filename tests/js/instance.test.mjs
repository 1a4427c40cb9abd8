// `client.instance()`, against all versions of the sample service.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { AddressClient } from "../../pkg/index.js";
import { createSampleService } from "../../pkg/testing/index.js";
import { BASE, createFetch, expectError } from "./support.mjs";

const VERSION_URL = `${BASE}/api/v2/config/backend-version`;
const INSTANCE_URLS = [`${BASE}/api/v2/config/backend`, VERSION_URL, `${BASE}/api/v2/main-page/indexing-status`];
const rejectAction = () => new Response('{"message":"Unknown API v2 action"}', { status: 400 });

/** Creates a client of a sample service, and the list of the URLs that it requests. */
function createSampleClient(backendVersion, options) {
  const service = createSampleService({ backendVersion });
  const urls = [];
  const fetch = (request) => {
    urls.push(request.url);
    return service.fetch(request);
  };
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
    const fetch = createFetch(...Array(3).fill('{"new_field":1}'));
    const options = { baseUrl: BASE, fetch, maxAttempts: 1, onDrift: ({ record, field }) => drifts.push(`${record}.${field}`) };
    const client = new AddressClient(options);
    assert.equal((await client.instance()).backendVersion, null);
    for (const record of ["BackendVersion", "IndexingStatus", "BackendConfig"]) assert.ok(drifts.includes(`${record}.new_field`));
    await expectError(client.instance({ resume: "x" }), "invalid_parameter", { parameter: "resume" });
    await expectError(client.instance({ signal: AbortSignal.abort() }), "aborted");
  });
});
