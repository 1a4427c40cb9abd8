// `watch`: the events of an address as they arrive.
import {
  checkNames,
  createFreshOptions,
  createParameterError,
  decodeToken,
  findBlock,
  findNewestBlock,
  type ResumeToken,
} from "../entry-support.js";
import { isAddressQueryError } from "../public.js";
import { checkBound } from "./block-lookup.js";
import type { HistoryEvent, HistoryKind } from "./event.js";
import { type CallSetup, EventCall, type EventReader } from "./event-call.js";
import { createHistory } from "./history.js";
import { KnownEvents, isWatchPosition, type WatchPosition } from "./known-events.js";
import { createGatewayProtocol, createInstanceProtocol } from "./live-protocol.js";
import { type HintSocket, shareSocket } from "./live-socket.js";
import { checkBlockOrTime, FILTER_NAMES, isIncluded, parseSelection, type Selection } from "./params.js";
import { INTERVAL_MS, MAX_INTERVAL_MS, Poller } from "./poller.js";
import type {
  HistoryCall,
  HistoryClient,
  HistoryReport,
  LiveOptions,
  RemovedEvent,
  WatchCall,
  WatchParams,
  WatchReport,
  WatchState,
  WatchStatus,
  WebSocketClass,
} from "./public-types.js";

/** The operation of the resume tokens. */
const OPERATION = "watch";

/** The kinds that the service announces. */
const ANNOUNCED_KINDS: readonly HistoryKind[] = ["transaction", "token_transfer"];
/** If a poll has more new events than this, they are read oldest first, so that they need not all be held. */
const MAX_EVENTS_OF_POLL = 500;

/**
 * Delivers the events of an address as they arrive, oldest first within a poll. It never ends unless you stop it.
 *
 * @remarks
 * It polls about every 15 seconds, and at most once a minute while nothing happens or every two minutes while the page is hidden.
 * After failures that may be temporary, such as a lost connection, it continues. Other errors end it; their `resumeToken` continues.
 *
 * At an instance, it also opens a socket. Events of the socket are only reasons to poll now, so that a lost, repeated or forged one
 * never changes the result. While the socket is proven to work, transactions and token transfers arrive within seconds, and polls for
 * them are five minutes apart. An event that is removed without a new one is then reported up to five minutes later. All watches of a
 * page share one socket, which closes while the page is hidden. Without a working socket, the watch only polls.
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
function setUpWatch(
  client: HistoryClient,
  params: WatchParams,
): CallSetup<HistoryEvent | RemovedEvent, WatchPosition, WatchReport> {
  const selection = parseSelection(client, params, [...FILTER_NAMES, "since", "live", "pollMs", "onState"]);
  const { since } = params;
  const updates = parseUpdates(params);
  const { address, kinds, exclude } = selection;
  const identity = [address, kinds, exclude].join(";");
  const decode = (token: string) => decodeToken(OPERATION, "since", token, isWatchPosition);
  let token: ResumeToken<WatchPosition> | null = null;
  let start: number | Date | undefined;
  if (typeof since === "string") token = decode(since);
  else start = since;
  checkBlockOrTime("since", start);
  const createReader = (position: WatchPosition | null) => new WatchReader(client, selection, updates, start, position);
  return { signal: selection.signal, operation: OPERATION, identity, token, decode, createReader };
}

/** The checked parameters of the updates of a watch. */
interface Updates extends Pick<WatchParams, "onState"> {
  /** Null: the default of the service. */
  live: LiveOptions | false | null;
  pollMs: number;
}

function parseUpdates({ live, pollMs = INTERVAL_MS, onState }: WatchParams): Updates {
  const options = live === true ? {} : (live ?? null);
  if (typeof (options || {}) !== "object") throw createParameterError("live", "must be a boolean or an object");
  if (options) checkNames("option", options, ["WebSocket", "apiKey"]);
  if (!Number.isFinite(pollMs) || pollMs < 1_000 || pollMs > MAX_INTERVAL_MS) {
    throw createParameterError("pollMs", "must be from 1000 to 60000");
  }
  if (typeof (onState ?? parseUpdates) !== "function") throw createParameterError("onState", "must be a function");
  return { live: options, pollMs, onState };
}

/** Reads the events of one iteration. */
class WatchReader implements EventReader<HistoryEvent | RemovedEvent, WatchPosition, WatchReport> {
  readonly #client: HistoryClient;
  readonly #selection: Selection;
  readonly #updates: Updates;
  readonly #since: number | Date | undefined;
  /** The kinds that the service does not announce. */
  readonly #unannounced: readonly HistoryKind[];
  #known: KnownEvents | undefined;
  #report: HistoryReport | null = null;
  #poller: Poller | undefined;
  #socket: HintSocket | undefined;
  #state: WatchState | undefined;

  constructor(
    client: HistoryClient,
    selection: Selection,
    updates: Updates,
    since: number | Date | undefined,
    resumed: WatchPosition | null,
  ) {
    this.#client = client;
    this.#selection = selection;
    this.#updates = updates;
    this.#since = since;
    this.#unannounced = selection.kinds.filter((kind) => !ANNOUNCED_KINDS.includes(kind));
    if (resumed !== null) this.#known = new KnownEvents(resumed);
  }

  get position(): WatchPosition | null {
    return this.#known?.position ?? null;
  }

  get report(): WatchReport | null {
    return this.#report && { ...this.#report, ...this.#getStatus() };
  }

  async *read(signal: AbortSignal): AsyncGenerator<HistoryEvent | RemovedEvent, undefined, undefined> {
    const poller = new Poller(signal, this.#updates.pollMs, this.#unannounced.length === 0);
    this.#poller = poller;
    await this.#openSocket(poller, signal);
    for (let isComplete = true; ; isComplete = await poller.wait(isComplete)) {
      try {
        isComplete ||= await this.#hasUnannounced(signal);
        if (isComplete) {
          for await (const notice of this.#poll(signal)) {
            poller.hasNews = true;
            yield notice;
          }
        }
        poller.hasFailed = false;
      } catch (error) {
        // The next poll waits for an instance that has fallen far behind the known blocks. A `since` is checked before they are known.
        const isBehind = this.#known !== undefined && isAddressQueryError(error) && error.parameter === "from";
        if (!isBehind && !poller.canContinue(error)) throw error;
      }
      this.#emitState();
    }
  }

  /** Opens the socket that announces events, unless there is none. */
  async #openSocket(poller: Poller, signal: AbortSignal): Promise<void> {
    const { live } = this.#updates;
    const client = this.#client;
    const baseUrl = await client.baseUrl();
    // Only base URLs of the gateway end with the id of a chain.
    const isGateway = /\/\d+$/.test(baseUrl);
    if (live === false || (live === null && isGateway)) return;
    const { apiKey, WebSocket = (globalThis as { WebSocket?: WebSocketClass }).WebSocket } = live ?? {};
    if (isGateway && !apiKey)
      throw createParameterError("live", "must be { apiKey } at the gateway, which charges for the socket");
    if (!WebSocket || signal.aborted) return;
    const protocol = isGateway && apiKey ? createGatewayProtocol(baseUrl, apiKey) : createInstanceProtocol(baseUrl);
    const canSpend = (credits: number) =>
      credits + client.credits.spent <= (client.limits.maxCredits ?? Number.POSITIVE_INFINITY);
    this.#socket = shareSocket(WebSocket, protocol, canSpend);
    poller.listen(this.#socket, this.#selection.address, () => this.#emitState());
  }

  /** Reads the kinds that the service does not announce. Returns whether a complete poll would have news. */
  async #hasUnannounced(signal: AbortSignal): Promise<boolean> {
    const known = this.#known;
    if (known === undefined) return true;
    const { address } = this.#selection;
    const params = { address_hash: address, include: this.#unannounced, signal, from: known.position.from };
    const call = createHistory(this.#client, params, false);
    const { events } = await collect(call);
    return events.some((event) => !known.has(event));
  }

  #getStatus(): WatchStatus {
    const isLive = this.#poller?.isLive;
    const isOffline = globalThis.navigator?.onLine === false;
    const hasFailed = this.#poller?.hasFailed;
    const state = isOffline ? "offline" : hasFailed ? "retrying" : isLive ? "live" : "polling";
    const kinds: WatchStatus["kinds"] = {};
    for (const kind of this.#selection.kinds) {
      kinds[kind] = isOffline || hasFailed ? "stale" : isLive && ANNOUNCED_KINDS.includes(kind) ? "live" : "polled";
    }
    return { state, kinds, credits: this.#socket?.credits ?? 0 };
  }

  #emitState(): void {
    const { onState } = this.#updates;
    const status = this.#getStatus();
    if (status.state === this.#state) return;
    this.#state = status.state;
    // An exception of the callback is reported as an unhandled rejection, and does not end the watch.
    if (onState) void Promise.resolve(status).then(onState);
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
      createHistory(this.#client, { address_hash: address, include: kinds, signal, order, from, to }, false);

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
      if (known.add(event, listed.has(event.key))) {
        // The service does not announce the creation of an address to it.
        if (ANNOUNCED_KINDS.includes(event.kind) && (event.record as { to?: unknown }).to) this.#poller?.checkAnnounced();
        if (isIncluded(this.#selection, event)) yield event;
      }
      if (isLong) known.passed(event);
    }
    this.#report = rest?.report ?? report;
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
