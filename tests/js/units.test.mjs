// Amounts between base units and decimal text.
import assert from "node:assert/strict";
import { test } from "node:test";
import { formatUnits, isAddressQueryError, parseUnits } from "../../pkg/index.js";

const MAX = (2n ** 256n - 1n).toString();
const ROUND_TRIPS = [
  ["0", 18, "0"],
  ["1", 18, "0.000000000000000001"],
  ["1500000000000000000", 18, "1.5"],
  ["-1500000000000000000", 18, "-1.5"],
  ["-1", 2, "-0.01"],
  ["1000000000000000000", 18, "1"],
  ["123", 0, "123"],
  ["123", null, "123"],
  ["123", "2", "1.23"],
  ["100", "006", "0.0001"],
  [MAX, 0, MAX],
  [MAX, 18, `${MAX.slice(0, -18)}.${MAX.slice(-18)}`],
  ["1", 255, `0.${"0".repeat(254)}1`],
];

test("formatUnits and parseUnits are each other's inverse", () => {
  for (const [value, decimals, text] of ROUND_TRIPS) {
    assert.equal(formatUnits(value, decimals), text);
    assert.equal(formatUnits(BigInt(value), decimals), text);
    assert.equal(parseUnits(text, decimals), BigInt(value));
  }
});

test("other spellings of the same amount are read", () => {
  for (const [text, decimals, value] of [
    ["1.50", 1, 15n], ["1.", 2, 100n], [".5", 1, 5n], [" 1.5 ", 1, 15n], ["-.5", 1, -5n], ["-0", 3, 0n], ["007", 0, 7n], ["1.000", 0, 1n],
  ]) {
    assert.equal(parseUnits(text, decimals), value, text);
  }
  assert.equal(formatUnits("-0", 2), "0");
  assert.equal(formatUnits("000", 2), "0");
  assert.equal(formatUnits("5", undefined), "5");
});

function refused(act, parameter) {
  assert.throws(act, (error) => {
    assert.ok(isAddressQueryError(error), error.stack);
    assert.deepEqual([error.code, error.parameter], ["invalid_parameter", parameter]);
    return true;
  });
}

test("what is no amount is refused, never rounded", () => {
  for (const value of ["", "1.5", "1e3", "0x10", " 1", "+1", "--1", 1, 1.5, null, undefined, {}, true]) refused(() => formatUnits(value, 18), "value");
  for (const text of ["", " ", ".", "-", "-.", "1e3", "1,5", "0x1", "+1", "1.2.3", "NaN", 1, 1n, null, undefined, {}]) refused(() => parseUnits(text, 18), "text");
  refused(() => parseUnits("1.55", 1), "text");
  refused(() => parseUnits("0.1", 0), "text");
  for (const decimals of [-1, 256, 1.5, NaN, Infinity, "", "x", "1.5", "-1", "1000", 18n, {}, true]) {
    refused(() => formatUnits("1", decimals), "decimals");
    refused(() => parseUnits("1", decimals), "decimals");
  }
});
