// Unit tests of www/format.js; they need no browser.
import assert from "node:assert/strict";
import { test } from "node:test";
import { formatAge, formatDecimal, sanitizeText, shortenHash, toSafeImageUrl, toSafeLinkUrl } from "../../www/format.js";

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

test("formatAge uses one unit, for the past and the future", () => {
  const now = Date.parse("2026-11-01T00:00:00Z");
  const formatSecondsAgo = (seconds) => formatAge(now - seconds * 1000, now);
  assert.equal(formatSecondsAgo(2), "just now");
  assert.equal(formatSecondsAgo(59), "59 secs ago");
  assert.equal(formatSecondsAgo(180), "3 mins ago");
  assert.equal(formatSecondsAgo(86400), "1 day ago");
  assert.equal(formatSecondsAgo(90 * 86400), "3 months ago");
  assert.equal(formatSecondsAgo(800 * 86400), "2 years ago");
  assert.equal(formatSecondsAgo(-7200), "in 2 hrs");
});

test("shortenHash leaves short strings unchanged", () => {
  assert.equal(shortenHash("0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"), "0x5aAe…eAed");
  assert.equal(shortenHash("0x1234"), "0x1234");
});

test("sanitizeText makes hidden and reordering characters visible", () => {
  assert.equal(sanitizeText("pay\u202Egnp.exe"), "pay⟨U+202E⟩gnp.exe");
  assert.equal(sanitizeText("a\u0000b\nc\u200Bd"), "a␀b␊c⟨U+200B⟩d");
  assert.equal(sanitizeText("👩\u200D🚀 सन्"), "👩\u200D🚀 सन्");
  assert.equal(sanitizeText("🚀".repeat(10), 4), "🚀🚀🚀🚀…");
});

test("link URLs must be https, and images https or small raster data URLs", () => {
  for (const url of [
    "javascript:alert(1)",
    "http://a.example",
    "//a.example",
    "data:text/html,x",
    "https://u:p@a.example",
    "",
    null,
    7,
  ]) {
    assert.equal(toSafeLinkUrl(url), null, String(url));
  }
  assert.equal(toSafeLinkUrl("https://a.example/x"), "https://a.example/x");
  assert.equal(toSafeImageUrl("data:image/png;base64,AAAA"), "data:image/png;base64,AAAA");
  for (const url of [
    "data:image/svg+xml;base64,AAAA",
    "ipfs://x",
    "http://a.example/x.png",
    `data:image/png;base64,${"A".repeat(300_001)}`,
  ]) {
    assert.equal(toSafeImageUrl(url), null, url.slice(0, 40));
  }
});
