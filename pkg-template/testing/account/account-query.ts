// Parameters of an account module request. Few are required, and invalid optional ones are ignored.

import type { BlockTag } from "../ledger/balances.js";
import { type ApiError, createAccountError } from "../responses.js";

type Direction = "to" | "from";

/** A range of block numbers or of times. Both ends are included. */
export interface Range {
  readonly first: number;
  readonly last: number;
}

export interface PaginationOptions {
  readonly defaultSize?: number;
  readonly hasResultWindow?: boolean;
}

export const ADDRESS = /^0x[0-9a-f]{40}$/i;
export const HASH = /^0x[0-9a-f]{64}$/i;
const MAX_BLOCK = 2 ** 31 - 1;
/** The range of dates that the service can represent, in Unix seconds. */
const MIN_TIME = -377_705_116_800;
const MAX_TIME = 253_402_300_799;
/** The result window: the largest `page` × `offset`, and the largest page. */
const RESULT_WINDOW = 10_000;
const MAX_ADDRESSES = 20;

function parseInteger(string: string | undefined, min: number, max: number): number | undefined {
  const value = string !== undefined && /^[+-]?\d+$/.test(string) ? Number(string) : Number.NaN;
  return value >= min && value <= max ? value : undefined;
}

const parseEnum = <Choice extends string>(string: string | undefined, ...choices: readonly Choice[]): Choice | undefined =>
  choices.find((choice) => choice === string);

export class AccountQuery {
  readonly #values: ReadonlyMap<string, string>;

  constructor(values: ReadonlyMap<string, string>) {
    this.#values = values;
  }

  has(name: string): boolean {
    return this.#values.has(name);
  }

  requireAddress(message = "Query parameter 'address' is required"): string {
    const address = this.getAddress();
    if (address === undefined) throw createAccountError(message);
    return address;
  }

  /** The number and size of the page. As in the service, the result window is checked only if both are given. */
  getPage({ defaultSize = RESULT_WINDOW, hasResultWindow = true }: PaginationOptions = {}): { number: number; size: number } {
    const number = parseInteger(this.#values.get("page"), 1, Number.POSITIVE_INFINITY);
    const size = parseInteger(this.#values.get("offset"), 1, RESULT_WINDOW);
    if (hasResultWindow && number !== undefined && size !== undefined && number * size > RESULT_WINDOW) {
      throw createAccountError(`Result window is too large, PageNo x Offset size must be less than or equal to ${RESULT_WINDOW}`);
    }
    return { number: number ?? 1, size: size ?? defaultSize };
  }

  get isAscending(): boolean {
    return this.#values.get("sort") === "asc";
  }

  get blockRange(): Range {
    const parseBlock = (name: string) => parseInteger(this.#values.get(name), 0, MAX_BLOCK);
    return { first: parseBlock("startblock") ?? 0, last: parseBlock("endblock") ?? MAX_BLOCK };
  }

  get timeRange(): Range {
    const parseTime = (name: string) => parseInteger(this.#values.get(name), MIN_TIME, MAX_TIME);
    return { first: parseTime("start_timestamp") ?? MIN_TIME, last: parseTime("end_timestamp") ?? MAX_TIME };
  }

  get direction(): Direction | undefined {
    return parseEnum(this.#values.get("filter_by"), "to", "from");
  }

  get includesZeroValue(): boolean {
    return this.#values.get("include_zero_value")?.toLowerCase() === "true";
  }

  /** The block tag or block number of `eth_get_balance`, or undefined if it is neither. */
  get block(): BlockTag | number | undefined {
    const string = this.#values.get("block") ?? "latest";
    return (
      parseEnum(string, "latest", "earliest", "pending") ??
      parseInteger(string, Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY)
    );
  }

  /** An address in lower case, or undefined if the parameter is missing. Throws `error` if it is invalid. */
  getAddress(name = "address", error = createAccountError("Invalid address format")): string | undefined {
    return this.#getHash(name, ADDRESS, error);
  }

  getTransactionHash(): string | undefined {
    return this.#getHash("txhash", HASH, createAccountError("Invalid txhash format"));
  }

  #getHash(name: string, pattern: RegExp, error: ApiError): string | undefined {
    const string = this.#values.get(name);
    if (string !== undefined && !pattern.test(string)) throw error;
    return string?.toLowerCase();
  }

  /** The distinct addresses among the first twenty. As in the service, the others are not even validated. */
  getAddresses(): string[] {
    const addresses = this.#values.get("address")?.split(",").slice(0, MAX_ADDRESSES);
    if (!addresses) throw createAccountError("Query parameter 'address' is required");
    if (!addresses.every((address) => ADDRESS.test(address))) throw createAccountError("Invalid address hash");
    return [...new Set(addresses.map((address) => address.toLowerCase()))];
  }
}
