// Builds the npm package into pkg/ (`make build`). It collects the unbundled files in target/parts and bundles the entries.
// With --size it prints the size of the built package, and fails above the limit (`make size`).
// With --bench it builds the package that `make bench` measures, which also exports the decoder for use without a client.
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { argv, env, execPath, exit } from "node:process";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { build as bundle } from "../../tests/node_modules/esbuild/lib/main.js";
import { writeModules } from "./modules.mjs";
import { createNotices } from "./notices.mjs";

const TEMPLATE = dirname(dirname(fileURLToPath(import.meta.url)));
const ROOT = dirname(TEMPLATE);
const PKG = join(ROOT, "pkg");
// tsconfig.json refers to these folders.
const GENERATED = join(ROOT, "target/generated");
const COMPILED = join(ROOT, "target/compiled");
const TSC = join(ROOT, "tests/node_modules/typescript/bin/tsc");

// The size of client.wasm and the JavaScript of entry ".", in bytes of brotli: the target, and the limit for `make size`.
// The limit is the current size plus a small reserve. Lower it when the size falls, and raise it only for correctness.
const TARGET = 66_000;
const LIMIT = 78_786;

const ENTRIES = ["index.js", "external.js", "slim.js", "compat.js"];
const MODULES = ["module.js", "compat-module.js"];

const { version, repository, targetDir } = readCrate();
const isBench = argv.includes("--bench");
const OUT = isBench ? join(targetDir, "bench/pkg") : PKG;
const WASM = join(OUT, "client.wasm");

if (argv.includes("--size")) {
  if (printSizes() > LIMIT) exit(1);
} else {
  await build();
  if (!isBench) printSizes();
}

/** Returns the version of the crate and cargo's build folder. */
function readCrate() {
  const metadata = JSON.parse(readOutput("cargo", "metadata", "--format-version=1", "--no-deps"));
  const [{ version, repository }] = metadata.packages;
  return { version, repository, targetDir: metadata.target_directory };
}

async function build() {
  const started = new Date();
  const work = isBench ? join(targetDir, "bench") : targetDir;
  const parts = join(work, "parts");
  // A build that fails leaves the last package in place.
  const stage = join(work, "package");
  emptyFolder(parts);
  emptyFolder(stage);

  printStep("generated files");
  emptyFolder(GENERATED);
  run("cargo", "run", "--bin", "generate", "--", GENERATED);
  printStep("TypeScript sources");
  compileSources();
  printStep("WebAssembly module");
  compile();
  printStep("bindings");
  await writeModules(join(targetDir, "wasm32-unknown-unknown/release/address_query.wasm"), parts, join(work, "modules"));
  printStep("package");
  collectParts(parts);
  await writeEntries(parts, stage);
  copyDeclarations(parts, stage);
  writeReadme(parts, stage);
  writeFileSync(join(stage, "THIRD-PARTY.md"), createNotices());
  writeManifest(stage, started);

  rmSync(OUT, { recursive: true, force: true });
  cpSync(stage, OUT, { recursive: true, preserveTimestamps: true });
}

/** Checks the TypeScript sources, and compiles them to JavaScript and declarations. */
function compileSources() {
  emptyFolder(COMPILED);
  run(execPath, TSC, "--project", TEMPLATE);
}

/**
 * Compiles the WebAssembly module for small size. Panics trap without a message. The standard library is compiled from source,
 * so that its panics do so too. Optimisations that duplicate code are limited: `make bench` measured no loss of speed.
 */
function compile() {
  const features = isBench ? "bench" : "js";
  const limits = [
    "-inline-threshold=5",
    "-unroll-threshold=20",
    "-unroll-runtime=false",
    "-unroll-allow-partial=false",
    "-rotation-max-header-size=0",
    "-disable-lsr",
    "-enable-pre=false",
    "-enable-load-pre=false",
  ];
  const llvm = limits.map((argument) => `-Cllvm-args=${argument}`);
  const flags = ["-Zunstable-options", "-Cpanic=immediate-abort", "-Zlocation-detail=none", "-Zinline-mir=no", ...llvm];
  const std = ["-Zbuild-std=std,panic_abort", "-Zbuild-std-features=optimize_for_size"];
  const unstable = { ...env, RUSTC_BOOTSTRAP: "1", CARGO_ENCODED_RUSTFLAGS: flags.join("\x1f") };
  const args = ["build", "--release", "--lib", "--features", features, "--target", "wasm32-unknown-unknown", ...std];
  execFileSync("cargo", args, { cwd: ROOT, stdio: "inherit", env: unstable });
}

/** Collects the files of the package in one folder. Rust and the generated files import the runtime's files from their own folder. */
function collectParts(parts) {
  const compiled = join(COMPILED, relative(ROOT, TEMPLATE));
  for (const folder of ["runtime", "typings"]) copyFiles(join(TEMPLATE, folder), parts);
  copyFiles(join(TEMPLATE, "testing"), join(parts, "testing"));
  copyFiles(join(compiled, "runtime"), parts);
  copyFiles(join(compiled, "testing"), join(parts, "testing"));
  copyFiles(GENERATED, parts);
  copyFiles(join(COMPILED, relative(ROOT, GENERATED)), parts);
  cpSync(join(ROOT, "LICENSE"), join(parts, "LICENSE"));
}

/** Copies the files of a folder, if it exists, without TypeScript sources. */
function copyFiles(from, to) {
  const isSource = (path) => path.endsWith(".ts") && !path.endsWith(".d.ts");
  if (existsSync(from)) cpSync(from, to, { recursive: true, filter: (path) => !isSource(path) });
}

/** Bundles each entry into one script, since a page loads one entry. The WebAssembly module, in each of its forms, stays a separate file. */
async function writeEntries(parts, stage) {
  await bundle({
    entryPoints: ENTRIES.map((name) => join(parts, name)),
    outdir: stage,
    bundle: true,
    format: "esm",
    target: "es2022",
    minify: true,
    external: MODULES.map((name) => `./${name}`),
    logLevel: "warning",
  });
  // The sample service stays readable. Its libraries are development dependencies, so they are bundled.
  await bundle({
    entryPoints: [join(parts, "testing/index.js")],
    outdir: join(stage, "testing"),
    bundle: true,
    format: "esm",
    target: "es2022",
    charset: "utf8",
    nodePaths: [join(ROOT, "tests/node_modules")],
    logLevel: "warning",
  });
  const isPublished = (name) => name !== "testing" && (!/\.[jt]s$/.test(name) || MODULES.includes(name));
  for (const name of readdirSync(parts).filter(isPublished)) {
    cpSync(join(parts, name), join(stage, name), { recursive: true, filter: (path) => !path.endsWith(".d.ts") });
  }
}

/** Copies the declarations of the entries, and those that they import. Declarations of internal files are not published. */
function copyDeclarations(parts, stage) {
  const { exports } = JSON.parse(readFileSync(join(TEMPLATE, "package.json"), "utf8"));
  const found = new Set();
  for (const { types } of Object.values(exports)) if (types !== undefined) findImports(join(parts, types), found);
  for (const path of found) cpSync(path, join(stage, relative(parts, path)));
}

/** Writes the README for npm, with the generated tables in place of its marker. */
function writeReadme(parts, stage) {
  const marker = "<!-- fields -->";
  const tables = join(parts, "FIELDS.md");
  const [before, after, ...rest] = readFileSync(join(TEMPLATE, "README.md"), "utf8").split(marker);
  if (after === undefined || rest.length) throw new Error(`pkg-template/README.md needs the marker ${marker} exactly once`);
  writeFileSync(join(stage, "README.md"), before + readFileSync(tables, "utf8").trim() + after);
  rmSync(join(stage, "FIELDS.md"));
}

/** Writes package.json, dated to the start of the build. For make, sources that were edited during the build are then newer. */
function writeManifest(stage, started) {
  const manifest = join(stage, "package.json");
  const template = JSON.parse(readFileSync(join(TEMPLATE, "package.json"), "utf8"));
  const links = {
    homepage: `${repository}#readme`,
    repository: { type: "git", url: `git+${repository}.git` },
    bugs: { url: `${repository}/issues` },
  };
  writeFileSync(manifest, `${JSON.stringify({ ...template, version, ...links }, null, 2)}\n`);
  utimesSync(manifest, started, started);
}

/** Prints the table of sizes. Returns the number of bytes to compare with the limit. */
function printSizes() {
  const printRow = (name, cells) => console.log(name.padEnd(24) + cells.map((cell) => String(cell).padStart(10)).join(""));
  console.log();
  printRow(`bytes, ${version}`, ["raw", "gzip", "brotli"]);
  const wasm = measure([WASM]);
  printRow("client.wasm", wasm);
  const { exports } = JSON.parse(readFileSync(join(PKG, "package.json"), "utf8"));
  for (const [name, { default: file }] of Object.entries(exports)) {
    if (!/^\.\/\w+\.js$/.test(file)) continue;
    printRow(`scripts of ${name}`, measure(findImports(join(PKG, file))));
  }

  // Counts client.wasm instead of module.js, the encoded module of entry ".".
  const scripts = measure(findImports(join(PKG, "index.js")).filter((path) => path !== join(PKG, "module.js")));
  const sum = wasm.map((size, column) => size + scripts[column]);
  printRow("client.wasm and scripts", sum);
  const bytes = sum[2];
  const verdict = bytes > LIMIT ? "ABOVE THE LIMIT" : bytes > TARGET ? "above the target, within the limit" : "within the target";
  console.log(`client.wasm and scripts: ${bytes} bytes of brotli, ${verdict} (target ${TARGET}, limit ${LIMIT})`);
  return bytes;
}

/** Returns every file that a script loads, or every declaration file that a declaration file imports, including itself. */
function findImports(entry, found = new Set()) {
  if (found.has(entry)) return [...found];
  found.add(entry);
  if (MODULES.includes(basename(entry))) return [...found];
  for (const [, path] of readFileSync(entry, "utf8").matchAll(/\b(?:import|from)\s*["'](\.[^"'\s]+)["']/g)) {
    findImports(join(dirname(entry), entry.endsWith(".d.ts") ? path.replace(/\.js$/, ".d.ts") : path), found);
  }
  return [...found];
}

/** Returns the raw, gzip and brotli bytes. Each file is compressed separately, as a server sends it. */
function measure(paths) {
  const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } };
  const encodings = [(bytes) => bytes, (bytes) => gzipSync(bytes, { level: 9 }), (bytes) => brotliCompressSync(bytes, brotli)];
  const files = paths.map((path) => readFileSync(path));
  return encodings.map((encode) => files.reduce((sum, bytes) => sum + encode(bytes).length, 0));
}

function emptyFolder(path) {
  rmSync(path, { recursive: true, force: true });
  mkdirSync(path, { recursive: true });
}

function printStep(name) {
  console.log(`-- ${name}`);
}

function run(program, ...args) {
  execFileSync(program, args, { cwd: ROOT, stdio: "inherit" });
}

function readOutput(program, ...args) {
  return execFileSync(program, args, { cwd: ROOT, encoding: "utf8", maxBuffer: 1 << 26 });
}
