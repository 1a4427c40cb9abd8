// Runs test files: node tests/run.mjs FILE…
//
// Each process runs many files, one after the other. A process for each file would load and compile the package, and make the sample
// chain, again for each: a third of the time of all files.
import { fork } from "node:child_process";
import { once } from "node:events";
import { statSync } from "node:fs";
import { availableParallelism } from "node:os";
import { basename, resolve } from "node:path";
import { argv, stdout } from "node:process";
import { test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { fileURLToPath, pathToFileURL } from "node:url";

/** These files observe how the module is loaded in their process, or change its working directory. */
const ALONE = [
  "early-limits.test.mjs",
  "early-random.test.mjs",
  "early-requests.test.mjs",
  "loader.test.mjs",
  "page-costs.test.mjs",
  "realms.test.mjs",
  "recipes.test.mjs",
  "rejections.test.mjs",
  "runtimes.test.mjs",
];
/** They take longer than their size says. */
const LONGEST = ["soak.test.mjs", "matrix.test.mjs"];
/** A file that takes longer hangs. The limit is for a machine that does other work too. */
const FILE_TIMEOUT_MS = 600_000;
const SCRIPT = fileURLToPath(import.meta.url);
/**
 * Without tracked promises, tests that a file declares are not children of the test that loads it. The histories that many tests read
 * fill the young generation of the default size several times a second.
 */
const FLAGS = [
  `--import=${new URL("untracked-promises.mjs", import.meta.url)}`,
  "--max-semi-space-size=64",
  "--test-reporter=spec",
];

/** Runs the files, and sets the exit code if a test fails. Tests wait, so more files than processors run at a time. */
export async function runFiles(paths) {
  const jobs = availableParallelism() + 1;
  // The longest files start first, so that all processes end at about the same time.
  const estimate = (file) => (LONGEST.includes(basename(file)) ? Infinity : statSync(file).size);
  const files = paths.toSorted((a, b) => estimate(b) - estimate(a));
  const isAlone = (file) => ALONE.includes(basename(file));
  const alone = files.filter(isAlone).map((file) => [file]);
  const shared = files.filter((file) => !isAlone(file));
  const queues = [...alone, ...Array(jobs).fill(shared)];
  const runJob = async () => {
    for (let queue = queues.shift(); queue; queue = queues.shift()) await runProcess(queue);
  };
  await Promise.all(Array.from({ length: jobs }, runJob));
}

/** Runs files of a queue in a process until the queue is empty. The output of a file is written when the file has ended. */
async function runProcess(queue) {
  if (queue.length === 0) return;
  const child = fork(SCRIPT, { execArgv: FLAGS, stdio: ["ignore", "pipe", "inherit", "ipc"] });
  const timeout = setTimeout(() => child.kill(), FILE_TIMEOUT_MS);
  let [file, output, start] = ["", "", 0];
  const flush = () => {
    if (output) stdout.write(`\n=== ${file} (${Math.round((Date.now() - start) / 1000)} s)\n${output}`);
    [output, start] = ["", Date.now()];
  };
  child.stdout.on("data", (text) => (output += text));
  child.on("message", () => {
    flush();
    file = queue.shift() ?? "";
    timeout.refresh();
    child.send(file);
  });
  const [code, signal] = await once(child, "close");
  clearTimeout(timeout);
  const hasEnded = file === "";
  file ||= "summary of a process";
  flush();
  if (code !== 0 || !hasEnded) process.exitCode = 1;
  if (!hasEnded) stdout.write(`✖ ${file}: the process ended before the tests, by ${signal ?? `exit code ${code}`}\n`);
}

/**
 * Declares a test that loads the next file from the parent process, whose tests run after it. The hooks of all files run once no
 * test is left, so the next such test is declared before this one ends. Suites do not wait for a hook before all tests of their file.
 */
function loadNext(restoreGlobals = () => {}) {
  test("load the next file", async () => {
    restoreGlobals();
    // The reporter writes the last results.
    await setImmediate();
    process.send("ready");
    const [file] = await once(process, "message");
    if (file === "") return process.disconnect();
    const restore = saveGlobals();
    await import(pathToFileURL(resolve(file))).catch((error) => {
      test(`load ${file}`, () => Promise.reject(error));
    });
    loadNext(restore);
  });
}

/** Returns a function that gives the next file the globals that this one found, such as the clock. */
function saveGlobals() {
  const descriptors = Object.getOwnPropertyDescriptors(globalThis);
  const { now } = Date;
  return () => {
    for (const name of new Set([...Reflect.ownKeys(descriptors), ...Reflect.ownKeys(globalThis)])) {
      const [old, current] = [descriptors[name], Object.getOwnPropertyDescriptor(globalThis, name)];
      // Node.js loads some globals on first use, and then replaces their getters.
      const isSame = old && current && (old.get || old.value === current.value);
      if (isSame || current?.configurable === false) continue;
      if (old) Object.defineProperty(globalThis, name, old);
      else delete globalThis[name];
    }
    Date.now = now;
  };
}

if (process.send) loadNext();
else if (argv[1] === SCRIPT) await runFiles(argv.slice(2));
