// The columns and lines of CSV files by RFC 4180, safe to open in a spreadsheet, and the sets of columns for the events of a history.
import { createParameterError } from "../entry-support.js";
import { formatAmount } from "../public.js";
import type { HistoryEvent } from "./event.js";
import type { CsvColumn, CsvPreset } from "./export-types.js";
import { getDecimals, getMovedAmount } from "./movement.js";
import { isDate } from "./params.js";

interface FunctionColumn<Item> {
  name: string;
  value(item: Item): unknown;
}

/** A column with a function that returns its value. */
export interface ResolvedColumn<Item> extends FunctionColumn<Item> {
  /** Whether no record so far had the field. At the end, such a column is a mistake. */
  isUnknown?: boolean;
}

/**
 * A spreadsheet would run a cell that begins like a formula, whatever invisible characters and spaces precede it. Four of the signs
 * are full-width forms.
 */
const FORMULA = /^[\p{C}\p{Z}\p{DI}]*[=+\-@＝＋－＠]|^[\t\r\n]/u;

const ASSET = ["asset.type", "asset.symbol", "asset.standard", "asset.contract", "asset.token_id"] as const;

const PRESETS: Readonly<Record<CsvPreset, readonly CsvColumn<HistoryEvent>[]>> = {
  full: [
    ...(["timestamp", "block_number", "position", "transaction_hash", "kind", "direction", "from", "to", "amount"] as const),
    ...ASSET,
    ...(["asset.name", "asset.decimals", "fee", "fiat_rate", "success", "method", "suspicion", "key"] as const),
  ],
  accounting: [
    ...(["timestamp", "kind", "from", "to"] as const),
    { name: "sent", value: (event) => (event.direction === "in" ? null : formatMoved(event)) },
    { name: "received", value: (event) => (event.direction === "out" ? null : formatMoved(event)) },
    ...ASSET,
    { name: "fee", value: ({ fee }) => fee && formatAmount(fee, { decimals: 18 }) },
    ...(["fiat_rate", "suspicion", "block_number", "transaction_hash", "key"] as const),
  ],
};

function formatMoved(event: HistoryEvent): string | null {
  const { amount, asset } = event;
  if (getMovedAmount(event) === 0n) return null;
  return formatAmount(amount, { decimals: getDecimals(asset, amount) });
}

/** Whether an event has a row with the accounting columns: it moves something, may move something, or costs a fee. */
export function hasAccountingRow(event: HistoryEvent): boolean {
  return getMovedAmount(event) !== 0n || BigInt(event.fee ?? 0) > 0n;
}

/** Checks and resolves columns. */
export function resolveColumns<Item>(columns: CsvPreset | readonly unknown[]): ResolvedColumn<Item>[] {
  const chosen: unknown = typeof columns === "string" && Object.hasOwn(PRESETS, columns) ? PRESETS[columns] : columns;
  if (!Array.isArray(chosen) || chosen.length === 0 || !chosen.every(isColumn)) {
    throw createParameterError("columns", 'must be "full", "accounting", or an array of field names and { name, value }');
  }
  return chosen.map((column) => (typeof column === "string" ? createFieldColumn(column) : column));
}

function isColumn(column: Partial<FunctionColumn<unknown>> | string | null): boolean {
  if (typeof column !== "object" || column === null) return typeof column === "string";
  return typeof column.name === "string" && typeof column.value === "function";
}

function createFieldColumn<Item>(path: string): ResolvedColumn<Item> {
  const column: ResolvedColumn<Item> = {
    name: path,
    value(item) {
      let value: unknown = item;
      for (const name of path.split(".")) {
        if (value == null) return value;
        if (!(name in Object(value))) {
          column.isUnknown ??= true;
          return null;
        }
        value = (value as Record<string, unknown>)[name];
      }
      column.isUnknown = false;
      return value;
    },
  };
  return column;
}

/** Formats the cells of a record. Throws for a value that a cell cannot hold. */
export function formatRecord<Item>(columns: readonly ResolvedColumn<Item>[], record: Item): string {
  return formatLine(columns.map((column) => formatCell(column.value(record)) ?? throwColumnError(column)));
}

/** Throws if records had no field of a column. */
export function checkFound(columns: readonly ResolvedColumn<never>[]): void {
  for (const column of columns) if (column.isUnknown) throwColumnError(column);
}

function throwColumnError({ name, isUnknown }: ResolvedColumn<never>): never {
  throw createParameterError(
    "columns",
    `"${name}" ${isUnknown ? "is not a field of any record" : "must be a plain value, or a valid Date"}`,
  );
}

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
