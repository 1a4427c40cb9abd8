// The handler of address-query/proxy: what it forwards and passes on, and its options.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import * as chains from "../../pkg/chains.js";
import { createProxy } from "../../pkg/proxy/index.js";
import {
  BASE_PATH,
  call,
  createTestProxy,
  KEY,
  ORIGIN,
  stallResponses,
  startProxyServer,
  startUpstream,
} from "./proxy-upstream.mjs";
import { HASH } from "./support.mjs";

const STATS = "/1/api/v2/stats";
const GRAPHQL = "/1/api/v1/graphql";
const BALANCE = "query($address:AddressHash!){address(hash:$address){fetchedCoinBalance}}";
const post = (body) => ({ method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });
const scamTokens = { headers: { "show-scam-tokens": "true" } };

describe("a request", () => {
  test("is forwarded with the key, and with no header of the visitor except show-scam-tokens", async (t) => {
    const upstream = await startUpstream(t);
    const proxy = createTestProxy(upstream);
    const headers = {
      ...scamTokens.headers,
      accept: "text/html",
      authorization: "Bearer visitor",
      "x-api-key": "visitor",
      cookie: "session=1",
      "user-agent": "Mozilla/5.0",
      "x-forwarded-for": "192.0.2.1",
      referer: `${ORIGIN}/wallet?seed=1`,
      origin: ORIGIN,
    };
    const response = await call(proxy, `/8453/api/v2/addresses/${HASH}/token-transfers?type=ERC-20%2CERC-721&index=3`, {
      headers,
    });
    assert.equal(response.status, 200);
    assert.deepEqual(await response.json(), { items: [], next_page_params: null });
    const [request, ...others] = upstream.requests;
    assert.deepEqual(others, []);
    assert.equal(request.method, "GET");
    assert.equal(request.url, `/8453/api/v2/addresses/${HASH}/token-transfers?type=ERC-20%2CERC-721&index=3`);
    const {
      host,
      connection,
      "accept-encoding": encoding,
      "accept-language": language,
      "sec-fetch-mode": mode,
      ...sent
    } = request.headers;
    assert.ok([host, connection, encoding, language, mode].every((value) => !/visitor|session|192/.test(value)));
    assert.match(sent["user-agent"], /^address-query\/\d+\.\d+\.\d+/);
    assert.deepEqual(sent, {
      accept: "application/json",
      authorization: `Bearer ${KEY}`,
      "content-type": "application/json",
      "show-scam-tokens": "true",
      "user-agent": sent["user-agent"],
      "x-api-key": KEY,
    });
  });

  test("has show-scam-tokens only with the value true", async (t) => {
    const upstream = await startUpstream(t);
    for (const value of ["false", "true, true", "1"]) {
      await call(createTestProxy(upstream), STATS, { headers: { "show-scam-tokens": value } });
      assert.equal(upstream.requests.at(-1).headers["show-scam-tokens"], undefined, value);
    }
  });

  test("can be a GraphQL query, whose body is serialized again", async (t) => {
    const upstream = await startUpstream(t);
    const body = { query: BALANCE, variables: { address: HASH }, operationName: "x" };
    assert.equal((await call(createTestProxy(upstream), GRAPHQL, post(body))).status, 200);
    const [{ method, url, body: sent }] = upstream.requests;
    assert.deepEqual([method, url], ["POST", GRAPHQL]);
    assert.deepEqual(JSON.parse(sent), { query: BALANCE, variables: { address: HASH } });
  });

  test("can be one that the option allow lists", async (t) => {
    const upstream = await startUpstream(t);
    const proxy = createTestProxy(upstream, {
      allow: [
        "/{chain_id}/api/v2/blocks/{block}/internal-transactions?index",
        "/{chain_id}/api?module=stats&action=ethprice",
        "POST /{chain_id}/json-rpc",
        "/services/bens/api/v1/{chain_id}/domains/{name}",
        "/{chain_id}/api/v2/tokens?q&*",
      ],
    });
    for (const [path, init] of [
      ["/1/api/v2/blocks/0x12/internal-transactions?index=1"],
      ["/1/api?module=stats&action=ethprice"],
      ["/1/json-rpc", post([{ id: 1 }])],
      ["/services/bens/api/v1/1/domains/vitalik.eth"],
      ["/1/api/v2/tokens?q=x&fiat_value=null&token%5Bname%5D=x"],
    ]) {
      assert.equal((await call(proxy, path, init)).status, 200, path);
      assert.equal(upstream.requests.at(-1).url, path);
    }
    assert.equal(upstream.requests[2].body, '[{"id":1}]');
    for (const [path, status] of [
      ["/1/api/v2/blocks/0x12/internal-transactions?other=1", 400],
      ["/1/api/v2/blocks/0x12/beacon/deposits", 404],
      ["/1/api?module=stats&action=other", 404],
      ["/1/json-rpc", 405],
      ["/services/bens/api/v1/5/domains/vitalik.eth", 404],
      ["/1/api/v2/tokens?apikey=x", 400],
    ]) {
      assert.equal((await call(proxy, path)).status, status, path);
    }
    assert.equal(upstream.requests.length, 5);
  });

  test("goes to an instance, if upstream has no chain", async (t) => {
    const upstream = await startUpstream(t);
    await call(createTestProxy(upstream, { upstream: `${upstream.url}/prefix/` }), STATS);
    assert.equal(upstream.requests[0].url, "/prefix/api/v2/stats");
  });

  test("can use any base path, and any chain of the option", async (t) => {
    const upstream = await startUpstream(t);
    for (const basePath of [undefined, "/", "/api", "/api/", "/a b"]) {
      const proxy = createTestProxy(upstream, { basePath, chains: [chains.base, { id: 5 }] });
      const prefix = (basePath ?? "/").replace(/\/$/, "");
      for (const chain of [8453, 5]) {
        const response = await proxy(new Request(`${ORIGIN}${prefix}/${chain}/api/v2/stats`));
        assert.equal(response.status, 200, basePath);
        assert.equal(upstream.requests.at(-1).url, `/${chain}/api/v2/stats`);
      }
    }
  });
});

describe("a response", () => {
  test("has the status and body of the service, and the headers that a client reads", async (t) => {
    const headers = {
      "x-ratelimit-limit": "600",
      "x-ratelimit-remaining": "5",
      "x-ratelimit-reset": "900",
      "bypass-429-option": "no_bypass",
      "retry-after": "3",
      "x-credits-remaining": "-12.5",
    };
    for (const status of [200, 401, 402, 404, 422, 429, 500, 503]) {
      const upstream = await startUpstream(t, (_request, response) =>
        response.writeHead(status, { ...headers, "set-cookie": "a=b", server: "x", "x-secret": "y" }).end('{"error":"reason"}'),
      );
      const response = await call(createTestProxy(upstream), STATS);
      assert.equal(response.status, status);
      assert.deepEqual(await response.json(), { error: "reason" });
      assert.deepEqual(Object.fromEntries(response.headers), {
        ...headers,
        "cache-control": "no-store",
        "content-type": "application/json; charset=utf-8",
        vary: "origin, show-scam-tokens",
        "x-content-type-options": "nosniff",
      });
    }
  });

  test("without a body is passed on without one", async (t) => {
    const upstream = await startUpstream(t, (_request, response) => response.writeHead(204).end());
    const response = await call(createTestProxy(upstream), STATS);
    assert.deepEqual([response.status, response.body], [204, null]);
  });

  test("is passed on as it arrives", async (t) => {
    let finish;
    const upstream = await startUpstream(t, (_request, response) => {
      response.write('{"items":[');
      finish = () => response.end("]}");
    });
    const origin = await startProxyServer(t, upstream);
    const response = await fetch(`${origin}${BASE_PATH}${STATS}`);
    const reader = response.body.getReader();
    assert.equal(new TextDecoder().decode((await reader.read()).value), '{"items":[');
    finish();
    assert.equal(new TextDecoder().decode((await reader.read()).value), "]}");
    assert.equal((await reader.read()).done, true);
  });

  test("of any bytes arrives unchanged, in any chunks", async (t) => {
    const text = `\ufeff${"zwölf 日本語 🦀 proapi_012 ".repeat(200)}proapi_`;
    const bytes = Buffer.from(text);
    for (const size of [1, 3, 100, 7000]) {
      const upstream = await startUpstream(t, async (_request, response) => {
        for (let at = 0; at < bytes.length; at += size) {
          response.write(bytes.subarray(at, at + size));
          if (at % (size * 50) === 0) await sleep(0);
        }
        response.end();
      });
      const response = await call(createTestProxy(upstream), STATS);
      assert.deepEqual(Buffer.from(await response.arrayBuffer()), bytes);
    }
  });

  test("that breaks off breaks off for the visitor", async (t) => {
    const upstream = await startUpstream(t, (_request, response) => {
      response.write('{"items":[', () => response.destroy());
    });
    const errors = [];
    const origin = await startProxyServer(t, upstream, { onError: (error) => errors.push(error) });
    const response = await fetch(`${origin}${BASE_PATH}${STATS}`);
    await assert.rejects(response.text());
    assert.equal(errors.length, 1);
  });

  test("is aborted when the visitor leaves, before and within the body", async (t) => {
    for (const withBody of [false, true]) {
      let report;
      const closed = new Promise((resolve) => (report = resolve));
      let arrive;
      const arrived = new Promise((resolve) => (arrive = resolve));
      const upstream = await startUpstream(t, (_request, response) => {
        response.on("close", report);
        if (withBody) response.write("[");
        arrive();
      });
      const errors = [];
      const origin = await startProxyServer(t, upstream, { onError: (error) => errors.push(error) });
      const controller = new AbortController();
      const response = fetch(`${origin}${BASE_PATH}${STATS}`, { signal: controller.signal });
      response.catch(() => {});
      await (withBody ? response : arrived);
      controller.abort();
      await closed;
      assert.deepEqual(errors, []);
    }
  });

  test("is aborted when the body is cancelled, as servers without a signal do", async (t) => {
    let report;
    const closed = new Promise((resolve) => (report = resolve));
    const upstream = await startUpstream(t, (_request, response) => {
      response.on("close", report);
      response.write("[");
    });
    const response = await call(createTestProxy(upstream), STATS);
    await response.body.cancel();
    await closed;
  });
});

describe("the option", () => {
  test("apiKey can be a function of the request and of the server's other arguments", async (t) => {
    const upstream = await startUpstream(t);
    const proxy = createTestProxy(upstream, { apiKey: async (_request, { key }) => key });
    const respond = (key) => proxy(new Request(`${ORIGIN}${BASE_PATH}${STATS}`), { key });
    assert.equal((await respond("first-key")).status, 200);
    assert.equal((await respond("second-key")).status, 200);
    assert.deepEqual(
      upstream.requests.map(({ headers }) => headers.authorization),
      ["Bearer first-key", "Bearer second-key"],
    );
  });

  test("apiKey that throws or returns no key is status 500, and onError has the reason", async (t) => {
    const upstream = await startUpstream(t);
    const thrown = new Error("vault unreachable: token s.123");
    for (const apiKey of [
      () => Promise.reject(thrown),
      () => {
        throw thrown;
      },
      () => undefined,
      () => "short",
      () => "key\r\nwith-a-line-break",
    ]) {
      const errors = [];
      const response = await call(createTestProxy(upstream, { apiKey, onError: (error) => errors.push(error) }), STATS);
      assert.equal(response.status, 500);
      assert.deepEqual(await response.json(), { error: "the proxy failed", source: "proxy" });
      assert.ok(errors.length === 1 && (errors[0] === thrown || /^apiKey: /.test(errors[0].message)), String(errors));
    }
    assert.equal(upstream.requests.length, 0);
  });

  test("maxAge caches successful responses, but no balances", async (t) => {
    const upstream = await startUpstream(t, (request, response) =>
      response.writeHead(/withdrawals/.test(request.url) ? 404 : 200).end("{}"),
    );
    const find = async (maxAge, path, init) =>
      (await call(createTestProxy(upstream, { maxAge, allow: ["/{chain_id}/api/v2/other"] }), path, init)).headers.get(
        "cache-control",
      );
    const paths = [];
    const choose = (path) => {
      paths.push(path);
      return path.includes("stats") ? 5.9 : 0;
    };
    for (const [maxAge, path, expected, init] of [
      [0, STATS, "no-store"],
      [30, STATS, "public, max-age=30"],
      [30, "/1/api?module=account&action=txlist&address=0x1", "public, max-age=30"],
      [30, "/1/api?module=account&action=balance&address=0x1", "no-store"],
      [30, `/1/api/v2/addresses/${HASH}`, "no-store"],
      [30, "/1/api/v2/other", "no-store"],
      [30, "/1/api/v2/withdrawals", "no-store"],
      [30, GRAPHQL, "no-store", post({ query: BALANCE })],
      [choose, STATS, "public, max-age=5"],
      [choose, "/1/api/v2/blocks?type=uncle", "no-store"],
    ]) {
      assert.equal(await find(maxAge, path, init), expected, path);
    }
    assert.deepEqual(paths, [STATS, "/1/api/v2/blocks?type=uncle"]);
  });

  test("maxAge caches only JSON that a client accepts", async (t) => {
    let response;
    const upstream = await startUpstream(t, (_request, outgoing) => {
      outgoing.writeHead(200, response.headers).end(response.body);
    });
    const long = JSON.stringify({ items: Array(9_000).fill({ hash: HASH }) });
    const accepted = [
      "[]",
      '\ufeff {"items":[],"message":"x"}',
      '{"status":"0","message":"No transactions found","result":[]}',
      '{"status":"1","message":"OK","result":{"blockNumber":"7"}}',
      '{"status":"ok","result":"success"}',
      long,
    ];
    const refused = [
      "",
      "null",
      '"Internal server error"',
      '{"items":[',
      '{"status":"0","message":"NOTOK","result":"Max rate limit reached"}',
      '{"status":"0"}',
      '{"message":"Too many requests"}',
      '{"error":"Out of credits","source":"internal"}',
      '{"errors":[{"detail":"x"}]}',
      `upstream connect error ${long}`,
    ];
    const read = async (body, headers = {}) => {
      response = { body, headers };
      const passed = await call(createTestProxy(upstream, { maxAge: () => 30 }), STATS);
      assert.deepEqual(Buffer.from(await passed.arrayBuffer()), Buffer.from(body));
      return [passed.headers.get("cache-control"), passed.headers.get("vary")];
    };
    for (const body of accepted) {
      const expected = ["public, max-age=30", "cache-control, origin, show-scam-tokens"];
      assert.deepEqual(await read(body), expected, body.slice(0, 80));
    }
    const kept = ["no-store", "origin, show-scam-tokens"];
    for (const body of refused) assert.deepEqual(await read(body), kept, body.slice(0, 80));
    for (const headers of [
      { "content-type": "text/html" },
      { "content-type": "text/csv" },
      { "cache-control": "private, no-store" },
    ])
      assert.deepEqual(await read("{}", headers), kept, JSON.stringify(headers));
    const phoenix = { "cache-control": "max-age=0, private, must-revalidate" };
    assert.equal((await read("{}", phoenix))[0], "public, max-age=30", "what Phoenix sends by default");
  });

  test("maxAge has no effect on a request that must be fresh, which bypasses caches to the gateway", async (t) => {
    const upstream = await startUpstream(t);
    for (const value of ["no-cache", "no-store", "max-age=0, No-Cache"]) {
      const headers = { "cache-control": value };
      const response = await call(createTestProxy(upstream, { maxAge: () => 30 }), STATS, { headers });
      assert.equal(response.headers.get("cache-control"), "no-store", value);
      assert.equal(upstream.requests.at(-1).headers["cache-control"], "no-cache");
    }
    await call(createTestProxy(upstream), STATS, { headers: { "cache-control": "max-age=0" } });
    assert.equal(upstream.requests.at(-1).headers["cache-control"], undefined);
  });

  test("maxAge does not hide that a response breaks off", async (t) => {
    const upstream = await startUpstream(t, (_request, response) => response.write('{"items":[', () => response.destroy()));
    const errors = [];
    const response = await call(createTestProxy(upstream, { maxAge: 30, onError: (error) => errors.push(error) }), STATS);
    assert.deepEqual([response.status, (await response.json()).source, errors.length], [502, "upstream", 1]);
    const long = await startUpstream(t, (_request, response) =>
      response.write(`[${"1,".repeat(200_000)}`, () => response.destroy()),
    );
    await assert.rejects(call(createTestProxy(long, { maxAge: 30, onError() {} }), STATS).then((response) => response.text()));
  });

  test("maxAge and limit can be Infinity", async (t) => {
    const upstream = await startUpstream(t);
    const limited = await call(createTestProxy(upstream, { limit: () => Infinity }), STATS);
    assert.deepEqual([limited.status, limited.headers.get("retry-after")], [429, "2147483647"]);
    const cached = await call(createTestProxy(upstream, { maxAge: Infinity }), STATS);
    assert.equal(cached.headers.get("cache-control"), "public, max-age=2147483647");
  });

  test("onError is console.error by default, without the request", async (t) => {
    const upstream = await startUpstream(t);
    const { mock } = t.mock.method(console, "error", () => {});
    const proxy = createTestProxy(upstream, { apiKey: () => undefined, onError: undefined });
    assert.equal((await call(proxy, STATS)).status, 500);
    assert.deepEqual(
      mock.calls.map((logged) => logged.arguments.map(String)),
      [["TypeError: apiKey: must return 8 to 512 letters, digits and -._~"]],
    );
  });

  test("onError may fail without affecting the response", async (t) => {
    const stalled = stallResponses(t);
    const { mock } = t.mock.method(console, "error", () => {});
    const failure = new Error("the log is full");
    for (const onError of [
      () => {
        throw failure;
      },
      () => Promise.reject(failure),
    ]) {
      const proxy = createTestProxy(stalled, { apiKey: () => undefined, onError });
      assert.equal((await call(proxy, STATS)).status, 500);
      const response = await call(createTestProxy(stalled, { timeoutMs: 50, onError }), STATS);
      await assert.rejects(response.text(), /sent nothing for 50 ms/);
    }
    assert.ok(mock.callCount() === 4 && mock.calls.every((logged) => logged.arguments[0] === failure));
  });

  test("limit makes a visitor wait", async (t) => {
    const upstream = await startUpstream(t);
    const visitors = [];
    const proxy = createTestProxy(upstream, {
      limit: async (request, address) => {
        visitors.push([new URL(request.url).pathname, address]);
        return address === "192.0.2.1" ? 1.2 : 0;
      },
    });
    const respond = (address, path = STATS) => proxy(new Request(`${ORIGIN}${BASE_PATH}${path}`), address);
    const refused = await respond("192.0.2.1");
    assert.deepEqual([refused.status, refused.headers.get("retry-after")], [429, "2"]);
    assert.equal((await respond("192.0.2.2")).status, 200);
    assert.equal((await respond("192.0.2.2", "/1/other")).status, 404);
    assert.deepEqual(visitors, [
      [BASE_PATH + STATS, "192.0.2.1"],
      [BASE_PATH + STATS, "192.0.2.2"],
    ]);
    for (const limit of [() => "no", () => NaN, () => undefined, () => Promise.reject(new Error("x"))]) {
      assert.equal((await call(createTestProxy(upstream, { limit }), STATS)).status, 500);
    }
    assert.equal(upstream.requests.length, 1);
  });

  test("origins allows pages of other origins by CORS", async (t) => {
    const upstream = await startUpstream(t);
    const proxy = createTestProxy(upstream, { origins: ["https://other.example"] });
    const headers = { origin: "https://other.example", "sec-fetch-site": "cross-site" };
    const response = await call(proxy, STATS, { headers });
    assert.equal(response.status, 200);
    assert.equal(response.headers.get("access-control-allow-origin"), "https://other.example");
    assert.deepEqual(response.headers.get("access-control-expose-headers").split(",").sort(), [
      "bypass-429-option",
      "cf-mitigated",
      "payment-required",
      "retry-after",
      "x-amzn-waf-action",
      "x-credits-remaining",
      "x-ratelimit-limit",
      "x-ratelimit-remaining",
      "x-ratelimit-reset",
    ]);
    // Errors can be read too.
    const refused = await call(proxy, "/1/other", { headers });
    assert.deepEqual([refused.status, refused.headers.get("access-control-allow-origin")], [404, "https://other.example"]);
    const preflight = await call(proxy, STATS, { method: "OPTIONS", headers });
    assert.equal(preflight.status, 204);
    assert.match(preflight.headers.get("access-control-allow-headers"), /show-scam-tokens/);
    assert.equal(upstream.requests.length, 1);
  });

  test("timeoutMs ends a response that does not begin, and one that stalls", async (t) => {
    const silent = await startUpstream(t, () => {});
    const errors = [];
    const options = { timeoutMs: 50, onError: (error) => errors.push(error) };
    const response = await call(createTestProxy(silent, options), STATS);
    assert.deepEqual([response.status, (await response.json()).source], [504, "upstream"]);
    const stalled = stallResponses(t);
    const beginning = await call(createTestProxy(stalled, options), STATS);
    assert.equal(beginning.status, 200);
    await assert.rejects(beginning.text());
    assert.deepEqual(
      errors.map(({ message }) => message),
      Array(2).fill("the service sent nothing for 50 ms"),
    );
  });

  test("that is unknown, missing or invalid makes createProxy throw", () => {
    const valid = { apiKey: KEY, chains: [1] };
    for (const [options, message] of [
      [undefined, /^apiKey: must be/],
      [{ chains: [1] }, /^apiKey: must be/],
      [{ apiKey: KEY }, /^chains: must be/],
      ...["", "short", "with space", "line\nbreak", "quote\"s'", 12_345_678, {}].map((apiKey) => [
        { ...valid, apiKey },
        /^apiKey: must be/,
      ]),
      ...[[], ["1"], [0], [1.5], [{ id: "1" }], [null], 1, "1"].map((list) => [{ ...valid, chains: list }, /^chains: must be/]),
      ...["api", "", "/a?b", "https://x.example/", 1].map((basePath) => [{ ...valid, basePath }, /^basePath: must be/]),
      ...["/a", ["a"], ["PUT /a"], ["https://x.example/a"], [1], ["/a b"]].map((allow) => [
        { ...valid, allow },
        /^allow: must be/,
      ]),
      ...["https://a.example", ["https://a.example/"], ["https://A.example"], ["a.example"], ["*"], [1]].map((origins) => [
        { ...valid, origins },
        /^origins: /,
      ]),
      ...["x", -1, NaN, {}].map((maxAge) => [{ ...valid, maxAge }, /^maxAge: must be/]),
      ...["x", 0, -1, NaN].map((timeoutMs) => [{ ...valid, timeoutMs }, /^timeoutMs: must be/]),
      ...["x", "ftp://x", "https://", "https://u:p@x", "https://x?a", "//x", 1].map((upstream) => [
        { ...valid, upstream },
        /^upstream: /,
      ]),
      [{ ...valid, limit: 5 }, /^limit: must be/],
      [{ ...valid, onError: "x" }, /^onError: must be/],
      [{ ...valid, key: "x" }, /^key: unknown option; valid options are apiKey, chains/],
      [{ ...valid, constructor: "x" }, /^constructor: unknown option/],
    ]) {
      assert.throws(
        () => createProxy(options),
        (error) => error instanceof TypeError && message.test(error.message) && !error.message.includes(KEY),
        JSON.stringify(options),
      );
    }
    createProxy({ ...valid, basePath: undefined, allow: null, maxAge: undefined });
  });
});
