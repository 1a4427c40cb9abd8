// Parameters of an account module request. Few are required, and invalid optional ones are ignored.

import { type ApiError, createAccountError } from "../responses.js";

export type Parameters = ReadonlyMap<string, string>;

/** A range of block numbers or of times. Both ends are included. */
export type Range = { readonly first: number; readonly last: number };

export type Pagination = { readonly defaultSize?: number; readonly hasResultWindow?: boolean };

export const ADDRESS = /^0x[0-9a-f]{40}$/i;
export const HASH = /^0x[0-9a-f]{64}$/i;
const MAX_BLOCK = 2 ** 31 - 1;
/** The range of dates that the service can represent, in Unix seconds. */
const MIN_TIME = -377_705_116_800;
const MAX_TIME = 253_402_300_799;
/** The result window: the largest `page` × `offset`, and the largest page. */
const RESULT_WINDOW = 10_000;
const MAX_ADDRESSES = 20;

export function parseInteger(string: string | undefined, min: number, max: number): number | undefined {
  const value = string !== undefined && /^[+-]?\d+$/.test(string) ? Number(string) : Number.NaN;
  return value >= min && value <= max ? value : undefined;
}

/** The number and size of the page. As in the service, the result window is checked only if both are given. */
export function parsePage(values: Parameters, { defaultSize = RESULT_WINDOW, hasResultWindow = true }: Pagination = {}) {
  const number = parseInteger(values.get("page"), 1, Number.POSITIVE_INFINITY);
  const size = parseInteger(values.get("offset"), 1, RESULT_WINDOW);
  if (hasResultWindow && number !== undefined && size !== undefined && number * size > RESULT_WINDOW)
    throw createAccountError(`Result window is too large, PageNo x Offset size must be less than or equal to ${RESULT_WINDOW}`);
  return { number: number ?? 1, size: size ?? defaultSize };
}

const parseRange = (values: Parameters, first: string, last: string, min: number, max: number): Range => ({
  first: parseInteger(values.get(first), min, max) ?? min,
  last: parseInteger(values.get(last), min, max) ?? max,
});
export const parseBlockRange = (values: Parameters) => parseRange(values, "startblock", "endblock", 0, MAX_BLOCK);
/** Times are in Unix seconds. */
export const parseTimeRange = (values: Parameters) => parseRange(values, "start_timestamp", "end_timestamp", MIN_TIME, MAX_TIME);

/** An address in lower case, or undefined if the parameter is missing. Throws `error` if it is invalid. */
export const parseAddress = (values: Parameters, name = "address", error = createAccountError("Invalid address format")) =>
  parseHash(values, name, ADDRESS, error);

export function parseHash(values: Parameters, name: string, pattern: RegExp, error: ApiError): string | undefined {
  const string = values.get(name);
  if (string !== undefined && !pattern.test(string)) throw error;
  return string?.toLowerCase();
}

export function requireAddress(values: Parameters, message = "Query parameter 'address' is required"): string {
  const address = parseAddress(values);
  if (address === undefined) throw createAccountError(message);
  return address;
}

/** The distinct addresses among the first twenty. As in the service, the others are not even validated. */
export function parseAddresses(values: Parameters): string[] {
  const addresses = values.get("address")?.split(",").slice(0, MAX_ADDRESSES);
  if (!addresses) throw createAccountError("Query parameter 'address' is required");
  if (!addresses.every((address) => ADDRESS.test(address))) throw createAccountError("Invalid address hash");
  return [...new Set(addresses.map((address) => address.toLowerCase()))];
}
