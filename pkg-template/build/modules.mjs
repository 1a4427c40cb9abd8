// Creates the three forms of the WebAssembly module from the compiler's output, and their bindings. The forms are client.wasm,
// the same module encoded as a string (module.js), and plain JavaScript (compat-module.js).
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { execPath } from "node:process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { transformSync } from "../../tests/node_modules/esbuild/lib/main.js";
import { shortenNames } from "./names.mjs";

const run = promisify(execFile);
const BINARYEN = fileURLToPath(new URL("../../tests/node_modules/binaryen/bin/", import.meta.url));

// The WebAssembly features that all browsers of recent years support. --all-features would let wasm-opt use newer ones.
const FEATURES = enableFeatures("bulk-memory", "multivalue", "mutable-globals", "nontrapping-float-to-int", "reference-types", "sign-ext");
// The features that wasm2js can translate to JavaScript.
const JS_FEATURES = ["--mvp-features", ...enableFeatures("mutable-globals")];
const LOWERING = ["signext", "llvm-memory-copy-fill", "llvm-nontrapping-fptoint"].map((feature) => `--${feature}-lowering`);
// Options for a module that compresses well. The optimisations that they turn off or limit make the module smaller, but larger
// after compression. These split the data into hundreds of segments, store common subexpressions in locals, and inline functions.
// Functions in the order of their names compress better, because similar ones are neighbours.
const COMPRESSIBLE = [
  ...["memory-packing", "local-cse"].map((pass) => `--skip-pass=${pass}`),
  "--one-caller-inline-max-function-size=20",
  "--flexible-inline-max-function-size=5",
  "--always-inline-max-function-size=0",
  "--reorder-functions-by-name",
];
// Only the stack uses the lowest addresses. wasm-opt may therefore fold additions into the offsets of loads: none wraps around.
const LOW_MEMORY = "--low-memory-unused";
const STRIP = ["debug", "producers", "target-features"].map((section) => `--strip-${section}`);

/** Writes the modules and bindings into `stage`, which contains the compiled runtime. `folder` caches them: they are created only if an input has changed. */
export async function writeModules(compiled, stage, folder) {
  const inputs = digest(compiled, ...["modules.mjs", "names.mjs", "../runtime/module-codec.ts"].map((name) => fileURLToPath(new URL(name, import.meta.url))));
  const out = join(folder, "out");
  const stamp = join(folder, "inputs");
  if (!existsSync(stamp) || readFileSync(stamp, "utf8") !== inputs) {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(out, { recursive: true });
    const { encodeModule } = await import(join(stage, "module-codec.js"));
    await Promise.all([writeWasm(compiled, join(folder, "bindings"), out, encodeModule), writeCompat(compiled, join(folder, "compat"), out)]);
    writeFileSync(stamp, inputs);
  }
  cpSync(out, stage, { recursive: true });
}

async function writeWasm(compiled, work, out, encodeModule) {
  const bindings = await createBindings(compiled, work);
  const optimised = join(out, "client.wasm");
  const options = [...FEATURES, ...COMPRESSIBLE, LOW_MEMORY, "-O3"];
  const optimise = (...more) => runBinaryen("wasm-opt", join(work, "wasm_bg.wasm"), ...options, ...more);
  // named.wasm is the same module with function names, to analyse its size.
  await Promise.all([optimise(...STRIP, "--output", optimised), optimise("-g", "--output", join(work, "named.wasm"))]);
  const short = shortenNames(readFileSync(optimised), bindings);
  writeFileSync(optimised, short.module);
  writeFileSync(join(out, "bindings.js"), wrapInFunction(short.bindings));
  const bytes = short.module;
  writeFileSync(join(out, "module.js"), `export const size = ${bytes.length};\nexport const encoded = "${encodeModule(bytes)}";\n`);
}

async function writeCompat(compiled, work, out) {
  mkdirSync(work);
  // Lower the module first: wasm-bindgen uses reference types only if the module lists them as a feature.
  const [lowered, plain, script] = ["lowered.wasm", "plain.wasm", "module.js"].map((name) => join(work, name));
  await runBinaryen("wasm-opt", compiled, ...FEATURES, ...LOWERING, "--strip-target-features", "--output", lowered);
  await runBinaryen("wasm-opt", lowered, ...JS_FEATURES, "--emit-target-features", "--output", plain);
  const bindings = await createBindings(plain, work);
  const short = shortenNames(readFileSync(join(work, "wasm_bg.wasm")), bindings);
  writeFileSync(plain, short.module);
  await runBinaryen("wasm2js", plain, "-Os", "--output", script);
  writeFileSync(join(out, "compat-bindings.js"), wrapInFunction(adaptToArrayBuffer(short.bindings)));
  writeFileSync(join(out, "compat-module.js"), transformSync(wrapInInstantiate(readFileSync(script, "utf8")), { minify: true }).code);
}

async function createBindings(module, folder) {
  const options = ["--target=web", "--omit-default-module-path", "--no-typescript", "--out-name=wasm", `--out-dir=${folder}`];
  await run("wasm-bindgen", [module, ...options]);
  if (existsSync(join(folder, "snippets"))) throw new Error("inline JavaScript snippets are not part of the package; use raw_module instead");
  return readFileSync(join(folder, "wasm.js"), "utf8");
}

/**
 * Wraps the bindings in a function `bind`. wasm-bindgen keeps their state in the module scope, for a single instance. Here each
 * call of `bind` creates a state of its own, so that objects of a crashed instance cannot affect the next one.
 */
function wrapInFunction(source) {
  // Omit the rest, which would fetch and compile the module. loader.js does that.
  const [body] = split(source, /^async function __wbg_load\(/m);
  const lines = body.split("\n");
  const imports = lines.filter((line) => line.startsWith("import "));
  const code = lines.filter((line) => !line.startsWith("import ")).map((line) => line.replace(/^export class /, "class "));
  if (code.some((line) => /^(import|export)\b/.test(line))) throw new Error("wasm-bindgen generated an unexpected import or export");
  const classes = code.flatMap((line) => line.match(/^class (\w+)/)?.[1] ?? []);
  const parts = `{ imports: __wbg_get_imports(), start: __wbg_finalize_init, classes: { ${classes.join(", ")} } }`;
  return [...imports, "export function bind({ setTimeout, clearTimeout } = globalThis) {", ...code, `return ${parts};`, "}"].join("\n");
}

/**
 * Adapts the bindings to memory that is an ordinary ArrayBuffer, which is replaced when it grows. Views of the old buffer are
 * not detached, so the bindings must compare buffers.
 */
function adaptToArrayBuffer(bindings) {
  const replacements = [
    [/cached(\w+)Memory0\.byteLength === 0/g, "cached$1Memory0.buffer !== wasm.memory.buffer"],
    [/cachedDataViewMemory0\.buffer\.detached === true/g, "cachedDataViewMemory0.buffer !== wasm.memory.buffer"],
    // A heap array replaces the table of references. This function returns the number of its fixed elements.
    [/^import \* as (\w+) from "__wbindgen_externref_xform__"$/m, "const $1 = { __wbindgen_externref_statics_end: () => heapStart };"],
    [/^let heap_next = heap.length;$/m, "$&\nconst heapStart = heap.length;"],
  ];
  return replacements.reduce((code, [pattern, replacement]) => split(code, pattern) && code.replace(pattern, replacement), bindings);
}

/** Wraps the output of wasm2js in a function `instantiate`. Without it, importing the script would create an instance. */
function wrapInInstantiate(source) {
  const [body] = split(source, /^var retasmFunc = /m);
  const code = body.split("\n").filter((line) => !line.startsWith("import "));
  return ["export function instantiate(imports) {", ...code, "return asmFunc(imports);", "}"].join("\n");
}

/** Splits generated code at a pattern. Throws without a match: another version of the tool may generate different code. */
function split(source, pattern) {
  const parts = source.split(pattern);
  if (parts.length < 2) throw new Error(`unexpected generated code: found no match for ${pattern}; adapt pkg-template/build/modules.mjs`);
  return parts;
}

function runBinaryen(program, ...args) {
  return run(execPath, [join(BINARYEN, program), ...args]);
}

function digest(...paths) {
  const hash = createHash("sha256");
  for (const path of paths) hash.update(readFileSync(path));
  return hash.digest("hex");
}

function enableFeatures(...features) {
  return features.map((feature) => `--enable-${feature}`);
}
