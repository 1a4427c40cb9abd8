// `history`: its parameters, order, report, bounds, suspicions and errors. history-random.test.mjs has the random cases.
import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { history } from "../../pkg/history/index.js";
import { AddressClient } from "../../pkg/index.js";
import { createSampleService } from "../../pkg/testing/index.js";
import { rangeOptions } from "../../target/parts/option-table.js";
import { getExpectedEvents, getHiddenTokens, simplify } from "./history-model.mjs";
import { cacheResponses, collect, createEditedClient, expectError, flushTasks, observeFetch } from "./support.mjs";

const service = cacheResponses(createSampleService());
const findAddress = (id) => service.addresses.find((address) => address.id === id).hash;

/** Creates a client of a sample service. `urls` has the URLs of all requests. */
function createClient(sample = service, options = {}) {
  const fetch = observeFetch(sample.fetch);
  const { urls } = fetch;
  return Object.assign(new AddressClient({ baseUrl: "https://sample.invalid", fetch, ...options }), { urls });
}

const settlement = findAddress("settlement");
const client = createClient();
const keysOf = (events) => events.map(({ key }) => key);

test("both orders give the same events, in opposite order", async () => {
  for (const id of ["quiet", "settlement", "minter", "hostile"]) {
    const address_hash = findAddress(id);
    const oldestFirst = await collect(history(client, { address_hash, order: "asc" }));
    const newestFirst = await collect(history(client, { address_hash }));
    assert.deepEqual(oldestFirst.map(simplify), getExpectedEvents(service, address_hash), id);
    const hidden = getHiddenTokens(service, address_hash);
    const listed = oldestFirst.filter(({ asset }) => !hidden.has(asset.contract));
    assert.deepEqual(newestFirst.map(simplify).reverse(), listed.map(simplify), id);
  }
});

test("an event has its position in its block", async () => {
  const address_hash = findAddress("producer");
  const events = getExpectedEvents(service, address_hash);
  const counts = new Map();
  for (const { block_number } of events) counts.set(block_number, (counts.get(block_number) ?? 0) + 1);
  const [[block]] = [...counts].sort(([, a], [, b]) => b - a);
  for (const order of ["asc", "desc"]) {
    const read = await collect(history(client, { address_hash, order, from: block, to: block }));
    if (order === "desc") read.reverse();
    assert.ok(new Set(read.map(({ kind }) => kind)).size >= 4, "a block with most kinds of events");
    assert.deepEqual(
      read.map(({ position }) => position),
      read.map((_, i) => i),
    );
    assert.deepEqual(
      read.map(simplify),
      events.filter(({ block_number }) => block_number === block),
    );
  }
});

test("events and reports belong to their caller", async () => {
  const edited = createEditedClient(
    service,
    (url, body) => {
      if (url.pathname.endsWith("/transactions")) body.items[0].value = "1.5";
    },
    { badRecords: "skip" },
  );
  const call = history(edited, { address_hash: settlement, include: ["transaction"] });
  const events = await collect(call);
  assert.ok(events.length > 2);
  for (const { asset } of events) assert.ok(Object.isFrozen(asset));
  const expected = structuredClone(call.report);
  assert.ok(expected.omitted.count > 0);
  const { sources, omitted } = call.report;
  for (const source of sources) {
    source.reasons.length = source.omitted.count = source.omitted.first.length = 0;
    source.state = "complete";
  }
  omitted.first.length = 0;
  assert.deepEqual(call.report, expected);
  assert.ok(Object.isFrozen(edited.source));
});

test("only the included kinds are requested", async () => {
  const asc = createClient();
  const events = await collect(history(asc, { address_hash: settlement, order: "asc", include: ["internal_transaction"] }));
  assert.ok(events.every(({ kind }) => kind === "internal_transaction"));
  assert.ok(
    asc.urls.every((url) => /blocks|txlistinternal|indexing-status/.test(url)),
    asc.urls.join("\n"),
  );
  const desc = createClient();
  assert.deepEqual(
    keysOf(await collect(history(desc, { address_hash: settlement, include: ["internal_transaction"] }))).reverse(),
    keysOf(events),
  );
  assert.ok(desc.urls.every((url) => /blocks|internal-transactions|indexing-status/.test(url)));
});

test("from and to are inclusive blocks or times", async () => {
  const all = getExpectedEvents(service, settlement);
  const [first, last] = [all[40], all.at(-40)];
  const expected = all.filter(({ block_number }) => block_number >= first.block_number && block_number <= last.block_number);
  for (const [from, to] of [
    [first.block_number, last.block_number],
    [new Date(first.timestamp), new Date(last.timestamp)],
  ]) {
    const call = history(client, { address_hash: settlement, order: "asc", from, to });
    assert.deepEqual((await collect(call)).map(simplify), expected);
    assert.deepEqual([call.report.from, call.report.to], [first.block_number, last.block_number]);
  }
  const future = history(client, { address_hash: settlement, from: new Date("2200-01-01") });
  assert.deepEqual(await collect(future), []);
  assert.equal(future.report.complete, true);
});

test("the report says what was read, and what is missing", async () => {
  const call = history(client, { address_hash: findAddress("lagging"), order: "asc" });
  assert.equal(call.report, null);
  const events = await collect(call);
  const { complete, events: count, sources } = call.report;
  assert.deepEqual([complete, count], [false, events.length]);
  const incomplete = sources.filter(({ state }) => state !== "complete");
  assert.deepEqual(
    incomplete.map(({ method, kind, state }) => [method, kind, state]),
    [["txListInternal", "internal_transaction", "incomplete"]],
  );
  assert.match(incomplete[0].reasons[0], /^blocks \d+ to \d+: Some internal transactions/);
  const newest = history(createClient(createSampleService({ backendVersion: 12 })), { address_hash: findAddress("lagging") });
  await collect(newest);
  const [{ method, reasons }] = newest.report.sources.filter(({ state }) => state === "incomplete");
  assert.equal(method, "addressInternalTransactions");
  assert.match(reasons[0], /not yet been processed/);
});

test("an action or list that the service does not have is read elsewhere, or reported as skipped", async () => {
  const old = createSampleService({ backendVersion: 8 });
  const hub = findAddress("minter");
  const call = history(createClient(old), { address_hash: hub, order: "asc" });
  const events = await collect(call);
  const states = Object.fromEntries(call.report.sources.map(({ method, state, records }) => [method, [state, records > 0]]));
  assert.deepEqual(states.addressTokenTransfers[0], "complete");
  const expected = getExpectedEvents(old, hub).filter(({ kind }) => kind === "token_transfer");
  assert.deepEqual(keysOf(events.filter(({ kind }) => kind === "token_transfer")), keysOf(expected));

  const fetch = async (request) =>
    /withdrawals|validated/.test(request.url) ? new Response('{"message":"Not found"}', { status: 404 }) : service.fetch(request);
  const limited = history(createClient({ fetch }), { address_hash: settlement });
  await collect(limited);
  assert.equal(limited.report.complete, false);
  assert.deepEqual(
    limited.report.sources.filter(({ state }) => state === "skipped").map(({ method, reasons }) => [method, reasons.length]),
    [
      ["addressBlocksValidated", 1],
      ["addressWithdrawals", 1],
    ],
  );
});

test("suspicious events are marked, and left out on request", async () => {
  const address_hash = findAddress("hub");
  const to = getExpectedEvents(service, address_hash).at(3_000).block_number;
  const params = { address_hash, order: "asc", to };
  const events = await collect(history(client, params));
  const suspicious = events.filter(({ suspicion }) => suspicion !== null);
  const kinds = new Set(suspicious.map(({ suspicion }) => suspicion));
  assert.ok(kinds.has("lookalike_address"), [...kinds].join());
  for (const { suspicion, amount, kind, from, to } of suspicious) {
    if (suspicion === "zero_value") assert.deepEqual([kind, amount], ["token_transfer", "0"]);
    if (suspicion !== "lookalike_address") continue;
    const lookalike = from === address_hash.toLowerCase() ? to : from;
    const looksLike = (other) =>
      other !== lookalike && other.slice(0, 6) === lookalike.slice(0, 6) && other.slice(-4) === lookalike.slice(-4);
    assert.ok(
      events.some((event) => event.direction === "out" && looksLike(event.to ?? "")),
      lookalike,
    );
  }
  const exclude = ["lookalike_address", "zero_value"];
  assert.deepEqual(
    keysOf(await collect(history(client, { ...params, exclude }))),
    keysOf(events.filter((e) => e.suspicion === null)),
  );
});

test("a log does not prove that the address sent something", async () => {
  const [address, attacker] = [settlement.toLowerCase(), `0x1234${"0".repeat(32)}abcd`];
  const victim = `0x1234${"1".repeat(32)}abcd`;
  const ref = (hash) => ({ hash, implementations: [], private_tags: [], public_tags: [], watchlist_names: [] });
  const transfer = (log_index, from, to) => ({
    block_number: 5,
    block_hash: `0x${"1".repeat(64)}`,
    transaction_hash: `0x${String(log_index).repeat(64)}`,
    log_index,
    from: ref(from),
    to: ref(to),
    token: { address_hash: `0x${"5".repeat(40)}`, type: "ERC-20", name: "Fake", symbol: "FAKE", decimals: "18" },
    token_type: "ERC-20",
    total: { value: "7", decimals: "18" },
    method: "transfer",
    timestamp: "2026-01-01T00:00:00.000000Z",
    type: "token_transfer",
  });
  // The contract of the attacker emits both logs.
  const items = [transfer(2, address, attacker), transfer(1, address, victim)];
  const fetch = async ({ url }) => {
    if (url.includes("getblocknobytime")) return Response.json({ status: "1", message: "OK", result: { blockNumber: "9" } });
    return Response.json({ items: url.includes("token-transfers") ? items : [], next_page_params: null });
  };
  const events = await collect(history(createClient({ fetch }), { address_hash: address }));
  assert.deepEqual(
    events.map(({ suspicion }) => suspicion),
    [null, null],
  );
});

test("amounts, fees and hostile names are returned unchanged", async () => {
  const events = await collect(history(client, { address_hash: findAddress("hostile"), order: "desc" }));
  const transfers = events.filter(({ kind }) => kind === "token_transfer");
  for (const { record, asset, amount } of transfers) {
    assert.deepEqual([asset.name, asset.symbol], [record.token.name, record.token.symbol]);
    if (record.total?.value) assert.equal(amount, record.total.value);
  }
  const rated = events.filter(({ fiat_rate }) => fiat_rate !== null);
  assert.ok(rated.every(({ record, fiat_rate }) => record.historic_exchange_rate === fiat_rate));
  const paid = events.filter(({ fee }) => fee !== null);
  assert.ok(paid.every(({ record, fee }) => record.fee.value === fee));
  assert.ok(transfers.length > 0 && rated.length > 0 && paid.length > 0);
});

test("nothing is sent before the iteration, and a break cancels the requests in flight", async () => {
  const signals = [];
  const pending = {
    fetch: (request) => {
      // The lists are read once the newest block is known.
      if (request.url.endsWith("/blocks")) return service.fetch(request);
      signals.push(request.signal);
      return new Promise((_, reject) => request.signal.addEventListener("abort", () => reject(request.signal.reason)));
    },
  };
  const iterator = history(createClient(pending), { address_hash: settlement })[Symbol.asyncIterator]();
  await flushTasks();
  assert.equal(signals.length, 0);
  const next = iterator.next();
  while (signals.length < 5) await flushTasks();
  await iterator.return();
  assert.deepEqual(await next, { done: true, value: undefined });
  assert.deepEqual(
    signals.map(({ aborted }) => aborted),
    signals.map(() => true),
  );
});

test("a slow consumer stops the reading", async () => {
  const slow = createClient(createSampleService({ pageSize: 5 }));
  const iterator = history(slow, { address_hash: settlement })[Symbol.asyncIterator]();
  for (let i = 0; i < 3; i++) await iterator.next();
  for (let i = 0; i < 20; i++) await flushTasks();
  const { length } = slow.urls;
  assert.ok(length <= 6 + 5, `${length} requests: the head, a page of each list, and at most one prefetched page`);
  for (let i = 0; i < 20; i++) await flushTasks();
  assert.equal(slow.urls.length, length);
  await iterator.return();
});

test("a slow consumer stops the reading of block ranges", { timeout: 120_000 }, async () => {
  const address_hash = findAddress("deep");
  // Up to 20,000 rows for each concurrent request are read ahead, in responses of 10,000 rows.
  for (const [concurrency, responses] of [
    [1, 1],
    [undefined, 4],
  ]) {
    const slow = createClient(service, { maxPerSecond: 1_000 });
    const call = history(slow, { address_hash, order: "asc", include: ["transaction"], concurrency });
    const iterator = call[Symbol.asyncIterator]();
    await iterator.next();
    const countResponses = () => slow.urls.filter((url) => url.includes("txlist") && !url.endsWith("&offset=1")).length;
    while (countResponses() < responses) await delay(10);
    await delay(500);
    assert.equal(countResponses(), responses);
    await iterator.return();
  }
});

test("a signal ends the iteration before the next event", async () => {
  const controller = new AbortController();
  const call = history(client, { address_hash: settlement, signal: controller.signal });
  const iterator = call[Symbol.asyncIterator]();
  const { value } = await iterator.next();
  controller.abort("enough");
  const error = await expectError(iterator.next(), "aborted", { cause: "enough", resumeToken: call.resumeToken });
  const rest = await collect(history(client, { address_hash: settlement, resume: error.resumeToken }));
  const all = await collect(history(client, { address_hash: settlement }));
  assert.deepEqual(keysOf([value, ...rest]), keysOf(all));
});

test("invalid parameters are rejected before any request", async () => {
  const unused = createClient();
  const address_hash = settlement;
  for (const [params, parameter] of [
    [undefined, "address_hash"],
    [{ address_hash: "0x12" }, "address_hash"],
    [{ address_hash, order: "newest" }, "order"],
    [{ address_hash, include: ["logs"] }, "include"],
    [{ address_hash, include: [] }, "include"],
    [{ address_hash, exclude: "zero_value" }, "exclude"],
    [{ address_hash, from: "2026-01-01" }, "from"],
    [{ address_hash, to: new Date("never") }, "to"],
    [{ address_hash, limit: 5 }, "limit"],
    [{ address_hash, concurrency: 0 }, "concurrency"],
    [{ address_hash, concurrency: rangeOptions.concurrency.to + 1 }, "concurrency"],
    [{ address_hash, concurrency: 1.5 }, "concurrency"],
    [{ address_hash, resume: "aq1.x" }, "resume"],
  ]) {
    await assert.rejects(collect(history(unused, params)), { code: "invalid_parameter", parameter }, JSON.stringify(params));
  }
  assert.equal(unused.urls.length, 0);
});

test("blocks in the far future and inverted bounds are errors", async () => {
  const head = service.getAllItems("/blocks")[0].height;
  for (const order of ["asc", "desc"]) {
    const params = { address_hash: settlement, order, include: ["withdrawal"] };
    for (const [bounds, parameter] of [
      [{ from: 1_767_225_600 }, "from"],
      [{ to: 1_767_225_600 }, "to"],
      [{ from: 1_767_225_600_000, to: 1_767_312_000_000 }, "from"],
      [{ from: head + 10_000 }, "from"],
    ]) {
      const message = /looks like a Unix time; pass a Date/;
      await assert.rejects(collect(history(client, { ...params, ...bounds })), { code: "invalid_parameter", parameter, message });
    }
    const unused = createClient();
    for (const bounds of [
      { from: 2, to: 1 },
      { from: new Date(2), to: new Date(1) },
    ]) {
      const error = { code: "invalid_parameter", parameter: "from", message: /must not be after to/ };
      await assert.rejects(collect(history(unused, { ...params, ...bounds })), error);
    }
    assert.equal(unused.urls.length, 0);
    // A block that will exist soon, and the largest number that people write for "all".
    for (const bounds of [{ from: head + 1 }, { from: head + 7000 }, { from: head, to: 99_999_999 }]) {
      const call = history(client, { ...params, ...bounds });
      await collect(call);
      assert.deepEqual([call.report.complete, call.report.to], [true, head]);
    }
  }
});

test("a failure before the first event does not start the history again", async () => {
  const { block_number: to } = getExpectedEvents(service, settlement).at(50);
  const expected = await collect(history(client, { address_hash: settlement, to }));
  const sample = createSampleService({ pageSize: 5 });
  let requests = 0;
  const fetch = (request) => (++requests % 20 === 0 ? new Response("", { status: 500 }) : sample.fetch(request));
  const failing = createClient({ fetch }, { maxAttempts: 1 });
  const events = [];
  let resume;
  for (let calls = 0; resume !== null; calls++) {
    assert.ok(calls < 40, "each call starts again");
    const call = history(failing, { address_hash: settlement, to, resume });
    try {
      for await (const event of call) events.push(event);
    } catch (error) {
      assert.equal(error.code, "http_status");
    }
    resume = call.resumeToken;
  }
  assert.deepEqual(keysOf(events), keysOf(expected));
});

test("concurrent requests deliver the same events", async () => {
  const address_hash = findAddress("hub");
  const results = [];
  for (const concurrency of [1, undefined, rangeOptions.concurrency.to]) {
    const fetch = observeFetch(async (request) => {
      await flushTasks();
      return service.fetch(request);
    });
    const reader = createClient({ fetch }, { maxConcurrent: 20, maxPerSecond: 1_000 });
    const call = history(reader, { address_hash, order: "asc", include: ["transaction"], concurrency });
    results.push({ json: JSON.stringify([await collect(call), call.report]), most: fetch.mostInFlight });
  }
  const [sequential, ...concurrent] = results;
  for (const { json } of concurrent) assert.equal(json, sequential.json);
  assert.equal(sequential.most, 1);
  assert.ok(concurrent.at(-1).most > 1, "requests are concurrent");
});

test("an unknown parameter that begins the name of another one suggests it", async () => {
  const error = await collect(history(client, { address: settlement })).catch((error) => error);
  assert.match(error.message, /^address: unknown parameter \(did you mean address_hash\?\); valid parameters are address_hash, /);
  const other = await collect(history(client, { address_hash: settlement, page: 1 })).catch((error) => error);
  assert.match(other.message, /^page: unknown parameter; valid parameters are /);
});

test("a token belongs to its parameters", async () => {
  const call = history(client, { address_hash: settlement });
  for await (const _ of call) break;
  for (const other of [{ order: "asc" }, { include: ["transaction"] }, { address_hash: findAddress("hub") }, { from: 5 }]) {
    await assert.rejects(collect(history(client, { address_hash: settlement, ...other, resume: call.resumeToken })), {
      code: "invalid_parameter",
      parameter: "resume",
    });
  }
  const prefixed = `x${call.resumeToken}`;
  await assert.rejects(collect(history(client, { address_hash: settlement, resume: prefixed })), { parameter: "resume" });
});

test("a list that is read oldest first is read again only where it exceeds the retained pages", async () => {
  const small = createSampleService({ pageSize: 50 });
  const reader = createClient(small);
  const address_hash = findAddress("producer");
  const events = await collect(history(reader, { address_hash, order: "asc", include: ["block_reward"] }));
  assert.deepEqual(keysOf(events), keysOf(getExpectedEvents(small, address_hash, { include: ["block_reward"] })));
  const pages = Math.ceil(events.length / 50);
  // Each part ends with a whole block, so the page after it is read too.
  const parts = Math.ceil((pages - 100) / 50);
  // The newest blocks, what the instance has indexed, and the last block at the end.
  assert.equal(reader.urls.length, 3 + pages + (pages - 100) + parts);
});

test("a list that is read oldest first continues where it failed", async () => {
  const small = createSampleService({ pageSize: 5 });
  const address_hash = findAddress("producer");
  const expected = getExpectedEvents(small, address_hash, { include: ["block_reward"] });
  const from = expected.at(-1000).block_number;
  let requests = 0;
  // A list of 200 pages, of which each 100th request fails.
  const fetch = (request) => (++requests % 100 === 0 ? new Response("", { status: 500 }) : small.fetch(request));
  const failing = createClient({ fetch }, { maxAttempts: 1 });
  const events = [];
  let resume;
  for (let calls = 0; resume !== null; calls++) {
    assert.ok(calls < 40, "each call starts again");
    const call = history(failing, { address_hash, order: "asc", include: ["block_reward"], from, resume });
    try {
      for await (const event of call) events.push(event);
    } catch (error) {
      assert.equal(error.code, "http_status");
    }
    resume = call.resumeToken;
  }
  assert.deepEqual(keysOf(events), keysOf(expected.slice(-1000)));
  assert.ok(requests < 600, `${requests} requests`);
});
