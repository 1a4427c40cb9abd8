// `make bench`: measures everything in one run, or the sections that are named, and writes the tables.
//
//   node tests/bench/run.mjs [--quick] [section...]
//
// --quick takes few rounds, to see whether all works, and writes its tables to target/bench.
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
import { writeReport } from "./report.mjs";
import { makeSite, SIZES, SITE, STREAMED, TARGET } from "./site.mjs";
import { CATEGORIES, slicesOf } from "./slices.mjs";

const { values: options, positionals } = parseArgs({
  args: argv.slice(2),
  options: { quick: { type: "boolean", default: false } },
  allowPositionals: true,
});
const { quick } = options;
const script = (name) => fileURLToPath(new URL(name, import.meta.url));
const isLarge = ({ name }) => name.startsWith("10,000");
const few = (rounds) => (quick ? 3 : rounds);
const settingsOf = (payload) =>
  isLarge(payload) ? { rounds: few(9), warmRuns: 2, warmMs: 0 } : { rounds: few(60), turnMs: 2, warmMs: quick ? 100 : 200 };

// Before anything of ours runs: how busy others keep the machine.
const [load] = loadavg();
const { payloads } = await makeSite();
const server = spawn(execPath, [script("server.mjs")], { stdio: ["pipe", "pipe", "inherit"] });
const [origin] = await once(createInterface(server.stdout), "line");
const args = [...launchArgs, "--enable-precise-memory-info", "--js-flags=--expose-gc"];
const browser = await chromium.launch({ executablePath: chromiumPath(), args });

/** Measures in a page that nobody has used before. */
async function inPage(measure, argument, { throttle = 1 } = {}) {
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    page.on("pageerror", (error) => console.error(error));
    const devtools = await context.newCDPSession(page);
    await page.exposeFunction("heap", async () => {
      // Twice: the first one may only begin a collection.
      for (let i = 0; i < 2; i++) await devtools.send("HeapProfiler.collectGarbage");
      return (await devtools.send("Runtime.getHeapUsage")).usedSize;
    });
    await page.goto(origin);
    if (throttle > 1) await devtools.send("Emulation.setCPUThrottlingRate", { rate: throttle });
    return await page.evaluate(measure, { origin: origin.replace(/\/$/, ""), ...argument });
  } finally {
    await context.close();
  }
}

/** The same function of the bundle, with the site's files and these arguments. */
const inBundle = (name, ...rest) =>
  inPage(
    async ({ origin, name, rest }) => {
      const bench = await import(`${origin}/bench.js`);
      const words = { $origin: origin, $heap: globalThis.heap };
      return bench[name](bench.assetsAt(`${origin}/`), ...rest.map((argument) => words[argument] ?? argument));
    },
    { name, rest },
  );

const sections = {
  async decode() {
    const chromium = [];
    for (const payload of payloads) chromium.push(await inBundle("decode", payload.name, settingsOf(payload)));
    return { chromium, node: await inNode(payloads.map((payload) => ["decode", payload.name, settingsOf(payload)])) };
  },

  async phases() {
    const measured = [];
    for (const payload of payloads.filter((payload) => !isLarge(payload) && !payload.name.includes("foreign"))) {
      measured.push(await inBundle("phases", payload.name, settingsOf(payload)));
    }
    return measured;
  },

  async first() {
    const measured = [];
    for (const { name } of payloads.slice(0, 4).filter(({ name }) => !name.includes("ASCII"))) {
      const contenders = ["JSON.parse", "address-query", "hand-written checks", "zod", "serde-wasm-bindgen"];
      const runs = contenders.map((contender) => ({ name: contender, ms: [] }));
      for (let round = 0; round < few(5); round++) {
        for (const { name: contender, ms } of runs) ms.push(await inBundle("firstCalls", name, contender));
      }
      measured.push({ name, contenders: runs });
    }
    return measured;
  },

  use: async () => ({
    chromium: await inBundle("use", { rounds: few(15), warmMs: 0, warmRuns: 2, turnMs: 0 }),
    retained: await inBundle("retained", "$heap", { rounds: few(5), answers: 200 }),
  }),

  calls: async () => ({
    one: await inBundle("onePage", "$origin", { rounds: quick ? 10 : 60, warmMs: 500 }),
    prefetch: await inBundle("prefetch", "$origin", { pages: 40, latency: 30, work: 16, rounds: quick ? 1 : 5 }),
  }),

  async cold() {
    const ways = ["fetch", "zod", "ours"];
    const measured = [];
    for (const throttle of [1, 4]) {
      const runs = ways.map((name) => ({ name, ms: [] }));
      for (let round = 0; round < few(9); round++) {
        for (const { name, ms } of runs) ms.push(await inPage(coldStart, { name }, { throttle }));
      }
      measured.push({ throttle, ways: runs });
    }
    return measured;
  },

  async stream() {
    const measured = [];
    for (const rate of [0, 200, 50]) {
      measured.push({ rate, ways: await inBundle("stream", "$origin", { rate, rows: STREAMED, rounds: quick ? 1 : 5 }) });
    }
    return measured;
  },

  async slices() {
    const measured = [];
    for (const rate of [0, 200, 50]) {
      await browser.startTracing(undefined, { categories: CATEGORIES });
      const ways = await inBundle("stream", "$origin", { rate, rows: STREAMED, rounds: quick ? 1 : 3 });
      const trace = JSON.parse(await browser.stopTracing());
      measured.push({ rate, ways: ways.map(({ name }) => ({ name, slices: slicesOf(trace, name) })) });
    }
    return measured;
  },

  scaling: () => inBundle("scaling", SIZES, { rounds: few(11), warmRuns: 2, warmMs: quick ? 50 : 200, turnMs: 20 }),

  async memory() {
    const measured = [];
    for (const records of quick ? [1e4, 1e5] : [1e4, 1e5, 1e6]) {
      measured.push(await inBundle("iterate", "$heap", { records, every: records / 50 / 100 }));
    }
    return measured;
  },
};

/** From the beginning of loading the script until the first record is there. */
async function coldStart({ origin, name }) {
  const started = performance.now();
  const { first } = await import(`${origin}/cold/${name}.js`);
  const record = await first(`${origin}/service`, "0xb73Fc943f7f0836328cce02C7141e861DF8038eF");
  const ms = performance.now() - started;
  if (typeof record.transaction_hash !== "string") throw new Error("no transfer");
  return ms;
}

/**
 * The ticks of all processors that were wanted so far, and those of them that the host of this virtual machine gave to others:
 * no load average tells of them. Only Linux says.
 */
function ticks() {
  if (!existsSync("/proc/stat")) return undefined;
  const times = /^cpu +(.*)$/m.exec(readFileSync("/proc/stat", "utf8"))[1].split(" ").map(Number);
  const [user, nice, system, , , interrupts, softInterrupts, stolen] = times;
  return { wanted: user + nice + system + interrupts + softInterrupts + stolen, stolen };
}

/** The same bundle in a Node of its own. */
async function inNode(jobs) {
  const node = spawn(execPath, ["--expose-gc", script("node.mjs"), SITE], { stdio: ["pipe", "pipe", "inherit"] });
  node.stdin.end(JSON.stringify(jobs));
  const chunks = await node.stdout.toArray();
  return JSON.parse(Buffer.concat(chunks).toString());
}

try {
  mkdirSync(TARGET, { recursive: true });
  const environment = { load, cpus: cpus().length, chromium: browser.version(), node: versions.node };
  for (const name of positionals.length > 0 ? positionals : Object.keys(sections)) {
    const [started, before] = [performance.now(), ticks()];
    console.log(`-- ${name}`);
    const result = await sections[name]();
    const after = ticks();
    const stolen = after && (after.stolen - before.stolen) / (after.wanted - before.wanted);
    writeFileSync(`${TARGET}${name}.json`, `${JSON.stringify({ environment, stolen, result }, null, 1)}\n`);
    const seconds = ((performance.now() - started) / 1000).toFixed(0);
    console.log(`   ${seconds} s${stolen === undefined ? "" : `; the host took ${(100 * stolen).toFixed(0)} % of the processors' time`}`);
  }
  writeReport(quick ? TARGET : undefined);
} finally {
  await browser.close();
  server.kill();
}
