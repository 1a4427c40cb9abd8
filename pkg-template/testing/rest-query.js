// Parsing and validation of the query parameters of REST lists, as each backend version does it.

import { createValidationError } from "./errors.js";

const accept = (value) => ({ value });
const reject = (detail) => ({ detail });
const rejectForAll = (...schemas) => reject(`Failed to cast value using any of: ${schemas.map((schema) => `Schema(${schema})`).join(", ")}`);

const createPatternParser = (pattern, convert) => (string) =>
  pattern.test(string) ? accept(convert(string)) : reject(`Invalid format. Expected ~r/${pattern.source}/`);
const toLowerCase = (string) => string.toLowerCase();

// A parser takes a string and returns `{ value }`, or `{ detail }` with the service's error message.

export const parseString = (string) => accept(string);
export const parseAddress = createPatternParser(/^0x([A-Fa-f0-9]{40})$/, toLowerCase);
export const parseHash = createPatternParser(/^0x([A-Fa-f0-9]{64})$/, toLowerCase);
export const parseHex = createPatternParser(/^0x([A-Fa-f0-9]*)$/, toLowerCase);

export const createIntegerParser = ({ min = -Infinity, max = Infinity } = {}) => (string) => {
  if (!/^[+-]?\d+$/.test(string)) return reject("Invalid integer. Got: string");
  const value = Number(string);
  if (value < min) return reject(`${value} is smaller than inclusive minimum ${min}`);
  if (value > max) return reject(`${value} is larger than inclusive maximum ${max}`);
  return accept(value);
};

export const parseIntegerOrNull = (string) => {
  if (string === "" || string === "null") return accept(null);
  const result = createIntegerParser()(string);
  return result.detail ? rejectForAll("type: :integer", 'title: "EmptyString", type: :string', 'title: "NullString", type: :string') : result;
};

/** Parses an integer of any size, or null. */
export const parseBigIntegerOrNull = (string) =>
  string === "" || string === "null" ? accept(null) : createPatternParser(/^-?([1-9][0-9]*|0)$/, BigInt)(string);

export const parseBoolean = (string) =>
  string === "true" || string === "false" ? accept(string === "true") : reject("Invalid boolean. Got: string");

export const createEnumParser = (...choices) => (string) => (choices.includes(string) ? accept(string) : reject("Invalid value for enum"));

export const TOKEN_TYPES = ["ERC-20", "ERC-721", "ERC-1155", "ERC-404", "ERC-7984"];

/** Parses a list such as `ERC-20,ERC-721` or `[ERC-20]`. An empty array means no filter. */
export const parseTokenTypes = (string) => {
  const types = string.toUpperCase().replace(/^\[(.*)\]$|^(.*)$/, "$1$2").split(",");
  if (string === "" || types.every((type) => TOKEN_TYPES.includes(type))) return accept(string ? types : []);
  return rejectForAll('title: "EmptyString", type: :string', "type: :string");
};

/** Parameters that every path accepts. */
const COMMON_PARSERS = { apikey: parseString, key: parseString };

/**
 * Parses a query; `parsers` has a parser per parameter of the path. Version 8 ignores unknown parameters and invalid values.
 * Later versions reject the request with one entry per error, including `errors` that were found in the path.
 */
export function parseQuery(searchParams, parsers, version, errors = []) {
  const allParsers = { ...COMMON_PARSERS, ...parsers };
  const values = {};
  for (const name of new Set(searchParams.keys())) {
    const strings = searchParams.getAll(name);
    if (!Object.hasOwn(allParsers, name)) {
      errors.push([name, `Unexpected field: ${name}`]);
    } else if (strings.length > 1 && version > 8) {
      errors.push([name, "Sent more than once"]);
    } else {
      const { value, detail } = allParsers[name](version > 8 ? strings[0] : expandExponent(strings.at(-1)));
      if (detail) errors.push([name, detail]);
      else values[name] = value;
    }
  }
  if (errors.length > 0 && version > 8) throw createValidationError(errors);
  return values;
}

/** Writes `4E+21` as digits. Version 8 sends and accepts large integers in that form. */
function expandExponent(string) {
  const [, integer, fraction = "", exponent] = /^(\d+)(?:\.(\d+))?e\+?(\d{1,2})$/i.exec(string) ?? [];
  return integer && exponent >= fraction.length ? integer + fraction + "0".repeat(exponent - fraction.length) : string;
}
