// Short names for what a module imports and exports. wasm-bindgen's are long, and hold hashes, which no compressor makes smaller.

const IMPORTS = 2;
const EXPORTS = 7;
// Names with hashes, and those of wasm-bindgen's own work, but for what is said to the loader and to compat's bindings.
const LONG = /\b(\w+_[0-9a-f]{16}\w*|__(externref|wbg|wbindgen(?!_externref))_\w+)\b/g;
// The kind of an import; only functions are imported here.
const FUNCTION = 0;

/** The module and its bindings with short names in both. */
export function shortened(module, bindings) {
  const names = new Map();
  const short = (name) => {
    if (name.search(LONG) !== 0) return name;
    if (!names.has(name)) names.set(name, `$${names.size.toString(36)}`);
    return names.get(name);
  };
  const sections = [module.subarray(0, 8)];
  const reader = new Reader(module, 8);
  while (reader.at < module.length) {
    const id = reader.byte();
    const content = reader.bytes();
    const written = id === IMPORTS ? imports(content, short) : id === EXPORTS ? exports(content, short) : content;
    sections.push([id], number(written.length), written);
  }
  const text = bindings.replace(LONG, (name) => names.get(name) ?? name);
  return { module: Buffer.concat(sections.map((part) => Buffer.from(part))), bindings: text };
}

function imports(content, short) {
  return entries(content, (reader) => {
    const from = reader.bytes();
    const name = short(reader.text());
    if (reader.byte() !== FUNCTION) throw new Error(`${name} is imported, and no function`);
    return [...text(from), ...text(name), FUNCTION, ...number(reader.number())];
  });
}

function exports(content, short) {
  return entries(content, (reader) => [...text(short(reader.text())), reader.byte(), ...number(reader.number())]);
}

function entries(content, rewritten) {
  const reader = new Reader(content, 0);
  const count = reader.number();
  return [...number(count), ...Array.from({ length: count }, () => rewritten(reader)).flat()];
}

function text(value) {
  const bytes = Buffer.from(value);
  return [...number(bytes.length), ...bytes];
}

/** A number as ULEB128. */
function number(value) {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...number(value >>> 7)];
}

class Reader {
  constructor(source, at) {
    this.source = source;
    this.at = at;
  }

  byte() {
    return this.source[this.at++];
  }

  number() {
    const byte = this.byte();
    return byte < 0x80 ? byte : (byte & 0x7f) + this.number() * 0x80;
  }

  bytes() {
    const length = this.number();
    this.at += length;
    return this.source.subarray(this.at - length, this.at);
  }

  text() {
    return Buffer.from(this.bytes()).toString();
  }
}
