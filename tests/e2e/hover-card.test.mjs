// Tests of the card beside an address, and of the highlight of one address everywhere on the page.
import assert from "node:assert/strict";
import { test } from "node:test";
import { createSampleService } from "../../pkg/testing/index.js";
import { startSampleServer } from "../sample-server.mjs";
import { openDemo } from "./demo-page.mjs";

const sampleHash = Object.fromEntries(createSampleService().addresses.map(({ id, hash }) => [id, hash]));
const TRANSFERS = `?address=${sampleHash.hub}&tab=token-transfers`;

const getBackground = (locator) => locator.evaluate((element) => getComputedStyle(element).backgroundColor);
const TRANSPARENT = "rgba(0, 0, 0, 0)";

test("the pointer on an address shows a card with its name and highlights it everywhere", async (t) => {
  const demo = await openDemo(t, TRANSFERS);
  await demo.waitForRows("token-transfers");
  const own = demo.page.locator("tbody .self");
  await own.first().hover();
  const card = demo.page.getByRole("tooltip");
  await card.getByText("hub.sample.eth").waitFor();
  assert.ok((await card.innerText()).includes(sampleHash.hub), "the card shows the whole address");
  await card.getByText("Smart account").waitFor();
  assert.equal(await own.first().getAttribute("aria-describedby"), await card.getAttribute("id"));
  for (const element of [own.nth(0), own.nth(1), demo.page.locator(".full-hash")])
    assert.notEqual(await getBackground(element), TRANSPARENT, "the same address is highlighted");
  assert.equal(await getBackground(demo.page.locator("tbody a[data-address]").first()), TRANSPARENT);

  await card.hover();
  await demo.page.waitForTimeout(400);
  assert.ok(await card.isVisible(), "the pointer can move onto the card");
  await demo.page.keyboard.press("Escape");
  await card.waitFor({ state: "detached" });
});

test("focusing an address also shows its card, inside the window", async (t) => {
  const demo = await openDemo(t, TRANSFERS, { viewport: { width: 390, height: 700 } });
  await demo.waitForRows("token-transfers");
  const link = demo.page.locator("tbody a[data-address]").first();
  await demo.page.keyboard.press("Tab");
  await link.evaluate((element) => element.focus({ focusVisible: true }));
  const card = demo.page.getByRole("tooltip");
  await card.waitFor();
  await card.locator(".badge").first().waitFor();
  const box = await card.boundingBox();
  assert.ok(box.x >= 0 && box.x + box.width <= 390 && box.y >= 0 && box.y + box.height <= 700, JSON.stringify(box));
  assert.equal(await demo.page.evaluate(() => document.documentElement.scrollWidth), 390);
});

test("moving the pointer across an address shows no card and sends no request", async (t) => {
  const sample = await startSampleServer();
  t.after(() => sample.close());
  const demo = await openDemo(t, `${TRANSFERS}&${new URLSearchParams({ source: sample.url })}`);
  await demo.waitForRows("token-transfers");
  const link = demo.page.locator("tbody a[data-address]").first();
  const url = `${sample.url}/api/v2/addresses/${await link.getAttribute("data-address")}`;
  const requested = [];
  demo.page.on("request", (request) => requested.push(request.url()));
  // Within the page, because a busy machine may need longer to move the pointer.
  await link.evaluate(async (link) => {
    const enter = (element) => element.dispatchEvent(new PointerEvent("pointerover", { bubbles: true }));
    enter(link);
    await new Promise((resolve) => setTimeout(resolve, 50));
    enter(document.body);
  });
  await demo.page.waitForTimeout(600);
  assert.equal(await demo.page.getByRole("tooltip").count(), 0);
  assert.ok(!requested.includes(url), requested.join());
  const request = demo.page.waitForRequest(url);
  await link.hover();
  await demo.page.getByRole("tooltip").waitFor();
  await request;
});

test("the card shows a hostile name as text", async (t) => {
  const demo = await openDemo(t, `?address=${sampleHash.hostile}&tab=token-transfers`);
  await demo.waitForRows("token-transfers");
  await demo.page.locator("tbody .self").first().hover();
  const card = demo.page.getByRole("tooltip");
  await card.getByText("⟨U+202E⟩").first().waitFor();
  assert.equal(await card.locator("img, script, a").count(), 0);
  assert.ok(await demo.page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
});
