// Resume tokens of histories and watches: a version, and what the token belongs to, and its position as JSON.
import { type AddressQueryError, createParameterError } from "../errors.js";

const VERSION = "aqh1.";

/** The content of a token. */
export interface Token<Position> {
  /** What the token was passed as. */
  parameter: string;
  /** The base URL of the client that created it. */
  baseUrl: string;
  position: Position;
}

/** Encodes a position, a JSON value. `identity` says which history of the base URL it belongs to. */
export function encodeToken(identity: string, baseUrl: string, position: unknown): string {
  return VERSION + encodeURIComponent(JSON.stringify([identity, baseUrl, position]));
}

/** Decodes a token. Throws if it belongs to another history, or if `isValid` rejects the position. */
export function decodeToken<Position>(
  identity: string,
  parameter: string,
  token: string,
  isValid: (position: Position) => boolean,
): Token<Position> {
  let isOther = false;
  try {
    const json = token.startsWith(VERSION) ? token.slice(VERSION.length) : "";
    const [tokenIdentity, baseUrl, position] = JSON.parse(decodeURIComponent(json));
    isOther = tokenIdentity !== identity;
    if (!isOther && isValid(position)) return { parameter, baseUrl, position };
  } catch {
    // Not JSON, or not of the expected shape.
  }
  if (isOther) throw createForeignTokenError(parameter);
  throw createParameterError(parameter, "is not a resume token, or truncated; start without it");
}

export function createForeignTokenError(parameter: string): AddressQueryError {
  return createParameterError(parameter, "belongs to another base URL or other parameters; pass the same as before");
}
