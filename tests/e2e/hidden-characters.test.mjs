// Tests that strings from the chain cannot hide or reorder the text of the page, or make it wider, wherever they are shown.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { createSampleService } from "../../pkg/testing/index.js";
import { openDemo } from "./demo-page.mjs";
import { startMockService } from "./mock-service.mjs";

/** An override, an isolate, an invisible character, a line break, Hebrew letters and a long word. */
const HOSTILE = `\u202Eevil\u2066\u200B\n\u05D0\u05D1${"W".repeat(300)}`;
const NAMES =
  /^(name|symbol|display_name|ens_domain_name|method|method_call|method_id|description|revert_reason|error|result|functionName|tokenName|tokenSymbol|label|trait_type|message|slug|title|version)$/;
/** Fields that are replaced completely, with every string inside. */
const FREE_FORM = /^(metadata|parameters|attributes|properties)$/;

const sample = createSampleService();
const addressOf = (id) => sample.addresses.find((address) => address.id === id).hash;
let service;
before(async () => {
  service = await startMockService(async (_path, _query, url) => {
    const response = await sample.fetch(`https://sample.invalid${url}`);
    return { status: response.status, body: replaceStrings(await response.json()) };
  });
});
after(() => service.close());

/** Replaces the strings of a response that anyone can choose. */
function replaceStrings(value, key = "", isFreeForm = false) {
  if (typeof value === "string") return isFreeForm || NAMES.test(key) ? HOSTILE : value;
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => replaceStrings(item, key, isFreeForm));
  const isInside = isFreeForm || FREE_FORM.test(key);
  const isUrl = (name) => /image|url|link|type|slug/i.test(name);
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, replaceStrings(item, name, isInside && !isUrl(name))]),
  );
}

/** Runs in the page: lists texts with hidden characters, and texts that are not isolated from the text around them. */
function findProblems() {
  const HIDDEN =
    /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]|evil[^\u05d0]*\n/;
  const problems = [];
  const shown = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (node.data.includes("evil")) shown.push(node.data);
    if (HIDDEN.test(node.data)) problems.push(`hidden: ${node.parentElement.outerHTML.slice(0, 200)}`);
    if (/[\u05d0\u05d1]/.test(node.data) && !node.parentElement.closest("bdi, pre"))
      problems.push(`not isolated: ${node.parentElement.outerHTML.slice(0, 200)}`);
  }
  for (const element of document.body.querySelectorAll("*")) {
    for (const name of ["title", "aria-label", "alt", "placeholder", "value"])
      if (HIDDEN.test(element.getAttribute(name) ?? "")) problems.push(`hidden in ${name}: ${element.outerHTML.slice(0, 200)}`);
  }
  if (HIDDEN.test(document.title)) problems.push("hidden in the title of the document");
  if (document.documentElement.scrollWidth > innerWidth)
    problems.push(`too wide: ${document.documentElement.scrollWidth} instead of ${innerWidth}`);
  return { problems: [...new Set(problems)], shown: shown.length };
}

/** Tabs without free strings, including the approvals tab, which is empty before a search: approvals.test.mjs has hostile tokens. */
const HARMLESS = new Set(["overview", "balance-history", "withdrawals", "blocks-validated", "approvals", "tools"]);

for (const width of [390, 1280]) {
  test(`hostile strings are neutralised in every tab, ${width} pixels wide`, { timeout: 170_000 }, async (t) => {
    const query = new URLSearchParams({ address: addressOf("hub"), source: service.url });
    const demo = await openDemo(t, `?${query}`, { viewport: { width, height: 844 } });
    const { page } = demo;
    for (const id of await demo.listTabs()) {
      await demo.openTab(id);
      await page.waitForFunction(() =>
        document.querySelector("#panel :is(tr[aria-rowindex], .tile, .feed-entry, .empty, form, .overview .fact)"),
      );
      const details = page.locator("#panel .expand").first();
      if (await details.isVisible()) await details.click();
      const tile = page.locator("#panel .tile").first();
      if (await tile.isVisible()) await tile.click();
      await page.waitForTimeout(200);
      const { problems, shown } = await page.evaluate(findProblems);
      assert.deepEqual(problems, [], id);
      assert.ok(HARMLESS.has(id) || shown > 2, `${id} shows ${shown} hostile strings`);
      if (await tile.isVisible()) await page.keyboard.press("Escape");
    }
  });
}

test("a hostile address in the URL is neutralised in the title and in file names", async (t) => {
  const query = new URLSearchParams({ address: HOSTILE, tab: "top-addresses", source: service.url });
  const { page } = await openDemo(t, `?${query}`);
  await page.locator("tr[aria-rowindex]").nth(1).waitFor();
  assert.deepEqual((await page.evaluate(findProblems)).problems, []);
  assert.match(await page.title(), /^⟨U\+202E⟩evil/);
  await page.evaluate(() => delete window.showSaveFilePicker);
  await page.getByRole("button", { name: "Export", exact: true }).click();
  await page.getByRole("button", { name: "NDJSON" }).click();
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Save file" }).click();
  assert.equal((await download).suggestedFilename(), "top-addresses.ndjson");
});
