/**
 * A hex string: `0x` and hex digits. The service chooses the letter case of address hashes, so compare them case-insensitively.
 */
export type Hex = `0x${string}`;

declare const other: unique symbol;

/**
 * A string that is none of the known ones: newer service versions may send others. Its type is not `string`, because TypeScript would then
 * not tell it from the known ones. `String(value)` returns it as one.
 */
export interface OtherValue {
  readonly [other]: never;
  toString(): string;
}

/** Any JSON value. */
export type JsonValue = string | number | boolean | null | JsonValue[] | JsonObject;

/** A JSON object with any members. Untrusted: anyone on the chain may have written it. */
export interface JsonObject {
  [key: string]: JsonValue;
}
