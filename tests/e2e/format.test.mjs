// How values of the chain read, without a browser.
import assert from "node:assert/strict";
import { test } from "node:test";
import { age, readableDecimal, safeImage, safeLink, shortHash, visibleText } from "../../www/format.js";

test("decimals are grouped, and never look exact when they were cut", () => {
  const cases = {
    0: "0",
    1234567: "1,234,567",
    "1.50": "1.5",
    "1.000": "1",
    "-1234.5": "-1,234.5",
    0.1234567: "0.123456…",
    "0.0000001": "< 0.000001",
    "-0.0000001": "> -0.000001",
    999999999999999: "999,999,999,999,999",
    1234567890123456.5: "≈ 1.234 × 10¹⁵",
    "not a number": "not a number",
  };
  for (const [exact, shown] of Object.entries(cases)) assert.equal(readableDecimal(exact), shown);
});

test("ages have one unit, in both directions of time", () => {
  const now = Date.parse("2026-11-01T00:00:00Z");
  const before = (seconds) => age(now - seconds * 1000, now);
  assert.equal(before(2), "just now");
  assert.equal(before(59), "59 s ago");
  assert.equal(before(180), "3 min ago");
  assert.equal(before(86400), "1 day ago");
  assert.equal(before(90 * 86400), "3 months ago");
  assert.equal(before(800 * 86400), "2 years ago");
  assert.equal(before(-7200), "in 2 h");
});

test("hashes are shortened only when that shortens them", () => {
  assert.equal(shortHash("0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"), "0x5aAe…eAed");
  assert.equal(shortHash("0x1234"), "0x1234");
});

test("characters that hide or reorder text become visible", () => {
  assert.equal(visibleText("pay\u202Egnp.exe"), "pay⟨U+202E⟩gnp.exe");
  assert.equal(visibleText("a\u0000b\nc\u200Bd"), "a␀b␊c⟨U+200B⟩d");
  assert.equal(visibleText("👩\u200D🚀 सन्"), "👩\u200D🚀 सन्");
  assert.equal(visibleText("🚀".repeat(10), 4), "🚀🚀🚀🚀…");
});

test("only https leads anywhere, and only raster pictures are shown", () => {
  for (const bad of [
    "javascript:alert(1)",
    "http://a.example",
    "//a.example",
    "data:text/html,x",
    "https://u:p@a.example",
    "",
    null,
    7,
  ]) {
    assert.equal(safeLink(bad), null, String(bad));
  }
  assert.equal(safeLink("https://a.example/x"), "https://a.example/x");
  assert.equal(safeImage("data:image/png;base64,AAAA"), "data:image/png;base64,AAAA");
  for (const bad of [
    "data:image/svg+xml;base64,AAAA",
    "ipfs://x",
    "http://a.example/x.png",
    `data:image/png;base64,${"A".repeat(300_001)}`,
  ]) {
    assert.equal(safeImage(bad), null, bad.slice(0, 40));
  }
});
