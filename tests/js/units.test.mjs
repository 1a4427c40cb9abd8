// Conversion of amounts between base units and decimal strings.
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  AddressClient,
  fiatValue,
  formatAmount,
  formatUnits,
  isAddressQueryError,
  parseUnits,
  sumDecimals,
} from "../../pkg/index.js";
import { createSampleService } from "../../pkg/testing/index.js";

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

test("parseUnits is the inverse of formatUnits", () => {
  for (const [value, decimals, amount] of ROUND_TRIPS) {
    assert.equal(formatUnits(value, decimals), amount);
    assert.equal(formatUnits(BigInt(value), decimals), amount);
    assert.equal(parseUnits(amount, decimals), BigInt(value));
  }
});

test("parseUnits accepts other forms of the same amount", () => {
  for (const [amount, decimals, value] of [
    ["1.50", 1, 15n],
    ["1.", 2, 100n],
    [".5", 1, 5n],
    [" 1.5 ", 1, 15n],
    ["-.5", 1, -5n],
    ["-0", 3, 0n],
    ["007", 0, 7n],
    ["1.000", 0, 1n],
  ]) {
    assert.equal(parseUnits(amount, decimals), value, amount);
  }
  assert.equal(formatUnits("-0", 2), "0");
  assert.equal(formatUnits("000", 2), "0");
  assert.equal(formatUnits("5", undefined), "5");
});

function assertInvalid(call, parameter) {
  assert.throws(call, (error) => {
    assert.ok(isAddressQueryError(error), error.stack);
    assert.deepEqual([error.code, error.parameter], ["invalid_parameter", parameter]);
    return true;
  });
}

test("invalid amounts are rejected, and never rounded", () => {
  for (const value of ["", "1.5", "1e3", "0x10", " 1", "+1", "--1", 1, 1.5, null, undefined, {}, true])
    assertInvalid(() => formatUnits(value, 18), "value");
  for (const value of ["", " ", ".", "-", "-.", "1e3", "1,5", "0x1", "+1", "1.2.3", "NaN", 1, 1n, null, undefined, {}])
    assertInvalid(() => parseUnits(value, 18), "value");
  assertInvalid(() => parseUnits("1.55", 1), "value");
  assertInvalid(() => parseUnits("0.1", 0), "value");
  for (const decimals of [-1, 256, 1.5, NaN, Infinity, "", "x", "1.5", "-1", "1000", 18n, {}, true]) {
    assertInvalid(() => formatUnits("1", decimals), "decimals");
    assertInvalid(() => parseUnits("1", decimals), "decimals");
  }
});

test("formatAmount formats transfers, holdings and values", () => {
  const sixDecimals = { decimals: "6" };
  for (const [amount, token, expected] of [
    ["1500000", sixDecimals, "1.5"],
    [1500000n, { decimals: 6 }, "1.5"],
    ["1500000", undefined, "1500000"],
    ["1239999", { decimals: "6", maxDigits: 2 }, "1.23"],
    ["-1999999", { decimals: "6", maxDigits: 0 }, "-1"],
    ["1", { decimals: "6", maxDigits: 2 }, "0"],
    ["1234567", { decimals: "6", maxDigits: 9 }, "1.234567"],
    ["1234567", { decimals: "6", maxDigits: -1 }, "1.234567"],
    ["1234567", { decimals: "6", maxDigits: Number.NaN }, "1.234567"],
    [{ value: "1234567", decimals: "6" }, { maxDigits: 3 }, "1.234"],
    [{ total: { value: "1500000", decimals: "6" }, token: { decimals: "18" } }, undefined, "1.5"],
    [{ total: { value: "1500000", decimals: null }, token: sixDecimals }, { decimals: "18" }, "1.5"],
    [{ total: { value: "1500000", decimals: null }, token: null }, sixDecimals, "1.5"],
    [{ value: "1500000", decimals: "6" }, undefined, "1.5"],
    [{ value: "1500000", tokenDecimal: "6" }, undefined, "1.5"],
    [{ tokenValue: "15", tokenID: "7", tokenDecimal: null }, undefined, "15"],
    [{ balance: "1500000", decimals: "6", symbol: "X" }, undefined, "1.5"],
    [{ balance: "3", decimals: null, id: "7" }, undefined, "3"],
    [{ id: "7", value: "2", token: { decimals: null } }, undefined, "2"],
  ]) {
    assert.equal(formatAmount(amount, token), expected);
  }
});

test("formatAmount returns 1 for an NFT, and an empty string for an unknown amount", () => {
  assert.equal(formatAmount({ total: { token_id: "7", value: null, decimals: null }, token: { decimals: null } }), "1");
  assert.equal(formatAmount({ tokenID: "7", tokenDecimal: null }), "1");
  assert.equal(formatAmount({ tokenID: "7", value: null }), "1");
  for (const nothing of [
    null,
    undefined,
    {},
    { total: null, token: { decimals: "18" } },
    { total: { value: null, decimals: "18" } },
    { balance: null },
    { tokenID: null, value: null },
  ]) {
    assert.equal(formatAmount(nothing, { decimals: "18" }), "");
  }
});

test("formatAmount never throws, whatever a token declares", () => {
  for (const decimals of [
    "-1",
    -1,
    "300",
    300,
    null,
    undefined,
    "",
    "x",
    "1.5",
    NaN,
    Infinity,
    1e21,
    18n,
    {},
    [],
    true,
    Symbol("x"),
  ]) {
    for (const amount of [
      { total: { value: MAX, decimals } },
      { balance: MAX, decimals },
      { total: { value: MAX }, token: { decimals } },
    ]) {
      assert.equal(formatAmount(amount), MAX, String(decimals));
    }
    assert.equal(formatAmount(MAX, { decimals }), MAX, String(decimals));
  }
  for (const token of [null, undefined, {}, 5, "x"]) assert.equal(formatAmount("7", token), "7");
  for (const value of ["", "1.5", "x", 1.5, NaN, true, {}, [], Symbol("x"), () => {}])
    assert.equal(formatAmount({ value }), "", String(value));
});

test("formatAmount agrees with formatUnits for the transfers of the sample service", async () => {
  const service = createSampleService();
  const client = new AddressClient({ baseUrl: "https://sample.example", fetch: service.fetch });
  let shown = 0;
  for (const transfer of await client.tokenTransfers().toArray({ limit: 300 })) {
    const amount = formatAmount(transfer);
    const { value, decimals, token_id } = transfer.total ?? {};
    const isValid = /^\d+$/.test(transfer.token?.decimals ?? "") && Number(transfer.token.decimals) < 256;
    if (value != null) assert.equal(amount, formatUnits(value, decimals ?? (isValid ? transfer.token.decimals : null)));
    else assert.equal(amount, token_id == null ? "" : "1");
    shown += amount !== "";
  }
  assert.ok(shown > 100);
});

test("a fiat value is the exact product of amount and price", () => {
  const holding = (value, decimals, exchange_rate) => ({ token: { decimals, exchange_rate }, value });
  for (const [record, value] of [
    [holding("1500000", "6", "0.99"), "1.485"],
    [holding("123456789012345678901234567890", "18", "1.2E-8"), "1481.48146814814814681481481468"],
    [holding("3", "0", "2.5e+3"), "7500"],
    [holding("1", "18", "1e30"), "1000000000000"],
    [holding("-15", 1, "2"), "-3"],
    [holding(MAX, 0, "10"), `${MAX}0`],
    [holding("0", 18, "1"), "0"],
    [{ total: { value: "25", decimals: "1" }, token: { exchange_rate: "4" } }, "10"],
  ])
    assert.equal(fiatValue(record), value);
  assert.equal(fiatValue(15n, { decimals: 1, exchange_rate: "2" }), "3");
  assert.equal(fiatValue({ value: "15", token: null }, { decimals: 1, exchange_rate: "2" }), "3");
});

test("a fiat value that is not known is null, whatever a token declares", () => {
  const price = { decimals: "18", exchange_rate: "1" };
  for (const value of [null, undefined, "", "1.5", "x", {}]) assert.equal(fiatValue(value, price), null);
  for (const decimals of ["-1", "256", "1000000", "1.5", "x", null, undefined])
    assert.equal(fiatValue("1", { ...price, decimals }), null);
  const hostile = ["", "NaN", "Infinity", "-1", "0x10", "1e999", "1e-999", "1,5", " 1", "9".repeat(1_000_000)];
  for (const exchange_rate of [null, undefined, ...hostile]) assert.equal(fiatValue("1", { ...price, exchange_rate }), null);
  assert.equal(fiatValue({ token_id: "1", token: price }), null);
  for (const token of [null, undefined]) assert.equal(fiatValue("1", token), null);
});

test("numbers of more than 1,000 characters are rejected before they are converted", () => {
  const long = "9".repeat(1001);
  assertInvalid(() => formatUnits(long, 18), "value");
  assertInvalid(() => parseUnits(long, 18), "value");
  // These took seconds: a number of millions of digits, and a long row of zeros before another digit.
  for (const value of ["9".repeat(5_000_000), `0.${"0".repeat(80_000)}1`, `1.${"0".repeat(5_000_000)}`]) {
    assertInvalid(() => parseUnits(value, 18), "value");
    assertInvalid(() => sumDecimals(["1", value]), "values");
  }
  assert.equal(formatAmount(long, { decimals: 18 }), "");
  assert.equal(fiatValue(long, { decimals: 18, exchange_rate: "1" }), null);
  assert.equal(formatUnits("9".repeat(1000), 0), "9".repeat(1000));
});

test("sumDecimals adds decimal strings exactly, and rejects other strings", () => {
  assert.equal(sumDecimals(["0.1", "0.2", null]), "0.3");
  assert.equal(sumDecimals([`${MAX}.000000000000000001`, "-1", ".5"]), `${BigInt(MAX) - 1n}.500000000000000001`);
  assert.equal(sumDecimals(["1", "-1.0"]), "0");
  assert.equal(sumDecimals([]), "0");
  for (const value of ["", ".", "1e3", "1.2.3", "x", 1, undefined, {}]) assertInvalid(() => sumDecimals(["1", value]), "values");
  for (const values of ["12", null, undefined, 5, new Set(["1"])]) assertInvalid(() => sumDecimals(values), "values");
});
