// The consumer matrix: installs the packed package in a project per consumer, builds the project and runs the scenario in it.
//
//   node tests/package/matrix.mjs [part of a consumer's name]…
//
// Prints a line per consumer and a summary.
import assert from "node:assert/strict";
import { argv } from "node:process";
import { isDeepStrictEqual } from "node:util";
import { createHarness } from "./consumers/harness.mjs";
import { consumers } from "./consumers/index.mjs";

const patterns = argv.slice(2);
const selected = consumers.filter(({ name }) => patterns.length === 0 || patterns.some((pattern) => name.includes(pattern)));
assert.ok(selected.length > 0, "no consumer has a matching name");

const counts = { passed: 0, failed: 0, skipped: 0 };
const harness = await createHarness();
try {
  for (const { name, expected = harness.expected, getSkipReason, run } of selected) {
    const start = performance.now();
    const skipReason = getSkipReason?.();
    const result = skipReason === undefined ? await run(harness).catch((error) => ({ failed: error.message })) : undefined;
    const status = skipReason !== undefined ? "skipped" : isDeepStrictEqual(result, expected) ? "passed" : "failed";
    counts[status] += 1;
    const seconds = ((performance.now() - start) / 1000).toFixed(1);
    console.log(`${status.padEnd(8)} ${name.padEnd(44)} ${seconds.padStart(6)} s`);
    if (status === "skipped") console.log(`         ${skipReason}`);
    if (status === "failed") console.log(String(result?.failed ?? JSON.stringify(result)).replace(/^/gm, "         "));
  }
} finally {
  await harness.close();
}
const skipped = counts.skipped ? `, ${counts.skipped} skipped` : "";
console.log(`${counts.passed} passed, ${counts.failed} failed${skipped}`);
if (counts.failed > 0) process.exitCode = 1;
