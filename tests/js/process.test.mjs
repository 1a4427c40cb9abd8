// What is left behind in a Node process: nothing that keeps it alive, and no memory.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { execPath } from "node:process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

/** Runs a script of this folder in a process of its own, which must end by itself; → what it printed. */
async function run(name, ...flags) {
  const script = fileURLToPath(new URL(name, import.meta.url));
  const { stdout } = await promisify(execFile)(execPath, [...flags, script], { timeout: 30_000 });
  return stdout.trim();
}

test("a process exits after a trap", async () => {
  assert.equal(await run("trapped-process.mjs"), "internal internal within the response");
});

test("clients and their functions are freed, though the functions refer to the client", async () => {
  const [clients, fetches] = (await run("memory-process.mjs", "--expose-gc")).split(" ").map(Number);
  // The last ones may be on some stack.
  assert.ok(clients < 20 && fetches < 20, `of 1000 clients, ${clients} are left, and ${fetches} of their fetch functions`);
});

test("the functions of a client are not freed while a call of it is under way", async () => {
  assert.equal(await run("weak-process.mjs", "--expose-gc"), "2 1 request response retry request response request response");
});
