// all(): reads every row of a range of blocks exactly once, past the limit of 10,000 rows per request.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { describe, test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { AddressClient } from "../../pkg/index.js";
import { createSampleService } from "../../pkg/testing/index.js";
import { createAccount, createAddressFinder, assertRows } from "./account-rows.mjs";
import {
  BASE,
  cacheResponses,
  HASH,
  collect,
  createDeferred,
  createFetch,
  expectError,
  flushTasks,
  listWithdrawals,
  neverRespond,
  observeFetch,
  page,
} from "./support.mjs";

const TIMEOUT = { timeout: 240_000 };
// The longest responses are read many times, and take long to serialize.
const service = cacheResponses(createSampleService());
const findAddress = createAddressFinder(service);
const [deep, oversized, unprocessed] = ["Exchange hot wallet", "Token with an oversized block", "Unprocessed calls"].map(
  findAddress,
);
const OVERSIZED_BLOCK = 22_222_222;
const COMPLETE_REPORT = {
  complete: true,
  omitted: { count: 0, first: [] },
  incompleteBlocks: [],
  unprocessed: [],
  changedBlocks: [],
  nextBlock: null,
  responseLimit: null,
};

const transactions = { asc: service.getAllRows("txlist", { address: deep, sort: "asc" }) };
transactions.desc = transactions.asc.toReversed();
const readDeepHistory = (options, more) => {
  const { account, urls } = createAccount(service, more);
  return { call: account.txList.all({ address: deep, sort: "asc" }, options), urls, account };
};
/** Parameters of a part of the deep history: three windows. */
const PART = { address: deep, endblock: 19_005_000 };
const getPart = (sort) => transactions[sort].filter(({ blockNumber }) => Number(blockNumber) <= PART.endblock);
/** Options of a call that sends one request at a time. */
const SEQUENTIAL = { concurrency: 1 };
const parseQuery = (url) => Object.fromEntries(new URL(url).searchParams);
/** Returns the rows in a defined order. */
const sortRows = (rows) => {
  const keyed = rows.map((row) => ({ row, key: [row.blockNumber, row.hash, row.from, row.to, row.value].join() }));
  return keyed.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0)).map(({ row }) => row);
};

describe("all()", TIMEOUT, () => {
  test("reads 60,000 transactions", async () => {
    const { call, urls } = readDeepHistory(SEQUENTIAL);
    assert.deepEqual([call.report, call.resumeToken], [null, null]);
    await flushTasks();
    assert.equal(urls.length, 0, "nothing is sent before it is iterated");
    assertRows(await collect(call), transactions.asc);
    assert.ok(urls.length <= 8, `${urls.length} requests`);
    assert.deepEqual(call.report, { ...COMPLETE_REPORT, windows: urls.length, requests: urls.length, records: 60_000 });
    assert.equal(call.resumeToken, null);
  });

  test("returns the newest rows first by default", async () => {
    const { account } = createAccount(service);
    assertRows(await account.txList.all({ address: deep }).toArray({ limit: 10 }), transactions.desc.slice(0, 10));
  });

  test("reads only the blocks of the range", async () => {
    for (const sort of ["asc", "desc"]) {
      const range = { startblock: 9_500_000, endblock: 19_003_000 };
      const { account, urls } = createAccount(service);
      const call = account.txList.all({ address: deep, sort, ...range });
      const expected = transactions[sort].filter(
        ({ blockNumber }) => Number(blockNumber) >= range.startblock && Number(blockNumber) <= range.endblock,
      );
      assert.ok(expected.length > 10_000);
      assertRows(await collect(call), expected);
      for (const { startblock, endblock } of urls.map(parseQuery)) {
        assert.ok(Number(startblock) >= range.startblock && Number(endblock) <= range.endblock, `${startblock} to ${endblock}`);
      }
      assert.equal(call.report.complete, true);
    }
    const { account } = createAccount(service);
    const nothing = account.txList.all({ address: deep, endblock: 5 });
    assert.deepEqual(await collect(nothing), []);
    assert.deepEqual(nothing.report, { ...COMPLETE_REPORT, windows: 1, requests: 1, records: 0 });
  });

  test("reads the rows of every ranged action", async () => {
    const hub = findAddress("Busy smart account");
    for (const action of ["txListInternal", "tokenTx", "tokenNftTx", "token1155Tx", "token404Tx"]) {
      const expected = service.getAllRows(action.toLowerCase(), { address: hub, sort: "asc" });
      assert.ok(expected.length > 0);
      assertRows(await collect(createAccount(service).account[action].all({ address: hub, sort: "asc" })), expected);
    }
  });
});

describe("a block of 10,500 rows", TIMEOUT, () => {
  const read = async (sort, intercept = (_, send) => send()) => {
    const { account, urls } = createAccount(service, {
      fetch: (request) => intercept(parseQuery(request.url), () => service.fetch(request)),
    });
    const call = account.tokenTx.all({ contractaddress: oversized, sort });
    return { rows: await collect(call), report: call.report, urls };
  };
  const transfers = service.getAllRows("tokentx", { contractaddress: oversized });
  const inBlock = (rows) => rows.filter(({ blockNumber }) => Number(blockNumber) === OVERSIZED_BLOCK);

  test("is read page by page, including equal rows", async () => {
    for (const sort of ["asc", "desc"]) {
      const { rows, report, urls } = await read(sort);
      assertRows(sortRows(rows), sortRows(transfers));
      assert.ok(new Set(rows.map((row) => JSON.stringify(row))).size < rows.length, "some rows are equal");
      assert.deepEqual(report, { ...COMPLETE_REPORT, windows: report.windows, requests: urls.length, records: 13_500 });
    }
  });

  test("is reported if the service does not return all of it", async () => {
    const refusal = { message: "Result window is too large", result: null, status: "0" };
    for (const [respond, reason] of [
      [() => Response.json(refusal), "Result window is too large"],
      [undefined, "the same rows for every page"],
    ]) {
      const { rows, report } = await read("asc", ({ page, offset, startblock }, send) => {
        if (page !== "2" || offset !== undefined) return send();
        return (
          respond?.() ??
          service.fetch(
            `${BASE}/api?module=account&action=tokentx&contractaddress=${oversized}&sort=asc&startblock=${startblock}&endblock=${startblock}`,
          )
        );
      });
      assertRows(
        rows.filter((row) => Number(row.blockNumber) !== OVERSIZED_BLOCK),
        transfers.toReversed().filter((row) => Number(row.blockNumber) !== OVERSIZED_BLOCK),
      );
      assert.equal(inBlock(rows).length, 10_000);
      const [{ reason: found, ...block }, ...more] = report.incompleteBlocks;
      assert.deepEqual([block, more], [{ block: OVERSIZED_BLOCK, records: 10_000 }, []]);
      assert.ok(found.includes(reason), found);
      assert.deepEqual([report.complete, report.records], [false, 13_000]);
    }
  });
});

test("a proxy that returns fewer rows than requested loses no row, and its limit is reported", TIMEOUT, async () => {
  const limit = 1_000;
  const fetch = (request) => {
    const url = new URL(request.url);
    if (Number(url.searchParams.get("offset")) > limit) url.searchParams.set("offset", String(limit));
    return service.fetch(url.href);
  };
  const call = createAccount(service, { fetch }).account.txList.all({ ...PART, sort: "desc" });
  const windows = await collect(call.windows());
  assertRows(windows.flat(), getPart("desc"));
  assert.ok(windows.every(({ length }) => length > 0 && length <= limit));
  assert.deepEqual([call.report.complete, call.report.responseLimit], [true, limit]);
});

test("blocks that the service has not processed yet are reported", TIMEOUT, async () => {
  const { account } = createAccount(service);
  const call = account.txListInternal.all({ address: unprocessed, sort: "asc", startblock: 100 });
  assertRows(await collect(call), service.getAllRows("txlistinternal", { address: unprocessed, sort: "asc", startblock: "100" }));
  const message = "Some internal transactions within this block range have not yet been processed";
  assert.deepEqual(call.report.unprocessed, [{ first: 100, last: 2_147_483_647, message }]);
  assert.deepEqual([call.report.complete, call.report.nextBlock], [false, null]);
});

describe("several requests at a time", TIMEOUT, () => {
  test("return the rows and the report of one at a time", async () => {
    // The default is 2.
    for (const concurrency of [undefined, 4]) {
      const fetch = observeFetch(service.fetch);
      const { account } = createAccount(service, { fetch });
      const call = account.txList.all({ ...PART, sort: "desc" }, { concurrency });
      const expected = getPart("desc");
      assertRows(await collect(call), expected);
      const { windows, requests } = call.report;
      assert.deepEqual(call.report, { ...COMPLETE_REPORT, windows, requests, records: expected.length });
      assert.equal(call.resumeToken, null);
      assert.equal(fetch.mostInFlight, concurrency ?? 2);
    }
  });

  test("are aborted together", async () => {
    const fetch = createFetch(...Array(9).fill(neverRespond));
    const controller = new AbortController();
    const call = createAccount(service, { fetch }).account.txList.all(PART, { concurrency: 4, signal: controller.signal });
    const failed = expectError(collect(call), "aborted");
    await fetch.sent(3);
    controller.abort();
    await failed;
    assert.ok(fetch.requests.every(({ signal }) => signal.aborted));
  });
});

describe("resuming", TIMEOUT, () => {
  test("after break in the second window loses no row and repeats none", async () => {
    for (const sort of ["asc", "desc"]) {
      const { account, urls } = createAccount(service);
      const call = account.txList.all({ ...PART, sort }, SEQUENTIAL);
      const received = [];
      // The number of rows before the resume token.
      let [token, before] = [null, 0];
      for await (const row of call) {
        if (call.resumeToken !== token) [token, before] = [call.resumeToken, received.length];
        received.push(row);
        if (urls.length === 2 && received.length === 10_500) break;
      }
      const rest = createAccount(service).account.txList.all({ ...PART, sort }, { resume: call.resumeToken });
      assert.equal(rest.resumeToken, call.resumeToken);
      assert.ok(before > 9_000, `${before} rows`);
      assertRows([...received.slice(0, before), ...(await collect(rest))], getPart(sort));
      assert.equal(rest.report.records, getPart(sort).length - before);
    }
  });

  test("after an error continues where it failed", async () => {
    let sent = 0;
    const fetch = (request) => (++sent === 3 ? Promise.reject(new TypeError("gone")) : service.fetch(request));
    const { account } = createAccount(service, { fetch });
    const call = account.txList.all({ ...PART, sort: "asc" }, SEQUENTIAL);
    const received = [];
    const error = await expectError(
      (async () => {
        for await (const row of call) received.push(row);
      })(),
      "network",
    );
    assert.equal(error.resumeToken, call.resumeToken);
    assert.equal(call.report.windows, 2);
    const rest = await collect(account.txList.all({ ...PART, sort: "asc" }, { resume: error.resumeToken }));
    assertRows([...received, ...rest], getPart("asc"));
  });

  test("the error of toArray has the collected rows, and a token that continues after them", async () => {
    let sent = 0;
    const fetch = (request) => (++sent === 3 ? Promise.reject(new TypeError("gone")) : service.fetch(request));
    const { account } = createAccount(service, { fetch });
    const call = account.txList.all({ ...PART, sort: "asc" });
    const error = await expectError(call.toArray({ limit: 1_000_000 }), "network", { retryable: true });
    assert.ok(error.partial.length > 0);
    assert.equal(error.resumeToken, call.resumeToken);
    const rest = await collect(account.txList.all({ ...PART, sort: "asc" }, { resume: error.resumeToken }));
    assertRows([...error.partial, ...rest], getPart("asc"));
  });

  test("accepts only tokens of the same call", async () => {
    const { call, account, urls } = readDeepHistory({ prefetch: 0 });
    await call.windows().next();
    const resume = call.resumeToken;
    const list = listWithdrawals(createFetch(page([9], 9)));
    await list;
    const sent = urls.length;
    for (const [params, token] of [
      [{ address: deep, sort: "desc" }, resume],
      [{ address: HASH, sort: "asc" }, resume],
      [{ address: deep, sort: "asc" }, list.resumeToken],
      [{ address: deep, sort: "asc" }, `${resume}0`],
      [{ address: deep, sort: "asc" }, 5],
    ]) {
      await expectError(collect(account.txList.all(params, { resume: token })), "invalid_parameter", { parameter: "resume" });
    }
    await expectError(collect(account.tokenTx.all({ address: deep, sort: "asc" }, { resume })), "invalid_parameter", {
      parameter: "resume",
    });
    await expectError(collect(listWithdrawals(createFetch(), { resume })), "invalid_parameter", { parameter: "resume" });
    assert.equal(urls.length, sent);
  });
});

describe("a range that is being read", TIMEOUT, () => {
  test("windows() returns arrays of rows with a token each, and onProgress is called once per request", async () => {
    const reports = [];
    const { account, urls } = createAccount(service);
    const call = account.txList.all({ ...PART, sort: "asc" }, { ...SEQUENTIAL, onProgress: (report) => reports.push(report) });
    const windows = [];
    const tokens = new Set();
    for await (const window of call.windows()) {
      windows.push(window);
      tokens.add(call.resumeToken);
    }
    assert.ok(windows.every(({ length }) => length > 0 && length <= 10_000));
    assert.equal(tokens.size, windows.length);
    assertRows(windows.flat(), getPart("asc"));

    assert.deepEqual(
      reports.map(({ windows }) => windows),
      urls.map((_, i) => i + 1),
    );
    for (const [i, { records, nextBlock, complete }] of reports.slice(0, -1).entries()) {
      assert.ok(
        records < reports[i + 1].records && (reports[i + 1].nextBlock ?? Infinity) > nextBlock && !complete,
        `window ${i}`,
      );
    }
    assert.deepEqual(reports.at(-1), call.report);
    assert.equal(call.report.complete, true);
  });

  test("the report covers the delivered windows, without the prefetched one", async () => {
    const { account, urls } = createAccount(service);
    const call = account.txList.all({ ...PART, sort: "asc" });
    let [records, sent] = [0, 0];
    for await (const window of call.windows()) {
      records += window.length;
      sent += 1;
      const isLast = call.resumeToken === null;
      while (!isLast && urls.length === sent) await setImmediate();
      for (let i = 0; i < 200; i++) await setImmediate();
      assert.deepEqual([call.report.records, call.report.complete], [records, isLast]);
    }
    assert.ok(sent > 1);
  });

  test("toArray() collects at most limit rows", async () => {
    for (const [limit, requests] of [
      [1, 1],
      [10_001, 2],
    ]) {
      const { call, urls } = readDeepHistory(SEQUENTIAL);
      assertRows(await call.toArray({ limit }), transactions.asc.slice(0, limit));
      assert.equal(urls.length, requests);
    }
    for (const options of [undefined, {}, { limit: 0 }, { limit: "5" }]) {
      await expectError(readDeepHistory().call.toArray(options), "invalid_parameter", { parameter: "limit" });
    }
  });

  test("next() may be called several times at once", async () => {
    const iterator = readDeepHistory().call[Symbol.asyncIterator]();
    const results = await Promise.all(Array.from({ length: 10_500 }, () => iterator.next()));
    assertRows(
      results.map(({ value }) => value),
      transactions.asc.slice(0, 10_500),
    );
    await iterator.return();
    assert.deepEqual(await iterator.next(), { done: true, value: undefined });
  });

  test("at most one window is prefetched", async () => {
    for (const [prefetch, expected] of [
      [undefined, 2],
      [1, 2],
      [0, 1],
    ]) {
      const { call, urls } = readDeepHistory({ ...SEQUENTIAL, prefetch });
      const iterator = call[Symbol.asyncIterator]();
      await iterator.next();
      assert.equal(urls.length, 1);
      // The last rows of a window are delivered at its end.
      const { nextBlock } = call.report;
      assert.notEqual(nextBlock, null);
      while (call.report.windows === 0) await iterator.next();
      await iterator.next();
      // The sample service responds in a later task.
      for (let i = 0; i < 1000; i++) await flushTasks();
      assert.equal(urls.length, expected);
      await iterator.return();
    }
  });

  test("break aborts the request in flight", async () => {
    const sent = createDeferred();
    let count = 0;
    const fetch = (request) => {
      if (++count === 1) return service.fetch(request);
      sent.resolve(request);
      return neverRespond(request);
    };
    for await (const row of readDeepHistory(undefined, { fetch }).call) {
      if (count > 1 && row) break;
    }
    assert.equal((await sent.promise).signal.aborted, true);
  });

  test("an aborted windows() iteration delivers no incomplete window and loses no row", async () => {
    const controller = new AbortController();
    const { call, account } = readDeepHistory({ signal: controller.signal, prefetch: 0 });
    const windows = call.windows();
    const { value: first } = await windows.next();
    const second = expectError(windows.next(), "aborted");
    await flushTasks();
    controller.abort();
    const { resumeToken } = await second;
    assert.equal(resumeToken, call.resumeToken);
    const rest = await account.txList.all({ address: deep, sort: "asc" }, { resume: resumeToken }).toArray({ limit: 100 });
    assertRows([...first, ...rest], transactions.asc.slice(0, first.length + 100));
  });

  test("an aborted iteration has a resume token", async () => {
    const controller = new AbortController();
    let request;
    const fetch = (sent) => {
      if (request === undefined && parseQuery(sent.url).startblock === undefined) return service.fetch(sent);
      request = sent;
      queueMicrotask(() => controller.abort("enough"));
      return neverRespond(sent);
    };
    const { call, account } = readDeepHistory({ signal: controller.signal }, { fetch });
    const received = [];
    const error = await expectError(
      (async () => {
        for await (const row of call) received.push(row);
      })(),
      "aborted",
      { cause: "enough" },
    );
    assert.equal(request.signal.aborted, true);
    assert.equal(error.resumeToken, call.resumeToken);
    const { account: again } = createAccount(service);
    const rest = await again.txList.all({ address: deep, sort: "asc" }, { resume: error.resumeToken }).toArray({ limit: 100 });
    assertRows(received, transactions.asc.slice(0, received.length));
    // The rows of the interrupted batch come again.
    const from = transactions.asc.findIndex(({ hash }) => hash === rest[0].hash);
    assert.ok(from > 0 && from <= received.length, `${from} of ${received.length}`);
    assertRows(rest, transactions.asc.slice(from, from + 100));
    await expectError(collect(account.txList.all({ address: deep }, { signal: AbortSignal.abort(7) })), "aborted", { cause: 7 });
  });
});

describe("a large response that is still arriving", TIMEOUT, () => {
  const params = { ...PART, sort: "asc" };
  const fetchBody = async () => {
    const url = `${BASE}/api?module=account&action=txlist&address=${deep}&endblock=${PART.endblock}&sort=asc&page=1&offset=10000`;
    return new Uint8Array(await (await service.fetch(url)).arrayBuffer());
  };
  /** Starts an HTTP server that sends the first half of its first response, and then calls `onHalf` with the other half. */
  const startServer = async (body, onHalf) => {
    const server = createServer(async (request, response) => {
      const query = parseQuery(`${BASE}${request.url}`);
      response.setHeader("content-type", "application/json");
      if (query.startblock !== undefined || server.halved) {
        const sampleResponse = await service.fetch(`${BASE}${request.url}`);
        return response.end(new Uint8Array(await sampleResponse.arrayBuffer()));
      }
      server.halved = true;
      response.setHeader("content-length", body.length);
      response.write(body.subarray(0, body.length / 2));
      await onHalf(response, body.subarray(body.length / 2));
    });
    await new Promise((done) => server.listen(0, "127.0.0.1", done));
    const baseUrl = `http://127.0.0.1:${server.address().port}`;
    return { baseUrl, close: () => server.close().closeAllConnections() };
  };

  test("delivers rows before its second half is sent", async () => {
    const isHalfRead = createDeferred();
    const { baseUrl, close } = await startServer(await fetchBody(), async (response, rest) => {
      await isHalfRead.promise;
      response.end(rest);
    });
    const { account } = new AddressClient({ baseUrl, maxAttempts: 1 });
    const call = account.txList.all(params);
    const rows = [];
    for await (const row of call) {
      rows.push(row);
      // More than one batch: most of what was sent.
      if (rows.length === 4_000) {
        assert.deepEqual([call.report.requests, call.report.windows], [1, 0]);
        isHalfRead.resolve();
      }
    }
    assertRows(rows, getPart("asc"));
    assert.equal(call.report.complete, true);
    close();
  });

  test("that breaks off loses no row and repeats none", async () => {
    for (const maxAttempts of [1, 2]) {
      const { baseUrl, close } = await startServer(await fetchBody(), async (response) => {
        await new Promise((sent) => response.write("", sent));
        response.destroy();
      });
      const { account } = new AddressClient({ baseUrl, maxAttempts });
      const rows = [];
      const call = account.txList.all(params);
      const read = async (call) => {
        for await (const row of call) rows.push(row);
      };
      if (maxAttempts === 1) {
        const { resumeToken } = await expectError(read(call), "network");
        assert.ok(rows.length > 1_000 && call.report.records === rows.length && call.resumeToken === resumeToken);
        await read(account.txList.all(params, { resume: resumeToken }));
      } else {
        await read(call);
        assert.equal(call.report.records, rows.length);
      }
      assertRows(rows, getPart("asc"));
      close();
    }
  });

  test("that breaks off is retried when it is the result of an action", async () => {
    const body = await fetchBody();
    const { baseUrl, close } = await startServer(body, async (response) => response.destroy());
    const { account } = new AddressClient({ baseUrl });
    const { items } = await account.txList({ ...params, page: 1, offset: 10_000 });
    assertRows(items, getPart("asc").slice(0, 10_000));
    close();
  });

  test("that breaks off is two windows: the rows before it broke off, and the rest", async () => {
    const { baseUrl, close } = await startServer(await fetchBody(), async (response) => {
      await new Promise((sent) => response.write("", sent));
      response.destroy();
    });
    const { account } = new AddressClient({ baseUrl, maxAttempts: 2 });
    const reports = [];
    const onProgress = (report) => reports.push(report);
    const windows = await collect(account.txList.all(params, { ...SEQUENTIAL, onProgress }).windows());
    assertRows(windows.flat(), getPart("asc"));
    assert.ok(windows.every(({ length }) => length > 0 && length <= 10_000));
    assert.deepEqual(
      reports.map(({ requests }) => requests),
      windows.map((_, i) => i + 1),
    );
    close();
  });

  test("does not block other calls while its rows are processed", async () => {
    const { baseUrl, close } = await startServer(await fetchBody(), async (response, rest) => response.end(rest));
    const { account } = new AddressClient({ baseUrl, maxAttempts: 1, maxConcurrent: 1 });
    let rows = 0;
    for await (const _ of account.txList.all(params, { prefetch: 0 })) {
      if (++rows % 2_000 === 1) await account.txList({ address: deep, startblock: rows, page: 1, offset: 1 });
    }
    assert.equal(rows, getPart("asc").length);
    close();
  });

  test("is cancelled by the signal, even if no next call is pending", async () => {
    const closed = createDeferred();
    const { baseUrl, close } = await startServer(await fetchBody(), async (response) => response.on("close", closed.resolve));
    const controller = new AbortController();
    const { account } = new AddressClient({ baseUrl });
    const iterator = account.txList.all(params, { signal: controller.signal, prefetch: 0 })[Symbol.asyncIterator]();
    await iterator.next();
    controller.abort("enough");
    await closed.promise;
    const received = [];
    await expectError(
      (async () => {
        for await (const row of iterator) received.push(row);
      })(),
      "aborted",
      { cause: "enough" },
    );
    close();
  });

  test("is cancelled by break", async () => {
    const closed = createDeferred();
    const { baseUrl, close } = await startServer(await fetchBody(), async (response) => response.on("close", closed.resolve));
    for await (const _ of new AddressClient({ baseUrl }).account.txList.all(params, { prefetch: 0 })) break;
    await closed.promise;
    close();
  });
});

test("invalid parameters and options are named in the error, and nothing is sent", TIMEOUT, async () => {
  const fetch = createFetch();
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
      const error = await expectError(read(account[method].all(params, options)), "invalid_parameter", { parameter });
      assert.ok(error.message.includes(rule), error.message);
    }
  }
  assert.equal(fetch.requests.length, 0);
});
