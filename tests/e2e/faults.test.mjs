// Tests the package in a real browser over HTTP while 30 % of the requests fail: no record may be lost or duplicated.
import assert from "node:assert/strict";
import { test } from "node:test";
import { startSampleServer } from "../sample-server.mjs";
import { openDemo } from "./demo-page.mjs";

test("reads lists, balances and a block range completely despite faults", async (t) => {
  const service = await startSampleServer({ pageSize: 200, faults: { seed: 5, rate: 0.3 } });
  t.after(() => service.close());
  const { page } = await openDemo(t);
  const { transfers, expectedTransfers, rangeRowCount, hasAllBalances, eventKinds } = await page.evaluate(readAll, service.url);
  assert.deepEqual(transfers, expectedTransfers);
  assert.ok(transfers.length > 100 && rangeRowCount > 100, `${transfers.length} transfers, ${rangeRowCount} rows`);
  assert.ok(hasAllBalances);
  assert.ok(
    ["request", "response", "retry"].every((kind) => eventKinds.includes(kind)),
    eventKinds.join(),
  );
});

/** Runs in the browser, so it cannot use anything from outside this function. */
async function readAll(baseUrl) {
  const { AddressClient } = await import("/pkg/index.js");
  const { createSampleService } = await import("/pkg/testing/index.js");
  const sample = createSampleService({ pageSize: 200 });
  const address_hash = sample.addresses.find(({ label }) => label === "Busy smart account").hash;
  const eventKinds = new Set();
  const onEvent = ({ kind }) => eventKinds.add(kind);
  const client = new AddressClient({ baseUrl, timeoutMs: 1_500, maxAttempts: 20, maxWaitMs: 500, onEvent });

  /** Collects all items. Resumes from the token after errors that the client does not retry. */
  const collect = async (startIteration) => {
    const items = [];
    for (let resume, failures = 0; failures < 40; failures += 1) {
      const iteration = startIteration({ resume });
      try {
        for await (const page of iteration.pages?.() ?? iteration.windows()) {
          items.push(...(page.items ?? page));
          resume = iteration.resumeToken;
        }
        return items;
      } catch (error) {
        if (!["http_status", "cursor"].includes(error.code)) throw error;
        resume = error.resumeToken ?? resume;
      }
    }
    throw new Error("too many failures");
  };
  const toKey = ({ transaction_hash, log_index }) => `${transaction_hash} ${log_index}`;
  const transfers = await collect((options) => client.addressTokenTransfers({ address_hash }, options));
  const rangeRows = await collect((options) => client.account.tokenTx.all({ address: address_hash, sort: "asc" }, options));
  const hashes = sample
    .getAllItems("/addresses")
    .slice(0, 30)
    .map(({ hash }) => hash);
  const balances = await client.account.balanceMulti({ address: hashes });
  return {
    transfers: transfers.map(toKey),
    expectedTransfers: sample.getAllItems(`/addresses/${address_hash}/token-transfers`).map(toKey),
    rangeRowCount: rangeRows.length,
    hasAllBalances: balances.map(({ account }) => account).join() === hashes.join(),
    eventKinds: [...eventKinds],
  };
}
