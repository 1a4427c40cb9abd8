// `resolveName` and `namesOf`: with the gateway's name service, through a proxy, and with an instance.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { AddressClient } from "../../pkg/index.js";
import { NAME_SERVICE_ROUTES, namesOf, resolveName } from "../../pkg/names/index.js";
import { createProxy } from "../../pkg/proxy/index.js";
import { createSampleGateway, createSampleService } from "../../pkg/testing/index.js";
import { BASE, createFetch, expectError, HASH, observeFetch } from "./support.mjs";

const NAME = "hub.sample.eth";
const OTHER = "0x1111111111111111111111111111111111111111";
const KEY = "proapi_sample";

/** Clients of the same chain: of the gateway, of a proxy with and without the routes of names, and of the instance. */
function createClients(t) {
  const service = createSampleService({ backendVersion: 12 });
  const gateway = createSampleGateway({ chains: { 1: service }, keys: { [KEY]: {} } });
  t.mock.method(globalThis, "fetch", gateway.fetch);
  const throughProxy = (allow) => {
    const proxy = createProxy({ apiKey: KEY, chains: [1], allow });
    return new AddressClient({ baseUrl: "https://app.example/1", fetch: (request) => proxy(request) });
  };
  const { hash } = service.addresses.find(({ label }) => label === "Busy smart account");
  const fetch = observeFetch(gateway.fetch);
  return {
    hash,
    fetch,
    clients: {
      gateway: new AddressClient({ chainId: 1, apiKey: KEY, fetch }),
      proxy: throughProxy(NAME_SERVICE_ROUTES),
      closedProxy: throughProxy([]),
      instance: new AddressClient({ baseUrl: BASE, fetch: service.fetch }),
    },
  };
}

/** A client of the gateway whose name service responds with these names. */
const createNamed = (...items) =>
  new AddressClient({ chainId: 1, apiKey: KEY, fetch: createFetch(JSON.stringify({ items })), maxAttempts: 1 });
const createName = (more = {}) => ({
  name: "a.eth",
  resolved_address: { hash: HASH },
  expiry_date: "2099-01-01T00:00:00.000Z",
  protocol: { short_name: "ENS" },
  ...more,
});

describe("resolveName", () => {
  test("returns the address of a name, and its source", async (t) => {
    const { clients, hash } = createClients(t);
    const sources = {};
    for (const [name, client] of Object.entries(clients)) {
      const resolved = await resolveName(client, "Hub.Sample.ETH");
      assert.deepEqual([resolved.name, resolved.address_hash], [NAME, hash], name);
      assert.ok(Date.parse(resolved.expiry_date) > 0);
      sources[name] = resolved.source;
    }
    assert.deepEqual(sources, { gateway: "name_service", proxy: "name_service", closedProxy: "search", instance: "search" });
  });

  test("reads a name once in five minutes", async (t) => {
    t.mock.timers.enable({ apis: ["Date"], now: Date.now() });
    const { clients, fetch } = createClients(t);
    const client = clients.gateway;
    await resolveName(client, NAME);
    await resolveName(client, NAME.toUpperCase());
    assert.equal(fetch.urls.length, 1);
    t.mock.timers.tick(300_000);
    await resolveName(client, NAME);
    assert.equal(fetch.urls.length, 2);
  });

  test("never guesses: an error lists the candidates", async () => {
    const expired = createName({ expiry_date: "2020-01-01T00:00:00.000Z" });
    const other = createName({ resolved_address: { hash: OTHER }, protocol: { short_name: "Other" } });
    const cases = [
      [[], /not found/, 0],
      [[createName({ name: "aa.eth" })], /not found/, 0],
      [[expired], /expired at 2020-01-01/, 1],
      [[createName({ resolved_address: null })], /resolves to no address/, 1],
      [[createName(), other], /several addresses \(0x0{8}219ab.+0x1111/, 2],
    ];
    for (const [items, message, candidates] of cases) {
      const error = await expectError(resolveName(createNamed(...items), "a.eth"), "unresolved_name", { parameter: "name" });
      assert.match(error.message, message);
      assert.equal(error.candidates.length, candidates);
      assert.equal(error.retryable, false);
    }
    const sure = createNamed(expired, createName({ resolved_address: { hash: HASH.toLowerCase() } }), createName());
    assert.equal((await resolveName(sure, "a.eth")).expiry_date, "2099-01-01T00:00:00.000Z");
  });

  test("does not find a name that the search finds only by its beginning", async (t) => {
    const { clients } = createClients(t);
    for (const client of Object.values(clients)) await expectError(resolveName(client, "hub.sample"), "unresolved_name");
  });

  test("finds names with joined emoji, as keyboards write them", async () => {
    for (const [typed, name] of [
      ["\u{1f468}\u200d\u{1f469}\u200d\u{1f467}.eth"],
      ["A.\u{1f9d1}\u{1f3fd}\u200d\u{1f680}.eth", "a.\u{1f9d1}\u{1f3fd}\u200d\u{1f680}.eth"],
      ["\u2764\ufe0f\u200d\u{1f525}.eth", "\u2764\u200d\u{1f525}.eth"],
      ["\u{1f3f4}\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}.eth"],
    ]) {
      const registered = name ?? typed;
      assert.equal((await resolveName(createNamed(createName({ name: registered })), typed)).name, registered);
    }
  });

  test("a result belongs to its caller", async () => {
    const client = createNamed(createName());
    const first = await resolveName(client, "a.eth");
    const expected = { ...first };
    for (const name of Object.keys(first)) first[name] = "changed";
    const second = await resolveName(client, "a.eth");
    assert.deepEqual(second, expected);
    second.name = "changed";
    assert.deepEqual(await resolveName(client, "a.eth"), expected);
  });

  test("rejects a string that is not a name, before a request", async () => {
    const client = createNamed();
    for (const name of [
      "",
      "eth",
      "a b.eth",
      "a..eth",
      ".eth",
      "a.",
      "a\u200b.eth",
      "a\u200db.eth",
      "\u{1f525}\u200d.eth",
      "\ufe0f.eth",
      "a\n.eth",
      5,
      null,
      undefined,
      `${"a".repeat(255)}.eth`,
    ]) {
      await expectError(resolveName(client, name), "invalid_parameter", { parameter: "name" });
    }
    await expectError(resolveName({}, NAME), "invalid_parameter", { parameter: "client" });
    await expectError(resolveName(client, NAME, { retries: 1 }), "invalid_parameter", { parameter: "retries" });
    await expectError(resolveName(client, NAME, { signal: AbortSignal.abort() }), "aborted");
  });

  test("rejects responses that are not as documented, with the path", async () => {
    const cases = {
      "": ["[]", "5"],
      items: ["{}", '{"items":{}}'],
      "items[0]": ['{"items":[null]}'],
      "items[0].name": ['{"items":[{}]}'],
      "items[0].expiry_date": ['{"items":[{"name":"a.eth","expiry_date":"soon"}]}'],
      "items[0].resolved_address.hash": ['{"items":[{"name":"a.eth","resolved_address":{"hash":"0x1"}}]}'],
      "items[0].protocol": ['{"items":[{"name":"a.eth","protocol":"ENS"}]}'],
    };
    for (const [path, bodies] of Object.entries(cases)) {
      for (const body of bodies) {
        const client = new AddressClient({ chainId: 1, apiKey: KEY, fetch: createFetch(body), maxAttempts: 1 });
        await expectError(resolveName(client, "a.eth"), "decode", { path });
      }
    }
  });

  test("fails instead of asking another source while the name service may only be busy", async () => {
    const fetch = createFetch(() => new Response("", { status: 503 }));
    const client = new AddressClient({ chainId: 1, apiKey: KEY, fetch, maxAttempts: 1 });
    await expectError(resolveName(client, "a.eth"), "http_status", { status: 503 });
  });
});

describe("namesOf", () => {
  test("returns the names of an address, and their source", async (t) => {
    const { clients, hash } = createClients(t);
    for (const name of ["gateway", "proxy"]) {
      const found = await namesOf(clients[name], hash.toLowerCase());
      assert.deepEqual([found.primary, found.count, found.source], [NAME, 1, "name_service"]);
      assert.deepEqual(
        found.names.map(({ name, address_hash, protocol }) => [name, address_hash, protocol]),
        [[NAME, hash, "ENS"]],
      );
    }
    for (const name of ["closedProxy", "instance"]) {
      assert.deepEqual(await namesOf(clients[name], hash), { primary: NAME, names: null, count: null, source: "address" });
    }
  });

  test("ignores names that resolve to another address", async () => {
    const domain = createName({ resolved_address: { hash: OTHER } });
    const fetch = createFetch(
      JSON.stringify({ domain, resolved_domains_count: 2 }),
      JSON.stringify({ items: [domain, createName({ name: "b.eth" })] }),
    );
    const client = new AddressClient({ chainId: 1, apiKey: KEY, fetch });
    const { primary, names, count } = await namesOf(client, HASH);
    assert.deepEqual([primary, names.map(({ name }) => name), count], [null, ["b.eth"], 2]);
    assert.match(fetch.urls()[1], /addresses:lookup\?address=0x.+&resolved_to=true&only_active=true&page_size=100&chain_id=1$/);
  });

  test("ignores expired names", async () => {
    const domain = createName({ expiry_date: "2020-01-01T00:00:00.000Z" });
    const fetch = createFetch(
      JSON.stringify({ domain, resolved_domains_count: 2 }),
      JSON.stringify({ items: [domain, createName({ name: "b.eth", expiry_date: null })] }),
    );
    const { primary, names } = await namesOf(new AddressClient({ chainId: 1, apiKey: KEY, fetch }), HASH);
    assert.deepEqual([primary, names.map(({ name }) => name)], [null, ["b.eth"]]);
  });

  test("a result belongs to its caller", async () => {
    const fetch = createFetch(
      JSON.stringify({ domain: createName(), resolved_domains_count: 2 }),
      JSON.stringify({ items: [createName(), createName({ name: "b.eth" })] }),
    );
    const client = new AddressClient({ chainId: 1, apiKey: KEY, fetch });
    const first = await namesOf(client, HASH);
    const expected = structuredClone(first);
    first.names[0].name = "changed";
    first.names.splice(1);
    const second = await namesOf(client, HASH);
    assert.deepEqual(second, expected);
    second.names.splice(0);
    assert.deepEqual(await namesOf(client, HASH), expected);
    assert.equal(fetch.requests.length, 2);
  });

  test("sends one request for an address without names", async () => {
    const fetch = createFetch('{"domain":null,"resolved_domains_count":0}');
    const client = new AddressClient({ chainId: 1, apiKey: KEY, fetch });
    assert.deepEqual(await namesOf(client, HASH), { primary: null, names: [], count: 0, source: "name_service" });
  });

  test("rejects a string that is not an address, before a request", async () => {
    for (const address of ["", "a.eth", "0x12", 5, null, {}]) {
      await expectError(namesOf(createNamed(), address), "invalid_parameter", { parameter: "address" });
    }
  });
});
