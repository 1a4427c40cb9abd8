// Builds the npm package into pkg/ (`make build`).
// With --size it measures what is there, and fails over the limit (`make size`).
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { argv, env, execPath, exit } from "node:process";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

const TEMPLATE = dirname(fileURLToPath(import.meta.url));
const ROOT = dirname(TEMPLATE);
const PKG = join(ROOT, "pkg");

// Brotli bytes of the module and the JavaScript of entry ".", together: what we aim at, and what must not be passed
// (today's size and a little air: it only ever goes down).
const TARGET = 45_000;
const LIMIT = 130_000;

// What every browser with WebAssembly of the last years has. Named one by one: --all-features would let wasm-opt use more.
const FEATURES = ["bulk-memory", "multivalue", "mutable-globals", "nontrapping-float-to-int", "reference-types", "sign-ext"];

const { version, targetDir } = crate();
const WASM = join(targetDir, "address_query.wasm");

if (argv.includes("--size")) {
  if (measure() > LIMIT) exit(1);
} else {
  build();
  measure();
}

/** The version and the build folder, as cargo sees them. */
function crate() {
  const metadata = JSON.parse(output("cargo", "metadata", "--format-version=1", "--no-deps"));
  return { version: metadata.packages[0].version, targetDir: metadata.target_directory };
}

function build() {
  const started = new Date();
  // Put together aside: a build that fails leaves the last package in place.
  const stage = join(targetDir, "package");
  rmSync(stage, { recursive: true, force: true });
  mkdirSync(stage, { recursive: true });

  step("generated files");
  run("cargo", "run", "--bin", "generate", "--", stage);
  step("WebAssembly module");
  // Panic messages hold paths of sources: without this, those of the machine that built the package.
  const cargoHome = env.CARGO_HOME ?? join(homedir(), ".cargo");
  env.CARGO_ENCODED_RUSTFLAGS = `--remap-path-prefix=${cargoHome}=cargo`;
  run("cargo", "build", "--release", "--lib", "--features", "js", "--target", "wasm32-unknown-unknown");
  delete env.CARGO_ENCODED_RUSTFLAGS;
  step("bindings");
  bind(stage);
  step("package");
  copyTemplate(stage);
  writeReadme(stage);
  writeManifest(stage, started);

  rmSync(PKG, { recursive: true, force: true });
  cpSync(stage, PKG, { recursive: true, preserveTimestamps: true });
}

/** Writes bindings.js and module.js (the optimised module as text: no second request, nothing to configure). */
function bind(stage) {
  const compiled = join(targetDir, "wasm32-unknown-unknown", "release", "address_query.wasm");
  const out = join(targetDir, "wasm-bindgen");
  rmSync(out, { recursive: true, force: true });
  run("wasm-bindgen", compiled, "--target=web", "--omit-default-module-path", "--no-typescript", "--out-dir", out, "--out-name=wasm");
  if (existsSync(join(out, "snippets"))) throw new Error("inline JS snippets would not be packed; use raw_module");

  run(
    execPath,
    join(ROOT, "tests/node_modules/binaryen/bin/wasm-opt"),
    join(out, "wasm_bg.wasm"),
    "-O3",
    ...FEATURES.map((feature) => `--enable-${feature}`),
    ...["debug", "producers", "target-features"].map((section) => `--strip-${section}`),
    "--output",
    WASM,
  );
  writeFileSync(join(stage, "bindings.js"), asFunction(readFileSync(join(out, "wasm.js"), "utf8")));
  writeFileSync(
    join(stage, "module.js"),
    `// The WebAssembly module. Generated.\nexport const base64 =\n  "${readFileSync(WASM).toString("base64")}";\n`,
  );
}

/**
 * The bindings as a function. wasm-bindgen keeps their state in the module's scope, for one instance for ever; here each call
 * has a state of its own, and what is left of an instance that broke cannot reach the next one.
 */
function asFunction(source) {
  // What follows fetches and compiles: that is the loader's.
  const [body, unused] = source.split(/^async function __wbg_load\(/m);
  const lines = body.split("\n");
  const imports = lines.filter((line) => line.startsWith("import "));
  const code = lines.filter((line) => !line.startsWith("import ")).map((line) => line.replace(/^export class /, "class "));
  if (unused === undefined || code.some((line) => /^(import|export)\b/.test(line))) {
    throw new Error("wasm-bindgen writes its bindings differently now");
  }
  return [
    ...imports,
    "export function bind() {",
    ...code,
    "return { imports: __wbg_get_imports(), start: __wbg_finalize_init, classes: { Session } };",
    "}",
    "",
  ].join("\n");
}

function copyTemplate(stage) {
  for (const name of readdirSync(TEMPLATE)) {
    if (/\.(js|d\.ts)$/.test(name) || name === "testing") cpSync(join(TEMPLATE, name), join(stage, name), { recursive: true });
  }
  cpSync(join(ROOT, "LICENSE"), join(stage, "LICENSE"));
}

/** The README for npm, with the generated field tables in the place of its marker. */
function writeReadme(stage) {
  const marker = "<!-- fields -->";
  const tables = join(stage, "FIELDS.md");
  const [before, after, ...rest] = readFileSync(join(TEMPLATE, "README.md"), "utf8").split(marker);
  if (after === undefined || rest.length) throw new Error(`pkg-template/README.md needs the marker ${marker} exactly once`);
  writeFileSync(join(stage, "README.md"), before + readFileSync(tables, "utf8").trim() + after);
  rmSync(tables);
}

/** Dated at the start of the build: make then sees a source edited meanwhile as newer. */
function writeManifest(stage, started) {
  const manifest = join(stage, "package.json");
  const template = JSON.parse(readFileSync(join(TEMPLATE, "package.json"), "utf8"));
  writeFileSync(manifest, `${JSON.stringify({ ...template, version }, null, 2)}\n`);
  utimesSync(manifest, started, started);
}

/** Prints the table of sizes and returns the bytes the budget is about. */
function measure() {
  const modules = imports(join(PKG, "index.js"));
  const wasm = ["module (.wasm)", sizes([WASM])];
  const scripts = ["scripts of entry .", sizes(modules.filter((path) => path !== join(PKG, "module.js")))];
  const sum = ["module and scripts", wasm[1].map((size, column) => size + scripts[1][column])];
  const inlined = ["module.js (base64)", sizes([join(PKG, "module.js")])];

  const row = (name, cells) => console.log(name.padEnd(20) + cells.map((cell) => String(cell).padStart(10)).join(""));
  console.log();
  row(`bytes, ${version}`, ["raw", "gzip", "brotli"]);
  for (const [name, cells] of [wasm, scripts, sum, inlined]) row(name, cells);

  const bytes = sum[1][2];
  const verdict = bytes > LIMIT ? "OVER THE LIMIT" : bytes > TARGET ? "over the target, within the limit" : "within the target";
  console.log(`module and scripts: ${bytes} bytes of brotli, ${verdict} (target ${TARGET}, limit ${LIMIT})`);
  return bytes;
}

/** Every file an entry loads, itself included. */
function imports(entry, found = new Set()) {
  if (found.has(entry)) return [...found];
  found.add(entry);
  for (const [, path] of readFileSync(entry, "utf8").matchAll(/^\s*(?:import|export|\})[^"'`;]*["'](\.[^"']+)["']/gm)) {
    imports(join(dirname(entry), path), found);
  }
  return [...found];
}

/** Raw, gzip and brotli bytes, each file compressed by itself as a server sends it. */
function sizes(paths) {
  const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } };
  const ways = [(bytes) => bytes, (bytes) => gzipSync(bytes, { level: 9 }), (bytes) => brotliCompressSync(bytes, brotli)];
  const files = paths.map((path) => readFileSync(path));
  return ways.map((way) => files.reduce((sum, bytes) => sum + way(bytes).length, 0));
}

function step(name) {
  console.log(`-- ${name}`);
}

function run(program, ...args) {
  execFileSync(program, args, { cwd: ROOT, stdio: "inherit" });
}

function output(program, ...args) {
  return execFileSync(program, args, { cwd: ROOT, encoding: "utf8", maxBuffer: 1 << 26 });
}
