// The error class, including other realms, and the errors in browsers without WebAssembly.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import vm from "node:vm";
import { AddressClient, AddressQueryError, isAddressQueryError } from "../../pkg/index.js";
import { bind } from "../../target/parts/bindings.js";
import { Client } from "../../target/parts/client.js";
import { Loader } from "../../target/parts/loader.js";
import { importCopy } from "./copies.mjs";
import { BASE, HASH, collect, createFetch, expectError, ignoreAbort, listWithdrawals } from "./support.mjs";

const SOURCE = new URL("../../target/parts/errors.js", import.meta.url);

/** Evaluates the package's error class in another realm. */
function createForeignClass() {
  const source = readFileSync(SOURCE, "utf8").replaceAll(/^(export |import .*$)/gm, "");
  return vm.runInNewContext(`${source}\nAddressQueryError`);
}

test("isAddressQueryError recognises errors of other realms and copies of the package", async () => {
  const own = await expectError(listWithdrawals(createFetch(() => new Response("", { status: 500 }))), "http_status");
  assert.ok(own instanceof AddressQueryError && own instanceof Error);
  const Foreign = createForeignClass();
  const foreign = new Foreign("network", "no response", { attempts: 1 });
  assert.equal(foreign instanceof AddressQueryError || foreign instanceof Error, false);
  const { AddressQueryError: Copy } = await importCopy(SOURCE);
  for (const error of [own, foreign, new Copy("network", "no response")]) assert.equal(isAddressQueryError(error), true);
});

test("isAddressQueryError rejects all other values", () => {
  const lookalike = Object.assign(new Error("no response"), { name: "AddressQueryError", code: "network" });
  for (const value of [undefined, null, 0, "", "network", Symbol("x"), {}, [], () => {}, new Error("x"), lookalike]) {
    assert.equal(isAddressQueryError(value), false, String(value?.name ?? value?.description ?? value));
  }
});

test("create returns an error with these details", () => {
  const cause = new Error("reset");
  const error = AddressQueryError.create("network", "no response", { retryable: true, resumeToken: undefined }, cause);
  assert.ok(isAddressQueryError(error));
  assert.deepEqual([error.retryable, error.cause, error.help], [true, cause, "address-query/errors.md#network"]);
  assert.equal("resumeToken" in error, false);
});

test("an error has a name, a message and details", async () => {
  const error = await expectError(listWithdrawals(createFetch(() => Promise.reject(new Error("gone")))), "network");
  assert.equal(error.name, "AddressQueryError");
  assert.match(String(error), /^AddressQueryError: no response \(gone\)/);
  const { code, url, attempts } = JSON.parse(JSON.stringify(error));
  assert.deepEqual([code, url, attempts], ["network", error.url, 1]);
});

test("the JSON of an error has its name, message and details", async () => {
  const error = await expectError(listWithdrawals(createFetch(() => new Response("{}", { status: 503 }))), "http_status");
  const { name, message, code, help, status, retryable, url, ...more } = JSON.parse(JSON.stringify({ error })).error;
  assert.deepEqual([name, code, status, retryable], ["AddressQueryError", "http_status", 503, true]);
  assert.equal(help, "address-query/errors.md#http_status");
  assert.deepEqual([message, url], [error.message, error.url]);
  assert.deepEqual(Object.keys(more), ["attempts"]);
});

test("an error has a sentence for users, by its code", async () => {
  const error = await expectError(listWithdrawals(createFetch(() => new Response("{}", { status: 503 }))), "http_status");
  assert.equal(error.userMessage, "The service failed.");
  assert.deepEqual(Object.keys(error).includes("userMessage"), false);
  const codes = readFileSync(new URL("../../pkg/errors.md", import.meta.url), "utf8").matchAll(/^## (\w+)$/gm);
  for (const [, code] of codes) assert.match(AddressQueryError.create(code, "x").userMessage, /^[A-Z].+\.$/, code);
});

test("a method that has lost its client says so", async () => {
  const client = new AddressClient({ baseUrl: BASE, fetch: createFetch() });
  const { addressTransactions, address, request, baseUrl } = client;
  const { balance, balanceMulti } = client.account;
  const { getContractCreation } = client.contract;
  const proxy = new Proxy(client, {});
  for (const call of [
    addressTransactions,
    address,
    request,
    baseUrl,
    balance,
    balanceMulti,
    getContractCreation,
    () => proxy.stats(),
  ]) {
    const error = await Promise.resolve()
      .then(() => call({ address: HASH }))
      .catch((error) => error);
    assert.deepEqual([error.code, error.parameter], ["invalid_parameter", "this"], `${call} ${error.stack}`);
  }
  const { txList } = client.account;
  const fetch = createFetch('{"status":"1","message":"OK","result":[]}');
  assert.deepEqual((await new AddressClient({ baseUrl: BASE, fetch }).account.txList.call(null, { address: HASH })).items, []);
  assert.equal(typeof txList.all, "function");
});

test("retryable is true if the same call may succeed later", async () => {
  const status = (status) => () => new Response("", { status });
  for (const [code, retryable, response] of [
    ["network", true, () => Promise.reject(new TypeError("reset"))],
    ["rate_limited", true, status(429)],
    ["http_status", true, status(503)],
    ["blocked", false, status(403)],
    ["http_status", false, status(404)],
    ["decode", true, () => new Response('{"items":[')],
    ["decode", false, () => new Response('{"items":[{}],"next_page_params":null}')],
  ]) {
    await expectError(listWithdrawals(createFetch(response)), code, { retryable });
  }
  await expectError(listWithdrawals(createFetch(ignoreAbort), { timeoutMs: 1 }), "timeout", { retryable: true });
  await expectError(listWithdrawals(createFetch(), { signal: AbortSignal.abort() }), "aborted", { retryable: false });
  await expectError(listWithdrawals(createFetch(), { resume: "x" }), "invalid_parameter", { retryable: false });
  const offline = new Loader(bind, () => Promise.reject(new TypeError("offline")));
  const client = new Client({ baseUrl: BASE, fetch: createFetch() }, offline);
  await expectError(client.addresses(), "load", { retryable: true });
});

test("the stack of an error contains the line of the call", async () => {
  const client = new AddressClient({ baseUrl: BASE, fetch: async () => new Response("", { status: 500 }), maxAttempts: 1 });
  const { account } = client;
  const calls = {
    awaited: function callerLine() {
      return client.addresses();
    },
    iterated: function callerLine() {
      return collect(client.addresses());
    },
    collected: function callerLine() {
      return client.addresses().toArray({ limit: 5 });
    },
    action: function callerLine() {
      return account.txList({ address: HASH });
    },
    "batched balance": function callerLine() {
      return Promise.all([account.balance({ address: HASH }), account.balance({ address: `0x${"1".repeat(40)}` })]);
    },
    range: function callerLine() {
      return collect(account.txList.all({ address: HASH }));
    },
    aborted: function callerLine() {
      return client.addresses({}, { signal: AbortSignal.abort() });
    },
    "wrong option": function callerLine() {
      return client.addresses({}, { timeoutMs: "x" });
    },
  };
  for (const [name, call] of Object.entries(calls)) {
    const error = await call().then(
      () => assert.fail(name),
      (error) => error,
    );
    assert.ok(error.stack.startsWith(`AddressQueryError: ${error.message}\n    at `), `${name}: ${error.stack}`);
    assert.match(error.stack, /callerLine/, name);
    assert.equal(Object.keys(error).includes("stack"), false);
  }
});

test("the stack respects Error.stackTraceLimit and Error.prepareStackTrace", async () => {
  const fail = () => expectError(listWithdrawals(createFetch(() => new Response("", { status: 500 }))), "http_status");
  const { stackTraceLimit } = Error;
  try {
    Error.stackTraceLimit = 0;
    const error = await fail();
    assert.equal(error.stack, `AddressQueryError: ${error.message}`);
    Error.stackTraceLimit = 2;
    assert.equal((await fail()).stack.split("\n    at ").length, 3);
    Error.prepareStackTrace = (_, frames) => frames;
    assert.equal(typeof (await fail()).stack, "string");
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
    delete Error.prepareStackTrace;
  }
});

test("calls that fail for the same reason have separate errors", async () => {
  const offline = new Loader(bind, () => Promise.reject(new TypeError("offline")));
  const client = new Client({ baseUrl: BASE, fetch: createFetch() }, offline);
  const [one, other] = await Promise.all([expectError(client.addresses(), "load"), expectError(client.tokenTransfers(), "load")]);
  assert.notEqual(one, other);
  assert.equal(one.cause, other.cause);
});

/** Runs a script that uses the package in a separate process. Returns its output, parsed as JSON. */
function runScript(script) {
  const source = `const { AddressClient } = await import(${JSON.stringify(new URL("../../pkg/index.js", import.meta.url))});
    const { HASH, page } = await import(${JSON.stringify(new URL("support.mjs", import.meta.url))});
    const call = (fetch = async () => new Response(page([1]))) =>
      new AddressClient({ baseUrl: "https://x.example", fetch, maxAttempts: 1 }).addressWithdrawals({ address_hash: HASH });
    const getOutcome = (call) => call.then(() => "page", (error) => error);
    ${script}`;
  return JSON.parse(execFileSync(process.execPath, ["--input-type=module", "--eval", source], { encoding: "utf8" }));
}

/** Node's own `fetch` uses WebAssembly too. The first access to one of these globals loads it. */
const HIDE_FETCH = `
  const hidden = ["Request", "Response"].map((name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)]);
  for (const [name] of hidden) Object.defineProperty(globalThis, name, { configurable: true, value: class {} });`;

test("without WebAssembly a call rejects with code load and sends nothing, and works once WebAssembly exists", () => {
  const [code, message, cause, sent, later] = runScript(`${HIDE_FETCH}
    const { WebAssembly } = globalThis;
    delete globalThis.WebAssembly;
    let sent = 0;
    const error = await getOutcome(call(() => { sent += 1; }));
    globalThis.WebAssembly = WebAssembly;
    for (const [name, descriptor] of hidden) Object.defineProperty(globalThis, name, descriptor);
    console.log(JSON.stringify([error.code, error.message, error.cause?.name, sent, await getOutcome(call())]));`);
  assert.equal(code, "load");
  assert.match(
    message,
    /^the WebAssembly module could not be loaded \(.+\); this browser does not support WebAssembly, or it is turned off: import "address-query\/compat", which needs no WebAssembly$/,
  );
  assert.deepEqual([cause, sent, later], ["ReferenceError", 0, "page"]);
});

test("the error names the remedy if the Content-Security-Policy forbids WebAssembly", () => {
  const [code, message, retryable] = runScript(`${HIDE_FETCH}
    WebAssembly.compile = async () => { throw new EvalError("Refused to compile: 'unsafe-eval' is not allowed by Content Security Policy"); };
    const error = await getOutcome(call());
    console.log(JSON.stringify([error.code, error.message, error.retryable]));`);
  assert.deepEqual([code, retryable], ["load", false]);
  assert.match(
    message,
    /add 'wasm-unsafe-eval' to its script-src, or import "address-query\/compat", which needs no WebAssembly$/,
  );
});

test("importing the package and creating a client loads no module", () => {
  const [before, after] = runScript(`
    new Response(); // loads Node's own module
    let loads = 0;
    const { compile } = WebAssembly;
    WebAssembly.compile = (...args) => (loads += 1, compile(...args));
    const list = call();
    const before = loads;
    await Promise.all([list, call(), call()]);
    console.log(JSON.stringify([before, loads]));`);
  assert.deepEqual([before, after], [0, 1]);
});
