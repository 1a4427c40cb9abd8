// Writes all records of a source to a file in the browser's storage.
import type { Estimate } from "address-query/estimate";
import { saveFile } from "address-query/history";
import { forgetExport, listExports, type ResumableExportOptions, resumableExport, type StoredExport } from "address-query/store";
import { openStore } from "../service/store.js";
import { estimateExport } from "./estimate.js";
import type { ExportSource } from "./source.js";

export const NDJSON = "NDJSON";

/** The key of a stored export begins with it. */
const toKey = ({ key }: { key: string }, format: string): string => JSON.stringify([key, format]);

/** Dispatches `change` after each change of its state. It continues when the user opens another tab of the page. */
// biome-ignore lint/suspicious/noExplicitAny: sources of all kinds of rows
export class ExportJob<Row extends object = any> extends EventTarget {
  readonly source: ExportSource<Row>;
  /** Label of the CSV columns, or `NDJSON`. */
  readonly format: string;
  state: "running" | "stopped" | "failed" | "complete" = "stopped";
  error: unknown = null;
  /** Whether it continues after a reload. */
  isPersistent = true;
  records: number;
  bytes: number;
  /** Expected number of records. Null: not known. */
  total: number | null = null;
  readonly #estimating: Promise<Estimate | null> | undefined;
  #controller = new AbortController();
  #running: Promise<void> = Promise.resolve();
  /** When this run began, and how many records were written by then. */
  #start = { time: 0, records: 0 };
  /** The file, and the function that ends its export when it is saved. */
  #offer: { file: Blob; end: () => void } | null = null;

  /** `estimating` is the estimate, if it was already requested. */
  constructor(source: ExportSource<Row>, format: string, stored?: StoredExport, estimating?: Promise<Estimate | null>) {
    super();
    this.source = source;
    this.format = format;
    this.records = stored?.records ?? 0;
    this.bytes = stored?.bytes ?? 0;
    this.#estimating = estimating;
    if (stored?.isWritten) this.state = "complete";
  }

  /** Estimated share of the records that are written, at most 0.99. Null: the number of records is not known. */
  get fraction(): number | null {
    const { total, records } = this;
    return total === null || total === 0 ? null : Math.min(0.99, records / total);
  }

  /** Estimated time to the end, in milliseconds. Null: not known yet. */
  get remainingMs(): number | null {
    const { total, records } = this;
    const read = records - this.#start.records;
    if (total === null || read === 0 || records >= total) return null;
    return ((performance.now() - this.#start.time) / read) * (total - records);
  }

  /** Continues the export. Resolves when its file can be saved, and after a failure. */
  async run(): Promise<void> {
    if (this.state === "running") return;
    this.#controller = new AbortController();
    const { signal } = this.#controller;
    this.#start = { time: performance.now(), records: this.records };
    if (this.total === null && this.state !== "complete") void this.#addTotal(signal);
    this.#change("running");
    // Browsers can restore a closed page. Its export then stays stopped.
    addEventListener("pagehide", () => this.stop(), { signal });
    await new Promise<void>((resolve) => {
      this.#running = this.#write(signal, resolve).finally(resolve);
    });
  }

  /** Stops the export, which keeps what is written. Resolves when nothing more is written. */
  stop(): Promise<void> {
    this.#controller.abort();
    return this.#running;
  }

  /** Saves the file, which is read from the storage if it was written before a reload. */
  async save(): Promise<void> {
    if (this.#offer === null) await this.run();
    const extension = this.format === NDJSON ? "ndjson" : "csv";
    const { file, end } = this.#offer ?? {};
    if (!file) return;
    await saveFile(file.stream(), `${this.source.name}.${extension}`);
    end?.();
  }

  /** Removes what is written. */
  async discard(): Promise<void> {
    await this.stop();
    const { store } = await openStore();
    const prefix = toKey(this.source, this.format);
    for (const { key } of await listExports(store)) if (key.startsWith(prefix)) await forgetExport(store, key);
  }

  async #write(signal: AbortSignal, onOffer: () => void): Promise<void> {
    try {
      await discarding;
      const { store, isPersistent } = await openStore();
      this.isPersistent = isPersistent;
      const { source, format } = this;
      const columns = source.csv[format];
      const options: ResumableExportOptions<object> = {
        ...(columns === undefined ? { format: "ndjson" } : { columns: columns as never }),
        store,
        key: toKey(source, format),
        signal,
        onProgress: ({ records, bytes }) => {
          Object.assign(this, { records, bytes });
          this.dispatchEvent(new Event("change"));
        },
        // The store has the file until it is saved.
        to: (file) =>
          new Promise((end, reject) => {
            signal.addEventListener("abort", reject);
            this.#offer = { file, end };
            this.#change("complete");
            onOffer();
          }),
      };
      await resumableExport(source.createCall(columns), options);
    } catch (error) {
      if (!signal.aborted) this.#change("failed", error);
      else if (this.#offer === null) this.#change("stopped");
      this.#offer = null;
    }
  }

  /**
   * Adds the total when the estimate arrives. The estimate can take longer than the first pages, so the export does
   * not wait for it.
   */
  async #addTotal(signal: AbortSignal): Promise<void> {
    const estimate = await (this.#estimating ?? estimateExport(this.source, signal));
    if (signal.aborted) return;
    this.total = estimate?.records.max ?? null;
    this.dispatchEvent(new Event("change"));
  }

  #change(state: ExportJob["state"], error: unknown = null): void {
    this.state = state;
    this.error = error;
    this.dispatchEvent(new Event("change"));
  }
}

const jobs = new Map<string, ExportJob>();

/** Finds the export of a source, either running or stored. Null: none. */
export async function findJob<Row extends object>(source: ExportSource<Row>): Promise<ExportJob | null> {
  if (!jobs.has(source.key)) {
    const stored = await listExports((await openStore()).store);
    for (const format of [...Object.keys(source.csv), NDJSON]) {
      const found = stored.find(({ key }) => key.startsWith(toKey(source, format)));
      if (found && !jobs.has(source.key)) jobs.set(source.key, new ExportJob(source, format, found));
    }
  }
  return jobs.get(source.key) ?? null;
}

export function startJob<Row extends object>(
  source: ExportSource<Row>,
  format: string,
  estimating: Promise<Estimate | null>,
): ExportJob {
  const job = new ExportJob(source, format, undefined, estimating);
  jobs.set(source.key, job);
  void job.run();
  return job;
}

/** The last removal. The same export can start again after it. */
let discarding: Promise<unknown> = Promise.resolve();

export function discardJob(job: ExportJob): Promise<void> {
  jobs.delete(job.source.key);
  const removal = job.discard();
  discarding = removal.catch(() => {});
  return removal;
}
