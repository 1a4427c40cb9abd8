// The static server: what it serves, and what it must not.
import assert from "node:assert/strict";
import { request } from "node:http";
import { after, before, test } from "node:test";
import { startSite } from "../../www/serve.mjs";

let site;
before(async () => (site = await startSite({ port: 0 })));
after(() => site.close());

/** Sends the path as it stands, which fetch would tidy up first. */
function get(path, method = "GET") {
  const { hostname, port } = new URL(site.url);
  return new Promise((done, fail) => {
    request({ hostname, port, path, method }, (response) => {
      response.resume();
      response.on("end", () => done({ status: response.statusCode, type: response.headers["content-type"] }));
    })
      .on("error", fail)
      .end();
  });
}

test("page, style, modules and package are served under their types", async () => {
  assert.deepEqual(await get("/?tab=logs"), { status: 200, type: "text/html; charset=utf-8" });
  assert.deepEqual(await get("/style.css"), { status: 200, type: "text/css; charset=utf-8" });
  assert.deepEqual(await get("/main.js", "HEAD"), { status: 200, type: "text/javascript; charset=utf-8" });
  assert.equal((await get("/pkg/index.js")).status, 200);
});

test("nothing outside the two folders is served", async () => {
  const up = ["/../tests/package.json", "/%2e%2e/tests/package.json", "/..%2ftests%2fpackage.json"];
  for (const path of [...up, ...up.map((path) => `/pkg${path}`), "/%00", "/%", "/pkg/", "/nothing.js"]) {
    assert.equal((await get(path)).status, 404, path);
  }
  assert.equal((await get("/", "POST")).status, 405);
});

test("a taken port falls back to a free one", async () => {
  const taken = Number(new URL(site.url).port);
  const second = await startSite({ port: taken });
  assert.notEqual(second.url, site.url);
  await second.close();
});
