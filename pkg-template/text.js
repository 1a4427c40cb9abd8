// Bytes as text for a script. Base64 hides from a compressor what bytes have in common: of this module it makes a third more
// bytes on the wire. Here a byte is one printable character, and its block, where it is not the first, another one before it.

const BLOCK = 89;
// From "#" on, without the backslash; the last two characters, "}" and "~", announce the second and the third block.
const FIRST = 35;
const BACKSLASH = 92;
const LAST = 124;

export function toText(bytes) {
  const character = (at) => String.fromCharCode(FIRST + at + (FIRST + at >= BACKSLASH ? 1 : 0));
  const announced = ["", "}", "~"];
  return Array.from(bytes, (byte) => announced[Math.floor(byte / BLOCK)] + character(byte % BLOCK)).join("");
}

export function fromText(text, size) {
  const bytes = new Uint8Array(size);
  let at = 0;
  let block = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code > LAST) {
      block = (code - LAST) * BLOCK;
    } else {
      bytes[at++] = block + code - (code > BACKSLASH ? FIRST + 1 : FIRST);
      block = 0;
    }
  }
  return bytes;
}
