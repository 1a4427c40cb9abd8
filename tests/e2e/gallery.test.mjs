// Compares the page of all components (`?gallery`) with its pictures, in both themes. UPDATE_PICTURES=1 retakes them.
import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { env } from "node:process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { setUpBrowser } from "./demo-page.mjs";

const openDemo = setUpBrowser();
const PICTURES = fileURLToPath(new URL("./pictures/", import.meta.url));
/** Browsers smooth the edges of letters differently. A component that moved or has another colour changes more. */
const MAX_DIFFERENT = 0.03;

/** Runs in the page: the share of pixels of two pictures of the same size that differ visibly. */
async function compare([one, other]) {
  const [first, second] = await Promise.all(
    [one, other].map(async (base64) => {
      const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
      const bitmap = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
      const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
      const context = canvas.getContext("2d");
      context.drawImage(bitmap, 0, 0);
      return context.getImageData(0, 0, bitmap.width, bitmap.height);
    }),
  );
  if (first.width !== second.width || first.height !== second.height)
    return `${first.width} × ${first.height} instead of ${second.width} × ${second.height}`;
  let different = 0;
  for (let at = 0; at < first.data.length; at += 4) {
    const distance = Math.max(...[0, 1, 2].map((channel) => Math.abs(first.data[at + channel] - second.data[at + channel])));
    if (distance > 48) different += 1;
  }
  return different / (first.data.length / 4);
}

for (const colorScheme of ["light", "dark"]) {
  test(`each component looks like its picture in the ${colorScheme} theme`, async (t) => {
    const demo = await openDemo(t, "?gallery", { colorScheme, viewport: { width: 1000, height: 900 }, reducedMotion: "reduce" });
    const { page } = demo;
    const sections = page.locator(".sample");
    await page.locator("#sample-states .error-box").nth(2).waitFor();
    await page.locator("#sample-table tr[aria-rowindex='4']").waitFor();
    // Once loaded, the typefaces are applied on the next input.
    for (
      let wait = 0;
      wait < 50 && !(await page.evaluate(() => document.fonts.check("14px 'Inter Variable'") && document.fonts.size >= 3));
      wait++
    ) {
      await page.keyboard.press("Shift");
      await page.waitForTimeout(100);
    }
    const names = await sections.evaluateAll((elements) => elements.map(({ id }) => id.replace("sample-", "")));
    assert.ok(names.length >= 8, names.join());
    const different = {};
    for (const name of names) {
      const file = `${PICTURES}${name}-${colorScheme}.png`;
      const picture = await page.locator(`#sample-${name}`).screenshot();
      if (env.UPDATE_PICTURES) {
        mkdirSync(PICTURES, { recursive: true });
        writeFileSync(file, picture);
      }
      const result = await page.evaluate(
        compare,
        [picture, readFileSync(file)].map((bytes) => bytes.toString("base64")),
      );
      if (!(result <= MAX_DIFFERENT)) different[name] = result;
    }
    assert.deepEqual(different, {}, "look at the page, and retake its pictures with UPDATE_PICTURES=1 if it is right");
  });
}
