// Tests of the pages that lists link to: transactions, tokens and blocks.
import assert from "node:assert/strict";
import { test } from "node:test";
import { AddressClient } from "../../pkg/index.js";
import { createSampleService } from "../../pkg/testing/index.js";
import { openDemo } from "./demo-page.mjs";
import { createTransaction, startMockService } from "./mock-service.mjs";

const sample = createSampleService();
const client = new AddressClient({ baseUrl: "https://sample.invalid", fetch: sample.fetch });
const getHash = (id) => sample.addresses.find((address) => address.id === id).hash;
const [transfers, blocks] = await Promise.all([
  client.addressTokenTransfers({ address_hash: getHash("hub") }),
  client.addressBlocksValidated({ address_hash: getHash("producer") }),
]);
const findTransfer = (type) => transfers.items.find(({ token_type }) => token_type === type);

/** The facts that the page shows, by their names. */
const readFacts = async ({ page }) => {
  await page.locator(".fact-groups").waitFor();
  const entries = await page
    .locator(".fact-groups .details > div")
    .evaluateAll((rows) =>
      rows.map((row) => [row.children[0].textContent, row.children[1].textContent.replace(/\s+/g, " ").trim()]),
    );
  return Object.fromEntries(entries);
};

test("a hash in a list leads to its transaction, and Back to the list", async (t) => {
  const demo = await openDemo(t, `?address=${getHash("hub")}&tab=token-transfers`);
  const rows = await demo.readRows("token-transfers");
  const { transaction_hash } = transfers.items[0];
  await demo.page.locator(`tbody a[href*="${transaction_hash}"]`).first().click();
  await demo.page.waitForURL((url) => url.searchParams.get("id") === transaction_hash);
  const facts = await readFacts(demo);
  const transaction = await client.transaction({ transaction_hash });
  assert.equal(facts["Nonce"], transaction.nonce.toLocaleString("en"));
  assert.equal(facts["Result"], "Success");
  assert.ok(facts["Block"].startsWith(transaction.block_number.toLocaleString("en")), facts["Block"]);
  await demo.page.locator(".transaction-summary", { hasText: /^\s*Transfer \S+ \S+ to/ }).waitFor();
  await demo.page.goBack();
  assert.deepEqual(await demo.readRows("token-transfers"), rows);
});

test("the tabs of a transaction list its records", async (t) => {
  const [{ transaction_hash }] = (await client.addressLogs({ address_hash: getHash("hub") })).items;
  const demo = await openDemo(t, `?show=transaction&id=${transaction_hash}`);
  const [ofTokens, internal, logs, changes] = await Promise.all([
    client.transactionTokenTransfers({ transaction_hash }).toArray({ limit: 50 }),
    client.transactionInternalTransactions({ transaction_hash }).toArray({ limit: 50 }),
    client.transactionLogs({ transaction_hash }).toArray({ limit: 50 }),
    client.transactionStateChanges({ transaction_hash }).toArray({ limit: 50 }),
  ]);
  const expected = {
    "Token transfers": ["token-transfers", ofTokens],
    "Internal transactions": ["internal-transactions", internal],
    Logs: ["logs", logs],
    "State changes": ["state-changes", changes],
  };
  assert.ok(logs.length > 0 && changes.length > 0);
  for (const [label, [id, records]] of Object.entries(expected)) {
    await demo.showTab(label);
    if (records.length === 0) await demo.waitForNotice("empty");
    else assert.equal((await demo.readRows(id)).length, records.length, label);
    assert.equal(demo.getQuery().get("id"), transaction_hash);
  }
});

test("a token has its facts, transfers and holders, and instances only if it has NFTs", async (t) => {
  const { token } = findTransfer("ERC-20");
  const demo = await openDemo(t, `?show=token&id=${token.address_hash}`);
  const facts = await readFacts(demo);
  assert.equal(facts["Name"], token.name);
  assert.equal(facts["Decimals"], token.decimals);
  assert.deepEqual(await demo.listTabs(), ["token", "transfers", "holders"]);
  await demo.showTab("Holders");
  const holders = await client.tokenHolders({ address_hash: token.address_hash });
  const rows = await demo.readRows("holders");
  assert.equal(rows.length, holders.items.length);
  assert.match(rows[0], new RegExp(`${token.symbol}[\\s\\S]* %$`));

  const nft = findTransfer("ERC-721").token;
  await demo.page.goto(`${new URL(demo.page.url()).origin}/?show=token&id=${nft.address_hash}&tab=instances`);
  const { headings } = await demo.readGallery();
  assert.equal(headings.length, 1);
  assert.deepEqual(await demo.listTabs(), ["token", "transfers", "holders", "instances"]);
});

test("a token in a list leads to its page, and from there to an address in its first tab", async (t) => {
  const demo = await openDemo(t, `?address=${getHash("hub")}&tab=token-transfers`);
  await demo.waitForRows("token-transfers");
  await demo.page.locator("tbody .badge + .hash a").first().click();
  await demo.page.waitForURL((url) => url.searchParams.get("show") === "token");
  await demo.showTab("Transfers");
  await demo.waitForRows("transfers");
  await demo.page.locator("tbody a[data-address]").first().click();
  await demo.page.waitForURL((url) => url.searchParams.has("address"));
  assert.deepEqual([...demo.getQuery().keys()], ["address"]);
});

test("a block lists its transactions and withdrawals, and has no empty tabs", async (t) => {
  const [withdrawal] = (await client.withdrawals()).items;
  const block_hash_or_number = withdrawal.block_number;
  const [block, transactions, withdrawals] = await Promise.all([
    client.blockDetails({ block_hash_or_number }),
    client.blockTransactions({ block_hash_or_number }).toArray({ limit: 50 }),
    client.blockWithdrawals({ block_hash_or_number }).toArray({ limit: 50 }),
  ]);
  assert.deepEqual([transactions.length, withdrawals.length], [block.transactions_count, block.withdrawals_count]);
  const demo = await openDemo(t, `?show=block&id=${block.hash}`);
  await demo.showTab("Withdrawals");
  assert.equal((await demo.readRows("withdrawals")).length, withdrawals.length);
  const { block_number } = transfers.items[0];
  await demo.page.goto(`${new URL(demo.page.url()).origin}/?show=block&id=${block_number}&tab=transactions`);
  const { transactions_count } = await client.blockDetails({ block_hash_or_number: block_number });
  assert.equal((await demo.readRows("transactions")).length, transactions_count);
  assert.deepEqual(await demo.listTabs(), ["block", "transactions"]);
});

test("a block has its facts and leads to its neighbours", async (t) => {
  const [block] = blocks.items;
  const demo = await openDemo(t, `?show=block&id=${block.height}`);
  const facts = await readFacts(demo);
  assert.equal(facts["Hash"], block.hash);
  assert.equal(facts["Gas limit"], Number(block.gas_limit).toLocaleString("en"));
  await demo.page.getByRole("link", { name: (block.height - 1).toLocaleString("en") }).click();
  await demo.page.locator("h1", { hasText: `Block ${block.height - 1}` }).waitFor();
});

test("unknown and impossible subjects are explained", async (t) => {
  const demo = await openDemo(t, `?show=transaction&id=0x${"5a".repeat(32)}`);
  await demo.page.getByRole("heading", { name: "No such transaction" }).waitFor();
  assert.equal(await demo.page.locator(".address-header .skeleton").count(), 0);
  await demo.page.goto(`${new URL(demo.page.url()).origin}/?show=block&id=-1`);
  await demo.page.getByRole("heading", { name: "Invalid block" }).waitFor();
  await demo.page.goto(`${new URL(demo.page.url()).origin}/?show=constructor&id=1`);
  await demo.page.getByRole("heading", { name: "Unknown page" }).waitFor();
});

test("a transaction that could not be read is retried once for the header and the facts together", async (t) => {
  const transaction = createTransaction();
  const paths = [];
  const path = `/api/v2/transactions/${transaction.hash}`;
  const service = await startMockService((requested) => {
    if (requested !== path) return { body: { items: [], next_page_params: null } };
    paths.push(requested);
    return paths.length % 2 === 1 ? { status: 403, body: {} } : { body: transaction };
  });
  t.after(() => service.close());
  const query = `?${new URLSearchParams({ show: "transaction", id: transaction.hash, source: service.url })}`;
  const demo = await openDemo(t, query);
  const header = demo.page.locator(".address-header");
  await demo.page.locator("aq-facts .error-box").waitFor();
  assert.equal(await header.getByRole("button", { name: /^Retry/ }).count(), 0, "one button is enough");
  await demo.getButton("Retry").click();
  await header.getByText("Success").waitFor();
  assert.equal((await readFacts(demo))["Result"], "Success");
  assert.match(await header.locator(".worth").innerText(), /Fee/);
  assert.equal(paths.length, 2);

  // Beside a list, no other button reads the transaction again.
  await demo.page.goto(`${new URL(demo.page.url()).origin}/${query}&tab=logs`);
  await header.getByRole("button", { name: "Retry: Transaction" }).click();
  await header.getByText("Success").waitFor();
  await demo.showTab("Transaction");
  await readFacts(demo);
  assert.equal(paths.length, 4);
});
