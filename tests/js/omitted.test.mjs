// `badRecords: "skip"`: pages, lists, reports, exports and audits say which records were omitted, and omissions do not look like
// changes of the chain.
import assert from "node:assert/strict";
import { beforeEach, describe, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { AddressClient } from "../../pkg/index.js";
import { auditBalance, history, toCsv, watch } from "../../pkg/history/index.js";
import { createSampleService } from "../../pkg/testing/index.js";
import { cacheResponses, collect, createEditedClient, createFetch, expectError, listWithdrawals, row, rows } from "./support.mjs";

const SKIP = { badRecords: "skip" };
const service = cacheResponses(createSampleService({ pageSize: 500 }));
const findAddress = (id) => service.addresses.find((address) => address.id === id).hash;
const [deep, settlement] = ["deep", "settlement"].map(findAddress);
const NONE = { count: 0, first: [] };

/** Creates a client that omits bad records. `edit` changes the JSON of a response, by its URL. */
const createClient = (edit) => createEditedClient(service, edit, SKIP);

const getAction = (url) => url.searchParams.get("action");
const damageRow = (row) => {
  row.from = "0x12";
};
/** Damages the row with this hash, and the record of REST. */
const createDamage = (hash) => (url, body) => {
  if (getAction(url) === "txlist") body.result?.filter((row) => row.hash === hash).forEach(damageRow);
  if (url.pathname.endsWith("/transactions")) for (const item of body.items) if (item.hash === hash) item.value = "1.5";
};

describe("lists", () => {
  const bad = row(2, { amount: "1.5" });
  const place = (path, block = 5) => ({ source: "addressWithdrawals", block, path });
  const fetchPages = () =>
    createFetch(
      rows(row(3), bad).replace('"next_page_params":null', '"next_page_params":{"index":2}'),
      rows(row(1), { index: null }, bad),
    );
  const expected = { count: 3, first: [place("items[1].amount"), place("items[1].index", null), place("items[2].amount")] };

  test("a page says which records it lacks", async () => {
    assert.deepEqual((await listWithdrawals(createFetch(rows(row(1))), undefined, SKIP)).omitted, NONE);
    const { omitted } = await listWithdrawals(createFetch(rows(row(1), bad)), undefined, SKIP);
    assert.deepEqual(omitted, { count: 1, first: [place("items[1].amount")] });
  });

  test("a list adds up the omissions of the pages that were read", async () => {
    const call = listWithdrawals(fetchPages(), undefined, SKIP);
    assert.deepEqual(call.omitted, NONE);
    const counts = [];
    for await (const _ of call) counts.push(call.omitted.count);
    assert.deepEqual(counts, [1, 3]);
    assert.deepEqual(call.omitted, expected);
  });

  test("a collected array has them in a non-enumerable property", async () => {
    const items = await listWithdrawals(fetchPages(), undefined, SKIP).toArray({ limit: 10 });
    assert.equal(items.length, 2);
    assert.deepEqual(items.omitted, expected);
    assert.deepEqual(Object.keys(items), ["0", "1"]);
  });

  test("the records of a failed call say so too", async () => {
    const page = rows(row(3), bad).replace('"next_page_params":null', '"next_page_params":{"index":2}');
    const fetch = createFetch(page, () => new Response("{}", { status: 404 }));
    const error = await expectError(listWithdrawals(fetch, undefined, SKIP).toArray({ limit: 10 }), "http_status");
    assert.deepEqual(error.partial.omitted, { count: 1, first: [place("items[1].amount")] });
  });

  test("at most 100 places are listed", async () => {
    const { omitted } = await listWithdrawals(createFetch(rows(...Array(120).fill(bad))), undefined, SKIP);
    assert.deepEqual([omitted.count, omitted.first.length, omitted.first[99].path], [120, 100, "items[99].amount"]);
  });
});

describe("ranges", { timeout: 120_000 }, () => {
  const transactions = service.getAllRows("txlist", { address: deep, sort: "asc" });
  // A part of four responses.
  const endblock = Number(transactions[32_000].blockNumber);
  const all = transactions.filter(({ blockNumber }) => Number(blockNumber) <= endblock);
  const [first] = all;

  test("the result of one request has the omitted rows", async () => {
    const { account } = createClient(createDamage(first.hash));
    const { items, omitted } = await account.txList({ address: deep, sort: "asc", offset: 10, page: 1 });
    assert.equal(items.length, 9);
    assert.deepEqual(omitted, {
      count: 1,
      first: [{ source: "txList", block: Number(first.blockNumber), path: "result[0].from" }],
    });
  });

  for (const concurrency of [1, 4]) {
    test(`a report counts each omitted row once and is incomplete, ${concurrency} at a time`, async () => {
      // Rows of the last block of the first response are read twice.
      const bad = [first, all[9_999], all[10_000], all[30_000]];
      const hashes = new Set(bad.map(({ hash }) => hash));
      const damaged = all.filter(({ hash }) => hashes.has(hash));
      const { account } = createClient((_, body) => body.result?.filter?.(({ hash }) => hashes.has(hash)).forEach(damageRow));
      const call = account.txList.all({ address: deep, endblock, sort: "asc" }, { concurrency });
      const items = await call.toArray({ limit: 100_000 });
      const { complete, omitted, changedBlocks, records } = call.report;
      assert.deepEqual([items.length, records], [all.length - damaged.length, all.length - damaged.length]);
      assert.deepEqual([complete, omitted.count, changedBlocks], [false, damaged.length, []]);
      assert.deepEqual(
        omitted.first.map(({ source, block }) => [source, block]),
        damaged.map(({ blockNumber }) => ["txList", Number(blockNumber)]),
      );
      assert.deepEqual(items.omitted, omitted);
    });

    test(`rows that are bad in one response do not look like a change of the chain, ${concurrency} at a time`, async () => {
      let responses = 0;
      const { account } = createClient((_, { result }) => {
        // Another response also has the blocks at both ends of this one.
        responses += 1;
        if (Array.isArray(result) && result.length > 1) damageRow(result.at(responses % 2 === 0 ? 0 : -1));
      });
      const call = account.txList.all({ address: deep, endblock, sort: "asc" }, { concurrency });
      const items = await call.toArray({ limit: 100_000 });
      const { changedBlocks, omitted, incompleteBlocks } = call.report;
      assert.deepEqual([changedBlocks, incompleteBlocks], [[], []]);
      assert.ok(omitted.count > 0);
      assert.equal(items.length + omitted.count, all.length);
    });
  }
});

describe("history", { timeout: 120_000 }, () => {
  const transactions = service.getAllRows("txlist", { address: settlement, sort: "asc" });
  const bad = transactions[Math.floor(transactions.length / 2)];
  const block = Number(bad.blockNumber);
  const client = createClient(createDamage(bad.hash));

  for (const [order, source] of [
    ["asc", "txList"],
    ["desc", "addressTransactions"],
  ]) {
    test(`a report with an omitted record is incomplete, ${order}`, async () => {
      const call = history(client, { address_hash: settlement, order });
      const events = await collect(call);
      assert.ok(events.every(({ kind, transaction_hash }) => kind !== "transaction" || transaction_hash !== bad.hash));
      const { complete, omitted, sources } = call.report;
      assert.deepEqual([complete, omitted.count], [false, 1]);
      assert.deepEqual([omitted.first[0].source, omitted.first[0].block], [source, block]);
      const [incomplete, ...others] = sources.filter(({ state }) => state !== "complete");
      assert.deepEqual([incomplete.kind, others], ["transaction", []]);
      assert.deepEqual(incomplete.reasons, ["1 records were omitted"]);
      assert.deepEqual(incomplete.omitted, omitted);
    });

    test(`records outside the blocks of a history are not counted, ${order}`, async () => {
      const call = history(client, { address_hash: settlement, order, include: ["transaction"], to: block - 1 });
      await collect(call);
      assert.deepEqual([call.report.complete, call.report.omitted], [true, NONE]);
    });

    test(`an export has the omitted records of its source, ${order}`, async () => {
      const progress = [];
      const stream = toCsv(history(client, { address_hash: settlement, order }), {
        onProgress: ({ omitted }) => progress.push(omitted.count),
      });
      await new Response(stream).text();
      assert.deepEqual([stream.omitted.count, stream.omitted.first[0].block, progress.at(-1)], [1, block, 1]);
    });
  }

  test("a record that was omitted before a history fell back to REST is counted once", async () => {
    // The last rows of a response are held back until it is known that their block has no more.
    const { length } = transactions;
    const refusedAt = Math.floor(length / 2);
    const last = Number(transactions[refusedAt - 1].blockNumber);
    const inLast = transactions.filter(({ blockNumber }) => Number(blockNumber) === last).map(({ hash }) => hash);
    const before = transactions.findLast(({ blockNumber }) => Number(blockNumber) < last).hash;
    for (const damaged of [[before], inLast, [before, ...inLast]]) {
      let requests = 0;
      const edit = (url, body) => {
        for (const hash of damaged) createDamage(hash)(url, body);
        if (getAction(url) === "txlist") body.result = body.result.slice(0, refusedAt);
      };
      const refusing = {
        fetch: (request) =>
          getAction(new URL(request.url)) === "txlist" && requests++ > 0
            ? Response.json({ message: "API key required" }, { status: 403 })
            : service.fetch(request),
      };
      const client = createEditedClient(refusing, edit, SKIP);
      const call = history(client, { address_hash: settlement, order: "asc", include: ["transaction"], concurrency: 1 });
      const events = await collect(call);
      assert.deepEqual([events.length, call.report.omitted.count], [length - damaged.length, damaged.length]);
      assert.match(call.report.sources[0].replaced, /^txList: /);
    }
  });

  test("an export of a list or an array has them too", async () => {
    const list = () => client.addressTransactions({ address_hash: settlement });
    for (const source of [list(), await list().toArray({ limit: 100_000 })]) {
      const stream = toCsv(source, { columns: ["hash"] });
      await new Response(stream).text();
      assert.equal(stream.omitted.count, 1);
    }
    const range = client.account.txList.all({ address: settlement });
    const stream = toCsv(range, { columns: ["hash"] });
    await new Response(stream).text();
    assert.equal(stream.omitted.count, 1);
    assert.deepEqual(toCsv([{ a: 1 }], { columns: ["a"] }).omitted, NONE);
  });

  test("the report of a watch has the omitted records of the blocks that it reads again", async () => {
    const call = watch(client, { address_hash: settlement, since: block - 1000 });
    assert.equal(call.report, null);
    const iterator = call[Symbol.asyncIterator]();
    // The report belongs to the poll, which ends after its last event.
    while (call.report === null) await Promise.race([iterator.next(), delay(50)]);
    await iterator.return();
    assert.deepEqual([call.report.complete, call.report.omitted.count, call.report.omitted.first[0].block], [false, 1, block]);
  });

  test("an audit names omitted records as a reason", async () => {
    const value = transactions.find(({ value, isError }) => value !== "0" && isError === "0");
    const audit = await auditBalance(createClient(createDamage(value.hash)), { address_hash: settlement });
    assert.equal(audit.native.agrees, false);
    assert.ok(audit.native.reasons.includes("omitted_records"), audit.native.reasons.join());
    assert.deepEqual([audit.omitted.count, audit.omitted.first[0].block], [1, Number(value.blockNumber)]);
  });
});

describe("records that the service cannot serve", { timeout: 120_000 }, () => {
  const items = service.getAllItems(`/addresses/${settlement}/transactions`);
  const bad = items[Math.floor(items.length / 2)];
  const { block_number: block } = bad;
  // Without random delays, retries have no backoff.
  beforeEach((t) => t.mock.method(Math, "random", () => 0));

  for (const backendVersion of [11, 12]) {
    const sample = createSampleService({ backendVersion, unservedRecords: [bad.hash] });
    const client = new AddressClient({ baseUrl: "https://sample.invalid", fetch: sample.fetch, maxPerSecond: 1000, ...SKIP });
    const place = { source: "addressTransactions", block, path: "items" };

    test(`a list continues after one, version ${backendVersion}`, async () => {
      const call = client.addressTransactions({ address_hash: settlement });
      const collected = await call.toArray({ limit: 100_000 });
      const hashes = collected.map(({ hash }) => hash);
      assert.deepEqual(collected.omitted, { count: 1, first: [place] });
      assert.deepEqual(call.omitted, collected.omitted);
      const missing = items.filter(({ hash }) => !hashes.includes(hash));
      assert.ok(missing.some(({ hash }) => hash === bad.hash));
      if (backendVersion === 12) assert.equal(missing.length, 1);
      assert.ok(missing.length <= 50 && missing.every((item) => item.block_number >= block));
      assert.deepEqual(new Set(hashes).size, hashes.length);
      assert.equal(hashes.at(-1), items.at(-1).hash);
    });

    test(`a history continues after one, and is incomplete, version ${backendVersion}`, async () => {
      const call = history(client, { address_hash: settlement, order: "desc", include: ["transaction"] });
      const events = await collect(call);
      assert.equal(events.at(-1).transaction_hash, items.at(-1).hash);
      const { complete, omitted, sources } = call.report;
      assert.deepEqual([complete, omitted], [false, { count: 1, first: [place] }]);
      assert.deepEqual(sources[0].reasons, ["at least 1 records were omitted"]);
    });

    test(`a history that may lack newer records says so, version ${backendVersion}`, async () => {
      const bounds = { order: "desc", include: ["transaction"] };
      const read = async (blocks) => {
        const call = history(client, { address_hash: settlement, ...bounds, ...blocks });
        await collect(call);
        return [call.report.complete, call.report.omitted.count];
      };
      assert.deepEqual(await read({ to: block - 1 }), [true, 0]);
      assert.deepEqual(await read({ from: block }), [false, 1]);
    });
  }

  test("without skip the error says how to continue", async () => {
    const { fetch } = createSampleService({ unservedRecords: [bad.hash] });
    const client = new AddressClient({ baseUrl: "https://sample.invalid", fetch, maxPerSecond: 1000 });
    const error = await expectError(
      client.addressTransactions({ address_hash: settlement }).toArray({ limit: 1e6 }),
      "http_status",
    );
    assert.match(error.message, /; if only this page fails, badRecords: "skip" continues after it$/);
    assert.deepEqual([error.status, error.attempts], [500, 3]);
    assert.ok(error.resumeToken);
  });
});
