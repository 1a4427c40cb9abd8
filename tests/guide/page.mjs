// What tests do on a page of the guide.
import { readFileSync } from "node:fs";

const AXE = readFileSync(new URL("../node_modules/axe-core/axe.min.js", import.meta.url), "utf8");
const TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/** Runs the example at an index; returns what it shows, and whether it ended with an error. */
export async function runExample(page, index) {
  const example = page.locator(".example").nth(index);
  await example.getByRole("button", { name: "Run" }).click();
  await example.and(page.locator("[data-state=done]")).waitFor();
  const [outputs, errors, isRendered] = await Promise.all([
    example.locator("pre:not([class*=shiki])").allTextContents(),
    example.locator("pre.error").allTextContents(),
    example.locator("iframe:not(.hidden)").count(),
  ]);
  const rendered = isRendered > 0 ? await example.frameLocator("iframe").locator("#root").innerText() : "";
  return { example, outputs, errors, rendered };
}

/** Checks the page with axe. */
export async function findViolations(page) {
  await page.evaluate(AXE);
  const { violations } = await page.evaluate((values) => globalThis.axe.run({ runOnly: { type: "tag", values } }), TAGS);
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`));
}
