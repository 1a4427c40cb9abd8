// Histories and audits of instances that have not indexed the whole chain: an empty list proves nothing there.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { auditBalance, history } from "../../pkg/history/index.js";
import { AddressClient } from "../../pkg/index.js";
import { createSampleService } from "../../pkg/testing/index.js";
import { Source } from "../../target/parts/history/source.js";
import { createAddress, createHash, ScriptedService, HEAD } from "./service.mjs";
import { collect } from "./support.mjs";

const [A, B] = ["a1", "b2"].map(createAddress);
const [ONE, TWO] = ["11", "22"].map(createHash);

const createClient = (chain) =>
  new AddressClient({ baseUrl: "https://small.invalid", fetch: new ScriptedService(chain).fetch, maxPerSecond: 1000 });
const createEvent = (kind, block, hash, from, to, more) => ({ kind, block, hash, from, to, ...more });

describe("an instance that has not indexed the chain", () => {
  const events = [createEvent("transaction", 90, ONE, B, A, { value: "1000" })];
  const call = createEvent("internal_transaction", 100, TWO, B, A, { value: "5", type: "call", index: 1 });
  const lagging = { finished_indexing: false, finished_indexing_blocks: true, indexed_internal_transactions_ratio: "0.42" };
  const read = async (chain, params) => {
    const call = history(createClient(chain), { address_hash: A, ...params });
    await collect(call);
    const { complete, sources } = call.report;
    return {
      complete,
      unverified: sources.filter(({ unverified }) => unverified).map(({ kind, unverified }) => [kind, unverified]),
    };
  };
  const all = { from: 0, to: HEAD };

  for (const order of ["asc", "desc"]) {
    test(`is not complete, ${order}`, async () => {
      const missing = { complete: false, unverified: [["internal_transaction", all]] };
      for (const status of [lagging, null, {}, { finished_indexing: false, finished_indexing_blocks: true }]) {
        assert.deepEqual(await read({ events, status }, { order }), missing, JSON.stringify(status));
      }
      assert.deepEqual(await read({ events: [...events, call], status: lagging }, { order }), missing);
      assert.deepEqual(await read({ events, status: lagging }, { order, from: 50, to: 60 }), {
        complete: false,
        unverified: [["internal_transaction", { from: 50, to: 60 }]],
      });
      const blocks = await read({ events, status: { finished_indexing_blocks: false } }, { order, include: ["transaction"] });
      assert.deepEqual(blocks, { complete: false, unverified: [["transaction", all]] });
    });

    test(`is complete if its status or its records show it, ${order}`, async () => {
      const complete = { complete: true, unverified: [] };
      assert.deepEqual(await read({ events }, { order }), complete);
      assert.deepEqual(await read({ events, status: { finished_indexing: true } }, { order }), complete);
      assert.deepEqual(await read({ events: [...events, call], status: null }, { order }), complete);
      assert.deepEqual(await read({ events, status: lagging }, { order, include: ["transaction"] }), complete);
    });
  }

  test("verifies none of the blocks of a source whose range is refused after its first records", async () => {
    const drafts = [{ event: { block_number: 100 }, index: 0 }];
    const createReader = (next) => ({
      method: "txListInternal",
      stream: { start: null, reasons: [], omitted: { count: 0, first: [] }, next },
      createDraft: (item) => item,
    });
    const answers = [drafts, null];
    const reader = createReader(async () => {
      const items = answers.shift();
      if (items) return items;
      throw Object.assign(new Error("refused"), { code: "http_status", status: 403 });
    });
    const bounds = Promise.resolve({ from: 0, to: HEAD });
    const context = { bounds, isAscending: true, recipients: { addProven() {} }, getStatus: async () => lagging };
    const source = new Source(
      "internal_transaction",
      { ...reader, createFallback: () => createReader(async () => null) },
      null,
      context,
    );
    while ((await source.next()) !== null);
    assert.deepEqual(source.report.unverified, all);
  });

  test("is the reason that an audit names", async () => {
    const client = createClient({ events, status: lagging, balances: { [A]: "1005" } });
    const { native } = await auditBalance(client, { address_hash: A });
    assert.deepEqual([native.agrees, native.reasons], [false, ["pruned_traces", "not_indexed"]]);
    const balanced = await auditBalance(createClient({ events, balances: { [A]: "1000" } }), { address_hash: A });
    assert.deepEqual([balanced.balanced, balanced.report.complete], [true, true]);
  });

  test("is imitated by the sample service", async () => {
    for (const backendVersion of [8, 11, 12]) {
      const service = createSampleService({ backendVersion, firstTracedBlock: 23_700_000 });
      const client = new AddressClient({ baseUrl: "https://sample.invalid", fetch: service.fetch, maxPerSecond: 1000 });
      const { hash } = service.addresses.find(({ id }) => id === "settlement");
      const expected = service.getEvents(hash, 23_700_000).filter(({ kind }) => kind === "internal_transaction");
      for (const order of ["asc", "desc"]) {
        const call = history(client, { address_hash: hash, order, include: ["internal_transaction"] });
        assert.equal((await collect(call)).length, expected.length);
        assert.equal(call.report.complete, false);
        assert.notEqual(call.report.sources[0].unverified, null);
      }
    }
  });
});
