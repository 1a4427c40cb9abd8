// The contents of `toCsv` and `toNdjson`.
import assert from "node:assert/strict";
import { test } from "node:test";
import { runInNewContext } from "node:vm";
import { AddressClient, isAddressQueryError } from "../../pkg/index.js";
import { history, toCsv, toNdjson } from "../../pkg/history/index.js";
import { createSampleService } from "../../pkg/testing/index.js";
import { getExpectedEvents } from "./history-model.mjs";

const RUNS = 300;
/** Characters that RFC 4180 and spreadsheets treat specially, and characters of one to four bytes. */
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
  "\u200b",
];
const FORMULA_STARTS = ["=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠"];
/** Characters that a spreadsheet may drop or hide before a formula. */
const INVISIBLE = [" ", "\0", "\ufeff", "\u200b", "\u00ad", "\u3000", "\u2800"];

/** Whether a spreadsheet may run a string as a formula, even after invisible characters. */
function isFormula(string) {
  const first = [...string].findIndex((char) => !INVISIBLE.includes(char) && !FORMULA_STARTS.slice(4, 7).includes(char));
  return FORMULA_STARTS.includes(string[0]) || (first >= 0 && FORMULA_STARTS.includes([...string][first]));
}

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

test("any strings survive a CSV parser, and no cell begins like a formula", async () => {
  for (let seed = 0; seed < RUNS; seed++) {
    const random = createRandom(seed);
    const createString = () => Array.from({ length: random(6) }, () => PIECES[random(PIECES.length)]).join("");
    const records = Array.from({ length: random(5) }, () => ({ a: createString(), b: createString(), c: createString() }));
    const lines = parseCsv(await readText(toCsv(records, { columns: ["a", "b", "c"] })));
    assert.deepEqual(lines.shift(), ["a", "b", "c"]);
    for (const [i, cells] of lines.entries()) assert.ok(!cells.some(isFormula), `seed ${seed}, line ${i}`);
    const expected = records.map((record) => Object.values(record).map((value) => (isFormula(value) ? `'${value}` : value)));
    assert.deepEqual(lines, expected, `seed ${seed}`);
  }
});

test("a formula after invisible characters is escaped, and other strings are not", async () => {
  for (const invisible of ["", " ", "\0", "\ufeff", "\u200b", "\u2060", "\u00ad", "\u034f", "\u00a0", "\u3000", "\u200e \0"]) {
    for (const sign of ["=", "+", "-", "@"]) {
      const [[cell]] = parseCsv(await readText(toCsv([{ a: `${invisible}${sign}1` }], { columns: ["a"], header: false })));
      assert.equal(cell, `'${invisible}${sign}1`, JSON.stringify(`${invisible}${sign}`));
    }
    const [[cell]] = parseCsv(await readText(toCsv([{ a: `${invisible}a=1` }], { columns: ["a"], header: false })));
    assert.equal(cell, `${invisible}a=1`);
  }
});

test("cells of other types: numbers unchanged, null empty, lists as JSON, dates in ISO 8601", async () => {
  const record = {
    number: -5,
    bigint: -(10n ** 30n),
    boolean: false,
    nothing: null,
    list: ["=a"],
    name: '"quoted", b',
    nested: { to: null },
    date: new Date(0),
    foreign: runInNewContext("new Date(1)"),
  };
  const columns = [
    "number",
    "bigint",
    "boolean",
    "nothing",
    "list",
    "nested.to.hash",
    "date",
    "foreign",
    { name: "=double", value: ({ number }) => number * 2 },
  ];
  const text = await readText(toCsv([record], { columns }));
  const [header, line] = text.split("\r\n");
  assert.equal(header, '"number","bigint","boolean","nothing","list","nested.to.hash","date","foreign","\'=double"');
  assert.equal(
    line,
    '-5,-1000000000000000000000000000000,false,,"[""=a""]",,"1970-01-01T00:00:00.000Z","1970-01-01T00:00:00.001Z",-10',
  );
  assert.equal(await readText(toCsv([record], { columns: ["number"], header: false })), "-5\r\n");
  assert.equal(await readText(toCsv([], { columns: ["number"] })), '"number"\r\n');
});

/** Formats an amount in base units, by string operations alone. */
function toDecimal(amount, decimals) {
  if (amount === null) return "";
  const digits = amount.padStart(decimals + 1, "0");
  return `${digits.slice(0, digits.length - decimals)}.${digits.slice(digits.length - decimals)}`.replace(/\.?0*$/, "");
}

test("the accounting columns of the busy address equal the ledger of the sample service", async () => {
  const service = createSampleService();
  const { hash } = service.addresses.find(({ id }) => id === "hub");
  const client = new AddressClient({ baseUrl: "https://sample.invalid", fetch: service.fetch, maxPerSecond: 1000 });
  const decimals = new Map();
  for (const { token } of service.getAllItems(`/addresses/${hash}/token-transfers`)) {
    const places = Number(token.decimals ?? 0);
    decimals.set(token.address_hash.toLowerCase(), Number.isInteger(places) && places >= 0 && places < 256 ? places : 0);
  }
  const expected = getExpectedEvents(service, hash)
    .filter(({ amount, success, fee }) => Number(fee) > 0 || (success && amount !== "0"))
    .map(({ key, timestamp, from, to, direction, token, amount, success, fee }) => {
      const [contract = "", standard = "", id] = token ?? [];
      const isNft = id != null && standard !== "ERC-1155" && amount === "1";
      const places = contract === "" ? 18 : isNft ? 0 : (decimals.get(contract) ?? 0);
      const moved = success && amount !== "0" ? toDecimal(amount, places) : "";
      const [sent, received] = [direction === "in" ? "" : moved, direction === "out" ? "" : moved];
      return [timestamp, from ?? "", to ?? "", sent, received, standard, contract, id ?? "", fee ? toDecimal(fee, 18) : "", key];
    });
  const events = history(client, { address_hash: hash, order: "asc" });
  const [names, ...lines] = parseCsv(await readText(toCsv(events, { columns: "accounting" })));
  const shown = [
    "timestamp",
    "from",
    "to",
    "sent",
    "received",
    "asset.standard",
    "asset.contract",
    "asset.token_id",
    "fee",
    "key",
  ];
  const rows = lines.map((cells) => shown.map((name) => cells[names.indexOf(name)]));
  assert.equal(rows.length, expected.length);
  rows.forEach((row, i) => assert.deepEqual(row, expected[i], `row ${i}`));
  assert.equal(new Set(rows.map(([, , , , , standard]) => standard)).size, 6, "the coin and five standards");
});

test("the accounting columns count NFTs, and omit events without movements and fees", async () => {
  const token = { type: "token", standard: "ERC-404", contract: "0x1", decimals: "18", token_id: "7" };
  const event = { kind: "token_transfer", direction: "in", asset: token, amount: "1", fee: null, success: true };
  const native = { ...event, kind: "transaction", asset: { type: "native", decimals: "18" } };
  const events = [
    event,
    { ...event, asset: { ...token, token_id: null } },
    { ...event, asset: { ...token, standard: "ERC-1155", decimals: null }, direction: "self" },
    { ...event, asset: { ...token, standard: "ERC-7984" }, amount: null },
    { ...native, direction: "out", success: false, fee: "1500000000000000000" },
    { ...native, direction: "out", amount: "0", fee: "0" },
    { ...native, success: false },
    { ...event, amount: "0" },
  ];
  const [names, ...lines] = parseCsv(await readText(toCsv(events, { columns: "accounting" })));
  assert.deepEqual(
    lines.map((cells) => ["sent", "received", "fee"].map((name) => cells[names.indexOf(name)])),
    [
      ["", "1", ""],
      ["", "0.000000000000000001", ""],
      ["1", "1", ""],
      ["", "", ""],
      ["", "", "1.5"],
    ],
  );
});

test("the full columns have every field of an event except its record", async () => {
  const service = createSampleService();
  const { hash } = service.addresses.find(({ id }) => id === "hub");
  const client = new AddressClient({ baseUrl: "https://sample.invalid", fetch: service.fetch });
  const events = [];
  for await (const event of history(client, { address_hash: hash, include: ["token_transfer"] }))
    if (events.push(event) >= 50) break;
  const [names, ...lines] = parseCsv(await readText(toCsv(events)));
  const fields = events.flatMap(({ record, asset, ...event }) => [
    ...Object.keys(event),
    ...Object.keys(asset).map((name) => `asset.${name}`),
  ]);
  assert.deepEqual([...names].sort(), [...new Set(fields)].sort());
  assert.equal(lines.length, 50);
  assert.deepEqual(
    lines.map((cells) => cells[names.indexOf("key")]),
    events.map(({ key }) => key),
  );
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

test("a record that JSON cannot hold is a typed error, after the lines before it", async () => {
  const cyclic = {};
  cyclic.self = cyclic;
  for (const record of [{ value: 1n }, cyclic, undefined, () => {}, { toJSON: () => undefined }]) {
    const reader = toNdjson([{ a: 1 }, record]).getReader();
    assert.equal(new TextDecoder().decode((await reader.read()).value), '{"a":1}\n');
    await assert.rejects(reader.read(), { name: "AddressQueryError", code: "invalid_parameter", parameter: "records" });
  }
});

test("a preset of columns works only for events, and says so for other records", async () => {
  const service = createSampleService();
  const client = new AddressClient({ baseUrl: "https://sample.invalid", fetch: service.fetch });
  const transfers = client.addressTokenTransfers({ address_hash: service.addresses.find(({ id }) => id === "hub").hash });
  for (const [records, columns] of [
    [transfers, "accounting"],
    [transfers, "full"],
    [[{ kind: "removed", key: "a" }], undefined],
    [[null], "full"],
  ]) {
    const message = /^columns: "(full|accounting)" is for the events of history/;
    await assert.rejects(readText(toCsv(records, { columns })), { code: "invalid_parameter", parameter: "columns", message });
  }
});

test("an option that is null has its default", async () => {
  assert.equal(await readText(toCsv([{ a: 1 }], { columns: ["a"], header: null, total: null })), '"a"\r\n1\r\n');
  assert.equal(await readText(toCsv([], { columns: null })), await readText(toCsv([])));
});

test("a value that a cell cannot hold ends the export with an error that names the column", async () => {
  const values = [{ hash: "0x1" }, () => {}, Symbol("s"), new Date("never"), new Map(), [{ a: 1 }], [1n], Object.create(null)];
  for (const value of values) {
    for (const column of ["odd", { name: "odd", value: (record) => record.odd }]) {
      const reader = toCsv([{ odd: "first" }, { odd: value }], { columns: [column] }).getReader();
      assert.equal(new TextDecoder().decode((await reader.read()).value), '"odd"\r\n"first"\r\n');
      await assert.rejects(reader.read(), (error) => {
        assert.deepEqual([isAddressQueryError(error), error.code, error.parameter], [true, "invalid_parameter", "columns"]);
        assert.match(error.message, /^columns: "odd" must be a plain value, or a valid Date/);
        return true;
      });
    }
  }
});

test("a field that no record has is an error, and one that a record lacks is not", async () => {
  const service = createSampleService();
  const { hash } = service.addresses.find(({ id }) => id === "hub");
  const client = new AddressClient({ baseUrl: "https://sample.invalid", fetch: service.fetch });
  const transfers = await client.addressTokenTransfers({ address_hash: hash });
  const read = (records, columns) => readText(toCsv(records, { columns }));
  for (const column of ["hahs", "token.simbol"]) {
    const unknown = {
      code: "invalid_parameter",
      parameter: "columns",
      message: `columns: "${column}" is not a field of any record`,
    };
    await assert.rejects(read(transfers.items, ["timestamp", column]), unknown);
  }
  const records = [{ a: { b: null } }, { a: null }, { a: { b: { c: 1 } }, d: 2 }, {}];
  assert.equal(await read(records, ["a.b.c", "d"]), '"a.b.c","d"\r\n,\r\n,\r\n1,2\r\n,\r\n');
  assert.equal(await read([{ a: null }], ["a.b"]), '"a.b"\r\n\r\n');
  const coins = history(client, { address_hash: hash, include: ["transaction"] });
  assert.match(await readText(toCsv(coins, { columns: "full" })), /^"timestamp"/);
});

test("invalid options fail the stream before anything is read", async () => {
  const events = {
    [Symbol.iterator]() {
      assert.fail("was read");
    },
  };
  const assertRejected = async (stream, parameter) =>
    assert.rejects(readText(stream), (error) => {
      assert.deepEqual([isAddressQueryError(error), error.code, error.parameter], [true, "invalid_parameter", parameter]);
      return true;
    });
  for (const [options, parameter] of [
    [{ columns: "all" }, "columns"],
    [{ columns: "constructor" }, "columns"],
    [{ columns: [] }, "columns"],
    [{ columns: [null] }, "columns"],
    [{ columns: [{ name: "a" }] }, "columns"],
    [{ column: ["a"] }, "column"],
    [{ header: "no" }, "header"],
    [{ total: -1 }, "total"],
    [{ total: Number.NaN }, "total"],
    [{ onProgress: true }, "onProgress"],
    [{ signal: {} }, "signal"],
  ])
    await assertRejected(toCsv(events, options), parameter);
  await assertRejected(toNdjson(events, { columns: ["a"] }), "columns");
  await assertRejected(toNdjson(null), "records");
  await assertRejected(toCsv({}, { columns: ["a"] }), "records");
});
