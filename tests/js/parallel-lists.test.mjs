// Lists whose parts are read in parallel (`concurrency`): the records equal the records of a sequential read.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { AddressClient } from "../../pkg/index.js";
import { createSampleService } from "../../pkg/testing/index.js";
import { createAddressFinder } from "./account-rows.mjs";
import { BASE, HASH, createFetch, expectError, neverRespond, observeFetch } from "./support.mjs";

const TIMEOUT = { timeout: 240_000 };
const PAGE_SIZE = 20;
/** Enough to read several parts. */
const LIMIT = 40 * PAGE_SIZE;

/** Creates a client of the sample service. Also returns its `fetch` function. */
function createClient(service) {
  const fetch = observeFetch(service.fetch);
  return { client: new AddressClient({ baseUrl: BASE, fetch, maxAttempts: 1 }), fetch };
}

/** The lists that are read in parts, with the sample address that has the most records. */
const LISTS = {
  addressLogs: "Token with an oversized block",
  addressTokenTransfers: "Busy smart account",
  addressInternalTransactions: "Busy smart account",
  addressTransactions: "Busy smart account",
  addressWithdrawals: "Busy smart account",
  addressBlocksValidated: "Validator",
  tokenTransfers: null,
  transactions: null,
  internalTransactions: null,
  withdrawals: null,
  blocks: null,
};

for (const backendVersion of [8, 11, 12]) {
  describe(`version ${backendVersion}`, TIMEOUT, () => {
    const service = createSampleService({ backendVersion, pageSize: PAGE_SIZE });
    const findAddress = createAddressFinder(service);
    for (const [method, label] of Object.entries(LISTS)) {
      test(`${method} returns the records of a sequential read`, async () => {
        const read = async (concurrency) => {
          const { client, fetch } = createClient(service);
          const params = label === null ? {} : { address_hash: findAddress(label) };
          const items = await client[method](params, { concurrency }).toArray({ limit: LIMIT });
          return { items, pages: fetch.urls.length, most: fetch.mostInFlight };
        };
        const [sequential, parallel] = [await read(1), await read(4)];
        assert.deepEqual(parallel.items, sequential.items);
        assert.equal(sequential.most, 1);
        assert.ok(parallel.most > 1 || sequential.pages < 3, `${sequential.pages} pages, ${parallel.most} at a time`);
      });
    }
  });
}

describe("a list in parts", TIMEOUT, () => {
  const service = createSampleService({ pageSize: PAGE_SIZE });
  const address_hash = createAddressFinder(service)("Busy smart account");
  const expected = createClient(service).client.addressTransactions({ address_hash }).toArray({ limit: LIMIT });

  test("continues without a gap wherever it is interrupted", async () => {
    let [resume, received] = [null, []];
    for (let run = 0; received.length < LIMIT; run++) {
      const { client } = createClient(service);
      const call = client.addressTransactions({ address_hash }, { resume, concurrency: [4, 1, 2][run % 3] });
      let pages = 0;
      for await (const { items } of call.pages()) {
        received.push(...items);
        resume = call.resumeToken;
        if (resume === null || ++pages > run % 11) break;
      }
      if (resume === null) break;
    }
    assert.deepEqual(received.slice(0, LIMIT), await expected);
  });

  test("sends one request if only the first page is awaited", async () => {
    const { client, fetch } = createClient(service);
    await client.addressTransactions({ address_hash }, { concurrency: 4 });
    assert.equal(fetch.urls.length, 1);
  });

  test("in another order is read with one request at a time", async () => {
    const { client, fetch } = createClient(service);
    await client.addressTransactions({ address_hash, sort: "value" }, { concurrency: 4 }).toArray({ limit: 100 });
    await client.addressTokens({ address_hash }, { concurrency: 4 }).toArray({ limit: 100 });
    assert.equal(fetch.mostInFlight, 1);
  });

  test("is aborted with all its requests", async () => {
    const fetch = createFetch(service.fetch, ...Array(9).fill(neverRespond));
    const controller = new AbortController();
    const client = new AddressClient({ baseUrl: BASE, fetch });
    // Its first page has no pending records, so that parts begin after it. Its cursor shows the version.
    const call = client.addressLogs({ address_hash }, { concurrency: 3, signal: controller.signal });
    const failed = expectError(call.toArray({ limit: LIMIT }), "aborted");
    await fetch.sent(4);
    controller.abort();
    await failed;
    assert.ok(fetch.requests.slice(1).every(({ signal }) => signal.aborted));
  });

  test("checks the option", async () => {
    const { client, fetch } = createClient(service);
    for (const concurrency of [0, 11, 1.5, "2", true]) {
      const call = client.addressTransactions({ address_hash: HASH }, { concurrency });
      const error = await expectError(call.toArray({ limit: 1 }), "invalid_parameter", { parameter: "concurrency" });
      assert.ok(error.message.includes("must be an integer from 1 to 10"), error.message);
    }
    assert.equal(fetch.urls.length, 0);
  });
});
