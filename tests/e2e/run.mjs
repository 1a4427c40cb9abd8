// Runs all tests of the demo page against the built package: node tests/e2e/run.mjs
import { readdirSync } from "node:fs";
import { run } from "node:test";
import { spec } from "node:test/reporters";
import { fileURLToPath } from "node:url";

const folder = fileURLToPath(new URL(".", import.meta.url));
const files = readdirSync(folder)
  .filter((name) => name.endsWith(".test.mjs"))
  .map((name) => folder + name);

// Two files, and so two browsers, at a time. With more, a small machine becomes too slow for the timeouts.
run({ files, concurrency: 2, timeout: 180_000 })
  .on("test:fail", () => (process.exitCode = 1))
  .compose(spec)
  .pipe(process.stdout);
