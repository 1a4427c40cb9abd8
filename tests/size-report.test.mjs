// `make size`: the comparison of the package's size with the recorded one, and the bytes of the source files.
import assert from "node:assert/strict";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { attributeBytes, formatAttribution } from "../pkg-template/build/attribution.mjs";
import { compareSizes } from "../pkg-template/build/size.mjs";

const compare = (wasm, scripts, more = "") => {
  const record = `# Sizes\n\n## Recorded sizes\n\n| Date | a | b | c |\n|---|---|---|---|\n| 2026-01-01 | 60,000 | 9,000 | first |\n${more}\n## Other\n\n| 2026-02-02 | 1 | 1 | |\n`;
  return compareSizes(record, { wasm, scripts }, new Date("2026-03-03"));
};

test("passes at the recorded size, and for a small change", () => {
  for (const wasm of [60_000, 60_200, 59_900]) assert.equal(compare(wasm, 9_000).failure, undefined);
});

test("fails for a growth, and says what to write where", () => {
  const { lines, failure } = compare(60_500, 9_100);
  assert.match(
    failure,
    /grew by 600 bytes.*"## Recorded sizes" in tests\/bench\/SIZE\.md.*\n\| 2026-03-03 \| 60,500 \| 9,100 \| /,
  );
  assert.deepEqual(
    lines.map((line) => line.trim().split(/ {2,}/)),
    [
      ["brotli bytes", "recorded", "now", "change"],
      ["client.wasm", "60,000", "60,500", "+500"],
      ["scripts", "9,000", "9,100", "+100"],
      ["both", "69,000", "69,600", "+600"],
    ],
  );
});

test("accepts a recorded growth only with a reason", () => {
  assert.equal(compare(60_500, 9_100, "| 2026-03-03 | 60,500 | 9,100 | retries of lists |\n").failure, undefined);
  assert.match(compare(60_500, 9_100, "| 2026-03-03 | 60,500 | 9,100 | |\n").failure, /2026-03-03.*Write its reason/);
});

test("asks to record a smaller size", () => {
  const { lines, failure } = compare(59_000, 9_000);
  assert.equal(failure, undefined);
  assert.match(lines.at(-1), /became smaller.*\n\| 2026-03-03 \| 59,000 \| 9,000 \|/);
});

/** Creates a module that imports one function, and has functions of these names and sizes. */
function createModule(functions) {
  const toText = (text) => [text.length, ...Buffer.from(text)];
  const toInteger = (value) => (value < 128 ? [value] : [(value & 127) | 128, value >> 7]);
  const toSection = (id, bytes) => [id, ...toInteger(bytes.length), ...bytes];
  const names = ["imported", ...functions.map(([name]) => name)].flatMap((name, i) => [i, ...toText(name)]);
  return Buffer.from([
    ...[0, 97, 115, 109, 1, 0, 0, 0],
    ...toSection(2, [1, ...toText("m"), ...toText("f"), 0, 0]),
    ...toSection(10, [functions.length, ...functions.flatMap(([, size]) => [size, ...Array(size).fill(0)])]),
    ...toSection(11, Array(10).fill(0)),
    ...toSection(0, [...toText("name"), ...toSection(0, toText("m")), ...toSection(1, [functions.length + 1, ...names])]),
  ]);
}

test("attributes each function to its source file or library", () => {
  const src = fileURLToPath(new URL("../src", import.meta.url));
  const bytes = createModule([
    ["<address_query[1]::json::scan::Scanner>::skip", 9],
    ["core[2]::drop<address_query[1]::json::scan::X>", 20],
    ["alloc[3]::raw_vec::grow", 7],
    ["session_new", 5],
  ]);
  const rows = attributeBytes(bytes, src);
  assert.deepEqual(Object.fromEntries(rows), {
    "src/json/scan.rs": 29,
    alloc: 7,
    "exports and intrinsics": 5,
    "data: tables and strings": 12,
    "other sections": 24,
  });
  assert.deepEqual(
    formatAttribution(bytes, src).map((line) => line.split(/ {2,}/)),
    [
      ["src/json", "29"],
      ["other sections", "24"],
      ["data: tables and strings", "12"],
      ["alloc", "7"],
      ["exports and intrinsics", "5"],
    ],
  );
});
