// `watch`: the events of an address as they arrive.
import { createFreshOptions, decodeToken, findBlock, findNewestBlock, type ResumeToken } from "../entry-support.js";
import { isAddressQueryError } from "../public.js";
import { checkBound } from "./block-lookup.js";
import type { HistoryEvent } from "./event.js";
import { type CallSetup, EventCall, type EventReader } from "./event-call.js";
import { history } from "./history.js";
import { KnownEvents, isWatchPosition, type WatchPosition } from "./known-events.js";
import { checkBlockOrTime, FILTER_NAMES, isIncluded, parseSelection, type Selection } from "./params.js";
import { Poller } from "./poller.js";
import type { HistoryCall, HistoryClient, HistoryReport, RemovedEvent, WatchCall, WatchParams } from "./public-types.js";

/** The operation of the resume tokens. */
const OPERATION = "watch";

/** If a poll has more new events than this, they are read oldest first, so that they need not all be held. */
const MAX_EVENTS_OF_POLL = 500;

/**
 * Delivers the events of an address as they arrive, oldest first within a poll. It never ends unless you stop it.
 *
 * @remarks
 * It polls about every 15 seconds, and at most once a minute while nothing happens or every two minutes while the page is hidden.
 * After failures that may be temporary, such as a lost connection, it continues. Other errors end it; their `resumeToken` continues.
 *
 * Each poll also reads the last blocks again: at least twelve, and all of the last two minutes. An event that the service adds
 * there later is also delivered. An event that is no longer there is reported as `{ kind: "removed", key }`; if its transaction
 * comes again in another block, so does the event. Changes of older blocks are not detected. With `exclude`, a removed key can
 * belong to an event that was left out.
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
 * @throws {AddressQueryError} `invalid_parameter` for a parameter that is unknown or invalid, such as a token of another chain: the
 * iteration rejects. `watch` itself never throws.
 */
export function watch(client: HistoryClient, params: WatchParams): WatchCall {
  return new EventCall(client, () => setUpWatch(client, params));
}

/** Checks the parameters of a watch. */
function setUpWatch(client: HistoryClient, params: WatchParams): CallSetup<HistoryEvent | RemovedEvent, WatchPosition> {
  const selection = parseSelection(client, params, [...FILTER_NAMES, "since"]);
  const { since } = params;
  const { address, kinds, exclude } = selection;
  const identity = [address, kinds, exclude].join(";");
  let token: ResumeToken<WatchPosition> | null = null;
  let start: number | Date | undefined;
  if (typeof since === "string") token = decodeToken(OPERATION, "since", since, isWatchPosition);
  else start = since;
  checkBlockOrTime("since", start);
  const createReader = (position: WatchPosition | null) => new WatchReader(client, selection, start, position);
  return { signal: selection.signal, operation: OPERATION, identity, token, createReader };
}

/** Reads the events of one iteration. */
class WatchReader implements EventReader<HistoryEvent | RemovedEvent, WatchPosition> {
  readonly #client: HistoryClient;
  readonly #selection: Selection;
  readonly #since: number | Date | undefined;
  #known: KnownEvents | undefined;
  report: HistoryReport | null = null;

  constructor(client: HistoryClient, selection: Selection, since: number | Date | undefined, resumed: WatchPosition | null) {
    this.#client = client;
    this.#selection = selection;
    this.#since = since;
    if (resumed !== null) this.#known = new KnownEvents(resumed);
  }

  get position(): WatchPosition | null {
    return this.#known?.position ?? null;
  }

  async *read(signal: AbortSignal): AsyncGenerator<HistoryEvent | RemovedEvent, undefined, undefined> {
    const poller = new Poller(signal);
    for (;;) {
      try {
        for await (const notice of this.#poll(signal)) {
          poller.hasNews = true;
          yield notice;
        }
      } catch (error) {
        // The next poll waits for an instance that has fallen far behind the known blocks. A `since` is checked before they are known.
        const isBehind = this.#known !== undefined && isAddressQueryError(error) && error.parameter === "from";
        if (!isBehind && !poller.canContinue(error)) throw error;
      }
      await poller.wait();
    }
  }

  /** Polls once. A notice counts as known when it is delivered. */
  async *#poll(signal: AbortSignal): AsyncGenerator<HistoryEvent | RemovedEvent, void, undefined> {
    const start = this.#known?.position.from ?? (await this.#findStart(signal));
    if (start === null) return;
    this.#known ??= new KnownEvents({ from: start, events: [] });
    const known = this.#known;
    const { from } = known.position;
    const { address, kinds } = this.#selection;
    const read = (order: "asc" | "desc", to?: number) =>
      history(this.#client, { address_hash: address, include: kinds, signal, order, from, to });

    // The suspicion depends on what a poll has read, so excluded events are tracked like the others.
    const { events, report } = await collect(read("desc"), MAX_EVENTS_OF_POLL);
    const isLong = events.length > MAX_EVENTS_OF_POLL;
    // In that case, not all known events are among the newest ones.
    const again = isLong ? await collect(read("desc", known.lastBlock)) : { events, report };
    for (const key of known.removeMissing(again.events, again.report)) yield { kind: "removed", key };
    if (known.hasUnlisted) {
      const rows = await collect(read("asc", known.lastBlock));
      for (const key of known.removeMissing(rows.events, rows.report, true)) yield { kind: "removed", key };
    }
    const listed = new Set(events.map(({ key }) => key));
    const rest = isLong ? read("asc", report.to) : undefined;
    for await (const event of rest ?? events.reverse()) {
      if (known.add(event, listed.has(event.key)) && isIncluded(this.#selection, event)) yield event;
      if (isLong) known.passed(event);
    }
    this.report = rest?.report ?? report;
    known.advance(report.to);
  }

  /** Returns the first block to watch. Null: there is no block yet after a time in the future. */
  async #findStart(signal: AbortSignal): Promise<number | null> {
    const since = this.#since;
    const options = createFreshOptions(signal);
    if (typeof since === "object" && since !== null) return findBlock(this.#client, "after", since, options);
    const { block } = await findNewestBlock(this.#client, options);
    const next = (block ?? -1) + 1;
    await checkBound(this.#client, "since", since, next, options);
    return since ?? next;
  }
}

/** Reads the events of a history up to the first one past `limit`. */
async function collect(call: HistoryCall, limit = Number.POSITIVE_INFINITY) {
  const events: HistoryEvent[] = [];
  for await (const event of call) {
    events.push(event);
    if (events.length > limit) break;
  }
  // Not null, because the iteration has started.
  return { events, report: call.report as HistoryReport };
}
