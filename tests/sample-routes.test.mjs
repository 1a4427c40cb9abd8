// Routes of the sample service: responses for paths without sample data.
import assert from "node:assert/strict";
import { test } from "node:test";
import { AddressClient } from "../pkg/index.js";
import { createSampleService } from "../pkg/testing/index.js";

const BASE = "https://sample.invalid";
const createClient = (options) => {
  const service = createSampleService(options);
  return { service, client: new AddressClient({ baseUrl: BASE, fetch: service.fetch, maxAttempts: 1 }) };
};

test("a route responds with its value, or with the result of its function", async () => {
  const { client } = createClient({
    routes: {
      "/api/v2/value": { items: [1, "two", null] },
      "/api/v2/nothing": null,
      "/domains:lookup": async (request) => new URL(request.url).searchParams.get("name"),
    },
  });
  assert.deepEqual(await client.request("/api/v2/value", { page: 2 }), { items: [1, "two", null] });
  assert.equal(await client.request("/api/v2/nothing"), null);
  assert.equal(await client.request("/services/bens/api/v1/domains:lookup", { name: "a.eth" }), "a.eth");
  await assert.rejects(client.request("/api/v2/value/other"), { code: "http_status", status: 400 });
});

test("a route takes the place of sample data, with any status", async () => {
  const missing = () => Response.json({ message: "gone" }, { status: 410 });
  const { service, client } = createClient({ routes: { "/logs": missing } });
  const { hash: address_hash } = service.addresses.find(({ id }) => id === "hub");
  await assert.rejects(client.addressLogs({ address_hash }), { code: "http_status", status: 410 });
  assert.equal((await client.addressTransactions({ address_hash })).items.length, 50);
  service.reconfigure({ routes: {} });
  assert.equal((await client.addressLogs({ address_hash })).items.length, 50);
});

test("faults, keys and rate limits apply to routes", async () => {
  const script = [{ match: "/api/v2/value", fault: "gateway_timeout" }];
  const { client } = createClient({ routes: { "/api/v2/value": 1 }, faults: { script } });
  await assert.rejects(client.request("/api/v2/value"), { code: "http_status", status: 504 });
  assert.equal(await client.request("/api/v2/value"), 1);
  const refused = createClient({ routes: { "/api/v2/value": 1 }, requiresKey: "always" });
  await assert.rejects(refused.client.request("/api/v2/value"), { status: 401 });
});

test("a path that could not match is an error", () => {
  for (const path of ["api/v2/value", "", "/api/v2/value?page=1", "/a#b"])
    assert.throws(() => createSampleService({ routes: { [path]: 1 } }), /^RangeError: routes: a path must begin with \//);
});
