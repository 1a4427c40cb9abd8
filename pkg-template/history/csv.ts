// The lines of a CSV file by RFC 4180, safe to open in a spreadsheet.
import { isDate } from "./params.js";

/**
 * A spreadsheet would run a cell that begins like a formula, whatever invisible characters and spaces precede it. Four of the signs
 * are full-width forms.
 */
const FORMULA = /^[\p{C}\p{Z}\p{DI}]*[=+\-@＝＋－＠]|^[\t\r\n]/u;

/** Formats a line of cells. */
export function formatLine(cells: readonly string[]): string {
  return `${cells.join(",")}\r\n`;
}

/**
 * Formats a value. Null and undefined are empty, a `Date` is in ISO 8601, and a list of plain values is JSON. Returns null for a value
 * that a cell cannot hold, such as an object or a function.
 */
export function formatCell(value: unknown): string | null {
  if (value == null) return "";
  if (typeof value === "string") return formatString(value);
  if (typeof value === "bigint" || isPlain(value)) return String(value);
  if (isDate(value)) return formatString(value.toISOString());
  return Array.isArray(value) && value.every(isPlain) ? formatString(JSON.stringify(value)) : null;
}

/** Quotes a string, so that a separator of another kind, such as a semicolon, does not begin a cell either. */
function formatString(string: string): string {
  return `"${(FORMULA.test(string) ? `'${string}` : string).replaceAll('"', '""')}"`;
}

function isPlain(value: unknown): boolean {
  return value === null || ["string", "number", "boolean"].includes(typeof value);
}
