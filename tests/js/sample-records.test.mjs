// Compares every record of every list with the items of the sample service, for every backend version.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { AddressClient } from "../../pkg/index.js";
import { createSampleService } from "../../pkg/testing/index.js";
import { assertRecord, ADDRESS_LIST_PATHS } from "./assert-record.mjs";

const BACKEND_VERSIONS = [8, 11, 12];
const services = BACKEND_VERSIONS.map((backendVersion) => [backendVersion, createSampleService({ backendVersion })]);

/** The reported drift. Each difference is reported once, however many records have it. */
const DRIFTS = {
  8: [
    "missing_field AddressListItem.reputation",
    "missing_field AddressRef.reputation",
    "missing_field Token.circulating_supply",
    "missing_field Token.reputation",
    "missing_field TokenTransfer.token_type",
    "unknown_field InternalTransaction.block_index",
    "unknown_value MetadataTag.tagType",
  ],
  11: ["unknown_value MetadataTag.tagType"],
  12: ["unknown_value MetadataTag.tagType"],
};

function createClient(service, options) {
  return new AddressClient({ baseUrl: "https://sample.example/api/v2", fetch: service.fetch, maxPerSecond: 1000, ...options });
}

for (const [backendVersion, service] of services) {
  describe(`version ${backendVersion}`, () => {
    const drifts = [];
    const client = createClient(service, { onDrift: (drift) => drifts.push(`${drift.kind} ${drift.record}.${drift.field}`) });
    const compare = async (call, path, query) => {
      const expected = service.getAllItems(path, query);
      const items = await call.toArray({ limit: expected.length + 100 });
      assert.equal(items.length, expected.length);
      items.forEach((item, i) => assertRecord(item, expected[i], `${path}[${i}]`));
      assert.equal(call.resumeToken, null);
      return items;
    };

    test("addresses", async () => {
      const items = await compare(client.addresses(), "/addresses");
      assert.ok(
        items.length >= 2000 &&
          items.some((item) => item.metadata?.tags.length > 1) &&
          items.some((item) => item.transactions_count === null),
      );
      await compare(client.addresses({ sort: "transactions_count", order: "asc" }), "/addresses", {
        sort: "transactions_count",
        order: "asc",
      });
    });

    test("tokenTransfers", async () => {
      const items = await compare(client.tokenTransfers(), "/token-transfers");
      assert.ok(items.length >= 5000);
      await compare(client.tokenTransfers({ type: ["ERC-721", "ERC-1155"] }), "/token-transfers", { type: "ERC-721,ERC-1155" });
    });

    for (const [method, path] of Object.entries(ADDRESS_LIST_PATHS)) {
      test(method, async () => {
        let count = 0;
        for (const { hash, label } of service.addresses) {
          if (/Restricted|Overloaded/.test(label)) continue;
          count += (await compare(client[method]({ address_hash: hash }), `/addresses/${hash}/${path}`)).length;
        }
        assert.ok(count >= 300, `only ${count}`);
      });
    }

    test("filters are sent with every page", async () => {
      const { hash } = service.addresses.find(({ id }) => id === "hub");
      for (const filter of ["to", "from"]) {
        await compare(
          client.addressInternalTransactions({ address_hash: hash, filter }),
          `/addresses/${hash}/internal-transactions`,
          { filter },
        );
        await compare(
          client.addressTokenTransfers({ address_hash: hash, filter, type: "ERC-20" }),
          `/addresses/${hash}/token-transfers`,
          { filter, type: "ERC-20" },
        );
      }
    });

    test("every difference from the documentation is reported once", () => {
      assert.deepEqual(drifts.sort(), DRIFTS[backendVersion]);
    });
  });
}

test("errors of the service have its message", async () => {
  const [, service] = services[1];
  const findAddress = (label) => service.addresses.find((address) => address.label.startsWith(label)).hash;
  const client = createClient(service, { maxAttempts: 1 });
  for (const [label, status, message] of [
    ["Restricted", 403, '"Restricted access"'],
    ["Overloaded", 500, '"Internal server error"'],
  ]) {
    const error = await client.addressLogs({ address_hash: findAddress(label) }).catch((error) => error);
    assert.deepEqual([error.code, error.status], ["http_status", status]);
    assert.ok(error.message.includes(message), error.message);
  }
  const older = await createClient(services[0][1]).addressInternalTransactions({
    address_hash: service.addresses.find(({ id }) => id === "hub").hash,
    include_zero_value: false,
  });
  assert.ok(older.items.length > 0, "version 8 ignores unknown parameters");
  const refused = await client
    .addressInternalTransactions({
      address_hash: service.addresses.find(({ id }) => id === "hub").hash,
      include_zero_value: false,
    })
    .catch((error) => error);
  assert.deepEqual([refused.code, refused.status], ["unsupported_version", 422]);
  assert.match(refused.message, /^include_zero_value of addressInternalTransactions requires backend version 12\.0\.0 or later/);
});

test("lists are complete when pages end within a batch of transfers", async () => {
  for (const backendVersion of BACKEND_VERSIONS) {
    const service = createSampleService({ backendVersion, pageSize: 7 });
    const { hash } = service.addresses.find(({ label }) => label === "Batch minter");
    const path = `/addresses/${hash}/token-transfers`;
    const items = await createClient(service).addressTokenTransfers({ address_hash: hash }).toArray({ limit: 10_000 });
    const expected = service.getAllItems(path);
    assert.equal(items.length, expected.length);
    items.forEach((item, i) => assertRecord(item, expected[i], `${path}[${i}]`));
  }
});

test("the sample service has data for a list of every record", async () => {
  const declarations = readFileSync(new URL("../../pkg/endpoints.d.ts", import.meta.url), "utf8");
  const [restMethods] = declarations.split("export declare class Endpoints ")[1].split("\n}\n");
  const lists = Array.from(restMethods.matchAll(/^ {2}(\w+)\([^)]*\): ListCall<(\w+),/gm), ([, method, record]) => ({
    method,
    record,
  }));
  assert.ok(lists.length >= 8, `only ${lists.length} lists`);
  const [, service] = services.at(-1);
  const client = createClient(service, { maxAttempts: 1 });
  const { hash } = service.addresses.find(({ id }) => id === "hub");
  const [{ address_hash: token }] = service.getAllItems("/tokens", { q: "Wrapped Sample Ether" });
  const [{ hash: transaction_hash }] = service
    .getAllItems(`/addresses/${hash}/transactions`)
    .filter(({ status }) => status === "ok");
  for (const record of new Set(lists.map((list) => list.record))) {
    const methods = lists.filter((list) => list.record === record).map((list) => list.method);
    const read = async (method) => {
      for (const params of [{ address_hash: hash }, { address_hash: token }, { transaction_hash }, { q: "sample" }, {}]) {
        const page = await client[method](params).catch(() => ({ items: [] }));
        if (page.items.length > 0) return page.items.length;
      }
      return 0;
    };
    const counts = await Promise.all(methods.map((method) => read(method).catch(() => 0)));
    assert.ok(
      counts.some((count) => count > 0),
      `the sample service has no ${record}: add ${methods.join(" or ")} to the lists in pkg-template/testing/rest/lists.ts`,
    );
  }
});
