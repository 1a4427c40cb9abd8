// Reads every list and lookup of the package from the sample service, in the browser and in Node.js.
import assert from "node:assert/strict";
import { test } from "node:test";
import * as package_ from "../../pkg/index.js";
import * as testing from "../../pkg/testing/index.js";
import { LISTS, LOOKUPS } from "../js/operations.mjs";
import { setUpBrowser } from "./demo-page.mjs";

const openDemo = setUpBrowser();

/** Returns the records of each operation by its method, as JSON. Runs in the browser too, and so uses nothing from outside. */
async function readOperations({ AddressClient }, { createSampleService }, { lists, lookups }) {
  const service = createSampleService();
  const client = new AddressClient({ baseUrl: "https://sample.invalid", fetch: service.fetch });
  const [{ hash: transaction_hash }] = await client.transactions().toArray({ limit: 1 });
  const read = async (method, isList, params) =>
    isList ? client[method](params).toArray({ limit: 60 }) : [await client[method](params)];
  const results = {};
  for (const { method, path, isList } of [...lists, ...lookups]) {
    results[method] = [];
    if (!path.includes("{address_hash}")) {
      results[method] = await read(method, isList, path.includes("{transaction_hash}") ? { transaction_hash } : {});
      continue;
    }
    // The first address for which there are records. Some lists are those of validators or of collectors.
    for (const { hash } of service.addresses) {
      results[method] = await read(method, isList, { address_hash: hash }).catch((error) => {
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
