// Builds the npm package into pkg/ (`make build`). It collects all files in target/parts, and publishes the modules and declarations that
// the entries import, one file a source file, so that bundlers leave out what an app does not use.
// With --bench it builds the package that `make bench` measures, which also exports the decoder for use without a client.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { basename, dirname, join, normalize, relative } from "node:path";
import { argv, execPath } from "node:process";
import { fileURLToPath } from "node:url";
import { build as bundle } from "esbuild";
import { compile } from "./compile.mjs";
import { createDocuments, insertSize } from "./documents.mjs";
import { writeModules } from "./modules.mjs";
import { createNotices } from "./notices.mjs";
import { findImports, measurePage, printSizes } from "./size.mjs";

const TEMPLATE = dirname(dirname(fileURLToPath(import.meta.url)));
const ROOT = dirname(TEMPLATE);
const PKG = join(ROOT, "pkg");
// tsconfig.json refers to these folders.
const GENERATED = join(ROOT, "target/generated");
const COMPILED = join(ROOT, "target/compiled");
const TSC = join(TEMPLATE, "build/node_modules/typescript/bin/tsc");

const MANIFEST = JSON.parse(readFileSync(join(TEMPLATE, "package.json"), "utf8"));
/** The folders of entries that have one: `history` for `./history/index.js`. */
const ENTRY_FOLDERS = new Set(
  Object.values(MANIFEST.exports).flatMap(({ default: path }) => /^\.\/(\w+)\//.exec(path)?.[1] ?? []),
);
/** The only entry that is bundled, because its libraries are development dependencies. */
const BUNDLED = "testing/index.js";

const { version, repository, targetDir } = readCrate();
const isBench = argv.includes("--bench");
const OUT = isBench ? join(targetDir, "bench/pkg") : PKG;

await build();
if (!isBench) await printSizes(PKG);

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
  collectParts(parts);
  printStep("WebAssembly module");
  compile(ROOT, isBench ? "bench" : "js");
  printStep("bindings");
  await writeModules(join(targetDir, "wasm32-unknown-unknown/release/address_query.wasm"), parts, join(work, "modules"));
  printStep("package");
  await writeEntries(parts, stage);
  writeDocuments(stage);
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

/** Collects the files of the package in one folder. Rust and the generated files import the runtime's files from their own folder. */
function collectParts(parts) {
  const compiled = join(COMPILED, relative(ROOT, TEMPLATE));
  copyFiles(join(TEMPLATE, "runtime"), parts);
  copyFiles(join(TEMPLATE, "testing"), join(parts, "testing"));
  copyFiles(join(compiled, "runtime"), parts);
  for (const folder of ENTRY_FOLDERS) copyFiles(join(compiled, folder), join(parts, folder));
  copyFiles(GENERATED, parts);
  hashQueries(join(parts, "proxy/table.js"));
  cpSync(join(ROOT, "LICENSE"), join(parts, "LICENSE"));
}

/** Copies the files of a folder, if it exists, without TypeScript sources. */
function copyFiles(from, to) {
  const isSource = (path) => path.endsWith(".ts") && !path.endsWith(".d.ts");
  if (existsSync(from)) cpSync(from, to, { recursive: true, filter: (path) => !isSource(path) });
}

/** Replaces the GraphQL queries that the proxy forwards by their hashes, which are shorter: the first 96 bits of SHA-256, in base64. */
function hashQueries(path) {
  const hash = (query) => createHash("sha256").update(query).digest("base64").slice(0, 16);
  const table = readFileSync(path, "utf8").replace(
    /^export const queries = (.+);$/m,
    (_, queries) => `export const queryHashes = ${JSON.stringify(JSON.parse(queries).map(hash))};`,
  );
  writeFileSync(path, table);
}

/** Publishes the modules and the declarations of each entry, those that they import, and the files that are neither. */
async function writeEntries(parts, stage) {
  const files = Object.values(MANIFEST.exports).flatMap(({ types, default: file }) => [types, file]);
  const found = new Set();
  for (const name of files.filter((name) => /\.[jt]s$/.test(name) && normalize(name) !== BUNDLED))
    findImports(join(parts, name), found);
  for (const path of found) {
    const published = join(stage, relative(parts, path));
    cpSync(path, published);
    if (existsSync(`${path}.map`)) writeFileSync(`${published}.map`, nameSources(readFileSync(`${path}.map`, "utf8")));
  }
  for (const name of ["LICENSE", "client.wasm"]) cpSync(join(parts, name), join(stage, name));
  await bundle({
    entryPoints: [join(parts, BUNDLED)],
    outfile: join(stage, BUNDLED),
    bundle: true,
    format: "esm",
    target: "es2022",
    charset: "utf8",
    nodePaths: [join(TEMPLATE, "build/node_modules")],
    logLevel: "warning",
  });
}

/** Names the source in a source map, which contains its text, by the file's name instead of a path in this repository. */
function nameSources(json) {
  const map = JSON.parse(json);
  return JSON.stringify({ ...map, sources: map.sources.map((path) => basename(path)) });
}

/** Writes the README for npm and the other documents. Generated pages are in the site of the guide only. */
function writeDocuments(stage) {
  const readme = readFileSync(join(TEMPLATE, "README.md"), "utf8");
  const [, example] = /^```ts\n([^]*?)^```$/m.exec(readme);
  const size = measurePage(stage, example);
  const isWritten = (page) => existsSync(join(ROOT, "www/guide/pages", page));
  const link = (page) => (isWritten(page) ? `${repository}/blob/main/www/guide/pages/${page}` : "./llms-full.txt");
  const documents = {
    "README.md": insertSize(readme, size).replaceAll("](../", `](${repository}/blob/main/`),
    ...createDocuments(ROOT, GENERATED, size, link),
  };
  for (const [name, text] of Object.entries(documents)) writeFileSync(join(stage, name), text);
}

/** Writes package.json, dated to the start of the build. For make, sources that were edited during the build are then newer. */
function writeManifest(stage, started) {
  const manifest = join(stage, "package.json");
  const links = {
    homepage: `${repository}#readme`,
    repository: { type: "git", url: `git+${repository}.git` },
    bugs: { url: `${repository}/issues` },
  };
  writeFileSync(manifest, `${JSON.stringify({ ...MANIFEST, version, ...links }, null, 2)}\n`);
  utimesSync(manifest, started, started);
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
