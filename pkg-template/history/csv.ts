// The lines of a CSV file by RFC 4180, safe to open in a spreadsheet.

/** A spreadsheet would run a cell that begins like a formula. The last four are the full-width forms. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;

/** Formats a line. Strings are quoted, so that a separator of another kind, such as a semicolon, does not begin a cell either. */
export function formatLine(values: readonly unknown[]): string {
  return `${values.map(formatCell).join(",")}\r\n`;
}

/** Only strings can be formulas. Null and undefined are empty. */
function formatCell(value: unknown): string {
  if (value == null) return "";
  if (["number", "bigint", "boolean"].includes(typeof value)) return String(value);
  const string = typeof value === "string" ? value : JSON.stringify(value);
  return `"${(FORMULA.test(string) ? `'${string}` : string).replaceAll('"', '""')}"`;
}
