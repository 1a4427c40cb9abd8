// Reads all records of a block range, and can be stopped and resumed. No DOM.
// It keeps totals and the newest rows only, so that memory use stays small however many records there are.

export class RangeReader {
  #method;
  #params;
  #maxRows;
  #resumeToken = null;
  /** The report of all finished runs. */
  #previousReport = { windows: 0, requests: 0, incompleteBlocks: [], unprocessed: [], changedBlocks: [] };

  recordCount = 0;
  /** Time spent reading, without the time between two runs. */
  elapsedMs = 0;
  isDone = false;
  /** The newest rows, at most `maxRows`, in reading order. */
  newestRows = [];
  /** The merged report of all runs; null before the first window of blocks is read. */
  report = null;

  /** `method` is a method of the account module, such as `client.account.txList`. */
  constructor(method, params, maxRows) {
    this.#method = method;
    this.#params = params;
    this.#maxRows = maxRows;
  }

  /** Reads to the end of the range, starting where the previous run stopped. Awaits `onProgress` after each window. */
  async run(signal, onProgress) {
    const iteration = this.#method.all(this.#params, { signal, resume: this.#resumeToken ?? undefined });
    let lastTime = performance.now();
    const updateElapsedTime = () => {
      const now = performance.now();
      this.elapsedMs += now - lastTime;
      lastTime = now;
    };
    try {
      for await (const rows of iteration.windows()) {
        this.#addRows(rows);
        this.#resumeToken = iteration.resumeToken;
        this.#mergeReport(iteration.report);
        updateElapsedTime();
        await onProgress();
      }
      if (iteration.report) this.#mergeReport(iteration.report);
      this.isDone = true;
    } catch (error) {
      if (!this.isDone) throw error; // an abort after the last window loses nothing
    } finally {
      updateElapsedTime();
      if (this.report) this.#previousReport = this.report;
    }
  }

  #addRows(rows) {
    this.recordCount += rows.length;
    const isAscending = this.#params.sort === "asc";
    if (isAscending) this.newestRows = [...this.newestRows, ...rows.slice(-this.#maxRows)].slice(-this.#maxRows);
    else if (this.newestRows.length < this.#maxRows) {
      this.newestRows = [...this.newestRows, ...rows].slice(0, this.#maxRows);
    }
  }

  /** Adds the report of this run to those before it: the package starts a new report when it resumes. */
  #mergeReport(report) {
    const previous = this.#previousReport;
    this.report = {
      windows: previous.windows + report.windows,
      requests: previous.requests + report.requests,
      nextBlock: report.nextBlock,
      incompleteBlocks: [...previous.incompleteBlocks, ...report.incompleteBlocks],
      unprocessed: [...previous.unprocessed, ...report.unprocessed],
      changedBlocks: [...previous.changedBlocks, ...report.changedBlocks],
    };
    this.isDone = report.nextBlock === null;
  }
}
