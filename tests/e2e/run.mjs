// Runs the tests of the demo page against the built package: node tests/e2e/run.mjs [--all]
//
// The files of ONLY_ALL run with `--all` only (`make test-all`).
import { readdirSync } from "node:fs";
import { argv } from "node:process";
import { fileURLToPath } from "node:url";
import { runFiles } from "../run.mjs";

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
const tests = readdirSync(folder).filter((name) => name.endsWith(".test.mjs"));
const unknown = ONLY_ALL.filter((name) => !tests.includes(name));
if (unknown.length > 0) throw new Error(`these files do not exist: ${unknown.join(", ")}`);
const files = tests.filter((name) => argv.includes("--all") || !ONLY_ALL.includes(name)).map((name) => folder + name);

// Each process has one browser.
await runFiles(files);
