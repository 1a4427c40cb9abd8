// The query parameters of the REST API: their parsers, and what each backend version accepts.

import type { BackendVersion } from "../public-types.js";
import { createValidationError, type InvalidParameter } from "../responses.js";

/** A parsed value, or the service's error message. */
type Result<Value> = { readonly value: Value; readonly detail?: undefined } | { readonly detail: string };

/** Parses a parameter. Other versions than these do not have it. */
export interface Parser<Value> {
  (string: string, version: number): Result<Value>;
  readonly versions?: readonly [first: number, last: number];
}

export type Parsers = Readonly<Record<string, Parser<unknown>>>;

export type Values<Of> = { readonly [Name in keyof Of]?: Of[Name] extends Parser<infer Value> ? Value : never };

const accept = <Value>(value: Value) => ({ value });
const reject = (detail: string) => ({ detail });
const rejectForAll = (...schemas: readonly string[]) =>
  reject(`Failed to cast value using any of: ${schemas.map((schema) => `Schema(${schema})`).join(", ")}`);

const pattern =
  <Value>(pattern: RegExp, convert: (string: string) => Value): Parser<Value> =>
  (string) =>
    pattern.test(string) ? accept(convert(string)) : reject(`Invalid format. Expected ~r/${pattern.source}/`);
const toLowerCase = (string: string) => string.toLowerCase();
const orNull =
  <Value>(parser: Parser<Value>): Parser<Value | null> =>
  (string, version) =>
    string === "" || string === "null" ? accept(null) : parser(string, version);

export const anyString: Parser<string> = accept;
export const address = pattern(/^0x([A-Fa-f0-9]{40})$/, toLowerCase);
export const hash = pattern(/^0x([A-Fa-f0-9]{64})$/, toLowerCase);
export const hex = pattern(/^0x([A-Fa-f0-9]*)$/, toLowerCase);
export const timestamp = pattern(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/, String);
export const bigIntegerOrNull = orNull(pattern(/^-?([1-9][0-9]*|0)$/, BigInt));
/** A decimal number in plain notation, or null. The service rejects exponents, although it sends them. */
export const decimalOrNull = orNull(pattern(/^([1-9][0-9]*|0)(\.[0-9]+)?$/, String));

export const integer =
  (min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY): Parser<number> =>
  (string) => {
    if (!/^[+-]?\d+$/.test(string)) return reject("Invalid integer. Got: string");
    const value = Number(string);
    if (value < min) return reject(`${value} is smaller than inclusive minimum ${min}`);
    return value > max ? reject(`${value} is larger than inclusive maximum ${max}`) : accept(value);
  };
export const anyInteger = integer();
export const blockNumber = integer(0);

export const integerOrNull = orNull<number>((string, version) => {
  const result = anyInteger(string, version);
  if (result.detail === undefined) return result;
  return rejectForAll("type: :integer", 'title: "EmptyString", type: :string', 'title: "NullString", type: :string');
});

export const boolean: Parser<boolean> = (string) =>
  string === "true" || string === "false" ? accept(string === "true") : reject("Invalid boolean. Got: string");

export const oneOf =
  <const Choices extends readonly string[]>(...choices: Choices): Parser<Choices[number]> =>
  (string) =>
    choices.includes(string) ? accept(string) : reject("Invalid value for enum");

export const someOf =
  (...choices: readonly string[]): Parser<readonly string[]> =>
  (string) => {
    const found = string.split(",").filter((choice) => choice !== "");
    return found.every((choice) => choices.includes(choice)) ? accept(found) : reject("Invalid value for enum");
  };

export const TOKEN_TYPES = ["ERC-20", "ERC-721", "ERC-1155", "ERC-404", "ERC-7984"];

/** A list such as `ERC-20,ERC-721` or `[ERC-20]`. An empty array means no filter. */
export const tokenTypes: Parser<readonly string[]> = (string) => {
  const types = string
    .toUpperCase()
    .replace(/^\[(.*)\]$/, "$1")
    .split(",");
  if (string === "" || types.every((type) => TOKEN_TYPES.includes(type))) return accept(string ? types : []);
  return rejectForAll('title: "EmptyString", type: :string', "type: :string");
};

/** Limits a parameter to the versions from `first` to `last`. */
export const only = <Of extends Parser<unknown>>(first: number, last: number, parser: Of): Of =>
  Object.assign(((string, version) => parser(string, version)) as Of, { versions: [first, last] as const });

const COMMON_PARSERS: Parsers = { apikey: anyString, key: anyString };

/**
 * Parses a query; `parsers` has a parser per parameter of the path. Version 8 ignores unknown parameters and invalid values.
 * Later versions reject the request with one entry per error, including `pathErrors`.
 */
export function parseQuery(
  searchParams: URLSearchParams,
  parsers: Parsers,
  version: BackendVersion,
  pathErrors: readonly InvalidParameter[],
): Record<string, unknown> {
  const known = new Map(Object.entries({ ...COMMON_PARSERS, ...parsers }));
  const errors = [...pathErrors];
  const values: Record<string, unknown> = {};
  for (const name of new Set(searchParams.keys())) {
    const strings = searchParams.getAll(name);
    const parse = known.get(name);
    const [first, last] = parse?.versions ?? [0, 99];
    if (!parse || version < first || version > last) {
      errors.push([name, `Unexpected field: ${name}`]);
    } else if (strings.length > 1 && version > 8) {
      errors.push([name, "Sent more than once"]);
    } else {
      const string = strings.at(-1) ?? "";
      const result = parse(version > 8 ? string : expandExponent(string), version);
      if (result.detail === undefined) values[name] = result.value;
      else errors.push([name, result.detail]);
    }
  }
  if (errors.length > 0 && version > 8) throw createValidationError(errors);
  return values;
}

/** Writes `4E+21` and `1.2E-8` without an exponent. Version 8 sends and accepts numbers in that form. */
function expandExponent(string: string): string {
  const [, digit, decimals = "", places] = /^(\d)(?:\.(\d+))?e-(\d{1,3})$/i.exec(string) ?? [];
  if (digit) return `0.${"0".repeat(Number(places) - 1)}${digit}${decimals}`;
  const [, integer, fraction = "", exponent] = /^(\d+)(?:\.(\d+))?e\+?(\d{1,2})$/i.exec(string) ?? [];
  const zeros = Number(exponent) - fraction.length;
  return integer && zeros >= 0 ? integer + fraction + "0".repeat(zeros) : string;
}
