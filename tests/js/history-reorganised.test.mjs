// Histories of chains that reorganise themselves while they are read: at any request, in both orders, merged, grouped to activities,
// interrupted and resumed. Either the events are exactly the events of the chain at the end, or the report says that they are not.
//
// `make soak` runs it with more seeds: SEEDS=1000 node --test tests/js/history-reorganised.test.mjs
import assert from "node:assert/strict";
import { test } from "node:test";
import { activities, history, mergeHistories, watch } from "../../pkg/history/index.js";
import { AddressClient, isAddressQueryError } from "../../pkg/index.js";
import { createRandom } from "../../target/parts/testing/random.js";
import { ADDRESS, ScriptedService } from "./service.mjs";
import { collect } from "./support.mjs";

const SEEDS = Number(process.env.SEEDS ?? 24);
const OTHER_ADDRESS = `0x${"c3".repeat(20)}`;
const REPLACED = /^block \d+ (was replaced since the history began|can no longer be read); events may be missing or outdated$/;

/** Creates a chain, and a client of it. `onRequest` is called before each request with the number of earlier ones. */
function createChain(seed, { onRequest = () => {}, ...script } = {}) {
  const random = createRandom("reorganised", seed);
  const chain = new ScriptedService({ random, clamp: random.pick([3, 7, 50]), ...script });
  chain.grow(20 + random.nextInt(40));
  const urls = [];
  const fetch = (request) => {
    onRequest(urls.length, request.url);
    urls.push(request.url);
    return chain.fetch(request);
  };
  const client = new AddressClient({ baseUrl: "https://sample.invalid", fetch, maxPerSecond: 1000 });
  return { random, chain, client, urls };
}

const toIds = (events) => events.map(({ key, block_number }) => `${block_number} ${key}`).sort();
const getIds = (chain, to) =>
  chain
    .getKeys()
    .flatMap(([key, block]) => (block <= to ? [`${block} ${key}`] : []))
    .sort();
const listReasons = ({ sources }) => sources.flatMap(({ reasons }) => reasons);

/** The calls of each kind, and the events and reports of their accounts. */
const READS = {
  history: { create: (client, params) => history(client, { address_hash: ADDRESS, ...params }) },
  activities: {
    create: (client, params) => activities(client, { address_hash: ADDRESS, ...params }),
    getEvents: ({ events }) => events,
  },
  merged: {
    create: (client, params) => {
      const accounts = [ADDRESS, OTHER_ADDRESS].map((address_hash) => ({ client, address_hash }));
      return mergeHistories(accounts, params);
    },
    getReports: ({ accounts }) => accounts,
  },
};

/** Reads with interruptions. Returns the events, and the last report. */
async function readWithInterruptions(createCall, getEvents, random) {
  const events = [];
  for (let resume; ; ) {
    const call = createCall(resume);
    const end = random.nextBoolean(0.5) ? 1 + random.nextInt(random.pick([5, 80])) : Number.POSITIVE_INFINITY;
    let count = 0;
    for await (const record of call) {
      events.push(...getEvents(record));
      if (++count >= end) break;
    }
    if (count < end) return { events, report: call.report };
    resume = call.resumeToken;
    // Nothing is known at the end.
    if (resume === null) return { events, report: call.report };
  }
}

for (const [name, { create, getEvents = (event) => [event], getReports = (report) => [{ report }] }] of Object.entries(READS)) {
  test(`${SEEDS} chains that reorganise themselves are read exactly, or the report says so: ${name}`, async (context) => {
    const counts = { exact: 0, reported: 0, failed: 0 };
    for (let seed = 0; seed < SEEDS; seed++) {
      const lengths = createRandom("reorganisation", seed);
      const [at, length] = [lengths.nextInt(40), 1 + lengths.nextInt(20)];
      const onRequest = (count) => {
        if (lengths.nextBoolean(0.2)) made.chain.grow(1);
        if (count === at) made.chain.reorganise(length);
      };
      const made = createChain(seed, { onRequest });
      const { random, chain, client } = made;
      const order = random.pick(["asc", "desc"]);
      const to = random.nextBoolean(0.2) ? chain.head + random.nextInt(3) : undefined;
      const concurrency = random.pick([1, 2]);
      const title = JSON.stringify({ seed, order, to, at, length });
      const createCall = (resume) => create(client, { order, to, concurrency, resume });
      try {
        const { events, report } = await readWithInterruptions(createCall, getEvents, random);
        counts[report.complete ? "exact" : "reported"] += 1;
        const isOf = (account) => (event) => event.account === account;
        for (const { account, report: ofAccount } of report.complete ? getReports(report) : [])
          assert.deepEqual(toIds(events.filter(isOf(account))), getIds(chain, ofAccount.to), title);
        const reasons = getReports(report).flatMap(({ report }) => (report ? listReasons(report) : []));
        assert.ok(report.complete || reasons.some((reason) => REPLACED.test(reason)), title);
      } catch (error) {
        // A reorganisation may move a record of a list to another page.
        if (!isAddressQueryError(error)) throw error;
        assert.equal(error.code, "cursor", title);
        counts.failed += 1;
      }
    }
    context.diagnostic(JSON.stringify(counts));
    assert.ok(counts.exact > SEEDS / 8 && counts.reported > SEEDS / 8 && counts.failed < SEEDS / 8, JSON.stringify(counts));
  });
}

test("blocks that are added, and replaced after the end of the history, change nothing", async () => {
  for (const order of ["asc", "desc"]) {
    for (let seed = 0; seed < SEEDS / 4; seed++) {
      const onRequest = () => {
        made.chain.grow(2);
        made.chain.reorganise(2);
      };
      const made = createChain(seed, { onRequest });
      const call = history(made.client, { address_hash: ADDRESS, order });
      const events = await collect(call);
      assert.deepEqual([call.report.complete, call.report.reorganised], [true, false], JSON.stringify(call.report));
      assert.deepEqual(toIds(events), getIds(made.chain, call.report.to));
    }
  }
});

test("a reorganisation between a token and its use is reported, for an account that had ended, too", async () => {
  for (const order of ["asc", "desc"]) {
    const { chain, client } = createChain(3);
    const accounts = [ADDRESS, OTHER_ADDRESS].map((address_hash) => ({ client, address_hash }));
    const call = history(client, { address_hash: ADDRESS, order });
    await call.more(5);
    const { length } = await collect(mergeHistories(accounts));
    const merged = mergeHistories(accounts, { order });
    // The last event belongs to one account, and the other one has ended.
    await merged.more(length - 1);
    chain.reorganise(1);
    const rest = history(client, { address_hash: ADDRESS, order, resume: call.resumeToken });
    await collect(rest);
    const { from, to, complete, reorganised } = rest.report;
    const reason = `block ${to} was replaced since the history began; events may be missing or outdated`;
    assert.deepEqual([from, complete, reorganised, [...new Set(listReasons(rest.report))]], [0, false, true, [reason]]);
    const mergedRest = mergeHistories(accounts, { order, resume: merged.resumeToken });
    await collect(mergedRest);
    assert.deepEqual(
      mergedRest.report.accounts.map(({ state, report }) => [state, listReasons(report)[0]]),
      accounts.map(() => ["incomplete", reason]),
    );
    assert.equal(mergedRest.resumeToken, null);
  }
});

test("the last block is requested once per instance at the end, and never if it is old", async () => {
  const listChecks = (urls) => urls.filter((url) => url.includes("/blocks/"));
  const { chain, client, urls } = createChain(5);
  await collect(history(client, { address_hash: ADDRESS }));
  assert.deepEqual([listChecks(urls), urls.at(-1)], [[urls.at(-1)], `https://sample.invalid/api/v2/blocks/${chain.head}`]);
  await collect(mergeHistories([ADDRESS, OTHER_ADDRESS].map((address_hash) => ({ client, address_hash }))));
  assert.equal(listChecks(urls).length, 2);
  for (const to of [chain.head - 55, new Date(Date.now() - 86_400_000)])
    await collect(history(client, { address_hash: ADDRESS, to }));
  const watching = watch(client, { address_hash: ADDRESS, since: chain.head - 10 });
  for await (const _ of watching) break;
  assert.equal(listChecks(urls).length, 2);
});

test("a last block that cannot be read again is reported, and a temporary failure continues from its token", async () => {
  for (const status of [404, 503]) {
    let isRefused = true;
    const { chain } = createChain(2);
    chain.change({ refuse: (url) => (isRefused && url.includes("/blocks/") ? new Response("{}", { status }) : undefined) });
    const client = new AddressClient({
      baseUrl: "https://sample.invalid",
      fetch: chain.fetch,
      maxAttempts: 1,
      maxPerSecond: 1000,
    });
    for (const read of [
      (resume) => history(client, { address_hash: ADDRESS, resume }),
      (resume) => mergeHistories([{ client, address_hash: ADDRESS }], { resume }),
    ]) {
      isRefused = true;
      const call = read();
      const events = await call.more(10_000);
      assert.deepEqual(toIds(events), getIds(chain, chain.head));
      const [{ report }] = call.report.accounts ?? [call];
      assert.equal(call.report.complete, false);
      assert.equal(listReasons(report).filter((reason) => REPLACED.test(reason)).length, status === 404 ? 5 : 0);
      assert.equal(call.resumeToken === null, status === 404);
      if (status === 404) continue;
      isRefused = false;
      const rest = read(call.resumeToken);
      assert.deepEqual([await collect(rest), rest.report.complete, rest.resumeToken], [[], true, null]);
    }
  }
});
