/** Bytes as text: `0x` and hex digits. Address hashes are in the service's letter case: compare without regard to case. */
export type Hex = `0x${string}`;

/** Any JSON value. */
export type JsonValue = string | number | boolean | null | JsonValue[] | JsonObject;

/** A JSON object with any members; on the chain, anybody may have written it. */
export interface JsonObject {
  [key: string]: JsonValue;
}
