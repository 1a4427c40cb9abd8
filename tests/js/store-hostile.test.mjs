// Values and names that anyone may have written: a store returns the values as the service sent them, and never mixes what has another
// name.
import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, test } from "node:test";
import { history, toCsv, toNdjson } from "../../pkg/history/index.js";
import { AddressClient } from "../../pkg/index.js";
import {
  createStore,
  forgetExport,
  indexedDatabase,
  listExports,
  memoryDatabase,
  resumableExport,
  sync,
  syncedHistory,
} from "../../pkg/store/index.js";
import { fileDatabase } from "../../pkg/store/node.js";
import { createSampleService } from "../../pkg/testing/index.js";
import { assertHostile, makeHostile, STRINGS } from "./hostile.mjs";
import { createIndexedDb } from "./indexed-db.mjs";
import { ADDRESS, createAddress, ScriptedService } from "./service.mjs";
import { collect, createEditedClient, expectError } from "./support.mjs";
import { createRandom } from "../../target/parts/testing/random.js";

const folder = mkdtempSync(join(tmpdir(), "address-query-hostile-"));
const fake = createIndexedDb();
Object.assign(globalThis, fake.globals);
after(() => rmSync(folder, { recursive: true }));

const sample = createSampleService();
const address_hash = sample.addresses.find(({ id }) => id === "hostile").hash;
const edit = (_, body) => {
  if (body.items?.[0]?.block_number)
    body.items = body.items.map((item) => makeHostile({ ...item, unknown_field: null }, item.block_number));
};
const client = createEditedClient(sample, edit, { keepExtra: true });

/** Opens each kind of database, which has what was written when it is opened again. */
const DATABASES = {
  "a database in memory": () => {
    const database = memoryDatabase();
    return () => database;
  },
  "a database of the browser": () => () => indexedDatabase("hostile"),
  "a database in a file": () => () => fileDatabase(join(folder, "hostile.db")),
};

const events = await collect(history(client, { address_hash }));
const read = (stream) => new Response(stream).text();

describe("hostile values", () => {
  test("are in the events that are stored", () => assertHostile(events));

  for (const [name, create] of Object.entries(DATABASES)) {
    test(`are the same in ${name}, and in exports from it`, async () => {
      const open = create();
      const writer = createStore({ database: open() });
      assert.equal((await sync(client, writer, { address_hash })).complete, true);
      await writer.close();
      const store = createStore({ database: open() });
      assert.deepEqual(await collect(store.history(client, { address_hash })), events);
      assert.deepEqual(await collect(store.history(client, { address_hash, order: "asc" })), [...events].reverse());
      assert.deepEqual(await collect(syncedHistory(client, { address_hash, store })), events);
      assert.deepEqual(await sync(client, store, { address_hash }).then(({ added, removed }) => [added, removed]), [0, []]);
      const ndjson = await read(toNdjson(history(client, { address_hash })));
      assert.equal(await read(toNdjson(store.history(client, { address_hash }))), ndjson);
      const source = store.history(client, { address_hash });
      const { file } = await resumableExport(source, { store, format: "ndjson" });
      assert.equal(await file.text(), ndjson);
      const csv = await read(toCsv(history(client, { address_hash }), { columns: "full" }));
      const exported = await resumableExport(store.history(client, { address_hash }), { store });
      assert.equal(await exported.file.text(), csv);
      assert.equal({}.polluted, undefined);
      await store.close();
    });
  }
});

describe("hostile names", () => {
  const chain = new ScriptedService({ random: createRandom("hostile names", 1) });
  chain.grow(20);

  test("of chains and addresses keep copies apart", async () => {
    const account = createAddress("a1");
    const options = [
      ...["", "/", "/..%2F..", "/%", "/\u2028", "/\ud800", `/${account}`, "/history/2/accounts/", `/${"x".repeat(2_000)}`].map(
        (path) => ({ baseUrl: `https://chain.invalid${path}` }),
      ),
      ...[{ keepExtra: true }, { badRecords: "skip" }].map((more) => ({ baseUrl: "https://chain.invalid", ...more })),
      ...[1, 10].map((chainId) => ({ baseUrl: "https://chain.invalid", chainId })),
    ];
    const store = createStore({ database: memoryDatabase() });
    const clients = options.map((more) => new AddressClient({ fetch: chain.fetch, maxPerSecond: 1000, ...more }));
    const sources = new Set(clients.map(({ source }) => JSON.stringify(source)));
    for (const each of clients) await sync(each, store, { address_hash: ADDRESS });
    assert.equal((await store.accounts()).length, sources.size);
    let left = sources.size;
    for (const each of clients) {
      if (!sources.delete(JSON.stringify(each.source))) continue;
      await store.forget(ADDRESS.toUpperCase().replace("0X", "0x"), each);
      assert.equal((await store.accounts()).length, --left);
      const stored = await collect(store.history(each, { address_hash: ADDRESS }));
      assert.equal(stored.length, 0);
    }
    assert.deepEqual(await store.database.read("", "\uffff"), []);
  });

  test("of exports keep them apart, and each is listed and forgotten", async () => {
    const store = { database: memoryDatabase() };
    const keys = [
      ...STRINGS.filter((key) => key !== ""),
      "/",
      "../x",
      "x/0000000000000000",
      "1/x",
      "\uffff",
      "\uffffa",
      "a",
      "a\0",
    ];
    const unique = [...new Set(keys)];
    for (const [index, key] of unique.entries()) {
      const records = {
        resumeToken: null,
        async *[Symbol.asyncIterator]() {
          records.resumeToken = "1";
          yield { index, text: "x".repeat(70_000) };
          throw new Error("interrupted");
        },
      };
      await assert.rejects(resumableExport(records, { store, key, columns: ["index", "text"] }), { message: "interrupted" });
    }
    const listed = await listExports(store);
    assert.equal(listed.length, unique.length);
    for (const [index, key] of unique.entries()) {
      const prefix = `${key} csv`;
      const [found, ...others] = (await listExports(store)).filter((stored) => stored.key.startsWith(prefix));
      assert.deepEqual(others, [], prefix);
      await forgetExport(store, found.key);
      assert.equal((await listExports(store)).length, unique.length - index - 1);
    }
    assert.deepEqual(await store.database.read("", "\uffff"), []);
  });

  test("of files are errors, or name one file in its folder", async () => {
    const place = mkdtempSync(join(folder, "names-"));
    const names = ["-", "a b.db", "%2e%2e%2fx", "..%2fx.db", "\u202ex.db", "🦄", "x\ny", "__proto__"];
    for (const name of names) {
      const store = createStore({ database: fileDatabase(join(place, name)) });
      await sync(createClient(), store, { address_hash: ADDRESS });
      await store.close();
    }
    assert.deepEqual(readdirSync(place).sort(), [...names].sort());
    for (const name of ["nul\0.db", "x".repeat(300), "."]) {
      const database = fileDatabase(join(place, name));
      await expectError(database.write({ put: [["a", 1]] }), "storage", { reason: "unavailable" });
      await database.close();
    }
    assert.deepEqual(readdirSync(place).sort(), [...names].sort());
    assert.deepEqual(
      readdirSync(folder).filter((name) => !/^hostile|^names-/.test(name)),
      [],
    );

    function createClient() {
      return new AddressClient({ baseUrl: "https://chain.invalid", fetch: chain.fetch, maxPerSecond: 1000 });
    }
  });
});
