// `toCsv` and `toNdjson`: exports of records.
import { checkCallOptions, checkNames, createParameterError } from "../entry-support.js";
import { checkFound, formatCell, formatLine, formatRecord, hasAccountingRow, resolveColumns } from "./csv.js";
import type { HistoryEvent } from "./event.js";
import type {
  CsvOptions,
  CsvPreset,
  CsvTemplate,
  ExportOptions,
  ExportSource,
  ExportStream,
  HistoryCsvOptions,
} from "./export-types.js";
import { createRowStream, type RowFormat } from "./row-stream.js";

type AnyColumns = CsvPreset | readonly unknown[] | CsvTemplate<object>;
type AnyCsvOptions = Omit<HistoryCsvOptions, "columns"> & { columns?: AnyColumns | undefined };

const EXPORT_OPTIONS = ["signal", "onProgress", "total"];

/**
 * Writes records as CSV by RFC 4180: UTF-8, with a header, lines that end in CRLF, and quoted strings.
 *
 * @remarks
 * Records are read only while the stream is read, and at most one chunk of about 64 KB is held. Canceling the stream ends the
 * iteration.
 *
 * If the source fails, the stream delivers the rows before and then fails with the same error. For a history, its `resumeToken`
 * continues exactly after them: write the rest with `header: false`. For a list, the records of the interrupted page come again.
 *
 * A string that begins like a formula (`=`, `+`, `-`, `@`, also after spaces and invisible characters, or tab, CR, LF) gets a
 * leading `'`, so that a spreadsheet shows it. Numbers and BigInts are written unchanged, a `Date` in ISO 8601, and null as an
 * empty cell. Other objects and functions are an error, and so is a field that no record has, for which the stream fails at its
 * end.
 *
 * @example
 * ```ts
 * import { formatAmount, type TokenTransfer } from "address-query";
 * import { history, saveFile, toCsv } from "address-query/history";
 *
 * const events = history(client, { address_hash, order: "asc" });
 * await saveFile(toCsv(events, { columns: "accounting" }), "history.csv");
 *
 * const transfers = client.addressTokenTransfers({ address_hash });
 * const amount = { name: "amount", value: (transfer: TokenTransfer) => formatAmount(transfer) };
 * const csv = toCsv(transfers, { columns: ["timestamp", "from.hash", "token.symbol", amount] });
 * ```
 * @throws {AddressQueryError} `invalid_parameter` for an option that is unknown or invalid, or a column that cannot be written: the
 * stream fails when it is read. `toCsv` itself never throws.
 */
export function toCsv(events: ExportSource<HistoryEvent>, options?: HistoryCsvOptions): ExportStream;
export function toCsv<Item extends object>(records: ExportSource<Item>, options: CsvOptions<Item>): ExportStream;
export function toCsv(records: ExportSource<object>, options?: AnyCsvOptions): ExportStream {
  const copy = { ...options };
  return createRowStream(records, copy, () => {
    checkExport(records, copy, [...EXPORT_OPTIONS, "columns", "header"]);
    const header = copy.header ?? true;
    if (typeof header !== "boolean") throw createParameterError("header", "must be a boolean");
    const format = createCsvFormat(copy.columns ?? "full");
    return header ? format : { ...format, header: "" };
  });
}

/**
 * Creates the format of a CSV file. Throws for invalid columns.
 * @internal
 */
export function createCsvFormat(columns: AnyColumns): RowFormat {
  if (isTemplate(columns)) {
    return {
      header: formatLine(columns.header.map(toCell)),
      formatRows: (record) => columns.toRows(record).map((cells) => formatLine(cells.map(toCell))),
    };
  }
  const resolved = resolveColumns<object>(columns);
  const isPreset = typeof columns === "string";
  return {
    header: formatLine(resolved.map(({ name }) => toCell(name))),
    columns: resolved,
    formatRows: (record) => {
      if (isPreset && !("asset" in Object(record)))
        throw createParameterError("columns", `"${columns}" is for the events of history: list the fields of other records`);
      return columns === "accounting" && !hasAccountingRow(record as HistoryEvent) ? [] : [formatRecord(resolved, record)];
    },
    // An event may lack fields of a preset, such as token fields.
    checkEnd: () => isPreset || checkFound(resolved),
  };
}

/**
 * Writes records as newline-delimited JSON: UTF-8, one record a line, with all its fields. It reads, ends and fails like
 * {@link toCsv}.
 *
 * @example
 * ```ts
 * import { toNdjson } from "address-query/history";
 *
 * const stream = toNdjson(client.addressLogs({ address_hash }), { onProgress: ({ rows }) => console.log(rows) });
 * ```
 * @throws {AddressQueryError} `invalid_parameter` for an option that is unknown or invalid, or a record that JSON cannot hold: the stream
 * fails when it is read. `toNdjson` itself never throws.
 */
export function toNdjson(records: ExportSource<object>, options?: ExportOptions): ExportStream {
  const copy = { ...options };
  return createRowStream(records, copy, () => {
    checkExport(records, copy, EXPORT_OPTIONS);
    return createNdjsonFormat();
  });
}

/**
 * Creates the format of a file of newline-delimited JSON.
 * @internal
 */
export function createNdjsonFormat(): RowFormat {
  return { header: "", formatRows: (record) => [formatJsonLine(record)] };
}

function isTemplate(columns: AnyColumns): columns is CsvTemplate<object> {
  return typeof (columns as Partial<CsvTemplate<object>>).toRows === "function";
}

function toCell(value: unknown): string {
  const cell = formatCell(value);
  if (cell === null) throw createParameterError("columns", "must have plain values, or valid Dates");
  return cell;
}

function formatJsonLine(record: unknown): string {
  let json: string | undefined;
  try {
    json = JSON.stringify(record);
  } catch {}
  if (json === undefined) throw createParameterError("records", "must be JSON, without a BigInt or a cycle");
  return `${json}\n`;
}

function checkExport(records: unknown, options: ExportOptions, valid: readonly string[]): void {
  const { [Symbol.asyncIterator]: iterateAsync, [Symbol.iterator]: iterate } = Object(records);
  if (typeof (iterateAsync ?? iterate) !== "function") throw createParameterError("records", "must be iterable");
  checkNames("option", options, valid);
  const { onProgress, signal } = options;
  const total = options.total ?? 0;
  checkCallOptions({ signal, onProgress });
  if (!(Number.isFinite(total) && total >= 0)) throw createParameterError("total", "must be a number of at least 0");
}
