// Tests of the demo server: which files it serves and which it must not.
import assert from "node:assert/strict";
import { request } from "node:http";
import { after, before, test } from "node:test";
import { startSite } from "../../www/serve.mjs";

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

test("serves HTML, CSS and JavaScript with their content types", async () => {
  assert.deepEqual(await get("/?tab=logs"), { status: 200, type: "text/html; charset=utf-8" });
  assert.deepEqual(await get("/layout.css"), { status: 200, type: "text/css; charset=utf-8" });
  assert.deepEqual(await get("/main.js", "HEAD"), { status: 200, type: "text/javascript; charset=utf-8" });
  assert.equal((await get("/pkg/index.js")).status, 200);
});

test("returns 404 for paths outside the two served folders", async () => {
  const traversals = ["/../tests/package.json", "/%2e%2e/tests/package.json", "/..%2ftests%2fpackage.json"];
  for (const path of [...traversals, ...traversals.map((path) => `/pkg${path}`), "/%00", "/%", "/pkg/", "/nothing.js"]) {
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
