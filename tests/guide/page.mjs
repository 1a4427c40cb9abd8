// Actions of tests on a page of the guide.
import { readFileSync } from "node:fs";
import { createSampleService } from "../../pkg/testing/index.js";

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

/** Answers the requests of a page to the instance of Ethereum with sample data. The guide's address is the first one of the sample. */
export async function serveSampleData(page) {
  const service = createSampleService();
  await page.route("https://eth.blockscout.com/**", async (route) => {
    const url = route
      .request()
      .url()
      .replace(/0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045/i, service.addresses[0].hash);
    const response = await service.fetch(url);
    await route.fulfill({
      status: response.status,
      headers: { ...Object.fromEntries(response.headers), "access-control-allow-origin": "*" },
      body: Buffer.from(await response.arrayBuffer()),
    });
  });
}
