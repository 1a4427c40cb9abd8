// Reads every list and lookup of the package from the sample service, in the browser and in Node.js.
import assert from "node:assert/strict";
import { test } from "node:test";
import * as package_ from "../../pkg/index.js";
import * as testing from "../../pkg/testing/index.js";
import { LISTS, LOOKUPS } from "../js/operations.mjs";
import { openDemo } from "./demo-page.mjs";

/**
 * Returns the records of each operation by its method, as JSON. Also runs in the browser, so it uses nothing from outside
 * this function.
 */
async function readOperations({ AddressClient }, { createSampleService }, { lists, lookups }) {
  const service = createSampleService();
  const client = new AddressClient({ baseUrl: "https://sample.invalid", fetch: service.fetch });
  const { hash: address_hash } = service.addresses.find(({ id }) => id === "hub");
  const [nft] = await client.addressNft({ address_hash, type: ["ERC-1155"] }).toArray({ limit: 1 });
  const [token] = await client.tokens({ q: "Wrapped Sample Ether" }).toArray({ limit: 1 });
  const transactions = await client.addressTransactions({ address_hash }).toArray({ limit: 60 });
  const [{ transaction_hash }] = await client.addressInternalTransactions({ address_hash }).toArray({ limit: 1 });
  const [withdrawal] = await client.withdrawals().toArray({ limit: 1 });
  const [operation] = await client.userOperations().toArray({ limit: 1 });
  const values = {
    token_id: nft.id,
    user_operation_hash: operation.hash,
  };
  // Some lists belong to tokens, validators or collectors, and not every transaction or block has records of each kind.
  const candidates = {
    address_hash: [nft.token.address_hash, token.address_hash, ...service.addresses.map(({ hash }) => hash)],
    block_hash_or_number: [transactions.at(-1).block_number, withdrawal.block_number],
    transaction_hash: [transaction_hash, ...transactions.map(({ hash }) => hash)],
  };
  const read = async (method, isList, params) =>
    isList ? client[method](params).toArray({ limit: 60 }) : [await client[method](params)];
  const results = {};
  for (const { method, path, isList } of [...lists, ...lookups]) {
    results[method] = [];
    const params = path.startsWith("/search/") || path === "/search" ? { q: "sample" } : {};
    for (const name in values) if (path.includes(`{${name}}`)) params[name] = values[name];
    const name = Object.keys(candidates).find((name) => path.includes(`{${name}}`));
    // The first candidate for which there are records.
    for (const candidate of candidates[name] ?? [undefined]) {
      const found = name === undefined ? {} : { [name]: candidate };
      results[method] = await read(method, isList, { ...params, ...found }).catch((error) => {
        if (error.code === "http_status") return [];
        throw error;
      });
      if (results[method].length > 0) break;
    }
  }
  return JSON.stringify(results);
}

test("the browser reads the same records as Node.js in every list and lookup", async (t) => {
  const { page } = await openDemo(t);
  const operations = { lists: LISTS, lookups: LOOKUPS };
  const modules = 'await import("/pkg/index.js"), await import("/pkg/testing/index.js")';
  const evaluated = page.evaluate(`(async () => (${readOperations})(${modules}, ${JSON.stringify(operations)}))()`);
  const [inBrowser, inNode] = (await Promise.all([evaluated, readOperations(package_, testing, operations)])).map((json) =>
    JSON.parse(json),
  );
  for (const { method } of [...LISTS, ...LOOKUPS]) {
    assert.ok(inNode[method].length > 0, `${method}: the sample data has no record`);
    assert.deepEqual(inBrowser[method], inNode[method], method);
  }
});
