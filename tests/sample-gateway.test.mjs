// Tests of the sample gateway: paths, keys, credits, its errors, and what it passes on from the sample services behind it.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { AddressClient } from "../pkg/index.js";
import { createPageFetch, createSampleGateway, createSampleService } from "../pkg/testing/index.js";
import { startSampleGateway } from "./sample-server.mjs";

const GATEWAY = "https://api.blockscout.com";
const KEY = "proapi_sample";
const TRANSACTION = `0x${"5c".repeat(32)}`;
const optimism = createSampleService({ chainType: "optimism", backendVersion: 12 });
const ethereum = createSampleService();
const hub = ethereum.addresses.find(({ id }) => id === "hub").hash;

const createGateway = ({ plan = {}, chains = { 1: ethereum, 10: optimism }, ...options } = {}) =>
  createSampleGateway({ chains, keys: { [KEY]: plan }, ...options });

/** Requests a path with the key, unless other headers are given. */
async function request(gateway, path, { headers = { authorization: `Bearer ${KEY}` }, ...init } = {}) {
  const response = await gateway.fetch(GATEWAY + path, { headers, ...init });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: text && JSON.parse(text) };
}

describe("paths", () => {
  test("lead to the service of their chain, which has its own version", async () => {
    const gateway = createGateway();
    for (const [id, service, version] of [
      [1, ethereum, "v11.2.7"],
      [10, optimism, "v12.0.2"],
    ]) {
      const { body } = await request(gateway, `/${id}/api/v2/config/backend-version`);
      assert.equal(body.backend_version, version);
      const { body: page } = await request(gateway, `/${id}/api/v2/addresses/${hub}/transactions`);
      assert.deepEqual(page.items, service.getAllItems(`/addresses/${hub}/transactions`).slice(0, 50));
    }
  });

  test("of the account module are /{chain_id}/api and /v2/api with a parameter", async () => {
    const query = `module=account&action=balance&address=${hub}`;
    const gateway = createGateway();
    const bodies = await Promise.all(
      [`/10/api?${query}`, `/v2/api?chain_id=10&${query}`, `/v2/api?${query}&chainid=10`].map(
        async (path) => (await request(gateway, path)).text,
      ),
    );
    assert.equal(JSON.parse(bodies[0]).status, "1");
    assert.equal(new Set(bodies).size, 1);
  });

  test("of GraphQL are POST requests with a body", async () => {
    const body = JSON.stringify({ query: `{ address(hash: "${hub}") { hash } }` });
    const response = await request(createGateway(), "/1/api/v1/graphql", { method: "POST", body });
    assert.deepEqual(response.body, { data: { address: { hash: hub.toLowerCase() } } });
  });

  test("of other chains and other paths are 404", async () => {
    const gateway = createGateway();
    for (const [path, error] of [
      ["/5/api/v2/withdrawals", "Network not supported"],
      ["/v2/api?chain_id=5&module=account&action=listaccounts", "Network not supported"],
      ["/v2/api?module=account&action=listaccounts", "Not found"],
      ["/1/other", "Not found"],
    ]) {
      const { status, body } = await request(gateway, path);
      assert.deepEqual([status, body], [404, { error, source: "internal" }], path);
    }
    assert.equal(gateway.getCredits(KEY), 100_000);
  });

  test("of the configuration need no key, and state chains and prices", async () => {
    const { status, body } = await request(createGateway(), "/api/json/config", { headers: {} });
    assert.deepEqual([status, Object.keys(body.chains), body.endpoint_pricing.default], [200, ["1", "10"], 20]);
  });
});

describe("keys", () => {
  const path = "/1/api/v2/withdrawals";

  test("are in the parameter or the header, with or without Bearer", async () => {
    const gateway = createGateway();
    for (const [search, headers] of [
      [`?apikey=${KEY}`, {}],
      ["", { authorization: `Bearer ${KEY}` }],
      ["", { authorization: KEY }],
    ]) {
      assert.equal((await request(gateway, path + search, { headers })).status, 200);
    }
  });

  test("are required: without one the status is 402, with payment terms", async () => {
    const { status, headers } = await request(createGateway(), path, { headers: {} });
    assert.equal(status, 402);
    assert.equal(JSON.parse(atob(headers.get("payment-required"))).x402Version, 2);
    assert.equal(headers.get("x-credits-remaining"), null);
  });

  test("that are wrong are 401", async () => {
    const { status, headers } = await request(createGateway(), path, { headers: { authorization: "Bearer proapi_other" } });
    assert.deepEqual([status, headers.get("x-credits-remaining")], [401, null]);
  });

  test("do not reach the service, which could repeat them", async () => {
    const requests = [];
    const service = { ...ethereum, fetch: (request) => requests.push(request) && ethereum.fetch(request) };
    const gateway = createGateway({ chains: { 1: service } });
    await request(gateway, `${path}?apikey=${KEY}&index=5`, { headers: {} });
    await request(gateway, path);
    assert.deepEqual(
      requests.map(({ url }) => url),
      [`${GATEWAY}${path}?index=5`, `${GATEWAY}${path}`],
    );
    for (const { headers } of requests) assert.equal(headers.get("authorization"), null);
  });
});

describe("credits", () => {
  for (const [path, credits] of [
    [`/addresses/${hub}`, 20],
    [`/addresses/${hub}/transactions`, 20],
    [`/addresses/${hub}/logs`, 30],
    [`/addresses/${hub}/token-transfers`, 30],
    ["/token-transfers", 30],
    [`/addresses/${hub}/internal-transactions`, 40],
    ["/internal-transactions", 40],
    [`/addresses/${hub}/coin-balance-history`, 50],
    [`/addresses/${hub}/coin-balance-history-by-day`, 20],
    [`/transactions/${TRANSACTION}/logs`, 30],
    [`/transactions/${TRANSACTION}/summary`, 50],
    ["/advanced-filters", 50],
    ["/search/quick", 25],
    ["/tokens/", 30],
  ]) {
    test(`${path.replace(hub, "hub").replace(TRANSACTION, "hash")} costs ${credits}, whatever the response`, async () => {
      const gateway = createGateway();
      await request(gateway, `/1/api/v2${path}`);
      assert.equal(100_000 - gateway.getCredits(KEY), credits);
    });
  }

  test("of account module actions are 20", async () => {
    const gateway = createGateway();
    await request(gateway, "/1/api?module=account&action=listaccounts");
    assert.equal(gateway.getCredits(KEY), 99_980);
  });

  test("that remain are in a header of successful responses, and may be negative", async () => {
    const gateway = createGateway({ plan: { credits: 30 } });
    const path = "/1/api/v2/withdrawals";
    const read = async (path) => {
      const { status, headers } = await request(gateway, path);
      return [status, headers.get("x-credits-remaining")];
    };
    assert.deepEqual(await read(path), [200, "10"]);
    assert.deepEqual(await read(path), [200, "-10"]);
    assert.deepEqual(await read(path), [402, null]);
    gateway.setCredits(KEY, 60);
    assert.deepEqual(await read(`${path}?page=2`), [422, null]);
    assert.deepEqual(await read(path), [200, "20"]);
  });

  test("are exhausted with status 402, which costs nothing", async () => {
    const gateway = createGateway({ plan: { credits: 0 } });
    const { status, body, headers } = await request(gateway, "/1/api/v2/withdrawals");
    assert.deepEqual([status, body], [402, { error: "Out of credits" }]);
    assert.equal(headers.get("payment-required"), null);
    assert.equal(gateway.getCredits(KEY), 0);
  });

  test("of an unknown key, and invalid ones, are rejected", () => {
    const gateway = createGateway();
    assert.throws(() => gateway.getCredits("other"), /unknown key other; valid keys are proapi_sample/);
    assert.throws(() => gateway.setCredits(KEY, -1), /credits must be a non-negative integer, got -1/);
  });
});

describe("responses", () => {
  test("have the rate limit of the key, and 429 beyond it, which costs nothing", async (t) => {
    t.mock.timers.enable({ apis: ["Date"], now: 1_800_000_000_000 });
    const gateway = createGateway({ plan: { requestsPerSecond: 2 } });
    const path = "/1/api/v2/withdrawals";
    const read = async () => {
      const { status, headers } = await request(gateway, path);
      return [status, headers.get("x-ratelimit-limit"), headers.get("x-ratelimit-remaining"), headers.get("x-ratelimit-reset")];
    };
    assert.deepEqual(await read(), [200, "2", "1", "1000"]);
    t.mock.timers.tick(400);
    assert.deepEqual(await read(), [200, "2", "0", "600"]);
    assert.deepEqual(await read(), [429, "2", "0", "600"]);
    const { body } = await request(gateway, path);
    assert.deepEqual(body, { error: "Too many requests", source: "internal" });
    assert.equal(gateway.getCredits(KEY), 99_960);
    t.mock.timers.tick(600);
    assert.equal((await read())[0], 200);
  });

  test("of a service in trouble come from the gateway, other refusals from the service", async () => {
    const script = ["bad_gateway", "service_unavailable", "gateway_timeout", "network_error"].map((fault) => ({
      match: "",
      fault,
    }));
    const gateway = createGateway({ chains: { 1: createSampleService({ faults: { script } }) } });
    const path = "/1/api/v2/withdrawals";
    for (const [status, error] of [
      [502, "Bad gateway"],
      [503, "Service unavailable"],
      [504, "Gateway timeout"],
      [502, "Bad gateway"],
    ]) {
      const response = await request(gateway, path);
      assert.deepEqual([response.status, response.body], [status, { error, source: "upstream" }]);
    }
    const direct = await (await ethereum.fetch("/api/v2/withdrawals?page=2")).json();
    assert.deepEqual((await request(gateway, `${path}?page=2`)).body, direct);
    assert.equal(gateway.getCredits(KEY), 99_900);
  });

  test("can be unreadable for a page", async () => {
    const path = `/1/api/v2/withdrawals?apikey=${KEY}`;
    const readable = await createPageFetch(createGateway().fetch, "https://app.example")(GATEWAY + path);
    assert.deepEqual([readable.status, readable.headers.get("x-credits-remaining")], [200, null]);
    const gateway = createGateway({ cors: false });
    await assert.rejects(createPageFetch(gateway.fetch, "https://app.example")(GATEWAY + path), TypeError);
    const own = await createPageFetch(gateway.fetch, GATEWAY)(path);
    assert.deepEqual([own.status, own.headers.get("x-credits-remaining")], [200, "99960"]);
  });

  test("can be aborted", async () => {
    const gateway = createGateway({ chains: { 1: createSampleService({ latencyMs: 60_000 }) } });
    const controller = new AbortController();
    const response = request(gateway, "/1/api/v2/withdrawals", { signal: controller.signal });
    const reason = new Error("no longer needed");
    controller.abort(reason);
    await assert.rejects(response, (error) => error === reason);
  });
});

test("a client reads every chain with one key", async () => {
  const gateway = createGateway();
  for (const [chainId, service] of [
    [1, ethereum],
    [10, optimism],
  ]) {
    const client = new AddressClient({ chainId, apiKey: KEY, fetch: gateway.fetch });
    const transactions = await client.addressTransactions({ address_hash: hub }).toArray({ limit: 120 });
    assert.deepEqual(
      transactions.map(({ hash }) => hash),
      service
        .getAllItems(`/addresses/${hub}/transactions`)
        .slice(0, 120)
        .map(({ hash }) => hash),
    );
  }
  assert.ok(gateway.getCredits(KEY) < 100_000);
});

test("it is served over HTTP", async (t) => {
  const options = { chains: { 1: ethereum }, keys: { [KEY]: { credits: 50 } } };
  const server = await startSampleGateway(options);
  t.after(server.close);
  const url = `${server.url}/1/api/v2/withdrawals`;
  const served = await fetch(`${url}?apikey=${KEY}`);
  assert.deepEqual([served.status, served.headers.get("x-credits-remaining")], [200, "30"]);
  assert.equal((await served.json()).items.length, 50);
  assert.equal((await fetch(url)).status, 402);
  assert.equal((await fetch(url, { method: "OPTIONS" })).headers.get("access-control-allow-origin"), "*");
  const closed = await startSampleGateway({ ...options, cors: false });
  t.after(closed.close);
  for (const method of ["OPTIONS", "GET"])
    assert.equal(
      (await fetch(`${closed.url}/1/api/v2/withdrawals`, { method })).headers.get("access-control-allow-origin"),
      null,
    );
});

test("invalid options are rejected", () => {
  for (const [options, message] of [
    [{ keyes: {} }, /unknown option keyes; valid options are chains, keys, cors/],
    [{ chains: { mainnet: ethereum } }, /chains must have chain ids as names, got mainnet/],
    [{ plan: { credits: 1.5 } }, /credits must be a non-negative integer, got 1.5/],
    [{ plan: { perSecond: 5 } }, /unknown option perSecond in keys; valid options are credits, requestsPerSecond/],
  ]) {
    assert.throws(() => createGateway(options), { name: "RangeError", message });
  }
});
