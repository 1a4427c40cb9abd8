// Walks through the demo page, and prints what the tasks of the main thread do that take longer than 50 ms on a processor that
// is `slowdown` times slower than this one. Such tasks delay the user's input.
//
//   node tests/e2e/long-tasks.mjs [--slowdown 4] [--width 1280] [--built-in]
//
// Times are the processor time of the thread, multiplied by the slowdown, so that other programs on the machine have no effect.
// Chromium's throttling is not used: it burns processor time in proportion to elapsed time, so that its factor depends on the
// load of the machine. The sample service runs outside the browser. With --built-in, it runs inside the page, as it does for
// visitors.
import { argv } from "node:process";
import { parseArgs } from "node:util";
import { chromium } from "playwright-core";
import { createSampleService } from "../../pkg/testing/index.js";
import { startSite } from "../../www/serve.mjs";
import { chromiumPath, launchArgs } from "../browser.mjs";
import { startSampleServer } from "../sample-server.mjs";

const LONG_TASK_MS = 50;
const CATEGORIES = ["toplevel", "devtools.timeline", "v8", "disabled-by-default-v8.gc", "disabled-by-default-v8.compile"];
/** The parts of a task, by the names of their events in the trace. A part that contains another one does not count its time. */
const PARTS = [
  ["compilation", /^(v8\.(compile|produceCache|wasm)|V8\.Compile|wasm\.)/],
  ["garbage collection", /^(MajorGC|MinorGC|V8\.GC)/],
  ["style", /^UpdateLayoutTree$/],
  ["layout", /^Layout$/],
  ["paint", /^(PrePaint|Paint|Layerize|Commit|HitTest)/],
  ["parsing", /^Parse/],
  ["script", /^(FunctionCall|EvaluateScript|v8\.|EventDispatch|TimerFire|FireAnimationFrame|RunMicrotasks|AsyncTask Run)/],
];
const findPart = ({ name }) => PARTS.find(([, pattern]) => pattern.test(name))?.[0];

const {
  values: { "built-in": isBuiltIn, ...values },
} = parseArgs({
  args: argv.slice(2),
  options: {
    slowdown: { type: "string", default: "4" },
    width: { type: "string", default: "1280" },
    "built-in": { type: "boolean", default: false },
  },
});
const slowdown = Number(values.slowdown);

const toMs = (threadTime) => (threadTime / 1000) * slowdown;

/**
 * Returns the long tasks of a trace: their time in ms, its parts, and the scripts that ran. Internal pages of the browser do
 * not count.
 */
function findLongTasks(events) {
  const pids = new Set(events.filter(({ args }) => args?.data?.url?.startsWith(site.url)).map(({ pid }) => pid));
  const isMain = ({ name, args, pid }) => name === "thread_name" && args.name === "CrRendererMain" && pids.has(pid);
  const threads = events.filter(isMain);
  const isOnMain = ({ pid, tid }) => threads.some((thread) => thread.pid === pid && thread.tid === tid);
  const spans = events.filter((event) => event.ph === "X" && isOnMain(event)).sort((a, b) => a.ts - b.ts || b.dur - a.dur);
  const isTask = ({ name, tdur = 0 }) => name === "ThreadControllerImpl::RunTask" && toMs(tdur) > LONG_TASK_MS;
  return spans.filter(isTask).map((task) => {
    const isInside = ({ ts, pid, tid }) => pid === task.pid && tid === task.tid && ts >= task.ts && ts < task.ts + task.dur;
    return describeTask(
      task,
      spans.filter((span) => span !== task && isInside(span)),
    );
  });
}

function describeTask(task, spans) {
  const parts = new Map();
  const add = (part, time) => parts.set(part, (parts.get(part) ?? 0) + toMs(time));
  const stack = [{ end: Number.POSITIVE_INFINITY, part: "other" }];
  add("other", task.tdur);
  for (const span of spans) {
    const { ts, dur = 0, tdur = 0 } = span;
    while (stack.at(-1).end <= ts) stack.pop();
    const outer = stack.at(-1).part;
    const part = findPart(span) ?? outer;
    add(outer, -tdur);
    add(part, tdur);
    stack.push({ end: ts + dur, part });
  }
  const urls = spans.map(({ args }) => args?.data?.url?.split("/").at(-1)).filter(Boolean);
  return { ms: toMs(task.tdur), parts, urls: [...new Set(urls)] };
}

function formatTask({ ms, parts, urls }) {
  const shares = [...parts].filter(([, time]) => time >= 1).sort(([, a], [, b]) => b - a);
  return `${ms.toFixed().padStart(5)} ms  ${shares.map(([part, time]) => `${part} ${time.toFixed()}`).join(", ")}  ${urls.join(" ")}`;
}

/** Runs `act`, and resolves to the events of its trace. */
async function trace(devtools, act) {
  const events = [];
  const onData = ({ value }) => events.push(...value);
  devtools.on("Tracing.dataCollected", onData);
  await devtools.send("Tracing.start", { transferMode: "ReportEvents", traceConfig: { includedCategories: CATEGORIES } });
  await act();
  const isComplete = new Promise((resolve) => devtools.once("Tracing.tracingComplete", resolve));
  await devtools.send("Tracing.end");
  await isComplete;
  devtools.off("Tracing.dataCollected", onData);
  return events;
}

/** Scrolls by most of a window at a time, which brings 12 rows into view, and jumps back to the top. */
async function scroll(page) {
  for (let step = 0; step < 6; step++) {
    await page.mouse.wheel(0, 700);
    await page.waitForTimeout(150);
  }
  await page.evaluate(() => scrollTo(0, 0));
}

/** Calls `step` with the name and the actions of each part of the walk. */
async function walk(page, url, step) {
  await step("load", () => page.goto(url));
  const names = await page.evaluate(() => [
    ...new Set([...document.querySelectorAll(".tabs a")].map(({ search }) => new URLSearchParams(search).get("tab"))),
  ]);
  for (const name of names) {
    await step(`show ${name}`, () =>
      page.evaluate((name) => document.querySelector(`.tabs a[href*="tab=${name}"]`).click(), name),
    );
    for (const filter of await page.locator(".filters .menu-button").all()) {
      await step(`open a filter of ${name}`, () => filter.click());
      const field = page.locator('.filters :popover-open input[type="text"]');
      if ((await field.count()) > 0) {
        await step(`type in a filter of ${name}`, () => field.pressSequentially("0x0123456789", { delay: 30 }));
        await field.fill("");
      }
      await page.keyboard.press("Escape");
    }
    await step(`scroll ${name}`, () => scroll(page));
  }
  await step("type an address", () => page.locator("#address").pressSequentially("0x0123456789", { delay: 30 }));
}

const { hash } = createSampleService().addresses.find(({ id }) => id === "hub");
const site = await startSite({ maxAge: 600 });
const sample = isBuiltIn ? null : await startSampleServer();
const browser = await chromium.launch({ executablePath: chromiumPath(), args: launchArgs });
try {
  const page = await browser.newPage({ viewport: { width: Number(values.width), height: 800 } });
  const devtools = await page.context().newCDPSession(page);
  const query = new URLSearchParams({ address: hash, ...(sample ? { source: sample.url } : {}) });
  let count = 0;
  await walk(page, `${site.url}?${query}`, async (name, act) => {
    const events = await trace(devtools, async () => {
      await act();
      await page.locator("#panel [aria-busy=true]").waitFor({ state: "detached" });
      await page.waitForTimeout(500);
    });
    const tasks = findLongTasks(events);
    count += tasks.length;
    for (const task of tasks) console.log(name.padEnd(32), formatTask(task));
  });
  console.log(`${count} tasks above ${LONG_TASK_MS} ms at a slowdown of ${slowdown}`);
} finally {
  await browser.close();
  await site.close();
  await sample?.close();
}
