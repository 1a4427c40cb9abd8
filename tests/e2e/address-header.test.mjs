// Tests of the header of an address: its parts, which are read and fail independently.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { createSampleService } from "../../pkg/testing/index.js";
import { openDemo } from "./demo-page.mjs";
import { ADDRESS, createAddressObject, startMockService } from "./mock-service.mjs";

const sampleHash = Object.fromEntries(createSampleService().addresses.map(({ id, hash }) => [id, hash]));

const INFO = { ...createAddressObject("Named"), coin_balance: "1500000000000000000", exchange_rate: "2000", token: null };
const COUNTERS = { transactions_count: "12", token_transfers_count: "34", gas_usage_count: "56", validations_count: "0" };

let service, respond;
before(async () => {
  service = await startMockService((path) => respond(path));
});
after(() => service.close());

const getQuery = (address = ADDRESS) => `?${new URLSearchParams({ address, source: service.url })}`;
const readFact = (demo, name) => demo.page.locator(".fact", { has: demo.page.getByText(name, { exact: true }) }).locator("dd");

test("the header of a proxy shows its name, kind, tags, implementations, creator, values and activity", async (t) => {
  const demo = await openDemo(t, `?address=${sampleHash.proxy}`);
  const header = demo.page.getByRole("region", { name: "Address summary" });
  await header.getByRole("heading", { name: "vault.sample.eth" }).waitFor();
  await demo.page.locator(".overview").waitFor();
  await demo.page.locator(":is(.address-header, .overview) .skeleton").first().waitFor({ state: "detached" });
  const badges = await header.locator(".badges").innerText();
  for (const part of ["Contract", "Verified", "Harbor", "Harbor vault"]) assert.ok(badges.includes(part), `${part} in ${badges}`);
  await header.locator(".worth strong", { hasText: "$" }).waitFor();
  assert.match(await header.locator(".worth strong").innerText(), /^\$[\d,]+\.\d\d$/);
  assert.match(await readFact(demo, "Contract name").innerText(), /VaultProxy/);
  assert.match(await readFact(demo, "Proxy of").innerText(), /VaultV2[^]*EIP-1967/);
  const relations = demo.page.locator(".overview .relation a[data-address]");
  assert.equal(await relations.count(), 3, "two implementations and the creator");
  assert.equal(await readFact(demo, "Created by").locator("a[data-address]").count(), 1);
  assert.equal(await header.locator("a.tag").first().getAttribute("rel"), "noopener noreferrer");
  assert.equal((await readFact(demo, "Balance").innerText()).replace(/\s+/g, " "), "3 ETH $7,950.51");
  assert.match(await readFact(demo, "Transactions").innerText(), /^65\s+15,221,215 gas used/);
  assert.equal(await readFact(demo, "Token transfers").innerText(), "80");
  await readFact(demo, "First activity").getByRole("button", { name: "Find" }).click();
  const first = await readFact(demo, "First activity").locator("time").getAttribute("datetime");
  const last = await readFact(demo, "Last activity").locator("time").getAttribute("datetime");
  assert.ok(Date.parse(first) < Date.parse(last), `${first} is before ${last}`);
});

test("an account with an EIP-7702 delegation is a smart account with its delegate and the value of its tokens", async (t) => {
  const demo = await openDemo(t, `?address=${sampleHash.hub}`);
  const badges = demo.page.locator(".badges");
  await badges.getByText("Smart account", { exact: true }).waitFor();
  await badges.getByText("Delegates to SmartAccountV2", { exact: true }).waitFor();
  const delegate = await readFact(demo, "Delegates to").innerText();
  assert.match(delegate.replace(/\s+/g, " "), /SmartAccountV2 0x\w{4}….* EIP-7702/);
  const value = readFact(demo, "Token value");
  await value.getByText("with a price").waitFor();
  assert.match(await value.innerText(), /^\$[\d,]+\.\d\d\s+\d+ tokens with a price$/);
});

test("an address without a name or activity says so", async (t) => {
  const demo = await openDemo(t, `?address=${sampleHash.empty}`);
  await demo.page.locator(".badges").getByText("Wallet", { exact: true }).waitFor();
  await demo.page.getByRole("heading", { name: "Address", exact: true }).waitFor();
  await readFact(demo, "Last activity").getByTitle("No activity").waitFor();
  assert.equal(await readFact(demo, "Blocks validated").count(), 0, "a count of 0 is left out");
});

test("the visible list is requested before the parts of the header", async (t) => {
  respond = (path) => (path.endsWith("/counters") ? { body: COUNTERS } : { body: { items: [], next_page_params: null } });
  const before = service.requests.length;
  const demo = await openDemo(t, `${getQuery()}&tab=logs`);
  await demo.waitForNotice("empty");
  await demo.page.locator(".worth .number, .failed-part").first().waitFor();
  const paths = service.requests.slice(before).map(({ path }) => path);
  assert.equal(paths[0], `/api/v2/addresses/${ADDRESS}/logs`, paths.join(", "));
});

test("the copy button of the header copies the address", async (t) => {
  const demo = await openDemo(t, `?address=${sampleHash.hub}`, { permissions: ["clipboard-read", "clipboard-write"] });
  await demo.page.locator(".full-hash").getByRole("button", { name: "Copy address" }).click();
  await demo.page.getByText("Copied address").waitFor();
  assert.equal(await demo.page.evaluate(() => navigator.clipboard.readText()), sampleHash.hub);
});

test("a part that fails does not affect the others, and its Retry button reads it again", async (t) => {
  let areCountersBroken = true;
  respond = (path) => {
    if (path.endsWith("/counters")) return areCountersBroken ? { status: 403, body: {} } : { body: COUNTERS };
    return path.endsWith(ADDRESS) ? { body: INFO } : { body: { items: [], next_page_params: null } };
  };
  const demo = await openDemo(t, getQuery());
  await demo.page.getByRole("heading", { name: "Named" }).waitFor();
  const retry = demo.page.getByRole("button", { name: "Retry: Transactions" });
  await retry.waitFor();
  assert.equal((await readFact(demo, "Balance").innerText()).replace(/\s+/g, " "), "1.5 $3,000.00");
  assert.match(await readFact(demo, "Transactions").innerText(), /^http_status/);

  areCountersBroken = false;
  await retry.click();
  await readFact(demo, "Transactions").getByText("12").waitFor();
  await readFact(demo, "Token transfers").getByText("34").waitFor();
  await demo.page.getByRole("heading", { name: "Named" }).waitFor();
});

test("the name of the previous address is not shown while the next one is read", async (t) => {
  const other = `0x${"1".repeat(40)}`;
  respond = (path) => {
    if (path.endsWith(other)) return null;
    if (path.endsWith("/counters")) return { body: COUNTERS };
    return path.endsWith(ADDRESS) ? { body: INFO } : { body: { items: [], next_page_params: null } };
  };
  const demo = await openDemo(t, getQuery());
  await demo.page.getByRole("heading", { name: "Named" }).waitFor();
  await demo.page.getByRole("combobox").fill(other);
  await demo.getButton("Search").click();
  await demo.page.locator(".full-hash", { hasText: other }).waitFor();
  assert.equal(await demo.page.locator(".address-header h1").innerText(), "Address");
  assert.ok(await readFact(demo, "Balance").locator(".skeleton").isVisible());
});
