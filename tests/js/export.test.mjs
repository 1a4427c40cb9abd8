// `toCsv`, `toNdjson` and `saveFile`: contents, backpressure, errors and cancellation.
import assert from "node:assert/strict";
import { test } from "node:test";
import { AddressClient, isAddressQueryError } from "../../pkg/index.js";
import { history, saveFile, toCsv, toNdjson } from "../../pkg/history/index.js";
import { createSampleService } from "../../pkg/testing/index.js";
import { flushTasks } from "./support.mjs";

const RUNS = 300;
/** What RFC 4180 and spreadsheets treat specially, and characters of one to four bytes. */
const PIECES = [
  '"',
  '""',
  ",",
  ";",
  "\r",
  "\n",
  "\r\n",
  "\t",
  "=",
  "+",
  "-",
  "@",
  "'",
  "a",
  " ",
  "é",
  "＝",
  "🦊",
  "\0",
  "=1+1",
  "\ufeff",
];
const FORMULA_STARTS = ["=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠"];

const readText = (stream) => new Response(stream).text();

/** Returns the fields of each line: a parser of RFC 4180, character by character. */
function parseCsv(text) {
  const lines = [];
  let [fields, field, isQuoted] = [[], "", false];
  for (let i = 0; i < text.length; i++) {
    const char = text[i];
    if (isQuoted) {
      if (char !== '"') field += char;
      else if (text[i + 1] === '"') field += text[++i];
      else isQuoted = false;
    } else if (char === '"' && field === "") isQuoted = true;
    else if (char === ",") [fields, field] = [[...fields, field], ""];
    else if (char === "\r" && text[i + 1] === "\n") {
      lines.push([...fields, field]);
      [fields, field] = [[], ""];
      i += 1;
    } else field += char;
  }
  assert.deepEqual([isQuoted, fields, field], [false, [], ""], "the last line is complete");
  return lines;
}

/** A generator of random numbers below a bound. */
function createRandom(seed) {
  let state = seed;
  return (bound) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * bound);
  };
}

/** Counts what is read of an infinite source of records. */
function createCounter() {
  const counter = { read: 0, isEnded: false };
  counter.records = {
    async *[Symbol.asyncIterator]() {
      try {
        for (;;) yield { id: counter.read++, text: "x".repeat(1000) };
      } finally {
        counter.isEnded = true;
      }
    },
  };
  return counter;
}

test("any strings come back from a CSV parser, and no cell begins like a formula", async () => {
  for (let seed = 0; seed < RUNS; seed++) {
    const random = createRandom(seed);
    const createString = () => Array.from({ length: random(6) }, () => PIECES[random(PIECES.length)]).join("");
    const records = Array.from({ length: random(5) }, () => ({ a: createString(), b: createString(), c: createString() }));
    const lines = parseCsv(await readText(toCsv(records, { columns: ["a", "b", "c"] })));
    assert.deepEqual(lines.shift(), ["a", "b", "c"]);
    for (const [i, cells] of lines.entries())
      assert.ok(!cells.some((cell) => FORMULA_STARTS.includes(cell[0])), `seed ${seed}, line ${i}`);
    const expected = records.map((record) =>
      Object.values(record).map((value) => (FORMULA_STARTS.includes(value[0]) ? `'${value}` : value)),
    );
    assert.deepEqual(lines, expected, `seed ${seed}`);
  }
});

test("cells of other types: numbers as they are, null empty, objects as JSON", async () => {
  const record = {
    number: -5,
    bigint: -(10n ** 30n),
    boolean: false,
    nothing: null,
    list: ["=a"],
    name: '"quoted", b',
    nested: { to: null },
  };
  const columns = [
    "number",
    "bigint",
    "boolean",
    "nothing",
    "missing",
    "list",
    "nested.to.hash",
    { name: "=double", value: ({ number }) => number * 2 },
  ];
  const text = await readText(toCsv([record], { columns }));
  const [header, line] = text.split("\r\n");
  assert.equal(header, '"number","bigint","boolean","nothing","missing","list","nested.to.hash","\'=double"');
  assert.equal(line, '-5,-1000000000000000000000000000000,false,,,"[""=a""]",,-10');
  assert.equal(await readText(toCsv([record], { columns: ["number"], header: false })), "-5\r\n");
  assert.equal(await readText(toCsv([], { columns: ["number"] })), '"number"\r\n');
});

test("newline-delimited JSON has each record in a line", async () => {
  const records = [{ a: "line\nbreak", b: [1, null] }, { a: "\u2028" }];
  const lines = (await readText(toNdjson(records))).split("\n");
  assert.equal(lines.pop(), "");
  assert.deepEqual(
    lines.map((line) => JSON.parse(line)),
    records,
  );
});

test("a slow reader stops the source", async () => {
  const counter = createCounter();
  const reader = toNdjson(counter.records).getReader();
  await flushTasks();
  assert.equal(counter.read, 0);
  for (let chunks = 1; chunks < 20; chunks++) {
    const { value } = await reader.read();
    assert.ok(value.length >= 65_536 && value.length < 70_000, `${value.length} bytes`);
    const { read } = counter;
    await flushTasks();
    assert.equal(counter.read, read);
    assert.ok(counter.read <= chunks * 66, `${counter.read} records for ${chunks} chunks`);
  }
  await reader.cancel();
});

test("canceling the stream ends the source, also while it waits for a record", async () => {
  const counter = createCounter();
  const reader = toNdjson(counter.records).getReader();
  await reader.read();
  await reader.cancel();
  await flushTasks();
  assert.ok(counter.isEnded);

  let isReturned = false;
  const waiting = {
    [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => {}), return: async () => void (isReturned = true) }),
  };
  const second = toNdjson(waiting).getReader();
  const read = second.read();
  await flushTasks();
  await second.cancel();
  assert.ok(isReturned);
  assert.deepEqual(await read, { done: true, value: undefined });
});

test("an error of the source comes after the rows before it", async () => {
  const failure = new Error("the source failed");
  async function* createRecords() {
    for (let id = 0; id < 300; id++) yield { id, text: "x".repeat(1000) };
    throw failure;
  }
  for (const wrap of [(stream) => stream, (stream) => stream.pipeThrough(new TransformStream())]) {
    const reader = wrap(toNdjson(createRecords())).getReader();
    let text = "";
    await assert.rejects(
      async () => {
        for (;;) text += new TextDecoder().decode((await reader.read()).value);
      },
      (error) => error === failure,
    );
    assert.equal(text.split("\n").length, 301);
  }
});

test("rows arrive within a second while the source waits", async () => {
  async function* createRecords() {
    yield { id: 1 };
    await new Promise(() => {});
  }
  const reader = toNdjson(createRecords()).getReader();
  assert.equal(new TextDecoder().decode((await reader.read()).value), '{"id":1}\n');
  const second = reader.read();
  await reader.cancel();
  assert.ok((await second).done);
});

test("a signal ends the export after the rows that were read", async () => {
  const controller = new AbortController();
  const reason = new Error("enough");
  let isReturned = false;
  const records = {
    resumeToken: "after row 2",
    [Symbol.asyncIterator]: () => {
      const ids = [1, 2];
      return {
        next: async () => (ids.length > 0 ? { done: false, value: { id: ids.shift() } } : new Promise(() => {})),
        return: async () => void (isReturned = true),
      };
    },
  };
  const reader = toNdjson(records, { signal: controller.signal }).getReader();
  const read = reader.read();
  await flushTasks();
  controller.abort(reason);
  assert.equal(new TextDecoder().decode((await read).value), '{"id":1}\n{"id":2}\n');
  const error = await reader.read().then(assert.fail, (error) => error);
  assert.deepEqual([error.code, error.cause, error.resumeToken], ["aborted", reason, "after row 2"]);
  assert.ok(isReturned && isAddressQueryError(error));

  const aborted = toNdjson(records, { signal: controller.signal });
  await assert.rejects(readText(aborted), { code: "aborted" });
});

test("progress counts records, rows and bytes, and estimates the share by the total", async () => {
  const calls = [];
  const records = Array.from({ length: 200 }, (_, id) => ({ id, text: "x".repeat(1000) }));
  const text = await readText(toNdjson(records, { total: 250, onProgress: (progress) => calls.push(progress) }));
  assert.deepEqual(calls.at(-1), { records: 200, rows: 200, bytes: text.length, fraction: 1 });
  assert.equal(calls[0].fraction, calls[0].records / 250);
  assert.ok(calls.length >= 4 && calls[0].rows < 100);

  await readText(toNdjson(records, { total: 1, onProgress: (progress) => calls.push(progress) }));
  assert.equal(calls.at(-2).fraction, 0.99);
  await readText(toNdjson(records, { onProgress: (progress) => calls.push(progress) }));
  assert.equal(calls.at(-1).fraction, null);

  const failure = new Error("of the callback");
  const counter = createCounter();
  const failing = toNdjson(counter.records, {
    onProgress: () => {
      throw failure;
    },
  });
  await assert.rejects(readText(failing), failure);
  assert.ok(counter.isEnded);
});

test("invalid options throw before anything is read", () => {
  const events = [];
  for (const [options, parameter] of [
    [{ columns: "all" }, "columns"],
    [{ columns: "constructor" }, "columns"],
    [{ columns: [] }, "columns"],
    [{ columns: [null] }, "columns"],
    [{ columns: [{ name: "a" }] }, "columns"],
    [{ column: ["a"] }, "column"],
    [{ total: -1 }, "total"],
    [{ total: Number.NaN }, "total"],
  ])
    assert.throws(() => toCsv(events, options), { code: "invalid_parameter", parameter });
  assert.throws(() => toNdjson(events, { columns: ["a"] }), { parameter: "columns" });
  assert.throws(() => toNdjson(null), { parameter: "records" });
  assert.throws(() => toCsv({}, { columns: ["a"] }), { parameter: "records" });
});
