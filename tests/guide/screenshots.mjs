// Takes the pictures of the cards of the page "Whole programs": what each program shows on the sample data.
//
//   make site && node tests/guide/screenshots.mjs
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { AddressClient } from "../../pkg/index.js";
import { createSampleService } from "../../pkg/testing/index.js";
import { startSite } from "../../www/serve.mjs";
import { chromiumPath, launchArgs } from "../browser.mjs";
import { ROOT } from "../documents.mjs";

const FOLDER = join(ROOT, "www/guide/programs");
const SIZE = { width: 400, height: 220 };

const site = await startSite({ folder: join(ROOT, "target/site") });
const browser = await chromium.launch({ executablePath: chromiumPath(), args: launchArgs });
try {
  const page = await browser.newPage({ viewport: { width: 1360, height: 900 } });
  await page.goto(`${site.url}guide/programs.html`);
  // Nothing but the output is in the pictures.
  await page.addStyleTag({
    content: `.example-output { max-height: none !important; width: ${SIZE.width}px; min-height: ${SIZE.height}px; padding: 4px }
      .example-output pre { background: none !important; padding: 2px 4px !important; margin: 0 !important }
      .example-result iframe { width: ${SIZE.width}px !important; height: ${SIZE.height}px !important; border: 0 !important }
      .VPNav, .VPLocalNav, .VPSidebar { display: none }`,
  });
  const text = readFileSync(join(ROOT, "www/guide/pages/programs.md"), "utf8");
  for (const [, id] of text.matchAll(/\| #([\w-]+) \|/g)) {
    const example = page.locator(`h2[id="${id}"] ~ .example`).first();
    const isNext = await page.evaluate((name) => {
      let element = document.getElementById(name).nextElementSibling;
      while (element && element.tagName !== "H2" && !element.matches(".example")) element = element.nextElementSibling;
      return element?.matches(".example") ?? false;
    }, id);
    const path = join(FOLDER, `${id}.png`);
    if (!isNext) {
      await takeTable(path);
      continue;
    }
    await example.getByRole("button", { name: "Run" }).click();
    await example.and(page.locator("[data-state=done]")).waitFor({ timeout: 120_000 });
    const hasOutput = (await example.locator(".example-output pre").count()) > 0;
    const shown = example.locator(hasOutput ? ".example-output" : "iframe");
    const { x, y } = await shown.evaluate((element) => {
      element.scrollIntoView();
      const { left, top } = element.getBoundingClientRect();
      return { x: left, y: top };
    });
    await page.screenshot({ path, clip: { x, y, ...SIZE } });
  }
} finally {
  await browser.close();
  await site.close();
}

/** The program in Rust is not run here: its table is drawn from the same records. */
async function takeTable(path) {
  const { addresses, fetch } = createSampleService();
  const client = new AddressClient({ baseUrl: "https://sample.invalid", fetch });
  const rows = await client.account.txList({ address: addresses[0].hash, page: 1, offset: 12 });
  const cells = rows.items.map(({ hash, from, value }) => `<tr><td>${hash}</td><td>${from}</td><td>${value}</td></tr>`);
  const page = await browser.newPage({ viewport: SIZE });
  await page.setContent(`<style>body { margin: 4px } td { font: 12px monospace; padding: 1px 6px; max-width: 120px; overflow: hidden }</style>
    <table>${cells.join("")}</table>`);
  await page.screenshot({ path });
  await page.close();
}
