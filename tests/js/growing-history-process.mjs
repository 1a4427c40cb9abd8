// Reads histories of chains that grow during every request: node growing-history-process.mjs <seed> <seed> ... Prints a line of
// JSON for each seed. Each run has one disturbance, and `complete` in the report must be right.
import assert from "node:assert/strict";
import { argv } from "node:process";
import { history } from "../../pkg/history/index.js";
import { AddressClient, isAddressQueryError } from "../../pkg/index.js";
import { createSampleService } from "../../pkg/testing/index.js";
import { createRandom } from "../../target/parts/testing/random.js";
import { ADDRESS, ScriptedService, getKind, KINDS } from "./service.mjs";
import { VirtualTime } from "./virtual-time.mjs";

/** What disturbs a run, and the codes of the errors that this may cause. */
const DISTURBANCES = {
  none: [],
  failures: ["http_status", "rate_limited"],
  refused_lookup: ["refused", "api_key_required", "decode"],
  reversed_page: ["cursor"],
  swapped_records: ["cursor"],
  overlapping_pages: ["cursor"],
  foreign_token: ["invalid_parameter"],
  skipped_records: [],
};
/** Bodies that are neither a block nor the message that there is none. */
const REFUSED_LOOKUPS = [
  { status: "0", message: "Unknown module", result: null },
  { status: "0", message: "NOTOK", result: "Missing/Invalid API Key" },
  { message: "Unexpected error" },
  ...["abc", {}, null, "-1"].map((blockNumber) => ({ status: "1", message: "OK", result: { blockNumber } })),
];
const MAX_CALLS = 200;

await new AddressClient({ baseUrl: "https://sample.invalid", fetch: createSampleService().fetch }).addresses();
const time = new VirtualTime();

/** Changes the JSON of a page of a REST list. `last` is the last record of the page before. */
const EDITS = {
  reversed_page: (items) => items.reverse(),
  swapped_records: (items, _, random) => {
    const [record] = items.splice(random.nextInt(items.length), 1);
    items.splice(random.nextInt(items.length + 1), 0, record);
  },
  overlapping_pages: (items, last) => last && items.unshift(last),
  skipped_records: (items, _, random) => items.length > 0 && Object.assign(random.pick(items), { timestamp: {} }),
};

/** Creates the `fetch` of a chain that grows before and after each response. */
function createFetch(chain, random, disturbance) {
  const lastItems = new Map();
  const lookup = random.pick(REFUSED_LOOKUPS);
  return async (request) => {
    const { pathname, searchParams } = new URL(request.url);
    await time.sleep(random.nextInt(300));
    if (random.nextBoolean(0.5)) chain.grow(1);
    if (disturbance === "failures" && random.nextBoolean(0.2)) return new Response("", { status: random.pick([429, 500, 503]) });
    if (disturbance === "refused_lookup" && searchParams.get("action") === "getblocknobytime") return Response.json(lookup);
    if (disturbance === "refused_lookup" && pathname.endsWith("/blocks")) return new Response("", { status: 404 });
    const response = await chain.fetch(request);
    const body = await response.text();
    await time.sleep(random.nextInt(300));
    if (random.nextBoolean(0.3)) chain.grow(1);
    const edit = EDITS[disturbance];
    if (edit === undefined || !pathname.includes("/addresses/")) return new Response(body, response);
    const page = JSON.parse(body);
    const last = searchParams.size > 0 ? lastItems.get(pathname) : undefined;
    lastItems.set(pathname, page.items.at(-1));
    if (random.nextBoolean(0.3)) edit(page.items, last, random);
    return Response.json(page);
  };
}

/** Reads a history with interruptions. Returns the events, the last report, what all reports omit, and the error that ended it. */
async function read(createClient, params, random, disturbance) {
  const events = [];
  const omitted = { count: 0, first: [] };
  let resume;
  let lastCode;
  for (let calls = 1; calls < MAX_CALLS; calls++) {
    const isForeign = disturbance === "foreign_token" && resume !== undefined && random.nextBoolean(0.3);
    const call = history(createClient(isForeign ? "https://other.invalid" : "https://sample.invalid"), { ...params, resume });
    const breakAfter = random.nextBoolean(0.6) ? 1 + random.nextInt(30) : Number.POSITIVE_INFINITY;
    let count = 0;
    try {
      for await (const event of call) {
        events.push(event);
        count += 1;
        if (count >= breakAfter) break;
      }
      assert.ok(!isForeign, "the token of another instance was accepted");
      // The report of a resumed history does not cover earlier omissions.
      omitted.count += call.report.omitted.count;
      omitted.first.push(...call.report.omitted.first);
      if (count < breakAfter) return { events, report: call.report, omitted };
      resume = call.resumeToken;
    } catch (error) {
      if (!isAddressQueryError(error)) throw error;
      lastCode = error.code;
      assert.ok(DISTURBANCES[disturbance].includes(error.code), error.stack);
      if (disturbance !== "failures" && !isForeign) return { events, report: call.report, omitted, error };
      if (isForeign) assert.deepEqual([error.parameter, error.resumeToken], ["resume", undefined]);
      else resume = error.resumeToken ?? resume;
    }
  }
  return assert.fail(`the history does not end: ${disturbance}, ${JSON.stringify(params)}, ${events.length} events, ${lastCode}`);
}

async function readRandomly(seed) {
  const random = createRandom("growing", seed);
  const disturbance = random.pick(Object.keys(DISTURBANCES));
  const chain = new ScriptedService({ random, clamp: random.pick([2, 7, 50]) });
  chain.grow(10 + random.nextInt(60));
  const [start, order] = [chain.head, random.pick(["asc", "desc"])];
  const included = KINDS.filter(() => random.nextBoolean(0.8));
  const include = included.length > 0 ? included : KINDS;
  const from = random.nextBoolean(0.3) ? start - random.nextInt(20) : undefined;
  // Beyond the newest block, so that it is mined while the history is read.
  const to = random.nextBoolean(0.2) ? start + random.nextInt(6) : undefined;
  const fetch = createFetch(chain, random, disturbance);
  const badRecords = disturbance === "skipped_records" ? "skip" : "throw";
  const createClient = (baseUrl) => new AddressClient({ baseUrl, fetch, badRecords, maxAttempts: 3, maxPerSecond: 1000 });
  const params = { address_hash: ADDRESS, include, order, from, to };
  const { events, report, omitted, error } = await read(createClient, params, random, disturbance);
  if (disturbance === "refused_lookup") {
    assert.deepEqual([events, report, error.resumeToken], [[], null, undefined]);
    return { disturbance, order, events: 0, failed: true };
  }
  const title = `${disturbance}, ${JSON.stringify(params)}`;
  const isExpected = ([key, block]) => include.includes(getKind(key)) && block >= (from ?? 0) && block <= report.to;
  const expected = new Map(chain.getKeys().filter(isExpected));
  const blocks = events.map(({ block_number }) => block_number);
  assert.deepEqual(
    blocks,
    blocks.toSorted((a, b) => (order === "asc" ? a - b : b - a)),
    `out of order: ${title}`,
  );
  const keys = new Set(events.map(({ key }) => key));
  assert.equal(keys.size, events.length, `a key came twice: ${title}`);
  assert.ok(report.to >= Math.min(to ?? start, start), `ends before the newest block: ${title}`);
  if (error === undefined) assert.equal(report.complete, report.omitted.count === 0, JSON.stringify([title, report]));
  // After an error, the events before it must be complete: all blocks except the last one.
  const isBefore = (block) => (order === "asc" ? block < blocks.at(-1) : block > blocks.at(-1));
  const missing = [...expected].filter(([key, block]) => !keys.has(key) && (error === undefined || isBefore(block)));
  const extra = [...keys].filter((key) => !expected.has(key));
  const omittedBlocks = omitted.first.map(({ block }) => block);
  const unreported = missing.filter(([, block]) => !omittedBlocks.includes(block));
  assert.deepEqual({ unreported, extra }, { unreported: [], extra: [] }, title);
  assert.ok(missing.length <= omitted.count, `more is missing than the report says: ${title}`);
  return { disturbance, order, events: events.length, failed: error !== undefined };
}

for (const seed of argv.slice(2).map(Number)) {
  const outcome = await time.run(readRandomly(seed)).catch(({ stack }) => ({ error: stack }));
  console.log(JSON.stringify({ seed, ...outcome }));
}
