// Tests of the demo server: which files it serves, and which it must not serve.
import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { request } from "node:http";
import { after, before, test } from "node:test";
import { createSampleGateway, createSampleService } from "../../pkg/testing/index.js";
import { createGatewayProxy, startSite } from "../../www/serve.mjs";

let site;
before(async () => (site = await startSite({ port: 0 })));
after(() => site.close());

/** Sends the path unchanged; fetch would normalize it first. */
function get(path, method = "GET") {
  const { hostname, port } = new URL(site.url);
  return new Promise((resolve, reject) => {
    request({ hostname, port, path, method }, (response) => {
      response.resume();
      response.on("end", () => resolve({ status: response.statusCode, type: response.headers["content-type"] }));
    })
      .on("error", reject)
      .end();
  });
}

test("serves files with their content types", async () => {
  assert.deepEqual(await get("/?tab=logs"), { status: 200, type: "text/html; charset=utf-8" });
  const types = {
    css: "text/css; charset=utf-8",
    js: "text/javascript; charset=utf-8",
    wasm: "application/wasm",
    woff2: "font/woff2",
  };
  for (const name of readdirSync(new URL("../../target/page/assets", import.meta.url))) {
    assert.deepEqual(await get(`/assets/${name}`, "HEAD"), { status: 200, type: types[name.split(".").at(-1)] }, name);
  }
});

test("sends the policy of the page as a header", async () => {
  const policy = (await fetch(site.url)).headers.get("content-security-policy");
  assert.match(policy, /^default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self';/);
  assert.doesNotMatch(policy, /unsafe-inline|'unsafe-eval'/);
});

test("returns 404 for paths outside the served folder", async () => {
  const traversals = ["/../package.json", "/%2e%2e/package.json", "/..%2fpackage.json", "/assets/../../package.json"];
  for (const path of [...traversals, "/%00", "/%", "/pkg/index.js", "/assets/", "/nothing.js"]) {
    assert.equal((await get(path)).status, 404, path);
  }
  assert.equal((await get("/", "POST")).status, 405);
});

test("chooses a free port if the requested one is in use", async () => {
  const usedPort = Number(new URL(site.url).port);
  const second = await startSite({ port: usedPort });
  assert.notEqual(second.url, site.url);
  await second.close();
});

test("reads the gateway with the key of the server", async () => {
  const key = "proapi_of-the-demo";
  const gateway = createSampleGateway({ chains: { 1: createSampleService() }, keys: { [key]: { credits: 100 } } });
  const { fetch: send } = globalThis;
  const upstream = "https://gateway.invalid/{chain_id}";
  // The proxy calls the global function.
  globalThis.fetch = (input, init) =>
    String(input.url ?? input).startsWith("https://gateway.invalid/") ? gateway.fetch(input, init) : send(input, init);
  const demo = await startSite({ proxy: await createGatewayProxy(key, upstream) });
  try {
    const response = await send(new URL("/api/blockscout/1/api/v2/blocks", demo.url));
    assert.equal(response.status, 200);
    assert.equal((await response.json()).items.length, 50);
    assert.equal((await send(new URL("/api/blockscout/999/api/v2/blocks", demo.url))).status, 404);
    assert.equal((await send(demo.url)).status, 200);
  } finally {
    globalThis.fetch = send;
    await demo.close();
  }
  assert.equal((await get("/api/blockscout/1/api/v2/blocks")).status, 404);
});
