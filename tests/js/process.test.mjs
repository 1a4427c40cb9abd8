// Node processes that use the package exit, and do not leak memory.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { execPath } from "node:process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

/** Runs a script of this folder in a separate process, which must exit. Returns its output. */
async function runScript(name, ...flags) {
  const script = fileURLToPath(new URL(name, import.meta.url));
  const { stdout } = await promisify(execFile)(execPath, [...flags, script], { timeout: 120_000 });
  return stdout.trim();
}

test("a process exits after a trap", async () => {
  assert.equal(await runScript("trap-process.mjs"), "internal internal within the response");
});

test("clients and their callbacks are garbage-collected, although the callbacks refer to the client", async () => {
  const [clients, fetches] = (await runScript("memory-process.mjs", "--expose-gc")).split(" ").map(Number);
  // Some of the last clients may still be on the stack.
  assert.ok(
    clients < 20 && fetches < 20,
    `${clients} of 1000 clients and ${fetches} of their fetch functions were not collected`,
  );
});

test("the callbacks of a client are not garbage-collected while a call is in flight", async () => {
  assert.equal(
    await runScript("callbacks-process.mjs", "--expose-gc"),
    "2 1 request response retry request response request response",
  );
});
