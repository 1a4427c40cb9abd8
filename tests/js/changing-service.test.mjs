// Random reads of lists, ranges and histories through a gateway whose instance changes its version, its page size and what it
// refuses in the middle: nothing is lost, repeated or reordered. Time is virtual. page-size.test.mjs does the same with lists of a
// single instance.
//
// `make soak` runs it with more seeds: SEEDS=1000 node --test tests/js/changing-service.test.mjs
import assert from "node:assert/strict";
import { test } from "node:test";
import { history } from "../../pkg/history/index.js";
import { AddressClient, isAddressQueryError, keyOf } from "../../pkg/index.js";
import { createSampleGateway, createSampleService } from "../../pkg/testing/index.js";
import { createRandom } from "../../target/parts/testing/random.js";
import { TRANSIENT_FAULTS } from "./faults.mjs";
import { getExpectedEvents } from "./history-model.mjs";
import { VirtualTime } from "./virtual-time.mjs";

/** With this many seeds, every refusal occurs. */
const MIN_SEEDS = 30;
const SEEDS = Number(process.env.SEEDS ?? MIN_SEEDS);
const BASE_URL = "https://gateway.invalid/1";
const KEY = "proapi_sample";
const MAX_ERRORS = 300;

/** The codes that a read may end with: each refusal, and the failures of `TRANSIENT_FAULTS`. */
const EXPECTED_CODES = [
  "api_key_rejected",
  "api_key_required",
  "out_of_credits",
  "blocked",
  "rate_limited",
  "network",
  "http_status",
  "refused",
  "decode",
  "timeout",
  "unsupported_version",
];

const LISTS = {
  addressLogs: ["quiet", "minter"],
  addressTokenTransfers: ["minter", "quiet"],
  addressInternalTransactions: ["quiet", "proxy"],
  addressTransactions: ["quiet", "proxy", "hostile"],
  addressWithdrawals: ["hub", "quiet"],
  addressTokens: ["hub", "hostile"],
};
const RANGES = { txList: ["proxy", "settlement"], tokenTx: ["settlement", "hub"], txListInternal: ["settlement", "hostile"] };
/** None of them has transfers that REST hides, which a history would lose when it falls back to REST. */
const HISTORIES = ["quiet", "settlement", "proxy", "minter", "hostile"];

await new AddressClient({ baseUrl: BASE_URL, fetch: createSampleService().fetch }).addresses();
const time = new VirtualTime();
const reference = createSampleService({ pageSize: 1000, maxPageSize: 1000 });
const referenceClient = new AddressClient({ baseUrl: "https://sample.invalid", fetch: reference.fetch, maxPerSecond: 1000 });
const find = (id) => reference.addresses.find((address) => address.id === id).hash;
const keyOfRow = (row) => JSON.stringify([row.hash, row.transactionHash, row.index, row.contractAddress, row.value, row.to]);

async function* pagesOf(call) {
  for await (const { items } of call.pages()) yield items;
}

async function* eventsOf(call) {
  for await (const event of call) yield [event];
}

/** Each kind of read: its call, how it is iterated in parts with a token after each, and the keys that it must deliver. */
const KINDS = {
  list(random) {
    const method = random.pick(Object.keys(LISTS));
    const address_hash = find(random.pick(LISTS[method]));
    const open = (client, resume) => client[method]({ address_hash }, { resume, concurrency: random.pick([1, 1, 3]) });
    const limit = random.pick([100, 400]);
    const readExpected = async () => (await referenceClient[method]({ address_hash }).toArray({ limit })).map(keyOf);
    return { title: method, open, iterate: pagesOf, readExpected, toKey: keyOf };
  },
  range(random) {
    const method = random.pick(Object.keys(RANGES));
    const params = { address: find(random.pick(RANGES[method])), sort: random.pick(["asc", "desc"]) };
    const open = (client, resume) => client.account[method].all(params, { resume, concurrency: random.pick([1, 2]) });
    const readExpected = async () => (await referenceClient.account[method].all(params).toArray({ limit: 9000 })).map(keyOfRow);
    return { title: `${method} ${params.sort}`, open, iterate: (call) => call.windows(), readExpected, toKey: keyOfRow };
  },
  history(random) {
    const params = { address_hash: find(random.pick(HISTORIES)), order: random.pick(["asc", "desc"]) };
    const open = (client, resume) => history(client, { ...params, resume });
    const readExpected = async () => {
      const keys = getExpectedEvents(reference, params.address_hash).map(({ key }) => key);
      return params.order === "asc" ? keys : keys.reverse();
    };
    return { title: `history ${params.order}`, open, iterate: eventsOf, readExpected, toKey: ({ key }) => key };
  },
};

/** How often each status refused a request, each code ended a call, and a source of a history fell back to REST. */
const refusals = { 401: 0, 402: 0, 403: 0, 429: 0 };
const counts = { replaced: 0, api_key_required: 0, api_key_rejected: 0, out_of_credits: 0, blocked: 0 };

function drawSettings(random) {
  const isLimited = random.nextBoolean(0.2);
  return {
    backendVersion: random.pick([9, 11, 12, 12]),
    maxPageSize: random.pick([50, 60, 100]),
    requiresKey: random.pick(["never", "never", "never", "account_module", "always"]),
    requiresReferer: random.nextBoolean(0.05),
    rateLimit: isLimited ? { requests: 5, blockMs: 300_000, statesReset: random.nextBoolean(0.5) } : undefined,
  };
}

/** Creates a gateway that changes before its requests, and `repair`, which lets the next read succeed. */
function createChangingGateway(random, seed) {
  const service = createSampleService({
    ...drawSettings(random),
    pageSize: random.pick([7, 20, 50]),
    faults: { seed, rate: random.pick([0, 0.1]), kinds: TRANSIENT_FAULTS },
  });
  const gateway = createSampleGateway({ chains: { 1: service }, keys: { [KEY]: { credits: 1e9 } } });
  let key = KEY;
  const fetch = async (request) => {
    if (random.nextBoolean(0.2)) service.reconfigure(drawSettings(random));
    if (random.nextBoolean(0.02)) gateway.setCredits(KEY, 0);
    if (random.nextBoolean(0.02)) key = "proapi_revoked";
    const response = await gateway.fetch(request);
    if (response.status in refusals) refusals[response.status] += 1;
    return response;
  };
  const repair = () => {
    gateway.setCredits(KEY, 1e9);
    key = KEY;
    service.reconfigure({ requiresKey: "never", requiresReferer: false, rateLimit: undefined });
  };
  return { fetch, repair, getKey: () => key };
}

/** The sources of a history that were not read to their ends. Not every version has all of them. */
const getUnread = (report) => (report?.sources ?? []).filter(({ state }) => state === "reading" || state === "incomplete");

async function readRandomly(seed) {
  const random = createRandom("changing service", seed);
  const kind = random.pick(Object.keys(KINDS));
  const { title, open, iterate, readExpected, toKey } = KINDS[kind](random);
  const { fetch, repair, getKey } = createChangingGateway(random, seed);
  const createClient = () => {
    const apiKey = random.nextBoolean(0.9) ? getKey : undefined;
    return new AddressClient({ baseUrl: BASE_URL, apiKey, fetch, maxAttempts: 2, maxPerSecond: 1000 });
  };
  const expected = await readExpected();
  const keys = [];
  let client = createClient();
  let resume;
  let isEnded = false;
  for (let errors = 0; !isEnded && keys.length < expected.length; ) {
    const call = open(client, resume);
    let left = random.nextBoolean(0.3) ? 1 + random.nextInt(kind === "history" ? 80 : 4) : Number.POSITIVE_INFINITY;
    try {
      for await (const records of iterate(call)) {
        keys.push(...records.map(toKey));
        if (--left === 0 || keys.length >= expected.length) break;
      }
      resume = call.resumeToken ?? undefined;
      isEnded = resume === undefined;
      if (isEnded) assert.deepEqual(getUnread(call.report), [], title);
    } catch (error) {
      assert.ok(isAddressQueryError(error) && EXPECTED_CODES.includes(error.code), error?.stack ?? String(error));
      counts[error.code] = (counts[error.code] ?? 0) + 1;
      assert.ok(++errors < MAX_ERRORS, error);
      resume = error.resumeToken;
      if (resume === undefined) keys.length = 0;
      if (random.nextBoolean(0.5)) repair();
    }
    counts.replaced += (call.report?.sources ?? []).filter(({ replaced }) => replaced !== null).length;
    if (random.nextBoolean(0.3)) client = createClient();
  }
  assert.deepEqual(keys.slice(0, expected.length), expected, `seed ${seed}: ${title}`);
}

test(
  `${SEEDS} random reads lose, repeat and reorder nothing while version, size and refusals change`,
  { timeout: 3_600_000 },
  (context) =>
    time.run(
      (async () => {
        for (let seed = 0; seed < SEEDS; seed++) await readRandomly(seed);
        const found = JSON.stringify({ ...refusals, ...counts });
        context.diagnostic(found);
        if (SEEDS >= MIN_SEEDS) assert.ok(![...Object.values(refusals), ...Object.values(counts)].includes(0), found);
      })(),
    ),
);
