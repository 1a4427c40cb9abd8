// Amounts: conversion between base units (integers of any size) and decimal strings. Exact: no floating point.
import { invalidParameter } from "./errors.js";

// Token contracts hold their decimals in one byte.
const MAX_DECIMALS = 255;

export function formatUnits(value, decimals) {
  const places = placesOf(decimals);
  if (typeof value !== "bigint" && !(typeof value === "string" && /^-?\d+$/.test(value))) {
    throw invalidParameter("value", "must be an integer in base units, as a string or BigInt");
  }
  const amount = BigInt(value);
  const digits = (amount < 0n ? -amount : amount).toString().padStart(places + 1, "0");
  const whole = digits.slice(0, digits.length - places);
  const fraction = digits.slice(digits.length - places).replace(/0+$/, "");
  return `${amount < 0n ? "-" : ""}${whole}${fraction && `.${fraction}`}`;
}

/** For display: never throws. A record's own decimals count before those of `token`. */
export function formatAmount(amount, token) {
  const record = typeof amount === "object" && amount !== null ? amount : { value: amount };
  const held = record.total ?? record;
  const value = held.value ?? held.tokenValue ?? held.balance;
  if (value == null) return (held.token_id ?? held.tokenID) == null ? "" : "1";
  const decimals = held.decimals ?? held.tokenDecimal ?? (record.token ?? token)?.decimals;
  for (const places of [decimals, 0]) {
    try {
      return formatUnits(value, places);
    } catch {
      // Unusable decimals: the integer is shown. An unusable value: nothing is.
    }
  }
  return "";
}

export function parseUnits(text, decimals) {
  const places = placesOf(decimals);
  const match = typeof text === "string" && /^(-?)(\d*)(?:\.(\d*))?$/.exec(text.trim());
  const [, sign, whole, fraction = ""] = match || [];
  if (!match || whole + fraction === "") {
    throw invalidParameter("text", "must be a decimal number without exponent, as a string");
  }
  if (fraction.replace(/0+$/, "").length > places) {
    throw invalidParameter("text", `must have at most ${places} digits after the decimal point`);
  }
  return BigInt(`${sign}${whole}${fraction.slice(0, places).padEnd(places, "0")}` || "0");
}

/** Null decimals, as of most NFTs, are none. */
function placesOf(decimals) {
  const places = typeof decimals === "string" && /^\d{1,3}$/.test(decimals) ? Number(decimals) : (decimals ?? 0);
  if (!Number.isInteger(places) || places < 0 || places > MAX_DECIMALS) {
    throw invalidParameter("decimals", `must be a whole number from 0 to ${MAX_DECIMALS}`);
  }
  return places;
}
