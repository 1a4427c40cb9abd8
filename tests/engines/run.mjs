// Runs the headless test suite (tests/web), the scenarios of the demo page and the scenarios of the store in every browser engine:
//
//   node tests/engines/run.mjs [part of an engine's name]...
//
// Prints one line per engine, and `N passed, N failed` at the end.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { argv } from "node:process";
import { fileURLToPath } from "node:url";
import { runScenarios } from "./demo-scenarios.mjs";
import { engines } from "./engines.mjs";
import { runQuotaScenario, runStoreScenarios } from "./store-scenarios.mjs";
import { startVirtualDisplay } from "./virtual-display.mjs";
import { Browser, startDriver } from "./webdriver-client.mjs";

const SUITE = fileURLToPath(new URL("../run-web.mjs", import.meta.url));
/** Includes the compilation. Each test also has its own timeout. */
const SUITE_TIMEOUT_MS = 15 * 60_000;

/** Runs the headless suite on a running driver, and returns how many tests passed. */
async function runSuite({ wasmPackArgs, driverUrlVariable }, { driver }, driverUrl) {
  const env = { ...process.env, [driverUrlVariable]: driverUrl };
  const suite = spawn("node", [SUITE, ...wasmPackArgs, driver], {
    env,
    stdio: ["ignore", "pipe", "pipe"],
    timeout: SUITE_TIMEOUT_MS,
  });
  let output = "";
  for (const stream of [suite.stdout, suite.stderr]) stream.setEncoding("utf8").on("data", (chunk) => (output += chunk));
  const [exitCode, signal] = await once(suite, "close");
  const passedCount = /test result: ok\. (\d+) passed/.exec(output)?.[1];
  assert.ok(exitCode === 0 && Number(passedCount) > 0, `ended with ${signal ?? exitCode}:\n${output.slice(-4000)}`);
  return `${passedCount} tests`;
}

/** Runs the demo page scenarios, returns how many passed, and stores the browser version in `info`. */
async function runDemoScenarios({ capabilities }, programs, driverUrl, info) {
  const browser = await Browser.open(driverUrl, capabilities(programs));
  try {
    info.version = browser.version;
    return `${await runScenarios(browser)} scenarios`;
  } finally {
    await browser.close();
  }
}

/** Runs the scenarios of the store, and returns how many passed. */
async function runStore({ capabilities, quotaPrefs }, programs, driverUrl) {
  const runIn = async (session, run) => {
    const browser = await Browser.open(driverUrl, session);
    try {
      return await run(browser);
    } finally {
      await browser.close();
    }
  };
  const count = await runIn(capabilities(programs), runStoreScenarios);
  const more = quotaPrefs ? await runIn(capabilities(programs, quotaPrefs), runQuotaScenario) : 0;
  return `${count + more} scenarios`;
}

/** Runs one part with its own driver, so that leftovers cannot affect the next part. */
async function runPart(part, engine, programs, env, info) {
  const start = performance.now();
  let outcome;
  try {
    const driver = await startDriver(programs.driver, env);
    try {
      outcome = { verdict: "passed", detail: await part(engine, programs, driver.url, info) };
    } finally {
      await driver.close();
    }
  } catch (error) {
    outcome = { verdict: "failed", detail: "see below", message: error.message };
  }
  return { ...outcome, seconds: (performance.now() - start) / 1000 };
}

const nameParts = argv.slice(2).map((part) => part.toLowerCase());
const isSelected = ({ name }) => nameParts.length === 0 || nameParts.some((part) => name.toLowerCase().includes(part));
const selectedEngines = engines.filter(isSelected);
assert.ok(selectedEngines.length > 0, `unknown engine; valid engines are ${engines.map(({ name }) => name).join(", ")}`);

// Drivers and displays are stopped by "exit" handlers, which do not run when a signal ends the process.
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(1));

const counts = { passed: 0, failed: 0, unavailable: 0 };
for (const engine of selectedEngines) {
  let programs;
  try {
    programs = engine.find();
  } catch (error) {
    counts.unavailable += 3;
    const hint = `missing ${error.message} (Debian packages: ${engine.debianPackages})`;
    console.log(`${engine.name.padEnd(26)}  suite, demo and store unavailable: ${hint}`);
    continue;
  }
  const display = programs.display ? await startVirtualDisplay(programs.display) : { env: {}, close() {} };
  const info = {};
  const demo = await runPart(runDemoScenarios, engine, programs, display.env, info);
  const store = await runPart(runStore, engine, programs, display.env, info);
  const suite = await runPart(runSuite, engine, programs, display.env, info);
  await display.close();
  const columns = Object.entries({ suite, demo, store }).map(([name, { verdict, detail, seconds }]) => {
    counts[verdict] += 1;
    return `${name} ${verdict} (${detail}, ${seconds.toFixed(1)} s)`.padEnd(36);
  });
  console.log(`${`${engine.name} ${info.version ?? ""}`.padEnd(26)}  ${columns.join("  ").trimEnd()}`);
  for (const [name, { message }] of Object.entries({ suite, demo, store })) {
    if (message) console.log(`  ${name}: ${message}`.replaceAll("\n", "\n    "));
  }
}
const unavailable = counts.unavailable ? `, ${counts.unavailable} unavailable` : "";
console.log(`${counts.passed} passed, ${counts.failed} failed${unavailable}`);
if (counts.failed > 0) process.exitCode = 1;
