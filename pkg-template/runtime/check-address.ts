// Checks the addresses of functions that are not methods of a client.
import { createParameterError } from "./errors.js";
import { ADDRESS } from "./limits.js";

/** Throws if a value is not an address hash. For a name, the message says how to find its address, like the message of the methods. */
export function checkAddress(parameter: string, value: unknown): asserts value is string {
  const string = typeof value === "string" ? value : "";
  if (ADDRESS.test(string)) return;
  const hint = string.includes(".") ? "; call resolveName for a name" : "";
  throw createParameterError(parameter, `must be an address hash: 0x and 40 hex digits${hint}`);
}
