// Checks the names of parameters and options that no table declares.
import { copyObject } from "./arguments.js";
import { createParameterError } from "./errors.js";

/** Throws if the values are not an object, or a name is unknown. Suggests a longer one: `address_hash` for `address` of the account module. */
export function checkNames(noun: "parameter" | "option", values: object, valid: readonly string[]): void {
  const unknown = Object.keys(copyObject(values, noun === "option" ? "options" : "params")).find((name) => !valid.includes(name));
  if (unknown === undefined) return;
  const similar = valid.find((name) => name.startsWith(unknown));
  const suggestion = similar ? ` (did you mean ${similar}?)` : "";
  throw createParameterError(unknown, `unknown ${noun}${suggestion}; valid ${noun}s are ${valid.join(", ")}`);
}
