// Contracts: their records at the sample service, and the creations of many of them.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { AddressClient } from "../../pkg/index.js";
import { createSampleService } from "../../pkg/testing/index.js";
import { BASE, createFetch, expectError, observeFetch } from "./support.mjs";

const setUp = (options) => {
  const service = createSampleService(options);
  const fetch = observeFetch(service.fetch);
  const find = (label) => service.addresses.find((address) => address.label === label).hash;
  return { client: new AddressClient({ baseUrl: BASE, fetch }), requests: fetch.urls, find };
};

describe("smartContract", () => {
  test("has the same shape in all versions", async () => {
    const contracts = [];
    for (const backendVersion of [8, 9, 11, 12]) {
      const { client, find } = setUp({ backendVersion });
      const contract = await client.smartContract({ address_hash: find("Settlement contract") });
      assert.match(contract.constructor_args, /^0x(00){12}[\da-f]{40}$/);
      contracts.push({ ...contract, creation_status: null, language: null, is_verified_via_verifier_alliance: null });
    }
    for (const contract of contracts) assert.deepEqual(contract, contracts[0]);
    assert.equal(contracts[0].name, "Settlement");
    assert.ok(contracts[0].abi.some(({ name }) => name === "owner"));
  });

  test("of an unverified contract has only bytecode, and the source code of a twin is marked", async () => {
    const { client } = setUp();
    const { items } = await client.addresses().then(() => client.transactions());
    const created = items.map(({ created_contract }) => created_contract?.hash).filter(Boolean);
    const list = await client.request("/api/v2/addresses");
    const hashes = [...created, ...list.items.filter(({ is_contract }) => is_contract).map(({ hash }) => hash)];
    const kinds = new Set();
    for (const address_hash of hashes) {
      const contract = await client.smartContract({ address_hash });
      assert.match(contract.deployed_bytecode, /^0x/);
      if (contract.is_verified) kinds.add("verified");
      else if (contract.verified_twin_address_hash !== null) {
        kinds.add("twin");
        assert.ok(contract.source_code.length > 0 && contract.abi.length > 0);
      } else {
        kinds.add("unverified");
        assert.deepEqual([contract.name, contract.abi, contract.source_code], [null, [], null]);
      }
    }
    assert.ok(kinds.has("verified"), [...kinds].join());
  });

  test("of an address that is not a contract is a 404", async () => {
    const { client, find } = setUp();
    await expectError(client.smartContract({ address_hash: find("Quiet account") }), "http_status", { status: 404 });
  });
});

describe("getContractCreation", () => {
  test("requests any number of contracts in batches of ten", async () => {
    const { client, requests, find } = setUp();
    const settlement = find("Settlement contract");
    const contractaddresses = Array.from({ length: 25 }, (_, index) =>
      index % 5 === 0 ? settlement : `0x${String(index).padStart(40, "0")}`,
    );
    const { items, incomplete, message, omitted } = await client.contract.getContractCreation({ contractaddresses });
    assert.deepEqual(
      items.map(({ contractAddress }) => contractAddress),
      Array(5).fill(settlement),
    );
    assert.deepEqual([incomplete, message, omitted], [false, null, { count: 0, first: [] }]);
    assert.equal(requests.length, 3);
    const list = await client.contract.getContractCreation({ contractaddresses: contractaddresses.join(",") });
    assert.deepEqual(list.items, items);
    const transaction = await client.transaction({ transaction_hash: items[0].txHash });
    assert.equal(transaction.created_contract.hash, settlement);
    assert.equal(transaction.from.hash, items[0].contractCreator);
  });

  test("rejects invalid addresses before the first request", async () => {
    const client = new AddressClient({ baseUrl: BASE, fetch: createFetch() });
    for (const contractaddresses of ["0x12", ["0x12"], 5, undefined, [5], Array(11).fill("x")]) {
      await expectError(client.contract.getContractCreation({ contractaddresses }), "invalid_parameter", {
        parameter: "contractaddresses",
      });
    }
    await expectError(client.contract.getContractCreation(), "invalid_parameter", { parameter: "contractaddresses" });
  });
});
