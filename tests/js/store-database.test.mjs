// The databases of a store that run in Node.js.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, afterEach, beforeEach, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { indexedDatabase, memoryDatabase } from "../../pkg/store/index.js";
import { fileDatabase } from "../../pkg/store/node.js";
import { createIndexedDb } from "./indexed-db.mjs";
import { DATABASE_TESTS } from "./store-database.mjs";
import { expectError } from "./support.mjs";

const KILLS = Number(process.env.KILLS ?? 8);
const PROCESS = fileURLToPath(new URL("store-process.mjs", import.meta.url));
const FOLDER = mkdtempSync(join(tmpdir(), "address-query-store-"));
after(() => rmSync(FOLDER, { recursive: true }));

let files = 0;
const createPath = () => join(FOLDER, `${++files}.db`);

describe("a database in memory", () => {
  for (const [name, run] of Object.entries(DATABASE_TESTS)) test(name, () => run(memoryDatabase));
});

describe("a database in a file", () => {
  for (const [name, run] of Object.entries(DATABASE_TESTS)) test(name, () => run(() => fileDatabase(createPath())));

  test("has its values when it is opened again", async () => {
    const path = createPath();
    const first = fileDatabase(path);
    await first.write({ put: [["a", { big: 5n }]] });
    await first.write({
      remove: [["a", "b"]],
      put: [
        ["b", 1],
        ["c", new Uint8Array([7])],
      ],
    });
    await first.close();
    assert.equal(existsSync(`${path}.lock`), false);
    const second = fileDatabase(path);
    assert.deepEqual(await second.read("", "z"), [
      ["b", 1],
      ["c", new Uint8Array([7])],
    ]);
    await second.close();
  });

  test("leaves out a change that was not written to its end, wherever it ends", async () => {
    const path = createPath();
    const database = fileDatabase(path);
    await database.write({ put: [["a", 1]] });
    const { size } = statSync(path);
    await database.write({ put: [["a", 2]] });
    await database.close();
    const bytes = readFileSync(path);
    for (let end = size; end < bytes.length; end++) {
      writeFileSync(path, bytes.subarray(0, end));
      if (end % 2) appendFileSync(path, new Uint8Array(5));
      const again = fileDatabase(path);
      assert.equal(await again.get("a"), 1, `${end} bytes`);
      await again.write({ put: [["a", 3]] });
      await again.close();
      const last = fileDatabase(path);
      assert.equal(await last.get("a"), 3);
      await last.close();
    }
  });

  test("is one process's, and one database's, at a time", async () => {
    const path = createPath();
    const database = fileDatabase(path);
    await database.write({ put: [["a", 1]] });
    await expectError(fileDatabase(path).get("a"), "storage", { reason: "blocked" });
    await database.close();
    writeFileSync(`${path}.lock`, String(process.ppid));
    await expectError(fileDatabase(path).get("a"), "storage", { reason: "blocked" });
    // No process has this id.
    writeFileSync(`${path}.lock`, "999999999");
    const next = fileDatabase(path);
    assert.equal(await next.get("a"), 1);
    await next.close();
  });

  test("does not overwrite another file, and fails without a folder", async () => {
    const path = createPath();
    writeFileSync(path, "the only copy of a novel, which must survive");
    await expectError(fileDatabase(path).write({ put: [["a", 1]] }), "storage", { reason: "unavailable" });
    assert.match(readFileSync(path, "utf8"), /^the only copy/);
    await expectError(fileDatabase(join(FOLDER, "none", "x.db")).get("a"), "storage", { reason: "unavailable" });
  });

  test("stays small, however often it is written", async () => {
    const path = createPath();
    const database = fileDatabase(path);
    for (let number = 0; number < 40; number++) await database.write({ put: [["a", new Uint8Array(500_000).fill(number)]] });
    assert.ok(statSync(path).size < 5_000_000);
    await database.close();
    const again = fileDatabase(path);
    assert.equal((await again.get("a"))[0], 39);
    await again.close();
  });

  test("has the last complete change after a kill, whenever it comes", async () => {
    const path = createPath();
    let last = 0;
    for (let kill = 0; kill < KILLS; kill++) {
      const child = spawn(process.execPath, [PROCESS, path], { stdio: ["ignore", "pipe", "inherit"] });
      let output = "";
      child.stdout.on("data", (data) => {
        output += data;
      });
      while (!output.includes("\n")) await once(child.stdout, "data");
      await new Promise((resolve) => setTimeout(resolve, (kill * 7) % 40));
      child.kill("SIGKILL");
      await once(child, "close");
      const reported = Number(output.trim().split("\n").at(-1)) || last;
      const database = fileDatabase(path);
      const numbers = new Set((await database.read("", "large")).map(([, number]) => number));
      await database.close();
      assert.equal(numbers.size, 1, "all entries are of one change");
      [last] = numbers;
      assert.ok(last >= reported && last <= reported + 1, `${last} after ${reported}`);
    }
  });
});

describe("a database of the browser", () => {
  let fake;
  beforeEach(() => {
    fake = createIndexedDb();
    Object.assign(globalThis, fake.globals);
  });
  afterEach(() => {
    for (const name of Object.keys(fake.globals)) delete globalThis[name];
  });

  let names = 0;
  for (const [name, run] of Object.entries(DATABASE_TESTS)) test(name, () => run(() => indexedDatabase(`test ${++names}`)));

  test("says why it failed", async () => {
    const reasons = {
      quota: { name: "QuotaExceededError" },
      unavailable: { name: "UnknownError" },
      closed: { name: "AbortError" },
    };
    for (const [reason, failure] of Object.entries(reasons)) {
      const database = indexedDatabase(reason);
      await database.get("a");
      Object.assign(fake.failure, failure);
      await expectError(database.write({ put: [["a", 1]] }), "storage", { reason });
      await expectError(database.write({ put: [["a", 1]] }), "storage", { reason });
      delete fake.failure.name;
      assert.equal(await database.get("a"), undefined, "nothing was written");
      await database.write({ put: [["a", 1]] });
      assert.equal(await database.get("a"), 1, "it works again");
    }
    for (const [open, reason] of [
      ["throws", "unavailable"],
      ["InvalidStateError", "unavailable"],
      ["QuotaExceededError", "quota"],
    ]) {
      fake.failure.open = open;
      const database = indexedDatabase("other");
      await expectError(database.get("a"), "storage", { reason });
      fake.failure.open = undefined;
      assert.equal(await database.get("a"), undefined);
    }
    delete globalThis.indexedDB;
    await expectError(indexedDatabase("none").get("a"), "storage", { reason: "unavailable" });
  });

  test("does not wait for ever to be opened", async (context) => {
    context.mock.timers.enable({ apis: ["setTimeout"] });
    fake.failure.open = "hangs";
    const reading = indexedDatabase("hangs").get("a");
    context.mock.timers.tick(10_000);
    await expectError(reading, "storage", { reason: "blocked" });
  });

  test("does not wait for ever for a transaction, which then changes nothing", async (context) => {
    const database = indexedDatabase("stuck");
    await database.get("a");
    const [connection] = fake.connections;
    let aborted = 0;
    const entries = { get: () => ({}), put: () => ({}) };
    connection.transaction = () => ({ objectStore: () => entries, abort: () => (aborted += 1) });
    context.mock.timers.enable({ apis: ["setTimeout"] });
    for (const use of [() => database.get("a"), () => database.write({ put: [["a", 1]] })]) {
      const using = use();
      await new Promise(setImmediate);
      context.mock.timers.tick(10_000);
      await expectError(using, "storage", { reason: "unavailable" });
    }
    assert.equal(aborted, 2);
  });

  test("aborts a write when its page is closed", async () => {
    const page = new EventTarget();
    for (const name of ["addEventListener", "removeEventListener"]) globalThis[name] = page[name].bind(page);
    try {
      const database = indexedDatabase("left");
      await database.write({ put: [["a", 1]] });
      const writing = database.write({ put: [["a", 2]] });
      await Promise.resolve();
      page.dispatchEvent(new Event("pagehide"));
      await expectError(writing, "storage", { reason: "closed" });
      assert.equal(await database.get("a"), 1);
    } finally {
      delete globalThis.addEventListener;
      delete globalThis.removeEventListener;
    }
  });

  test("lets another tab delete it, and is opened again", async () => {
    const database = indexedDatabase("deleted");
    await database.write({ put: [["a", 1]] });
    const [connection] = fake.connections;
    connection.onversionchange();
    assert.equal(fake.connections.size, 0);
    fake.databases.delete("deleted");
    assert.equal(await database.get("a"), undefined);
    // A connection that was closed without an event.
    for (const open of fake.connections) open.close();
    await database.write({ put: [["a", 2]] });
    assert.equal(await database.get("a"), 2);
  });
});
