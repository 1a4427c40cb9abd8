// User mistakes: each is a compile error, an error that names the parameter, or documented. mistakes.mjs lists them.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import * as approvalsEntry from "../../pkg/approvals/index.js";
import * as estimateEntry from "../../pkg/estimate/index.js";
import * as historyEntry from "../../pkg/history/index.js";
import * as mainEntry from "../../pkg/index.js";
import * as namesEntry from "../../pkg/names/index.js";
import * as portfolioEntry from "../../pkg/portfolio/index.js";
import * as proxyEntry from "../../pkg/proxy/index.js";
import * as queryEntry from "../../pkg/query/index.js";
import * as storeEntry from "../../pkg/store/index.js";
import { createSampleService } from "../../pkg/testing/index.js";
import { ROOT } from "../documents.mjs";
import { MISTAKES } from "./mistakes.mjs";

const OUT = join(ROOT, "target/mistakes");
const TSC = join(ROOT, "tests/node_modules/typescript-6/bin/tsc");
/** The entries, whose functions the code can call. */
const ENTRIES = {
  "address-query": mainEntry,
  "address-query/approvals": approvalsEntry,
  "address-query/estimate": estimateEntry,
  "address-query/history": historyEntry,
  "address-query/names": namesEntry,
  "address-query/portfolio": portfolioEntry,
  "address-query/proxy": proxyEntry,
  "address-query/query": queryEntry,
  "address-query/store": storeEntry,
};
const DECLARATIONS = `
declare const client: AddressClient;
declare const checked: AddressClient;
declare const info: import("address-query").AddressInfo;
declare const holding: import("address-query").TokenBalance;
declare const [address_hash, address, other, wrongChecksum, transaction_hash, baseUrl]: string[] & Record<number, string>;
declare function read(records: AsyncIterable<unknown>): Promise<void>;
declare function text(stream: ReadableStream<Uint8Array>): Promise<string>;
declare function run(query: { queryFn(context: { signal: AbortSignal; pageParam: string | null }): Promise<unknown> }): Promise<unknown>;
declare function useString(value: string): void;
declare function useNumber(value: \`\${number}\`): void;
`;
/** Errors of the test code itself: invalid syntax, or a name that does not exist. */
const BROKEN = /error TS(1\d{3}|2304|2305|2307|2552|2724): /;

const service = createSampleService();
const VALUES = createValues();

function createValues() {
  const baseUrl = "https://sample.invalid";
  const create = (options) => new mainEntry.AddressClient({ baseUrl, fetch: service.fetch, maxPerSecond: 1000, ...options });
  const address_hash = service.addresses.find(({ id }) => id === "hub").hash;
  const [transaction] = service.getAllItems(`/addresses/${address_hash}/transactions`);
  return {
    client: create(),
    checked: create({ checkParams: mainEntry.requireChecksums() }),
    info: { coin_balance: "1", exchange_rate: "2" },
    holding: { value: "1", token: { decimals: "18" } },
    address_hash,
    address: address_hash,
    other: `0x${"12".repeat(20)}`,
    wrongChecksum: `0x${address_hash.slice(2).replace(/[a-f]/i, (letter) => (letter < "a" ? letter.toLowerCase() : letter.toUpperCase()))}`,
    transaction_hash: transaction.hash,
    baseUrl,
    fetch: service.fetch,
    read: async (records) => (await records[Symbol.asyncIterator]().next()).value,
    text: (stream) => new Response(stream).text(),
    run: ({ queryFn }) => queryFn({ signal: new AbortController().signal, pageParam: null }),
    useString: () => {},
    useNumber: () => {},
  };
}

/** Compiles the code of each mistake as a file. Returns the compiler's messages for each. */
function compile() {
  rmSync(OUT, { recursive: true, force: true });
  mkdirSync(join(OUT, "node_modules"), { recursive: true });
  symlinkSync(join(ROOT, "pkg"), join(OUT, "node_modules/address-query"));
  writeFileSync(join(OUT, "package.json"), JSON.stringify({ private: true, type: "module" }));
  const imports = Object.entries(ENTRIES).map(([name, entry]) => `import { ${Object.keys(entry).join(", ")} } from "${name}";\n`);
  for (const [index, [, code]] of MISTAKES.entries()) {
    writeFileSync(join(OUT, `${index}.ts`), `${imports.join("")}${DECLARATIONS}export async function make() {\n${code}\n}\n`);
  }
  const lib = ["ES2022", "DOM", "DOM.Iterable", "DOM.AsyncIterable"];
  const compilerOptions = {
    strict: true,
    noEmit: true,
    target: "es2022",
    module: "es2022",
    moduleResolution: "bundler",
    lib,
    types: [],
  };
  writeFileSync(join(OUT, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["*.ts"] }));
  const { stdout, stderr } = spawnSync(process.execPath, [TSC, "-p", OUT, "--pretty", "false"], { cwd: OUT, encoding: "utf8" });
  assert.equal(stderr, "");
  const messages = MISTAKES.map(() => []);
  for (const [line, index] of stdout.matchAll(/^(\d+)\.ts\(.*$/gm)) messages[index].push(line);
  return messages;
}

/** Runs the code of a mistake. */
function run(code) {
  const scope = Object.assign({}, VALUES, ...Object.values(ENTRIES));
  const AsyncFunction = (async () => {}).constructor;
  return new AsyncFunction(...Object.keys(scope), code)(...Object.values(scope));
}

test("there are at least ninety mistakes, and the only silent ones are sums and comparisons of strings", () => {
  assert.ok(MISTAKES.length >= 90);
  assert.equal(new Set(MISTAKES.map(([title]) => title)).size, MISTAKES.length);
  const silent = MISTAKES.filter(([, , { silent }]) => silent).map(([title]) => title);
  assert.deepEqual(silent, ["adding strings", "comparing addresses with ==="]);
  for (const [title, , { compile, error, harmless, silent }] of MISTAKES)
    assert.ok(compile || error || harmless || silent, `${title} has no outcome`);
});

test("TypeScript rejects what the types can express, and accepts the rest", () => {
  const messages = compile();
  const wrong = MISTAKES.flatMap(([title, , { compile = false }], index) => {
    const found = messages[index];
    return found.length > 0 === compile && !found.some((line) => BROKEN.test(line)) ? [] : [[title, found]];
  });
  assert.deepEqual(wrong, []);
});

for (const [title, code, { error: parameter, harmless, silent }] of MISTAKES) {
  if (parameter === undefined && !harmless && !silent) continue;
  test(`${title}: ${parameter === undefined ? (harmless ?? "silent") : `an error that names ${parameter}`}`, async () => {
    const result = await run(code).catch((error) => error);
    if (parameter === undefined) return assert.equal(result, true);
    // The proxy, which does not contain the client, throws a TypeError that begins with the name.
    if (result?.name === "TypeError") return assert.match(result.message, new RegExp(`^${parameter}: `));
    assert.deepEqual([result?.name, result?.code, result?.parameter], ["AddressQueryError", "invalid_parameter", parameter]);
  });
}
