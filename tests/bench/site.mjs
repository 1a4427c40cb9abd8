// Puts together what the page and Node load: contenders in one bundle, answers, the package under measurement.
//
// `make bench` has built before: the package with the decoder's export (target/bench/pkg), the Rust contenders
// (target/bench/cargo), the declarations (target/bench/tables.json).
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { execPath } from "node:process";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { payloads, transactions } from "./payloads.mjs";
import { note, reachable, spelled } from "./schemas/derive.mjs";
import { plainChecks } from "./schemas/plain.mjs";

const at = (path) => fileURLToPath(new URL(path, import.meta.url));
export const TARGET = at("../../target/bench/");
export const SITE = `${TARGET}site/`;
export const SIZES = [50, 100, 200, 500, 1000, 2000, 5000, 10_000];
/** A full range of blocks that is read in one window: the service gives out 10,000 rows, and fewer are all. */
export const STREAMED = 9_999;
const FEATURES = ["bulk-memory", "multivalue", "mutable-globals", "nontrapping-float-to-int", "reference-types", "sign-ext"];

export async function makeSite() {
  rmSync(SITE, { recursive: true, force: true });
  for (const folder of ["payloads", "rust", "cold"]) mkdirSync(SITE + folder, { recursive: true });
  writeFileSync(`${SITE}index.html`, "<!doctype html><meta charset=\"utf-8\"><title>Benchmark</title>\n");
  // The package as it is, and its parts: the decoder by itself is none of its entries.
  for (const folder of ["pkg", "parts"]) cpSync(TARGET + folder, SITE + folder, { recursive: true });
  rust();

  const tables = JSON.parse(readFileSync(`${TARGET}tables.json`, "utf8"));
  const answers = await payloads();
  const seen = {};
  for (const { record, rows, text } of answers) for (const row of JSON.parse(text)[rows]) note(tables, record, row, seen);
  const records = spelled(tables, seen);
  const listed = answers.map(({ text, ...payload }, i) => {
    writeFileSync(`${SITE}payloads/${i}.json`, text);
    return { ...payload, file: `${i}.json` };
  });
  for (const size of [...SIZES, STREAMED]) {
    writeFileSync(`${SITE}payloads/rows-${size}.json`, JSON.stringify(await transactions(size)));
  }
  writeFileSync(`${SITE}payloads.json`, JSON.stringify(listed));
  writeFileSync(`${SITE}tables.json`, JSON.stringify(tables));
  writeFileSync(`${SITE}records.json`, JSON.stringify(records));
  writeFileSync(`${SITE}plain.js`, plainChecks(records));

  await bundle({ entryPoints: [at("page/index.mjs")], outfile: `${SITE}bench.js`, minify: false });
  await coldStarts(reachable(records, "TokenTransfer"));
  return { payloads: listed };
}

/** One script for each way to a first record, as an app would bundle it. */
function coldStarts(records) {
  const given = {
    name: "records",
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^bench:records$/ }, () => ({ path: "records", namespace: "bench" }));
      onLoad({ filter: /.*/, namespace: "bench" }, () => ({ contents: JSON.stringify(records), loader: "json" }));
    },
  };
  const entryPoints = ["fetch", "zod", "ours"].map((name) => at(`cold/${name}.mjs`));
  return bundle({ entryPoints, outdir: `${SITE}cold`, plugins: [given] });
}

export const bundle = (options) =>
  build({ bundle: true, format: "esm", minify: true, target: "es2022", legalComments: "none", logLevel: "warning", ...options });

/** The Rust contenders, with the bindings and optimisation of the package's own module. */
function rust() {
  const compiled = `${TARGET}cargo/wasm32-unknown-unknown/release/address_query_bench.wasm`;
  execFileSync("wasm-bindgen", [compiled, "--target=web", "--omit-default-module-path", "--no-typescript", `--out-dir=${SITE}rust`, "--out-name=wasm"]);
  const module = `${SITE}rust/wasm_bg.wasm`;
  execFileSync(execPath, [at("../node_modules/binaryen/bin/wasm-opt"), module, "-O3", ...FEATURES.map((feature) => `--enable-${feature}`), "-o", module]);
}
