// Random histories: addresses, orders, kinds, ranges, faults, growth and interruptions. Each event of the ledger must come exactly
// once and in order. Time is virtual.
//
// `make soak` runs it with more seeds: SEEDS=1000 node --test tests/js/history-random.test.mjs
import assert from "node:assert/strict";
import { test } from "node:test";
import { history } from "../../pkg/history/index.js";
import { AddressClient, isAddressQueryError } from "../../pkg/index.js";
import { createSampleService } from "../../pkg/testing/index.js";
import { createRandom } from "../../target/parts/testing/random.js";
import { RECOVERABLE_FAULTS } from "./faults.mjs";
import { getExpectedEvents, getHiddenTokens, simplify } from "./history-model.mjs";
import { VirtualTime } from "./virtual-time.mjs";

const SEEDS = Number(process.env.SEEDS ?? 6);
const KINDS = ["transaction", "internal_transaction", "token_transfer", "block_reward", "withdrawal"];
const ADDRESSES = ["quiet", "settlement", "proxy", "minter", "hostile", "producer", "deep", "hub"];
/** How many of the newest blocks are read of the addresses with long histories. */
const RECENT_BLOCKS = { producer: 1_000, deep: 29, hub: 5_000 };
/** The range to choose the first and last block from, for other addresses. */
const BLOCKS = 50_000;
/** The address that new blocks are about. The sample service takes long to list its transactions, so few cases read them. */
const GROWING = "deep";
const NEW_BLOCKS = 30;
const MAX_ERRORS = 200;

const warmUp = createSampleService();
/** The newest block of the initial chain, which is the same for each seed. */
const [{ height: HEAD }] = warmUp.getAllItems("/blocks");
await new AddressClient({ baseUrl: "https://sample.invalid", fetch: warmUp.fetch }).addresses();
const time = new VirtualTime();

/** Draws a case: what to read, and how it is disturbed. */
function drawCase(seed) {
  const random = createRandom("history", seed);
  const rate = random.pick([0, 0.1, 0.3]);
  const id = random.pick(ADDRESSES);
  const kinds = id === GROWING ? [...RECOVERABLE_FAULTS, "new_blocks"] : RECOVERABLE_FAULTS;
  const service = createSampleService({
    seed: 1 + (seed % 3),
    pageSize: random.pick([5, 13, 50]),
    faults: { seed, rate, kinds },
  });
  const { hash } = service.addresses.find((address) => address.id === id);
  const isQuick = id !== GROWING || random.nextBoolean(0.1);
  const include = KINDS.filter((kind) => (isQuick || kind !== "transaction") && random.nextBoolean(0.8));
  if (id === GROWING) service.grow(NEW_BLOCKS);
  const last = id === GROWING ? HEAD + NEW_BLOCKS : HEAD;
  const first = last - (RECENT_BLOCKS[id] ?? BLOCKS);
  const pickBlock = () => first + random.nextInt(last - first + 1);
  const from = id in RECENT_BLOCKS ? first : random.nextBoolean(0.2) ? pickBlock() : undefined;
  const to = random.nextBoolean(0.2) ? Math.max(from ?? 0, pickBlock()) : undefined;
  const order = random.pick(["asc", "desc"]);
  const params = { address_hash: hash, include: include.length > 0 ? include : ["token_transfer"], order, from, to };
  return { random, service, params, rate, isGrowing: id === GROWING };
}

/** Reads a history with interruptions. After each interruption, another call continues with the token. */
async function readWithInterruptions(client, params, { random, service, rate, isGrowing }) {
  const events = [];
  let resume;
  let to;
  let calls = 0;
  for (let errors = 0; ; ) {
    calls += 1;
    const call = history(client, { ...params, resume });
    const breakAfter = random.nextBoolean(0.8) ? 1 + random.nextInt(random.pick([5, 80])) : Number.POSITIVE_INFINITY;
    let count = 0;
    try {
      for await (const event of call) {
        events.push(event);
        count += 1;
        if (isGrowing && random.nextBoolean(0.05)) service.grow();
        if (count >= breakAfter) break;
      }
      to ??= call.report.to;
      if (count < breakAfter) {
        assert.equal(call.resumeToken, null, "the token at the end");
        assert.equal(call.report.complete, true, JSON.stringify(call.report));
        return { events, to, calls };
      }
      resume = call.resumeToken;
    } catch (error) {
      if (!isAddressQueryError(error)) throw error;
      assert.ok(rate > 0 && ++errors < MAX_ERRORS, error.stack);
      to ??= call.report?.to;
      resume = error.resumeToken;
      assert.equal(resume ?? null, call.resumeToken);
      if (resume === undefined) events.length = 0;
    }
  }
}

/** Checks that each event comes once and in order. */
async function checkSeed(seed, context) {
  const drawn = drawCase(seed);
  const { service, params } = drawn;
  const client = new AddressClient({ baseUrl: "https://sample.invalid", fetch: service.fetch, timeoutMs: 5_000 });
  const { events, to, calls } = await time.run(readWithInterruptions(client, params, drawn));
  const hidden = params.order === "desc" ? getHiddenTokens(service, params.address_hash, params.from) : undefined;
  const expected = getExpectedEvents(service, params.address_hash, { ...params, to, hidden });
  if (params.order === "desc") expected.reverse();
  const title = JSON.stringify(params);
  context.diagnostic(`${events.length} events in ${calls} calls`);
  assert.deepEqual(
    events.map(({ key }) => key),
    expected.map(({ key }) => key),
    title,
  );
  assert.deepEqual(events.map(simplify), expected, title);
  const keys = new Set(events.map(({ key }) => key));
  assert.equal(keys.size, events.length, `a key came twice: ${title}`);
}

for (let seed = 0; seed < SEEDS; seed++) {
  test(`each event comes once and in order, seed ${seed}`, (context) => checkSeed(seed, context));
}

test("failures before the first event do not start the history again, seeds 172 and 397", async (context) => {
  for (const seed of [172, 397]) await checkSeed(seed, context);
});
