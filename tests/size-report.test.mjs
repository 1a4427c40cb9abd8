// The comparison of the package's size with the recorded one (`make size`).
import assert from "node:assert/strict";
import { test } from "node:test";
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
