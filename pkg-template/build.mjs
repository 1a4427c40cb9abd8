// Builds the npm package into pkg/ (`make build`): its parts into target/parts, and the entries from them.
// With --size it measures what is there, and fails over the limit (`make size`).
// With --bench it builds the package that `make bench` measures, with the decoder by itself as one more export.
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { argv, env, exit } from "node:process";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { build as bundle } from "../tests/node_modules/esbuild/lib/main.js";
import { writeModules } from "./modules.mjs";
import { notices } from "./notices.mjs";

const TEMPLATE = dirname(fileURLToPath(import.meta.url));
const ROOT = dirname(TEMPLATE);
const PKG = join(ROOT, "pkg");

// Brotli bytes of the module and the JavaScript of entry ".", together: what we aim at, and what must not be passed
// (today's size and a little air: it goes down, and up for nothing but correctness).
const TARGET = 45_000;
const LIMIT = 79_000;

const ENTRIES = ["index.js", "external.js", "slim.js", "compat.js"];
const MODULES = ["module.js", "compat-module.js"];

const { version, targetDir } = crate();
const isBench = argv.includes("--bench");
const OUT = isBench ? join(targetDir, "bench/pkg") : PKG;
const WASM = join(OUT, "client.wasm");

if (argv.includes("--size")) {
  if (measure() > LIMIT) exit(1);
} else {
  await build();
  if (!isBench) measure();
}

/** The version and the build folder, as cargo sees them. */
function crate() {
  const metadata = JSON.parse(output("cargo", "metadata", "--format-version=1", "--no-deps"));
  return { version: metadata.packages[0].version, targetDir: metadata.target_directory };
}

async function build() {
  const started = new Date();
  const work = isBench ? join(targetDir, "bench") : targetDir;
  const parts = join(work, "parts");
  // Put together aside: a build that fails leaves the last package in place.
  const stage = join(work, "package");
  for (const folder of [parts, stage]) {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
  }

  step("generated files");
  run("cargo", "run", "--bin", "generate", "--", parts);
  step("WebAssembly module");
  compile();
  step("bindings");
  await writeModules(join(targetDir, "wasm32-unknown-unknown/release/address_query.wasm"), parts, join(work, "modules"));
  step("package");
  copyTemplate(parts);
  await writeEntries(parts, stage);
  writeReadme(parts, stage);
  writeFileSync(join(stage, "THIRD-PARTY.md"), notices());
  writeManifest(stage, started);

  rmSync(OUT, { recursive: true, force: true });
  cpSync(stage, OUT, { recursive: true, preserveTimestamps: true });
}

/**
 * A panic traps and says nothing, in the standard library too, which is compiled anew for that: nobody would read its
 * messages. Whatever makes several places of one is held down, at no cost in time (`make size`, `make bench`).
 */
function compile() {
  const features = isBench ? "bench" : "js";
  const held = ["-inline-threshold=5", "-unroll-threshold=20", "-enable-pre=false", "-enable-load-pre=false"];
  const llvm = held.map((argument) => `-Cllvm-args=${argument}`);
  const flags = ["-Zunstable-options", "-Cpanic=immediate-abort", "-Zlocation-detail=none", "-Zinline-mir=no", ...llvm];
  const std = ["-Zbuild-std=std,panic_abort", "-Zbuild-std-features=optimize_for_size"];
  const unstable = { ...env, RUSTC_BOOTSTRAP: "1", CARGO_ENCODED_RUSTFLAGS: flags.join("\x1f") };
  const args = ["build", "--release", "--lib", "--features", features, "--target", "wasm32-unknown-unknown", ...std];
  execFileSync("cargo", args, { cwd: ROOT, stdio: "inherit", env: unstable });
}

function copyTemplate(parts) {
  for (const name of readdirSync(TEMPLATE)) {
    if (/\.(js|d\.ts)$/.test(name) || name === "testing") cpSync(join(TEMPLATE, name), join(parts, name), { recursive: true });
  }
  cpSync(join(ROOT, "LICENSE"), join(parts, "LICENSE"));
}

/** The scripts of the entries: each is small, and what they share is loaded once. The modules stay files of their own. */
async function writeEntries(parts, stage) {
  await bundle({
    entryPoints: ENTRIES.map((name) => join(parts, name)),
    outdir: stage,
    bundle: true,
    splitting: true,
    format: "esm",
    target: "es2022",
    minify: true,
    external: MODULES.map((name) => `./${name}`),
    chunkNames: "shared-[hash]",
    logLevel: "warning",
  });
  for (const name of readdirSync(parts)) {
    if (!name.endsWith(".js") || MODULES.includes(name)) cpSync(join(parts, name), join(stage, name), { recursive: true });
  }
}

/** The README for npm, with the generated field tables in the place of its marker. */
function writeReadme(parts, stage) {
  const marker = "<!-- fields -->";
  const tables = join(parts, "FIELDS.md");
  const [before, after, ...rest] = readFileSync(join(TEMPLATE, "README.md"), "utf8").split(marker);
  if (after === undefined || rest.length) throw new Error(`pkg-template/README.md needs the marker ${marker} exactly once`);
  writeFileSync(join(stage, "README.md"), before + readFileSync(tables, "utf8").trim() + after);
  rmSync(join(stage, "FIELDS.md"));
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
  const row = (name, cells) => console.log(name.padEnd(24) + cells.map((cell) => String(cell).padStart(10)).join(""));
  console.log();
  row(`bytes, ${version}`, ["raw", "gzip", "brotli"]);
  const wasm = sizes([WASM]);
  row("client.wasm", wasm);
  const { exports } = JSON.parse(readFileSync(join(PKG, "package.json"), "utf8"));
  for (const [name, { default: file }] of Object.entries(exports)) {
    if (!/^\.\/\w+\.js$/.test(file)) continue;
    row(`scripts of ${name}`, sizes(imports(join(PKG, file))));
  }

  // The module counts as it is, not as the text that one entry holds it in.
  const scripts = sizes(imports(join(PKG, "index.js")).filter((path) => path !== join(PKG, "module.js")));
  const sum = wasm.map((size, column) => size + scripts[column]);
  row("client.wasm and scripts", sum);
  const bytes = sum[2];
  const verdict = bytes > LIMIT ? "OVER THE LIMIT" : bytes > TARGET ? "over the target, within the limit" : "within the target";
  console.log(`client.wasm and scripts: ${bytes} bytes of brotli, ${verdict} (target ${TARGET}, limit ${LIMIT})`);
  return bytes;
}

/** Every file an entry loads, itself included. */
function imports(entry, found = new Set()) {
  if (found.has(entry)) return [...found];
  found.add(entry);
  if (MODULES.includes(basename(entry))) return [...found];
  for (const [, path] of readFileSync(entry, "utf8").matchAll(/\b(?:import|from)\s*["'](\.[^"']+)["']/g)) {
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
