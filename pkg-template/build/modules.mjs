// Creates the three forms of the WebAssembly module from the compiler's output, and their bindings. The forms are client.wasm,
// the same module encoded as a string (module.js), and plain JavaScript (compat-module.js).
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { execPath } from "node:process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { transformSync } from "esbuild";
import { adaptToArrayBuffer, adaptToMissingDecoder, createBind } from "./bindings.mjs";

const run = promisify(execFile);
const BINARYEN = fileURLToPath(new URL("node_modules/binaryen/bin/", import.meta.url));
const LOCK = new URL("../../Cargo.lock", import.meta.url);

// The WebAssembly features that all browsers of recent years support. --all-features would let wasm-opt use newer ones.
const FEATURES = enableFeatures(
  "bulk-memory",
  "multivalue",
  "mutable-globals",
  "nontrapping-float-to-int",
  "reference-types",
  "sign-ext",
);
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
// Prints the new names as JSON. The names of wasm-bindgen contain hashes, which do not compress.
const SHORT_NAMES = "--minify-imports-and-exports-and-modules";
const STRIP = ["debug", "producers", "target-features"].map((section) => `--strip-${section}`);

/** Writes the modules and bindings into `stage`, which contains the compiled runtime. `folder` caches them: they are created only if an input has changed. */
export async function writeModules(compiled, stage, folder) {
  const inputs = digest(
    compiled,
    ...["modules.mjs", "bindings.mjs", "../runtime/module-codec.ts"].map((name) => fileURLToPath(new URL(name, import.meta.url))),
  );
  const out = join(folder, "out");
  const stamp = join(folder, "inputs");
  if (!existsSync(stamp) || readFileSync(stamp, "utf8") !== inputs) {
    await checkVersion();
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(out, { recursive: true });
    const { encodeModule } = await import(join(stage, "module-codec.js"));
    await Promise.all([
      writeWasm(compiled, join(folder, "bindings"), out, encodeModule),
      writeCompat(compiled, join(folder, "compat"), out),
    ]);
    writeFileSync(stamp, inputs);
  }
  cpSync(out, stage, { recursive: true });
}

/** Fails if the command wasm-bindgen has another version than the crate in Cargo.lock. They must be equal. */
async function checkVersion() {
  const [, locked] = /name = "wasm-bindgen"\nversion = "(.+)"/.exec(readFileSync(LOCK, "utf8"));
  const { stdout } = await run("wasm-bindgen", ["--version"]);
  const installed = stdout.trim().replace("wasm-bindgen ", "");
  if (installed !== locked)
    throw new Error(
      `wasm-bindgen ${installed} is installed, Cargo.lock has ${locked}; build with \`make build\`, which installs it`,
    );
}

async function writeWasm(compiled, work, out, encodeModule) {
  const bindings = await generateBindings(compiled, work);
  const optimised = join(out, "client.wasm");
  // named.wasm is the same module with function names, to analyse its size.
  const [names] = await Promise.all([
    optimise(work, optimised, ...STRIP, SHORT_NAMES),
    optimise(work, join(work, "named.wasm"), "-g"),
  ]);
  writeFileSync(join(out, "bindings.js"), createBind(bindings, names));
  const bytes = readFileSync(optimised);
  writeFileSync(
    join(out, "module.js"),
    `export const size = ${bytes.length};\nexport const encoded = "${encodeModule(bytes)}";\n`,
  );
}

/** Optimises the module for the bindings in `work`. Returns what binaryen prints. */
function optimise(work, path, ...more) {
  const options = [...FEATURES, ...COMPRESSIBLE, LOW_MEMORY, "-O3", ...more];
  return runBinaryen("wasm-opt", join(work, "wasm_bg.wasm"), ...options, "--output", path);
}

async function writeCompat(compiled, work, out) {
  mkdirSync(work);
  // Lower the module first: wasm-bindgen uses reference types only if the module lists them as a feature.
  const [lowered, plain, short, script] = ["lowered.wasm", "plain.wasm", "short.wasm", "module.js"].map((name) =>
    join(work, name),
  );
  await runBinaryen("wasm-opt", compiled, ...FEATURES, ...LOWERING, "--strip-target-features", "--output", lowered);
  await runBinaryen("wasm-opt", lowered, ...JS_FEATURES, "--emit-target-features", "--output", plain);
  const bindings = await generateBindings(plain, work);
  const names = await runBinaryen("wasm-opt", join(work, "wasm_bg.wasm"), ...JS_FEATURES, SHORT_NAMES, "--output", short);
  // --emscripten writes a function `instantiate`, instead of a script that creates an instance when it is imported.
  await runBinaryen("wasm2js", short, "-Os", "--emscripten", "--output", script);
  writeFileSync(join(out, "compat-bindings.js"), createBind(adaptToMissingDecoder(adaptToArrayBuffer(bindings)), names));
  const instantiate = `${readFileSync(script, "utf8")}\nexport { instantiate };`;
  writeFileSync(join(out, "compat-module.js"), transformSync(instantiate, { minify: true }).code);
}

/** Runs wasm-bindgen. Writes the module for the bindings, wasm_bg.wasm, and returns the bindings. */
async function generateBindings(module, folder) {
  await run("wasm-bindgen", [module, "--target=bundler", "--no-typescript", "--out-name=wasm", `--out-dir=${folder}`]);
  if (existsSync(join(folder, "snippets")))
    throw new Error("inline JavaScript snippets are not part of the package; use raw_module instead");
  return readFileSync(join(folder, "wasm_bg.js"), "utf8");
}

/** Runs a program of binaryen. Returns what it prints. */
async function runBinaryen(program, ...args) {
  const { stdout } = await run(execPath, [join(BINARYEN, program), ...args]);
  return stdout;
}

function digest(...paths) {
  const hash = createHash("sha256");
  for (const path of paths) hash.update(readFileSync(path));
  return hash.digest("hex");
}

function enableFeatures(...features) {
  return features.map((feature) => `--enable-${feature}`);
}
