// Keys of queries: equal for equal calls, however their parameters are written.
import { createParameterError } from "../entry-support.js";
import type { QueryKey } from "./public-types.js";

const HEX = /^0x[\da-f]{40,}$/i;

/** Creates a key. It is JSON, so that it is equal to itself after a cache was stored and restored. */
export function createKey(source: QueryKey[1], method: string, params: object = {}, options: object = {}): QueryKey {
  try {
    return JSON.parse(JSON.stringify(["address-query", source, method, params, options], normalize)) as QueryKey;
  } catch {
    throw createParameterError("params", "must be JSON, without a BigInt or a cycle");
  }
}

/** The service takes addresses and hashes in any case. A parameter that is null is not sent. */
function normalize(this: unknown, _name: string, value: unknown): unknown {
  if (typeof value === "string" && HEX.test(value)) return value.toLowerCase();
  return value === null && !Array.isArray(this) ? undefined : value;
}
