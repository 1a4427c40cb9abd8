// A stream of the bytes of rows, which reads records only while it is read itself.
import { createAbortError, sumOmitted } from "../entry-support.js";
import type { Omitted } from "../public.js";
import type { ResolvedColumn } from "./csv.js";
import type { ExportOptions, ExportSource, ExportStream } from "./export-types.js";

/** A chunk ends with the row that makes it this long, in UTF-16 code units. */
const CHUNK_LENGTH = 65_536;
/** The maximum time that a chunk waits for its next row. */
const MAX_WAIT_MS = 1000;

/** Formats the text of an export. */
export interface RowFormat {
  header: string;
  /** The columns of CSV, which know whether their fields were found. A template has none. */
  columns?: readonly ResolvedColumn<never>[];
  /** Returns the rows of a record. */
  formatRows(record: object): readonly string[];
  /** Throws if the records were not as expected. */
  checkEnd?(): void;
}

/** Creates a stream of the header and the rows of the records. It never throws: an exception of `createFormat` fails the stream. */
export function createRowStream(
  records: ExportSource<object>,
  options: ExportOptions,
  createFormat: () => RowFormat,
): ExportStream {
  // Without a queue, nothing is read ahead, and a failure discards no chunk.
  const source = new RowSource(records, options, createFormat);
  const stream = new ReadableStream(source, { highWaterMark: 0 });
  return Object.defineProperty(stream, "omitted", { get: () => source.omitted }) as ExportStream;
}

class RowSource implements UnderlyingDefaultSource<Uint8Array> {
  readonly #records: ExportSource<object> & {
    readonly resumeToken?: string | null;
    readonly omitted?: Omitted;
    readonly report?: { readonly omitted?: Omitted } | null;
  };
  readonly #options: ExportOptions;
  readonly #createFormat: () => RowFormat;
  readonly #encoder = new TextEncoder();
  #format: RowFormat | undefined;
  #iterator: AsyncIterator<object> | Iterator<object> | undefined;
  /** The record that was requested. */
  #next: Promise<IteratorResult<object>> | IteratorResult<object> | undefined;
  /** Ends the wait for a record. */
  #wake = () => {};
  #isDone = false;
  #failure: { error: unknown } | undefined;
  #counts = { records: 0, rows: 0, bytes: 0 };

  constructor(records: ExportSource<object>, options: ExportOptions, createFormat: () => RowFormat) {
    this.#records = records;
    this.#options = options;
    this.#createFormat = createFormat;
    const { signal } = options;
    if (signal?.aborted) this.#abort();
    else signal?.addEventListener?.("abort", this.#onAbort, { once: true });
  }

  get omitted(): Omitted {
    return this.#records?.omitted ?? this.#records?.report?.omitted ?? sumOmitted();
  }

  /** Delivers a chunk, the end, or the failure. */
  async pull(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    // The abort takes effect in a later task, which would never run while all records are available at once.
    if (this.#options.signal?.aborted) await new Promise<void>((resolve) => setTimeout(resolve));
    const chunk = this.#encoder.encode(await this.#readRows());
    if (chunk.length > 0) controller.enqueue(chunk);
    else if (this.#failure !== undefined) throw this.#failure.error;
    this.#counts.bytes += chunk.length;
    try {
      this.#report();
    } catch (error) {
      this.cancel(error);
      throw error;
    }
    if (!this.#isDone) return;
    this.#removeListener();
    controller.close();
  }

  /** Ends the iteration without waiting, because its source may be waiting for a record. */
  cancel(error: unknown): void {
    this.#failure ??= { error };
    this.#removeListener();
    void (async () => this.#iterator?.return?.())().catch(() => {});
    this.#wake();
  }

  /** Reads the rows of a chunk. Returns an empty string at the end, and after a failure. */
  async #readRows(): Promise<string> {
    let rows = "";
    let timer: ReturnType<typeof setTimeout> | undefined;
    const woken = new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
    try {
      if (this.#format === undefined) {
        this.#format = this.#createFormat();
        rows = this.#format.header;
      }
      while (rows.length < CHUNK_LENGTH && !this.#isDone && this.#failure === undefined) {
        if (rows !== "") timer ??= setTimeout(this.#wake, MAX_WAIT_MS);
        this.#next ??= this.#getIterator().next();
        const result = await Promise.race([this.#next, woken]);
        if (result === undefined) break;
        this.#next = undefined;
        if (result.done) this.#format.checkEnd?.();
        else rows += this.#count(this.#format.formatRows(result.value));
        this.#isDone = result.done === true;
      }
    } catch (error) {
      this.cancel(error);
    } finally {
      clearTimeout(timer);
    }
    return rows;
  }

  #getIterator(): AsyncIterator<object> | Iterator<object> {
    const records = this.#records as AsyncIterable<object> & Iterable<object>;
    this.#iterator ??= records[Symbol.asyncIterator]?.() ?? records[Symbol.iterator]();
    return this.#iterator;
  }

  /** Counts a record and its rows. */
  #count(rows: readonly string[]): string {
    this.#counts.records += 1;
    this.#counts.rows += rows.length;
    return rows.join("");
  }

  /** Aborts in a new task, so that delivered records are written first, and the token continues after the last row. */
  readonly #onAbort = () => void setTimeout(() => this.#abort());

  #abort(): void {
    const { resumeToken } = this.#records ?? {};
    const error = createAbortError(this.#options.signal as AbortSignal);
    this.cancel(resumeToken == null ? error : Object.assign(error, { resumeToken }));
  }

  #removeListener(): void {
    this.#options.signal?.removeEventListener?.("abort", this.#onAbort);
  }

  #report(): void {
    const { onProgress, total } = this.#options;
    const fraction = this.#isDone ? 1 : Math.min(this.#counts.records / (total as number), 0.99);
    onProgress?.({ ...this.#counts, fraction: total ? fraction : null, omitted: this.omitted });
  }
}
