// The consumer matrix: packs pkg/, installs it into a project for each consumer, builds, serves, reads two pages there.
//
//   node tests/package/matrix.mjs [part of a name]…
//
// Prints a line per consumer, and ends with `N passed, N failed`.
import assert from "node:assert/strict";
import { argv } from "node:process";
import { isDeepStrictEqual } from "node:util";
import { consumers } from "./consumers/index.mjs";
import { openWorkshop } from "./consumers/workshop.mjs";

const wanted = argv.slice(2);
const chosen = consumers.filter(({ name }) => wanted.length === 0 || wanted.some((part) => name.includes(part)));
assert.ok(chosen.length > 0, "no consumer of that name");

const counts = { passed: 0, failed: 0, skipped: 0 };
const workshop = await openWorkshop();
try {
  for (const { name, lacks, run } of chosen) {
    const started = performance.now();
    const missing = lacks?.();
    const outcome = missing ?? (await run(workshop).catch((error) => ({ failed: error.message })));
    const verdict = missing ? "skipped" : isDeepStrictEqual(outcome, workshop.expected) ? "passed" : "failed";
    counts[verdict] += 1;
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    console.log(`${verdict.padEnd(8)} ${name.padEnd(44)} ${seconds.padStart(6)} s`);
    if (verdict === "skipped") console.log(`         ${missing}`);
    if (verdict === "failed") console.log(String(outcome?.failed ?? JSON.stringify(outcome)).replace(/^/gm, "         "));
  }
} finally {
  await workshop.close();
}
const skipped = counts.skipped ? `, ${counts.skipped} skipped` : "";
console.log(`${counts.passed} passed, ${counts.failed} failed${skipped}`);
if (counts.failed > 0) process.exitCode = 1;
