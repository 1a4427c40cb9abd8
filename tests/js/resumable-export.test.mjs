// `resumableExport`: interrupted anywhere, the file has the bytes of one uninterrupted export.
import assert from "node:assert/strict";
import { test } from "node:test";
import { AddressClient } from "../../pkg/index.js";
import { activities, history, koinly, mergeHistories, toCsv, toNdjson, withValues } from "../../pkg/history/index.js";
import { forgetExport, listExports, memoryDatabase, resumableExport } from "../../pkg/store/index.js";
import { createSampleService } from "../../pkg/testing/index.js";

const service = createSampleService();
const [showcase, quiet, collector] = ["showcase", "quiet", "collector"].map(
  (wanted) => service.addresses.find(({ id }) => id === wanted).hash,
);
const SEEDS = Number(process.env.SEEDS ?? 3);

/** A generator of random numbers below a bound. */
function createRandom(seed) {
  let state = seed;
  return (bound) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * bound);
  };
}

/** The message of the failures that interrupt an export. */
const INTERRUPTION = "an interruption";

/** Exhausted credits: a failure without a retry, which no fallback hides. */
const spend = (message = INTERRUPTION) => Response.json({ message }, { status: 402 });

/** A client whose requests `interrupt` can fail. */
function createClient(interrupt = () => {}) {
  const fetch = async (request) => {
    try {
      interrupt("request");
    } catch (error) {
      return spend(error.message);
    }
    return serve(request);
  };
  return new AddressClient({ baseUrl: "https://sample.invalid", fetch, maxPerSecond: 1000, apiKey: "proapi_key" });
}

/** The first transaction of each day, newest first, by the day. */
const stating = new Map();
for (const { hash, timestamp } of service.getAllItems(`/addresses/${showcase}/transactions`)) {
  const day = timestamp.slice(0, 10);
  if (!stating.has(day)) stating.set(day, hash);
}

/** Serves the sample data. Only the first transaction of a day states a price, on which the events after it depend. */
async function serve(request) {
  const response = await service.fetch(request);
  if (!request.url.includes("/transactions?")) return response;
  const body = await response.json();
  for (const item of body.items) {
    if (stating.get(item.timestamp.slice(0, 10)) !== item.hash) item.historic_exchange_rate = null;
  }
  return Response.json(body, response);
}

/** A store whose writes `interrupt` can fail, before or after they are made. */
function createStore(database, interrupt) {
  const write = async (change) => {
    interrupt("write");
    await database.write(change);
    interrupt("written");
  };
  return { database: { ...database, write } };
}

/** A column that makes parts long, by the position of its record: so that exports of few records have many parts. */
const PAD = { name: "pad", value: ({ block_number = 0 }) => "x".repeat(block_number % 8 === 0 ? 66_000 : 100) };

function padTemplate({ header, toRows }) {
  return { header: [...header, "pad"], toRows: (item) => toRows(item).map((row) => [...row, PAD.value(item)]) };
}

const FIELDS = ["key", "timestamp", "amount", "asset.symbol", "asset.contract", "suspicion", PAD];

/** What is exported, by its name: the call, and the options of the export. */
const EXPORTS = {
  "a history, oldest first": [(client) => history(client, { address_hash: showcase, order: "asc" }), { columns: FIELDS }],
  "a history, newest first": [(client) => history(client, { address_hash: showcase }), { columns: FIELDS }],
  "a history without lookalike addresses": [
    (client) => history(client, { address_hash: showcase, order: "asc", exclude: ["lookalike_address"] }),
    { columns: FIELDS },
  ],
  "a set of columns": [(client) => history(client, { address_hash: quiet }), { columns: "accounting" }],
  "activities for a tax program": [
    (client) => activities(client, { address_hash: quiet, order: "asc" }),
    { columns: padTemplate(koinly({ coin: "ETH" })) },
  ],
  "values, newest first": [
    (client) => withValues(client, history(client, { address_hash: showcase })),
    { columns: [...FIELDS, "fiat.value", "fiat.basis", "fiat.price_source", "fee_fiat.value"] },
  ],
  "values that are requested": [
    (client) => withValues(client, history(client, { address_hash: quiet, order: "asc" }), { requests: true }),
    { columns: [...FIELDS, "fiat.value", "fiat.price_source"] },
  ],
  "a merged history": [
    (client) =>
      mergeHistories(
        [collector, quiet].map((address_hash) => ({ client, address_hash })),
        { order: "asc" },
      ),
    { columns: [...FIELDS, "account"] },
  ],
  "a list": [(client) => client.addressTokenTransfers({ address_hash: showcase }), { format: "ndjson" }],
  "a range of blocks": [
    (client) => (resume) => client.account.tokenTx.all({ address: showcase, sort: "asc" }, { resume }),
    { columns: ["hash", "value", "blockNumber"] },
  ],
};

/** Exports without interruption, by the function that is not resumable. */
async function exportAtOnce([create, { format, columns }]) {
  const source = create(createClient());
  const records = typeof source === "function" ? source(undefined) : source;
  return new Response(format === "ndjson" ? toNdjson(records) : toCsv(records, { columns })).text();
}

/** Exports until it is finished, however often it is interrupted. Returns the result with the text of its file. */
async function exportAtLast([create, options], interrupt, database = memoryDatabase()) {
  for (let attempts = 1; ; attempts++) {
    assert.ok(attempts < 2000, "it makes progress");
    try {
      const store = createStore(database, interrupt);
      const result = await resumableExport(create(createClient(interrupt)), { ...options, store });
      assert.deepEqual(await database.read("", "\uffff"), [], "a finished export is removed");
      return { ...result, text: await result.file.text(), attempts };
    } catch (error) {
      if (!error.message.includes(INTERRUPTION)) throw error;
    }
  }
}

for (const [name, declaration] of Object.entries(EXPORTS)) {
  test(`${name}: random interruptions leave the same bytes`, async () => {
    const expected = await exportAtOnce(declaration);
    const { report: whole } = await exportAtLast(declaration, () => {});
    for (let seed = 0; seed < SEEDS; seed++) {
      const random = createRandom(seed);
      const odds = 10 + random(50);
      const interrupt = () => {
        if (random(odds) === 0) throw new Error(INTERRUPTION);
      };
      const { text, records, rows, bytes, complete } = await exportAtLast(declaration, interrupt);
      assert.equal(text, expected, `seed ${seed}`);
      assert.equal(bytes, new TextEncoder().encode(expected).length);
      if (!declaration[1].format) assert.equal(rows, text.trimEnd().split("\r\n").length - 1);
      assert.ok(records >= rows || name.includes("activities"));
      assert.equal(complete, whole?.complete ?? true);
    }
  });
}

test("an interruption at any request and any write leaves the same bytes", async () => {
  const declaration = [(client) => history(client, { address_hash: quiet, order: "asc" }), { columns: ["key", PAD] }];
  const expected = await exportAtOnce(declaration);
  const counts = { request: 0, write: 0, written: 0 };
  await exportAtLast(declaration, (operation) => (counts[operation] += 1));
  assert.ok(counts.request > 8 && counts.write > 8, JSON.stringify(counts));
  for (const [operation, count] of Object.entries(counts)) {
    for (let failing = 1; failing <= count; failing++) {
      let number = 0;
      const interrupt = (current) => {
        if (current === operation && ++number === failing) throw new Error(INTERRUPTION);
      };
      const { text, attempts } = await exportAtLast(declaration, interrupt);
      assert.equal(text, expected, `${operation} ${failing}`);
      // Without the newest block, the list of blocks is read instead.
      assert.ok(attempts <= 2);
    }
  }
});

/** Interrupts an export after this many parts. */
async function exportParts(count, create, options, database) {
  let writes = 0;
  const interrupt = (operation) => {
    // The first write removes what an earlier export may have left.
    if (operation === "written" && ++writes > count) throw new Error(INTERRUPTION);
  };
  const store = createStore(database, interrupt);
  await assert.rejects(resumableExport(create(createClient()), { ...options, store }), { message: INTERRUPTION });
}

const readAscending = (client) => history(client, { address_hash: quiet, order: "asc" });
const PADDED = { columns: ["key", PAD] };

test("a changed request or format does not continue another export", async () => {
  const database = memoryDatabase();
  await exportParts(2, readAscending, PADDED, database);
  const [first] = await listExports({ database });
  const others = [
    [(client) => history(client, { address_hash: quiet }), PADDED],
    [(client) => history(client, { address_hash: collector, order: "asc" }), PADDED],
    [(client) => history(client, { address_hash: quiet, order: "asc", to: 21_000_000 }), PADDED],
    [(client) => history(client, { address_hash: quiet, order: "asc", include: ["transaction"] }), PADDED],
    [(client) => history(client, { address_hash: quiet, order: "asc", exclude: ["zero_value"] }), PADDED],
    [(client) => withValues(client, readAscending(client)), PADDED],
    [(client) => activities(readAscending(client)), { columns: ["key", PAD] }],
    [(client) => activities(readAscending(client), { exclude: ["zero_value"] }), PADDED],
    [readAscending, { columns: ["key", "amount", PAD] }],
    [readAscending, { columns: "full" }],
    [readAscending, { columns: "accounting" }],
    [readAscending, { format: "ndjson" }],
    [readAscending, { ...PADDED, key: "mine" }],
    [(client) => client.addressTransactions({ address_hash: quiet }), { format: "ndjson" }],
    [(client) => client.addressTransactions({ address_hash: quiet }, { order: "asc" }), { format: "ndjson" }],
    [(client) => (resume) => client.account.txList.all({ address: quiet }, { resume }), { format: "ndjson" }],
    [(client) => (resume) => client.account.tokenTx.all({ address: quiet }, { resume }), { format: "ndjson" }],
  ];
  for (const [create, options] of others) await exportParts(1, create, options, database);
  const exports = await listExports({ database });
  assert.equal(new Set(exports.map(({ key }) => key)).size, others.length + 1);
  assert.deepEqual(
    exports.find(({ key }) => key === first.key),
    first,
  );
  for (const { key } of exports) await forgetExport({ database }, key);
  assert.deepEqual(await database.read("", "\uffff"), []);
});

test("progress and result count what earlier calls have written", async () => {
  const database = memoryDatabase();
  await exportParts(3, readAscending, PADDED, database);
  const [{ records, bytes }] = await listExports({ database });
  assert.ok(records > 0);
  const progress = [];
  const onProgress = (next) => progress.push(next);
  const { file, report, ...result } = await resumableExport(readAscending(createClient()), {
    ...PADDED,
    store: { database },
    total: 92,
    onProgress,
  });
  assert.deepEqual(progress[0], { records, rows: records, bytes, fraction: records / 92, omitted: { count: 0, first: [] } });
  assert.equal(progress.at(-1).fraction, 1);
  assert.deepEqual(result, { records: 46, rows: 46, bytes: file.size, complete: true, omitted: { count: 0, first: [] } });
  const { report: whole } = await exportAtLast([readAscending, PADDED], () => {});
  // Blocks that were read ahead are read again.
  assert.deepEqual(report, { ...whole, sources: report.sources });
  assert.ok(report.sources.every(({ records, state }, i) => records >= whole.sources[i].records && state === "complete"));
});

test("records that an earlier call has omitted make the export incomplete", async () => {
  const database = memoryDatabase();
  const isBad = ({ pathname }) => pathname.endsWith("/token-transfers");
  let isServing = true;
  const fetch = async (request) => {
    const url = new URL(request.url);
    if (!isServing && isBad(url)) return spend();
    const response = await service.fetch(request);
    if (!isBad(url) || url.searchParams.size > 0) return response;
    const body = await response.json();
    body.items[3].total.value = { no: "amount" };
    // The next page fails.
    isServing = false;
    return Response.json(body);
  };
  const create = () => {
    const client = new AddressClient({
      baseUrl: "https://sample.invalid",
      fetch,
      maxPerSecond: 1000,
      apiKey: "proapi_key",
      badRecords: "skip",
    });
    return client.addressTokenTransfers({ address_hash: showcase });
  };
  await assert.rejects(resumableExport(create(), { format: "ndjson", store: { database } }), { code: "out_of_credits" });
  const [{ records }] = await listExports({ database });
  assert.equal(records, 49);
  isServing = true;
  const { complete, omitted } = await resumableExport(create(), { format: "ndjson", store: { database } });
  assert.equal(complete, false);
  assert.equal(omitted.count, 1);
});

test("the failure of an account ends the export, so that its events are not too late", async () => {
  const database = memoryDatabase();
  let fails = true;
  const fetch = async (request) => {
    const isFailing = fails && request.url.toLowerCase().includes(collector.toLowerCase()) && request.url.includes("token");
    return isFailing ? spend() : service.fetch(request);
  };
  const create = () => {
    const client = new AddressClient({ baseUrl: "https://sample.invalid", fetch, maxPerSecond: 1000, apiKey: "proapi_key" });
    return mergeHistories([collector, quiet].map((address_hash) => ({ client, address_hash })));
  };
  await assert.rejects(resumableExport(create(), { store: { database } }), { code: "out_of_credits" });
  fails = false;
  const { file, complete } = await resumableExport(create(), { store: { database } });
  assert.equal(await file.text(), await new Response(toCsv(create())).text());
  assert.ok(complete);
});

test("a token that the package refuses starts the export over", async () => {
  const database = memoryDatabase();
  await exportParts(3, readAscending, PADDED, database);
  const [[key, state]] = await database.read("export/state/", "export/state0");
  const refused = state.checkpoint.token.replace("aq1.", "aq0.");
  await database.write({ put: [[key, { ...state, checkpoint: { ...state.checkpoint, token: refused } }]] });
  const { file } = await resumableExport(readAscending(createClient()), { ...PADDED, store: { database } });
  assert.equal(await file.text(), await exportAtOnce([readAscending, PADDED]));
});

test("the state of another version starts the export over", async () => {
  const database = memoryDatabase();
  await exportParts(3, readAscending, PADDED, database);
  const [[key]] = await database.read("export/state/", "export/state0");
  await database.write({ put: [[key, { version: 0 }]] });
  const { text } = await exportAtLast([readAscending, PADDED], () => {}, database);
  assert.equal(text, await exportAtOnce([readAscending, PADDED]));
});

test("a part that was deleted is an error, after which the export starts over", async () => {
  const database = memoryDatabase();
  await exportParts(3, readAscending, PADDED, database);
  const [[part]] = await database.read("export/part/", "export/part0");
  await database.write({ remove: [[part, `${part}\0`]] });
  const run = () => resumableExport(readAscending(createClient()), { ...PADDED, store: { database } });
  await assert.rejects(run(), { code: "storage", reason: "closed" });
  const { file } = await run();
  assert.equal(await file.text(), await exportAtOnce([readAscending, PADDED]));
});

test("a field that only earlier parts have is no mistake, and a field that no part has is one", async () => {
  const records = (fields) => {
    const create = (resume) => {
      const start = Number(resume ?? 0);
      const call = {
        resumeToken: resume ?? null,
        async *[Symbol.asyncIterator]() {
          for (let i = start; i < 6; i++) {
            call.resumeToken = String(i + 1);
            yield i === 0 ? { pad: "x".repeat(66_000), ...fields } : { pad: "x".repeat(66_000) };
          }
          call.resumeToken = null;
        },
      };
      return call;
    };
    return () => create;
  };
  const options = { columns: ["name", "pad"], key: "own records" };
  const { text } = await exportAtLast([records({ name: "a" }), options], () => {});
  const database = memoryDatabase();
  await exportParts(2, records({ name: "a" }), options, database);
  const continued = await exportAtLast([records({ name: "a" }), options], () => {}, database);
  assert.equal(continued.text, text);
  await exportParts(2, records({}), options, database);
  await assert.rejects(
    exportAtLast([records({}), options], () => {}, database),
    { parameter: "columns", message: /"name" is not a/ },
  );
});

test("a signal ends the export, which keeps its parts", async () => {
  const database = memoryDatabase();
  const controller = new AbortController();
  const { signal } = controller;
  const onProgress = ({ records }) => records > 10 && controller.abort(new Error("enough"));
  const options = { ...PADDED, store: { database }, signal };
  await assert.rejects(resumableExport(readAscending(createClient()), { ...options, onProgress }), { code: "aborted" });
  const requests = [];
  const client = createClient((operation) => requests.push(operation));
  await assert.rejects(resumableExport(readAscending(client), options), { code: "aborted" });
  assert.equal(requests.length, 0);
  const { file } = await resumableExport(readAscending(client), { ...options, signal: undefined });
  assert.equal(await file.text(), await exportAtOnce([readAscending, PADDED]));
});

test("the signal of a history ends its export, too", async () => {
  const database = memoryDatabase();
  const controller = new AbortController();
  const onProgress = () => controller.abort();
  const create = (signal) => history(createClient(), { address_hash: quiet, order: "asc", signal });
  await assert.rejects(resumableExport(create(controller.signal), { ...PADDED, store: { database }, onProgress }), {
    code: "aborted",
  });
  const { file } = await resumableExport(create(), { ...PADDED, store: { database } });
  assert.equal(await file.text(), await exportAtOnce([readAscending, PADDED]));
});

test("a file handle is written at the end, and a failure to write needs no further requests", async () => {
  const database = memoryDatabase();
  const written = [];
  let fails = true;
  const to = {
    async createWritable() {
      return new WritableStream({
        write(bytes) {
          if (fails) throw new Error("the disk is full");
          written.push(...bytes);
        },
      });
    },
  };
  const requests = [];
  const run = () => {
    const client = createClient((operation) => requests.push(operation));
    return resumableExport(readAscending(client), { ...PADDED, store: { database }, to });
  };
  await assert.rejects(run(), { message: "the disk is full" });
  assert.equal((await listExports({ database }))[0].isWritten, true);
  fails = false;
  requests.length = 0;
  const { complete, file } = await run();
  assert.deepEqual([complete, file, requests], [true, undefined, []]);
  assert.equal(new TextDecoder().decode(new Uint8Array(written)), await exportAtOnce([readAscending, PADDED]));
  assert.deepEqual(await listExports({ database }), []);
});

test("a function receives the file, and a failure of it needs no further requests", async () => {
  const database = memoryDatabase();
  const run = (to) => resumableExport(readAscending(createClient()), { ...PADDED, store: { database }, to });
  await assert.rejects(
    run(() => Promise.reject(new Error("no click"))),
    { message: "no click" },
  );
  const files = [];
  await run(async (file) => void files.push(await file.text()));
  assert.deepEqual(files, [await exportAtOnce([readAscending, PADDED])]);
});

test("an empty export has a header, and is complete", async () => {
  const empty = service.addresses.find(({ id }) => id === "empty").hash;
  const run = (options) =>
    resumableExport(history(createClient(), { address_hash: empty }), { ...options, store: { database: memoryDatabase() } });
  const { file, complete, rows } = await run({ columns: ["key", "amount"] });
  assert.deepEqual([await file.text(), complete, rows], ['"key","amount"\r\n', true, 0]);
  assert.equal((await run({ format: "ndjson" })).file.size, 0);
});

test("invalid options are errors before any request", async () => {
  const store = { database: memoryDatabase() };
  const invalid = [
    [{}, "store"],
    [{ store: {} }, "store"],
    [{ store, to: "history.csv" }, "to"],
    [{ store, format: "json" }, "format"],
    [{ store, format: "ndjson", columns: "full" }, "format"],
    [{ store, columns: "ful" }, "columns"],
    [{ store, key: 5 }, "key"],
    [{ store, total: -1 }, "total"],
    [{ store, onProgress: 5 }, "onProgress"],
    [{ store, colums: "full" }, "colums"],
  ];
  for (const [options, parameter] of invalid) {
    const client = createClient(() => assert.fail("a request"));
    await assert.rejects(resumableExport(readAscending(client), options), { code: "invalid_parameter", parameter });
  }
  const client = createClient(() => assert.fail("a request"));
  const events = history(client, { address_hash: "vitalik.eth" });
  await assert.rejects(resumableExport(events, { store }), { parameter: "address_hash" });
  await assert.rejects(resumableExport([{ a: 1 }], { store, columns: ["a"] }), { parameter: "key" });
  await assert.rejects(resumableExport([{ a: 1 }], { store, columns: ["a"], key: "a" }), { parameter: "events" });
  const range = client.account.txList.all({ address: quiet });
  const database = memoryDatabase();
  await exportParts(
    1,
    (client) => (resume) => client.account.txList.all({ address: quiet }, { resume }),
    { format: "ndjson" },
    database,
  );
  await assert.rejects(resumableExport(range, { store: { database }, format: "ndjson" }), { parameter: "events" });
});
