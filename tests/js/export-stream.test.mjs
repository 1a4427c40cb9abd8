// The streams of `toCsv` and `toNdjson`: backpressure, errors, cancellation and progress. `saveFile`.
import assert from "node:assert/strict";
import { createWriteStream, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { mock, test } from "node:test";
import { history, saveFile, toCsv, toNdjson } from "../../pkg/history/index.js";
import { AddressClient, isAddressQueryError } from "../../pkg/index.js";
import { createSampleService } from "../../pkg/testing/index.js";
import { flushTasks } from "./support.mjs";

const readText = (stream) => new Response(stream).text();

/** Counts how many records are read from an infinite source. */
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

test("an export that was cut off continues without a header and without lost or duplicate rows", async () => {
  const service = createSampleService({ pageSize: 100 });
  const { hash } = service.addresses.find(({ id }) => id === "producer");
  const last = service.getEvents(hash).at(-1).block_number;
  const client = new AddressClient({ baseUrl: "https://sample.invalid", fetch: service.fetch, maxPerSecond: 1000 });
  const params = { address_hash: hash, order: "desc", from: last - 30_000 };
  const whole = await readText(toCsv(history(client, params)));
  let text = "";
  let cuts = 0;
  for (let resume, isDone = false; !isDone; ) {
    const controller = new AbortController();
    const events = history(client, { ...params, resume });
    const stream = toCsv(events, { signal: controller.signal, header: text === "" });
    setTimeout(() => controller.abort(), 20 + 10 * cuts);
    try {
      for await (const chunk of stream) text += new TextDecoder().decode(chunk);
      isDone = true;
    } catch (error) {
      assert.equal(error.code, "aborted");
      // Null before the first event.
      resume = error.resumeToken ?? resume;
      cuts += 1;
    }
  }
  assert.equal(text, whole);
  assert.ok(cuts > 0);
});

test("a signal ends an export whose records are all available at once", async () => {
  const records = Array.from({ length: 20_000 }, (_, id) => ({ id, text: "x".repeat(100) }));
  for (const source of [records, createCounter().records]) {
    const controller = new AbortController();
    let chunks = 0;
    const read = async () => {
      for await (const _ of toNdjson(source, { signal: controller.signal })) if (++chunks === 2) controller.abort();
    };
    await assert.rejects(read, { code: "aborted" });
    assert.equal(chunks, 2);
  }
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

test("canceling the stream ends the source, even while it waits for a record", async () => {
  const counter = createCounter();
  const reader = toNdjson(counter.records).getReader();
  await reader.read();
  await reader.cancel();
  await flushTasks();
  assert.ok(counter.isEnded);

  let isReturned = false;
  const waiting = {
    [Symbol.asyncIterator]: () => ({
      next: () => new Promise(() => {}),
      return: async () => {
        isReturned = true;
      },
    }),
  };
  const progress = [];
  const second = toNdjson(waiting, { onProgress: (counts) => progress.push(counts) }).getReader();
  const read = second.read();
  await flushTasks();
  await second.cancel();
  assert.ok(isReturned);
  assert.deepEqual(await read, { done: true, value: undefined });
  await flushTasks();
  assert.deepEqual(progress, []);
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
        return: async () => {
          isReturned = true;
        },
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

test("the resume token of an aborted export skips no record in flight", async () => {
  const controller = new AbortController();
  let id = 0;
  const records = {
    get resumeToken() {
      return `after ${id}`;
    },
    [Symbol.asyncIterator]: () => ({
      next: async () => {
        if (id === 2) return new Promise(() => {});
        id += 1;
        if (id === 2) controller.abort();
        await null;
        return { done: false, value: { id } };
      },
    }),
  };
  const reader = toNdjson(records, { signal: controller.signal }).getReader();
  assert.equal(new TextDecoder().decode((await reader.read()).value), '{"id":1}\n{"id":2}\n');
  await assert.rejects(reader.read(), { code: "aborted", resumeToken: "after 2" });
});

test("progress counts records, rows and bytes, and estimates the share from the total", async () => {
  const calls = [];
  const records = Array.from({ length: 200 }, (_, id) => ({ id, text: "x".repeat(1000) }));
  const text = await readText(toNdjson(records, { total: 250, onProgress: (progress) => calls.push(progress) }));
  assert.deepEqual(calls.at(-1), { records: 200, rows: 200, bytes: text.length, fraction: 1, omitted: { count: 0, first: [] } });
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

test("a stream is piped to a file in Node, and transferred from a worker", async () => {
  const folder = mkdtempSync(join(tmpdir(), "address-query-"));
  try {
    const path = join(folder, "rows.ndjson");
    const records = Array.from({ length: 5_000 }, (_, id) => ({ id, text: "é".repeat(100) }));
    const expected = records.map((record) => `${JSON.stringify(record)}\n`).join("");
    await pipeline(toNdjson(records), createWriteStream(path));
    assert.equal(readFileSync(path, "utf8"), expected);

    const stream = toNdjson(records);
    assert.equal(await readText(structuredClone(stream, { transfer: [stream] })), expected);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("saveFile writes to the chosen file, or downloads a blob", async () => {
  const rows = () => toNdjson([{ id: 1 }, { id: 2 }]);
  const expected = '{"id":1}\n{"id":2}\n';
  const restore = Object.fromEntries(
    ["showSaveFilePicker", "document"].map((name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)]),
  );
  try {
    const nowhere = toNdjson([{ id: 1 }]);
    await assert.rejects(saveFile(nowhere, "rows.ndjson"), {
      name: "AddressQueryError",
      code: "invalid_parameter",
      message: /only a page saves files/,
    });
    assert.ok((await nowhere.getReader().read()).done);

    let saved = "";
    let isClosed = false;
    globalThis.showSaveFilePicker = async ({ suggestedName }) => ({
      createWritable: async () =>
        new WritableStream({
          write: (chunk) => {
            saved += `${suggestedName}: ${new TextDecoder().decode(chunk)}`;
          },
          close: () => {
            isClosed = true;
          },
        }),
    });
    await saveFile(rows(), "rows.ndjson");
    assert.deepEqual([saved, isClosed], [`rows.ndjson: ${expected}`, true]);

    const canceled = new DOMException("canceled", "AbortError");
    globalThis.showSaveFilePicker = () => Promise.reject(canceled);
    const counter = createCounter();
    const stream = toNdjson(counter.records);
    await assert.rejects(saveFile(stream, "rows.ndjson"), canceled);
    assert.equal(counter.read, 0);
    assert.ok((await stream.getReader().read()).done);

    globalThis.showSaveFilePicker = undefined;
    const link = {
      click: () => {
        link.isClicked = true;
      },
    };
    globalThis.document = { createElement: () => link };
    const timers = mock.timers;
    timers.enable({ apis: ["setTimeout"] });
    // The mark of direction shows the name as `rows exe.csv`.
    await saveFile(rows(), "../a\\rows\u202evsc.exe\u0000");
    assert.deepEqual([link.download, link.isClicked], [".._a_rowsvsc.exe", true]);
    assert.equal(await (await fetch(link.href)).text(), expected);
    timers.tick(60_000);
    await assert.rejects(fetch(link.href));
  } finally {
    mock.timers.reset();
    for (const [name, descriptor] of Object.entries(restore)) {
      if (descriptor) Object.defineProperty(globalThis, name, descriptor);
      else delete globalThis[name];
    }
  }
});
