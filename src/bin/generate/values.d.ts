/**
 * A hex string: `0x` and hex digits. The service chooses the letter case of address hashes, so compare them case-insensitively.
 */
export type Hex = `0x${string}`;

declare const other: unique symbol;

/**
 * A string that is not one of the known values: newer service versions may send others. Its type is not `string`, because
 * TypeScript could then not distinguish it from the known values. `String(value)` converts it to a string.
 */
export interface OtherValue {
  readonly [other]: never;
  toString(): string;
}

/** Any JSON value. */
export type JsonValue = string | number | boolean | null | JsonValue[] | JsonObject;

/** A parameter of an {@link AbiItem}. */
export interface AbiParameter {
  /** The type, such as `uint256` or `tuple[]`. */
  type: string;
  name?: string;
  internalType?: string;
  /** The members of a tuple. */
  components?: AbiParameter[];
  /** Whether a parameter of an event is a topic. */
  indexed?: boolean;
}

/**
 * An item of an ABI, as compilers emit it: viem and ethers accept a list of them. Not checked. Versions of Solidity before 0.4.16
 * omit `stateMutability`.
 */
export type AbiItem =
  | {
      type: "function";
      name: string;
      inputs: AbiParameter[];
      outputs: AbiParameter[];
      stateMutability: "pure" | "view" | "nonpayable" | "payable";
    }
  | { type: "constructor"; inputs: AbiParameter[]; stateMutability: "nonpayable" | "payable" }
  | { type: "event"; name: string; inputs: AbiParameter[]; anonymous?: boolean }
  | { type: "error"; name: string; inputs: AbiParameter[] }
  | { type: "fallback"; stateMutability: "nonpayable" | "payable" }
  | { type: "receive"; stateMutability: "payable" };

/** A JSON object with any members. Untrusted: anyone on the chain may have written it. */
export interface JsonObject {
  [key: string]: JsonValue;
}
