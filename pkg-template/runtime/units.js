// Converts amounts between base units (integers of any size) and decimal strings. Exact: no floating point.
import { createParameterError } from "./errors.js";

// Token contracts store their decimals in one byte.
const MAX_DECIMALS = 255;

export function formatUnits(value, decimals) {
  const places = parseDecimals(decimals);
  if (typeof value !== "bigint" && !(typeof value === "string" && /^-?\d+$/.test(value))) {
    throw createParameterError("value", "must be an integer in base units, as a string or BigInt");
  }
  const amount = BigInt(value);
  const digits = (amount < 0n ? -amount : amount).toString().padStart(places + 1, "0");
  const whole = digits.slice(0, digits.length - places);
  const fraction = digits.slice(digits.length - places).replace(/0+$/, "");
  return `${amount < 0n ? "-" : ""}${whole}${fraction && `.${fraction}`}`;
}

/** Formats an amount for display. Never throws. The decimals of the record take precedence over those of `token`. */
export function formatAmount(amount, token) {
  const record = typeof amount === "object" && amount !== null ? amount : { value: amount };
  const fields = record.total ?? record;
  const value = fields.value ?? fields.tokenValue ?? fields.balance;
  if (value == null) return (fields.token_id ?? fields.tokenID) == null ? "" : "1";
  const decimals = fields.decimals ?? fields.tokenDecimal ?? (record.token ?? token)?.decimals;
  for (const places of [decimals, 0]) {
    try {
      return formatUnits(value, places);
    } catch {
      // With invalid decimals, the next attempt returns the integer. With an invalid value, both attempts fail.
    }
  }
  return "";
}

export function parseUnits(value, decimals) {
  const places = parseDecimals(decimals);
  const match = typeof value === "string" && /^(-?)(\d*)(?:\.(\d*))?$/.exec(value.trim());
  const [, sign, whole, fraction = ""] = match || [];
  if (!match || whole + fraction === "") {
    throw createParameterError("value", "must be a decimal number without exponent, as a string");
  }
  if (fraction.replace(/0+$/, "").length > places) {
    throw createParameterError("value", `must have at most ${places} digits after the decimal point`);
  }
  return BigInt(`${sign}${whole}${fraction.slice(0, places).padEnd(places, "0")}` || "0");
}

/** Returns the number of decimals. Null, which most NFTs have, means 0. */
function parseDecimals(decimals) {
  const places = typeof decimals === "string" && /^\d{1,3}$/.test(decimals) ? Number(decimals) : (decimals ?? 0);
  if (!Number.isInteger(places) || places < 0 || places > MAX_DECIMALS) {
    throw createParameterError("decimals", `must be an integer from 0 to ${MAX_DECIMALS}`);
  }
  return places;
}
