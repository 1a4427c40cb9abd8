// Makes the modules of the package from what the compiler wrote: client.wasm, the same as text (module.js) and as plain
// JavaScript (compat-module.js), each with its bindings.
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { execPath } from "node:process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { transformSync } from "../tests/node_modules/esbuild/lib/main.js";
import { shortened } from "./names.mjs";
import { toText } from "./text.js";

const run = promisify(execFile);
const BINARYEN = fileURLToPath(new URL("../tests/node_modules/binaryen/bin/", import.meta.url));

// What every browser with WebAssembly of the last years has. Named one by one: --all-features would let wasm-opt use more.
const FEATURES = enable("bulk-memory", "multivalue", "mutable-globals", "nontrapping-float-to-int", "reference-types", "sign-ext");
// What can be said in JavaScript.
const PLAIN = ["--mvp-features", ...enable("mutable-globals")];
const LOWERING = ["signext", "llvm-memory-copy-fill", "llvm-nontrapping-fptoint"].map((what) => `--${what}-lowering`);
// What makes the module smaller by itself makes it larger where it is compressed: data in hundreds of pieces, values that are
// kept rather than computed again (engines keep them), all functions of one caller put into it.
const COMPRESSIBLE = ["--skip-pass=memory-packing", "--skip-pass=local-cse", "--one-caller-inline-max-function-size=20"];
// The stack lies at the lowest addresses: no sum that is the address of an object wraps around 0. So sums go into loads.
const LAYOUT = "--low-memory-unused";
const BARE = ["debug", "producers", "target-features"].map((section) => `--strip-${section}`);

/** Writes the modules into `stage`. What was made of the same `compiled` module before is found in `folder`. */
export async function writeModules(compiled, stage, folder) {
  const madeFrom = digest(compiled, ...["modules.mjs", "names.mjs", "text.js"].map((name) => fileURLToPath(new URL(name, import.meta.url))));
  const out = join(folder, "made");
  const stamp = join(folder, "made-from");
  if (!existsSync(stamp) || readFileSync(stamp, "utf8") !== madeFrom) {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(out, { recursive: true });
    await Promise.all([writeWasm(compiled, join(folder, "bindings"), out), writeCompat(compiled, join(folder, "compat"), out)]);
    writeFileSync(stamp, madeFrom);
  }
  cpSync(out, stage, { recursive: true });
}

async function writeWasm(compiled, work, out) {
  const bindings = await bindgen(compiled, work);
  const optimised = join(out, "client.wasm");
  const shape = [...FEATURES, ...COMPRESSIBLE, LAYOUT, "-O3"];
  const optimise = (...more) => binaryen("wasm-opt", join(work, "wasm_bg.wasm"), ...shape, ...more);
  // And the same with names, for whoever asks what the bytes are.
  await Promise.all([optimise(...BARE, "--output", optimised), optimise("-g", "--output", join(work, "named.wasm"))]);
  const short = shortened(readFileSync(optimised), bindings);
  writeFileSync(optimised, short.module);
  writeFileSync(join(out, "bindings.js"), asFunction(short.bindings));
  const bytes = short.module;
  writeFileSync(join(out, "module.js"), `export const size = ${bytes.length};\nexport const text = "${toText(bytes)}";\n`);
}

async function writeCompat(compiled, work, out) {
  mkdirSync(work);
  // Lowered before the bindings are made: what the module then says of itself keeps them from using reference types.
  const [lowered, plain, script] = ["lowered.wasm", "plain.wasm", "module.js"].map((name) => join(work, name));
  await binaryen("wasm-opt", compiled, ...FEATURES, ...LOWERING, "--strip-target-features", "--output", lowered);
  await binaryen("wasm-opt", lowered, ...PLAIN, "--emit-target-features", "--output", plain);
  const bindings = await bindgen(plain, work);
  const short = shortened(readFileSync(join(work, "wasm_bg.wasm")), bindings);
  writeFileSync(plain, short.module);
  await binaryen("wasm2js", plain, "-Os", "--output", script);
  writeFileSync(join(out, "compat-bindings.js"), asFunction(withoutWebAssembly(short.bindings)));
  // Generated, and read by nobody: without spaces and long names.
  writeFileSync(join(out, "compat-module.js"), transformSync(instantiable(readFileSync(script, "utf8")), { minify: true }).code);
}

async function bindgen(module, folder) {
  const options = ["--target=web", "--omit-default-module-path", "--no-typescript", "--out-name=wasm", `--out-dir=${folder}`];
  await run("wasm-bindgen", [module, ...options]);
  if (existsSync(join(folder, "snippets"))) throw new Error("inline JS snippets would not be packed; use raw_module");
  return readFileSync(join(folder, "wasm.js"), "utf8");
}

/**
 * The bindings as a function. wasm-bindgen keeps their state in the module's scope, for one instance for ever; here each call
 * has a state of its own, and what is left of an instance that broke cannot reach the next one. Its timers are the caller's.
 */
function asFunction(source) {
  // What follows fetches and compiles: that is the loader's.
  const [body] = cut(source, /^async function __wbg_load\(/m);
  const lines = body.split("\n");
  const imports = lines.filter((line) => line.startsWith("import "));
  const code = lines.filter((line) => !line.startsWith("import ")).map((line) => line.replace(/^export class /, "class "));
  if (code.some((line) => /^(import|export)\b/.test(line))) throw new Error("the bindings export what they did not before");
  const classes = code.flatMap((line) => line.match(/^class (\w+)/)?.[1] ?? []);
  const parts = `{ imports: __wbg_get_imports(), start: __wbg_finalize_init, classes: { ${classes.join(", ")} } }`;
  return [...imports, "export function bind({ setTimeout, clearTimeout } = globalThis) {", ...code, `return ${parts};`, "}"].join("\n");
}

/** Bindings for memory that is an ordinary buffer, replaced when it grows: the views of the old one stay usable, and wrong. */
function withoutWebAssembly(bindings) {
  const replacements = [
    [/cached(\w+)Memory0\.byteLength === 0/g, "cached$1Memory0.buffer !== wasm.memory.buffer"],
    [/cachedDataViewMemory0\.buffer\.detached === true/g, "cachedDataViewMemory0.buffer !== wasm.memory.buffer"],
    // Asked where the objects of a table's fixed places end; here it is the heap's.
    [/^import \* as (\w+) from "__wbindgen_externref_xform__"$/m, "const $1 = { __wbindgen_externref_statics_end: () => heapStart };"],
    [/^let heap_next = heap.length;$/m, "$&\nconst heapStart = heap.length;"],
  ];
  return replacements.reduce((text, [found, replacement]) => cut(text, found) && text.replace(found, replacement), bindings);
}

/** What wasm2js wrote, as a function that makes an instance: it would make one when it is imported. */
function instantiable(source) {
  const [body] = cut(source, /^var retasmFunc = /m);
  const code = body.split("\n").filter((line) => !line.startsWith("import "));
  return ["export function instantiate(imports) {", ...code, "return asmFunc(imports);", "}"].join("\n");
}

/** Splits a generated text; where it does not look as expected, another version of a tool has written it. */
function cut(source, at) {
  const parts = source.split(at);
  if (parts.length < 2) throw new Error(`generated code differs from what was expected: no ${at}`);
  return parts;
}

function binaryen(program, ...args) {
  return run(execPath, [join(BINARYEN, program), ...args]);
}

function digest(...paths) {
  const hash = createHash("sha256");
  for (const path of paths) hash.update(readFileSync(path));
  return hash.digest("hex");
}

function enable(...features) {
  return features.map((feature) => `--enable-${feature}`);
}
