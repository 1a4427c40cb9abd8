// The options that select the instance: `baseUrl`, `chain` and `chainId`. And the constants of `address-query/chains`.
import assert from "node:assert/strict";
import { dirname } from "node:path";
import { describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import * as chains from "../../pkg/chains.js";
import { AddressClient, isAddressQueryError } from "../../pkg/index.js";
import { BASE, createFetch, expectError, HASH, inPage, page } from "./support.mjs";

const KEY = "proapi_s3cret";
/** A key of an instance. */
const OWN_KEY = "3f2504e0-4f89-11d3-9a0c";
const GATEWAY = "https://api.blockscout.com";
/** The chains of the entry, which also exports functions. */
const CHAINS = Object.values(chains).filter((value) => typeof value === "object");
const explorer = (name, apiUrl, url = apiUrl?.replace("/api", "")) => ({ name, url, apiUrl });

/** Returns the base URL of the request that a client with these options sends. */
async function findBaseUrl(options) {
  const fetch = createFetch(page([1]));
  await new AddressClient({ fetch, ...options }).addressWithdrawals({ address_hash: HASH });
  const [, baseUrl] = /^(.+)\/api\/v2\/addresses\/0x\w{40}\/withdrawals$/.exec(fetch.urls()[0]);
  return baseUrl;
}

describe("the instance of a client", () => {
  test("is the gateway for a chainId", async () => {
    for (const chainId of [1, 8453, 11_297_108_109, Number.MAX_SAFE_INTEGER]) {
      assert.equal(await findBaseUrl({ chainId, apiKey: KEY }), `${GATEWAY}/${chainId}`);
    }
  });

  test("is the chain's instance, its Blockscout explorer, or the gateway", async () => {
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
      assert.equal(await findBaseUrl({ chain, apiKey: OWN_KEY }), baseUrl);
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

  test("is baseUrl, if it is an instance or ends with the id", async () => {
    for (const options of [
      { baseUrl: BASE, chainId: 1 },
      { baseUrl: ` ${BASE.toUpperCase()}/api/v2/ `, chainId: 1 },
      { baseUrl: "eth.blockscout.com", chain: chains.mainnet },
    ])
      assert.equal(await findBaseUrl(options), BASE, options.baseUrl);
    for (const chain of CHAINS) {
      assert.equal(await findBaseUrl({ baseUrl: chain.baseUrl, chainId: chain.id }), chain.baseUrl);
      assert.equal(await findBaseUrl({ baseUrl: chain.baseUrl, chain }), chain.baseUrl);
    }
    const hosted = "https://unknown-chain.blockscout.com";
    assert.equal(await findBaseUrl({ baseUrl: hosted, chainId: 130 }), hosted);
    const own = { id: 130, baseUrl: "https://explorer.example/prefix" };
    assert.equal(await findBaseUrl({ baseUrl: `${own.baseUrl}/`, chain: own }), own.baseUrl);
    for (const baseUrl of [`${GATEWAY}/130`, `${GATEWAY}/130/`, `${GATEWAY}/130/api/v2`, "https://proxy.example/api/130?x#y"])
      assert.equal(await findBaseUrl({ baseUrl, chainId: 130 }), baseUrl.replace(/130.*/, "130"), baseUrl);
  });

  test("is the chain at any other baseUrl, which is a gateway or proxy", async () => {
    for (const [baseUrl, expected] of [
      [GATEWAY, `${GATEWAY}/130`],
      ["https://proxy.example/api/blockscout", "https://proxy.example/api/blockscout/130"],
      [" https://proxy.example/api/blockscout/?x=1#y ", "https://proxy.example/api/blockscout/130"],
      ["https://proxy.example/", "https://proxy.example/130"],
      ["https://proxy.example/api", "https://proxy.example/api/130"],
      ["proxy.example", "https://proxy.example/130"],
      ["//proxy.example:8443", "https://proxy.example:8443/130"],
      // Hosts of a local network with the name of a public instance.
      ["http://base:4000", "http://base:4000/130"],
      ["https://evil-blockscout.com", "https://evil-blockscout.com/130"],
      ["https://eth.blockscout.com.proxy.example", "https://eth.blockscout.com.proxy.example/130"],
    ]) {
      assert.equal(await findBaseUrl({ baseUrl, chainId: 130 }), expected);
      assert.equal(await findBaseUrl({ baseUrl, chain: { id: 130, baseUrl: "https://explorer.example" } }), expected);
    }
    for (const baseUrl of ["", " ", "?x", "//", "https://", "https:///x", "https://x y", "ftp://x"]) {
      const read = findBaseUrl({ baseUrl, chainId: 130 });
      await assert.rejects(read, { code: "invalid_parameter", parameter: "baseUrl" }, baseUrl);
    }
  });

  test("is never another chain's instance", () => {
    for (const [options, parameter, rule] of [
      [{ baseUrl: BASE, chainId: 8453 }, "chainId", "the base URL reads chain 1, not chain 8453"],
      [{ baseUrl: `${BASE}/api/v2`, chain: chains.base }, "chain", "the base URL reads chain 1, not chain 8453"],
      [{ chain: { id: 8453, baseUrl: "ETH.blockscout.com" } }, "chain", "the base URL reads chain 1, not chain 8453"],
      [{ baseUrl: `${GATEWAY}/10`, chainId: 1, apiKey: KEY }, "chainId", "the base URL reads chain 10, not chain 1"],
      [{ baseUrl: "/api/blockscout/10/", chainId: 1 }, "chainId", "the base URL reads chain 10, not chain 1"],
    ]) {
      const expected = { code: "invalid_parameter", parameter, message: `${parameter}: ${rule}` };
      assert.throws(() => new AddressClient(options), expected, JSON.stringify(options));
    }
  });

  test("is the chain behind a proxy, if baseUrl is a path", async () => {
    await inPage(async () => {
      const proxied = "https://app.example/api/blockscout";
      assert.equal(await findBaseUrl({ baseUrl: "/api/blockscout", chainId: 8453 }), `${proxied}/8453`);
      assert.equal(await findBaseUrl({ baseUrl: "/api/blockscout/", chain: chains.base }), `${proxied}/8453`);
      assert.equal(await findBaseUrl({ baseUrl: "/api", chainId: 1 }), "https://app.example/api/1");
      assert.equal(await findBaseUrl({ baseUrl: "/", chainId: 1 }), "https://app.example/1");
      assert.equal(await findBaseUrl({ baseUrl: "/api/blockscout" }), proxied);
      assert.equal(await findBaseUrl({ chain: { id: 1, baseUrl: "/api/blockscout" } }), proxied);
    });
  });

  test("is the chain at the time when the client was created", async () => {
    const fetch = createFetch(page([1]));
    const chain = { id: 1, baseUrl: BASE };
    const client = new AddressClient({ chain, fetch });
    chain.baseUrl = "https://evil.example";
    await client.addressWithdrawals({ address_hash: HASH });
    assert.ok(fetch.urls()[0].startsWith(BASE));
  });
});

describe("a key of the gateway", () => {
  const rule =
    "is a key of the gateway, but the requests go to the instance of the chain; pass only chainId to read through the gateway";

  test("is not sent to the instance of a chain", async () => {
    const own = { id: 130, baseUrl: "https://explorer.example" };
    for (const options of [
      { chain: chains.base },
      { chain: own },
      { chain: own, baseUrl: own.baseUrl },
      { chainId: 1, baseUrl: BASE },
      { chain: { id: 1, blockExplorers: { default: explorer("Blockscout", `${BASE}/api`) } } },
    ]) {
      const expected = { code: "invalid_parameter", parameter: "apiKey", message: `apiKey: ${rule}` };
      assert.throws(() => new AddressClient({ ...options, apiKey: KEY }), expected);
      const fetch = createFetch();
      const client = new AddressClient({ ...options, apiKey: async () => KEY, fetch });
      await assert.rejects(async () => await client.stats(), expected);
      assert.deepEqual(fetch.urls(), []);
      assert.ok(await findBaseUrl({ ...options, apiKey: OWN_KEY }));
    }
  });

  test("is sent to the gateway, a proxy, and any URL without a chain", async () => {
    for (const options of [
      { chainId: 1 },
      { chain: { id: 1 } },
      { chainId: 1, baseUrl: `${GATEWAY}/1` },
      { chainId: 1, baseUrl: "https://proxy.example/" },
      { baseUrl: BASE },
    ])
      for (const apiKey of [KEY, () => KEY]) assert.ok(await findBaseUrl({ ...options, apiKey }));
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

test("every chain of the entry is found by its id", () => {
  for (const chain of CHAINS) assert.equal(chains.findChain(chain.id), chain);
  assert.equal(chains.findChain(2), undefined);
  assert.equal(chains.findChain(null), undefined);
});

describe("clients of several chains", () => {
  /** Responds with a balance, and with status 500 on chain 10. */
  const fetch = async ({ url }) =>
    url.includes("/10/")
      ? new Response("{}", { status: 500 })
      : new Response(JSON.stringify({ status: "1", message: "OK", result: "7" }));
  const options = { apiKey: KEY, fetch, maxAttempts: 1 };

  test("each chain has its client and its coin, and a failure is apart", async () => {
    const all = chains.chains(AddressClient, options, [1, 10, 100, 4242]);
    const results = await all.each((client, { chain_id }) =>
      client.account.balance({ address: HASH }).then((wei) => [chain_id, wei]),
    );
    assert.deepEqual(
      results.map(({ chain_id, name, nativeCurrency, value, error }) => [
        chain_id,
        name,
        nativeCurrency?.symbol,
        value,
        error?.status,
      ]),
      [
        [1, "Ethereum", "ETH", [1, "7"], undefined],
        [10, "OP Mainnet", "ETH", null, 500],
        [100, "Gnosis", "XDAI", [100, "7"], undefined],
        [4242, null, undefined, [4242, "7"], undefined],
      ],
    );
    assert.deepEqual(
      [...all].map(({ client }) => client.source.chainId),
      [1, 10, 100, 4242],
    );
    assert.equal(all.get(100), [...all][2]);
    assert.equal(all.get(5), undefined);
  });

  test("a chain is read like the option chain, and an id like the option chainId", async () => {
    const urls = async (options, selected) =>
      Promise.all([...chains.chains(AddressClient, options, selected)].map(({ client }) => client.baseUrl()));
    assert.deepEqual(await urls({ apiKey: KEY }, [8453, 1]), [`${GATEWAY}/8453`, `${GATEWAY}/1`]);
    assert.deepEqual(await urls({ baseUrl: "https://proxy.example" }, [1, chains.base]), [
      "https://proxy.example/1",
      "https://proxy.example/8453",
    ]);
    assert.deepEqual(await urls({}, [chains.base, { id: 5, baseUrl: "https://explorer.example" }]), [
      chains.base.baseUrl,
      "https://explorer.example",
    ]);
    assert.throws(() => chains.chains(AddressClient, {}, [1]), { code: "invalid_parameter", parameter: "apiKey" });
  });

  test("accounts are all addresses on all chains", () => {
    const all = chains.chains(AddressClient, options, [1, 10]);
    const [first, second] = [...all].map(({ client }) => client);
    assert.deepEqual(
      all.accounts([HASH, "other"]).map(({ client, address_hash }) => [client === first, client === second, address_hash]),
      [
        [true, false, HASH],
        [true, false, "other"],
        [false, true, HASH],
        [false, true, "other"],
      ],
    );
  });

  test("a mistake in the function is not a failure of a chain", async () => {
    const all = chains.chains(AddressClient, options, [1]);
    await assert.rejects(
      all.each(() => null.balance),
      TypeError,
    );
  });
});

test("a chain that the gateway does not serve has its own error code", async () => {
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
    const all = CHAINS;
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
