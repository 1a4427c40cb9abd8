// Runs the tests of the demo page against the built package: node tests/e2e/run.mjs [--all]
//
// The files of ONLY_ALL run with `--all` only (`make test-all`).
import { readdirSync, statSync } from "node:fs";
import { argv } from "node:process";
import { run } from "node:test";
import { spec } from "node:test/reporters";
import { fileURLToPath } from "node:url";

/** How the page looks, and states that few users reach. No README promises what these files check. */
const ONLY_ALL = [
  "accessibility",
  "back-forward-cache",
  "balance-chart",
  "cards",
  "charts",
  "design",
  "faults",
  "first-rows",
  "frame",
  "hover-card",
  "layout-shift",
  "list-state",
  "operations",
  "settings-menu",
  "several-tabs",
  "tab-bar",
  "token-holdings",
].map((name) => `${name}.test.mjs`);

const folder = fileURLToPath(new URL(".", import.meta.url));
const getSize = (name) => statSync(folder + name).size;
// The largest files take longest. They start first, so that both browsers end at about the same time.
const tests = readdirSync(folder)
  .filter((name) => name.endsWith(".test.mjs"))
  .sort((a, b) => getSize(b) - getSize(a));
const unknown = ONLY_ALL.filter((name) => !tests.includes(name));
if (unknown.length > 0) throw new Error(`these files do not exist: ${unknown.join(", ")}`);
const files = tests.filter((name) => argv.includes("--all") || !ONLY_ALL.includes(name)).map((name) => folder + name);

// Two files, and so two browsers, at a time. The timeout is for a file, on a machine that does other work too.
run({ files, concurrency: 2, timeout: 600_000 })
  .on("test:fail", () => (process.exitCode = 1))
  .compose(spec)
  .pipe(process.stdout);
