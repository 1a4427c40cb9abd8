// The headless suite (tests/web) and a walk through the demo page in every engine:
//
//   node tests/engines/run.mjs [part of a name]…
//
// Prints a line per engine, and ends with `N passed, N failed`.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { argv } from "node:process";
import { fileURLToPath } from "node:url";
import { startDisplay } from "./display.mjs";
import { walk } from "./e2e.mjs";
import { engines } from "./engines.mjs";
import { Browser, startDriver } from "./webdriver.mjs";

const SUITE = fileURLToPath(new URL("../run-web.mjs", import.meta.url));
/** Compiling included; the runner itself ends tests that take longer than its own limit. */
const SUITE_MS = 15 * 60_000;

/** Runs the suite by a driver that is there already, so that it outlives the runner and can tidy up. → how many tests passed */
async function runSuite({ suite, remote }, { driver }, driverUrl) {
  const env = { ...process.env, [remote]: driverUrl };
  const tests = spawn("node", [SUITE, ...suite, driver], { env, stdio: ["ignore", "pipe", "pipe"], timeout: SUITE_MS });
  let said = "";
  for (const stream of [tests.stdout, tests.stderr]) stream.setEncoding("utf8").on("data", (text) => (said += text));
  const [code, signal] = await once(tests, "close");
  const passed = /test result: ok\. (\d+) passed/.exec(said)?.[1];
  assert.ok(code === 0 && Number(passed) > 0, `ended with ${signal ?? code}:\n${said.slice(-4000)}`);
  return `${passed} tests`;
}

/** Walks through the demo page. → how many steps there were */
async function runWalk({ capabilities }, programs, driverUrl, about) {
  const browser = await Browser.open(driverUrl, capabilities(programs));
  try {
    about.version = browser.version;
    return `${await walk(browser)} steps`;
  } finally {
    await browser.close();
  }
}

/** Runs one part by a driver of its own: what it leaves behind cannot hurt the next one. */
async function attempt(part, engine, programs, env, about) {
  const started = performance.now();
  let outcome;
  try {
    const driver = await startDriver(programs.driver, env);
    try {
      outcome = { verdict: "passed", detail: await part(engine, programs, driver.url, about) };
    } finally {
      await driver.close();
    }
  } catch (error) {
    outcome = { verdict: "failed", detail: "see below", message: error.message };
  }
  return { ...outcome, seconds: (performance.now() - started) / 1000 };
}

const wanted = argv.slice(2).map((part) => part.toLowerCase());
const chosen = engines.filter(({ name }) => wanted.length === 0 || wanted.some((part) => name.toLowerCase().includes(part)));
assert.ok(chosen.length > 0, "no engine of that name");

// Browsers and displays end when this process exits; a signal alone would be no exit.
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(1));

const counts = { passed: 0, failed: 0, "not possible": 0 };
for (const engine of chosen) {
  let programs;
  try {
    programs = engine.find();
  } catch (error) {
    counts["not possible"] += 2;
    console.log(`${engine.name.padEnd(26)}  suite and e2e not possible: no ${error.message} (Debian: ${engine.packages})`);
    continue;
  }
  const display = programs.display ? await startDisplay(programs.display) : { env: {}, close() {} };
  const about = {};
  const e2e = await attempt(runWalk, engine, programs, display.env, about);
  const suite = await attempt(runSuite, engine, programs, display.env, about);
  await display.close();
  const parts = Object.entries({ suite, e2e }).map(([name, { verdict, detail, seconds }]) => {
    counts[verdict] += 1;
    return `${name} ${verdict} (${detail}, ${seconds.toFixed(1)} s)`.padEnd(36);
  });
  console.log(`${`${engine.name} ${about.version ?? ""}`.padEnd(26)}  ${parts.join("  ").trimEnd()}`);
  for (const [name, { message }] of Object.entries({ suite, e2e })) {
    if (message) console.log(`  ${name}: ${message}`.replaceAll("\n", "\n    "));
  }
}
const impossible = counts["not possible"] ? `, ${counts["not possible"]} not possible` : "";
console.log(`${counts.passed} passed, ${counts.failed} failed${impossible}`);
if (counts.failed > 0) process.exitCode = 1;
