// Lists that are read oldest first (`order: "asc"`): they have the records of the list in reverse.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { AddressClient } from "../../pkg/index.js";
import { createSampleService } from "../../pkg/testing/index.js";
import { createAddressFinder } from "./account-rows.mjs";
import { cacheResponses, BASE, HASH } from "./support.mjs";

const service = cacheResponses(createSampleService({ backendVersion: 11, pageSize: 50 }));
const findAddress = createAddressFinder(service);
const client = new AddressClient({ baseUrl: BASE, fetch: service.fetch, maxAttempts: 1 });
const producer = { address_hash: findAddress("Validator") };
const busy = { address_hash: findAddress("Busy smart account") };
const ALL = { limit: 100_000 };

/** The lists that are short enough to read all of them. */
const LISTS = {
  addressWithdrawals: busy,
  addressCoinBalanceHistory: busy,
  addressBlocksValidated: producer,
};

for (const [method, params] of Object.entries(LISTS)) {
  test(`${method} returns the records in reverse`, async () => {
    const newestFirst = await client[method](params).toArray(ALL);
    assert.ok(newestFirst.length > 0);
    assert.deepEqual(await client[method](params, { order: "asc" }).toArray(ALL), newestFirst.reverse());
  });
}

describe("a list of more pages than are held", () => {
  const read = (options) => client.addressBlocksValidated(producer, { order: "asc", ...options });

  test("continues after any page with its token", async () => {
    const expected = await read().toArray(ALL);
    assert.ok(expected.length > 150 * 50);
    for (const pages of [1, 50, 101]) {
      const heights = [];
      let resume;
      let count = 0;
      for await (const page of read().pages()) {
        assert.equal(page.next_page_params, null);
        heights.push(...page.items.map(({ height }) => height));
        resume = page.resumeToken;
        if (++count === pages) break;
      }
      const rest = await read({ resume }).toArray(ALL);
      const all = [...heights, ...rest.map(({ height }) => height)];
      assert.deepEqual(
        all,
        expected.map(({ height }) => height),
      );
    }
  });

  test("has the first blocks on the page that is awaited", async () => {
    const [first] = await read().toArray({ limit: 1 });
    const page = await read({ fromBlock: first.height, toBlock: first.height });
    assert.deepEqual([page.items, page.resumeToken], [[first], null]);
  });

  test("continues where a request failed", async () => {
    let requests = 0;
    const fetch = (request) => (++requests % 70 === 0 ? new Response("", { status: 500 }) : service.fetch(request));
    const failing = new AddressClient({ baseUrl: BASE, fetch, maxAttempts: 1 });
    const expected = await read().toArray(ALL);
    const found = [];
    let resume;
    for (let calls = 0; resume !== null; calls++) {
      assert.ok(calls < 40, "each call starts again");
      const call = failing.addressBlocksValidated(producer, { order: "asc", resume });
      resume = null;
      try {
        for await (const block of call) found.push(block);
      } catch (error) {
        assert.equal(error.code, "http_status");
        resume = error.resumeToken;
      }
    }
    assert.deepEqual(found, expected);
  });
});

test("incompatible options are refused", async () => {
  const address_hash = HASH;
  for (const [parameter, list] of [
    ["order", client.addressNft({ address_hash }, { order: "asc" })],
    ["order", client.addressTransactions({ address_hash, sort: "value", order: "desc" }, { order: "asc" })],
    ["order", client.addressLogs({ address_hash }, { order: "up" })],
    ["fromBlock", client.addressLogs({ address_hash }, { fromBlock: 5 })],
    ["toBlock", client.addressLogs({ address_hash }, { order: "desc", toBlock: 5 })],
    ["fromBlock", client.addressLogs({ address_hash }, { order: "asc", fromBlock: 6, toBlock: 5 })],
  ]) {
    await assert.rejects(list, { code: "invalid_parameter", parameter });
  }
});
