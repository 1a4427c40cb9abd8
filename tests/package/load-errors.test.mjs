// Tests of error code `load`, in a browser: the message says why the WebAssembly module cannot be loaded and what to do.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, test } from "node:test";
import { getHarness, readResult } from "./consumers/harness.mjs";

const harness = await getHarness();
after(() => harness.close());

const createScript = (entry, init = "") => `
  import * as entry from "./node_modules/address-query/${entry}.js";
  import { tryScenario } from "./scenario.js";
  globalThis.run = () => tryScenario(entry, new URL(location.href).searchParams.get("service"));
  ${init}
  globalThis.scenarioResult = run();`;
const PAGE = '<!doctype html><meta charset="utf-8"><title>load</title><script type="module" src="main.js"></script>';

/** Serves a page with these files. `handleRequest` may respond instead of the server. */
function servePage(name, files, headers, handleRequest) {
  return harness.serveProject(name, { "index.html": PAGE, ...files }, headers, handleRequest);
}

/** Serves a page; returns the error of a call in it. */
async function getError(...page) {
  const { url } = await servePage(...page);
  return (await harness.runInPage(url)).failed;
}

/** Creates a request handler that responds to requests for client.wasm. */
const respondToWasm = (status, type, body) => (path, response) => {
  if (!path.endsWith("/client.wasm")) return false;
  response.writeHead(status, { "content-type": type }).end(body);
  return true;
};

test("a Content-Security-Policy that forbids WebAssembly", async () => {
  const headers = {
    "content-security-policy": `default-src 'none'; script-src 'self'; connect-src 'self' ${harness.serviceUrl}`,
  };
  const index = await getError("csp-index", { "main.js": createScript("index") }, headers);
  assert.match(
    index,
    /^load: .*Content-Security-Policy forbids WebAssembly: add 'wasm-unsafe-eval' to its script-src, or import "address-query\/compat"/,
  );
  assert.match(
    await getError("csp-external", { "main.js": createScript("external") }, headers),
    /^load: .*add 'wasm-unsafe-eval' to its script-src/,
  );
});

test("a Content-Security-Policy that forbids to fetch the module", async () => {
  const headers = {
    "content-security-policy": `default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src ${harness.serviceUrl}`,
  };
  assert.match(
    await getError("connect-src", { "main.js": createScript("external") }, headers),
    /^load: .*connect-src allows the address of client\.wasm/,
  );
});

test("a browser without WebAssembly", async () => {
  const page = PAGE.replace("<script", "<script>delete globalThis.WebAssembly</script><script");
  for (const entry of ["index", "external", "slim"]) {
    const init =
      entry === "slim" ? "entry.init({ module: fetch('./node_modules/address-query/client.wasm') }).catch(() => {});" : "";
    const message = await getError(`no-wasm-${entry}`, { "index.html": page, "main.js": createScript(entry, init) });
    assert.match(
      message,
      /^load: .*does not support WebAssembly, or it is turned off: import "address-query\/compat", which needs no WebAssembly$/,
      entry,
    );
  }
});

test("a missing file", async () => {
  const message = await getError(
    "missing",
    { "main.js": createScript("external") },
    {},
    respondToWasm(404, "text/html", "not found"),
  );
  assert.match(
    message,
    /^load: .*status 404 of http:\S+client\.wasm\); serve the file client\.wasm of this package at this address, or import "address-query"/,
  );
});

test("an HTML page instead of the module, as servers of single-page applications send it", async () => {
  const message = await getError("fallback", { "main.js": createScript("external") }, {}, respondToWasm(200, "text/html", PAGE));
  assert.match(
    message,
    /^load: .*client\.wasm is not a WebAssembly module, its content type is text\/html\); serve the file client\.wasm of this package/,
  );
});

test("a wrong MIME type is accepted", async () => {
  const module = readFileSync(new URL("../../pkg/client.wasm", import.meta.url));
  for (const [name, type] of [
    ["plain", "text/plain"],
    ["parameter", "application/wasm; charset=utf-8"],
  ]) {
    const { url } = await servePage(
      `mime-${name}`,
      { "main.js": createScript("external") },
      {},
      respondToWasm(200, type, module),
    );
    assert.deepEqual(await harness.runInPage(url), harness.expected, type);
  }
});

test("offline, then online again", async () => {
  const { url } = await servePage("offline", { "main.js": `${createScript("external").replace("= run()", "= 'ready'")}` });
  const context = await (await harness.getBrowser()).newContext();
  try {
    const page = await context.newPage();
    assert.equal(await readResult(page, `${url}?service=${encodeURIComponent(harness.serviceUrl)}`), "ready");
    await context.setOffline(true);
    const { failed } = await page.evaluate(() => globalThis.run());
    assert.match(failed, /^load: .*\(Failed to fetch\); check the connection/);
    await context.setOffline(false);
    assert.deepEqual(await page.evaluate(() => globalThis.run()), harness.expected);
  } finally {
    await context.close();
  }
});

test("./slim without its module", async () => {
  assert.match(
    await getError("slim", { "main.js": createScript("slim") }),
    /^load: .*call init\(\{ module \}\) with address-query\/client\.wasm first$/,
  );
  const init = "entry.init({ module: fetch('./nowhere.wasm') }).catch(() => {});";
  assert.match(
    await getError("slim-missing", { "main.js": createScript("slim", init) }),
    /^load: .*status 404 of http:\S+nowhere\.wasm/,
  );
});
