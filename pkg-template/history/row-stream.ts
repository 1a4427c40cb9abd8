// A stream of the bytes of rows, which reads records only while it is read itself.
import { createAbortError } from "../errors.js";
import type { ByteStream } from "../platform.js";
import type { ExportOptions, ExportSource } from "./export-types.js";

/** A chunk ends with the row that makes it this long, in UTF-16 code units. */
const CHUNK_LENGTH = 65_536;
/** A chunk does not wait longer for its next row. */
const MAX_WAIT_MS = 1000;

/** Creates a stream of `header` and the rows of the records. `formatRow` returns null for a record without a row. */
export function createRowStream<Item>(
  records: ExportSource<Item>,
  header: string,
  formatRow: (record: Item) => string | null,
  options: ExportOptions,
): ByteStream {
  // Without a queue, nothing is read ahead, and a failure discards no chunk.
  return new ReadableStream(new RowSource(records, header, formatRow, options), { highWaterMark: 0 }) as ByteStream;
}

class RowSource<Item> implements UnderlyingDefaultSource<Uint8Array> {
  readonly #records: ExportSource<Item> & { readonly resumeToken?: string | null };
  readonly #formatRow: (record: Item) => string | null;
  readonly #options: ExportOptions;
  readonly #encoder = new TextEncoder();
  #header: string;
  #iterator: AsyncIterator<Item> | Iterator<Item> | undefined;
  /** The record that was requested. */
  #next: Promise<IteratorResult<Item>> | IteratorResult<Item> | undefined;
  /** Ends the wait for a record. */
  #wake = () => {};
  #isDone = false;
  #failure: { error: unknown } | undefined;
  #counts = { records: 0, rows: 0, bytes: 0 };

  constructor(records: ExportSource<Item>, header: string, formatRow: (record: Item) => string | null, options: ExportOptions) {
    this.#records = records;
    this.#header = header;
    this.#formatRow = formatRow;
    this.#options = { ...options };
    const { signal } = options;
    if (signal?.aborted) this.#abort();
    else signal?.addEventListener("abort", this.#onAbort, { once: true });
  }

  /** Delivers a chunk, the end, or the failure. */
  async pull(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
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

  /** Ends the iteration, without waiting for it: its source may wait for a record first. */
  cancel(error: unknown): void {
    this.#failure ??= { error };
    this.#removeListener();
    void (async () => this.#iterator?.return?.())().catch(() => {});
    this.#wake();
  }

  /** Reads the rows of a chunk. Returns an empty string at the end, and after a failure. */
  async #readRows(): Promise<string> {
    let rows = this.#header;
    this.#header = "";
    let timer: ReturnType<typeof setTimeout> | undefined;
    const woken = new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
    try {
      while (rows.length < CHUNK_LENGTH && !this.#isDone && this.#failure === undefined) {
        if (rows !== "") timer ??= setTimeout(this.#wake, MAX_WAIT_MS);
        this.#next ??= this.#getIterator().next();
        const result = await Promise.race([this.#next, woken]);
        if (result === undefined) break;
        this.#next = undefined;
        this.#isDone = result.done === true;
        if (!result.done) rows += this.#createRow(result.value);
      }
    } catch (error) {
      this.cancel(error);
    } finally {
      clearTimeout(timer);
    }
    return rows;
  }

  #getIterator(): AsyncIterator<Item> | Iterator<Item> {
    const records = this.#records as AsyncIterable<Item> & Iterable<Item>;
    this.#iterator ??= records[Symbol.asyncIterator]?.() ?? records[Symbol.iterator]();
    return this.#iterator;
  }

  #createRow(record: Item): string {
    const row = this.#formatRow(record);
    this.#counts.records += 1;
    if (row !== null) this.#counts.rows += 1;
    return row ?? "";
  }

  /** Aborts in a task of its own: a record that was delivered before is written, and the token is that of the last row. */
  readonly #onAbort = () => void setTimeout(() => this.#abort());

  #abort(): void {
    const { resumeToken } = this.#records;
    const error = createAbortError(this.#options.signal as AbortSignal);
    this.cancel(resumeToken == null ? error : Object.assign(error, { resumeToken }));
  }

  #removeListener(): void {
    this.#options.signal?.removeEventListener("abort", this.#onAbort);
  }

  #report(): void {
    const { onProgress, total } = this.#options;
    const fraction = this.#isDone ? 1 : Math.min(this.#counts.records / (total as number), 0.99);
    onProgress?.({ ...this.#counts, fraction: total ? fraction : null });
  }
}
