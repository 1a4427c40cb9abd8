// `advancedFilters`: what its filters select in the sample service, and what it rejects before a request.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { AddressClient } from "../../pkg/index.js";
import { createSampleService } from "../../pkg/testing/index.js";
import { BASE, createFetch, expectError } from "./support.mjs";

const service = createSampleService({ backendVersion: 12 });
const client = new AddressClient({ baseUrl: BASE, fetch: service.fetch });
const { hash: address } = service.addresses.find(({ label }) => label === "Busy smart account");
const LIMIT = { limit: 500 };
const read = (filters) => client.advancedFilters(filters).toArray(LIMIT);

/** Identifies a row: by its transaction, and the index of the internal transaction or of the log. */
const keyOfRow = (row) => [row.hash, row.internal_transaction_index, row.token_transfer_index].join();

describe("advancedFilters", () => {
  test("has the transactions, internal transactions and transfers of an address, newest first", async () => {
    const rows = await read({ from_address_hashes_to_include: address, to_address_hashes_to_include: [address] });
    assert.equal(rows.length, LIMIT.limit);
    const oldest = rows.at(-1).block_number;
    const params = { address_hash: address };
    const isComplete = ({ block_number }) => block_number !== null && block_number > oldest;
    const [transactions, internal, transfers] = await Promise.all([
      client.addressTransactions(params).toArray({ limit: 2_000 }),
      client.addressInternalTransactions(params).toArray({ limit: 2_000 }),
      client.addressTokenTransfers(params).toArray({ limit: 2_000 }),
    ]);
    // A list of transactions also has the one that created the address. This address was not created in this period.
    const expected = [
      ...transactions.map(({ hash, block_number }) => ({ hash, block_number })),
      ...internal.map(({ transaction_hash, index, block_number }) => {
        return { hash: transaction_hash, internal_transaction_index: index, block_number };
      }),
      ...transfers.map(({ transaction_hash, log_index, block_number }) => {
        return { hash: transaction_hash, token_transfer_index: log_index, block_number };
      }),
    ];
    const toKeys = (all) => new Set(all.filter(isComplete).map((row) => keyOfRow(row)));
    assert.deepEqual(
      [...toKeys(rows)].sort(),
      [...toKeys(expected.map((row) => ({ internal_transaction_index: null, token_transfer_index: null, ...row })))].sort(),
    );
    const blocks = rows.map(({ block_number }) => block_number);
    assert.deepEqual(
      blocks,
      blocks.toSorted((a, b) => b - a),
    );
  });

  test("selects by type, amount, token, time and function", async () => {
    const transfers = await read({ transaction_types: ["erc-20"], amount_from: "10", amount_to: "1e3" });
    assert.ok(transfers.length > 20);
    for (const { type, total } of transfers) {
      const amount = Number(total.value) / 10 ** Number(total.decimals ?? 0);
      assert.ok(type === "ERC-20" && amount >= 10 && amount <= 1_000, `${type} ${amount}`);
    }
    const token = transfers[0].token.address_hash;
    const ofToken = await read({ token_contract_address_hashes_to_include: [token] });
    assert.deepEqual(new Set(ofToken.map((row) => row.token.address_hash)), new Set([token]));
    const coins = await read({ token_contract_address_hashes_to_include: "native", transaction_types: "COIN_TRANSFER" });
    assert.ok(coins.length > 20 && coins.every((row) => row.token === null && BigInt(row.value) > 0n));
    const [{ timestamp }] = coins.slice(-1);
    const recent = await read({ transaction_types: "COIN_TRANSFER", age_from: timestamp, age_to: "2999-01-01T00:00:00+02:00" });
    assert.ok(recent.length > 0 && recent.every((row) => row.timestamp >= timestamp));
    const calls = await read({ methods_names: ["transfer"] });
    assert.deepEqual(new Set(calls.map(({ method }) => method)), new Set(["transfer"]));
  });

  test("rejects what the service would silently drop, before a request", async () => {
    const offline = new AddressClient({ baseUrl: BASE, fetch: createFetch() });
    const addresses = ["from_address_hashes_to_include", "from_address_hashes_to_exclude"];
    const invalid = {
      transaction_types: ["ERC20", "", 5],
      methods: ["transfer", "0x12", Array(21).fill("0xa9059cbb")],
      age_from: ["yesterday", "2026-01-01", "2026-13-01T00:00:00Z", "2026-01-01T00:00:00", {}],
      age_to: ["now"],
      amount_from: ["-1", "1,5", "ten", ""],
      address_relation: ["xor"],
      ...Object.fromEntries(addresses.map((name) => [name, ["0x12", [address, "vitalik.eth"], ""]])),
      token_contract_address_hashes_to_include: ["ETH", Array(21).fill("native")],
    };
    for (const [parameter, values] of Object.entries(invalid)) {
      for (const value of values) {
        await expectError(offline.advancedFilters({ [parameter]: value }), "invalid_parameter", { parameter });
      }
    }
    const functions = { methods: Array(11).fill("0xa9059cbb"), methods_names: Array(10).fill("transfer") };
    await expectError(offline.advancedFilters(functions), "invalid_parameter", { parameter: "methods" });
  });
});
