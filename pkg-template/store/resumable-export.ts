// `resumableExport`: an export that continues after a reload, a kill or a failure.
import { checkCallOptions, checkNames, createAbortError, createParameterError, sumOmitted } from "../entry-support.js";
import { createCsvFormat, createNdjsonFormat } from "../history/export.js";
import type { RowFormat } from "../history/row-stream.js";
import { AddressQueryError, isAddressQueryError } from "../public.js";
import type { StoreDatabase } from "./database.js";
import { combineReports, findFailure, type Report } from "./export-report.js";
import { identifySource, SourceReader } from "./export-source.js";
import { type ExportState, ExportStorage, readStates } from "./export-state.js";
import { deliverFile, isTarget } from "./export-file.js";
import type { ExportResult, ExportSource, ExportTarget, ResumableExportOptions, StoredExport } from "./export-types.js";

/** A part ends with the record that makes it this long, in UTF-16 code units. */
const PART_LENGTH = 65_536;
/** A part ends after this time, so that little is read again. */
const PART_MS = 1000;
/** The number of last bytes that identify a file. */
const TAIL_LENGTH = 256;

type Options = Omit<ResumableExportOptions<object>, "columns"> & { columns?: unknown };

/**
 * Exports records to a file, and continues where an earlier call with equal arguments was interrupted: by a reload, a kill or a failure. The
 * file has the same bytes as the file of one uninterrupted call, apart from records that changed meanwhile.
 *
 * @remarks
 * The store has the progress of the export, and the parts of its file unless the file itself grows. Whatever interrupts it, at most a second
 * of reading is lost. A finished export is removed from the store.
 *
 * An export belongs to what the call reads (chain, address, order, filters, derived values), and to its format and columns. A call that
 * differs in any of them is another export. Functions cannot be compared: see `key`.
 *
 * It starts over if the store has lost it, another version of the package has begun it in a way that this one cannot continue, or its
 * growing file is gone.
 *
 * Pass a call: its `resume` is the start of the export. A range needs a function, which passes its argument to the call as `resume`. The
 * failure of an account of `mergeHistories` ends the export, also without `strict`, because its events would come too late otherwise.
 *
 * @example
 * ```ts
 * import { history, saveFile } from "address-query/history";
 * import { createStore, resumableExport } from "address-query/store";
 *
 * const store = createStore({ name: "exports" });
 * const events = history(client, { address_hash, order: "asc" });
 * const { file, complete } = await resumableExport(events, { store, columns: "accounting" });
 * ```
 * @throws {AddressQueryError} A failure of the call, after which the next call continues. `storage` if the store fails, or if the same export
 * is running in another tab (reason `blocked`). `invalid_parameter` for an option that is unknown or invalid, or if `to` has another file.
 */
export async function resumableExport<Item extends object, Report = null>(
  events: ExportSource<Item, Report>,
  options: ResumableExportOptions<Item>,
): Promise<ExportResult<Report>> {
  const source = events as ExportSource<object>;
  const copy = { ...options } as Options;
  const format = checkExport(copy);
  const identity = await identifySource(source);
  if (identity === null && !copy.key) throw createParameterError("key", "must identify the export, because the records do not");
  const key = [copy.key, identity, identifyFormat(copy, format)].filter(Boolean).join(" ");
  const storage = new ExportStorage(copy.store.database, key);
  return withLock(key, () => new Export(source, copy, format, storage).run()) as Promise<ExportResult<Report>>;
}

/** Lists the exports in a store that are not finished. */
export async function listExports(store: { readonly database: StoreDatabase }): Promise<StoredExport[]> {
  const states = await readStates(store.database);
  return states.map(({ key, records, rows, bytes, isWritten }) => ({ key, records, rows, bytes, isWritten }));
}

/** Removes an export from a store. It must not be running. */
export function forgetExport(store: { readonly database: StoreDatabase }, key: string): Promise<void> {
  return new ExportStorage(store.database, key).remove();
}

function checkExport(options: Options): RowFormat {
  checkNames("option", options, ["store", "to", "format", "columns", "key", "total", "signal", "onProgress"]);
  const { store, to, format = "csv", columns, key, total = 0, signal, onProgress } = options;
  checkCallOptions({ signal, onProgress });
  if (!store?.database) throw createParameterError("store", "must be a store");
  if (to != null && typeof to !== "function" && !isTarget(to) && !("createWritable" in Object(to)))
    throw createParameterError(
      "to",
      "must be a function, a file handle, or an ExportTarget such as fileTarget of address-query/store/node",
    );
  if (!(Number.isFinite(total) && total >= 0)) throw createParameterError("total", "must be a number of at least 0");
  if (key !== undefined && typeof key !== "string") throw createParameterError("key", "must be a string");
  if (format === "ndjson" && columns == null) return createNdjsonFormat();
  if (format !== "csv") throw createParameterError("format", 'must be "csv", or "ndjson" without columns');
  return createCsvFormat((columns ?? "full") as Parameters<typeof createCsvFormat>[0]);
}

/** Identifies a format by the names of its columns. The accounting columns leave out records. */
function identifyFormat({ format = "csv", columns }: Options, { header }: RowFormat): string {
  return `${format} ${typeof columns === "string" ? columns : ""} ${header}`;
}

/** Ensures that one tab of the browser at a time writes an export. */
async function withLock<Value>(key: string, act: () => Promise<Value>): Promise<Value> {
  const { locks } = (globalThis.navigator ?? {}) as Partial<Navigator>;
  let acting: Promise<Value> | undefined;
  try {
    // Pages that are not served over HTTPS have no locks.
    await locks?.request(`address-query export ${key}`, { ifAvailable: true }, (lock) => {
      if (lock === null) throw AddressQueryError.create("storage", "the export is running in another tab", { reason: "blocked" });
      acting = act();
      return acting;
    });
  } catch (error) {
    // A browser that denies storage denies locks, too.
    if (acting || isAddressQueryError(error)) throw error;
  }
  return acting ?? act();
}

type State = Omit<ExportState, "version" | "key">;

const EMPTY: State = {
  ...{ checkpoint: null, isWritten: false, records: 0, rows: 0, bytes: 0, parts: 0, found: [], report: null },
  omitted: sumOmitted(),
  tail: [],
};

/** One run of an export. */
class Export {
  readonly #source: ExportSource<object>;
  readonly #options: Options;
  readonly #format: RowFormat;
  readonly #storage: ExportStorage;
  readonly #target: ExportTarget | undefined;
  #state = EMPTY;
  /** What was read and not written yet. */
  #pending = { text: "", records: 0, rows: 0 };

  constructor(source: ExportSource<object>, options: Options, format: RowFormat, storage: ExportStorage) {
    this.#source = source;
    this.#options = options;
    this.#format = format;
    this.#storage = storage;
    this.#target = isTarget(options.to) ? options.to : undefined;
  }

  async run(): Promise<ExportResult<Report>> {
    try {
      const stored = await this.#storage.load();
      const isThere = stored && ((await this.#target?.open(stored.bytes, Uint8Array.from(stored.tail))) ?? true);
      if (isThere) this.#continue(stored);
      else await this.#startOver();
      try {
        await this.#read();
      } catch (error) {
        // The state has a token of another version of the package.
        if (!isThere || !isAddressQueryError(error) || error.parameter !== "resume") throw error;
        await this.#startOver();
        await this.#read();
      }
    } finally {
      await this.#target?.close();
    }
    const { records, rows, bytes, parts, report, omitted } = this.#state;
    const file = await deliverFile(this.#options.to, parts, (index) => this.#storage.readPart(index));
    await this.#storage.remove();
    const complete = report && "complete" in report ? report["complete"] === true : omitted.count === 0;
    return { records, rows, bytes, complete, report, omitted, ...(file && { file }) };
  }

  #continue(stored: State): void {
    this.#state = stored;
    for (const column of this.#format.columns ?? []) if (stored.found.includes(column.name)) column.isUnknown = false;
    this.#reportProgress();
  }

  async #startOver(): Promise<void> {
    this.#state = EMPTY;
    await this.#storage.remove();
    await this.#target?.open(0, new Uint8Array());
    this.#pending = { text: this.#format.header, records: 0, rows: 0 };
  }

  /** Reads and writes what is left. */
  async #read(): Promise<void> {
    if (this.#state.isWritten) return;
    const { signal } = this.#options;
    const before = this.#state;
    const reader = new SourceReader(this.#source, before.checkpoint);
    const abort = () => reader.close();
    signal?.addEventListener?.("abort", abort, { once: true });
    let started = performance.now();
    try {
      for (;;) {
        const items = signal?.aborted ? null : await reader.next().catch((error) => this.#handleFailure(error, reader, before));
        if (items === null && signal?.aborted) throw createAbortError(signal as AbortSignal);
        for (const item of items ?? []) this.#add(item);
        if (items === null) this.#format.checkEnd?.();
        const isLong = this.#pending.text.length >= PART_LENGTH || performance.now() - started >= PART_MS;
        if (items !== null && !reader.isGrouped && !isLong) continue;
        await this.#write(reader, before, items === null);
        if (items === null) return;
        started = performance.now();
      }
    } finally {
      signal?.removeEventListener?.("abort", abort);
      reader.close();
    }
  }

  /** Writes what was read before a failure. */
  async #handleFailure(error: unknown, reader: SourceReader, before: State): Promise<never> {
    // After an abort, the call may be further than what it has returned. An invalid parameter may be the token.
    const isInvalid = isAddressQueryError(error) && error.code === "invalid_parameter";
    if (!this.#options.signal?.aborted && !isInvalid) await this.#write(reader, before, false, error);
    throw error;
  }

  #add(record: object): void {
    const rows = this.#format.formatRows(record);
    this.#pending.text += rows.join("");
    this.#pending.records += 1;
    this.#pending.rows += rows.length;
  }

  /** Writes the rows that were read, and then where to continue after them. `before` is the state at the beginning of the run. */
  async #write(reader: SourceReader, before: State, isWritten: boolean, error?: unknown): Promise<void> {
    const checkpoint = isWritten ? null : reader.getCheckpoint(error);
    if (checkpoint === null && !isWritten) return;
    const report = combineReports(before.report, reader.report);
    const failure = findFailure(report);
    if (failure) throw failure;
    const { text, records, rows } = this.#pending;
    const part = new TextEncoder().encode(text);
    const hasPart = part.length > 0;
    const last = this.#state;
    const state: State = {
      checkpoint,
      isWritten,
      records: last.records + records,
      rows: last.rows + rows,
      bytes: last.bytes + part.length,
      parts: last.parts + Number(hasPart && !this.#target),
      found: (this.#format.columns ?? []).filter(({ isUnknown }) => isUnknown === false).map(({ name }) => name),
      report,
      omitted: sumOmitted(before.omitted, reader.omitted),
      tail: this.#target ? [...last.tail, ...part.slice(-TAIL_LENGTH)].slice(-TAIL_LENGTH) : EMPTY.tail,
    };
    if (hasPart) await this.#target?.append(part);
    await this.#storage.save(state, hasPart && !this.#target ? part : undefined);
    this.#state = state;
    this.#pending = { text: "", records: 0, rows: 0 };
    this.#reportProgress();
  }

  #reportProgress(): void {
    const { onProgress, total } = this.#options;
    const { records, rows, bytes, omitted, isWritten } = this.#state;
    const fraction = isWritten ? 1 : Math.min(records / (total as number), 0.99);
    onProgress?.({ records, rows, bytes, fraction: total ? fraction : null, omitted });
  }
}
