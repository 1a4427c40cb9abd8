// What a browser is told when the module cannot be loaded: code `load`, and what to do about it.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { openWorkshop, outcomeOf } from "./consumers/workshop.mjs";

let workshop;
before(async () => (workshop = await openWorkshop()));
after(() => workshop?.close());

const MAIN = (entry, init = "") => `
  import * as entry from "./node_modules/address-query/${entry}.js";
  import { outcome } from "./use.js";
  globalThis.again = () => outcome(entry, new URL(location.href).searchParams.get("service"));
  ${init}
  globalThis.outcome = again();`;
const PAGE = '<!doctype html><meta charset="utf-8"><title>load</title><script type="module" src="main.js"></script>';

/** Serves a page that uses an entry; `answer` stands in for the server where it likes. */
function served(name, files, headers, answer) {
  return workshop.serve(workshop.project(name, { "index.html": PAGE, ...files }), headers, answer);
}

/** What a call says on that page. */
async function said(...page) {
  const { url } = await served(...page);
  return (await workshop.visit(url)).failed;
}

/** A server that gives something else for client.wasm. */
const instead = (status, type, body) => (path, response) => {
  if (!path.endsWith("/client.wasm")) return false;
  response.writeHead(status, { "content-type": type }).end(body);
  return true;
};

test("a policy that forbids WebAssembly", async () => {
  const headers = { "content-security-policy": `default-src 'none'; script-src 'self'; connect-src 'self' ${workshop.service}` };
  const index = await said("csp-index", { "main.js": MAIN("index") }, headers);
  assert.match(index, /^load: .*Content-Security-Policy forbids WebAssembly: add 'wasm-unsafe-eval' to its script-src, or import "address-query\/compat"/);
  assert.match(await said("csp-external", { "main.js": MAIN("external") }, headers), /^load: .*add 'wasm-unsafe-eval' to its script-src/);
});

test("a policy that forbids to fetch the module", async () => {
  const headers = { "content-security-policy": `default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src ${workshop.service}` };
  assert.match(await said("connect-src", { "main.js": MAIN("external") }, headers), /^load: .*connect-src allows the address of client\.wasm/);
});

test("no WebAssembly", async () => {
  const page = PAGE.replace("<script", "<script>delete globalThis.WebAssembly</script><script");
  for (const entry of ["index", "external", "slim"]) {
    const init = entry === "slim" ? "entry.init({ module: fetch('./node_modules/address-query/client.wasm') }).catch(() => {});" : "";
    const message = await said(`no-wasm-${entry}`, { "index.html": page, "main.js": MAIN(entry, init) });
    assert.match(message, /^load: .*has no WebAssembly, or has it switched off: import "address-query\/compat", which does without$/, entry);
  }
});

test("no such file", async () => {
  const message = await said("missing", { "main.js": MAIN("external") }, {}, instead(404, "text/html", "not here"));
  assert.match(message, /^load: .*status 404 of http:\S+client\.wasm\); let the server answer with the client\.wasm of this package, or import "address-query"/);
});

test("a page in place of the module, as servers of single-page applications send", async () => {
  const message = await said("fallback", { "main.js": MAIN("external") }, {}, instead(200, "text/html", PAGE));
  assert.match(message, /^load: .*client\.wasm is no module, but text\/html\); let the server answer with the client\.wasm of this package/);
});

test("a wrong MIME type does no harm", async () => {
  const module = readFileSync(new URL("../../pkg/client.wasm", import.meta.url));
  for (const [name, type] of [["plain", "text/plain"], ["parameter", "application/wasm; charset=utf-8"]]) {
    const { url } = await served(`mime-${name}`, { "main.js": MAIN("external") }, {}, instead(200, type, module));
    assert.deepEqual(await workshop.visit(url), workshop.expected, type);
  }
});

test("offline, and online again", async () => {
  const { url } = await served("offline", { "main.js": `${MAIN("external").replace("= again()", "= 'ready'")}` });
  const context = await (await workshop.browser()).newContext();
  try {
    const page = await context.newPage();
    assert.equal(await outcomeOf(page, `${url}?service=${encodeURIComponent(workshop.service)}`), "ready");
    await context.setOffline(true);
    const { failed } = await page.evaluate(() => again());
    assert.match(failed, /^load: .*\(Failed to fetch\); check the connection/);
    await context.setOffline(false);
    assert.deepEqual(await page.evaluate(() => again()), workshop.expected);
  } finally {
    await context.close();
  }
});

test("./slim without its module", async () => {
  assert.match(await said("slim", { "main.js": MAIN("slim") }), /^load: .*call init\(\{ module \}\) with address-query\/client\.wasm first$/);
  const init = "entry.init({ module: fetch('./nowhere.wasm') }).catch(() => {});";
  assert.match(await said("slim-missing", { "main.js": MAIN("slim", init) }), /^load: .*status 404 of http:\S+nowhere\.wasm/);
});
