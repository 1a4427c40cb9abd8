// Reads and writes resume tokens, independently of the package: aq1.<operation>.<request digest>.<checksum>.<position>
import assert from "node:assert/strict";

/** FNV-1a of 64 bits. */
function digest(text) {
  let hash = 0xcbf29ce484222325n;
  for (const byte of new TextEncoder().encode(text)) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  return hash.toString(16).padStart(16, "0");
}

/** Returns the parts of a token whose checksum is right. */
export function parseToken(token) {
  const [, operation, request, checksum, position] = token.match(/^aq1\.(\w+)\.([\da-f]{16})\.([\da-f]{16})\.(.*)$/) ?? [];
  assert.equal(checksum, digest(`aq1.${operation}.${request}.${position}`), token);
  return { operation, request, position };
}

export function formatToken({ operation, request, position }) {
  const prefix = `aq1.${operation}.${request}`;
  return `${prefix}.${digest(`${prefix}.${position}`)}.${position}`;
}

/** Returns the token with another position, a JSON value. */
export function replacePosition(token, change) {
  const parts = parseToken(token);
  const position = change(JSON.parse(decodeURIComponent(parts.position)));
  return formatToken({ ...parts, position: encodeURIComponent(JSON.stringify(position)) });
}
