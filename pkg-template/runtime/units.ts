// Converts amounts between base units (integers of any size) and decimal strings. Exact: no floating point.
import { createParameterError } from "./errors.js";
import type {
  Erc1155Transfer,
  Erc20Transfer,
  Erc404Transfer,
  Erc721Transfer,
  NftInstance,
  TokenBalance,
  TokenHolding,
  TokenTransfer,
  TransferTotal,
} from "./records.js";

// Token contracts store their decimals in one byte.
const MAX_DECIMALS = 255;

/**
 * Formats an amount in base units as a decimal string. Exact at any size.
 *
 * @example
 * ```ts
 * formatUnits("1500000000000000000", 18); // "1.5"
 * if (transfer.total?.value) formatUnits(transfer.total.value, transfer.total.decimals);
 * ```
 * @param value Integer in base units.
 * @param decimals Number of decimals, from 0 to 255. Null, which most NFTs have, means 0.
 * @throws {AddressQueryError} `invalid_parameter` if an argument is invalid.
 */
export function formatUnits(value: string | bigint, decimals: number | string | null): string {
  const places = parseDecimals(decimals);
  if (!isInteger(value)) throw createParameterError("value", "must be an integer in base units, as a string or BigInt");
  return insertPoint(BigInt(value), places);
}

/**
 * Formats an amount like {@link formatUnits}, but never throws: with invalid decimals it returns the integer, and an empty string for
 * a value that is not an integer.
 * @internal
 */
export function formatInteger(value: unknown, decimals: number | string | null | undefined): string {
  return isInteger(value) ? insertPoint(BigInt(value), toPlaces(decimals) ?? 0) : "";
}

function isInteger(value: unknown): value is string | bigint {
  return typeof value === "bigint" || (typeof value === "string" && /^-?\d+$/.test(value));
}

/** Formats an integer with a decimal point before the last `places` digits, without trailing zeros. */
function insertPoint(amount: bigint, places: number): string {
  const digits = (amount < 0n ? -amount : amount).toString().padStart(places + 1, "0");
  const whole = digits.slice(0, digits.length - places);
  const fraction = digits.slice(digits.length - places).replace(/0+$/, "");
  return `${amount < 0n ? "-" : ""}${whole}${fraction && `.${fraction}`}`;
}

/** A record that contains a token amount: a transfer, its total, or a holding. */
export type AmountRecord =
  | TokenTransfer
  | TransferTotal
  | NftInstance
  | TokenBalance
  | TokenHolding
  | Erc20Transfer
  | Erc721Transfer
  | Erc1155Transfer
  | Erc404Transfer;

/** The fields of `AmountRecord` that contain the amount. */
interface AmountFields {
  total?: AmountFields | null;
  value?: string | bigint | null | undefined;
  tokenValue?: string | null;
  balance?: string | null;
  token_id?: string | null;
  tokenID?: string | null;
  decimals?: number | string | null;
  tokenDecimal?: number | string | null;
  token?: { decimals?: number | string | null | undefined } | null;
}

/**
 * Formats the amount of a record, or a value in base units, as a decimal string for display. Never throws, whatever decimals
 * a token contract declares. {@link formatUnits} is the strict form.
 *
 * @remarks
 * - The decimals are those of the record, else those of its token, else those of `token`.
 * - If the decimals are missing, null, or not an integer from 0 to 255, the result is the integer in base units.
 * - A transfer of a single NFT, which has an id and no value, is `"1"`.
 * - A value that is missing (as for an encrypted transfer) or not an integer is `""`.
 * - The result has no symbol and no digit grouping. The display factor `ui_multiplier` (ERC-8056) is not applied.
 *
 * @example
 * ```ts
 * formatAmount(transfer); // "1.5"
 * formatAmount("1500000", { decimals: "6" }); // "1.5"
 * formatAmount("1500000", { decimals: "-1" }); // "1500000"
 * ```
 */
export function formatAmount(
  amount: AmountRecord | string | bigint | null | undefined,
  token?: { decimals?: number | string | null | undefined } | null,
): string {
  const record: AmountFields = typeof amount === "object" && amount !== null ? amount : { value: amount };
  const fields = record.total ?? record;
  const value = fields.value ?? fields.tokenValue ?? fields.balance;
  if (value == null) return (fields.token_id ?? fields.tokenID) == null ? "" : "1";
  const decimals = fields.decimals ?? fields.tokenDecimal ?? (record.token ?? token)?.decimals;
  return formatInteger(value, decimals);
}

/**
 * Parses a decimal string to an amount in base units. Exact at any size.
 *
 * @example
 * ```ts
 * parseUnits("1.5", 18); // 1500000000000000000n
 * ```
 * @param value Decimal number without exponent, with at most `decimals` digits after the decimal point.
 * @param decimals Number of decimals, from 0 to 255. Null means 0.
 * @throws {AddressQueryError} `invalid_parameter` if an argument is invalid.
 */
export function parseUnits(value: string, decimals: number | string | null): bigint {
  const places = parseDecimals(decimals);
  const match = typeof value === "string" ? /^(-?)(\d*)(?:\.(\d*))?$/.exec(value.trim()) : null;
  const [, sign, whole, fraction = ""] = match ?? [];
  if (!match || whole + fraction === "") {
    throw createParameterError("value", "must be a decimal number without exponent, as a string");
  }
  if (fraction.replace(/0+$/, "").length > places) {
    throw createParameterError("value", `must have at most ${places} digits after the decimal point`);
  }
  return BigInt(`${sign}${whole}${fraction.slice(0, places).padEnd(places, "0")}` || "0");
}

/** Returns the number of decimals. Null, which most NFTs have, means 0. Throws if it is invalid. */
function parseDecimals(decimals: number | string | null | undefined): number {
  const places = toPlaces(decimals);
  if (places === null) throw createParameterError("decimals", `must be an integer from 0 to ${MAX_DECIMALS}`);
  return places;
}

/** Returns the number of decimals, or null if it is invalid. */
function toPlaces(decimals: number | string | null | undefined): number | null {
  const places = typeof decimals === "string" && /^\d{1,3}$/.test(decimals) ? Number(decimals) : ((decimals ?? 0) as number);
  return Number.isInteger(places) && places >= 0 && places <= MAX_DECIMALS ? places : null;
}
