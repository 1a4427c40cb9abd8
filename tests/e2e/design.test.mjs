// Checks the tokens of the design: the contrast of each colour of text on each background that it is used on.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const SOURCES = fileURLToPath(new URL("../../www/src/", import.meta.url));
const tokens = readFileSync(`${SOURCES}styles/tokens.css`, "utf8");
const TEXT_CONTRAST = 4.5;
const LINE_CONTRAST = 3;
const PAIRS = {
  text: ["surface", "page-background", "inset-background", "highlight"],
  muted: ["surface", "page-background", "inset-background"],
  accent: ["surface", "page-background", "inset-background", "accent-soft", "highlight"],
  "accent-strong": ["accent-soft"],
  "on-accent": ["accent"],
  good: ["surface", "page-background", "good-soft"],
  out: ["surface", "page-background", "out-soft"],
  warn: ["surface", "page-background", "warn-soft"],
  bad: ["surface", "page-background", "bad-soft"],
};

/** The colours of a theme, by the names of their tokens. */
const readColors = (position) =>
  Object.fromEntries(
    [...tokens.matchAll(/--([\w-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\);/g)].map((match) => [
      match[1],
      match[position],
    ]),
  );

/** Relative luminance, as WCAG 2.2 defines it. */
function toLuminance(hex) {
  const [red, green, blue] = [1, 3, 5].map((start) => {
    const share = Number.parseInt(hex.slice(start, start + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function toContrast(one, other) {
  const [light, dark] = [toLuminance(one), toLuminance(other)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

for (const [theme, position] of Object.entries({ light: 2, dark: 3 })) {
  test(`text of the ${theme} theme can be read on its backgrounds`, () => {
    const colors = readColors(position);
    assert.ok(Object.keys(colors).length > 15, Object.keys(colors).join());
    const low = Object.entries(PAIRS)
      .flatMap(([name, backgrounds]) =>
        backgrounds.map((background) => [name, background, toContrast(colors[name], colors[background])]),
      )
      .filter(([, , contrast]) => !(contrast >= TEXT_CONTRAST));
    assert.deepEqual(low, []);
    for (const background of ["surface", "page-background"])
      assert.ok(toContrast(colors["line-strong"], colors[background]) >= LINE_CONTRAST, `lines of inputs on ${background}`);
  });
}

test("style sheets use only the colours of the design", () => {
  const sheets = readdirSync(SOURCES, { recursive: true }).filter(
    (name) => name.endsWith(".css") && !name.endsWith("tokens.css"),
  );
  assert.ok(sheets.length > 8, sheets.join());
  const readOwn = (name) => readFileSync(SOURCES + name, "utf8").match(/#[0-9a-f]{3,8}\b/gi) ?? [];
  assert.deepEqual(sheets.flatMap(readOwn), []);
});
