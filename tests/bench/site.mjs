// Creates the site that the page and Node load: the bundle of contenders, the payloads, and the package under test.
//
// `make bench` creates the inputs before: the package with the decoder exported (target/bench/pkg), the Rust contenders
// (target/bench/cargo) and the declarations of all records (target/bench/tables.json).
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { execPath } from "node:process";
import { fileURLToPath } from "node:url";
import { brotliCompressSync } from "node:zlib";
import { build } from "esbuild";
import { createPayloads, createTransactionList } from "./payloads.mjs";
import { collectMemberNames, collectNestedRecords, resolveNames } from "./schemas/derive.mjs";
import { createHandWrittenChecks } from "./schemas/hand-written.mjs";

const resolvePath = (path) => fileURLToPath(new URL(path, import.meta.url));
export const TARGET = resolvePath("../../target/bench/");
export const SITE = `${TARGET}site/`;
export const SIZES = [50, 100, 200, 500, 1000, 2000, 5000, 10_000];
/** One less than the result window of 10,000 rows: the client knows that no rows are missing and needs no second request. */
export const STREAMED_ROWS = 9_999;
export const COLD_STARTS = ["fetch", "zod", "ethers", "viem", "address-query"];
const WASM_FEATURES = ["bulk-memory", "multivalue", "mutable-globals", "nontrapping-float-to-int", "reference-types", "sign-ext"];

/** Creates the site; returns the descriptions of its payloads. */
export async function createSite() {
  rmSync(SITE, { recursive: true, force: true });
  for (const folder of ["payloads", "rust", "cold"]) mkdirSync(SITE + folder, { recursive: true });
  writeFileSync(`${SITE}index.html`, '<!doctype html><meta charset="utf-8"><title>Benchmark</title>\n');
  // The package, and its parts, because no entry point exports the decoder.
  for (const folder of ["pkg", "parts"]) cpSync(TARGET + folder, SITE + folder, { recursive: true });
  buildRustContenders();

  const tables = JSON.parse(readFileSync(`${TARGET}tables.json`, "utf8"));
  const payloads = await createPayloads();
  const memberNames = {};
  for (const { record, rows, json } of payloads)
    for (const row of JSON.parse(json)[rows]) collectMemberNames(tables, record, row, memberNames);
  const records = resolveNames(tables, memberNames);
  const descriptions = payloads.map(({ json, ...payload }, i) => {
    writeFileSync(`${SITE}payloads/${i}.json`, json);
    return { ...payload, file: `${i}.json` };
  });
  for (const size of [...SIZES, STREAMED_ROWS]) {
    writeFileSync(`${SITE}payloads/rows-${size}.json`, JSON.stringify(await createTransactionList(size)));
  }
  writeFileSync(`${SITE}payloads.json`, JSON.stringify(descriptions));
  writeFileSync(`${SITE}tables.json`, JSON.stringify(tables));
  writeFileSync(`${SITE}records.json`, JSON.stringify(records));
  writeFileSync(`${SITE}hand-written.js`, createHandWrittenChecks(records));

  await bundle({ entryPoints: [resolvePath("page/index.mjs")], outfile: `${SITE}bench.js`, minify: false });
  await bundleColdStarts(collectNestedRecords(records, "TokenTransfer"));
  return { payloads: descriptions };
}

/** Builds one script per cold start contender, as an app would bundle it, compressed as a server would send it. */
async function bundleColdStarts(records) {
  const recordsPlugin = {
    name: "records",
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^bench:records$/ }, () => ({ path: "records", namespace: "bench" }));
      onLoad({ filter: /.*/, namespace: "bench" }, () => ({ contents: JSON.stringify(records), loader: "json" }));
    },
  };
  const entryPoints = COLD_STARTS.map((name) => resolvePath(`cold/${name}.mjs`));
  await bundle({ entryPoints, outdir: `${SITE}cold`, plugins: [recordsPlugin] });
  for (const name of COLD_STARTS) {
    const path = `${SITE}cold/${name}.js`;
    writeFileSync(path, brotliCompressSync(readFileSync(path)));
  }
}

const bundle = (options) =>
  build({ bundle: true, format: "esm", minify: true, target: "es2022", legalComments: "none", logLevel: "warning", ...options });

/** Creates bindings for the Rust contenders and optimizes their module, with the same options as for the package. */
function buildRustContenders() {
  const compiled = `${TARGET}cargo/wasm32-unknown-unknown/release/address_query_bench.wasm`;
  execFileSync("wasm-bindgen", [
    compiled,
    "--target=web",
    "--omit-default-module-path",
    "--no-typescript",
    `--out-dir=${SITE}rust`,
    "--out-name=wasm",
  ]);
  const module = `${SITE}rust/wasm_bg.wasm`;
  const features = WASM_FEATURES.map((feature) => `--enable-${feature}`);
  execFileSync(execPath, [
    resolvePath("../../pkg-template/build/node_modules/binaryen/bin/wasm-opt"),
    module,
    "-O3",
    ...features,
    "-o",
    module,
  ]);
}
