// Formats blockchain values for display. Pure functions: no DOM, no package, no state.

const ADDRESS = /^0x[0-9a-f]{40}$/i;
const HASH = /^0x[0-9a-f]{64}$/i;

// Control characters, invisible characters and bidirectional overrides can hide or reorder text.
// Each is shown as a marker.
// Joiners (U+200C, U+200D) are allowed, because scripts and emoji need them.
const DECEPTIVE_CHARACTERS =
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;

export const isAddress = (string) => ADDRESS.test(string);
export const isHash = (string) => HASH.test(string);

/** Makes an untrusted value safe to display: one line, no hidden characters, at most `limit` characters. */
export function sanitizeText(value, limit = 300) {
  const string = String(value);
  const truncated = string.length > limit ? `${[...string.slice(0, limit * 2)].slice(0, limit).join("")}…` : string;
  return truncated.replace(DECEPTIVE_CHARACTERS, (character) => {
    const codePoint = character.codePointAt(0);
    if (codePoint < 0x20) return String.fromCodePoint(0x2400 + codePoint);
    return `⟨U+${codePoint.toString(16).toUpperCase().padStart(4, "0")}⟩`;
  });
}

/** `0x1234…abcd`. A string that would not become shorter is returned unchanged. */
export function shortenHash(hash, head = 6, tail = 4) {
  return hash.length <= head + tail + 1 ? hash : `${hash.slice(0, head)}…${hash.slice(-tail)}`;
}

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const MONTH = 30 * DAY;
const YEAR = 365 * DAY;
/** A unit applies to ages below `limit` seconds. */
const AGE_UNITS = [
  { limit: MINUTE, seconds: 1, singular: "sec", plural: "secs" },
  { limit: HOUR, seconds: MINUTE, singular: "min", plural: "mins" },
  { limit: DAY, seconds: HOUR, singular: "hr", plural: "hrs" },
  { limit: MONTH, seconds: DAY, singular: "day", plural: "days" },
  { limit: YEAR, seconds: MONTH, singular: "month", plural: "months" },
  { limit: Infinity, seconds: YEAR, singular: "year", plural: "years" },
];

/** "3 mins ago" or "in 2 days": one unit, rounded down. */
export function formatAge(milliseconds, now) {
  const elapsed = Math.floor(Math.abs(now - milliseconds) / 1000);
  if (elapsed < 5) return "just now";
  const { seconds, singular, plural } = AGE_UNITS.find(({ limit }) => elapsed < limit);
  const count = Math.floor(elapsed / seconds);
  const age = `${count} ${count === 1 ? singular : plural}`;
  return milliseconds > now ? `in ${age}` : `${age} ago`;
}

/** Integers with more digits than this are shown in scientific notation. */
const MAX_INTEGER_DIGITS = 15;

/**
 * Formats a decimal string with at most `digits` fraction digits. A truncated value ends with …, or is shown as
 * a bound if only zeros are left: "< 0.000001" or "> -0.000001".
 */
export function formatDecimal(decimal, digits = 6) {
  const [sign, integer, fraction = ""] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(decimal)?.slice(1) ?? [];
  if (integer === undefined) return sanitizeText(decimal, 40);
  if (integer.length > MAX_INTEGER_DIGITS)
    return `≈ ${sign}${integer[0]}.${integer.slice(1, 4)} × 10${toSuperscript(integer.length - 1)}`;

  const significant = fraction.replace(/0+$/, "");
  const shown = significant.slice(0, digits);
  const isTruncated = significant.length > digits;
  if (isTruncated && /^0+$/.test(integer + shown)) return `${sign ? "> -" : "< "}0.${"0".repeat(digits - 1)}1`;
  return sign + groupDigits(integer) + (shown && `.${shown}`) + (isTruncated ? "…" : "");
}

/** "1,234,567". */
export const groupDigits = (integer) => String(integer).replace(/\B(?=(\d{3})+$)/g, ",");

/** "1 record" or "60,000 records". */
export const formatCount = (count, noun) => `${groupDigits(count)} ${noun}${count === 1 ? "" : "s"}`;

const toSuperscript = (integer) => String(integer).replace(/\d/g, (digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[digit]);

/** Returns an untrusted URL in normalized form if it is https and has no credentials, else null. */
export function toSafeLinkUrl(value) {
  if (typeof value !== "string" || value.length > 2000) return null;
  if (!URL.canParse(value)) return null;
  const url = new URL(value);
  return url.protocol === "https:" && !url.username && !url.password ? url.href : null;
}

/** Like `toSafeLinkUrl`, but also accepts a small raster image as a data URL. */
export function toSafeImageUrl(value) {
  if (typeof value !== "string") return null;
  if (value.length <= 300_000 && /^data:image\/(png|jpeg|gif|webp);base64,[a-z0-9+/=]+$/i.test(value)) return value;
  return toSafeLinkUrl(value);
}
