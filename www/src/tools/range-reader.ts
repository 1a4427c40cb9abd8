// Reads all records of a range of blocks, and can be stopped and resumed.
// It keeps totals and the newest rows only, so that memory use stays small however many records there are.
import type { RangeReport } from "address-query";
import type { RangeMethod, RangeParams, RangeRow } from "./account-records.js";

/** The parts of a report that are shown. */
export type RangeProgress = Pick<
  RangeReport,
  "windows" | "requests" | "nextBlock" | "incompleteBlocks" | "unprocessed" | "changedBlocks" | "omitted"
>;

const NOTHING: RangeProgress = {
  windows: 0,
  requests: 0,
  nextBlock: null,
  incompleteBlocks: [],
  unprocessed: [],
  changedBlocks: [],
  omitted: { count: 0, first: [] },
};

/** Whether no records of the blocks that were read are missing. */
export const isComplete = ({ incompleteBlocks, unprocessed, omitted }: RangeProgress): boolean =>
  incompleteBlocks.length === 0 && unprocessed.length === 0 && omitted.count === 0;

export class RangeReader {
  recordCount = 0;
  /** Time spent reading, without the time between two runs. */
  elapsedMs = 0;
  isDone = false;
  /** The newest rows, at most `maxRows`, in reading order. */
  newestRows: readonly RangeRow[] = [];
  /** The merged report of all runs. Null before the first window of blocks is read. */
  report: RangeProgress | null = null;
  readonly #method: RangeMethod;
  readonly #params: RangeParams;
  readonly #maxRows: number;
  #resumeToken: string | null = null;
  /** The report of all finished runs. */
  #previous = NOTHING;

  constructor(method: RangeMethod, params: RangeParams, maxRows: number) {
    this.#method = method;
    this.#params = params;
    this.#maxRows = maxRows;
  }

  /** Reads to the end of the range, starting where the previous run stopped. Awaits `onProgress` after each window. */
  async run(signal: AbortSignal, onProgress: () => Promise<void>): Promise<void> {
    const range = this.#method.all(this.#params, { signal, resume: this.#resumeToken ?? undefined });
    let last = performance.now();
    const addElapsedTime = () => {
      const now = performance.now();
      this.elapsedMs += now - last;
      last = now;
    };
    try {
      for await (const rows of range.windows()) {
        this.#addRows(rows);
        this.#resumeToken = range.resumeToken;
        if (range.report) this.#addReport(range.report);
        addElapsedTime();
        await onProgress();
      }
      if (range.report) this.#addReport(range.report);
      this.isDone = true;
    } catch (error) {
      if (!this.isDone) throw error; // an abort after the last window loses nothing
    } finally {
      addElapsedTime();
      if (this.report) this.#previous = this.report;
    }
  }

  #addRows(rows: readonly RangeRow[]): void {
    this.recordCount += rows.length;
    const max = this.#maxRows;
    if (this.#params.sort === "asc") this.newestRows = [...this.newestRows, ...rows.slice(-max)].slice(-max);
    else if (this.newestRows.length < max) this.newestRows = [...this.newestRows, ...rows].slice(0, max);
  }

  /** Adds the report of this run to those before it: the package starts a new report when it resumes. */
  #addReport(report: RangeReport): void {
    const previous = this.#previous;
    this.report = {
      windows: previous.windows + report.windows,
      requests: previous.requests + report.requests,
      nextBlock: report.nextBlock,
      incompleteBlocks: [...previous.incompleteBlocks, ...report.incompleteBlocks],
      unprocessed: [...previous.unprocessed, ...report.unprocessed],
      changedBlocks: [...previous.changedBlocks, ...report.changedBlocks],
      omitted: {
        count: previous.omitted.count + report.omitted.count,
        first: [...previous.omitted.first, ...report.omitted.first],
      },
    };
    this.isDone = report.nextBlock === null;
  }
}
