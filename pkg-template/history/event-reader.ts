// Reads the events of one iteration of a history.
import { createAbortError } from "../errors.js";
import { createBlockEvents } from "./block-events.js";
import type { HistoryEvent } from "./event.js";
import { Merge, type MergedBlock } from "./merge.js";
import { IterationSignal } from "./iteration-signal.js";
import { findBounds, type Selection } from "./params.js";
import type { HistoryClient, HistoryParams, HistoryReport } from "./public-types.js";
import { Recipients } from "./recipients.js";
import type { Bounds, Source } from "./source.js";
import { createSources } from "./sources.js";
import type { HistoryPosition } from "./position.js";

export class EventReader {
  readonly #client: HistoryClient;
  readonly #selection: Selection;
  readonly #params: HistoryParams;
  readonly #isAscending: boolean;
  readonly #recipients = new Recipients();
  /** Where the history continues, until its first block was read. */
  #resumed: HistoryPosition | null;
  #bounds: Bounds | undefined;
  /** Cancels the search for the bounds. */
  #boundsSignal: IterationSignal | undefined;
  #sources: Source[] = [];
  #merge: Merge | undefined;
  #block: MergedBlock | undefined;
  /** The events of the block, in the order of the history. */
  #events: readonly HistoryEvent[] = [];
  #index = 0;
  #delivered = 0;
  #isEnded = false;
  isClosed = false;
  /** After the last delivered event. Null at the beginning and at the end. */
  position: HistoryPosition | null;

  constructor(client: HistoryClient, selection: Selection, params: HistoryParams, resumed: HistoryPosition | null) {
    this.#client = client;
    this.#selection = selection;
    this.#params = params;
    this.#isAscending = params.order === "asc";
    this.#resumed = this.position = resumed;
  }

  get report(): HistoryReport | null {
    if (this.#bounds === undefined) return null;
    const sources = this.#sources.map(({ report }) => ({ ...report, reasons: [...report.reasons] }));
    const complete = this.#isEnded && sources.every(({ state }) => state === "complete");
    return { complete, events: this.#delivered, ...this.#bounds, sources };
  }

  /** Returns the next event, or null at the end. */
  async next(): Promise<HistoryEvent | null> {
    const { signal } = this.#selection;
    if (this.#isEnded) return null;
    if (signal?.aborted) throw createAbortError(signal as AbortSignal);
    this.#merge ??= this.#start();
    while (this.#index >= this.#events.length) {
      this.#block = (await this.#merge.next()) ?? undefined;
      if (this.#block === undefined) {
        this.#isEnded = true;
        this.position = null;
        return null;
      }
      this.#events = this.#createEvents(this.#block);
      this.#index = this.#findStart(this.#block);
    }
    return this.#deliver(this.#block as MergedBlock);
  }

  close(): void {
    this.isClosed = true;
    this.#boundsSignal?.close();
    this.#merge?.close();
  }

  #start(): Merge {
    const { from, to } = this.#params;
    const { address, kinds, signal } = this.#selection;
    const resumed = this.#resumed;
    const isAscending = this.#isAscending;
    this.#boundsSignal = new IterationSignal(signal);
    const found = resumed ? Promise.resolve(resumed.bounds) : findBounds(this.#client, from, to, this.#boundsSignal.signal);
    const bounds = found.then((bounds) => {
      this.#bounds = bounds;
      if (resumed === null) return bounds;
      return isAscending ? { from: resumed.block, to: bounds.to } : { from: bounds.from, to: resumed.block };
    });
    // The sources report a failure.
    bounds.catch(() => {});
    const context = { client: this.#client, address, isAscending, bounds, signal, recipients: this.#recipients };
    this.#sources = createSources(context, kinds, isAscending ? [] : (resumed?.starts ?? []));
    return new Merge(this.#sources, isAscending);
  }

  #createEvents({ drafts }: MergedBlock): HistoryEvent[] {
    const events = createBlockEvents(drafts, this.#recipients).filter(
      ({ suspicion }) => suspicion === null || !this.#selection.exclude.includes(suspicion),
    );
    events.forEach((event, position) => {
      event.position = position;
    });
    return this.#isAscending ? events : events.reverse();
  }

  /** Returns the index of the first event of a block that was not delivered before the history was resumed. */
  #findStart({ block }: MergedBlock): number {
    const resumed = this.#resumed;
    this.#resumed = null;
    if (resumed?.block !== block) return 0;
    const index = this.#events.findIndex(({ key }) => key === resumed.key);
    return index < 0 ? Math.min(resumed.count, this.#events.length) : index + 1;
  }

  #deliver({ block, starts }: MergedBlock): HistoryEvent {
    const event = this.#events[this.#index++] as HistoryEvent;
    this.#delivered += 1;
    this.position = { bounds: this.#bounds as Bounds, block, key: event.key, count: this.#index, starts };
    return event;
  }
}
