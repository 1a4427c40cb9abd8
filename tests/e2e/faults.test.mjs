// The package in a real browser, over real HTTP, while 30 % of the requests go wrong: every record once.
import assert from "node:assert/strict";
import { test } from "node:test";
import { startService } from "../service.mjs";
import { useBrowser } from "./browse.mjs";

const open = useBrowser();

test("lists, balances and a range are read whole through faults", async (t) => {
  const service = await startService({ pageSize: 200, faults: { seed: 5, rate: 0.3 } });
  t.after(() => service.close());
  const { page } = await open(t);
  const { transfers, block, balances, events } = await page.evaluate(async (baseUrl) => {
    const { AddressClient } = await import("/pkg/index.js");
    const { createSampleService } = await import("/pkg/testing/index.js");
    const sample = createSampleService({ pageSize: 200 });
    const address_hash = sample.addresses.find(({ label }) => label === "Busy smart account").hash;
    const events = [];
    const client = new AddressClient({
      baseUrl, timeoutMs: 1_500, maxAttempts: 20, maxWaitMs: 500, onEvent: ({ kind }) => events.push(kind),
    });
    /** Goes on from the token when a fault is one that is not tried again. */
    const whole = async (open) => {
      const items = [];
      for (let resume, failures = 0; failures < 40; failures += 1) {
        const reading = open({ resume });
        try {
          for await (const page of reading.pages?.() ?? reading.windows()) {
            items.push(...(page.items ?? page));
            resume = reading.resumeToken;
          }
          return items;
        } catch (error) {
          if (!["http_status", "cursor"].includes(error.code)) throw error;
          resume = error.resumeToken ?? resume;
        }
      }
      throw new Error("too many failures");
    };
    const key = ({ transaction_hash, log_index }) => `${transaction_hash} ${log_index}`;
    const read = await whole((options) => client.addressTokenTransfers({ address_hash }, options));
    const truth = sample.truth(`/addresses/${address_hash}/token-transfers`);
    const rows = await whole((options) => client.account.tokenTx.all({ address: address_hash, sort: "asc" }, options));
    const hashes = sample.truth("/addresses").slice(0, 30).map(({ hash }) => hash);
    const balances = await client.account.balanceMulti({ address: hashes });
    return {
      transfers: [read.map(key), truth.map(key)],
      block: rows.length,
      balances: balances.map(({ account }) => account).join() === hashes.join(),
      events: [...new Set(events)].sort(),
    };
  }, service.url);
  assert.deepEqual(transfers[0], transfers[1]);
  assert.ok(transfers[0].length > 100 && block > 100, `${transfers[0].length} transfers, ${block} rows`);
  assert.ok(balances);
  assert.ok(["request", "response", "retry"].every((kind) => events.includes(kind)), events.join());
});
