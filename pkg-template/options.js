// Checks options by the generated table (option-table.js), before anything is sent.
import { invalidParameter } from "./errors.js";

/** Throws for the first option that is unknown, has a wrong value, or is missing. Null and undefined mean the default. */
export function checkOptions(options, table) {
  for (const [name, value] of Object.entries(options)) {
    if (value == null) continue;
    if (!Object.hasOwn(table, name)) {
      throw invalidParameter(name, `unknown option; valid options are ${Object.keys(table).join(", ")}`);
    }
    if (!accepts(table[name], value)) throw invalidParameter(name, table[name].rule);
  }
  for (const [name, { required, rule }] of Object.entries(table)) {
    if (required && options[name] == null) throw invalidParameter(name, rule);
  }
}

function accepts({ types, values, members, from, to, whole }, value) {
  if (types) return types.includes(typeof value);
  if (values) return values.includes(value);
  if (members) return Object.entries(members).every(([name, type]) => typeof value[name] === type);
  return typeof value === "number" && value >= from && value <= to && (!whole || Number.isInteger(value));
}
