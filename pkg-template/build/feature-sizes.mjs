// Measures what features cost (`make size FEATURES=...`): builds the module and the scripts once with everything, and once without
// each feature (features.mjs), and prints the differences. `tabs+drift` leaves out both at once.
import { cpSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { argv, env } from "node:process";
import { fileURLToPath } from "node:url";
import { brotliCompressSync } from "node:zlib";
import { build as bundle } from "../../tests/node_modules/esbuild/lib/main.js";
import { compile } from "./compile.mjs";
import { FEATURES } from "./features.mjs";
import { measureModule } from "./modules.mjs";

const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const WORK = join(ROOT, "target/features");
/** What cargo needs. */
const SOURCES = ["Cargo.toml", "Cargo.lock", "rust-toolchain.toml", "README.md", "LICENSE", "src"];
const COPY = join(WORK, "sources");
const SCRIPTS = join(WORK, "scripts");
const MODULE = join(WORK, "module");
/** The entry whose scripts are measured. The module is the same for all entries. */
const ENTRY = "index.ts";

const selected = argv.slice(2).flatMap((name) => (name === "all" ? FEATURES : combine(name.split("+").map(findFeature))));
// The compiled dependencies are shared with `make build`.
env.CARGO_TARGET_DIR = join(ROOT, "target");

const everything = await measure({ edits: [] });
console.log(`| Feature | Module | Scripts of \`.\` | Not included |\n|---|---|---|---|`);
console.log(`| everything | ${format(everything.module)} | ${format(everything.scripts)} | |`);
for (const feature of selected) {
  // One feature that cannot be built does not stop the others: the builds take long.
  const without = await measure(feature).catch((error) => error);
  if (without instanceof Error) {
    console.error(`${feature.name}: ${without.message}`);
    process.exitCode = 1;
    continue;
  }
  const { module, scripts } = without;
  const costs = [everything.module - module, everything.scripts - scripts].map(format);
  console.log(`| ${feature.title} | ${costs.join(" | ")} | ${feature.remark ?? ""} |`);
}

function findFeature(name) {
  const found = FEATURES.find((feature) => feature.name === name);
  if (found !== undefined) return found;
  console.error(`unknown feature ${name}; the features are ${FEATURES.map((feature) => feature.name).join(", ")}`);
  process.exit(1);
}

/** Returns features that are left out together as one feature. */
function combine(features) {
  const merge = (member) =>
    features
      .map((feature) => feature[member])
      .filter((value) => value !== undefined)
      .join(" + ");
  return { name: merge("name"), title: merge("title"), edits: features.flatMap(({ edits }) => edits), remark: merge("remark") };
}

/** Returns the brotli bytes of the module and of the scripts without a feature. */
async function measure({ edits }) {
  copySources();
  const isRust = ([file]) => file.endsWith(".rs");
  for (const edit of edits) apply(isRust(edit) ? COPY : SCRIPTS, edit);
  const hasModuleEdits = edits.length === 0 || edits.some(isRust);
  return { module: hasModuleEdits ? await compileAndMeasureModule() : everything.module, scripts: await measureScripts() };
}

function copySources() {
  for (const folder of [COPY, SCRIPTS]) {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
  }
  for (const name of SOURCES) cpSync(join(ROOT, name), join(COPY, name), { recursive: true });
  cpSync(join(ROOT, "pkg-template/runtime"), SCRIPTS, { recursive: true });
  const generated = join(ROOT, "target/generated");
  for (const name of readdirSync(generated).filter((name) => name.endsWith(".js"))) {
    cpSync(join(generated, name), join(SCRIPTS, name));
  }
  cpSync(join(ROOT, "target/parts/bindings.js"), join(SCRIPTS, "bindings.js"));
}

/** Replaces text that must occur in the file exactly once. */
function apply(folder, [file, find, replacement]) {
  const path = join(folder, file);
  const parts = readFileSync(path, "utf8").split(find);
  if (parts.length !== 2) {
    throw new Error(`${file} has this text ${parts.length - 1} times instead of once. Update features.mjs:\n${find}`);
  }
  writeFileSync(path, parts.join(replacement));
}

async function compileAndMeasureModule() {
  compile(COPY, "js", ["--quiet"]);
  rmSync(MODULE, { recursive: true, force: true });
  mkdirSync(MODULE, { recursive: true });
  const compiled = join(env.CARGO_TARGET_DIR, "wasm32-unknown-unknown/release/address_query.wasm");
  return measureModule(compiled, join(MODULE, "bindings"), join(MODULE, "client.wasm"));
}

async function measureScripts() {
  const { outputFiles } = await bundle({
    entryPoints: [join(SCRIPTS, ENTRY)],
    bundle: true,
    write: false,
    format: "esm",
    target: "es2022",
    minify: true,
    external: ["./module.js"],
    logLevel: "error",
  });
  return brotliCompressSync(outputFiles[0].contents).length;
}

function format(bytes) {
  return bytes.toLocaleString("en");
}
