// Natural keys of records.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { AddressClient, isAddressQueryError, keyOf } from "../../pkg/index.js";
import { createSampleService } from "../../pkg/testing/index.js";

const hashOf = (digit) => `0x${digit.repeat(64)}`;
const addressOf = (digit) => `0x${digit.repeat(40)}`;

test("a key consists of a kind and the identifying fields, in lower case", () => {
  for (const [record, key] of [
    [{ smart_contract: null, block_hash: hashOf("A"), index: 3, transaction_hash: hashOf("b") }, `log:${hashOf("a")}:3`],
    [{ transaction_hash: hashOf("b"), block_hash: hashOf("a"), log_index: 3, total: null }, `transfer:${hashOf("b")}:3:`],
    [{ transaction_hash: null, block_hash: hashOf("a"), log_index: 3, total: { value: "1" } }, `transfer:${hashOf("a")}:3:`],
    [
      { transaction_hash: hashOf("b"), block_hash: hashOf("a"), log_index: 3, total: { token_id: "7" } },
      `transfer:${hashOf("b")}:3:7`,
    ],
    [{ transaction_hash: hashOf("b"), index: 2, transaction_index: 0 }, `internal:${hashOf("b")}:2`],
    [{ transactionHash: hashOf("b"), index: "2", callType: "call", contractAddress: null }, `internal:${hashOf("b")}:2`],
    [{ index: 5, validator_index: 7 }, "withdrawal:5"],
    [{ block_number: 5, delta: "-1", transaction_hash: null }, "balance:5"],
    [{ id: "7", token: { address_hash: addressOf("C") }, is_unique: null }, `nft:${addressOf("c")}:7`],
    [{ hash: addressOf("D"), implementation_name: null }, `address:${addressOf("d")}`],
    [{ account: addressOf("d"), balance: null, stale: null }, `address:${addressOf("d")}`],
    [{ address: addressOf("d"), balance: null, stale: null }, `address:${addressOf("d")}`],
    [{ hash: hashOf("e"), from: addressOf("b"), contractAddress: null, timeStamp: "1" }, `transaction:${hashOf("e")}`],
    [{ contractAddress: addressOf("f"), id: null, balance: null }, `holding:${addressOf("f")}:`],
    [{ blockNumber: "9", timestamp: null }, "block:9"],
  ]) {
    assert.equal(keyOf(record), key);
    assert.equal(keyOf(structuredClone(record)), key);
    assert.equal(keyOf(JSON.parse(JSON.stringify(record))), key);
  }
});

describe("the records of the sample service", () => {
  const createClient = (backendVersion) => {
    const service = createSampleService({ backendVersion });
    return { service, client: new AddressClient({ baseUrl: "https://sample.example", fetch: service.fetch, maxAttempts: 1 }) };
  };

  test("have unique keys within a list", async () => {
    const { service, client } = createClient(11);
    const kinds = new Set();
    const check = (name, records) => {
      const keys = records.map(keyOf);
      assert.equal(new Set(keys).size, keys.length, name);
      for (const key of keys) kinds.add(key.split(":")[0]);
    };
    check("addresses", await client.addresses().toArray({ limit: 100 }));
    check("tokenTransfers", await client.tokenTransfers().toArray({ limit: 100 }));
    check("listAccounts", (await client.account.listAccounts()).items);
    for (const { hash } of service.addresses.filter(({ id }) => ["hub", "settlement", "proxy"].includes(id))) {
      for (const name of [
        "addressNft",
        "addressLogs",
        "addressCoinBalanceHistory",
        "addressInternalTransactions",
        "addressTokenTransfers",
        "addressWithdrawals",
      ]) {
        check(name, await client[name]({ address_hash: hash }).toArray({ limit: 100 }));
      }
    }
    for (const { hash: address } of service.addresses) {
      for (const name of ["txList", "txListInternal", "pendingTxList", "tokenList", "getMinedBlocks"]) {
        const isRanged = name.startsWith("txList");
        // The service is too slow for some addresses.
        const rows = await client.account[name]({ address, ...(isRanged && { page: 1, offset: 100 }) }).catch(() => ({
          items: [],
        }));
        check(name, rows.items);
      }
    }
    assert.deepEqual([...kinds].sort(), [
      "address",
      "balance",
      "block",
      "holding",
      "internal",
      "log",
      "nft",
      "transaction",
      "transfer",
      "withdrawal",
    ]);
  });

  test("have the same keys in each version", async () => {
    const keys = await Promise.all(
      [8, 11, 12].map(async (backendVersion) => {
        const { client } = createClient(backendVersion);
        const records = [
          ...(await client.addresses().toArray({ limit: 50 })),
          ...(await client.tokenTransfers().toArray({ limit: 50 })),
        ];
        return records.map(keyOf);
      }),
    );
    assert.deepEqual(keys[1], keys[0]);
    assert.deepEqual(keys[2], keys[0]);
  });
});

test("keyOf rejects a record without a natural key", () => {
  const transfer = {
    hash: hashOf("a"),
    from: addressOf("b"),
    tokenName: null,
    contractAddress: addressOf("c"),
  };
  for (const record of [transfer, {}, { address_hash: addressOf("a"), decimals: "18" }, [], { items: [] }]) {
    assert.throws(
      () => keyOf(record),
      (error) => isAddressQueryError(error) && error.message === "record: must be a record with a natural key",
    );
  }
});
