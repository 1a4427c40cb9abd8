/**
 * A hex string: `0x` and hex digits. The service chooses the letter case of address hashes, so compare them case-insensitively.
 */
export type Hex = `0x${string}`;

/** Any JSON value. */
export type JsonValue = string | number | boolean | null | JsonValue[] | JsonObject;

/** A JSON object with any members. Untrusted: anyone on the chain may have written it. */
export interface JsonObject {
  [key: string]: JsonValue;
}
