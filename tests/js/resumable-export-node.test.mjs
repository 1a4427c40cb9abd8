// Exports to a file of Node.js: `fileTarget`, and processes that are killed.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { appendFile, mkdtemp, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execPath } from "node:process";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { memoryDatabase, resumableExport } from "../../pkg/store/index.js";
import { fileTarget } from "../../pkg/store/node.js";

const KILLS = Number(process.env.KILLS ?? 3);
const PROCESS = fileURLToPath(new URL("export-process.mjs", import.meta.url));

let folder;
before(async () => (folder = await mkdtemp(join(tmpdir(), "address-query-export-"))));
after(() => rm(folder, { recursive: true }));

/** Runs the process, which kills itself at an operation. Returns its result. Null: it was killed. */
function run(name, last) {
  const { status, signal, stdout, stderr } = spawnSync(execPath, [PROCESS, name, String(last)], { encoding: "utf8" });
  if (signal === "SIGKILL") return null;
  assert.equal(status, 0, stderr);
  return JSON.parse(stdout);
}

test("an export of a process that is killed at any moment has the same bytes", async () => {
  const whole = await mkdtemp(join(folder, "whole-"));
  const { operations, ...expected } = run(whole, Number.POSITIVE_INFINITY);
  const bytes = await readFile(join(whole, "history.csv"), "utf8");
  assert.equal(expected.rows, 46);
  let seed = 1;
  for (let kills = 0; kills < KILLS; ) {
    const place = await mkdtemp(join(folder, "killed-"));
    let result = null;
    while (result === null) {
      seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
      result = run(place, 1 + Math.floor((seed / 2 ** 32) * operations));
      kills += Number(result === null);
    }
    assert.equal(await readFile(join(place, "history.csv"), "utf8"), bytes, `seed ${seed}`);
    const { rows, bytes: written, complete } = result;
    assert.deepEqual([rows, written, complete], [expected.rows, expected.bytes, true]);
  }
});

/** Records with a token after each of them. The fourth fails once. */
function createRecords(state) {
  return (resume) => {
    const call = {
      resumeToken: resume ?? null,
      async *[Symbol.asyncIterator]() {
        for (let i = Number(resume ?? 0); i < 6; i++) {
          if (i === 3 && !state.hasFailed) {
            state.hasFailed = true;
            throw new Error("a failure");
          }
          call.resumeToken = String(i + 1);
          yield { i, text: `record ${i}` };
        }
      },
    };
    return call;
  };
}

const CONTENT = `"i","text"\r\n${[0, 1, 2, 3, 4, 5].map((i) => `${i},"record ${i}"\r\n`).join("")}`;

/** Begins an export that fails after three records. Returns the path of its file, and a function that continues it. */
async function beginExport(name) {
  const path = join(folder, name);
  const store = { database: memoryDatabase() };
  const state = {};
  const options = { store, key: "records", columns: ["i", "text"] };
  const resume = () => resumableExport(createRecords(state), { ...options, to: fileTarget(path) });
  await assert.rejects(resume(), { message: "a failure" });
  assert.equal((await readFile(path, "utf8")).length, 54);
  return { path, resume };
}

test("what an interrupted write has left is cut off", async () => {
  const { path, resume } = await beginExport("tail.csv");
  await appendFile(path, '3,"rec');
  const { records, bytes, file } = await resume();
  assert.deepEqual([records, bytes, file], [6, CONTENT.length, undefined]);
  assert.equal(await readFile(path, "utf8"), CONTENT);
});

test("a file that is gone starts the export over", async () => {
  const { path, resume } = await beginExport("gone.csv");
  await rm(path);
  await resume();
  assert.equal(await readFile(path, "utf8"), CONTENT);
});

test("a new export replaces what the file had", async () => {
  const path = join(folder, "old.csv");
  await writeFile(path, "x".repeat(1000));
  await resumableExport(createRecords({ hasFailed: true }), {
    store: { database: memoryDatabase() },
    key: "records",
    to: fileTarget(path),
    columns: ["i", "text"],
  });
  assert.equal(await readFile(path, "utf8"), CONTENT);
});

for (const [name, change] of Object.entries({
  "another file": (path) => writeFile(path, "y".repeat(1000)),
  "a shrunken file": (path) => truncate(path, 40),
  "an empty file": (path) => writeFile(path, ""),
})) {
  test(`${name} is an error, and is left as it is`, async () => {
    const { path, resume } = await beginExport(`${name}.csv`);
    await change(path);
    const before = await readFile(path, "utf8");
    await assert.rejects(resume(), { code: "invalid_parameter", parameter: "to", message: /delete or move it/ });
    assert.equal(await readFile(path, "utf8"), before);
    await rm(path);
    await resume();
    assert.equal(await readFile(path, "utf8"), CONTENT);
  });
}

test("another process that writes to the file ends the export", async () => {
  const path = join(folder, "shared.csv");
  const onProgress = () => appendFile(path, "z");
  const create = (resume) => {
    const records = createRecords({ hasFailed: true })(resume);
    return Object.assign(records, {
      async *[Symbol.asyncIterator]() {
        for (let i = 0; i < 2; i++) {
          records.resumeToken = String(i + 1);
          yield { i, text: "x".repeat(70_000) };
          await onProgress();
        }
      },
    });
  };
  const options = { store: { database: memoryDatabase() }, key: "records", columns: ["i", "text"], to: fileTarget(path) };
  await assert.rejects(resumableExport(create, options), { parameter: "to", message: /another process/ });
});
