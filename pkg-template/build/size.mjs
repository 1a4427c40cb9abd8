// The size of the built package. As a program (`make size`) it also attributes the bytes of the module to its source files, and
// compares the size with the recorded one in tests/bench/SIZE.md: it fails for a growth without a recorded reason.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { argv } from "node:process";
import { fileURLToPath, pathToFileURL } from "node:url";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { buildSync } from "esbuild";
import { formatAttribution } from "./attribution.mjs";
import { findObstacle } from "./compile.mjs";

const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const RECORD = "tests/bench/SIZE.md";
const SECTION = "## Recorded sizes";
// Changes below this are not recorded: the compressed size varies by some bytes with every change of the code.
const TOLERANCE = 200;
// The encoded modules. A script loads them as a separate file.
const MODULES = ["module.js", "compat-module.js"];
// The entry that an app bundles together with a client, and the most brotli bytes that each of its exports may add to a bundle. Most of
// them need what `history` needs.
const HISTORY = "./history";
const MAX_HISTORY_EXPORT = 12_400;
// Other such entries, and the most bytes that all their exports may add.
const APPROVALS = "./approvals";
const MAX_APPROVALS = 4_450;
const PORTFOLIO = "./portfolio";
const MAX_PORTFOLIO = 5_000;
// An entry that needs `history`, whose bytes do not count.
const STORE = "./store";
const MAX_STORE = 7_000;
// What its exports of files add to a bundle with the formats of files.
const MAX_RESUMABLE_EXPORT = 2_500;
const STORE_EXPORTS = ["resumableExport", "listExports", "forgetExport"];
// The entry for servers, and its most brotli bytes. An eighth is the generated table of requests, which grows with the declarations.
const PROXY = "./proxy";
const MAX_PROXY = 4_500;
// The entry for tests, which is not bundled with an app.
const TESTING = "./testing";

// The client itself. All else that an app imports from the default entry, or from this one, costs at most these brotli bytes.
const CLIENT = "AddressClient";
const CHAINS = "./chains";
const MAX_EXPORT = 2_000;

/** The sizes of the files and bundles so far, by their hash. Many entries load the same module, which takes long to compress. */
const measured = new Map();

if (argv[1] === fileURLToPath(import.meta.url)) {
  const pkg = join(ROOT, "pkg");
  const sizes = await printSizes(pkg);
  const exportSizes = await printExportSizes(pkg);
  const named = readFileSync(join(ROOT, "target/modules/bindings/named.wasm"));
  console.log(`\nbytes of the module, not compressed\n${formatAttribution(named, join(ROOT, "src")).join("\n")}`);
  const { lines, failure } = compareSizes(readFileSync(join(ROOT, RECORD), "utf8"), sizes, new Date());
  console.log(`\n${lines.join("\n")}`);
  const obstacle = findObstacle();
  if (failure !== undefined && obstacle !== undefined) {
    console.log(`\nThe growth does not count, because ${obstacle}.`);
  } else if (failure !== undefined) {
    console.error(`\n${failure}`);
    process.exitCode = 1;
  }
  const limits = [
    ...sizes.history.map(([name, size]) => [`${name} of ${HISTORY}, added to a bundle`, size, MAX_HISTORY_EXPORT]),
    [`${APPROVALS}, added to a bundle`, sizes.approvals, MAX_APPROVALS],
    [`${PORTFOLIO}, added to a bundle`, sizes.portfolio, MAX_PORTFOLIO],
    [`${STORE}, added to a bundle with history`, sizes.store, MAX_STORE],
    [`resumableExport of ${STORE}, added to a bundle with toCsv`, sizes.resumableExport, MAX_RESUMABLE_EXPORT],
    [PROXY, sizes.proxy, MAX_PROXY],
    ...exportSizes.filter(([name]) => name !== CLIENT).map(([name, size]) => [`an import of ${name}`, size, MAX_EXPORT]),
  ];
  for (const [name, size, limit] of limits.filter(([, size, limit]) => size > limit)) {
    console.error(`\n${name} has ${formatBytes(size)} bytes. Make it smaller: at most ${formatBytes(limit)}.`);
    process.exitCode = 1;
  }
}

/** Prints the size of each entry of the package in this folder. Returns the brotli bytes of the parts whose size is checked. */
export async function printSizes(pkg) {
  const { version, exports } = JSON.parse(readFileSync(join(pkg, "package.json"), "utf8"));
  console.log();
  printRow(`bytes, ${version}`, ["raw", "gzip", "brotli"]);
  const wasm = measure(readFileSync(join(pkg, "client.wasm")));
  printRow("client.wasm", wasm);
  const scripts = new Map();
  for (const [name, { default: file }] of Object.entries(exports)) {
    if (!file?.endsWith(".js") || name === TESTING) continue;
    const bundle = bundleEntry(pkg, `export * from "${file}";`);
    scripts.set(name, bundle.script);
    printRow(`scripts of ${name}`, sum(bundle.script, ...bundle.modules));
  }
  // What an entry adds, with all that it exports, to a bundle that has the client.
  const client = `export { ${CLIENT} } from "./index.js";`;
  const alone = bundleEntry(pkg, client).script;
  const printAdded = (name, code) => {
    const added = bundleEntry(pkg, `${client} ${code}`).script.map((size, column) => size - alone[column]);
    printRow(`added by ${name}`, added);
    return added[2];
  };
  const [, approvals, portfolio] = [HISTORY, APPROVALS, PORTFOLIO].map((name) =>
    printAdded(name, `export * from "${exports[name].default}";`),
  );
  const { default: file } = exports[HISTORY];
  const both = `export { history } from "${file}";`;
  const stored = Object.keys(await import(pathToFileURL(join(pkg, exports[STORE].default)))).filter(
    (name) => !STORE_EXPORTS.includes(name),
  );
  const addStore = (names) => `export { ${names} } from "${exports[STORE].default}";`;
  const store = printAdded(STORE, `${both} ${addStore(stored)}`) - printAdded("history alone", both);
  const formats = `export { history, toCsv, toNdjson } from "${file}";`;
  const resumableExport =
    printAdded("resumableExport", `${formats} ${addStore(STORE_EXPORTS)}`) - printAdded("toCsv and toNdjson", formats);
  const history = [];
  for (const name of Object.keys(await import(pathToFileURL(join(pkg, file))))) {
    history.push([name, printAdded(name, `export { ${name} } from "${file}";`)]);
  }
  // Counts client.wasm instead of module.js, the encoded module of entry ".".
  printRow("client.wasm and scripts", sum(wasm, scripts.get(".")));
  return {
    wasm: wasm[2],
    scripts: scripts.get(".")[2],
    history,
    approvals,
    portfolio,
    store,
    resumableExport,
    proxy: scripts.get(PROXY)[2],
  };
}

/** Prints what the import of each single export costs. Returns `[name, brotli bytes]` of each. */
async function printExportSizes(pkg) {
  const { exports } = JSON.parse(readFileSync(join(pkg, "package.json"), "utf8"));
  const sizes = [];
  console.log("\nimport of one export alone");
  for (const entry of [".", CHAINS]) {
    const { default: file } = exports[entry];
    for (const name of Object.keys(await import(pathToFileURL(join(pkg, file))))) {
      const { script, modules } = bundleEntry(pkg, `export { ${name} } from "${file}";`);
      const size = sum(script, ...modules);
      sizes.push([name, size[2]]);
      printRow(name, size);
    }
  }
  return sizes;
}

function printRow(name, cells) {
  console.log(name.padEnd(24) + cells.map((cell) => String(cell).padStart(10)).join(""));
}

/**
 * Compares sizes with the last row of the recorded ones. Returns the lines of a table, and the message of a failure: a growth, or a
 * recorded growth without a reason.
 */
export function compareSizes(markdown, { wasm, scripts }, date) {
  const rows = readRecord(markdown);
  const unexplained = rows.find(
    (row, index) => index > 0 && row.wasm + row.scripts > rows[index - 1].wasm + rows[index - 1].scripts && row.reason === "",
  );
  const last = rows.at(-1);
  const growth = wasm + scripts - last.wasm - last.scripts;
  const parts = [
    ["client.wasm", last.wasm, wasm],
    ["scripts", last.scripts, scripts],
    ["both", last.wasm + last.scripts, wasm + scripts],
  ];
  const printCells = (cells) => cells.map((cell, index) => (index === 0 ? cell.padEnd(14) : cell.padStart(12))).join("");
  const lines = [
    printCells(["brotli bytes", "recorded", "now", "change"]),
    ...parts.map(([name, before, now]) =>
      printCells([name, formatBytes(before), formatBytes(now), (now > before ? "+" : "") + formatBytes(now - before)]),
    ),
  ];
  const row = `| ${date.toISOString().slice(0, 10)} | ${formatBytes(wasm)} | ${formatBytes(scripts)} |`;
  if (unexplained) {
    return {
      lines,
      failure: `${RECORD}: the row of ${unexplained.date} in "${SECTION}" records a growth. Write its reason in the last column.`,
    };
  }
  if (growth > TOLERANCE) {
    const failure = `The package grew by ${formatBytes(growth)} bytes. Make it smaller, or add this row to "${SECTION}" in ${RECORD}, with the reason:\n${row} what grew, and why it is worth its bytes |`;
    return { lines, failure };
  }
  if (growth < -TOLERANCE)
    lines.push(
      `The package became smaller. Record it in "${SECTION}" of ${RECORD}, so that a later growth is noticed:\n${row} what became smaller |`,
    );
  return { lines, failure: undefined };
}

/** Reads the rows of the recorded sizes: date, bytes of client.wasm, bytes of the scripts, reason. */
function readRecord(markdown) {
  const [, section] = markdown.split(`\n${SECTION}\n`);
  if (section === undefined) throw new Error(`${RECORD} needs the section "${SECTION}"`);
  const rows = section.split("\n## ")[0].matchAll(/^\| (\d{4}-\d\d-\d\d) \| ([\d,]+) \| ([\d,]+) \|(.*)\|$/gm);
  const parse = (bytes) => Number(bytes.replaceAll(",", ""));
  return Array.from(rows, ([, date, wasm, scripts, reason]) => ({
    date,
    wasm: parse(wasm),
    scripts: parse(scripts),
    reason: reason.trim(),
  }));
}

function formatBytes(bytes) {
  return bytes.toLocaleString("en");
}

/** Returns every file that a script loads, or every declaration file that a declaration file imports, including itself. */
export function findImports(entry, found = new Set()) {
  if (found.has(entry)) return [...found];
  found.add(entry);
  if (MODULES.includes(basename(entry))) return [...found];
  for (const [, path] of readFileSync(entry, "utf8").matchAll(/\b(?:import|from)\s*["'](\.[^"'\s]+)["']/g)) {
    findImports(join(dirname(entry), entry.endsWith(".d.ts") ? path.replace(/\.js$/, ".d.ts") : path), found);
  }
  return [...found];
}

/**
 * Bundles and minifies a script, as an app does. Returns the bytes of the script, and of each encoded module that it imports: a server
 * sends and compresses them separately.
 */
function bundleEntry(pkg, contents) {
  const options = { bundle: true, minify: true, format: "esm", target: "es2022", write: false, metafile: true };
  const external = [...MODULES.map((name) => `*/${name}`), "node:*"];
  const { outputFiles, metafile } = buildSync({ ...options, external, stdin: { contents, resolveDir: pkg } });
  const [{ imports }] = Object.values(metafile.outputs);
  return {
    script: measure(outputFiles[0].contents),
    modules: imports
      .filter(({ path }) => !path.startsWith("node:"))
      .map(({ path }) => measure(readFileSync(join(pkg, basename(path))))),
  };
}

/** Returns the brotli size of a page with this TypeScript, bundled and minified with its module, such as "130 KB". */
export function measurePage(pkg, code) {
  const stdin = { contents: code, resolveDir: pkg, loader: "ts" };
  const alias = { "address-query": join(pkg, "index.js") };
  const { outputFiles } = buildSync({ stdin, alias, bundle: true, minify: true, format: "esm", target: "es2022", write: false });
  const [, , brotli] = measure(outputFiles[0].contents);
  return `${Math.round(brotli / 1000)} KB`;
}

/** Adds sizes, column by column. */
function sum(...sizes) {
  return sizes.reduce((sums, size) => sums.map((value, column) => value + size[column]));
}

/** Returns the raw, gzip and brotli bytes. */
function measure(bytes) {
  const key = createHash("sha256").update(bytes).digest("hex");
  if (!measured.has(key)) {
    const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } };
    const compressed = [gzipSync(bytes, { level: 9 }), brotliCompressSync(bytes, brotli)];
    measured.set(
      key,
      [bytes, ...compressed].map(({ length }) => length),
    );
  }
  return measured.get(key);
}
