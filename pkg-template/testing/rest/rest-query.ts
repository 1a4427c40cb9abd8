// Parsing and validation of the query parameters of REST lists, as each backend version does it.

import { createValidationError, type InvalidParameter } from "../api-error.js";
import type { BackendVersion } from "../public-types.js";

/** The parsed parameters of a request: its filters and its cursor. */
export interface RestQuery {
  readonly apikey?: string;
  readonly key?: string;
  readonly type?: readonly string[];
  readonly filter?: "to" | "from" | "pending" | "validated";
  readonly token?: string;
  readonly topic?: string;
  readonly sort?: string;
  readonly order?: string;
  readonly include_zero_value?: boolean;
  readonly items_count?: number;
  readonly limit?: number;
  readonly block_number?: number | null;
  readonly transaction_index?: number;
  readonly index?: number | null;
  readonly batch_log_index?: number;
  readonly batch_block_hash?: string;
  readonly batch_transaction_hash?: string;
  readonly index_in_batch?: number;
  readonly fetched_coin_balance?: bigint | null;
  readonly hash?: string;
  readonly transaction_hash?: string;
  readonly inserted_at?: string;
  readonly value?: bigint | null;
  readonly fee?: bigint | null;
  readonly fiat_value?: string | null;
  readonly id?: number;
  readonly epoch_number?: number;
  readonly amount?: bigint | null;
  readonly associated_account_address_hash?: string;
  readonly transactions_count?: number | null;
  readonly token_contract_address_hash?: string;
  readonly token_type?: string;
  readonly token_id?: bigint | null;
  readonly q?: string;
  readonly holder_address_hash?: string;
  readonly unique_token?: bigint | null;
  readonly address_hash?: string;
  readonly market_cap?: string | null;
  readonly holders_count?: number | null;
  readonly name?: string;
  readonly is_name_null?: boolean;
  readonly contract_address_hash?: string;
  readonly state_changes_count?: number;
  readonly state_changes?: string;
  readonly page_token?: string;
  readonly page_size?: number;
  readonly sender?: string;
  readonly bundler?: string;
  readonly paymaster?: string;
  readonly factory?: string;
  readonly entry_point?: string;
  readonly next_page_params_type?: string;
  readonly "search[priority]"?: number;
  readonly "search[name]"?: string;
  readonly "search[key]"?: string;
  readonly internal_transaction_index?: number | null;
  readonly token_transfer_index?: number | null;
  readonly token_transfer_batch_index?: number | null;
  readonly transaction_types?: string;
  readonly methods?: string;
  readonly methods_names?: string;
  readonly age_from?: string;
  readonly age_to?: string;
  readonly from_address_hashes_to_include?: string;
  readonly from_address_hashes_to_exclude?: string;
  readonly to_address_hashes_to_include?: string;
  readonly to_address_hashes_to_exclude?: string;
  readonly address_relation?: "or" | "and";
  readonly amount_from?: string;
  readonly amount_to?: string;
  readonly token_contract_address_hashes_to_include?: string;
  readonly token_contract_address_hashes_to_exclude?: string;
  /** The token id in the path. */
  readonly instance?: bigint;
}

/** A parsed value, or the service's error message. */
type ParseResult<Value> = { readonly value: Value; readonly detail?: undefined } | { readonly detail: string };
type Parser<Value> = (string: string) => ParseResult<Value>;

/** A parser per parameter. */
export type Parsers = { readonly [Name in keyof RestQuery]?: Parser<Exclude<RestQuery[Name], undefined>> };

interface Bounds {
  readonly min?: number;
  readonly max?: number;
}

const accept = <Value>(value: Value) => ({ value });
const reject = (detail: string) => ({ detail });
const rejectForAll = (...schemas: readonly string[]) =>
  reject(`Failed to cast value using any of: ${schemas.map((schema) => `Schema(${schema})`).join(", ")}`);

const createPatternParser =
  <Value>(pattern: RegExp, convert: (string: string) => Value): Parser<Value> =>
  (string) =>
    pattern.test(string) ? accept(convert(string)) : reject(`Invalid format. Expected ~r/${pattern.source}/`);
const toLowerCase = (string: string) => string.toLowerCase();

export const parseString: Parser<string> = (string) => accept(string);
export const parseAddress = createPatternParser(/^0x([A-Fa-f0-9]{40})$/, toLowerCase);
export const parseHash = createPatternParser(/^0x([A-Fa-f0-9]{64})$/, toLowerCase);
export const parseHex = createPatternParser(/^0x([A-Fa-f0-9]*)$/, toLowerCase);

export const createIntegerParser =
  ({ min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY }: Bounds = {}): Parser<number> =>
  (string) => {
    if (!/^[+-]?\d+$/.test(string)) return reject("Invalid integer. Got: string");
    const value = Number(string);
    if (value < min) return reject(`${value} is smaller than inclusive minimum ${min}`);
    if (value > max) return reject(`${value} is larger than inclusive maximum ${max}`);
    return accept(value);
  };

export const parseInteger = createIntegerParser();

export const parseIntegerOrNull: Parser<number | null> = (string) => {
  if (string === "" || string === "null") return accept(null);
  const result = parseInteger(string);
  if (result.detail === undefined) return result;
  return rejectForAll("type: :integer", 'title: "EmptyString", type: :string', 'title: "NullString", type: :string');
};

/** Parses an integer of any size, or null. */
export const parseBigIntegerOrNull: Parser<bigint | null> = (string) =>
  string === "" || string === "null" ? accept(null) : createPatternParser(/^-?([1-9][0-9]*|0)$/, BigInt)(string);

/** Parses a decimal number in plain notation, or null. The service rejects exponents, although it sends them. */
export const parseDecimalOrNull: Parser<string | null> = (string) =>
  string === "" || string === "null" ? accept(null) : createPatternParser(/^([1-9][0-9]*|0)(\.[0-9]+)?$/, String)(string);

export const parseTimestamp = createPatternParser(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/, String);

export const parseBoolean: Parser<boolean> = (string) =>
  string === "true" || string === "false" ? accept(string === "true") : reject("Invalid boolean. Got: string");

export const createEnumParser =
  <Choice extends string>(...choices: readonly Choice[]): Parser<Choice> =>
  (string) => {
    const choice = choices.find((value) => value === string);
    return choice === undefined ? reject("Invalid value for enum") : accept(choice);
  };

/** Parses one of the choices as a list of one. */
export const createSingleTypeParser =
  (...choices: readonly string[]): Parser<readonly string[]> =>
  (string) =>
    choices.includes(string) ? accept([string]) : reject("Invalid value for enum");

/** Parses a list of the choices. */
export const createTypesParser =
  (...choices: readonly string[]): Parser<readonly string[]> =>
  (string) => {
    const types = string.split(",").filter((type) => type !== "");
    return types.every((type) => choices.includes(type)) ? accept(types) : reject("Invalid value for enum");
  };

export const TOKEN_TYPES = ["ERC-20", "ERC-721", "ERC-1155", "ERC-404", "ERC-7984"];

/** Parses a list such as `ERC-20,ERC-721` or `[ERC-20]`. An empty array means no filter. */
export const parseTokenTypes: Parser<readonly string[]> = (string) => {
  const types = string
    .toUpperCase()
    .replace(/^\[(.*)\]$|^(.*)$/, "$1$2")
    .split(",");
  if (string === "" || types.every((type) => TOKEN_TYPES.includes(type))) return accept(string ? types : []);
  return rejectForAll('title: "EmptyString", type: :string', "type: :string");
};

/** Parameters that every path accepts. */
const COMMON_PARSERS: Parsers = { apikey: parseString, key: parseString };

/**
 * Parses a query; `parsers` has a parser per parameter of the path. Version 8 ignores unknown parameters and invalid values.
 * Later versions reject the request with one entry per error, including `pathErrors`.
 */
export function parseQuery(
  searchParams: URLSearchParams,
  parsers: Parsers,
  version: BackendVersion,
  pathErrors: readonly InvalidParameter[],
): RestQuery {
  const allParsers = new Map<string, Parser<unknown>>(Object.entries({ ...COMMON_PARSERS, ...parsers }));
  const errors = [...pathErrors];
  const values: Record<string, unknown> = {};
  for (const name of new Set(searchParams.keys())) {
    const strings = searchParams.getAll(name);
    const parse = allParsers.get(name);
    if (!parse) {
      errors.push([name, `Unexpected field: ${name}`]);
    } else if (strings.length > 1 && version > 8) {
      errors.push([name, "Sent more than once"]);
    } else {
      const string = strings.at(-1) ?? "";
      const result = parse(version > 8 ? string : expandExponent(string));
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
