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
/** The maximum length of a number. Integers of 256 bits have up to 78 digits. A conversion takes quadratic time. */
const MAX_LENGTH = 1000;
/** A price, which may have an exponent. Its lengths are bounded, because a service may be hostile. */
const PRICE = /^(\d{1,99})(?:\.(\d{0,99}))?(?:e([+-]?\d{1,2}))?$/i;

/**
 * Formats an amount in base units as a decimal string. Exact at any size.
 *
 * @example
 * ```ts
 * formatUnits("1500000000000000000", 18); // "1.5"
 * if (transfer.total?.value) formatUnits(transfer.total.value, transfer.total.decimals);
 * ```
 * @param value Integer in base units, of at most 1,000 characters.
 * @param decimals Number of decimals, from 0 to 255. Null, which most NFTs have, means 0.
 * @throws {AddressQueryError} `invalid_parameter` if an argument is invalid.
 */
export function formatUnits(value: string | bigint, decimals: number | string | null): `${number}` {
  const places = parseDecimals(decimals);
  if (!isInteger(value))
    throw createParameterError("value", `must be an integer of at most ${MAX_LENGTH} characters, as a string or BigInt`);
  return insertPoint(BigInt(value), places);
}

function isInteger(value: unknown): value is string | bigint {
  return typeof value === "bigint" || (typeof value === "string" && value.length <= MAX_LENGTH && /^-?\d+$/.test(value));
}

/** Formats an integer with a decimal point before the last `places` digits, without trailing zeros. `maxDigits` cuts the fraction. */
function insertPoint(amount: bigint, places: number, maxDigits?: number): `${number}` {
  const digits = (amount < 0n ? -amount : amount).toString().padStart(places + 1, "0");
  const whole = digits.slice(0, digits.length - places);
  const end = (maxDigits as number) >= 0 ? maxDigits : undefined;
  const fraction = digits
    .slice(digits.length - places)
    .slice(0, end)
    .replace(/0+$/, "");
  return `${amount < 0n ? "-" : ""}${whole}${fraction && `.${fraction}`}` as `${number}`;
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
  token?: { decimals?: number | string | null | undefined; exchange_rate?: string | null | undefined } | null | undefined;
}

/**
 * Formats the amount of a record, or a value in base units, as a decimal string for display. Never throws, whatever decimals
 * a token contract declares. {@link formatUnits} is the strict form.
 *
 * @remarks
 * - The decimals come from the record, its token, or `token`: the first of them that has decimals.
 * - If the decimals are missing, null, or not an integer from 0 to 255, the result is the integer in base units.
 * - A transfer of a single NFT, which has an id and no value, is `"1"`.
 * - A value that is missing (as for an encrypted transfer) or not an integer is `""`: `formatAmount(value) || "–"` shows a dash.
 * - `maxDigits` is the maximum number of digits after the decimal point. Further ones are cut off, not rounded: an amount below them is
 *   `"0"`. A negative or invalid number has no effect.
 * - The result has no symbol and no digit grouping: `Intl.NumberFormat` adds them. The display factor `ui_multiplier` (ERC-8056) is not
 *   applied.
 *
 * @example
 * ```ts
 * formatAmount(transfer); // "1.5"
 * formatAmount("1500000", { decimals: "6" }); // "1.5"
 * formatAmount("1500000", { decimals: "-1" }); // "1500000"
 * formatAmount("1234567", { decimals: "6", maxDigits: 2 }); // "1.23"
 * ```
 */
export function formatAmount(
  amount: AmountRecord | null | undefined,
  token?: { decimals?: number | string | null | undefined; maxDigits?: number | undefined } | null,
): `${number}` | "";
export function formatAmount(
  amount: AmountRecord | string | bigint | null | undefined,
  token: { decimals: number | string | null | undefined; maxDigits?: number | undefined } | null | undefined,
): `${number}` | "";
export function formatAmount(
  amount: AmountRecord | string | bigint | null | undefined,
  token?: (AmountFields["token"] & { maxDigits?: number | undefined }) | null,
): `${number}` | "" {
  const { fields, value, decimals } = readAmount(amount, token);
  if (value == null) return (fields.token_id ?? fields.tokenID) == null ? "" : "1";
  return isInteger(value) ? insertPoint(BigInt(value), toPlaces(decimals) ?? 0, token?.maxDigits) : "";
}

/**
 * Returns the value of an amount in fiat currency as a decimal string: the amount, times the price of one whole unit. Exact: no
 * floating point. Never throws. Null: the amount, the price or the decimals are not known, or the decimals are not an integer from 0 to
 * 255.
 *
 * @remarks
 * The price is the current `exchange_rate` of the record's token, or otherwise of `token`, in the fiat currency of the instance,
 * usually US dollars. Decimals are found as by {@link formatAmount}. An `AddressInfo` has a price and no decimals: the native coin has 18.
 * Display the result with `Intl.NumberFormat`, add results with {@link sumDecimals}.
 *
 * @example
 * ```ts
 * fiatValue("1500000", { decimals: "6", exchange_rate: "0.99" }); // "1.485"
 * const { items } = await client.addressTokens({ address_hash });
 * for (const holding of items) console.log(formatAmount(holding), fiatValue(holding));
 * const { coin_balance, exchange_rate } = await client.address({ address_hash });
 * fiatValue(coin_balance, { decimals: 18, exchange_rate });
 * ```
 */
export function fiatValue(
  amount: AmountRecord | null | undefined,
  token?: { decimals?: number | string | null | undefined; exchange_rate?: string | null | undefined } | null,
): `${number}` | null;
export function fiatValue(
  amount: AmountRecord | string | bigint | null | undefined,
  token: { decimals: number | string | null | undefined; exchange_rate?: string | null | undefined } | null | undefined,
): `${number}` | null;
export function fiatValue(
  amount: AmountRecord | string | bigint | null | undefined,
  token?: AmountFields["token"],
): `${number}` | null {
  const { price, value, decimals } = readAmount(amount, token);
  const places = decimals == null ? null : toPlaces(decimals);
  const [, whole, fraction = "", exponent = "0"] = PRICE.exec(price ?? "") ?? [];
  if (whole === undefined || places === null || !isInteger(value)) return null;
  const product = BigInt(value) * BigInt(whole + fraction);
  const scale = places + fraction.length - Number(exponent);
  return scale < 0 ? insertPoint(product * 10n ** BigInt(-scale), 0) : insertPoint(product, scale);
}

/** Finds the amount of a record, with its decimals and the price of its token. */
function readAmount(amount: AmountRecord | string | bigint | null | undefined, token: AmountFields["token"]) {
  const record: AmountFields = typeof amount === "object" && amount !== null ? amount : { value: amount };
  const fields = record.total ?? record;
  const owner = record.token ?? token;
  const value = fields.value ?? fields.tokenValue ?? fields.balance;
  return { fields, value, decimals: fields.decimals ?? fields.tokenDecimal ?? owner?.decimals, price: owner?.exchange_rate };
}

/**
 * Adds decimal strings, such as fiat values or amounts of one asset. Exact: no floating point. Null adds nothing.
 *
 * @example
 * ```ts
 * sumDecimals(["1.485", "0.015", null]); // "1.5"
 * const holdings = await client.addressTokens({ address_hash }).toArray({ limit: 500 });
 * const total = sumDecimals(holdings.map((holding) => fiatValue(holding)));
 * ```
 * @throws {AddressQueryError} `invalid_parameter` if a value is not a decimal number of at most 1,000 characters without exponent.
 */
export function sumDecimals(values: readonly (string | null)[]): `${number}` {
  if (!Array.isArray(values)) throw createParameterError("values", "must be an array of decimal strings");
  const known = values.filter((value) => value !== null);
  // A longer fraction is rejected.
  const places = known.reduce((most, value) => Math.max(most, String(value).slice(0, MAX_LENGTH).split(".")[1]?.length ?? 0), 0);
  return insertPoint(
    known.reduce((sum, value) => sum + parseDecimal("values", value, places), 0n),
    places,
  );
}

/**
 * Parses a decimal string to an amount in base units. Exact at any size.
 *
 * @example
 * ```ts
 * parseUnits("1.5", 18); // 1500000000000000000n
 * ```
 * @param value Decimal number of at most 1,000 characters without exponent, with at most `decimals` digits after the decimal point.
 * @param decimals Number of decimals, from 0 to 255. Null means 0.
 * @throws {AddressQueryError} `invalid_parameter` if an argument is invalid.
 */
export function parseUnits(value: string, decimals: number | string | null): bigint {
  return parseDecimal("value", value, parseDecimals(decimals));
}

/** Parses a decimal string to an integer, whose last `places` digits are the fraction. `parameter` is its name. */
function parseDecimal(parameter: string, value: string, places: number): bigint {
  const isShort = typeof value === "string" && value.length <= MAX_LENGTH;
  const match = isShort ? /^(-?)(\d*)(?:\.(\d*))?$/.exec(value.trim()) : null;
  const [, sign, whole, fraction = ""] = match ?? [];
  if (!match || whole + fraction === "") {
    const rule = `must be a decimal number of at most ${MAX_LENGTH} characters without exponent, as a string`;
    throw createParameterError(parameter, rule);
  }
  if (fraction.replace(/0+$/, "").length > places) {
    throw createParameterError(parameter, `must have at most ${places} digits after the decimal point`);
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
