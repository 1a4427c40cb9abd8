// Checks each tab with axe against WCAG 2.2 AA, in both themes and on a phone.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { AddressClient } from "../../pkg/index.js";
import { createSampleService } from "../../pkg/testing/index.js";
import { openDemo } from "./demo-page.mjs";

const AXE = readFileSync(new URL("../node_modules/axe-core/axe.min.js", import.meta.url), "utf8");
const TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
const { addresses, fetch } = createSampleService();
const { hash: ADDRESS } = addresses.find(({ id }) => id === "hub");
const [{ transaction_hash, block_number, token }] = (
  await new AddressClient({ baseUrl: "https://sample.invalid", fetch }).addressTokenTransfers({ address_hash: ADDRESS })
).items;
/** The start page, an address, and the pages of what they link to. */
const PAGES = [
  "",
  `?address=${ADDRESS}`,
  `?show=transaction&id=${transaction_hash}`,
  `?show=token&id=${token.address_hash}`,
  `?show=block&id=${block_number}`,
];

/** Runs axe in the page. The policy of the page allows no inline scripts, so it is evaluated by the debugger. */
async function findViolations(page) {
  await page.evaluate(AXE);
  const { violations } = await page.evaluate((values) => globalThis.axe.run({ runOnly: { type: "tag", values } }), TAGS);
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`));
}

const VIEWS = {
  "light theme": { colorScheme: "light" },
  "dark theme": { colorScheme: "dark" },
  phone: { viewport: { width: 390, height: 844 } },
};

for (const [name, options] of Object.entries(VIEWS)) {
  test(`axe finds nothing in menus and errors: ${name}`, async (t) => {
    const { page } = await openDemo(t, `?address=${ADDRESS}&tab=history&period=invalid`, { reducedMotion: "reduce", ...options });
    await page.locator(".error-box").first().waitFor();
    for (const label of ["Settings", "Service: Sample data", "Events", "Export"]) {
      await page.getByRole("button", { name: label, exact: true }).click();
      await page.locator(".menu-panel:popover-open label, .menu-panel:popover-open button").first().waitFor();
      assert.deepEqual(await findViolations(page), [], label);
      await page.keyboard.press("Escape");
    }
  });

  test(`axe finds nothing: ${name}`, { timeout: 180_000 }, async (t) => {
    for (const query of PAGES) {
      const demo = await openDemo(t, query, { reducedMotion: "reduce", ...options });
      for (const id of await demo.listTabs()) {
        await demo.page.evaluate((id) => document.querySelector(`.tabs a[href$="tab=${id}"]`).click(), id);
        await demo.page.locator(`#tab-${id}[aria-selected="true"]`).waitFor();
        await demo.page.locator("#panel [aria-busy=true]").waitFor({ state: "detached" });
        await demo.page.waitForLoadState("networkidle");
        assert.deepEqual(await findViolations(demo.page), [], `${id} of ${query || "the start page"}`);
      }
    }
  });
}
