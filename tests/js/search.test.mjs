// The search of the sample service: what it finds, in the same shape in all versions.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { AddressClient } from "../../pkg/index.js";
import { createSampleService } from "../../pkg/testing/index.js";
import { BASE, createFetch, expectError } from "./support.mjs";

const VERSIONS = [8, 9, 11, 12];
const setUp = (backendVersion = 12, options = {}) => {
  const service = createSampleService({ backendVersion, ...options });
  const find = (label) => service.addresses.find((address) => address.label === label).hash;
  return { service, find, client: new AddressClient({ baseUrl: BASE, fetch: service.fetch }) };
};
const getHashes = (items) => items.map(({ address_hash }) => address_hash);

describe("searchQuick", () => {
  test("finds addresses by name, label, tag and ENS name, in the same shape in all versions", async () => {
    const shapes = [];
    for (const version of VERSIONS) {
      const { client, find } = setUp(version);
      const items = async (q) => (await client.searchQuick({ q })).items;
      assert.ok(getHashes(await items("settlem")).includes(find("Settlement contract")));
      assert.ok(getHashes(await items("harbor vault")).includes(find("Tagged proxy contract")));
      const [name] = await items("hub.sample.eth");
      assert.equal(name.type, "ens_domain");
      assert.deepEqual([name.ens_info.name, name.address_hash], ["hub.sample.eth", find("Busy smart account")]);
      const priorities = (await items("sample")).map(({ priority }) => priority);
      assert.deepEqual(
        priorities,
        priorities.toSorted((a, b) => b - a),
      );
      shapes.push(Object.keys(name).sort());
    }
    for (const shape of shapes) assert.deepEqual(shape, shapes[0]);
  });

  test("finds every sample address by its hash", async () => {
    const { client, service } = setUp();
    for (const { hash } of service.addresses) {
      const { items } = await client.searchQuick({ q: hash });
      assert.ok(getHashes(items).includes(hash), hash);
    }
    assert.deepEqual((await client.searchQuick({ q: `0x${"5a".repeat(20)}` })).items, []);
  });

  test("finds transactions by hash, and blocks by number", async () => {
    for (const version of VERSIONS) {
      const { client } = setUp(version);
      const [transaction] = (await client.transactions({ filter: "validated" })).items;
      const [found] = (await client.searchQuick({ q: transaction.hash })).items;
      assert.deepEqual([found.type, found.transaction_hash], ["transaction", transaction.hash]);
      const [block] = (await client.blocks()).items;
      const [number] = (await client.searchQuick({ q: String(block.height) })).items;
      assert.deepEqual([number.type, number.block_number, number.block_hash], ["block", block.height, block.hash]);
    }
  });

  test("rejects invalid search text, and results that lack fields of their type", async () => {
    const { client } = setUp();
    for (const q of ["", [], null, {}]) await expectError(client.searchQuick({ q }), "invalid_parameter", { parameter: "q" });
    const broken = new AddressClient({
      baseUrl: BASE,
      fetch: createFetch('[{"type":"block","block_number":1},{"type":"novel"}]'),
    });
    await expectError(broken.searchQuick({ q: "abc" }), "decode", { path: "items[0].block_hash" });
    const skipping = new AddressClient({
      baseUrl: BASE,
      fetch: createFetch('[{"type":"block","block_number":1},{"type":"novel"}]'),
      badRecords: "skip",
    });
    const page = await skipping.searchQuick({ q: "abc" });
    assert.deepEqual([page.items.map(({ type }) => type), page.omitted.count], [["novel"], 1]);
  });

  test("a result without a type is unknown", async () => {
    const client = new AddressClient({ baseUrl: BASE, fetch: createFetch('[{"name":"a"},{"type":null}]') });
    const { items } = await client.searchQuick({ q: "abc" });
    assert.deepEqual(
      items.map(({ type }) => type),
      ["unknown", "unknown"],
    );
  });
});

test("search returns each result once, page by page, with brackets and nulls of the cursor encoded", async () => {
  for (const version of VERSIONS) {
    const { client } = setUp(version, { pageSize: 7 });
    const items = await client.search({ q: "eth" }).toArray({ limit: 1000 });
    assert.ok(items.length > 20);
    assert.equal(new Set(items.map(({ address_hash, type }) => `${type} ${address_hash}`)).size, items.length);
  }
  const next = '{"next_page_params_type":"search","q":"abc","token[name]":null,"label[name]":"a b"}';
  const fetch = createFetch(`{"items":[],"next_page_params":${next}}`, '{"items":[],"next_page_params":null}');
  await new AddressClient({ baseUrl: BASE, fetch }).search({ q: "abc" }).toArray({ limit: 1 });
  assert.equal(
    fetch.urls().at(-1),
    `${BASE}/api/v2/search?next_page_params_type=search&q=abc&token%5Bname%5D=&label%5Bname%5D=a%20b`,
  );
});

test("searchRedirect leads to the page of an address, transaction, block or name", async () => {
  const { client, find } = setUp();
  const hub = find("Busy smart account");
  assert.deepEqual(await client.searchRedirect({ q: hub.toLowerCase() }), { redirect: true, type: "address", parameter: hub });
  assert.deepEqual(await client.searchRedirect({ q: "hub.sample.eth" }), { redirect: true, type: "address", parameter: hub });
  const [{ hash }] = (await client.transactions({ filter: "validated" })).items;
  assert.deepEqual(await client.searchRedirect({ q: hash }), { redirect: true, type: "transaction", parameter: hash });
  assert.deepEqual(await client.searchRedirect({ q: "nothing of it" }), { redirect: false, type: null, parameter: null });
});
