// `activities`: the events of each transaction as one record.
import { checkAddress, checkNames, createParameterError, Iteration } from "../entry-support.js";
import { isAddressQueryError } from "../public.js";
import { createActivity } from "./activity.js";
import type {
  Activity,
  ActivityCall,
  ActivityOptions,
  ActivityParams,
  ClientActivityCall,
  EventSource,
} from "./activity-types.js";
import type { HistoryEvent, Suspicion } from "./event.js";
import { history } from "./history.js";
import { parseSuspicions } from "./params.js";
import type { HistoryCall, HistoryClient } from "./public-types.js";

/** An event, with its account in a merged history. */
type SourceEvent = HistoryEvent & Pick<Activity, "account" | "chain_id">;

/** The checked options. */
interface ActivitySelection {
  exclude: readonly Suspicion[];
  /** In lower case. */
  bridges: readonly string[];
}

/** A source with positions that it encodes on demand. A token takes long to encode, and each event has another one. */
interface PositionedSource extends EventSource {
  readonly position: unknown;
  encodePosition(position: unknown): string | null;
}

/**
 * Reads what an address did: the events of each transaction as one record that says what came of it, such as a swap. Block rewards,
 * withdrawals and transfers without a transaction are one record each.
 *
 * @remarks
 * Amounts are exact: `received` less `sent` and `fee` is the change of each balance. `ACTIVITY_RULES` decides the kind. What no rule knows
 * is a `contract_call`. If the report says that events are missing, such as internal transactions that are not indexed, kinds may be wrong,
 * too.
 *
 * It takes a client with the parameters of `history`, or events: a call of `history` or of another function that delivers events in the
 * order of a history. Events that their source leaves out are missing in the activities. An iteration ends and fails like its history.
 * An activity is delivered when the next one begins, and a token never continues within an activity.
 *
 * Ratings of scam tokens, names, and tags of bridges are known only with `order: "desc"`.
 *
 * @example
 * ```ts
 * import { activities } from "address-query/history";
 *
 * for await (const activity of activities(client, { address_hash })) {
 *   console.log(activity.timestamp, activity.kind, activity.sent, activity.received, activity.fee);
 * }
 * ```
 * @throws {AddressQueryError} `invalid_parameter` for a parameter that is unknown or invalid: the iteration rejects. `activities` itself
 * never throws.
 */
export function activities(client: HistoryClient, params: ActivityParams): ClientActivityCall;
export function activities<Source extends EventSource>(events: Source, options?: ActivityOptions): ActivityCall<Source["report"]>;
export function activities(first: HistoryClient | EventSource, params?: ActivityOptions): ActivityCall<unknown> {
  const { exclude, bridges, ...rest } = params ?? {};
  const isSource = Symbol.asyncIterator in Object(first);
  const source = isSource ? (first as EventSource) : history(first as HistoryClient, rest as ActivityParams);
  return new Grouping(source, () => {
    if (isSource) checkNames("option", rest, ["exclude", "bridges"]);
    if ("include" in rest)
      throw createParameterError("include", "cannot be chosen: the kind of an activity depends on all its events");
    for (const bridge of bridges ?? []) checkAddress("bridges", bridge);
    return { exclude: parseSuspicions(exclude), bridges: (bridges ?? []).map((bridge) => bridge.toLowerCase()) };
  });
}

/** Implements `ActivityCall` over a source. */
class Grouping implements ActivityCall<unknown> {
  readonly #source: EventSource;
  readonly #check: () => ActivitySelection;
  /** The position of the source after the last delivered activity. Undefined before the iteration. */
  #position: unknown;

  /** `check` checks the options, and throws for an invalid one. */
  constructor(source: EventSource, check: () => ActivitySelection) {
    this.#source = source;
    this.#check = check;
  }

  get resumeToken(): string | null {
    const position = this.#position === undefined ? getPosition(this.#source) : this.#position;
    return isPositioned(this.#source) ? this.#source.encodePosition(position) : (position as string | null);
  }

  get report(): unknown {
    return this.#source.report;
  }

  plan(options: Parameters<HistoryCall["plan"]>[0]): ReturnType<HistoryCall["plan"]> | undefined {
    return (this.#source as Partial<HistoryCall>).plan?.(options);
  }

  [Symbol.asyncIterator](): AsyncIterableIterator<Activity> {
    const source = this.#source;
    let selection: ActivitySelection;
    let events: AsyncIterator<SourceEvent> | undefined;
    /** The events of the next activity, and the position of the source after them. */
    let group: SourceEvent[] = [];
    let position: unknown;
    let end: { error?: unknown } | undefined;
    const pages = {
      isClosed: false,
      close() {
        pages.isClosed = true;
        // Does not wait, because the source may be waiting for an event.
        (async () => events?.return?.())().catch(() => {});
      },
    };
    const readEvent = async (): Promise<SourceEvent | undefined> => {
      try {
        if (events === undefined) {
          selection = this.#check();
          events = source[Symbol.asyncIterator]();
          this.#position = getPosition(source);
        }
        const { done, value } = await events.next();
        if (!done) return value;
        end = {};
      } catch (error) {
        // Any other failure is between two transactions.
        const isWithin = isAddressQueryError(error) && error.code === "aborted" && group.length > 0;
        if (isWithin) throw Object.assign(error, { resumeToken: this.resumeToken ?? undefined });
        end = { error };
      }
      return undefined;
    };
    return new Iteration(pages, async () => {
      for (;;) {
        const event = end ? undefined : await readEvent();
        if (event && (group[0] === undefined || isSameActivity(group[0], event))) {
          group.push(event);
          position = getPosition(source);
          continue;
        }
        const complete = group;
        this.#position = end ? getPosition(source) : position;
        group = event ? [event] : [];
        position = getPosition(source);
        if (!complete.every(({ suspicion }) => suspicion && selection.exclude.includes(suspicion)))
          return { done: false, value: createActivity(complete, selection.bridges) };
        if (end && "error" in end) throw end.error;
        if (end) return { done: true, value: undefined };
      }
    });
  }
}

function isPositioned(source: EventSource): source is PositionedSource {
  return "encodePosition" in source;
}

/** Returns the position, or the token of a source that has no positions. */
function getPosition(source: EventSource): unknown {
  return isPositioned(source) ? source.position : source.resumeToken;
}

function isSameActivity(a: SourceEvent, b: SourceEvent): boolean {
  return (
    a.transaction_hash !== null &&
    a.transaction_hash === b.transaction_hash &&
    a.account === b.account &&
    a.chain_id === b.chain_id
  );
}
