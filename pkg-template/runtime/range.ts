// The result of `all()`: every record of a range of blocks, with a report of how complete it is.
import { captureArguments, type CallArguments } from "./arguments.js";
import { ModuleCall, createPlan, type PageSource } from "./module-call.js";
import type { CallPlan } from "./call-plan.js";
import { type Collected, collectItems, iterateItems, iteratePages } from "./iteration.js";
import type { BatchState, RangeReport } from "./objects.js";
import { rangeOptions } from "./option-table.js";
import type { RangeOptions } from "./options.js";
import { PageFetcher } from "./page-fetcher.js";
import type { Session } from "./session.js";

/** Parameters of `all()`: the action's parameters without `page`, `offset` and `txhash`. An address or a token is required. */
export type RangeParams<Params> = Omit<Params, "page" | "offset" | "txhash">;

/** The result of `all()`: a range of blocks to iterate over or to collect. Nothing is sent before that. */
export interface RangeCall<Row> extends AsyncIterable<Row> {
  /** Iterates over the rows. `next()` may be called several times at once. `break` and `return()` cancel the request in flight. */
  [Symbol.asyncIterator](): AsyncIterableIterator<Row>;
  /** Iterates over the windows of blocks. Each is delivered when it is complete: an array of at most 10,000 rows. */
  windows(): AsyncIterableIterator<Row[]>;
  /**
   * Collects at most `limit` rows.
   *
   * @throws {AddressQueryError} The rows that were collected before the failure are in its `partial`.
   */
  toArray(options: { limit: number }): Promise<Collected<Row>>;
  /** The progress, and how complete the delivered rows are. Updated with each batch of rows. Null before the first batch. */
  readonly report: RangeReport | null;
  /** Continues after the last batch whose rows were all delivered: pass it as `resume`. Null at the beginning and at the end. */
  readonly resumeToken: string | null;
  /**
   * Returns the plan of the call. Sends nothing.
   *
   * @throws {AddressQueryError} `invalid_parameter` for an invalid option.
   */
  plan(): CallPlan;
}

/**
 * A batch of the rows of a window. The WebAssembly module delivers a window in batches while its response arrives.
 * @internal
 */
export interface RowBatch<Row> extends BatchState {
  /** Null at the end of the range. */
  items: Row[] | null;
}

/** @internal */
export class BlockRangeCall<Row> implements RangeCall<Row> {
  #session: Session;
  #name: string;
  #call: CallArguments<RangeOptions>;
  /** Fetches the batches of the latest iteration. */
  #fetcher: PageFetcher<RowBatch<Row>> | undefined;
  #report: RangeReport | null = null;

  constructor(session: Session, name: string, params: object | undefined, options: RangeOptions | undefined) {
    this.#session = session;
    this.#name = name;
    this.#call = captureArguments(params, options, rangeOptions);
  }

  plan(): CallPlan {
    return createPlan(this.#session, this.#name, this.#call);
  }

  get report(): RangeReport | null {
    return this.#report;
  }

  get resumeToken(): string | null {
    return this.#fetcher ? this.#fetcher.resumeToken : this.#call.resumeToken;
  }

  [Symbol.asyncIterator](): AsyncIterableIterator<Row> {
    return iterateItems(this.#createFetcher(this.#createCall()), this.#call.resumeToken);
  }

  windows(): AsyncIterableIterator<Row[]> {
    return iteratePages(this.#createFetcher(new Windows(this.#createCall())), ({ items }) => items);
  }

  async toArray(options: { limit: number }): Promise<Collected<Row>> {
    return collectItems(options?.limit, this.#createFetcher(this.#createCall()));
  }

  #createCall(): ModuleCall<RowBatch<Row>> {
    return new ModuleCall(this.#session, this.#name, this.#call, true);
  }

  /** The report covers the delivered rows only: prefetched rows may still be lost if the call is aborted. */
  #createFetcher(source: PageSource<RowBatch<Row>>): PageFetcher<RowBatch<Row>> {
    let requests = 0;
    const onBatch = ({ report, isPartial }: RowBatch<Row>) => {
      this.#report = report;
      if (isPartial) return;
      // The end of the range takes no extra request, unless a short response had to be checked.
      const hasNewRequest = report.requests > requests;
      requests = report.requests;
      if (hasNewRequest) this.#call.options.onProgress?.(report);
    };
    this.#fetcher = new PageFetcher(this.#call, source, onBatch);
    return this.#fetcher;
  }
}

/** Joins the batches of each window. If a response breaks off, the batches received so far form a separate window. */
class Windows<Row> implements PageSource<RowBatch<Row>> {
  #batches: ModuleCall<RowBatch<Row>>;
  /** The first batch of the next window, if it was read already. */
  #nextBatch: RowBatch<Row> | undefined;
  /** The error of a broken-off response. It is thrown after the window of the received batches. */
  #failure: { error: unknown } | undefined;

  constructor(batches: ModuleCall<RowBatch<Row>>) {
    this.#batches = batches;
  }

  async next(): Promise<RowBatch<Row>> {
    if (this.#failure !== undefined) throw this.#failure.error;
    let last = this.#nextBatch ?? (await this.#batches.next());
    this.#nextBatch = undefined;
    // Only the end of the range has no items, and it is never partial.
    const items = last.items as Row[];
    while (last.isPartial) {
      try {
        const batch = await this.#batches.next();
        // The previous response broke off.
        if (!batch.continuesWindow) {
          this.#nextBatch = batch;
          break;
        }
        for (const item of batch.items as Row[]) items.push(item);
        last = batch;
      } catch (error) {
        if (this.#batches.isEnded) throw error;
        this.#failure = { error };
        break;
      }
    }
    return { ...last, items, isPartial: false };
  }

  get isOpen(): boolean {
    return this.#batches.isOpen;
  }

  close(): void {
    this.#batches.close();
  }
}
