// The error class, also of another realm, and what a browser without WebAssembly is told.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import vm from "node:vm";
import { AddressQueryError, isAddressQueryError } from "../../pkg/index.js";
import { failure, scripted, withdrawals } from "./support.mjs";

const SOURCE = new URL("../../pkg-template/errors.js", import.meta.url);

/** The package's error class as another realm has it. */
function foreignClass() {
  const source = readFileSync(SOURCE, "utf8").replaceAll(/^export /gm, "");
  return vm.runInNewContext(`${source}; AddressQueryError`);
}

test("errors are told from others, across realms and copies of the package", async () => {
  const own = await failure(withdrawals(scripted(() => new Response("", { status: 500 }))), "http_status");
  assert.ok(own instanceof AddressQueryError && own instanceof Error);
  const Foreign = foreignClass();
  const foreign = new Foreign("network", "no answer", { attempts: 1 });
  assert.equal(foreign instanceof AddressQueryError || foreign instanceof Error, false);
  const { AddressQueryError: Copy } = await import(`${SOURCE}?copy`);
  for (const error of [own, foreign, new Copy("network", "no answer")]) assert.equal(isAddressQueryError(error), true);
});

test("nothing else is taken for one", () => {
  const lookalike = Object.assign(new Error("no answer"), { name: "AddressQueryError", code: "network" });
  for (const value of [undefined, null, 0, "", "network", Symbol("x"), {}, [], () => {}, new Error("x"), lookalike]) {
    assert.equal(isAddressQueryError(value), false, String(value?.name ?? value?.description ?? value));
  }
});

test("an error shows what it is", async () => {
  const error = await failure(withdrawals(scripted(() => Promise.reject(new Error("gone")))), "network");
  assert.equal(error.name, "AddressQueryError");
  assert.match(String(error), /^AddressQueryError: no answer \(gone\)/);
  const { code, url, attempts } = JSON.parse(JSON.stringify(error));
  assert.deepEqual([code, url, attempts], ["network", error.url, 1]);
});

/** Runs a script against the package in a process of its own, and gives what it printed. */
function run(script) {
  const source = `const { AddressClient } = await import(${JSON.stringify(new URL("../../pkg/index.js", import.meta.url))});
    const { HASH, page } = await import(${JSON.stringify(new URL("support.mjs", import.meta.url))});
    const call = (fetch = async () => new Response(page([1]))) =>
      new AddressClient({ baseUrl: "https://x.example", fetch, maxAttempts: 1 }).addressWithdrawals({ address_hash: HASH });
    const code = (call) => call.then(() => "page", (error) => error);
    ${script}`;
  return JSON.parse(execFileSync(process.execPath, ["--input-type=module", "--eval", source], { encoding: "utf8" }));
}

/** Node's own fetch is a WebAssembly module, too, loaded with the first look at these. */
const HIDE_FETCH = `
  const hidden = ["Request", "Response"].map((name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)]);
  for (const [name] of hidden) Object.defineProperty(globalThis, name, { configurable: true, value: class {} });`;

test("without WebAssembly a call says so, sends nothing, and works once there is some", () => {
  const [code, message, cause, sent, later] = run(`${HIDE_FETCH}
    const { WebAssembly } = globalThis;
    delete globalThis.WebAssembly;
    let sent = 0;
    const error = await code(call(() => { sent += 1; }));
    globalThis.WebAssembly = WebAssembly;
    for (const [name, descriptor] of hidden) Object.defineProperty(globalThis, name, descriptor);
    console.log(JSON.stringify([error.code, error.message, error.cause?.name, sent, await code(call())]));`);
  assert.equal(code, "load");
  assert.match(message, /^the WebAssembly module could not be loaded \(.+\); this browser has no WebAssembly, or has it switched off: import "address-query\/compat", which does without$/);
  assert.deepEqual([cause, sent, later], ["ReferenceError", 0, "page"]);
});

test("where the page's policy forbids WebAssembly, the error names the remedy", () => {
  const [code, message] = run(`${HIDE_FETCH}
    WebAssembly.compile = async () => { throw new EvalError("Refused to compile: 'unsafe-eval' is not allowed by Content Security Policy"); };
    const error = await code(call());
    console.log(JSON.stringify([error.code, error.message]));`);
  assert.equal(code, "load");
  assert.match(message, /add 'wasm-unsafe-eval' to its script-src, or import "address-query\/compat", which does without$/);
});

test("importing the package and creating a client loads no module", () => {
  const [before, after] = run(`
    new Response(); // Node's own module is not meant.
    let loads = 0;
    const { compile } = WebAssembly;
    WebAssembly.compile = (...given) => (loads += 1, compile(...given));
    const list = call();
    const before = loads;
    await Promise.all([list, call(), call()]);
    console.log(JSON.stringify([before, loads]));`);
  assert.deepEqual([before, after], [0, 1]);
});
