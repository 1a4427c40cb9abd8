// Attributes the bytes of the module to the source files: by the names and sizes of its functions. named.wasm is client.wasm with
// names, so that one build is enough. What the compiler makes for a type of the crate, such as the code that drops it, counts as
// code of the type's file.
import { existsSync } from "node:fs";
import { join } from "node:path";

const [CUSTOM, IMPORTS, CODE, DATA] = [0, 2, 10, 11];
const FUNCTION_NAMES = 1;
/** A path within this crate, in a name such as `<address_query[5b4c]::client::Client<…>>::page`. */
const OWN_PATH = /address_query\[\w+\]((?:::\w+)+)/;
const CRATE = /(\w+)\[\w+\]::/;

/** Files with fewer bytes are counted in their folder only. */
const SMALLEST_SHOWN = 2_000;

/** Returns a table of the bytes: of each folder of `src` and each library, and below it of its largest files. */
export function formatAttribution(bytes, src) {
  const files = attributeBytes(bytes, src);
  const groups = new Map();
  for (const [name, size] of files) {
    const group = /^src\/\w+(\.rs)?/.exec(name)?.[0] ?? name;
    const { sum = 0, rows = [] } = groups.get(group) ?? {};
    const isShown = size >= SMALLEST_SHOWN && group !== name;
    groups.set(group, { sum: sum + size, rows: isShown ? [...rows, formatRow(`  ${name}`, size)] : rows });
  }
  return [...groups].sort(([, a], [, b]) => b.sum - a.sum).flatMap(([group, { sum, rows }]) => [formatRow(group, sum), ...rows]);
}

const formatRow = (name, size) => name.padEnd(40) + size.toLocaleString("en").padStart(10);

/** Returns the bytes by source file or library, largest first, as `[name, bytes]`. `src` is the folder of the sources. */
export function attributeBytes(bytes, src) {
  const { functions, sections } = parseModule(bytes);
  const sums = new Map();
  const add = (name, size) => sums.set(name, (sums.get(name) ?? 0) + size);
  for (const { name, size } of functions) add(findSource(name, src), size);
  const code = functions.reduce((sum, { size }) => sum + size, 0);
  add("data: tables and strings", sections.get(DATA));
  const named = sections.get("name") ?? 0;
  add("other sections", bytes.length - named - code - sections.get(DATA));
  return [...sums].sort(([, a], [, b]) => b - a);
}

/** Returns the file of a function of this crate, otherwise the name of its library. */
function findSource(name, src) {
  const [, path] = OWN_PATH.exec(name) ?? [];
  if (path === undefined) return CRATE.exec(name)?.[1] ?? "exports and intrinsics";
  const segments = path.split("::").slice(1);
  for (let length = segments.length; length > 0; length--) {
    const module = segments.slice(0, length).join("/");
    const file = [`${module}.rs`, `${module}/mod.rs`].find((file) => existsSync(join(src, file)));
    if (file !== undefined) return `src/${file}`;
  }
  return "src/lib.rs";
}

/** Returns the name and the size of each function, and the sizes of the sections. Custom sections are known by their names. */
function parseModule(bytes) {
  const sections = new Map();
  const names = new Map();
  const sizes = [];
  let position = 8;
  let imported = 0;
  const readInteger = () => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = bytes[position++];
      value += (byte & 127) * 2 ** shift;
      if (byte < 128) return value;
    }
  };
  const readString = () => {
    const length = readInteger();
    position += length;
    return bytes.toString("utf8", position - length, position);
  };
  while (position < bytes.length) {
    const start = position;
    const id = bytes[position++];
    const end = readInteger() + position;
    const section = id === CUSTOM ? readString() : id;
    sections.set(section, end - start);
    // wasm-bindgen imports nothing but functions.
    if (id === IMPORTS) imported = readInteger();
    if (id === CODE) {
      for (let count = readInteger(); count > 0; count--) {
        const size = readInteger();
        sizes.push(size);
        position += size;
      }
    }
    while (section === "name" && position < end) {
      const subsection = bytes[position++];
      const next = readInteger() + position;
      for (let count = subsection === FUNCTION_NAMES ? readInteger() : 0; count > 0; count--)
        names.set(readInteger(), readString());
      position = next;
    }
    position = end;
  }
  return { sections, functions: sizes.map((size, i) => ({ name: names.get(imported + i) ?? "", size })) };
}
