// Behaviour that only a real browser's fetch shows.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { createSampleService } from "../../pkg/testing/index.js";
import { getHarness, readResult } from "./consumers/harness.mjs";
import { watchRequests } from "./consumers/requests.mjs";

const harness = await getHarness();
after(() => harness.close());

test("a redirect of a request with an API key is an error after one request, and the key is not forwarded", async () => {
  const asked = [];
  const files = {
    "index.html": '<!doctype html><meta charset="utf-8"><title>redirect</title><script type="module" src="main.js"></script>',
    "main.js": `
      import { AddressClient } from "./node_modules/address-query/index.js";
      const client = new AddressClient({ baseUrl: "/moved", apiKey: "proapi_s3cret" });
      globalThis.scenarioResult = client.addresses().catch(({ code, status, attempts, message }) => ({ code, status, attempts, message }));`,
  };
  const { url } = await harness.serveProject("redirect", files, {}, (path, response) => {
    if (!path.startsWith("/moved/") && !path.startsWith("/new/")) return false;
    asked.push(path);
    response.writeHead(302, { location: path.replace("/moved", "/new") }).end();
    return true;
  });
  const { message, ...error } = await harness.runInPage(url);
  // The browser hides the status.
  assert.deepEqual(error, { code: "http_status", status: 0, attempts: 1 });
  assert.match(message, /redirects are not followed with an API key; set baseUrl/);
  assert.deepEqual(asked, ["/moved/api/v2/addresses"]);
});

test("a fresh call and a retry bypass the cache of the browser, without a preflight request to another origin", async () => {
  const asked = [];
  const service = await harness.serveFolder(".", {}, (_path, response) => {
    const { method, headers } = response.req;
    asked.push([method, headers["cache-control"]]);
    response.setHeader("access-control-allow-origin", "*");
    response.setHeader("cache-control", "public, max-age=60");
    // The third response is truncated.
    const record = { index: asked.length, validator_index: 7, amount: "1", block_number: 5, timestamp: null, receiver: null };
    response.end(JSON.stringify({ items: [record], next_page_params: null }).slice(0, asked.length === 3 ? 20 : undefined));
    return true;
  });
  const files = {
    "index.html": '<!doctype html><meta charset="utf-8"><title>fresh</title><script type="module" src="main.js"></script>',
    "main.js": `
      import { AddressClient } from "./node_modules/address-query/index.js";
      const client = new AddressClient({ baseUrl: ${JSON.stringify(service.url)} });
      const found = [];
      const read = async (list) => found.push((await list).items[0].index);
      globalThis.scenarioResult = (async () => {
        await read(client.withdrawals());
        await read(client.withdrawals());
        await read(client.withdrawals({}, { [Symbol.for("address-query.fresh")]: true }));
        await read(client.withdrawals());
        await read(client.blockWithdrawals({ block_hash_or_number: 5 }));
        return found;
      })();`,
  };
  const { url } = await harness.serveProject("fresh", files);
  assert.deepEqual(await harness.runInPage(url), [1, 1, 2, 1, 4]);
  assert.deepEqual(asked, [
    ["GET", undefined],
    ["GET", "no-cache"],
    ["GET", undefined],
    ["GET", "no-cache"],
  ]);
});

test("the browser reports no request of a completed call as canceled", async () => {
  const sample = createSampleService();
  const { hash } = sample.addresses.find(({ id }) => id === "hub");
  const service = await harness.serveFolder(".", {}, (_path, response) => {
    sample.fetch(`http://localhost${response.req.url.replace(/^\/\d/, "")}`).then(async (sampled) => {
      response.writeHead(sampled.status, { ...Object.fromEntries(sampled.headers), "access-control-allow-origin": "*" });
      response.end(await sampled.text());
    });
    return true;
  });
  const files = {
    "index.html": '<!doctype html><meta charset="utf-8"><title>requests</title><script type="module" src="main.js"></script>',
    "main.js": `
      import { AddressClient } from "./node_modules/address-query/index.js";
      const clients = [1, 2, 3, 4, 5].map((i) => new AddressClient({ baseUrl: ${JSON.stringify(service.url)} + i }));
      const address = ${JSON.stringify(hash)};
      globalThis.scenarioResult = Promise.all(clients.map(async (client) => {
        const { items } = await client.addressTransactions({ address_hash: address });
        const transfers = await client.addressTokenTransfers({ address_hash: address }).toArray({ limit: 150 });
        const { items: rows } = await client.account.txList({ address });
        return items.length + transfers.length + Math.min(rows.length, 1);
      }));`,
  };
  const { url } = await harness.serveProject("requests", files);
  const context = await (await harness.getBrowser()).newContext();
  const page = await context.newPage();
  const requests = await watchRequests(page, service.url);
  assert.deepEqual(await readResult(page, url), [201, 201, 201, 201, 201]);
  const { finished, failed } = await requests.getOutcomes();
  assert.ok(finished >= 20, `${finished} requests`);
  assert.deepEqual(failed, []);
  await context.close();
});
