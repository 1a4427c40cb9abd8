// Random activities: addresses, orders, merged accounts, faults, growth, reorganisations and interruptions. Each activity must come
// exactly once, and whole. Time is virtual.
//
// `make soak` runs it with more seeds: SEEDS=1000 node --test tests/js/activity-random.test.mjs
import assert from "node:assert/strict";
import { test } from "node:test";
import { activities, mergeHistories } from "../../pkg/history/index.js";
import { AddressClient, isAddressQueryError } from "../../pkg/index.js";
import { createSampleService } from "../../pkg/testing/index.js";
import { createRandom } from "../../target/parts/testing/random.js";
import { RECOVERABLE_FAULTS } from "./faults.mjs";
import { getExpectedEvents, getHiddenTokens } from "./history-model.mjs";
import { VirtualTime } from "./virtual-time.mjs";

const SEEDS = Number(process.env.SEEDS ?? 4);
const ADDRESSES = ["showcase", "treasury", "collector", "quiet", "settlement", "minter", "hostile"];
/** The address that new blocks are about, and how many of its newest blocks are read. */
const GROWING = "deep";
const RECENT_BLOCKS = 2_000;
const NEW_BLOCKS = 20;
const MAX_ERRORS = 200;

const warmUp = createSampleService();
/** The newest block of the initial chain, which is the same for each seed. */
const [{ height: HEAD }] = warmUp.getAllItems("/blocks");
await new AddressClient({ baseUrl: "https://sample.invalid", fetch: warmUp.fetch }).addresses();
const time = new VirtualTime();

/** Draws a case: what to read, and how it is disturbed. */
function drawCase(seed) {
  const random = createRandom("activity", seed);
  const rate = random.pick([0, 0.1, 0.3]);
  const isGrowing = random.nextBoolean(0.3);
  const faults = { seed, rate, kinds: isGrowing ? [...RECOVERABLE_FAULTS, "new_blocks"] : RECOVERABLE_FAULTS };
  const service = createSampleService({ seed: 1 + (seed % 3), pageSize: random.pick([5, 13, 50]), faults });
  const ids = isGrowing ? [GROWING] : random.nextBoolean(0.3) ? ["showcase", "treasury"] : [random.pick(ADDRESSES)];
  if (isGrowing) {
    service.grow(NEW_BLOCKS);
    service.reorganise(random.nextInt(NEW_BLOCKS));
  }
  const from = isGrowing ? HEAD - RECENT_BLOCKS : undefined;
  const addresses = ids.map((id) => service.addresses.find((address) => address.id === id).hash);
  return { random, service, rate, addresses, order: random.pick(["asc", "desc"]), from, isGrowing };
}

/** Reads activities with interruptions. After each interruption, another call continues with the token. */
async function readWithInterruptions(createCall, { random, service, rate, isGrowing }) {
  const read = [];
  let resume;
  /** The number of blocks that are certainly newer than the range. */
  let newer = 0;
  for (let errors = 0; ; ) {
    const controller = new AbortController();
    const call = createCall(resume, controller.signal);
    const end = random.nextBoolean(0.8) ? 1 + random.nextInt(random.pick([5, 80])) : Number.POSITIVE_INFINITY;
    const isAborted = random.nextBoolean(0.5);
    let count = 0;
    try {
      for await (const activity of call) {
        read.push(activity);
        if (isGrowing && random.nextBoolean(0.1)) {
          service.grow();
          newer += 1;
        }
        // The range ends at the block that was the newest one, so that later blocks make no difference.
        if (random.nextBoolean(0.1)) service.reorganise(random.nextInt(newer + 1));
        if (++count < end) continue;
        if (!isAborted) break;
        controller.abort();
      }
      if (count < end && call.resumeToken === null) return { read, call };
      resume = call.resumeToken;
    } catch (error) {
      if (!isAddressQueryError(error)) throw error;
      assert.ok(error.code === "aborted" || (rate > 0 && ++errors < MAX_ERRORS), error.stack);
      resume = error.resumeToken;
      assert.equal(resume ?? null, call.resumeToken);
    }
    if (resume == null) {
      read.length = 0;
      newer = 0;
    }
  }
}

async function checkSeed(seed, context) {
  const drawn = drawCase(seed);
  const { service, addresses, order, from } = drawn;
  const client = new AddressClient({ baseUrl: "https://sample.invalid", fetch: service.fetch, timeoutMs: 5_000 });
  const createCall = (resume, signal) => {
    const [address_hash, ...others] = addresses;
    if (others.length === 0) return activities(client, { address_hash, order, from, resume, signal });
    const accounts = addresses.map((address_hash) => ({ client, address_hash }));
    return activities(mergeHistories(accounts, { order, resume, signal, strict: true }));
  };
  const { read, call } = await time.run(readWithInterruptions(createCall, drawn));
  context.diagnostic(`${read.length} activities`);
  assert.equal(call.report.complete, true);
  for (const address of addresses) {
    const hidden = order === "desc" ? getHiddenTokens(service, address, from) : undefined;
    const expected = new Map();
    for (const { transaction_hash, key } of getExpectedEvents(service, address, { from, to: call.report.to, hidden }))
      expected.set(transaction_hash ?? key, [...(expected.get(transaction_hash ?? key) ?? []), key]);
    const own = read.filter(({ account }) => account === undefined || account === address.toLowerCase());
    const found = own.map(({ transaction_hash, events: [first], events }) => [
      transaction_hash ?? first.key,
      events.map(({ key }) => key),
    ]);
    if (order === "desc") found.reverse();
    assert.deepEqual(found, [...expected], JSON.stringify({ address, order }));
  }
}

for (let seed = 0; seed < SEEDS; seed++) {
  test(`each activity comes once and whole, seed ${seed}`, (context) => checkSeed(seed, context));
}
