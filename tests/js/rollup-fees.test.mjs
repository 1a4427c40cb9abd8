// Fees on a rollup include the fee for data on layer 1 wherever the service states it.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { auditBalance, history, toCsv } from "../../pkg/history/index.js";
import { createSampleService } from "../../pkg/testing/index.js";
import { cacheResponses, collect, createEditedClient } from "./support.mjs";

/** The account module states the fee from 12.0.2 on, REST in every version. */
const VERSIONS = [
  { name: "8", backendVersion: 8 },
  { name: "11", backendVersion: 11 },
  { name: "12.0.1", backendVersion: 12, versionName: "v12.0.1" },
  { name: "12.0.2", backendVersion: 12, isStated: true },
];
const ALIASES = ["L1FeesPaid", "l1FeesPaid", "l1Fee", "l1_fee"];

const createService = ({ backendVersion, versionName }) =>
  cacheResponses(createSampleService({ backendVersion, versionName, chainType: "optimism", pageSize: 100 }));
const findHash = (service, id) => service.addresses.find((address) => address.id === id).hash;
const isAction = (url, action) => url.searchParams.get("action") === action;

/** Returns the fees that an address paid according to the ledger, by transaction. */
function getFees(service, address_hash) {
  const account = address_hash.toLowerCase();
  const paid = service.getEvents(address_hash).filter(({ kind, from }) => kind === "transaction" && from === account);
  return new Map(paid.map(({ transaction_hash, fee }) => [transaction_hash, fee]));
}

/** Returns the fees of a history, by transaction. */
async function readFees(client, params) {
  const events = await collect(history(client, { include: ["transaction"], ...params }));
  const paid = events.filter(({ fee }) => fee !== null);
  return new Map(paid.map(({ transaction_hash, fee }) => [transaction_hash, BigInt(fee)]));
}

for (const version of VERSIONS) {
  describe(`version ${version.name}`, () => {
    const service = createService(version);
    const client = createEditedClient(service);
    const address_hash = findHash(service, "hub");
    const fees = getFees(service, address_hash);
    const l1Fees = new Map(
      service.getAllItems(`/addresses/${address_hash}/transactions`).map(({ hash, l1_fee }) => [hash, BigInt(l1_fee ?? 0)]),
    );
    const stated = new Map([...fees].map(([hash, fee]) => [hash, version.isStated ? fee : fee - l1Fees.get(hash)]));

    test("a descending history has the whole fee", async () => {
      const read = await readFees(client, { address_hash, order: "desc" });
      assert.ok(fees.size > 5);
      assert.deepEqual(read, fees);
    });

    test("an ascending history has the fee from the account module", async () => {
      const read = await readFees(client, { address_hash, order: "asc" });
      assert.deepEqual(read, stated);
    });

    test("the rows have it, or null", async () => {
      const rows = await client.account.txList({ address: address_hash });
      for (const { hash, L1FeesPaid } of rows.items) assert.equal(L1FeesPaid, version.isStated ? String(l1Fees.get(hash)) : null);
    });

    test("an export has it", async () => {
      const columns = ["transaction_hash", "fee"];
      for (const [order, expected] of [
        ["asc", stated],
        ["desc", fees],
      ]) {
        const call = history(client, { address_hash, order, include: ["transaction"] });
        const [, ...lines] = (await new Response(toCsv(call, { columns })).text()).trim().split("\r\n");
        const paid = lines.map((line) => line.replaceAll('"', "").split(",")).filter(([, fee]) => fee !== "");
        assert.deepEqual(new Map(paid.map(([hash, fee]) => [hash, BigInt(fee)])), expected);
      }
    });

    test("an audit includes it, or names it as the reason", async () => {
      const { native } = await auditBalance(client, { address_hash: findHash(service, "quiet") });
      assert.equal(native.agrees, version.isStated ?? false);
      assert.equal(native.reasons.includes("l1_fee"), !version.isStated);
    });
  });
}

const stating = VERSIONS.at(-1);

for (const name of ALIASES) {
  test(`the fee is read from ${name}`, async () => {
    const service = createService(stating);
    const client = createEditedClient(service, (url, body) => {
      if (!isAction(url, "txlist")) return;
      body.result = body.result.map(({ L1FeesPaid, ...row }) => ({ ...row, [name]: L1FeesPaid }));
    });
    const address_hash = findHash(service, "hub");
    const read = await readFees(client, { address_hash, order: "asc" });
    assert.deepEqual(read, getFees(service, address_hash));
  });
}

test("an audit does not blame a fee that is included", async () => {
  const service = createService(stating);
  const address_hash = findHash(service, "quiet");
  const sent = service
    .getEvents(address_hash)
    .filter(({ kind, from }) => kind === "transaction" && from === address_hash.toLowerCase());
  const { block_number } = sent.at(-1);
  // The balance after a transaction with such a fee differs from the sum.
  const client = createEditedClient(service, (url, body) => {
    if (!url.pathname.endsWith("/coin-balance-history")) return;
    const record = body.items.find((item) => item.block_number === block_number);
    if (record) record.value = String(BigInt(record.value) + 1n);
  });
  const { native } = await auditBalance(client, { address_hash });
  assert.equal(native.divergence.block, block_number);
  assert.ok(!native.reasons.includes("l1_fee"), native.reasons.join());
});
