// all(): every row of a range of blocks, past the 10,000 that one request reaches, each exactly once.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { describe, test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { AddressClient } from "../../pkg/index.js";
import { createSampleService } from "../../pkg/testing/index.js";
import { accountOf, addressesOf, assertRows } from "./rows.mjs";
import { BASE, HASH, collect, deferred, failure, hang, page, scripted, settle, withdrawals } from "./support.mjs";

const LIMIT = { timeout: 60_000 };
const service = createSampleService();
const at = addressesOf(service);
const [deep, crowded, lagging] = ["Deep history", "Token with an oversized block", "Unprocessed calls"].map(at);
const CROWDED_BLOCK = 22_222_222;
const NOTHING = { complete: true, incompleteBlocks: [], unprocessed: [], changedBlocks: [], nextBlock: null, responseLimit: null };

const truths = { asc: service.getAllRows("txlist", { address: deep, sort: "asc" }) };
truths.desc = truths.asc.toReversed();
const deepCall = (options, more) => {
  const { account, urls } = accountOf(service, more);
  return { reading: account.txList.all({ address: deep, sort: "asc" }, options), urls, account };
};
/** A part of it: four windows. */
const PART = { address: deep, endblock: 20_000_000 };
const partOf = (sort) => truths[sort].filter(({ blockNumber }) => Number(blockNumber) <= PART.endblock);
const queryOf = (url) => Object.fromEntries(new URL(url).searchParams);
/** Rows whatever their order. */
const sorted = (rows) => {
  const keyed = rows.map((row) => ({ row, key: [row.blockNumber, row.hash, row.from, row.to, row.value].join() }));
  return keyed.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0)).map(({ row }) => row);
};

describe("all()", LIMIT, () => {
  for (const sort of ["asc", "desc"]) {
    test(`gives 60,000 transactions, ${sort}`, async () => {
      const { account, urls } = accountOf(service);
      const reading = account.txList.all({ address: deep, sort });
      assert.deepEqual([reading.report, reading.resumeToken], [null, null]);
      await settle();
      assert.equal(urls.length, 0, "nothing is sent before it is iterated");
      assertRows(await collect(reading), truths[sort]);
      assert.ok(urls.length <= 8, `${urls.length} requests`);
      assert.deepEqual(reading.report, { ...NOTHING, windows: urls.length, requests: urls.length, records: 60_000 });
      assert.equal(reading.resumeToken, null);
    });
  }

  test("gives the newest first unless asked otherwise", async () => {
    const { account } = accountOf(service);
    assertRows(await account.txList.all({ address: deep }).toArray({ limit: 10 }), truths.desc.slice(0, 10));
  });

  test("keeps to its blocks", async () => {
    for (const sort of ["asc", "desc"]) {
      const range = { startblock: 9_500_000, endblock: 19_003_000 };
      const { account, urls } = accountOf(service);
      const reading = account.txList.all({ address: deep, sort, ...range });
      const wanted = truths[sort].filter(({ blockNumber }) => Number(blockNumber) >= range.startblock && Number(blockNumber) <= range.endblock);
      assert.ok(wanted.length > 10_000);
      assertRows(await collect(reading), wanted);
      for (const { startblock, endblock } of urls.map(queryOf)) {
        assert.ok(Number(startblock) >= range.startblock && Number(endblock) <= range.endblock, `${startblock} to ${endblock}`);
      }
      assert.equal(reading.report.complete, true);
    }
    const { account } = accountOf(service);
    const nothing = account.txList.all({ address: deep, endblock: 5 });
    assert.deepEqual(await collect(nothing), []);
    assert.deepEqual(nothing.report, { ...NOTHING, windows: 1, requests: 1, records: 0 });
  });

  test("gives every action's rows", async () => {
    const hub = at("Busy smart account");
    for (const action of ["txListInternal", "tokenTx", "tokenNftTx", "token1155Tx", "token404Tx"]) {
      const wanted = service.getAllRows(action.toLowerCase(), { address: hub, sort: "asc" });
      assert.ok(wanted.length > 0);
      assertRows(await collect(accountOf(service).account[action].all({ address: hub, sort: "asc" })), wanted);
    }
  });
});

describe("a block of 10,500 rows", LIMIT, () => {
  const read = async (sort, between = (_, send) => send()) => {
    const { account, urls } = accountOf(service, { fetch: (request) => between(queryOf(request.url), () => service.fetch(request)) });
    const reading = account.tokenTx.all({ contractaddress: crowded, sort });
    return { rows: await collect(reading), report: reading.report, urls };
  };
  const truth = service.getAllRows("tokentx", { contractaddress: crowded });
  const inBlock = (rows) => rows.filter(({ blockNumber }) => Number(blockNumber) === CROWDED_BLOCK);

  test("is read page by page, equal rows included", async () => {
    for (const sort of ["asc", "desc"]) {
      const { rows, report, urls } = await read(sort);
      assertRows(sorted(rows), sorted(truth));
      assert.ok(new Set(rows.map((row) => JSON.stringify(row))).size < rows.length, "some rows are equal");
      assert.deepEqual(report, { ...NOTHING, windows: report.windows, requests: urls.length, records: 13_500 });
    }
  });

  test("is reported where the service gives no more of it", async () => {
    const refuse = { message: "Result window is too large", result: null, status: "0" };
    for (const [first, reason] of [[() => Response.json(refuse), "Result window is too large"], [undefined, "the same rows for every page"]]) {
      const { rows, report } = await read("asc", ({ page, offset, startblock }, send) => {
        if (page !== "2" || offset !== undefined) return send();
        return first?.() ?? service.fetch(`${BASE}/api?module=account&action=tokentx&contractaddress=${crowded}&sort=asc&startblock=${startblock}&endblock=${startblock}`);
      });
      assertRows(rows.filter((row) => Number(row.blockNumber) !== CROWDED_BLOCK), truth.toReversed().filter((row) => Number(row.blockNumber) !== CROWDED_BLOCK));
      assert.equal(inBlock(rows).length, 10_000);
      const [{ reason: said, ...block }, ...more] = report.incompleteBlocks;
      assert.deepEqual([block, more], [{ block: CROWDED_BLOCK, records: 10_000 }, []]);
      assert.ok(said.includes(reason), said);
      assert.deepEqual([report.complete, report.records], [false, 13_000]);
    }
  });
});

describe("a proxy that gives fewer rows than it is asked for", LIMIT, () => {
  const limited = (limit) => (request) => {
    const url = new URL(request.url);
    if (Number(url.searchParams.get("offset")) > limit) url.searchParams.set("offset", String(limit));
    return service.fetch(url.href);
  };

  test("costs no row, and the report names its limit", async () => {
    for (const limit of [1_000, 9_999]) {
      for (const sort of ["asc", "desc"]) {
        const { account } = accountOf(service, { fetch: limited(limit) });
        const reading = account.txList.all({ ...PART, sort });
        const windows = await collect(reading.windows());
        assertRows(windows.flat(), partOf(sort));
        assert.ok(windows.every(({ length }) => length > 0 && length <= limit));
        assert.deepEqual([reading.report.complete, reading.report.responseLimit], [true, limit]);
      }
    }
  });

  test("costs no row of a reading that is resumed", async () => {
    const { account } = accountOf(service, { fetch: limited(1_000) });
    const range = { ...PART, endblock: Number(truths.asc[2_500].blockNumber), sort: "desc" };
    const wanted = truths.desc.filter(({ blockNumber }) => Number(blockNumber) <= range.endblock);
    const given = [];
    let resume;
    do {
      const reading = account.txList.all(range, { resume, prefetch: 0 });
      for await (const window of reading.windows()) {
        given.push(...window);
        break;
      }
      resume = reading.resumeToken;
    } while (resume !== null);
    assert.ok(given.length > 2_000);
    assertRows(given, wanted);
  });
});

test("a short range costs one request more than an empty one", LIMIT, async () => {
  for (const [range, requests] of [[{ endblock: 5 }, 1], [{ endblock: Number(truths.asc[0].blockNumber) }, 2], [{ endblock: Number(truths.asc[500].blockNumber) }, 2]]) {
    const { account, urls } = accountOf(service);
    const reading = account.txList.all({ address: deep, ...range });
    assertRows(await collect(reading), truths.desc.filter(({ blockNumber }) => Number(blockNumber) <= range.endblock));
    assert.deepEqual([urls.length, reading.report.requests, reading.report.responseLimit], [requests, requests, null]);
  }
});

test("blocks that are not processed yet are reported", LIMIT, async () => {
  const { account } = accountOf(service);
  const reading = account.txListInternal.all({ address: lagging, sort: "asc", startblock: 100 });
  assertRows(await collect(reading), service.getAllRows("txlistinternal", { address: lagging, sort: "asc", startblock: "100" }));
  const message = "Some internal transactions within this block range have not yet been processed";
  assert.deepEqual(reading.report.unprocessed, [{ first: 100, last: 2_147_483_647, message }]);
  assert.deepEqual([reading.report.complete, reading.report.nextBlock], [false, null]);
});

describe("resuming", LIMIT, () => {
  test("after a break in the second window loses nothing and doubles nothing", async () => {
    for (const sort of ["asc", "desc"]) {
      const { account, urls } = accountOf(service);
      const reading = account.txList.all({ ...PART, sort });
      const given = [];
      // How many were given out where the token stands.
      let [token, before] = [null, 0];
      for await (const row of reading) {
        if (reading.resumeToken !== token) [token, before] = [reading.resumeToken, given.length];
        given.push(row);
        if (urls.length === 2 && given.length === 10_500) break;
      }
      const rest = accountOf(createSampleService()).account.txList.all({ ...PART, sort }, { resume: reading.resumeToken });
      assert.equal(rest.resumeToken, reading.resumeToken);
      assert.ok(before > 9_000, `${before} rows`);
      assertRows([...given.slice(0, before), ...(await collect(rest))], partOf(sort));
      assert.equal(rest.report.records, partOf(sort).length - before);
    }
  });

  test("after an error goes on where it failed", async () => {
    let sent = 0;
    const fetch = (request) => (++sent === 3 ? Promise.reject(new TypeError("gone")) : service.fetch(request));
    const { account } = accountOf(service, { fetch });
    const reading = account.txList.all({ ...PART, sort: "asc" });
    const given = [];
    const error = await failure((async () => {
      for await (const row of reading) given.push(row);
    })(), "network");
    assert.equal(error.resumeToken, reading.resumeToken);
    assert.equal(reading.report.windows, 2);
    const rest = await collect(account.txList.all({ ...PART, sort: "asc" }, { resume: error.resumeToken }));
    assertRows([...given, ...rest], partOf("asc"));
  });

  test("a collection that fails has its rows, and the token that continues behind them", async () => {
    let sent = 0;
    const fetch = (request) => (++sent === 3 ? Promise.reject(new TypeError("gone")) : service.fetch(request));
    const { account } = accountOf(service, { fetch });
    const reading = account.txList.all({ ...PART, sort: "asc" });
    const error = await failure(reading.toArray({ limit: 1_000_000 }), "network", { retryable: true });
    assert.ok(error.partial.length > 0);
    assert.equal(error.resumeToken, reading.resumeToken);
    const rest = await collect(account.txList.all({ ...PART, sort: "asc" }, { resume: error.resumeToken }));
    assertRows([...error.partial, ...rest], partOf("asc"));
  });

  test("in a block of 10,500 rows too", async () => {
    const { account } = accountOf(service);
    const reading = account.tokenTx.all({ contractaddress: crowded, sort: "asc" });
    const given = [];
    for await (const window of reading.windows()) {
      given.push(...window);
      if (given.length > 10_000) break;
    }
    const rest = await collect(account.tokenTx.all({ contractaddress: crowded, sort: "asc" }, { resume: reading.resumeToken }));
    assertRows(sorted([...given, ...rest]), sorted(service.getAllRows("tokentx", { contractaddress: crowded })));
  });

  test("takes tokens of the same call only", async () => {
    const { reading, account, urls } = deepCall({ prefetch: 0 });
    await reading.windows().next();
    const resume = reading.resumeToken;
    const list = withdrawals(scripted(page([9], 9)));
    await list;
    const sent = urls.length;
    for (const [params, token] of [
      [{ address: deep, sort: "desc" }, resume], [{ address: HASH, sort: "asc" }, resume], [{ address: deep, sort: "asc" }, list.resumeToken],
      [{ address: deep, sort: "asc" }, `${resume}0`], [{ address: deep, sort: "asc" }, 5],
    ]) {
      await failure(collect(account.txList.all(params, { resume: token })), "invalid_parameter", { parameter: "resume" });
    }
    await failure(collect(account.tokenTx.all({ address: deep, sort: "asc" }, { resume })), "invalid_parameter", { parameter: "resume" });
    await failure(collect(withdrawals(scripted(), { resume })), "invalid_parameter", { parameter: "resume" });
    assert.equal(urls.length, sent);
  });
});

describe("while reading", LIMIT, () => {
  test("windows() gives lists of rows with their tokens, and progress is told once per request", async () => {
    const reports = [];
    const { account, urls } = accountOf(service);
    const reading = account.txList.all({ ...PART, sort: "asc" }, { onProgress: (report) => reports.push(report) });
    const windows = [];
    const tokens = new Set();
    for await (const window of reading.windows()) {
      windows.push(window);
      tokens.add(reading.resumeToken);
    }
    assert.ok(windows.every(({ length }) => length > 0 && length <= 10_000));
    assert.equal(tokens.size, windows.length);
    assertRows(windows.flat(), partOf("asc"));

    assert.deepEqual(reports.map(({ windows }) => windows), urls.map((_, i) => i + 1));
    for (const [i, { records, nextBlock, complete }] of reports.slice(0, -1).entries()) {
      assert.ok(records < reports[i + 1].records && (reports[i + 1].nextBlock ?? Infinity) > nextBlock && !complete, `window ${i}`);
    }
    assert.deepEqual(reports.at(-1), reading.report);
    assert.equal(reading.report.complete, true);
  });

  test("the report is that of the windows handed over, not of the one that is fetched ahead", async () => {
    const { account, urls } = accountOf(service);
    const reading = account.txList.all({ ...PART, sort: "asc" });
    let [records, sent] = [0, 0];
    for await (const window of reading.windows()) {
      records += window.length;
      sent += 1;
      const isLast = reading.resumeToken === null;
      while (!isLast && urls.length === sent) await setImmediate();
      for (let i = 0; i < 200; i++) await setImmediate();
      assert.deepEqual([reading.report.records, reading.report.complete], [records, isLast]);
    }
    assert.ok(sent > 1);
  });

  test("toArray() collects no more than asked for", async () => {
    for (const [limit, requests] of [[1, 1], [10_001, 2]]) {
      const { reading, urls } = deepCall();
      assertRows(await reading.toArray({ limit }), truths.asc.slice(0, limit));
      assert.equal(urls.length, requests);
    }
    for (const options of [undefined, {}, { limit: 0 }, { limit: "5" }]) {
      await failure(deepCall().reading.toArray(options), "invalid_parameter", { parameter: "limit" });
    }
  });

  test("several next() may be under way", async () => {
    const iterator = deepCall().reading[Symbol.asyncIterator]();
    const results = await Promise.all(Array.from({ length: 10_500 }, () => iterator.next()));
    assertRows(results.map(({ value }) => value), truths.asc.slice(0, 10_500));
    await iterator.return();
    assert.deepEqual(await iterator.next(), { done: true, value: undefined });
  });

  test("at most one window is read ahead", async () => {
    for (const [prefetch, most] of [[undefined, 2], [1, 2], [0, 1]]) {
      const { reading, urls } = deepCall({ prefetch });
      const iterator = reading[Symbol.asyncIterator]();
      await iterator.next();
      assert.equal(urls.length, 1);
      // The last rows of a window come with its end.
      const { nextBlock } = reading.report;
      assert.notEqual(nextBlock, null);
      while (reading.report.windows === 0) await iterator.next();
      await iterator.next();
      // The sample service needs a timer's turn to answer; many of them pass here.
      for (let i = 0; i < 1000; i++) await settle();
      assert.equal(urls.length, most);
      await iterator.return();
    }
  });

  test("break ends the fetch that is under way", async () => {
    const sent = deferred();
    let count = 0;
    const fetch = (request) => {
      if (++count === 1) return service.fetch(request);
      sent.resolve(request);
      return hang(request);
    };
    for await (const row of deepCall(undefined, { fetch }).reading) {
      if (count > 1 && row) break;
    }
    assert.equal((await sent.promise).signal.aborted, true);
  });

  test("a signal ends the reading of windows with no part of one, and nothing is lost", async () => {
    const controller = new AbortController();
    const { reading, account } = deepCall({ signal: controller.signal, prefetch: 0 });
    const windows = reading.windows();
    const { value: first } = await windows.next();
    const second = failure(windows.next(), "aborted");
    await settle();
    controller.abort();
    const { resumeToken } = await second;
    assert.equal(resumeToken, reading.resumeToken);
    const rest = await account.txList.all({ address: deep, sort: "asc" }, { resume: resumeToken }).toArray({ limit: 100 });
    assertRows([...first, ...rest], truths.asc.slice(0, first.length + 100));
  });

  test("a signal ends it, with the place to go on", async () => {
    const controller = new AbortController();
    let request;
    const fetch = (sent) => {
      if (request === undefined && queryOf(sent.url).startblock === undefined) return service.fetch(sent);
      request = sent;
      queueMicrotask(() => controller.abort("enough"));
      return hang(sent);
    };
    const { reading, account } = deepCall({ signal: controller.signal }, { fetch });
    const given = [];
    const error = await failure((async () => {
      for await (const row of reading) given.push(row);
    })(), "aborted", { cause: "enough" });
    assert.equal(request.signal.aborted, true);
    assert.equal(error.resumeToken, reading.resumeToken);
    const { account: again } = accountOf(service);
    const rest = await again.txList.all({ address: deep, sort: "asc" }, { resume: error.resumeToken }).toArray({ limit: 100 });
    assertRows(given, truths.asc.slice(0, given.length));
    // The rows of the batch that was broken off come again.
    const from = truths.asc.findIndex(({ hash }) => hash === rest[0].hash);
    assert.ok(from > 0 && from <= given.length, `${from} of ${given.length}`);
    assertRows(rest, truths.asc.slice(from, from + 100));
    await failure(collect(account.txList.all({ address: deep }, { signal: AbortSignal.abort(7) })), "aborted", { cause: 7 });
  });
});

describe("a large answer, while it arrives", LIMIT, () => {
  const most = { ...PART, sort: "asc" };
  const bodyOf = async () => {
    const url = `${BASE}/api?module=account&action=txlist&address=${deep}&endblock=${PART.endblock}&sort=asc&page=1&offset=10000`;
    return new Uint8Array(await (await service.fetch(url)).arrayBuffer());
  };
  /** An HTTP service that sends the first half of its first answer, and then does what it is told. */
  const halving = async (body, then) => {
    const server = createServer(async (request, response) => {
      const query = queryOf(`${BASE}${request.url}`);
      response.setHeader("content-type", "application/json");
      if (query.startblock !== undefined || server.halved) {
        const answer = await service.fetch(`${BASE}${request.url}`);
        return response.end(new Uint8Array(await answer.arrayBuffer()));
      }
      server.halved = true;
      response.setHeader("content-length", body.length);
      response.write(body.subarray(0, body.length / 2));
      await then(response, body.subarray(body.length / 2));
    });
    await new Promise((done) => server.listen(0, "127.0.0.1", done));
    const baseUrl = `http://127.0.0.1:${server.address().port}`;
    return { baseUrl, close: () => (server.close(), server.closeAllConnections()) };
  };

  test("rows are there before its second half is sent", async () => {
    const seen = deferred();
    const { baseUrl, close } = await halving(await bodyOf(), async (response, rest) => {
      await seen.promise;
      response.end(rest);
    });
    const { account } = new AddressClient({ baseUrl, maxAttempts: 1 });
    const reading = account.txList.all(most);
    const rows = [];
    for await (const row of reading) {
      rows.push(row);
      // More than one batch: most of what was sent.
      if (rows.length === 4_000) {
        assert.deepEqual([reading.report.requests, reading.report.windows], [1, 0]);
        seen.resolve();
      }
    }
    assertRows(rows, partOf("asc"));
    assert.equal(reading.report.complete, true);
    close();
  });

  test("an answer that breaks off loses nothing and doubles nothing", async () => {
    for (const maxAttempts of [1, 2]) {
      const { baseUrl, close } = await halving(await bodyOf(), async (response) => {
        await new Promise((sent) => response.write("", sent));
        response.destroy();
      });
      const { account } = new AddressClient({ baseUrl, maxAttempts });
      const rows = [];
      const reading = account.txList.all(most);
      const read = async (reading) => {
        for await (const row of reading) rows.push(row);
      };
      if (maxAttempts === 1) {
        const { resumeToken } = await failure(read(reading), "network");
        assert.ok(rows.length > 1_000 && reading.report.records === rows.length && reading.resumeToken === resumeToken);
        await read(account.txList.all(most, { resume: resumeToken }));
      } else {
        await read(reading);
        assert.equal(reading.report.records, rows.length);
      }
      assertRows(rows, partOf("asc"));
      close();
    }
  });

  test("one call for all of it takes another attempt", async () => {
    const body = await bodyOf();
    const { baseUrl, close } = await halving(body, async (response) => response.destroy());
    const { account } = new AddressClient({ baseUrl });
    const { items } = await account.txList({ ...most, page: 1, offset: 10_000 });
    assertRows(items, partOf("asc").slice(0, 10_000));
    close();
  });

  test("windows() gives what came of it before it broke off, and then the rest", async () => {
    const { baseUrl, close } = await halving(await bodyOf(), async (response) => {
      await new Promise((sent) => response.write("", sent));
      response.destroy();
    });
    const { account } = new AddressClient({ baseUrl, maxAttempts: 2 });
    const reports = [];
    const windows = await collect(account.txList.all(most, { onProgress: (report) => reports.push(report) }).windows());
    assertRows(windows.flat(), partOf("asc"));
    assert.ok(windows.every(({ length }) => length > 0 && length <= 10_000));
    assert.deepEqual(reports.map(({ requests }) => requests), windows.map((_, i) => i + 1));
    close();
  });

  test("who is not done with its rows holds up no other call", async () => {
    const { baseUrl, close } = await halving(await bodyOf(), async (response, rest) => response.end(rest));
    const { account } = new AddressClient({ baseUrl, maxAttempts: 1, maxConcurrent: 1 });
    let rows = 0;
    for await (const _ of account.txList.all(most, { prefetch: 0 })) {
      if (++rows % 2_000 === 1) await account.txList({ address: deep, startblock: rows, page: 1, offset: 1 });
    }
    assert.equal(rows, partOf("asc").length);
    close();
  });

  test("a signal ends its fetch, also while nobody waits for it", async () => {
    const closed = deferred();
    const { baseUrl, close } = await halving(await bodyOf(), async (response) => response.on("close", closed.resolve));
    const controller = new AbortController();
    const { account } = new AddressClient({ baseUrl });
    const iterator = account.txList.all(most, { signal: controller.signal, prefetch: 0 })[Symbol.asyncIterator]();
    await iterator.next();
    controller.abort("enough");
    await closed.promise;
    // What was read is given out.
    const given = [];
    await failure((async () => {
      for await (const row of iterator) given.push(row);
    })(), "aborted", { cause: "enough" });
    close();
  });

  test("break ends its fetch", async () => {
    const closed = deferred();
    const { baseUrl, close } = await halving(await bodyOf(), async (response) => response.on("close", closed.resolve));
    for await (const _ of new AddressClient({ baseUrl }).account.txList.all(most, { prefetch: 0 })) break;
    await closed.promise;
    close();
  });
});

test("what is wrong is named, and nothing is sent", LIMIT, async () => {
  const fetch = scripted();
  const { account } = new AddressClient({ baseUrl: BASE, fetch });
  for (const [method, params, options, parameter, rule] of [
    ["txList", { address: HASH, page: 1, offset: 10 }, {}, "page", "cannot be used here: the whole range is read"],
    ["txList", { address: HASH, offset: 10 }, {}, "page", "must be given together with offset"],
    ["txListInternal", { address: HASH, txhash: `0x${"12".repeat(32)}` }, {}, "txhash", "cannot be used here"],
    ["txListInternal", {}, {}, "address", "is required"],
    ["tokenTx", {}, {}, "address", "or contractaddress is required"],
    ["txList", { address: "0x12" }, {}, "address", "must be an address hash"],
    ["txList", { address: HASH, startblock: 2, endblock: 1 }, {}, "endblock", "must not be smaller than startblock"],
    ["txList", "text", {}, "params", "must be an object"],
    ["txList", { address: HASH }, { prefetch: 2 }, "prefetch", "must be 0 or 1"],
    ["txList", { address: HASH }, { until: "fresh" }, "until", "unknown option"],
    ["txList", { address: HASH }, { onProgress: "text" }, "onProgress", "must be a function"],
    ["txList", { address: HASH }, "text", "options", "must be an object"],
    ["txList", { address: HASH }, { signal: 5 }, "signal", "must be an AbortSignal"],
  ]) {
    for (const read of [collect, (call) => collect(call.windows()), (call) => call.toArray({ limit: 5 })]) {
      const error = await failure(read(account[method].all(params, options)), "invalid_parameter", { parameter });
      assert.ok(error.message.includes(rule), error.message);
    }
  }
  assert.equal(fetch.requests.length, 0);
});
