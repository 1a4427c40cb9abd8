// Resume tokens of histories and watches: a version, and what the token belongs to and its position as JSON.
import { createParameterError } from "../errors.js";

const VERSION = "aqh1.";

/** Encodes a position, a JSON value. `identity` says which history it belongs to. */
export function encodeToken(identity: string, position: unknown): string {
  return VERSION + encodeURIComponent(JSON.stringify([identity, position]));
}

/** Decodes a position. Throws if the token belongs to another history, or if `isValid` rejects the position. */
export function decodeToken<Position>(
  identity: string,
  parameter: string,
  token: string,
  isValid: (position: Position) => boolean,
): Position {
  let isOther = false;
  try {
    const json = token.startsWith(VERSION) ? token.slice(VERSION.length) : "";
    const [tokenIdentity, position] = JSON.parse(decodeURIComponent(json));
    isOther = tokenIdentity !== identity;
    if (!isOther && isValid(position)) return position;
  } catch {
    // Not JSON, or not of the expected shape.
  }
  throw createParameterError(
    parameter,
    isOther
      ? "belongs to another address or other parameters; pass the same as before"
      : "is not a resume token, or is truncated; start without it",
  );
}
