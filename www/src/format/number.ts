// Formats numbers and amounts in the user's locale. Amounts are exact decimal strings and never become floating point.
import { formatUnits } from "address-query";
import { lazy } from "./lazy.js";
import { cleanText } from "./text.js";

/** Integers with more digits than this are shown in scientific notation. */
const MAX_INTEGER_DIGITS = 15;

const integerFormat = lazy(() => new Intl.NumberFormat(undefined, { maximumFractionDigits: 0 }));
const decimalPoint = lazy(() => new Intl.NumberFormat().formatToParts(1.1).find(({ type }) => type === "decimal")?.value ?? ".");

/** "1,234,567" in the user's locale. */
export const formatInteger = (integer: number | bigint | string): string => integerFormat().format(BigInt(integer));

/** "1 record", "60,000 records", "2 addresses" or "3 retries". */
export function formatCount(count: number, noun: string): string {
  const plural = noun.endsWith("s") ? `${noun}es` : noun.endsWith("y") ? `${noun.slice(0, -1)}ies` : `${noun}s`;
  return `${formatInteger(count)} ${count === 1 ? noun : plural}`;
}

/**
 * Formats a decimal string with at most `digits` fraction digits. A truncated value ends with …, or is shown as
 * a bound if only zeros are left: "< 0.000001" or "> -0.000001".
 */
export function formatDecimal(decimal: string, digits = 6): string {
  const match = /^(-?)(\d+)(?:\.(\d+))?$/.exec(decimal);
  if (!match) return cleanText(decimal, 40);
  const [, sign = "", integer = "0", fraction = ""] = match;
  if (integer.length > MAX_INTEGER_DIGITS)
    return `≈ ${sign}${integer[0]}${decimalPoint()}${integer.slice(1, 4)} × 10${toSuperscript(integer.length - 1)}`;
  const significant = fraction.replace(/0+$/, "");
  const shown = significant.slice(0, digits);
  const isTruncated = significant.length > digits;
  if (isTruncated && /^0+$/.test(integer + shown)) return `${sign ? "> -" : "< "}0${decimalPoint()}${"0".repeat(digits - 1)}1`;
  return sign + formatInteger(integer) + (shown && decimalPoint() + shown) + (isTruncated ? "…" : "");
}

const SUPERSCRIPTS = [..."⁰¹²³⁴⁵⁶⁷⁸⁹"];
const toSuperscript = (integer: number): string => String(integer).replace(/\d/g, (digit) => SUPERSCRIPTS[Number(digit)] ?? "");

/** A decimal string for sentences and summaries: rounded down to about five digits. "2.4289", "20,083.02" or "0.0001061". */
function formatBrief(decimal: string): string {
  const [, integer = "", zeros = ""] = /^-?(\d+)(?:\.(0*))?/.exec(decimal) ?? [];
  const digits = integer === "0" ? Math.min(8, zeros.length + 4) : Math.max(2, 5 - integer.length);
  return formatDecimal(decimal, digits).replace(/\D?0*…$/, "");
}

/** An amount in base units as whole units. */
export interface Amount {
  short: string;
  brief: string;
  /** With all its digits. */
  exact: string;
}

/** Returns null if `decimals` is invalid. */
export function formatAmountPair(value: string, decimals: number | string | null): Amount | null {
  try {
    const exact = formatUnits(value, decimals ?? 0);
    return { short: formatDecimal(exact), brief: formatBrief(exact), exact };
  } catch {
    return null;
  }
}

export const CURRENCY = { style: "currency", currency: "USD" } as const;
const fiatFormat = lazy(() => new Intl.NumberFormat(undefined, CURRENCY));
const smallFiatFormat = lazy(() => new Intl.NumberFormat(undefined, { ...CURRENCY, maximumSignificantDigits: 3 }));
const SCIENTIFIC = { ...CURRENCY, notation: "scientific", maximumFractionDigits: 2 } as const;
const scientificFiatFormat = lazy(() => new Intl.NumberFormat(undefined, SCIENTIFIC));

/** Less than this is shown as a bound. */
const MIN_FIAT = 1e-8;

/** A decimal string of US dollars: to cents, or to three digits if it is less than a cent. */
export function formatFiat(value: string): string {
  const dollars = Number(value);
  if (dollars > 0 && dollars < MIN_FIAT) return `< ${smallFiatFormat().format(MIN_FIAT)}`;
  const format = dollars >= 1e15 ? scientificFiatFormat : dollars > 0 && dollars < 0.01 ? smallFiatFormat : fiatFormat;
  // As a number it could be a cent off.
  return format().format(value as `${number}`);
}
