// `toCsv` and `toNdjson`: files of records.
import { createParameterError } from "../errors.js";
import type { ByteStream } from "../platform.js";
import { formatLine } from "./csv.js";
import { hasAccountingRow, resolveColumns } from "./csv-columns.js";
import type { HistoryEvent } from "./event.js";
import type { CsvOptions, CsvPreset, ExportOptions, ExportSource, HistoryCsvOptions } from "./export-types.js";
import { checkNames } from "./params.js";
import { createRowStream } from "./row-stream.js";

type AnyCsvOptions = Omit<HistoryCsvOptions, "columns"> & { columns?: CsvPreset | readonly unknown[] | undefined };

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
 * A string that begins like a formula (`=`, `+`, `-`, `@`, tab, CR, LF) gets a leading `'`, so that a spreadsheet shows it. Numbers
 * and BigInts are written as they are.
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
 * @throws {AddressQueryError} `invalid_parameter` for an option that is unknown or invalid.
 */
export function toCsv(events: ExportSource<HistoryEvent>, options?: HistoryCsvOptions): ByteStream;
export function toCsv<Item extends object>(records: ExportSource<Item>, options: CsvOptions<Item>): ByteStream;
export function toCsv(records: ExportSource<object>, options: AnyCsvOptions = {}): ByteStream {
  checkExport(records, options, [...EXPORT_OPTIONS, "columns", "header"]);
  const { columns = "full", header = true } = options;
  const resolved = resolveColumns<object>(columns);
  const isAccounting = columns === "accounting";
  const formatRow = (record: object) =>
    isAccounting && !hasAccountingRow(record as HistoryEvent) ? null : formatLine(resolved.map(({ value }) => value(record)));
  return createRowStream(records, header ? formatLine(resolved.map(({ name }) => name)) : "", formatRow, options);
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
 * @throws {AddressQueryError} `invalid_parameter` for an option that is unknown or invalid.
 */
export function toNdjson(records: ExportSource<object>, options: ExportOptions = {}): ByteStream {
  checkExport(records, options, EXPORT_OPTIONS);
  return createRowStream(records, "", (record) => `${JSON.stringify(record)}\n`, options);
}

function checkExport(records: unknown, options: ExportOptions, valid: readonly string[]): void {
  const { [Symbol.asyncIterator]: iterateAsync, [Symbol.iterator]: iterate } = Object(records);
  if (typeof (iterateAsync ?? iterate) !== "function") throw createParameterError("records", "must be iterable");
  checkNames("option", options, valid);
  const { total = 0 } = options;
  if (!(Number.isFinite(total) && total >= 0)) throw createParameterError("total", "must be a number of at least 0");
}
