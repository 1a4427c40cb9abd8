// `watch`: the events of an address as they arrive.
import { createAbortError, isAddressQueryError } from "../errors.js";
import { Iteration } from "../iteration.js";
import type { HistoryEvent } from "./event.js";
import { history } from "./history.js";
import { IterationSignal } from "./iteration-signal.js";
import { KnownEvents, isWatchPosition, type WatchPosition } from "./known-events.js";
import { checkBlockOrTime, findBounds, parseSelection, type Selection } from "./params.js";
import { Poller } from "./poller.js";
import type { HistoryClient, HistoryReport, RemovedEvent, WatchCall, WatchParams } from "./public-types.js";
import { decodeToken, encodeToken } from "./token.js";

/** More new events than this are read oldest first, so that they need not be held at once. */
const MAX_EVENTS_OF_POLL = 500;

/**
 * Delivers the events of an address as they arrive: those of each poll oldest first. It never ends by itself.
 *
 * @remarks
 * It polls about every 15 seconds, and at most once a minute while nothing happens or every two minutes while the page is hidden.
 * After failures that may be temporary, such as a lost connection, it continues. Other errors end it; their `resumeToken` continues.
 *
 * Each poll also reads the last blocks again: at least twelve, and all of the last two minutes. An event that the service adds there
 * later is delivered, too. An event that is no longer there is reported as `{ kind: "removed", key }`; if its transaction comes again
 * in another block, so does the event. Changes of older blocks are not noticed. With `exclude`, a removed key can be one that was left
 * out.
 *
 * @example
 * ```ts
 * import { watch } from "address-query/history";
 *
 * for await (const event of watch(client, { address_hash })) {
 *   if (event.kind === "removed") console.log("removed", event.key);
 *   else console.log(event.timestamp, event.kind, event.direction, event.amount);
 * }
 * ```
 * @throws {AddressQueryError} `invalid_parameter` for a parameter that is unknown or invalid.
 */
export function watch(client: HistoryClient, params: WatchParams): WatchCall {
  return new AddressWatch(client, params);
}

class AddressWatch implements WatchCall {
  readonly #client: HistoryClient;
  readonly #selection: Selection;
  readonly #since: number | Date | undefined;
  readonly #identity: string;
  readonly #resumed: WatchPosition | null;
  #reader: WatchReader | undefined;

  constructor(client: HistoryClient, params: WatchParams) {
    this.#client = client;
    this.#selection = parseSelection(params, ["since"]);
    const { since } = params;
    const { address, kinds, exclude } = this.#selection;
    this.#identity = ["watch", address, kinds, exclude].join(";");
    const isToken = typeof since === "string";
    this.#resumed = isToken ? decodeToken(this.#identity, "since", since, isWatchPosition) : null;
    this.#since = isToken ? undefined : since;
    checkBlockOrTime("since", this.#since);
  }

  get resumeToken(): string | null {
    const position = this.#reader === undefined ? this.#resumed : this.#reader.position;
    return position && encodeToken(this.#identity, position);
  }

  [Symbol.asyncIterator](): AsyncIterableIterator<HistoryEvent | RemovedEvent> {
    const reader = new WatchReader(this.#client, this.#selection, this.#since, this.#resumed);
    this.#reader = reader;
    return new Iteration(reader, async () => {
      try {
        return { done: false, value: await reader.next() };
      } catch (error) {
        if (isAddressQueryError(error)) Object.assign(error, { resumeToken: this.resumeToken ?? undefined });
        throw error;
      }
    });
  }
}

/** Reads the events of one iteration. */
class WatchReader {
  readonly #client: HistoryClient;
  readonly #selection: Selection;
  readonly #since: number | Date | undefined;
  readonly #poller: Poller;
  #known: KnownEvents | undefined;
  #notices: AsyncIterator<HistoryEvent | RemovedEvent> | undefined;
  /** Cancels the requests of a poll. */
  #pollSignal: IterationSignal | undefined;
  isClosed = false;

  constructor(client: HistoryClient, selection: Selection, since: number | Date | undefined, resumed: WatchPosition | null) {
    this.#client = client;
    this.#selection = selection;
    this.#since = since;
    this.#poller = new Poller(selection.signal);
    if (resumed !== null) this.#known = new KnownEvents(resumed);
  }

  get position(): WatchPosition | null {
    return this.#known?.position ?? null;
  }

  /** Returns the next notice. Rejects if the watch is aborted. */
  async next(): Promise<HistoryEvent | RemovedEvent> {
    for (;;) {
      const { signal } = this.#selection;
      if (signal?.aborted) throw createAbortError(signal as AbortSignal);
      try {
        this.#notices ??= this.#poll();
        const { done, value } = await this.#notices.next();
        if (!done) {
          this.#poller.hasNews = true;
          return value;
        }
        this.#notices = undefined;
      } catch (error) {
        this.#notices = undefined;
        if (this.isClosed || !this.#poller.canContinue(error)) throw error;
      }
      if (this.isClosed) throw createAbortError(undefined);
      await this.#poller.wait();
    }
  }

  close(): void {
    this.isClosed = true;
    this.#poller.stop();
    this.#pollSignal?.close();
    void this.#notices?.return?.();
  }

  /** Polls once. A notice counts as known when the caller asks for the next one. */
  async *#poll(): AsyncGenerator<HistoryEvent | RemovedEvent, void, undefined> {
    this.#pollSignal ??= new IterationSignal(this.#selection.signal);
    this.#known ??= new KnownEvents({ from: await this.#findStart(this.#pollSignal), events: [] });
    const known = this.#known;
    const { from } = known.position;
    const newest = this.#read("desc", from);
    const events: HistoryEvent[] = [];
    for await (const event of newest) {
      events.push(event);
      if (events.length > MAX_EVENTS_OF_POLL) break;
    }
    // It is known, because the iteration has started.
    const report = newest.report as HistoryReport;
    if (events.length > MAX_EVENTS_OF_POLL) {
      for await (const event of this.#read("asc", from, report.to)) {
        if (known.add(event, false) && this.#isIncluded(event)) yield event;
        known.passed(event);
      }
    } else {
      for (const key of known.removeMissing(events, report)) {
        known.remove(key);
        yield { kind: "removed", key };
      }
      for (const event of events.reverse()) if (known.add(event, true) && this.#isIncluded(event)) yield event;
    }
    known.advance(report.to);
  }

  /** The suspicion depends on what a poll has read, so excluded events are known like the others. */
  #isIncluded({ suspicion }: HistoryEvent): boolean {
    return suspicion === null || !this.#selection.exclude.includes(suspicion);
  }

  #read(order: "asc" | "desc", from: number, to?: number) {
    const { address, kinds } = this.#selection;
    const signal = this.#pollSignal?.signal;
    return history(this.#client, { address_hash: address, include: kinds, signal, order, from, to });
  }

  /** Returns the first block to watch. */
  async #findStart({ signal }: IterationSignal): Promise<number> {
    const bounds = await findBounds(this.#client, this.#since, undefined, signal);
    // There is no block yet after a time in the future.
    return this.#since === undefined ? bounds.to + 1 : bounds.from;
  }
}
