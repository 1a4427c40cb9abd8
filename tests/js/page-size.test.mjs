// The size of pages on the versions of the sample service: requests are counted, and none is refused because of its size.
//
// `make soak` runs more random reads: SEEDS=1000 node --test tests/js/page-size.test.mjs
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { history, toCsv, watch } from "../../pkg/history/index.js";
import { AddressClient, isAddressQueryError, keyOf } from "../../pkg/index.js";
import { createSampleService } from "../../pkg/testing/index.js";
import { createRandom } from "../../target/parts/testing/random.js";
import { TRANSIENT_FAULTS } from "./faults.mjs";
import { expectError, HASH } from "./support.mjs";
import { VirtualTime } from "./virtual-time.mjs";

const SEEDS = Number(process.env.SEEDS ?? 20);
const BASE_URL = "https://sample.invalid";
const VERSION_PATH = "/api/v2/config/backend-version";
const TOTAL = 1000;

const { addresses } = createSampleService();
const find = (id) => addresses.find((address) => address.id === id).hash;
await new AddressClient({ baseUrl: BASE_URL, fetch: createSampleService().fetch }).addresses();
const time = new VirtualTime();

/** Creates a client of a sample service. `requests` has the path, size and status of each request. */
function setUp({ client: clientOptions, ...options }) {
  const service = createSampleService(options);
  const requests = [];
  const fetch = async (request) => {
    const { pathname, searchParams } = new URL(request.url);
    const sent = { path: pathname, size: searchParams.get("items_count"), status: null };
    requests.push(sent);
    const response = await service.fetch(request);
    sent.status = response.status;
    return response;
  };
  return { service, requests, client: new AddressClient({ baseUrl: BASE_URL, fetch, ...clientOptions }) };
}

/** The requests of lists, and how often the version was requested. */
function count(requests) {
  const lists = requests.filter(({ path }) => path !== VERSION_PATH);
  return { lists: lists.length, versions: requests.length - lists.length };
}

/** Asserts that the service has refused no request. Requests without a status were aborted. */
function assertAccepted(requests) {
  assert.deepEqual(
    requests.filter(({ status }) => status === 422),
    [],
  );
}

async function take(records, limit) {
  const taken = [];
  for await (const record of records) if (taken.push(record) === limit) break;
  return taken;
}

async function readText(stream) {
  let text = "";
  for await (const chunk of stream.pipeThrough(new TextDecoderStream())) text += chunk;
  return text;
}

/** Each way to read the newest `TOTAL` records of a list. Each returns what identifies the records. */
const READS = {
  toArray: async (list) => (await list().toArray({ limit: TOTAL })).map(keyOf),
  iteration: async (list) => (await take(list(), TOTAL)).map(keyOf),
  "pages()": async (list) => {
    const keys = [];
    for await (const { items } of list().pages()) if (keys.push(...items.map(keyOf)) >= TOTAL) break;
    return keys.slice(0, TOTAL);
  },
  concurrency: async (list) => (await list({ concurrency: 3 }).toArray({ limit: TOTAL })).map(keyOf),
  export: async (list) => {
    const rows = (
      await readText(toCsv(await list().toArray({ limit: TOTAL }), { columns: ["transaction_hash", "block_number"] }))
    ).split("\r\n");
    return rows.slice(1, TOTAL + 1);
  },
};

for (const version of [8, 9, 11, 12]) {
  describe(`version ${version}`, () => {
    for (const [name, read] of Object.entries(READS)) {
      time.test(`${name} reads two lists of ${TOTAL} records`, () => checkLists(version, read));
    }
    for (const order of ["asc", "desc"]) {
      time.test(`history in order ${order} equals the history with small pages`, () => checkHistory(version, order));
    }
  });
}

async function checkLists(version, read) {
  const { client, requests } = setUp({ backendVersion: version, client: { maxPerSecond: 1000 } });
  const reference = setUp({ backendVersion: version, pageSize: 500, maxPageSize: 500 });
  for (const [method, address_hash] of [
    // Its cursors show the version.
    ["addressLogs", find("settlement")],
    // Its cursors do not show the version.
    ["addressTokenTransfers", find("hub")],
  ]) {
    requests.length = 0;
    const keys = await read((options) => client[method]({ address_hash }, { prefetch: 0, ...options }));
    assert.deepEqual(keys, await read((options) => reference.client[method]({ address_hash }, { prefetch: 0, ...options })));
    assert.equal(keys.length, TOTAL);
    assertAccepted(requests);
    const { lists, versions } = count(requests);
    const sequential = version === 12 ? 1 + Math.ceil((TOTAL - 50) / 100) : TOTAL / 50;
    if (read === READS.concurrency) assert.ok(lists <= sequential * 1.7, `${lists} requests of ${method}`);
    else assert.equal(lists, sequential, method);
    // The logs were read before, and their cursors showed the version.
    assert.equal(versions, 0);
  }
}

async function checkHistory(version, order) {
  const address_hash = find("settlement");
  const { client, requests } = setUp({ backendVersion: version, client: { maxPerSecond: 1000 } });
  const { client: reference, requests: smaller } = setUp({
    backendVersion: version,
    maxPageSize: 50,
    client: { maxPerSecond: 1000 },
  });
  const read = async (client) => (await take(history(client, { address_hash, order }), 2000)).map(({ key }) => key);
  assert.deepEqual(await read(client), await read(reference));
  assertAccepted(requests);
  assert.ok(requests.length <= smaller.length);
}

time.test("a list whose cursors do not show the version requests it once for a client", async () => {
  for (const [version, sizes] of [
    [12, [null, "100", "100", null, "100", "100"]],
    [11, [null, null, null, null, null, null, null, null, null, null]],
  ]) {
    const { client, requests } = setUp({ backendVersion: version });
    for (let read = 0; read < 2; read++) await client.tokenTransfers().toArray({ limit: 250 });
    assert.equal(count(requests).versions, 1, `version ${version}`);
    const lists = requests.filter(({ path }) => path !== VERSION_PATH);
    assert.deepEqual(
      lists.map(({ size }) => size),
      sizes,
    );
  }
});

time.test("watch reads pages after the first in the larger size", async () => {
  const { client, requests, service } = setUp({ backendVersion: 12 });
  const address_hash = find("deep");
  const keys = [];
  const controller = new AbortController();
  const call = watch(client, { address_hash, include: ["token_transfer"], signal: controller.signal });
  const ended = (async () => {
    for await (const { key } of call) keys.push(key);
  })().catch(() => {});
  await time.sleep(20_000);
  service.grow(300);
  await time.sleep(120_000);
  controller.abort();
  await ended;
  assert.equal(new Set(keys).size, keys.length);
  assert.ok(keys.length > 100, `${keys.length} events`);
  assert.ok(requests.some(({ size }) => size === "100"));
  assertAccepted(requests);
});

describe("pageSize", () => {
  time.test("is the size of every page of version 12", async () => {
    const { client, requests } = setUp({ backendVersion: 12 });
    for (const pageSize of [1, 20, 50, 80, 100]) {
      const call = client.addressLogs({ address_hash: find("settlement") }, { pageSize, prefetch: 0 });
      let resume;
      let pages = 0;
      for await (const { items } of call.pages()) {
        assert.equal(items.length, pageSize);
        resume = call.resumeToken;
        if (++pages === 3) break;
      }
      const next = await client.addressLogs({ address_hash: find("settlement") }, { pageSize, resume });
      assert.equal(next.items.length, pageSize);
    }
    assert.deepEqual(count(requests), { lists: 20, versions: 0 });
  });

  time.test("is at most what the instance allows", async () => {
    const { client } = setUp({ backendVersion: 12, maxPageSize: 60 });
    const { items } = await client.addressLogs({ address_hash: find("settlement") }, { pageSize: 80 });
    assert.equal(items.length, 60);
  });

  for (const version of [8, 9, 11]) {
    time.test(`other than 50 is an error on version ${version}, with at most one refused request`, async () => {
      const { client, requests } = setUp({ backendVersion: version });
      for (const pageSize of [60, 20, 100]) {
        for (const method of ["addressLogs", "addressTokenTransfers"]) {
          const call = client[method]({ address_hash: find("hub") }, { pageSize });
          const error = await expectError(Promise.resolve(call), "unsupported_version", {
            parameter: "pageSize",
            operation: method,
            sinceVersion: "12.0.0",
          });
          assert.match(error.message, /^pageSize of \w+ requires backend version 12\.0\.0 or later/);
        }
      }
      assert.ok(requests.filter(({ status }) => status === 422).length <= 1);
      assert.deepEqual(count(requests), { lists: 1, versions: 1 });
      const { items } = await client.addressLogs({ address_hash: find("hub") }, { pageSize: 50 });
      assert.equal(items.length, 50);
    });
  }

  time.test("is checked before a request", async () => {
    const { client, requests } = setUp({ backendVersion: 12 });
    for (const pageSize of [0, 101, 1.5, "20", true]) {
      const call = client.addressLogs({ address_hash: HASH }, { pageSize });
      await expectError(Promise.resolve(call), "invalid_parameter", { parameter: "pageSize" });
    }
    const call = client.addressTokenBalances({ address_hash: HASH }, { pageSize: 20 });
    const error = await expectError(Promise.resolve(call), "invalid_parameter", { parameter: "pageSize" });
    assert.match(error.message, /fixed size/);
    assert.equal(requests.length, 0);
  });
});

/** The lists of the random reads, with the sample addresses to read. */
const LISTS = {
  addressLogs: ["quiet", "minter"],
  addressTokenTransfers: ["airdropped", "minter", "quiet"],
  addressInternalTransactions: ["quiet", "proxy"],
  addressTransactions: ["quiet", "proxy", "hostile"],
  addressWithdrawals: ["hub", "quiet"],
  addressTokens: ["hub", "hostile"],
  addressNft: ["minter", "hub"],
};
const references = new Map();
/** Number of refusals for lack of a key, in all reads. */
let refusals = 0;

/** Returns the keys of all records that a list can have, read in pages of one size. */
async function getExpectedKeys(method, id) {
  const name = `${method} ${id}`;
  if (!references.has(name)) {
    const { client } = setUp({ backendVersion: 11, pageSize: 1000, maxPageSize: 1000 });
    references.set(name, (await client[method]({ address_hash: find(id) }).toArray({ limit: 1500 })).map(keyOf));
  }
  return references.get(name);
}

/** Reads a list from a service that changes between its requests. Continues with the token after errors and interruptions. */
async function readRandomly(seed) {
  const random = createRandom("page size", seed);
  const draw = () => ({
    backendVersion: random.pick([8, 9, 11, 12, 12, 12]),
    maxPageSize: random.pick([50, 60, 100]),
    requiresKey: random.pick(["never", "never", "account_module", "always"]),
  });
  const method = random.pick(Object.keys(LISTS));
  const id = random.pick(LISTS[method]);
  const service = createSampleService({
    ...draw(),
    pageSize: random.pick([7, 20, 50]),
    faults: { seed, rate: random.pick([0, 0.2]), kinds: TRANSIENT_FAULTS },
  });
  const statuses = [];
  const fetch = async (request) => {
    if (random.nextBoolean(0.2)) service.reconfigure(draw());
    const response = await service.fetch(request);
    statuses.push(response.status);
    return response;
  };
  const createClient = () => new AddressClient({ baseUrl: BASE_URL, fetch, maxAttempts: 2, maxPerSecond: 1000 });
  let client = createClient();
  const expected = await getExpectedKeys(method, id);
  const keys = [];
  let resume;
  for (let errors = 0; keys.length < expected.length; ) {
    const options = { resume, concurrency: random.pick([1, 1, 3]), prefetch: random.pick([0, 1]) };
    const call = client[method]({ address_hash: find(id) }, options);
    const breakAfter = random.nextBoolean(0.3) ? 1 + random.nextInt(5) : Number.POSITIVE_INFINITY;
    let pages = 0;
    try {
      for await (const { items } of call.pages()) {
        keys.push(...items.map(keyOf));
        resume = call.resumeToken ?? undefined;
        if (++pages >= breakAfter || keys.length >= expected.length) break;
      }
      if (resume === undefined) break;
    } catch (error) {
      assert.ok(isAddressQueryError(error), error);
      refusals += error.code === "api_key_required" ? 1 : 0;
      assert.ok(++errors < 200, error);
      resume = error.resumeToken ?? resume;
    }
    if (random.nextBoolean(0.2)) client = createClient();
  }
  assert.deepEqual(keys.slice(0, expected.length), expected, `seed ${seed}: ${method} of ${id}`);
}

test(
  `${SEEDS} random reads lose, repeat and reorder nothing while size, version and refusals change`,
  { timeout: 3_600_000 },
  () =>
    time.run(
      (async () => {
        for (let seed = 0; seed < SEEDS; seed++) await readRandomly(seed);
        assert.ok(refusals > 0);
      })(),
    ),
);
