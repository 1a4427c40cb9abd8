// The options and results of `resumableExport`.
import type { CsvColumn, CsvPreset, CsvTemplate, ExportProgress } from "../history/index.js";
import type { AbortSignalLike, Omitted } from "../public.js";
import type { StoreDatabase } from "./database.js";

/**
 * A call whose records are exported: of `history`, `mergeHistories`, `activities`, `withValues`, a list, or `all()`. Another iterable
 * needs a `resumeToken` that continues exactly after the last record.
 */
export interface ExportCall<Item, Report = unknown> extends AsyncIterable<Item> {
  readonly resumeToken: string | null;
  readonly report?: Report | null;
}

/** A call to export, or a function that creates it: without an argument, and to continue with a token. */
export type ExportSource<Item, Report = unknown> =
  | ExportCall<Item, Report>
  | ((resume: string | undefined) => ExportCall<Item, Report>);

/**
 * A file that grows with its export: `fileTarget` of `address-query/store/node` creates one. Implement it to write elsewhere.
 */
export interface ExportTarget {
  /**
   * Opens the file, and cuts off what follows the first `bytes` bytes, which an interrupted export has left. Returns false if they are not
   * there any more: then the export starts over.
   *
   * @throws {AddressQueryError} `invalid_parameter` if the file is another one: its first `bytes` bytes do not end with `tail`.
   */
  open(bytes: number, tail: Uint8Array): Promise<boolean>;
  /** Appends bytes. Resolves when they would survive a crash. */
  append(bytes: Uint8Array): Promise<void>;
  close(): Promise<void>;
}

/** A file of the user's device, as `showSaveFilePicker` returns it. */
export interface FileHandleLike {
  createWritable(): Promise<WritableStream<Uint8Array>>;
}

/** Options of {@link resumableExport}. */
export interface ResumableExportOptions<Item> {
  /** Where the export is kept until it is finished: a store, or another object with a database. */
  store: { readonly database: StoreDatabase };
  /**
   * Where the file goes.
   *
   * - Without it, the result has the file as a `Blob`.
   * - A function is called with the `Blob`. If it rejects, the export stays in the store, and the next call needs no requests.
   * - A file handle of the browser is written at the end, from the parts in the store: such a file shows its contents only when it is
   *   closed. After a reload, the user chooses it again.
   * - An `ExportTarget` grows with the export. The store has only its progress.
   */
  to?: FileHandleLike | ExportTarget | ((file: Blob) => void | Promise<void>) | undefined;
  /**
   * CSV, or newline-delimited JSON.
   * @defaultValue `"csv"`
   */
  format?: "csv" | "ndjson" | undefined;
  /**
   * The columns of CSV, as in `toCsv`.
   * @defaultValue `"full"`, which only events have
   */
  columns?: CsvPreset | readonly CsvColumn<Item>[] | CsvTemplate<Item> | undefined;
  /**
   * Identifies the export together with the call, the format and the columns: its key in `listExports` begins with it. Change it if a
   * function of the call or of the columns, such as `priceOf`, returns other values.
   */
  key?: string | undefined;
  /** Expected number of records, for `fraction`: `records.max` of `estimate` (`address-query/estimate`). */
  total?: number | undefined;
  /** Ends the export, with code `aborted`. What was written stays in the store. */
  signal?: AbortSignalLike | undefined;
  /** Called after every part, and first with what earlier calls have written. An exception ends the export. */
  onProgress?: ((progress: ExportProgress) => void) | undefined;
}

/** A finished export: what all of its calls have written together. */
export interface ExportResult<Report> extends Pick<ExportProgress, "records" | "rows" | "bytes"> {
  /** Whether nothing is missing. */
  complete: boolean;
  /** The report of the call, with what all calls have read. Null: the call has none. */
  report: Report | null;
  /** The omitted records. Those of the page where a call continued may be counted twice. */
  omitted: Omitted;
  /** The file. Only without `to`. */
  file?: Blob;
}

/** An export that is not finished. */
export interface StoredExport extends Pick<ExportProgress, "records" | "rows" | "bytes"> {
  /** Identifies it, for `forgetExport`. */
  key: string;
  /** Whether all records are written, but the file was not delivered to its target. */
  isWritten: boolean;
}
