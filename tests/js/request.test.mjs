// `client.request`: a GET of any path, for operations that the client does not declare.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { AddressClient } from "../../pkg/index.js";
import { createSampleService } from "../../pkg/testing/index.js";
import { BASE, createFetch, expectError } from "./support.mjs";

const createClient = (fetch, options) => new AddressClient({ baseUrl: BASE, fetch, maxAttempts: 1, ...options });

describe("client.request", () => {
  test("returns the JSON of a path, unchanged", async () => {
    const body = '{"items":[{"__proto__":{"polluted":true},"big":12345678901234567890}],"next":null}';
    const fetch = createFetch(body, "[1]", "null", '"text"');
    const client = createClient(fetch);
    const params = { a: ["x", "y"], b: 3, c: false, d: "é&", none: null, undefined: undefined };
    assert.deepEqual(await client.request("/api/v2/new", params), JSON.parse(body));
    assert.deepEqual(await client.request("/api/v2/new"), [1]);
    assert.equal(await client.request("/api/v2/new", {}), null);
    assert.equal(await client.request("/api/v2/new"), "text");
    assert.equal({}.polluted, undefined);
    const [url] = fetch.urls();
    assert.equal(url, `${BASE}/api/v2/new?a=x,y&b=3&c=false&d=%C3%A9%26`);
  });

  test("sends the API key, counts credits and emits events like any other call", async () => {
    const fetch = createFetch("{}");
    const events = [];
    const options = {
      baseUrl: undefined,
      chainId: 1,
      apiKey: "secret-key",
      onEvent: ({ kind, url }) => events.push([kind, url]),
    };
    const client = createClient(fetch, options);
    await client.request("/services/bens/api/v1/domains:lookup", { name: "vitalik.eth" });
    const url = "https://api.blockscout.com/services/bens/api/v1/domains:lookup?name=vitalik.eth";
    assert.deepEqual(fetch.urls(), [url]);
    assert.equal(fetch.requests[0].headers.get("authorization"), "Bearer secret-key");
    assert.deepEqual(events[0], ["request", url]);
    assert.equal(client.credits.spent, 20);
  });

  test("is retried, cancelled and limited like any other call", async () => {
    const fetch = createFetch(() => new Response("", { status: 503 }), "[]");
    assert.deepEqual(await createClient(fetch, { maxAttempts: 2 }).request("/api/v2/x"), []);
    await expectError(createClient(createFetch()).request("/api/v2/x", {}, { signal: AbortSignal.abort() }), "aborted");
    const large = createClient(createFetch(JSON.stringify("x".repeat(5_000))), { maxResponseBytes: 1_024 });
    assert.match((await expectError(large.request("/api/v2/x"), "decode")).message, /larger than 1024 bytes/);
    const missing = createClient(createFetch(() => new Response('{"message":"Not found"}', { status: 404 })));
    await expectError(missing.request("/api/v2/x"), "http_status", { status: 404 });
  });

  test("rejects parameters that cannot be sent, before a request", async () => {
    const client = createClient(createFetch());
    for (const path of ["", "x", "/api/../x", "/api?x=1", "https://evil.example/", "//evil.example/x", 5, null, undefined, {}]) {
      await expectError(client.request(path), "invalid_parameter", { parameter: "path" });
    }
    for (const value of [1.5, -1, Number.NaN, {}, [1], () => {}, 10n]) {
      await expectError(client.request("/api/v2/x", { value }), "invalid_parameter", { parameter: "value" });
    }
    await expectError(client.request("/api/v2/x", { apikey: "x" }), "invalid_parameter", { parameter: "apikey" });
    await expectError(client.request("/api/v2/x", new Map()), "invalid_parameter", { parameter: "params" });
    await expectError(client.request("/api/v2/x", {}, { retries: 3 }), "invalid_parameter", { parameter: "retries" });
  });

  test("can also read an operation that the client declares", async () => {
    const service = createSampleService();
    const client = createClient(service.fetch);
    const { items } = await client.request("/api/v2/blocks", { type: "block" });
    assert.deepEqual(
      items.map(({ height }) => height),
      (await client.blocks({ type: "block" })).items.map(({ height }) => height),
    );
  });
});
