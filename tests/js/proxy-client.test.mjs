// A client reads everything through address-query/proxy: every operation, and the further pages of every list.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { history } from "../../pkg/history/index.js";
import { AddressClient, isAddressQueryError } from "../../pkg/index.js";
import { toNodeListener } from "../../pkg/proxy/node.js";
import { startSampleServer } from "../sample-server.mjs";
import { importEntry } from "./copies.mjs";
import { LISTS, LOOKUPS } from "./operations.mjs";
import { BASE_PATH, createTestProxy, startProxyServer, startServer, startUpstream } from "./proxy-upstream.mjs";
import { collect, expectError, inPage } from "./support.mjs";

const declarations = readFileSync(new URL("../../pkg/endpoints.d.ts", import.meta.url), "utf8");
/** The names of the methods of a class. */
const getMethods = (name) => {
  const [, body] = new RegExp(`declare class ${name} \\{([^]*?)\\n\\}`).exec(declarations);
  return Array.from(body.matchAll(/^ {2}(?:readonly )?(\w+)(?:\(|:)/gm), ([, method]) => method).filter(
    (method) => method !== "constructor",
  );
};

/** Starts a sample service with a proxy; resolves to a client, the sample service's addresses, and a transaction. */
async function startClient(t, version = 11, options = {}) {
  const sample = await startSampleServer({ pageSize: 10 });
  t.after(sample.close);
  const origin = await startProxyServer(t, { url: sample.url }, { upstream: `${sample.url}/v${version}`, ...options });
  const client = new AddressClient({ baseUrl: `${origin}${BASE_PATH}/1`, maxAttempts: 2 });
  const direct = new AddressClient({ baseUrl: `${sample.url}/v${version}`, maxAttempts: 2 });
  const [{ hash }] = (await direct.addresses()).items;
  return { client, direct, address: hash, transaction_hash: (await direct.transactions()).items[0].hash };
}

/** Fails for a refusal of the proxy. A service may lack an operation. */
const ignoreServiceErrors = (error) => {
  assert.ok(isAddressQueryError(error) && !error.message.includes("the proxy"), error.message);
};

for (const version of [8, 11, 12]) {
  test(`lists of version ${version} are read to their third page`, async (t) => {
    const { client, direct, address } = await startClient(t, version);
    let readSecond = 0;
    for (const { method, path } of LISTS) {
      const params = path.includes("{") ? { address_hash: address } : {};
      const read = async (from) => {
        const pages = [];
        for await (const { items } of from[method](params).pages()) if (pages.push(items) === 3) break;
        return pages;
      };
      const pages = await read(client).catch(ignoreServiceErrors);
      if (pages === undefined) continue;
      assert.deepEqual(pages, await read(direct), method);
      readSecond += pages.length > 1 ? 1 : 0;
    }
    assert.ok(readSecond > 8, `${readSecond} lists have a second page`);
  });
}

describe("through the proxy", () => {
  test("every lookup, action and GraphQL query is forwarded", async (t) => {
    const { client, address, transaction_hash } = await startClient(t);
    const counts = { lookups: 0, actions: 0, queries: 0 };
    for (const { method, path } of LOOKUPS) {
      const all = { address_hash: address, transaction_hash };
      await client[method](Object.fromEntries(Object.entries(all).filter(([name]) => path.includes(name)))).catch(
        ignoreServiceErrors,
      );
      counts.lookups += 1;
    }
    const paramsOf = {
      balanceMulti: { address: [address] },
      tokenBalance: { address, contractaddress: address },
      listAccounts: {},
      getLogs: { fromBlock: 0, toBlock: "latest", address },
      ethCall: { to: [address, address], data: ["0x18160ddd", "0x"] },
      getBlockNoByTime: { timestamp: 1_700_000_000, closest: "before" },
    };
    for (const [part, name] of [
      ["account", "AccountActions"],
      ["block", "BlockActions"],
      ["logs", "LogsActions"],
      ["rpc", "RpcActions"],
    ]) {
      for (const method of getMethods(name)) {
        await client[part][method](paramsOf[method] ?? { address }).catch(ignoreServiceErrors);
        counts.actions += 1;
      }
    }
    for (const method of getMethods("GraphqlQueries")) {
      const params = method === "txListInternal" ? { txhash: transaction_hash } : { address };
      await client.graphql[method](params).catch(ignoreServiceErrors);
      counts.queries += 1;
    }
    assert.ok(counts.lookups >= 8 && counts.actions >= 15 && counts.queries >= 5, JSON.stringify(counts));
  });

  test("ranges, histories and balances are the same", async (t) => {
    const { client, direct, address } = await startClient(t);
    for (const read of [
      (from) => collect(from.account.txList.all({ address })),
      (from) => collect(history(from, { address_hash: address, order: "asc" })),
      (from) => from.account.balanceMulti({ address: [address] }),
      (from) => from.graphql.txList({ address }).toArray({ limit: 9 }),
      (from) => from.addressTokenTransfers({ address_hash: address }, { concurrency: 3 }).toArray({ limit: 45 }),
      (from) => from.instance(),
    ]) {
      assert.deepEqual(await read(client), await read(direct));
    }
  });

  test("credits arrive, limits are obeyed, and refusals explain themselves", async (t) => {
    let wait = 1;
    const upstream = await startUpstream(t, (_request, response) =>
      response.writeHead(200, { "x-credits-remaining": "77" }).end('{"items":[],"next_page_params":null}'),
    );
    const origin = await startProxyServer(t, upstream, { limit: () => wait-- });
    const events = [];
    const createClient = (path) =>
      new AddressClient({ baseUrl: origin + path, maxAttempts: 2, onEvent: (event) => events.push(event) });
    await createClient(`${BASE_PATH}/1`).withdrawals();
    const { ms } = events.find(({ kind }) => kind === "retry");
    assert.equal(ms, 1_000);
    assert.equal(events.find(({ kind }) => kind === "credits").credits, 77);

    wait = 0;
    const chain = await expectError(createClient(`${BASE_PATH}/5`).stats(), "unsupported_chain");
    assert.match(chain.message, /the proxy does not forward requests for this chain; see option chains/);
    wait = 0;
    const path = await expectError(createClient("/other/1").stats(), "http_status", { status: 404 });
    assert.match(path.message, /the proxy does not forward paths that are not below \/api\/blockscout\//);
    // A page sends its key in the URL.
    await inPage(async () => {
      const { AddressClient } = await importEntry("index");
      const key = new AddressClient({ baseUrl: `${origin}${BASE_PATH}/1`, apiKey: "visitor-key" });
      const refused = await expectError(key.stats(), "http_status", { status: 400 });
      assert.match(refused.message, /parameter apikey/);
    });
  });

  test("POST requests work behind a middleware that has read the body", async (t) => {
    const sample = await startSampleServer({ pageSize: 10 });
    t.after(sample.close);
    const handle = toNodeListener(createTestProxy({ url: sample.url }, { upstream: `${sample.url}/v12` }));
    for (const parse of [JSON.parse, String, Buffer.from, undefined]) {
      const origin = await startServer(t, async (request, response) => {
        // Express 4 has an empty object where nothing was read.
        request.body = {};
        if (parse && request.method === "POST") {
          let text = "";
          for await (const chunk of request) text += chunk;
          request.body = parse(text);
        }
        await handle(request, response);
      });
      const client = new AddressClient({ baseUrl: `${origin}${BASE_PATH}/1`, maxAttempts: 1 });
      const [{ hash: address }] = (await client.addresses()).items;
      assert.equal((await client.graphql.balanceMulti({ address: [address] })).length, 1, parse?.name);
    }
  });

  test("responses are decoded from a handler without a server", async (t) => {
    const upstream = await startUpstream(t);
    const proxy = createTestProxy(upstream);
    const client = new AddressClient({ baseUrl: `https://app.example${BASE_PATH}/1`, fetch: proxy });
    assert.deepEqual((await client.withdrawals()).items, []);
  });
});
