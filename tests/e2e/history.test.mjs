// The URL holds what is on show: reload, shared links, back and forward.
import assert from "node:assert/strict";
import { test } from "node:test";
import { useBrowser } from "./browse.mjs";

const open = useBrowser();

test("a reload restores list, filter and page, and the way back from there", async (t) => {
  const visit = await open(t);
  await visit.tab("NFTs").click();
  await visit.rows("nfts");
  const first = await visit.rowsAfter("nfts", () => visit.page.getByText("ERC-721", { exact: true }).first().click());
  const second = await visit.rowsAfter("nfts", () => visit.button("Next").click());
  await visit.page.reload();
  assert.deepEqual(await visit.rows("nfts"), second);
  assert.equal(await visit.tab("NFTs").getAttribute("aria-selected"), "true");
  assert.ok(await visit.page.getByLabel("ERC-721", { exact: true }).isChecked());
  await visit.page.getByText("Page 2", { exact: true }).waitFor();
  assert.deepEqual(await visit.rowsAfter("nfts", () => visit.button("Previous").click()), first);
});

test("a shared link shows the same page, from which the first one can be reached", async (t) => {
  const visit = await open(t);
  const first = await visit.rows("token-transfers");
  const second = await visit.rowsAfter("token-transfers", () => visit.button("Next").click());
  const friend = await open(t, new URL(visit.page.url()).search);
  assert.deepEqual(await friend.rows("token-transfers"), second);
  assert.ok(await friend.button("Previous").isDisabled(), "the pages before are not in the link");
  assert.deepEqual(await friend.rowsAfter("token-transfers", () => friend.button("First").click()), first);
});

test("back and forward walk through tabs, filters and pages", async (t) => {
  const visit = await open(t);
  const transfers = await visit.rows("token-transfers");
  await visit.tab("Withdrawals").click();
  const withdrawals = await visit.rows("withdrawals");
  const second = await visit.rowsAfter("withdrawals", () => visit.button("Next").click());
  assert.deepEqual(await visit.rowsAfter("withdrawals", () => visit.page.goBack()), withdrawals);
  assert.deepEqual(await visit.rowsAfter("token-transfers", () => visit.page.goBack()), transfers);
  assert.equal(await visit.tab("Token transfers").getAttribute("aria-selected"), "true");
  await visit.rowsAfter("withdrawals", () => visit.page.goForward());
  assert.deepEqual(await visit.rowsAfter("withdrawals", () => visit.page.goForward()), second);
});
