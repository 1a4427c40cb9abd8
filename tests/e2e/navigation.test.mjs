// Tests that reload, shared links, back and forward restore the state of the page from the URL.
import assert from "node:assert/strict";
import { test } from "node:test";
import { createSampleService } from "../../pkg/testing/index.js";
import { openDemo } from "./demo-page.mjs";

const { hash: ADDRESS } = createSampleService().addresses.find(({ id }) => id === "hub");
const TRANSFERS = `?address=${ADDRESS}&tab=token-transfers`;

test("reload restores the tab, the filter, the page and the Previous button", async (t) => {
  const demo = await openDemo(t, TRANSFERS);
  await demo.waitForRows("token-transfers");
  const first = await demo.readRowsAfter("token-transfers", () => demo.chooseFilter("Token type", "ERC-721"));
  const second = await demo.readRowsAfter("token-transfers", () => demo.getButton("Next").click());
  await demo.page.reload();
  assert.deepEqual(await demo.readRows("token-transfers"), second);
  assert.equal(await demo.getTab("Token transfers").getAttribute("aria-selected"), "true");
  await demo.openFilter("Token type");
  assert.ok(await demo.page.getByLabel("ERC-721", { exact: true }).isChecked());
  await demo.page.keyboard.press("Escape");
  await demo.page.getByText(/^Page 2: /).waitFor();
  assert.deepEqual(await demo.readRowsAfter("token-transfers", () => demo.getButton("Previous").click()), first);
});

test("a shared link opens the same page and can go to the first page", async (t) => {
  const demo = await openDemo(t, TRANSFERS);
  const first = await demo.readRows("token-transfers");
  const second = await demo.readRowsAfter("token-transfers", () => demo.getButton("Next").click());
  const shared = await openDemo(t, new URL(demo.page.url()).search);
  assert.deepEqual(await shared.readRows("token-transfers"), second);
  assert.ok(await shared.getButton("Previous").isDisabled(), "the link does not contain the tokens of previous pages");
  assert.deepEqual(await shared.readRowsAfter("token-transfers", () => shared.getButton("First").click()), first);
});

test("back and forward restore tabs and pages", async (t) => {
  const demo = await openDemo(t, TRANSFERS);
  const transfers = await demo.readRows("token-transfers");
  await demo.showTab("Withdrawals");
  const withdrawals = await demo.readRows("withdrawals");
  const second = await demo.readRowsAfter("withdrawals", () => demo.getButton("Next").click());
  assert.deepEqual(await demo.readRowsAfter("withdrawals", () => demo.page.goBack()), withdrawals);
  assert.deepEqual(await demo.readRowsAfter("token-transfers", () => demo.page.goBack()), transfers);
  assert.equal(await demo.getTab("Token transfers").getAttribute("aria-selected"), "true");
  await demo.readRowsAfter("withdrawals", () => demo.page.goForward());
  assert.deepEqual(await demo.readRowsAfter("withdrawals", () => demo.page.goForward()), second);
});
