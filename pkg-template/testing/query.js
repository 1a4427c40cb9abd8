// Query parameters: the kinds of value, and how strictly each version reads them.

import { invalidParameters } from "./errors.js";

const ok = (value) => ({ value });
const bad = (detail) => ({ detail });
const badForAll = (...schemas) => bad(`Failed to cast value using any of: ${schemas.map((schema) => `Schema(${schema})`).join(", ")}`);

const matching = (pattern, convert) => (text) => (pattern.test(text) ? ok(convert(text)) : bad(`Invalid format. Expected ~r/${pattern.source}/`));
const lowerCase = (text) => text.toLowerCase();

// Each kind reads a text as `{ value }`, or says in `{ detail }` what is wrong with it.

export const text = (value) => ok(value);
export const address = matching(/^0x([A-Fa-f0-9]{40})$/, lowerCase);
export const hash = matching(/^0x([A-Fa-f0-9]{64})$/, lowerCase);
export const hex = matching(/^0x([A-Fa-f0-9]*)$/, lowerCase);

export const integer = ({ min = -Infinity, max = Infinity } = {}) => (text) => {
  if (!/^[+-]?\d+$/.test(text)) return bad("Invalid integer. Got: string");
  const value = Number(text);
  if (value < min) return bad(`${value} is smaller than inclusive minimum ${min}`);
  if (value > max) return bad(`${value} is larger than inclusive maximum ${max}`);
  return ok(value);
};

export const integerOrNull = (text) => {
  if (text === "" || text === "null") return ok(null);
  const read = integer()(text);
  return read.detail ? badForAll("type: :integer", 'title: "EmptyString", type: :string', 'title: "NullString", type: :string') : read;
};

/** An integer of any size, or null. */
export const bigIntegerOrNull = (text) =>
  text === "" || text === "null" ? ok(null) : matching(/^-?([1-9][0-9]*|0)$/, BigInt)(text);

export const boolean = (text) =>
  text === "true" || text === "false" ? ok(text === "true") : bad("Invalid boolean. Got: string");

export const oneOf = (...choices) => (text) => (choices.includes(text) ? ok(text) : bad("Invalid value for enum"));

export const STANDARDS = ["ERC-20", "ERC-721", "ERC-1155", "ERC-404", "ERC-7984"];

/** A list of token standards, read as an array that is empty when nothing is to be filtered. */
export const standards = (text) => {
  const names = text.toUpperCase().replace(/^\[(.*)\]$|^(.*)$/, "$1$2").split(",");
  if (text === "" || names.every((name) => STANDARDS.includes(name))) return ok(text ? names : []);
  return badForAll('title: "EmptyString", type: :string', "type: :string");
};

/** Parameters that every path takes. */
const UNIVERSAL = { apikey: text, key: text };

/**
 * Reads a query by the kinds its path declares. Version 8 ignores what it does not understand; later ones refuse
 * with one entry for every fault. `faults` are those found elsewhere in the request.
 */
export function readQuery(search, kinds, version, faults = []) {
  const declared = { ...UNIVERSAL, ...kinds };
  const values = {};
  for (const name of new Set(search.keys())) {
    const texts = search.getAll(name);
    if (!Object.hasOwn(declared, name)) {
      faults.push([name, `Unexpected field: ${name}`]);
    } else if (texts.length > 1 && version > 8) {
      faults.push([name, "Sent more than once"]);
    } else {
      const read = declared[name](version > 8 ? texts[0] : expandExponent(texts.at(-1)));
      if (read.detail) faults.push([name, read.detail]);
      else values[name] = read.value;
    }
  }
  if (faults.length > 0 && version > 8) throw invalidParameters(faults);
  return values;
}

/** Version 8 sends and takes large numbers such as `4E+21`. */
function expandExponent(text) {
  const [, whole, fraction = "", exponent] = /^(\d+)(?:\.(\d+))?e\+?(\d{1,2})$/i.exec(text) ?? [];
  return whole && exponent >= fraction.length ? whole + fraction + "0".repeat(exponent - fraction.length) : text;
}
