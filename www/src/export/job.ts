// Writes all records of a source to a file in the browser's storage.
import type { Estimate } from "address-query/estimate";
import { type CsvColumn, saveFile, toCsv, toNdjson } from "address-query/history";
import type { ExportStore, SavedExport } from "./saved-export.js";
import { estimateExport } from "./estimate.js";
import type { ExportPage, ExportSource } from "./source.js";
import { findExport, openStore, readChunks } from "./store.js";

export const NDJSON = "NDJSON";

const EMPTY = { resume: null, isComplete: false, records: 0, bytes: 0, chunks: 0, total: null };

/** Dispatches `change` after each change of its state. It continues when the user opens another tab of the page. */
// biome-ignore lint/suspicious/noExplicitAny: sources of all kinds of rows
export class ExportJob<Row extends object = any> extends EventTarget {
  saved: SavedExport;
  state: "running" | "stopped" | "failed" | "complete";
  error: unknown = null;
  /** Whether it continues after a reload. */
  isPersistent = true;
  readonly #source: ExportSource<Row>;
  readonly #estimating: Promise<Estimate | null> | undefined;
  #controller = new AbortController();
  /** When this run began, and how many records were written by then. */
  #start = { time: 0, records: 0 };

  /** `estimating` is the estimate, if it was already requested. */
  constructor(source: ExportSource<Row>, saved: SavedExport, estimating?: Promise<Estimate | null>) {
    super();
    this.#source = source;
    this.#estimating = estimating;
    this.saved = saved;
    this.state = saved.isComplete ? "complete" : "stopped";
  }

  /** Estimated share of the records that are written, at most 0.99. Null: the number of records is not known. */
  get fraction(): number | null {
    const { total, records } = this.saved;
    return total === null || total === 0 ? null : Math.min(0.99, records / total);
  }

  /** Estimated time to the end, in milliseconds. Null: not known yet. */
  get remainingMs(): number | null {
    const { total, records } = this.saved;
    const read = records - this.#start.records;
    if (total === null || read === 0 || records >= total) return null;
    return ((performance.now() - this.#start.time) / read) * (total - records);
  }

  /** Continues the export to its end. */
  async run(): Promise<void> {
    if (this.state === "running" || this.state === "complete") return;
    this.#controller = new AbortController();
    const { signal } = this.#controller;
    this.#start = { time: performance.now(), records: this.saved.records };
    this.#change("running");
    // Browsers can restore a closed page. Its export then stays stopped.
    addEventListener("pagehide", () => this.stop(), { signal });
    try {
      const store = await openStore();
      this.isPersistent = store.isPersistent;
      const write = () => this.#write(store, signal);
      // Exports in memory are invisible to other browser tabs, so they need no lock.
      await (store.isPersistent ? withLock(this.saved.key, write) : write());
      this.#change("complete");
    } catch (error) {
      if (signal.aborted) this.#change("stopped");
      else this.#change("failed", error);
    }
  }

  /** Stops the export, which keeps what is written. */
  stop(): void {
    this.#controller.abort();
  }

  save(): Promise<void> {
    const extension = this.saved.format === NDJSON ? "ndjson" : "csv";
    return saveFile(readChunks(this.saved), `${this.#source.name}.${extension}`);
  }

  async #write(store: ExportStore, signal: AbortSignal): Promise<void> {
    if (this.saved.total === null) void this.#addTotal(signal);
    for await (const page of this.#source.pages(this.saved.resume, signal)) {
      const { items, resumeToken } = page;
      const bytes = new Uint8Array(await new Response(this.#format(page)).arrayBuffer());
      const { saved } = this;
      const next: SavedExport = {
        ...saved,
        resume: resumeToken,
        isComplete: resumeToken === null,
        records: saved.records + items.length,
        bytes: saved.bytes + bytes.length,
        chunks: saved.chunks + 1,
      };
      await store.append(next, bytes);
      this.saved = { ...next, total: this.saved.total };
      this.dispatchEvent(new Event("change"));
      signal.throwIfAborted();
    }
  }

  /**
   * Adds the total when the estimate arrives. The estimate can take longer than the first pages, so the export does
   * not wait for it.
   */
  async #addTotal(signal: AbortSignal): Promise<void> {
    const estimate = await (this.#estimating ?? estimateExport(this.#source, signal));
    if (signal.aborted) return;
    this.saved = { ...this.saved, total: estimate?.records.max ?? null };
    this.dispatchEvent(new Event("change"));
  }

  #format({ items, activities = [] }: ExportPage<Row>): ReadableStream<Uint8Array> {
    const columns = this.#source.csv[this.saved.format];
    if (columns === undefined) return toNdjson(items) as ReadableStream<Uint8Array>;
    const header = this.saved.chunks === 0;
    if (typeof columns === "object" && "toRows" in columns)
      return toCsv(activities, { columns, header }) as ReadableStream<Uint8Array>;
    const options = { columns: columns as readonly CsvColumn<Row>[], header };
    return toCsv<Row>(items, options) as ReadableStream<Uint8Array>;
  }

  #change(state: ExportJob["state"], error: unknown = null): void {
    this.state = state;
    this.error = error;
    this.dispatchEvent(new Event("change"));
  }
}

/** Ensures that only one browser tab at a time writes an export. */
async function withLock(key: string, act: () => Promise<void>): Promise<void> {
  // Pages that are not served over HTTPS have no locks.
  if (!navigator.locks) return act();
  await navigator.locks.request(`export ${key}`, { ifAvailable: true }, (lock) => {
    if (lock === null) throw new Error("This export is running in another tab of the browser.");
    return act();
  });
}

const jobs = new Map<string, ExportJob>();

/** Finds the export of a source, either running or stored. Null: none. */
export async function findJob<Row extends object>(source: ExportSource<Row>): Promise<ExportJob | null> {
  const saved = jobs.has(source.key) ? null : await findExport(source.key);
  if (saved && !jobs.has(source.key)) jobs.set(source.key, new ExportJob(source, saved));
  return jobs.get(source.key) ?? null;
}

export function startJob<Row extends object>(
  source: ExportSource<Row>,
  format: string,
  estimating: Promise<Estimate | null>,
): ExportJob {
  const job = new ExportJob(source, { ...EMPTY, key: source.key, format }, estimating);
  jobs.set(source.key, job);
  void job.run();
  return job;
}

export async function discardJob(job: ExportJob): Promise<void> {
  job.stop();
  jobs.delete(job.saved.key);
  await (await openStore()).delete(job.saved.key);
}
