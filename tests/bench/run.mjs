// `make bench`: runs all measurements, or the named sections, and writes RESULTS.md.
//
//   node tests/bench/run.mjs [--quick] [section...]
//
// --quick runs only a few rounds, to check that everything works, and writes its tables to target/bench.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { cpus, loadavg } from "node:os";
import { argv, execPath, versions } from "node:process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { chromium } from "playwright-core";
import { chromiumPath, launchArgs } from "../browser.mjs";
import { breakDownTasks, TRACE_CATEGORIES } from "./long-tasks.mjs";
import { writeReport } from "./report.mjs";
import { COLD_STARTS, createSite, SIZES, SITE, STREAMED_ROWS, TARGET } from "./site.mjs";

const {
  values: { quick },
  positionals,
} = parseArgs({
  args: argv.slice(2),
  options: { quick: { type: "boolean", default: false } },
  allowPositionals: true,
});
const resolvePath = (path) => fileURLToPath(new URL(path, import.meta.url));
const isLarge = ({ name }) => name.startsWith("10,000");
const getRounds = (rounds) => (quick ? 3 : rounds);
const getSettings = (payload) =>
  isLarge(payload)
    ? { rounds: getRounds(9), warmupRuns: 2, warmupMs: 0 }
    : { rounds: getRounds(60), batchMs: 2, warmupMs: quick ? 100 : 200 };
/** Bandwidths in Mbit/s; 0 means unthrottled. */
const BANDWIDTHS = [0, 200, 50];
/** The processors and connections of the cold starts. */
const COLD_SETTINGS = [{ cpuThrottle: 1 }, { cpuThrottle: 4 }, { cpuThrottle: 1, mbits: 10, latencyMs: 40 }];

// Before the benchmark itself puts load on the machine.
const [load] = loadavg();
const { payloads } = await createSite();
const server = spawn(execPath, [resolvePath("server.mjs")], { stdio: ["pipe", "pipe", "inherit"] });
const [origin] = await once(createInterface(server.stdout), "line");
const args = [...launchArgs, "--enable-precise-memory-info", "--js-flags=--expose-gc"];
const browser = await chromium.launch({ executablePath: chromiumPath(), args });

/** Calls a function in a new page; `cpuThrottle` slows its processor down by this factor, `mbits` and `latencyMs` its connection. */
async function runInPage(run, argument, { cpuThrottle = 1, mbits, latencyMs } = {}) {
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    page.on("pageerror", (error) => console.error(error));
    const devtools = await context.newCDPSession(page);
    await page.exposeFunction("getHeapBytes", async () => {
      // Twice, because the first call may only start a collection.
      for (let i = 0; i < 2; i++) await devtools.send("HeapProfiler.collectGarbage");
      return (await devtools.send("Runtime.getHeapUsage")).usedSize;
    });
    await page.goto(origin);
    if (cpuThrottle > 1) await devtools.send("Emulation.setCPUThrottlingRate", { rate: cpuThrottle });
    if (mbits !== undefined) {
      const throughput = (mbits * 1e6) / 8;
      const conditions = { offline: false, latency: latencyMs, downloadThroughput: throughput, uploadThroughput: throughput };
      await devtools.send("Network.enable");
      await devtools.send("Network.emulateNetworkConditions", conditions);
    }
    return await page.evaluate(run, { origin: origin.replace(/\/$/, ""), ...argument });
  } finally {
    await context.close();
  }
}

/** Calls a function of the bundle in a new page. `$origin` and `$getHeapBytes` stand for arguments that exist only there. */
const callInPage = (name, ...args) =>
  runInPage(
    async ({ origin, name, args }) => {
      const bench = await import(`${origin}/bench.js`);
      const replacements = { $origin: origin, $getHeapBytes: globalThis.getHeapBytes };
      return bench[name](bench.createAssets(`${origin}/`), ...args.map((argument) => replacements[argument] ?? argument));
    },
    { name, args },
  );

/** Calls functions of the bundle in a new Node process, `[name, ...arguments]` each. */
async function callInNode(jobs) {
  const node = spawn(execPath, ["--expose-gc", resolvePath("node.mjs"), SITE], { stdio: ["pipe", "pipe", "inherit"] });
  node.stdin.end(JSON.stringify(jobs));
  const chunks = await node.stdout.toArray();
  return JSON.parse(Buffer.concat(chunks).toString());
}

const SECTIONS = {
  async decode() {
    const chromium = [];
    for (const payload of payloads) chromium.push(await callInPage("measureDecode", payload.name, getSettings(payload)));
    return { chromium, node: await callInNode(payloads.map((payload) => ["measureDecode", payload.name, getSettings(payload)])) };
  },

  async phases() {
    const results = [];
    for (const payload of payloads.filter((payload) => !isLarge(payload) && !payload.name.includes("reversed"))) {
      results.push(await callInPage("measurePhases", payload.name, getSettings(payload)));
    }
    return results;
  },

  async first() {
    const results = [];
    for (const { name } of payloads.slice(0, 4).filter(({ name }) => !name.includes("ASCII"))) {
      const contenders = ["JSON.parse", "address-query", "hand-written checks", "zod", "serde-wasm-bindgen"];
      const measurements = contenders.map((contender) => ({ name: contender, ms: [] }));
      for (let round = 0; round < getRounds(5); round++) {
        for (const { name: contender, ms } of measurements) ms.push(await callInPage("measureFirstCalls", name, contender));
      }
      results.push({ name, contenders: measurements });
    }
    return results;
  },

  usage: async () => ({
    chromium: await callInPage("measureUsage", { rounds: getRounds(15), warmupMs: 0, warmupRuns: 2, batchMs: 0 }),
    retained: await callInPage("measureRetained", "$getHeapBytes", { rounds: getRounds(5), responses: 200 }),
  }),

  async calls() {
    const measureCall = (latencyMs) =>
      callInPage("measureCall", "$origin", { latencyMs, rounds: quick ? 10 : 60, warmupMs: 500 });
    return {
      onePage: await measureCall(20),
      onePageAtOnce: await measureCall(0),
      prefetch: await callInPage("measurePrefetch", "$origin", { pages: 40, latencyMs: 30, workMs: 16, rounds: quick ? 1 : 5 }),
    };
  },

  async ranges() {
    const settings = { latencyMs: 300, rounds: quick ? 1 : 5 };
    const even = await callInPage("measureDeepRead", "$origin", { ...settings, isEven: true });
    const sample = await callInPage("measureDeepRead", "$origin", { ...settings, isEven: false });
    const memory = [];
    for (const concurrency of [1, 2, 4]) {
      for (const records of quick ? [1e4, 1e5] : [1e4, 1e5, 1e6]) {
        memory.push(await callInPage("measureReadMemory", "$getHeapBytes", { concurrency, records }));
      }
    }
    return { even, sample, memory };
  },

  async cold() {
    const results = [];
    for (const settings of COLD_SETTINGS) {
      const contenders = COLD_STARTS.map((name) => ({ name, ms: [] }));
      for (let round = 0; round < getRounds(9); round++) {
        for (const { name, ms } of contenders) ms.push(await runInPage(measureColdStart, { name }, settings));
      }
      results.push({ ...settings, contenders });
    }
    return results;
  },

  async stream() {
    const results = [];
    for (const mbits of BANDWIDTHS) {
      const settings = { mbits, rows: STREAMED_ROWS, rounds: quick ? 1 : 5 };
      results.push({ mbits, contenders: await callInPage("measureStream", "$origin", settings) });
    }
    return results;
  },

  async tasks() {
    const results = [];
    for (const mbits of BANDWIDTHS) {
      await browser.startTracing(undefined, { categories: TRACE_CATEGORIES });
      const contenders = await callInPage("measureStream", "$origin", { mbits, rows: STREAMED_ROWS, rounds: quick ? 1 : 3 });
      const trace = JSON.parse(await browser.stopTracing());
      results.push({ mbits, contenders: contenders.map(({ name }) => ({ name, tasks: breakDownTasks(trace, name) })) });
    }
    return results;
  },

  scaling: () =>
    callInPage("measureScaling", SIZES, { rounds: getRounds(11), warmupRuns: 2, warmupMs: quick ? 50 : 200, batchMs: 20 }),

  async memory() {
    const results = [];
    for (const records of quick ? [1e4, 1e5] : [1e4, 1e5, 1e6]) {
      results.push(await callInPage("measureIteration", "$getHeapBytes", { records, pagesPerSample: records / 50 / 100 }));
    }
    return results;
  },
};

/** Runs in the page: measures from the start of loading the script until it has the first record. */
async function measureColdStart({ origin, name }) {
  const start = performance.now();
  const { readFirst } = await import(`${origin}/cold/${name}.js`);
  const record = await readFirst(`${origin}/service`, "0xb73Fc943f7f0836328cce02C7141e861DF8038eF");
  const ms = performance.now() - start;
  if (!record) throw new Error("no record");
  return ms;
}

/**
 * Returns the processor time that has been requested so far, and the part of it that the host of this virtual machine gave to
 * others (steal time), in ticks. The load average does not include it. Undefined if the system is not Linux.
 */
function readProcessorTimes() {
  if (!existsSync("/proc/stat")) return undefined;
  const times = /^cpu +(.*)$/m.exec(readFileSync("/proc/stat", "utf8"))[1].split(" ").map(Number);
  const [user, nice, system, , , irq, softIrq, steal] = times;
  return { requested: user + nice + system + irq + softIrq + steal, steal };
}

try {
  mkdirSync(TARGET, { recursive: true });
  const environment = { load, cpus: cpus().length, chromium: browser.version(), node: versions.node };
  for (const name of positionals.length > 0 ? positionals : Object.keys(SECTIONS)) {
    const [start, before] = [performance.now(), readProcessorTimes()];
    console.log(`-- ${name}`);
    const result = await SECTIONS[name]();
    const after = readProcessorTimes();
    const steal = after && (after.steal - before.steal) / (after.requested - before.requested);
    writeFileSync(`${TARGET}${name}.json`, `${JSON.stringify({ environment, steal, result }, null, 1)}\n`);
    const seconds = ((performance.now() - start) / 1000).toFixed(0);
    console.log(`   ${seconds} s${steal === undefined ? "" : `, ${(100 * steal).toFixed(0)} % steal time`}`);
  }
  writeReport(quick ? TARGET : undefined);
} finally {
  await browser.close();
  server.kill();
}
