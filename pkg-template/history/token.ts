// The resume token of a history: the last delivered event, and where each source continues.
import { createParameterError } from "../errors.js";
import type { Bounds } from "./source.js";
import type { StartToken } from "./sources.js";

const VERSION = "aqh1";

export interface HistoryPosition {
  bounds: Bounds;
  /** The block of the last delivered event. */
  block: number;
  /** Its key. */
  key: string;
  /** How many events of the block were delivered. It counts where the key is no longer found, because the block was replaced. */
  count: number;
  tokens: readonly StartToken[];
}

/** Encodes a position. `identity` says which history it belongs to. */
export function encodeToken(identity: string, { bounds, block, key, count, tokens }: HistoryPosition): string {
  // JSON has no undefined.
  const starts = tokens.map((token) => (token === undefined ? 0 : token));
  return [
    VERSION,
    digest(identity),
    encodeURIComponent(JSON.stringify([bounds.from, bounds.to, block, key, count, starts])),
  ].join(".");
}

/** Throws if the token is not one of this history. */
export function decodeToken(identity: string, parameter: string, token: string): HistoryPosition {
  const [, version, identityDigest, json] = /^(\w+)\.(\w+)\.(.+)$/s.exec(token) ?? [];
  if (version === VERSION && identityDigest !== digest(identity)) {
    throw createParameterError(parameter, "belongs to another address or other parameters; pass the same as before");
  }
  try {
    const [from, to, block, key, count, starts] = JSON.parse(decodeURIComponent(json as string));
    const isValid =
      version === VERSION &&
      [from, to, block, count].every(Number.isSafeInteger) &&
      typeof key === "string" &&
      starts.every((start: unknown) => start === 0 || start === null || typeof start === "string");
    if (isValid) {
      const tokens = starts.map((start: string | null | 0) => (start === 0 ? undefined : start));
      return { bounds: { from, to }, block, key, count, tokens };
    }
  } catch {
    // Reported below.
  }
  throw createParameterError(parameter, "is not a resume token, or is truncated; start without it");
}

/** A 32-bit FNV-1a hash. It detects mistakes, not forgery. */
function digest(string: string): string {
  let hash = 0x811c9dc5;
  for (let i = 0; i < string.length; i++) hash = Math.imul(hash ^ string.charCodeAt(i), 0x01000193);
  return (hash >>> 0).toString(16);
}
