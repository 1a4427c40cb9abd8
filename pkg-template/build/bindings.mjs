// Adapts the bindings that wasm-bindgen generates. All that depends on the text of generated code is in this file, and each
// assumption is checked: the build fails if another version of wasm-bindgen breaks it. See HACKING.md.
import { transformSync } from "esbuild";

/** The name that binaryen gives to all modules of imports. */
const IMPORTS = "a";

/** The module with the functions that WebAssembly imports. wasm-bindgen names it after the option `--out-name=wasm`. */
const GENERATED = "./wasm_bg.js";

/**
 * Functions of wasm-bindgen itself that a module without reference types imports. wasm-bindgen should replace these imports, but
 * does so only with reference types. This one returns the number of fixed elements in `heap`, the array of JavaScript values.
 */
const INTRINSICS = { __wbindgen_externref_statics_end: "((end) => () => end)(heap.length)" };

/**
 * Returns a script that exports `bind`, from the bindings for `--target=bundler`. wasm-bindgen keeps their state in the scope of a
 * module, for a single instance. Here each call of `bind` creates separate state, so that objects of a crashed instance cannot
 * affect the next one. `names` is the JSON that binaryen prints when it shortens the names of imports and exports:
 * `{ imports: [[module, name, short]], exports: [[name, short]] }`.
 */
export function createBind(source, names) {
  const { imports, exports } = JSON.parse(names);
  const lines = source.split("\n");
  const isImport = (line) => line.startsWith("import ");
  const classes = findAll(source, /^export class (\w+)/gm);
  const functions = new Set(findAll(source, /^export function (\w+)\(/gm));
  if (!functions.has("__wbg_set_wasm")) fail("no function __wbg_set_wasm");

  const shortNames = new Map(imports.map(([, name, short]) => [name, short]));
  // An exported function is one that WebAssembly imports, except __wbg_set_wasm. It becomes a member of the imports.
  const toMember = (text, name) => (shortNames.has(name) ? `imports.${shortNames.get(name)} = function(` : text);
  const rewrite = (line) => line.replace(/^export function (\w+)\(/, toMember).replace(/^export (?=class|function)/, "");
  const others = imports.filter(([module, name]) => module !== GENERATED || !functions.has(name));
  const intrinsics = others.map(
    ([module, name, short]) => `imports.${short} = ${INTRINSICS[name] ?? fail(`the import ${name} of ${module}`)};`,
  );
  const code = [
    ...lines.filter(isImport),
    // These are parameters, so that loader.ts can end the timers and requests of a crashed instance.
    "export function bind({ setTimeout, clearTimeout, AbortController, fetch } = globalThis) {",
    "const imports = {};",
    ...lines.filter((line) => !isImport(line)).map(rewrite),
    ...intrinsics,
    "const start = ({ exports }) => { __wbg_set_wasm(exports); wasm.__wbindgen_start?.(); };",
    `return { imports: { ${IMPORTS}: imports }, start, classes: { ${classes.join(", ")} } };`,
    "}",
  ].join("\n");
  // esbuild renames the properties of `wasm`. It also checks the syntax: an import or export within the function is an error.
  const mangleProps = new RegExp(`^(${exports.map(([name]) => name).join("|")})$`);
  return transformSync(code, { mangleProps, mangleCache: Object.fromEntries(exports) }).code;
}

/**
 * Adapts the bindings to memory that is an ordinary ArrayBuffer, which is replaced when it grows. Views of the old buffer are
 * not detached, so the bindings must compare buffers.
 */
export function adaptToArrayBuffer(source) {
  const replacements = [
    [/cached(\w+)Memory0\.byteLength === 0/g, "cached$1Memory0.buffer !== wasm.memory.buffer"],
    [/cachedDataViewMemory0\.buffer\.detached === true/g, "cachedDataViewMemory0.buffer !== wasm.memory.buffer"],
  ];
  return replacements.reduce(
    (code, [pattern, replacement]) => findAll(code, pattern) && code.replace(pattern, replacement),
    source,
  );
}

/** Adapts the bindings to engines without `TextDecoder`. */
export function adaptToMissingDecoder(source) {
  findAll(source, /new TextDecoder\(/g);
  return `import { Decoder } from "./utf8-decoder.js";\n${source.replaceAll("new TextDecoder(", "new Decoder(")}`;
}

/** Returns the first group of each match. */
function findAll(source, pattern) {
  const matches = Array.from(source.matchAll(pattern), ([, group]) => group);
  return matches.length > 0 ? matches : fail(`no match for ${pattern}`);
}

function fail(what) {
  throw new Error(`unexpected code of wasm-bindgen: ${what}; adapt pkg-template/build/bindings.mjs (see HACKING.md beside it)`);
}
