// Checks options against the generated table (option-table.js), before anything is sent.
import { createParameterError } from "./errors.js";

/** Throws for the first option that is unknown, invalid, or required and missing. Null and undefined mean the default. */
export function checkOptions(options, table) {
  for (const [name, value] of Object.entries(options)) {
    if (value == null) continue;
    if (!Object.hasOwn(table, name)) {
      throw createParameterError(name, `unknown option; valid options are ${Object.keys(table).join(", ")}`);
    }
    if (!isValid(table[name], value)) throw createParameterError(name, table[name].rule);
  }
  for (const [name, { required, rule }] of Object.entries(table)) {
    if (required && options[name] == null) throw createParameterError(name, rule);
  }
}

/** Checks a value by its table entry, which has either `types`, `values`, `members`, or the limits of a number. */
function isValid({ types, values, members, from, to, integer }, value) {
  if (types) return types.includes(typeof value);
  if (values) return values.includes(value);
  if (members) return Object.entries(members).every(([name, type]) => typeof value[name] === type);
  return typeof value === "number" && value >= from && value <= to && (!integer || Number.isInteger(value));
}
