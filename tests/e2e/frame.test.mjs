// Tests of the frame: how much of the window it takes up above the rows, and that nothing covers what the user reads.
import assert from "node:assert/strict";
import { test } from "node:test";
import { createSampleService } from "../../pkg/testing/index.js";
import { openDemo } from "./demo-page.mjs";

const { addresses } = createSampleService();
const getHash = (id) => addresses.find((address) => address.id === id).hash;
/** The end of the frame, in pixels, by the width of the window. */
const LIMITS = { 1360: { height: 900, top: 320 }, 390: { height: 844, top: 440 } };
/** These tabs start with a form instead of rows. */
const FORMS = new Set(["tools"]);
/** The parts that these tabs show instead of rows. */
const PARTS = { overview: ".overview > *", contract: ".fact-groups > *", approvals: "[data-tab=approvals] tbody tr" };

for (const [width, { height, top }] of Object.entries(LIMITS)) {
  test(`the rows of every tab start above ${top} pixels in a window of ${width} by ${height}`, {
    timeout: 120_000,
  }, async (t) => {
    const viewport = { width: Number(width), height };
    const demo = await openDemo(t, `?address=${getHash("hub")}`, { viewport, settings: { paging: "endless" } });
    const tops = {};
    for (const id of await demo.listTabs()) {
      if (FORMS.has(id)) continue;
      const address = getHash(id === "blocks-validated" ? "producer" : "hub");
      await demo.page.goto(`${new URL(demo.page.url()).origin}/?${new URLSearchParams({ address, tab: id })}`);
      const content = demo.page
        .locator(PARTS[id] ?? "#panel :is(tbody:not(.spacer) tr[aria-rowindex], .tile, .feed-entry)")
        .first();
      if (id === "approvals") await demo.page.getByRole("button", { name: "Search approvals" }).click();
      await content.waitFor();
      // Everything above it has arrived.
      await demo.page.waitForLoadState("networkidle");
      tops[id] = Math.round((await content.boundingBox()).y);
    }
    assert.ok(Object.keys(tops).length >= 10, JSON.stringify(tops));
    assert.deepEqual(
      Object.entries(tops).filter(([, y]) => y >= top),
      [],
      JSON.stringify(tops),
    );
  });
}

test("nothing floats over the rows, and the network opens from the bar", async (t) => {
  const demo = await openDemo(t, `?address=${getHash("hub")}&tab=transactions`, { viewport: { width: 1360, height: 900 } });
  await demo.waitForRows("transactions");
  const floating = await demo.page.evaluate(() =>
    [...document.querySelectorAll("body *")]
      .filter((element) => getComputedStyle(element).position === "fixed" && element.checkVisibility())
      .map(({ className }) => className),
  );
  assert.deepEqual(floating, []);
  await demo.getButton(/^Network: /).click();
  const drawer = demo.page.getByRole("complementary", { name: "Network" });
  await drawer.waitFor();
  await demo.page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
  const [last, { y }] = [demo.page.locator("tbody:not(.spacer) tr[aria-rowindex]").last(), await drawer.boundingBox()];
  await demo.page.waitForTimeout(200);
  const box = await last.boundingBox();
  assert.ok(box.y + box.height <= y, "the last row can be scrolled above the drawer");
});

test("the start page offers sample addresses, and recent ones of each service", async (t) => {
  const demo = await openDemo(t, "");
  const cards = demo.page.locator(".start .card");
  await cards.first().waitFor();
  const offered = await cards.evaluateAll((links) => links.map(({ search }) => new URLSearchParams(search).get("address")));
  assert.deepEqual(offered, ["showcase", "treasury", "token", "collector", "producer", "deep", "empty"].map(getHash));
  await demo.page.getByText("Everyday wallet").click();
  await demo.page.getByRole("heading", { name: "lena.sample.eth" }).waitFor();
  await demo.page.waitForFunction(() => localStorage.getItem("address-query-recent") !== null);
  await demo.page.goto(`${new URL(demo.page.url()).origin}/?source=mainnet`);
  await demo.page.getByRole("heading", { name: "Recent" }).waitFor();
  assert.equal(await demo.page.locator(".start > ul .card").count(), 1);
  await demo.getButton("Search this chain").click();
  assert.equal(await demo.page.evaluate(() => document.activeElement.id), "address");
});

test("the search suggests sample and recent addresses, with the keyboard too", async (t) => {
  const demo = await openDemo(t, "");
  const box = demo.page.getByRole("combobox");
  await box.click();
  const options = demo.page.getByRole("listbox").getByRole("option");
  await options.first().waitFor();
  assert.equal(await options.count(), addresses.length);
  await box.fill("quiet");
  await demo.page.waitForFunction(() => document.querySelectorAll("[role=option]").length === 1);
  await demo.page.keyboard.press("ArrowDown");
  assert.equal(await box.getAttribute("aria-activedescendant"), "suggestion-0");
  await demo.page.keyboard.press("Enter");
  await demo.page.waitForURL((url) => url.searchParams.get("address") === getHash("quiet"));
  await options.first().waitFor({ state: "detached" });

  const other = `0x${"5a".repeat(20)}`;
  await box.fill(other);
  await box.press("Enter");
  await demo.page.locator(".full-hash", { hasText: other }).waitFor();
  await demo.page.waitForFunction((other) => localStorage.getItem("address-query-recent")?.includes(other), other);
  await box.click();
  await demo.page.getByRole("option", { name: "Recent" }).waitFor();
  await demo.page.keyboard.press("Escape");
  await options.first().waitFor({ state: "detached" });
});
