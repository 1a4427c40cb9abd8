// Shortens the names of a module's imports and exports. Those of wasm-bindgen contain hashes, which do not compress.

// Section ids of the WebAssembly binary format.
const IMPORTS = 2;
const EXPORTS = 7;
// Names with hashes and wasm-bindgen's internal names, except those that loader.js and the bindings of compat refer to.
const LONG_NAME = /\b(\w+_[0-9a-f]{16}\w*|__(externref|wbg|wbindgen(?!_externref))_\w+)\b/g;
// The kind of an import. The module imports only functions.
const FUNCTION = 0;

/** Returns `{ module, bindings }` with the same short names in both. */
export function shortenNames(module, bindings) {
  const names = new Map();
  const shorten = (name) => {
    if (name.search(LONG_NAME) !== 0) return name;
    if (!names.has(name)) names.set(name, `$${names.size.toString(36)}`);
    return names.get(name);
  };
  const sections = [module.subarray(0, 8)];
  const reader = new Reader(module, 8);
  while (reader.offset < module.length) {
    const id = reader.byte();
    const content = reader.bytes();
    const rewritten = id === IMPORTS ? rewriteImports(content, shorten) : id === EXPORTS ? rewriteExports(content, shorten) : content;
    sections.push([id], encodeNumber(rewritten.length), rewritten);
  }
  const renamed = bindings.replace(LONG_NAME, (name) => names.get(name) ?? name);
  return { module: Buffer.concat(sections.map((bytes) => Buffer.from(bytes))), bindings: renamed };
}

function rewriteImports(content, shorten) {
  return rewriteEntries(content, (reader) => {
    const module = reader.bytes();
    const name = shorten(reader.string());
    if (reader.byte() !== FUNCTION) throw new Error(`the import ${name} must be a function`);
    return [...encodeString(module), ...encodeString(name), FUNCTION, ...encodeNumber(reader.number())];
  });
}

function rewriteExports(content, shorten) {
  return rewriteEntries(content, (reader) => [...encodeString(shorten(reader.string())), reader.byte(), ...encodeNumber(reader.number())]);
}

function rewriteEntries(content, rewriteEntry) {
  const reader = new Reader(content, 0);
  const count = reader.number();
  return [...encodeNumber(count), ...Array.from({ length: count }, () => rewriteEntry(reader)).flat()];
}

/** Encodes a string, or its bytes, with its length. */
function encodeString(value) {
  const bytes = Buffer.from(value);
  return [...encodeNumber(bytes.length), ...bytes];
}

/** Encodes a number as ULEB128. */
function encodeNumber(value) {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...encodeNumber(value >>> 7)];
}

/** Reads the binary format of WebAssembly. */
class Reader {
  constructor(source, offset) {
    this.source = source;
    this.offset = offset;
  }

  byte() {
    return this.source[this.offset++];
  }

  number() {
    const byte = this.byte();
    return byte < 0x80 ? byte : (byte & 0x7f) + this.number() * 0x80;
  }

  bytes() {
    const length = this.number();
    this.offset += length;
    return this.source.subarray(this.offset - length, this.offset);
  }

  string() {
    return Buffer.from(this.bytes()).toString();
  }
}
