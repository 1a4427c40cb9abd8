// Takes the screenshot of the demo page that the README shows: node tests/e2e/screenshot.mjs
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { createSampleService } from "../../pkg/testing/index.js";
import { startSite } from "../../www/serve.mjs";
import { chromiumPath, launchArgs } from "../browser.mjs";

const PATH = fileURLToPath(new URL("../../www/screenshot.png", import.meta.url));

const [{ hash }] = createSampleService().addresses;
const site = await startSite();
const browser = await chromium.launch({ executablePath: chromiumPath(), args: launchArgs });
try {
  const page = await browser.newPage({ viewport: { width: 1360, height: 760 }, colorScheme: "light" });
  await page.goto(`${site.url}?address=${hash}&tab=addressTokenTransfers`);
  await page.locator('#panel[aria-busy="false"] tbody tr').first().waitFor();
  await page.screenshot({ path: PATH });
  console.log(PATH);
} finally {
  await browser.close();
  await site.close();
}
