// Runtimes that lack classes or timers, each imitated in a process: Hermes, and Cloudflare Workers during startup.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { execPath } from "node:process";
import { test } from "node:test";

const PAGE = '{"items":[{"index":7,"validator_index":1,"amount":"1"}],"next_page_params":null,"note":"é€😀"}';

/** Runs a script in another process without these globals; returns what it prints, parsed. */
function run(entry, missing, script) {
  const source = `
    // As in React Native, bodies have no streams. Node's own classes need the globals that are deleted.
    globalThis.Request = class {
      constructor(url, { method = "GET", signal } = {}) {
        Object.assign(this, { url, method, signal, headers: [] });
      }
    };
    globalThis.Response = class {
      status = 200;
      headers = { get: () => null };
      constructor(text) {
        this.arrayBuffer = async () => new TextEncoder().encode(text).buffer;
      }
    };
    for (const name of ${JSON.stringify(missing)}) delete globalThis[name];
    const PAGE = ${JSON.stringify(PAGE)};
    const entry = await import(${JSON.stringify(new URL(`../../pkg/${entry}.js`, import.meta.url).href)});
    const call = async (options) => {
      const client = new entry.AddressClient({ baseUrl: "https://x.invalid", fetch: async () => new Response(PAGE), ...options });
      return await client.addressWithdrawals({ address_hash: "0x" + "a1".repeat(20) }).catch((error) => error);
    };
    ${script}`;
  return JSON.parse(execFileSync(execPath, ["--input-type=module", "--eval", source], { encoding: "utf8" }));
}

const READ = `
  const events = [];
  const { items } = await call({ onEvent: ({ kind }) => events.push(kind) });
  const client = new entry.AddressClient({ baseUrl: "https://x.invalid", fetch: async () => new Response(PAGE) });
  const json = await client.request("/any");
  console.log(JSON.stringify([items[0].index, json.note, events]));`;

for (const [entry, missing] of [
  ["compat", ["WebAssembly", "FinalizationRegistry", "WeakRef", "TextDecoder"]],
  ["compat", ["WebAssembly", "FinalizationRegistry"]],
  ["compat", ["WebAssembly", "WeakRef"]],
  ["index", ["FinalizationRegistry", "WeakRef"]],
]) {
  test(`./${entry} works without ${missing.join(", ")}`, () => {
    assert.deepEqual(run(entry, missing, READ), [7, "é€😀", ["request", "response"]]);
  });
}

test("init uses no timer and no random number, and later calls work", () => {
  const script = `
    import { readFileSync } from "node:fs";
    const { setTimeout } = globalThis;
    const { random } = Math;
    let count = 0;
    Math.random = globalThis.setTimeout = () => { count += 1; throw new Error("Disallowed operation called within global scope"); };
    const module = await WebAssembly.compile(readFileSync(new URL(${JSON.stringify(new URL("../../pkg/client.wasm", import.meta.url))})));
    await entry.init({ module });
    Math.random = random;
    globalThis.setTimeout = setTimeout;
    console.log(JSON.stringify([count, (await call()).items[0].index]));`;
  assert.deepEqual(run("slim", [], script), [0, 7]);
});

for (const [reason, expected, setup = ""] of [
  ["RangeError: WebAssembly.instantiate(): Out of memory", /too little memory for WebAssembly: import "address-query\/compat"/],
  ["TypeError: Failed to construct 'URL': Invalid URL", /import "address-query", which includes the module/],
  ["TypeError: ./client.wasm is not a valid URL.", /import "address-query", which includes the module/],
  [
    "CompileError: WebAssembly.compile(): Wasm code generation disallowed by embedder",
    /pass it to init of "address-query\/slim"/,
    "globalThis.WebSocketPair = class {};",
  ],
  ["ReferenceError: Something is not defined", /report this error .+ and import "address-query\/compat"/],
]) {
  test(`names the entry to use after "${reason}"`, () => {
    const [name, message] = reason.split(/: (.*)/);
    const script = `
      ${setup}
      const error = Object.assign(new Error(${JSON.stringify(message)}), { name: ${JSON.stringify(name)} });
      WebAssembly.compile = async () => { throw error; };
      const { code, message, retryable } = await call();
      console.log(JSON.stringify([code, message, retryable]));`;
    const [code, text, retryable] = run("index", [], script);
    assert.deepEqual([code, retryable], ["load", false]);
    assert.match(text, expected);
    assert.doesNotMatch(text, /try again/);
  });
}
