// Turns values of the chain into text fit to read. Pure: no DOM, no package, no state.

const ADDRESS = /^0x[0-9a-f]{40}$/i;
const HASH = /^0x[0-9a-f]{64}$/i;

// Controls, invisible characters and bidi overrides: they can hide or reorder text, so each is shown as a marker.
// Joiners (U+200C, U+200D) stay: scripts and emoji need them.
const DECEPTIVE =
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;

export const isAddress = (text) => ADDRESS.test(text);
export const isHash = (text) => HASH.test(text);

/** Whatever the chain says, as one line of visible characters, cut after `limit` of them. */
export function visibleText(value, limit = 300) {
  const text = String(value);
  const cut = text.length > limit ? `${[...text.slice(0, limit * 2)].slice(0, limit).join("")}…` : text;
  return cut.replace(DECEPTIVE, (character) => {
    const code = character.codePointAt(0);
    if (code < 0x20) return String.fromCodePoint(0x2400 + code);
    return `⟨U+${code.toString(16).toUpperCase().padStart(4, "0")}⟩`;
  });
}

/** `0x1234…abcd`; short text is left as it is. */
export function shortHash(hash, head = 6, tail = 4) {
  return hash.length <= head + tail + 1 ? hash : `${hash.slice(0, head)}…${hash.slice(-tail)}`;
}

const SPANS = [
  [60, 1, "s", "s"],
  [3600, 60, "min", "min"],
  [86400, 3600, "h", "h"],
  [30 * 86400, 86400, "day", "days"],
  [365 * 86400, 30 * 86400, "month", "months"],
  [Infinity, 365 * 86400, "year", "years"],
];

/** "3 min ago", "in 2 days": one unit, rounded down. */
export function age(milliseconds, now) {
  const seconds = Math.floor(Math.abs(now - milliseconds) / 1000);
  if (seconds < 5) return "just now";
  const [, size, one, many] = SPANS.find(([below]) => seconds < below);
  const count = Math.floor(seconds / size);
  const text = `${count} ${count === 1 ? one : many}`;
  return milliseconds > now ? `in ${text}` : `${text} ago`;
}

const LONGEST_WHOLE = 15;

/** At most `digits` after the point; what is cut off is marked, so that a reader never takes the text for exact. */
export function readableDecimal(decimal, digits = 6) {
  const [sign, whole, zeros = ""] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(decimal)?.slice(1) ?? [];
  if (whole === undefined) return visibleText(decimal, 40);
  if (whole.length > LONGEST_WHOLE)
    return `≈ ${sign}${whole[0]}.${whole.slice(1, 4)} × 10${superscript(whole.length - 1)}`;

  const fraction = zeros.replace(/0+$/, "");
  const kept = fraction.slice(0, digits);
  if (fraction.length > digits && /^0+$/.test(whole + kept))
    return `${sign ? "> -" : "< "}0.${"0".repeat(digits - 1)}1`;
  return sign + groupDigits(whole) + (kept && `.${kept}`) + (fraction.length > digits ? "…" : "");
}

export const groupDigits = (whole) => String(whole).replace(/\B(?=(\d{3})+$)/g, ",");

/** "1 record", "60,000 records". */
export const counted = (count, what) => `${groupDigits(count)} ${what}${count === 1 ? "" : "s"}`;

const superscript = (number) => String(number).replace(/\d/g, (digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[digit]);

/** The address of a link the chain offers, or null: https only. */
export function safeLink(text) {
  if (typeof text !== "string" || text.length > 2000) return null;
  if (!URL.canParse(text)) return null;
  const url = new URL(text);
  return url.protocol === "https:" && !url.username && !url.password ? url.href : null;
}

/** The address of a picture the chain offers, or null: https, or a small raster image inside the text. */
export function safeImage(text) {
  if (typeof text !== "string") return null;
  if (text.length <= 300_000 && /^data:image\/(png|jpeg|gif|webp);base64,[a-z0-9+/=]+$/i.test(text)) return text;
  return safeLink(text);
}
