// Tests when rows are shown: without delay after the response, and never so many at a time that they block the page. The tests
// count what the page does before its first rows, because times depend on the machine.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { openDemo } from "./demo-page.mjs";
import { importSource } from "./import-source.mjs";
import { ADDRESS, createTransfer, startMockService } from "./mock-service.mjs";

const { moveWindow } = await importSource("table/row-window.ts");
const ROW = "tbody[data-index]";
const MAX_ADDED_ROWS = 2;
/** Each element of a row costs style, layout and paint in the frame that adds it. */
const MAX_ROW_ELEMENTS = 37;

let service;
before(async () => {
  service = await startMockService((path) => {
    const items = Array.from({ length: 50 }, (_, index) => createTransfer({ index }));
    return { body: { items: path.endsWith("/token-transfers") ? items : [], next_page_params: null } };
  });
});
after(() => service.close());

/**
 * Runs in the page: counts frames, and notes the frame of the list's response and of each added row, and how many rows were added
 * between a scroll event and the drawing of its frame.
 */
function countFrames(row) {
  const seen = { frame: 0, response: null, rows: [], rowsWhileScrolling: 0 };
  window.seen = seen;
  let isScrolling = false;
  addEventListener("scroll", () => (isScrolling = true), { capture: true });
  // A frame consists of its scroll events and its callbacks. It is drawn before the next task.
  const count = () => {
    setTimeout(() => {
      seen.frame += 1;
      isScrolling = false;
    });
    requestAnimationFrame(count);
  };
  requestAnimationFrame(count);
  const send = window.fetch;
  window.fetch = async (...request) => {
    const response = await send(...request);
    if (!response.url.includes("/token-transfers")) return response;
    const body = await response.arrayBuffer();
    seen.response ??= seen.frame;
    return new Response(body, response);
  };
  new MutationObserver((records) => {
    for (const node of records.flatMap(({ addedNodes }) => [...addedNodes])) {
      const added =
        node instanceof Element ? [node, ...node.querySelectorAll(row)].filter((element) => element.matches(row)) : [];
      for (let index = 0; index < added.length; index++) seen.rows.push(seen.frame);
      if (isScrolling) seen.rowsWhileScrolling += added.length;
    }
  }).observe(document, { childList: true, subtree: true });
}

async function openList(t) {
  const demo = await openDemo(t, "", { viewport: { width: 1360, height: 2000 } });
  await demo.page.addInitScript(countFrames, ROW);
  const query = new URLSearchParams({ address: ADDRESS, tab: "token-transfers", source: service.url });
  await demo.page.goto(`${new URL(demo.page.url()).origin}/?${query}`);
  await demo.page.locator('tr[aria-rowindex="25"]').waitFor();
  return demo;
}

test("the first rows are in the document before the first frame after the response", async (t) => {
  const delays = [];
  // A slow machine may draw a frame while the response is decoded.
  for (let attempt = 0; attempt < 3 && !delays.includes(0); attempt++) {
    const { response, rows } = await (await openList(t)).page.evaluate(() => window.seen);
    delays.push(rows[0] - response);
  }
  assert.ok(delays.includes(0), `frames from the response to the first rows: ${delays}`);
});

test("rows are added a few at a time, even when the user scrolls far, and not in a frame that scrolls", async (t) => {
  const { page } = await openList(t);
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
  await page.locator('tr[aria-rowindex="51"]').waitFor();
  await page.evaluate(() => scrollTo(0, 0));
  await page.locator('tr[aria-rowindex="2"]').waitFor();
  const { rows, rowsWhileScrolling } = await page.evaluate(() => window.seen);
  assert.equal(rowsWhileScrolling, 0);
  const counts = new Map();
  for (const frame of rows) counts.set(frame, (counts.get(frame) ?? 0) + 1);
  assert.ok(rows.length > 50, `${rows.length} rows`);
  assert.ok(Math.max(...counts.values()) <= MAX_ADDED_ROWS, `rows by frame: ${[...counts.values()]}`);
});

test("a row consists of few elements", async (t) => {
  const { page } = await openList(t);
  const counts = await page.locator(ROW).evaluateAll((rows) => rows.map((row) => row.querySelectorAll("*").length));
  assert.ok(counts.length > 0 && Math.max(...counts) <= MAX_ROW_ELEMENTS, `elements of the rows: ${counts}`);
});

test("the page loads without formatters of Intl in its first task, and without scrolling the window", async (t) => {
  const demo = await openDemo(t, "");
  await demo.page.addInitScript(() => {
    const seen = { formatters: [], scrolls: 0 };
    window.work = seen;
    for (const name of ["NumberFormat", "DateTimeFormat", "RelativeTimeFormat"]) {
      Intl[name] = new Proxy(Intl[name], {
        construct(target, options) {
          seen.formatters.push(name);
          return Reflect.construct(target, options);
        },
      });
    }
    window.scrollTo = () => (seen.scrolls += 1);
    // Modules are evaluated before this event.
    addEventListener("DOMContentLoaded", () => (seen.atStart = seen.formatters.length));
  });
  const query = new URLSearchParams({ address: ADDRESS, tab: "token-transfers", source: service.url });
  await demo.page.goto(`${new URL(demo.page.url()).origin}/?${query}`);
  await demo.page.locator(ROW).first().waitFor();
  const { atStart, formatters, scrolls } = await demo.page.evaluate(() => window.work);
  assert.ok(formatters.length > 0, "the rows have numbers and times");
  assert.deepEqual({ atStart, scrolls }, { atStart: 0, scrolls: 0 });
});

test("the module is requested once, in parallel with the scripts", async (t) => {
  const query = new URLSearchParams({ address: ADDRESS, tab: "token-transfers", source: service.url });
  const { page } = await openDemo(t, `?${query}`);
  await page.locator(ROW).first().waitFor();
  const files = await page.evaluate(() =>
    performance.getEntriesByType("resource").map(({ name, startTime, responseEnd }) => ({ name, startTime, responseEnd })),
  );
  const modules = files.filter(({ name }) => name.endsWith(".wasm"));
  const script = files.find(({ name }) => /\/index-[^/]+\.js$/.test(name));
  assert.equal(modules.length, 1);
  assert.ok(modules[0].startTime < script.responseEnd, `${modules[0].startTime} ms, script until ${script.responseEnd} ms`);
});

test("the window of rows grows from the rows in view to all wanted rows", () => {
  const steps = [];
  const wanted = { start: 10, end: 30 };
  for (let last = { start: 0, end: 0 }; steps.length < 20; ) {
    last = moveWindow(last, wanted, 18, MAX_ADDED_ROWS);
    steps.push(last);
    if (last.start === wanted.start && last.end === wanted.end) break;
  }
  assert.deepEqual(steps[0], { start: 18, end: 18 + MAX_ADDED_ROWS });
  let size = 0;
  for (const { start, end } of steps) {
    assert.ok(start >= wanted.start && end <= wanted.end);
    assert.ok(end - start > size && end - start - size <= MAX_ADDED_ROWS);
    size = end - start;
  }
  assert.equal(size, 20);
});

test("the window drops rows that are no longer wanted, and keeps the others", () => {
  assert.deepEqual(moveWindow({ start: 0, end: 20 }, { start: 15, end: 20 }, 16, MAX_ADDED_ROWS), { start: 15, end: 20 });
  assert.deepEqual(moveWindow({ start: 20, end: 30 }, { start: 18, end: 25 }, 18, MAX_ADDED_ROWS), { start: 18, end: 25 });
  assert.deepEqual(moveWindow({ start: 0, end: 20 }, { start: 0, end: 0 }, 0, MAX_ADDED_ROWS), { start: 0, end: 0 });
});
