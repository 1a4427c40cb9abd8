// The options that select the instance: `baseUrl`, `chain` and `chainId`. And the constants of `address-query/chains`.
import assert from "node:assert/strict";
import { dirname } from "node:path";
import { describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import * as chains from "../../pkg/chains.js";
import { AddressClient, isAddressQueryError } from "../../pkg/index.js";
import { BASE, createFetch, expectError, page, HASH } from "./support.mjs";

const KEY = "proapi_s3cret";
const GATEWAY = "https://api.blockscout.com";
const explorer = (name, apiUrl, url = apiUrl?.replace("/api", "")) => ({ name, url, apiUrl });

/** Returns the base URL of the request that a client with these options sends. */
async function findBaseUrl(options) {
  const fetch = createFetch(page([1]));
  await new AddressClient({ fetch, ...options }).addressWithdrawals({ address_hash: HASH });
  const [, baseUrl, query] = /^(.+)\/api\/v2\/addresses\/0x\w{40}\/withdrawals(.*)$/.exec(fetch.urls()[0]);
  assert.equal(query, options.apiKey === undefined ? "" : `?apikey=${KEY}`);
  return baseUrl;
}

describe("the instance of a client", () => {
  test("is the gateway for a chainId", async () => {
    for (const chainId of [1, 8453, 11_297_108_109, Number.MAX_SAFE_INTEGER]) {
      assert.equal(await findBaseUrl({ chainId, apiKey: KEY }), `${GATEWAY}/${chainId}`);
    }
  });

  test("is that of the chain, its Blockscout explorer, or the gateway", async () => {
    const scan = explorer("Basescan", "https://api.basescan.org/api");
    for (const [chain, baseUrl] of [
      [chains.base, BASE.replace("eth", "base")],
      [{ id: 1, baseUrl: `${BASE}/`, blockExplorers: { default: explorer("Blockscout", "https://other.example/api") } }, BASE],
      [
        { id: 1, blockExplorers: { default: explorer("Blockscout", "https://explorer.example/api") } },
        "https://explorer.example",
      ],
      [
        { id: 1, blockExplorers: { default: explorer("blockscout", "https://explorer.example/api/v2") } },
        "https://explorer.example",
      ],
      [{ id: 1, blockExplorers: { default: explorer("Explorer", `${BASE}/api/`) } }, BASE],
      [
        { id: 1, blockExplorers: { default: scan, blockscout: explorer("Blockscout", "https://explorer.example/prefix/api") } },
        "https://explorer.example/prefix",
      ],
    ]) {
      assert.equal(await findBaseUrl({ chain }), baseUrl);
      assert.equal(await findBaseUrl({ chain, apiKey: KEY }), baseUrl);
    }
    for (const blockExplorers of [
      undefined,
      null,
      {},
      { default: scan },
      { default: explorer("Blockscout", undefined, BASE) },
      { default: explorer("Blockscout", "https://subscan.example") },
      { default: explorer("Explorer", "https://explorer.example/api") },
    ]) {
      assert.equal(await findBaseUrl({ chain: { id: 8453, blockExplorers }, apiKey: KEY }), `${GATEWAY}/8453`);
    }
  });

  test("is that of baseUrl, if there is one", async () => {
    assert.equal(await findBaseUrl({ baseUrl: BASE, chainId: 8453 }), BASE);
    assert.equal(await findBaseUrl({ baseUrl: BASE, chain: chains.base }), BASE);
    assert.equal(await findBaseUrl({ baseUrl: BASE, chain: { id: 5 } }), BASE);
  });

  test("is that of the chain behind a proxy, if baseUrl is a path", async () => {
    // A path is relative to a page, which has this URL here.
    const { Request } = globalThis;
    globalThis.Request = class extends Request {
      constructor(url, init) {
        super(new URL(url, "https://app.example/wallet/"), init);
      }
    };
    try {
      const proxied = "https://app.example/api/blockscout";
      assert.equal(await findBaseUrl({ baseUrl: "/api/blockscout", chainId: 8453 }), `${proxied}/8453`);
      assert.equal(await findBaseUrl({ baseUrl: "/api/blockscout/", chain: chains.base }), `${proxied}/8453`);
      assert.equal(await findBaseUrl({ baseUrl: "/api", chainId: 1 }), "https://app.example/api/1");
      assert.equal(await findBaseUrl({ baseUrl: "/", chainId: 1 }), "https://app.example/1");
      assert.equal(await findBaseUrl({ baseUrl: "/api/blockscout" }), proxied);
      assert.equal(await findBaseUrl({ chain: { id: 1, baseUrl: "/api/blockscout" } }), proxied);
    } finally {
      globalThis.Request = Request;
    }
  });

  test("is that of the chain when the client was created", async () => {
    const fetch = createFetch(page([1]));
    const chain = { id: 1, baseUrl: BASE };
    const client = new AddressClient({ chain, fetch });
    chain.baseUrl = "https://evil.example";
    await client.addressWithdrawals({ address_hash: HASH });
    assert.ok(fetch.urls()[0].startsWith(BASE));
  });
});

test("options that do not select an instance make the constructor throw", () => {
  const keyRule =
    "is required to read chain 8453 through the gateway; without a key, set baseUrl or a chain of address-query/chains";
  const idRule = "must be an integer from 1 to 9007199254740991";
  const chainRule = "must be a chain: an object with a numeric id";
  for (const [options, parameter, rule] of [
    [{}, "baseUrl", "is required: the URL of a Blockscout instance, unless chain or chainId is given"],
    [
      { apiKey: KEY, chain: undefined, chainId: null },
      "baseUrl",
      "is required: the URL of a Blockscout instance, unless chain or chainId is given",
    ],
    [{ chainId: 8453 }, "apiKey", keyRule],
    [{ chain: { id: 8453 } }, "apiKey", keyRule],
    [
      { chain: { id: 8453, blockExplorers: { default: explorer("Basescan", "https://api.basescan.org/api") } } },
      "apiKey",
      keyRule,
    ],
    [{ chain: chains.base, chainId: 8453, apiKey: KEY }, "chainId", "must not be combined with chain"],
    ...["8453", 0, -1, 1.5, NaN, 2 ** 53, 1n, {}].map((chainId) => [{ chainId, apiKey: KEY }, "chainId", idRule]),
    ...["base", 8453, true, {}, { id: "8453" }, [chains.base]].map((chain) => [{ chain, apiKey: KEY }, "chain", chainRule]),
    ...[0, 1.5, NaN].map((id) => [{ chain: { id }, apiKey: KEY }, "chainId", idRule]),
    [
      { chain: { id: 1, baseUrl: new URL(BASE) }, apiKey: KEY },
      "baseUrl",
      "must be the URL of a Blockscout instance, as a string",
    ],
  ]) {
    assert.throws(
      () => new AddressClient(options),
      (error) => {
        assert.ok(isAddressQueryError(error), error.stack);
        assert.deepEqual([error.code, error.parameter, error.message], ["invalid_parameter", parameter, `${parameter}: ${rule}`]);
        return true;
      },
    );
  }
});

test("a chain with broken explorers is a typed error, and explorers without a URL are skipped", () => {
  const rule = "chain: blockExplorers must be an object of explorers with name and apiUrl, both strings";
  for (const explorers of [
    { a: null },
    { a: 5 },
    { a: {} },
    { a: { name: "x", apiUrl: 5 } },
    { a: { name: null, apiUrl: "https://x/api" } },
    [null],
    5,
    "x",
  ]) {
    assert.throws(
      () => new AddressClient({ chain: { id: 1, blockExplorers: explorers }, apiKey: KEY }),
      (error) => {
        assert.deepEqual(
          [isAddressQueryError(error), error.code, error.parameter, error.message],
          [true, "invalid_parameter", "chain", rule],
          JSON.stringify(explorers),
        );
        return true;
      },
    );
  }
  for (const explorers of [null, undefined, {}, { a: { name: "x" } }, { a: { name: "x", apiUrl: null } }])
    assert.ok(new AddressClient({ chain: { id: 1, blockExplorers: explorers }, apiKey: KEY }));
});

test("a chain that the gateway does not serve is an error of its own", async () => {
  const respond = (body) => createFetch(() => new Response(body, { status: 404 }));
  const read = (body) =>
    new AddressClient({ chainId: 5, apiKey: KEY, fetch: respond(body) }).addressWithdrawals({ address_hash: HASH });
  const error = await expectError(read('{"error":"Unsupported network","source":"internal"}'), "unsupported_chain", {
    status: 404,
    attempts: 1,
    retryable: false,
  });
  assert.match(error.message, /"Unsupported network"; the gateway does not serve this chain/);
  await expectError(read('{"message":"Not found"}'), "http_status", { status: 404 });
});

describe("address-query/chains", () => {
  test("has one constant per chain, with everything a client and a page need", () => {
    const all = Object.values(chains);
    assert.equal(all.length, 22);
    for (const field of ["id", "name", "baseUrl"])
      assert.equal(new Set(all.map((chain) => chain[field])).size, all.length, field);
    for (const { id, name, baseUrl, nativeCurrency, ...others } of all) {
      assert.ok(Number.isSafeInteger(id) && id > 0 && name.length > 0, name);
      assert.equal(new URL(baseUrl).origin, baseUrl);
      assert.deepEqual([Object.keys(nativeCurrency), nativeCurrency.decimals], [["name", "symbol", "decimals"], 18], name);
      assert.deepEqual(others, {});
    }
  });

  test("adds only the chains that a page uses to its bundle", async () => {
    const resolveDir = dirname(fileURLToPath(import.meta.url));
    const bundle = async (contents) => {
      const { outputFiles } = await build({
        stdin: { contents, resolveDir },
        bundle: true,
        format: "esm",
        minify: true,
        write: false,
      });
      return outputFiles[0].text;
    };
    const script = await bundle('import { base } from "../../pkg/chains.js"; console.log(base);');
    assert.deepEqual(script.match(/https:[^"]+/g), ["https://base.blockscout.com"]);
    assert.equal(await bundle('import "../../pkg/chains.js";'), "");
    assert.doesNotMatch(await bundle('export * from "../../pkg/index.js";'), /(eth|base)\.blockscout\.com/);
  });
});
