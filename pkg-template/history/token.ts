// Resume tokens of histories and watches: a version, a digest of what the token belongs to, and a position as JSON.
import { createParameterError } from "../errors.js";

/** Encodes a position, a JSON value. `identity` says which history it belongs to. */
export function encodeToken(identity: string, position: unknown): string {
  return `${digest(identity)}.${encodeURIComponent(JSON.stringify(position))}`;
}

/** Decodes a position. Throws if the token belongs to another history, or if `isValid` rejects the position. */
export function decodeToken<Position>(
  identity: string,
  parameter: string,
  token: string,
  isValid: (position: Position) => boolean,
): Position {
  const [, identityDigest, json = ""] = /^(aqh1\w+)\.(.+)$/s.exec(token) ?? [];
  if (identityDigest !== undefined && identityDigest !== digest(identity)) {
    throw createParameterError(parameter, "belongs to another address or other parameters; pass the same as before");
  }
  try {
    const position = JSON.parse(decodeURIComponent(json));
    if (isValid(position)) return position;
  } catch {
    // Not JSON, or not of the expected shape.
  }
  throw createParameterError(parameter, "is not a resume token, or is truncated; start without it");
}

/** A version and a 32-bit FNV-1a hash. It detects mistakes, not forgery. */
function digest(string: string): string {
  let hash = 0x811c9dc5;
  for (let i = 0; i < string.length; i++) hash = Math.imul(hash ^ string.charCodeAt(i), 0x01000193);
  return `aqh1${(hash >>> 0).toString(16)}`;
}
