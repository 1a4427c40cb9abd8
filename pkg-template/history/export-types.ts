// The options of `toCsv` and `toNdjson`.
import type { AbortSignalLike, ByteStream, Omitted } from "../public.js";
import type { HistoryEvent } from "./event.js";

/** Records to export: a history, a watch, a list call, a range of `all()`, an array, or any other iterable. */
export type ExportSource<Item> = AsyncIterable<Item> | Iterable<Item>;

/** The progress of an export. */
export interface ExportProgress {
  /** Number of records that were read. */
  records: number;
  /** Number of rows that were written, without the header. The accounting columns and templates leave out records that move nothing. */
  rows: number;
  /** Number of bytes that were written. */
  bytes: number;
  /** Estimated share that is written: `records / total`, at most 0.99, and 1 at the end. Null: without `total`. */
  fraction: number | null;
  /**
   * The records of the source that `badRecords: "skip"` omitted: the export lacks them. Empty for a source that does not report
   * them.
   */
  omitted: Omitted;
}

/** The bytes of an export, to read or to save. */
export interface ExportStream extends ByteStream {
  /** The records that the export lacks so far; see {@link ExportProgress}. */
  readonly omitted: Omitted;
}

/** Options of {@link toNdjson}. */
export interface ExportOptions {
  /**
   * Ends the export. The rows that were read are written first. Then the stream fails with code `aborted`, and the error has the
   * `resumeToken` of the source.
   */
  signal?: AbortSignalLike | undefined;
  /** Called after every chunk. An exception ends the export. */
  onProgress?: ((progress: ExportProgress) => void) | undefined;
  /**
   * Expected number of records, for `fraction`: `records.max` of `estimate` (`address-query/estimate`).
   */
  total?: number | undefined;
}

/** A field of a record, or a field of an object in it: `"hash"` or `"token.symbol"`. */
export type FieldPath<Item> = Item extends unknown
  ? { [Name in keyof Item & string]: unknown extends Item[Name] ? Name : CellPath<Name, NonNullable<Item[Name]>> }[keyof Item &
      string]
  : never;
/** An object cannot be a cell, but its fields can. */
type CellPath<Name extends string, Value> = Value extends readonly unknown[] | Date
  ? Name
  : Value extends object
    ? `${Name}.${keyof Value & string}`
    : Name;

/** A column: a field, whose path names the column, or a name and a function. */
export type CsvColumn<Item> = FieldPath<Item> | { name: string; value: (item: Item) => unknown };

/**
 * A set of columns for the events of a history.
 *
 * - `full`: All fields except `record` and `token_fee`. Amounts are in base units.
 * - `accounting`: One row for each movement of an asset. `sent`, `received` and `fee` are in decimal units, exact. A fee in a token
 *   is the row of its transfer. A transfer of the address to itself has both `sent` and `received`. Events that neither move nor
 *   cost anything are left out. An amount that is encrypted or not known is empty. If the token has no valid decimals, the amount
 *   is in base units.
 */
export type CsvPreset = "full" | "accounting";

/** The columns of a file with any number of rows for each record, such as {@link koinly} creates. */
export interface CsvTemplate<Item> {
  /** The names of the columns. */
  header: readonly string[];
  /** Returns the rows of a record: the values of their cells. */
  toRows(item: Item): readonly (readonly unknown[])[];
}

/** Options of {@link toCsv} for any records. */
export interface CsvOptions<Item> extends ExportOptions {
  /** The columns, in order, or a template. */
  columns: readonly CsvColumn<Item>[] | CsvTemplate<Item>;
  /**
   * Whether the first line has the names of the columns. False: to continue a file.
   * @defaultValue `true`
   */
  header?: boolean | undefined;
}

/** Options of {@link toCsv} for the events of a history. */
export interface HistoryCsvOptions extends Omit<CsvOptions<HistoryEvent>, "columns"> {
  /**
   * A set of columns, or the columns in order.
   * @defaultValue `"full"`
   */
  columns?: CsvPreset | readonly CsvColumn<HistoryEvent>[] | undefined;
}
