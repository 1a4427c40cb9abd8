// Unit tests of www/src/format; they need no browser.
import assert from "node:assert/strict";
import { test } from "node:test";
import { importSource } from "./import-source.mjs";

const { toChecksumAddress } = await importSource("format/checksum.ts");
const { cleanText, shortenHash } = await importSource("format/text.ts");
const { formatAmountPair, formatDecimal, formatFiat } = await importSource("format/number.ts");
const { formatAge } = await importSource("format/time.ts");
const { toSafeLink } = await importSource("format/url.ts");
const { toPictureUrl } = await importSource("format/picture-url.ts");

test("formatDecimal groups digits and marks truncated values", () => {
  const cases = [
    ["0", "0"],
    ["1234567", "1,234,567"],
    ["1.50", "1.5"],
    ["1.000", "1"],
    ["-1234.5", "-1,234.5"],
    ["0.1234567", "0.123456…"],
    ["0.0000001", "< 0.000001"],
    ["-0.0000001", "> -0.000001"],
    ["999999999999999", "999,999,999,999,999"],
    ["1234567890123456.5", "≈ 1.234 × 10¹⁵"],
    ["not a number", "not a number"],
  ];
  for (const [exact, formatted] of cases) assert.equal(formatDecimal(exact), formatted);
});

test("amounts in sentences have about five digits", () => {
  const cases = [
    ["2428916123456789012", "2.4289"],
    ["20083022992000000000000", "20,083.02"],
    ["126300807000000000000", "126.3"],
    ["106182000000000", "0.0001061"],
    ["1234567000100000000000000", "1,234,567"],
    ["1", "< 0.00000001"],
    ["60000000000000000", "0.06"],
  ];
  for (const [wei, formatted] of cases) assert.equal(formatAmountPair(wei, 18).brief, formatted);
});

test("formatFiat rounds the exact value, shows small values with three digits, and large ones by their exponent", () => {
  const cases = [
    ["0", "$0.00"],
    // The nearest floating-point number is smaller.
    ["1.005", "$1.01"],
    ["123456789012.345", "$123,456,789,012.35"],
    ["0.00123456", "$0.00123"],
    ["0.000000001", "< $0.00000001"],
    ["12345678901234567.8", "$1.23E16"],
  ];
  for (const [exact, formatted] of cases) assert.equal(formatFiat(exact), formatted);
});

test("formatAge uses one unit, for the past and the future", () => {
  const now = Date.parse("2026-11-01T00:00:00Z");
  const formatSecondsAgo = (seconds) => formatAge(now - seconds * 1000, now);
  const cases = [
    [59, "59 sec. ago"],
    [180, "3 min. ago"],
    [86_400, "1 day ago"],
    [90 * 86_400, "3 mo. ago"],
    [800 * 86_400, "2 yr. ago"],
    [-7200, "in 2 hr."],
  ];
  for (const [seconds, formatted] of cases) assert.equal(formatSecondsAgo(seconds), formatted);
});

test("shortenHash leaves short strings unchanged", () => {
  assert.equal(shortenHash("0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"), "0x5aAe…eAed");
  assert.equal(shortenHash("0x1234"), "0x1234");
});

test("an address in lower case gets the checksum of its chain, and any other keeps its letter case", () => {
  // The addresses of EIP-55.
  const addresses = [
    "0x52908400098527886E0F7030069857D2E4169EE7",
    "0xde709f2102306220921060314715629080e2fb77",
    "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
    "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359",
    "0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB",
    "0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb",
  ];
  for (const address of addresses) assert.equal(toChecksumAddress(address.toLowerCase(), 1), address);
  // The checksum of Rootstock (EIP-1191).
  const rootstock = "0x5aaEB6053f3e94c9b9a09f33669435E7ef1bEAeD";
  assert.equal(toChecksumAddress(rootstock.toLowerCase(), 30), rootstock);
  for (const same of [rootstock, "0x12ab", ""]) assert.equal(toChecksumAddress(same, 1), same);
  assert.equal(toChecksumAddress(rootstock.toLowerCase(), null), rootstock.toLowerCase());
});

test("cleanText makes hidden and reordering characters visible", () => {
  assert.equal(cleanText("pay\u202Egnp.exe"), "pay⟨U+202E⟩gnp.exe");
  assert.equal(cleanText("a\u0000b\nc\u200Bd"), "a␀b␊c⟨U+200B⟩d");
  assert.equal(cleanText("👩\u200D🚀 सन्"), "👩\u200D🚀 सन्");
  assert.equal(cleanText("🚀".repeat(10), 4), "🚀🚀🚀🚀…");
});

test("link URLs must be https", () => {
  const unsafe = [
    "javascript:alert(1)",
    "http://a.example",
    "//a.example",
    "data:text/html,x",
    "https://u:p@a.example",
    "",
    null,
    7,
  ];
  for (const url of unsafe) assert.equal(toSafeLink(url), null, String(url));
  assert.equal(toSafeLink("https://a.example/x"), "https://a.example/x");
});

test("pictures are https, data:image, or on the IPFS with a gateway", () => {
  const gateway = "https://gateway.example";
  const accepted = {
    "https://a.example/x.png": "https://a.example/x.png",
    "data:image/png;base64,AAAA": "data:image/png;base64,AAAA",
    "ipfs://bafyx/1.png": "https://gateway.example/ipfs/bafyx/1.png",
  };
  for (const [value, url] of Object.entries(accepted)) assert.deepEqual(toPictureUrl(value, gateway), { url });
  for (const value of ["http://a.example/x.png", "javascript:alert(1)", "data:text/html,x", "ipfs://bafyx/../../x"]) {
    assert.deepEqual(toPictureUrl(value, gateway), { problem: "unsafe" }, value);
  }
  assert.deepEqual(toPictureUrl("ipfs://bafyx", ""), { problem: "ipfs" });
  assert.deepEqual(toPictureUrl(`data:image/png;base64,${"A".repeat(300_001)}`, gateway), { problem: "too large" });
  assert.deepEqual(toPictureUrl(null, gateway), { problem: "none" });
});
