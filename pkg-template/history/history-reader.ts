// Reads the events of one iteration of a history.
import { createBlockEvents } from "./block-events.js";
import { findBounds } from "./block-lookup.js";
import type { HistoryEvent } from "./event.js";
import type { EventReader } from "./event-call.js";
import { type MergedBlock, mergeBlocks } from "./merge.js";
import { createRequestOptions, isIncluded, type Selection } from "./params.js";
import type { Bounds, HistoryPosition } from "./position.js";
import type { HistoryClient, HistoryParams, HistoryReport } from "./public-types.js";
import { Recipients } from "./recipients.js";
import { sumOmitted } from "../omitted.js";
import type { Source } from "./source.js";
import { createSources } from "./sources.js";

/** What a history reads. */
export interface HistorySetup extends Pick<HistoryParams, "from" | "to" | "concurrency"> {
  client: HistoryClient;
  selection: Selection;
  isAscending: boolean;
}

export class HistoryReader implements EventReader<HistoryEvent, HistoryPosition> {
  readonly setup: HistorySetup;
  readonly #recipients = new Recipients();
  #bounds: Bounds | undefined;
  #sources: Source[] = [];
  #delivered = 0;
  #isEnded = false;
  position: HistoryPosition | null;

  constructor(setup: HistorySetup, resumed: HistoryPosition | null) {
    this.setup = setup;
    this.position = resumed;
  }

  get report(): HistoryReport | null {
    if (this.#bounds === undefined) return null;
    const sources = this.#sources.map(({ report }) => ({
      ...report,
      reasons: [...report.reasons],
      omitted: sumOmitted(report.omitted),
    }));
    const complete = this.#isEnded && sources.every(({ state }) => state === "complete");
    const omitted = sumOmitted(...sources.map(({ omitted }) => omitted));
    return { complete, events: this.#delivered, ...this.#bounds, sources, omitted };
  }

  async *read(signal: AbortSignal): AsyncGenerator<HistoryEvent, undefined, undefined> {
    const resumed = this.position;
    try {
      for await (const { block, drafts } of mergeBlocks(this.#openSources(signal), this.setup.isAscending)) {
        const events = this.#createEvents(drafts);
        const starts = this.#sources.map(({ start }) => start);
        let count = resumed?.block === block ? findEnd(events, resumed) : 0;
        for (const event of events.slice(count)) {
          count += 1;
          this.#delivered += 1;
          this.position = { bounds: this.#bounds as Bounds, block, key: event.key, count, starts };
          yield event;
        }
      }
      this.#isEnded = true;
      this.position = null;
    } catch (error) {
      this.#skipRead();
      throw error;
    }
  }

  #openSources(signal: AbortSignal): Source[] {
    const { client, selection, isAscending, from, to, concurrency } = this.setup;
    const { address, kinds } = selection;
    const options = createRequestOptions(signal);
    const resumed = this.position;
    const found = resumed ? Promise.resolve(resumed.bounds) : findBounds(client, from ?? undefined, to ?? undefined, options);
    const bounds = found.then((bounds) => {
      this.#bounds = bounds;
      if (resumed === null) return bounds;
      return isAscending ? { ...bounds, from: resumed.block } : { ...bounds, to: resumed.block };
    });
    // The sources report a failure.
    bounds.catch(() => {});
    const context = { client, address, isAscending, bounds, options, concurrency, recipients: this.#recipients };
    this.#sources = createSources(context, kinds, resumed?.starts ?? []);
    return this.#sources;
  }

  /** Creates the events of a block, in the order of the history. */
  #createEvents(drafts: MergedBlock["drafts"]): HistoryEvent[] {
    const { selection, isAscending } = this.setup;
    const events = createBlockEvents(drafts, this.#recipients).filter((event) => isIncluded(selection, event));
    events.forEach((event, position) => {
      event.position = position;
    });
    return isAscending ? events : events.reverse();
  }

  /** After a failure: the pages that were read since the last event are not read again. There may be many before the first event. */
  #skipRead(): void {
    if (this.#bounds === undefined) return;
    const bounds = this.#bounds;
    const position = this.position ?? { bounds, block: this.setup.isAscending ? bounds.from : bounds.to, key: "", count: 0 };
    this.position = { ...position, starts: this.#sources.map(({ start }) => start) };
  }
}

/** Returns how many events of a block were delivered before the history was resumed. */
function findEnd(events: readonly HistoryEvent[], { key, count }: HistoryPosition): number {
  const index = events.findIndex((event) => event.key === key);
  return index < 0 ? Math.min(count, events.length) : index + 1;
}
