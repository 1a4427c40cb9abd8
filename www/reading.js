// One range of records read whole, without the page: its totals over every stop and resume, and the newest rows of it.
// All other rows are let go of as soon as they were counted.

export class Reading {
  #action;
  #params;
  #kept;
  #token = null;
  #past = { windows: 0, requests: 0, incompleteBlocks: [], unprocessed: [], changedBlocks: [] };

  records = 0;
  milliseconds = 0;
  isDone = false;
  /** The newest rows, at most `kept` of them, in the order of reading. */
  newest = [];
  /** The report of all parts together; null before the first window. */
  report = null;

  /** `action` such as `client.account.txList`. */
  constructor(action, params, kept) {
    this.#action = action;
    this.#params = params;
    this.#kept = kept;
  }

  /** Reads on to the end, from where the last run stopped; `told` hears after each window and may take its time. */
  async run(signal, told) {
    const call = this.#action.all(this.#params, { signal, resume: this.#token ?? undefined });
    let since = performance.now();
    const tick = () => {
      const now = performance.now();
      this.milliseconds += now - since;
      since = now;
    };
    try {
      for await (const rows of call.windows()) {
        this.#take(rows);
        this.#token = call.resumeToken;
        this.#merge(call.report);
        tick();
        await told();
      }
      if (call.report) this.#merge(call.report);
      this.isDone = true;
    } catch (error) {
      if (!this.isDone) throw error; // stopped behind the last window: nothing is missing
    } finally {
      tick();
      if (this.report) this.#past = this.report;
    }
  }

  #take(rows) {
    this.records += rows.length;
    if (this.#params.sort === "asc") this.newest = [...this.newest, ...rows.slice(-this.#kept)].slice(-this.#kept);
    else if (this.newest.length < this.#kept) this.newest = [...this.newest, ...rows].slice(0, this.#kept);
  }

  /** The package counts from where a reading was resumed; the visitor from its beginning. */
  #merge(report) {
    const past = this.#past;
    this.report = {
      windows: past.windows + report.windows,
      requests: past.requests + report.requests,
      nextBlock: report.nextBlock,
      incompleteBlocks: [...past.incompleteBlocks, ...report.incompleteBlocks],
      unprocessed: [...past.unprocessed, ...report.unprocessed],
      changedBlocks: [...past.changedBlocks, ...report.changedBlocks],
    };
    this.isDone = report.nextBlock === null;
  }
}
