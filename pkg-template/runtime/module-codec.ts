// Encodes a WebAssembly module as a string that can be part of a script, and decodes it.
//
// Base64 hides repeated byte sequences from compressors: it makes this module a third larger after compression. Here most
// bytes become one printable character each. The byte values form three blocks of 89. Values of the second and the third block
// get a prefix character.

const BLOCK_SIZE = 89;
// The alphabet starts at "#" and omits the backslash. "}" and "~" are the prefixes of the second and the third block.
const FIRST = 35;
const BACKSLASH = 92;
const LAST = 124;

/** Encodes bytes as a string of printable ASCII characters without quotes and backslashes. */
export function encodeModule(bytes: Uint8Array): string {
  const character = (offset: number) => String.fromCharCode(FIRST + offset + (FIRST + offset >= BACKSLASH ? 1 : 0));
  const prefixes = ["", "}", "~"];
  return Array.from(bytes, (byte) => `${prefixes[Math.floor(byte / BLOCK_SIZE)]}${character(byte % BLOCK_SIZE)}`).join("");
}

/** Decodes a string of `encodeModule` to its `size` bytes. */
export function decodeModule(encoded: string, size: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(size);
  let length = 0;
  let blockStart = 0;
  for (let i = 0; i < encoded.length; i++) {
    const code = encoded.charCodeAt(i);
    if (code > LAST) {
      blockStart = (code - LAST) * BLOCK_SIZE;
    } else {
      bytes[length++] = blockStart + code - (code > BACKSLASH ? FIRST + 1 : FIRST);
      blockStart = 0;
    }
  }
  return bytes;
}
