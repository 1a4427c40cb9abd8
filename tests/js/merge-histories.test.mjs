// `mergeHistories`: order, own transfers, number of requests, resume tokens, failures and lists that grow. The expected events come
// from the ledgers of the sample services.
import assert from "node:assert/strict";
import { test } from "node:test";
import { history, mergeHistories, toCsv } from "../../pkg/history/index.js";
import { AddressClient } from "../../pkg/index.js";
import { createSampleService } from "../../pkg/testing/index.js";
import { createRandom } from "../../target/parts/testing/random.js";
import { RECOVERABLE_FAULTS } from "./faults.mjs";
import { getExpectedEvents, getHiddenTokens, simplify } from "./history-model.mjs";
import { collect, expectError } from "./support.mjs";
import { VirtualTime } from "./virtual-time.mjs";

const SEEDS = Number(process.env.SEEDS ?? 4);
const services = new Map([1, 10, 8453].map((chainId, index) => [chainId, createSampleService({ seed: index + 1 })]));
const findHash = (service, id) => service.addresses.find((address) => address.id === id).hash;

/** Creates a client of a sample chain. `urls` has the URLs of its requests. `answer` may replace a response. */
function createClient(chainId, { service = services.get(chainId), answer = () => undefined, ...options } = {}) {
  const urls = [];
  const fetch = (request) => {
    urls.push(request.url);
    return answer(request) ?? service.fetch(request);
  };
  const client = new AddressClient({ baseUrl: "https://sample.invalid", chainId, fetch, maxPerSecond: 1000, ...options });
  return Object.assign(client, { urls, sample: service });
}

const clients = new Map([...services.keys()].map((chainId) => [chainId, createClient(chainId)]));
/** Creates an account of `mergeHistories`. */
const getAccount = (id, chainId = 1, client = clients.get(chainId)) => ({ client, address_hash: findHash(client.sample, id) });
const toEntry = ({ account, chain_id, own, ...event }) => ({ account, chain_id, own, ...simplify(event) });
const toId = ({ account, chain_id, key }) => `${chain_id} ${account} ${key}`;

/** The expected events of accounts, oldest first. */
function getExpected(accounts, { order = "asc", ...params } = {}) {
  const chains = [...new Set(accounts.map(({ client }) => client.source.chainId))];
  const addresses = (chain_id) =>
    accounts.filter(({ client }) => client.source.chainId === chain_id).map(({ address_hash }) => address_hash.toLowerCase());
  const events = accounts.flatMap(({ client, address_hash }, index) => {
    const { sample, source } = client;
    const chain_id = source.chainId;
    const hidden = order === "desc" ? getHiddenTokens(sample, address_hash) : undefined;
    return getExpectedEvents(sample, address_hash, { ...params, hidden }).map((event) => {
      const own = [event.from, event.to].every((address) => addresses(chain_id).includes(address));
      return { account: address_hash.toLowerCase(), chain_id, own, ...event, index };
    });
  });
  // The sort is stable, so that the events of an account's block keep their order.
  events.sort(
    (a, b) =>
      a.timestamp.localeCompare(b.timestamp) ||
      chains.indexOf(a.chain_id) - chains.indexOf(b.chain_id) ||
      a.block_number - b.block_number ||
      a.index - b.index,
  );
  const ordered = events.map(({ index, ...event }) => event);
  return order === "desc" ? ordered.reverse() : ordered;
}

const family = [1, 10, 8453].flatMap((chainId) => ["showcase", "treasury", "collector"].map((id) => getAccount(id, chainId)));

test("events of nine accounts on three chains come in one order of time, in both orders", async () => {
  for (const order of ["asc", "desc"]) {
    const call = mergeHistories(family, { order });
    const events = await collect(call);
    assert.ok(events.length > 500);
    assert.deepEqual(events.map(toEntry), getExpected(family, { order }), order);
    assert.equal(call.report.complete, true);
    assert.equal(call.report.events, events.length);
    assert.deepEqual(
      call.report.accounts.map(({ account, chain_id, state, error, report }) => [account, chain_id, state, error, report.events]),
      family.map(({ client, address_hash }) => {
        const [account, chain_id] = [address_hash.toLowerCase(), client.source.chainId];
        const { length } = events.filter((event) => event.account === account && event.chain_id === chain_id);
        return [account, chain_id, "complete", null, length];
      }),
    );
    assert.equal(call.resumeToken, null);
  }
});

test("the first 50 events of nine histories take at most 48 requests", async () => {
  const counted = new Map([...services.keys()].map((chainId) => [chainId, createClient(chainId)]));
  const accounts = family.map(({ client, address_hash }) => ({ client: counted.get(client.source.chainId), address_hash }));
  const events = await mergeHistories(accounts).more(50);
  assert.deepEqual(events.map(toEntry), getExpected(family, { order: "desc" }).slice(0, 50));
  const urls = [...counted.values()].flatMap(({ urls }) => urls);
  assert.ok(urls.length <= 48, `${urls.length} requests`);
  // One lookup of the newest block for each chain, and one page of each list.
  assert.equal(urls.filter((url) => url.endsWith("/blocks")).length, 3);
});

test("a transfer between two accounts is an event of each, or of its sender only", async () => {
  const accounts = [getAccount("showcase"), getAccount("treasury")];
  for (const order of ["asc", "desc"]) {
    const both = await collect(mergeHistories(accounts, { order }));
    const own = both.filter((event) => event.own);
    const received = own.filter(({ direction }) => direction === "in");
    assert.ok(received.length > 0);
    for (const event of received) {
      const sent = own.filter(({ key, direction }) => key === event.key && direction === "out");
      assert.equal(sent.length, 1);
      assert.notEqual(sent[0].account, event.account);
    }
    const once = await collect(mergeHistories(accounts, { order, ownTransfers: "once" }));
    assert.deepEqual(once.map(toId), both.filter((event) => !received.includes(event)).map(toId));
    // Apart from the parties, a balance change does not depend on how own transfers are delivered.
    assert.deepEqual(both.filter(({ own }) => !own).map(toEntry), once.filter(({ own }) => !own).map(toEntry));
  }
  const other = await collect(mergeHistories([getAccount("showcase"), getAccount("treasury", 10)]));
  assert.ok(other.every(({ own, from, to }) => !own || from === to));
});

test("one account has the events of its history", async () => {
  const account = getAccount("quiet");
  const { client, address_hash } = account;
  const params = { include: ["transaction", "token_transfer"], exclude: ["zero_value"] };
  const merged = await collect(mergeHistories([account], params));
  const alone = await collect(history(client, { address_hash, ...params }));
  assert.deepEqual(
    merged.map(({ account, chain_id, own, ...event }) => event),
    alone,
  );
});

test("a list grows until its end, and calls that overlap share no event", async () => {
  const accounts = [getAccount("quiet"), getAccount("settlement", 10)];
  const params = { from: new Date("2026-10-01") };
  const all = await collect(mergeHistories(accounts, params));
  const call = mergeHistories(accounts, params);
  const parts = await Promise.all([call.more(7), call.more(3)]);
  assert.deepEqual(
    parts.map(({ length }) => length),
    [7, 3],
  );
  assert.notEqual(call.resumeToken, null);
  const rest = await call.more(100_000);
  assert.deepEqual([...parts.flat(), ...rest].map(toId), all.map(toId));
  assert.equal(call.resumeToken, null);
  assert.deepEqual(await call.more(50), []);
  for (const limit of [0, 1.5, "5", undefined]) await expectError(call.more(limit), "invalid_parameter", { parameter: "limit" });
});

test("`more` of a history continues after a failure", async () => {
  let fails = false;
  const answer = () => (fails ? new Response("{}", { status: 500 }) : undefined);
  const client = createClient(1, { answer, maxAttempts: 1 });
  const params = { address_hash: findHash(client.sample, "quiet"), include: ["transaction"] };
  const all = await collect(history(client, params));
  const call = history(client, params);
  fails = true;
  await expectError(call.more(5), "http_status");
  fails = false;
  const events = await call.more(2);
  assert.deepEqual([...events, ...(await call.more(1000))], all);
});

test("a resume token continues after any event", async () => {
  const accounts = [getAccount("quiet"), getAccount("showcase"), getAccount("collector", 10)];
  for (const order of ["asc", "desc"]) {
    const all = await collect(mergeHistories(accounts, { order, ownTransfers: "once" }));
    for (const count of [1, 2, 57, all.length - 1]) {
      const first = mergeHistories(accounts, { order, ownTransfers: "once" });
      const events = await first.more(count);
      const rest = mergeHistories(accounts, { order, ownTransfers: "once", resume: first.resumeToken });
      events.push(...(await collect(rest)));
      assert.deepEqual(events.map(toEntry), all.map(toEntry), `${order} ${count}`);
      assert.equal(rest.report.complete, true);
    }
  }
});

test("a token belongs to its accounts and parameters", async () => {
  const accounts = [getAccount("quiet"), getAccount("collector", 10)];
  const call = mergeHistories(accounts);
  await call.more(3);
  const resume = call.resumeToken;
  const expected = { parameter: "resume" };
  for (const [others, params] of [
    [accounts.slice(1), {}],
    [[...accounts].reverse(), {}],
    [[accounts[0], getAccount("collector", 8453)], {}],
    [accounts, { order: "asc" }],
    [accounts, { ownTransfers: "once" }],
  ])
    await expectError(collect(mergeHistories(others, { ...params, resume })), "invalid_parameter", expected);
  const { client, address_hash } = accounts[0];
  await expectError(collect(history(client, { address_hash, resume })), "invalid_parameter", expected);
});

/** Accounts of which the second one fails while `state.fails` is set. */
function createFailing() {
  const state = { fails: true };
  const answer = () => (state.fails ? new Response("{}", { status: 500 }) : undefined);
  const failing = createClient(10, { answer, maxAttempts: 1 });
  return { state, accounts: [getAccount("quiet"), getAccount("collector", 10, failing), getAccount("showcase", 8453)] };
}

test("an account that fails does not stop the others, and comes when the call is resumed", async () => {
  const { state, accounts } = createFailing();
  const call = mergeHistories(accounts);
  const events = await collect(call);
  assert.deepEqual(events.map(toEntry), getExpected([accounts[0], accounts[2]], { order: "desc" }));
  const { complete, accounts: reports } = call.report;
  assert.equal(complete, false);
  assert.deepEqual(
    reports.map(({ state, error }) => [state, error?.code]),
    [
      ["complete", undefined],
      ["failed", "http_status"],
      ["complete", undefined],
    ],
  );
  state.fails = false;
  const resumed = mergeHistories(accounts, { resume: call.resumeToken });
  assert.deepEqual((await collect(resumed)).map(toEntry), getExpected([accounts[1]], { order: "desc" }));
  assert.equal(resumed.report.complete, true);
  assert.deepEqual(
    resumed.report.accounts.map(({ state, report }) => [state, report.events]),
    [
      ["complete", 0],
      ["complete", getExpected([accounts[1]], { order: "desc" }).length],
      ["complete", 0],
    ],
  );
});

test("an account that fails in the middle lacks only what follows", async () => {
  const { state, accounts } = createFailing();
  state.fails = false;
  const call = mergeHistories(accounts);
  const events = [];
  for await (const event of call) {
    state.fails = events.push(event) > 10;
  }
  const failed = events.filter(({ chain_id }) => chain_id === 10);
  const expected = getExpected([accounts[1]], { order: "desc" });
  assert.ok(failed.length > 0 && failed.length < expected.length);
  assert.deepEqual(failed.map(toEntry), expected.slice(0, failed.length));
  state.fails = false;
  const rest = await collect(mergeHistories(accounts, { resume: call.resumeToken }));
  assert.deepEqual([...failed, ...rest].map(toEntry), expected);
});

test("`more` continues with an account that failed", async () => {
  const { state, accounts } = createFailing();
  const call = mergeHistories(accounts);
  const events = await call.more(100_000);
  assert.equal(call.report.complete, false);
  state.fails = false;
  events.push(...(await call.more(100_000)));
  const all = getExpected(accounts, { order: "desc" });
  assert.deepEqual(events.map(toId).sort(), all.map(toId).sort());
  assert.equal(call.resumeToken, null);
});

test("a failed account of which nothing else is left rejects, so that no list seems to end", async () => {
  const { accounts } = createFailing();
  const call = mergeHistories(accounts);
  assert.ok((await call.more(100_000)).length > 0);
  await expectError(call.more(5), "http_status");
  await expectError(collect(mergeHistories(accounts, { resume: call.resumeToken })), "http_status");
});

test("a strict call ends with the first failure, and so does one without any account left", async () => {
  const { state, accounts } = createFailing();
  await expectError(collect(mergeHistories(accounts, { strict: true })), "http_status");
  const alone = mergeHistories([accounts[1]]);
  const error = await expectError(collect(alone), "http_status");
  assert.equal(error.resumeToken ?? null, alone.resumeToken);
  assert.deepEqual([alone.report.complete, alone.report.accounts[0].state], [false, "failed"]);
  state.fails = false;
  const strict = await collect(mergeHistories(accounts, { strict: true }));
  assert.deepEqual(strict.map(toEntry), getExpected(accounts, { order: "desc" }));
});

test("an account without proof that it is complete makes the report incomplete, also after a resume", async () => {
  const accounts = [getAccount("lagging"), getAccount("quiet", 10)];
  const call = mergeHistories(accounts, { order: "asc" });
  await collect(call);
  assert.equal(call.report.complete, false);
  assert.deepEqual(
    call.report.accounts.map(({ state }) => state),
    ["incomplete", "complete"],
  );
});

test("an aborted call rejects, and its token continues", async () => {
  const controller = new AbortController();
  const accounts = [getAccount("quiet"), getAccount("showcase", 10)];
  const call = mergeHistories(accounts, { signal: controller.signal });
  const events = [];
  const reading = (async () => {
    for await (const event of call) if (events.push(event) === 20) controller.abort("enough");
  })();
  const error = await expectError(reading, "aborted");
  assert.equal(error.cause, "enough");
  events.push(...(await collect(mergeHistories(accounts, { resume: error.resumeToken }))));
  assert.deepEqual(events.map(toEntry), getExpected(accounts, { order: "desc" }));
});

test("an export reads a merged history", async () => {
  const accounts = [getAccount("quiet"), getAccount("showcase", 10)];
  const csv = await new Response(toCsv(mergeHistories(accounts), { columns: ["chain_id", "account", "own", "key"] })).text();
  const lines = getExpected(accounts, { order: "desc" }).map(
    ({ chain_id, account, own, key }) => `${chain_id},"${account}",${own},"${key}"`,
  );
  assert.equal(csv, ['"chain_id","account","own","key"', ...lines, ""].join("\r\n"));
});

test("invalid parameters are named before anything is sent", async () => {
  const client = createClient(1);
  const account = { client, address_hash: findHash(client.sample, "quiet") };
  const other = { ...account, client: createClient(10) };
  for (const [parameter, accounts, params] of [
    ["accounts", []],
    ["accounts", account],
    ["accounts", [account, { ...account, address_hash: account.address_hash.toLowerCase() }]],
    ["client", [null]],
    ["client", [{ address_hash: account.address_hash }]],
    ["address_hash", [{ client, address_hash: "0x12" }]],
    ["address_hash", [account], { address_hash: account.address_hash }],
    ["order", [account], { order: "newest" }],
    ["from", [account, other], { from: 5 }],
    ["to", [account, other], { to: 5 }],
    ["ownTransfers", [account], { ownTransfers: true }],
    ["strict", [account], { strict: "yes" }],
    ["limit", [account], { limit: 5 }],
  ]) {
    await expectError(collect(mergeHistories(accounts, params)), "invalid_parameter", { parameter });
  }
  assert.deepEqual([...client.urls, ...other.client.urls], []);
});

/** Reads random accounts with faults, interruptions and new blocks. Each event must come exactly once. */
async function checkSeed(seed) {
  const random = createRandom("merge", seed);
  const rate = random.pick([0, 0.1, 0.3]);
  // The sample service takes long to list the transactions of the address with new blocks, so few cases read them.
  const isGrowing = seed % 8 === 1;
  const from = isGrowing ? "2026-10-30" : "2026-07-01";
  const chains = [1, 10, 8453].map((chainId) => {
    const service = createSampleService({
      seed: 1 + random.nextInt(3),
      pageSize: random.pick([5, 13, 50]),
      faults: { seed: seed * 10 + (chainId % 7), rate, kinds: RECOVERABLE_FAULTS },
    });
    if (isGrowing) {
      service.grow(10);
      service.reorganise(random.nextInt(10));
    }
    return createClient(chainId, { service, timeoutMs: 5_000 });
  });
  const accounts = chains.flatMap((client) =>
    ["showcase", "treasury", "collector", "quiet"].flatMap((id) =>
      random.nextBoolean(0.5) ? [getAccount(id, null, client)] : [],
    ),
  );
  if (accounts.length === 0) accounts.push(getAccount("quiet", null, chains[0]));
  // New blocks are about this address.
  const growing = getAccount("deep", null, chains[0]);
  if (isGrowing) accounts.splice(random.nextInt(accounts.length), 0, growing);
  const order = random.pick(["asc", "desc"]);
  const ownTransfers = random.pick(["both", "once"]);
  const params = { order, ownTransfers, strict: random.nextBoolean(0.5), from: new Date(from) };
  const events = [];
  let resume;
  /** The last block of the growing account's range. */
  let to;
  let newer = 0;
  for (let calls = 0; calls === 0 || resume != null; calls++) {
    assert.ok(calls < 500);
    const call = mergeHistories(accounts, { ...params, resume });
    try {
      const limit = random.pick([5, 40, 1000]);
      events.push(...(await call.more(limit)));
      to ??= call.report.accounts[accounts.indexOf(growing)]?.report?.to;
      if (to !== undefined && newer < 5 && random.nextBoolean(0.3)) {
        growing.client.sample.grow();
        newer += 1;
        growing.client.sample.reorganise(random.nextInt(newer + 1));
      }
      resume = call.resumeToken ?? undefined;
      if (resume === undefined) assert.equal(call.report.complete, true, JSON.stringify(call.report));
    } catch (error) {
      resume = error.resumeToken ?? resume;
      if (resume === undefined) calls = -1;
    }
  }
  const all = getExpected(accounts, { order, to }).filter(({ timestamp }) => timestamp >= from);
  const sent = new Set(
    all.filter(({ own, direction }) => own && direction === "out").map(({ chain_id, key }) => `${chain_id} ${key}`),
  );
  const isLeftOut = ({ own, direction, chain_id, key }) =>
    ownTransfers === "once" && own && direction === "in" && sent.has(`${chain_id} ${key}`);
  const expected = all.filter((event) => !isLeftOut(event)).map(toId);
  if (params.strict) assert.deepEqual(events.map(toId), expected);
  else {
    // The events of an account that failed come later.
    assert.equal(new Set(events.map(toId)).size, events.length, "each event comes once");
    const ids = new Set(events.map(toId));
    assert.deepEqual(
      expected.filter((id) => !ids.has(id)),
      [],
    );
  }
}

test("each event of random accounts comes once", async (context) => {
  // From here on, timers run in virtual time.
  const time = new VirtualTime();
  for (let seed = 0; seed < SEEDS; seed++) await context.test(`seed ${seed}`, () => time.run(checkSeed(seed)));
});
