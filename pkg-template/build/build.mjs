// Builds the npm package into pkg/ (`make build`). It collects the unbundled files in target/parts and bundles the entries.
// With --size it prints the size of the built package, and fails above the limit (`make size`).
// With --bench it builds the package that `make bench` measures, which also exports the decoder for use without a client.
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { argv, exit } from "node:process";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { build as bundle } from "../../tests/node_modules/esbuild/lib/main.js";
import { compile, findObstacle } from "./compile.mjs";
import { writeModules } from "./modules.mjs";
import { createNotices } from "./notices.mjs";

const TEMPLATE = dirname(dirname(fileURLToPath(import.meta.url)));
const ROOT = dirname(TEMPLATE);
const PKG = join(ROOT, "pkg");

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
  const isAboveLimit = printSizes() > LIMIT;
  const obstacle = findObstacle();
  if (obstacle) console.log(`The limit does not apply, because ${obstacle}.`);
  else if (isAboveLimit) exit(1);
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
  for (const folder of [parts, stage]) {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
  }

  printStep("generated files");
  run("cargo", "run", "--bin", "generate", "--", parts);
  printStep("WebAssembly module");
  compile(ROOT, isBench ? "bench" : "js");
  printStep("bindings");
  await writeModules(join(targetDir, "wasm32-unknown-unknown/release/address_query.wasm"), parts, join(work, "modules"));
  printStep("package");
  copyTemplate(parts);
  await writeEntries(parts, stage);
  writeReadme(parts, stage);
  writeFileSync(join(stage, "THIRD-PARTY.md"), createNotices());
  writeManifest(stage, started);

  rmSync(OUT, { recursive: true, force: true });
  cpSync(stage, OUT, { recursive: true, preserveTimestamps: true });
}

function copyTemplate(parts) {
  // Rust imports its JavaScript functions by paths that expect the runtime's files beside the bindings.
  for (const folder of ["runtime", "typings"]) cpSync(join(TEMPLATE, folder), parts, { recursive: true });
  cpSync(join(TEMPLATE, "testing"), join(parts, "testing"), { recursive: true });
  cpSync(join(ROOT, "LICENSE"), join(parts, "LICENSE"));
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
  for (const name of readdirSync(parts)) {
    if (!name.endsWith(".js") || MODULES.includes(name)) cpSync(join(parts, name), join(stage, name), { recursive: true });
  }
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

/** Returns every file that an entry loads, including itself. */
function findImports(entry, found = new Set()) {
  if (found.has(entry)) return [...found];
  found.add(entry);
  if (MODULES.includes(basename(entry))) return [...found];
  for (const [, path] of readFileSync(entry, "utf8").matchAll(/\b(?:import|from)\s*["'](\.[^"']+)["']/g)) {
    findImports(join(dirname(entry), path), found);
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

function printStep(name) {
  console.log(`-- ${name}`);
}

function run(program, ...args) {
  execFileSync(program, args, { cwd: ROOT, stdio: "inherit" });
}

function readOutput(program, ...args) {
  return execFileSync(program, args, { cwd: ROOT, encoding: "utf8", maxBuffer: 1 << 26 });
}
