// `activities`: the events of each transaction as one record.
import { checkAddress, checkNames, createParameterError } from "../entry-support.js";
import { createActivity, type SourceEvent } from "./activity.js";
import type { Activity, ActivityCall, ActivityOptions, ActivityParams, EventSource } from "./activity-types.js";
import type { Suspicion } from "./event.js";
import { EventCall, type EventReader } from "./event-call.js";
import { history } from "./history.js";
import { parseSuspicions } from "./params.js";
import type { HistoryCall, HistoryClient, HistoryFilter, HistoryPlan } from "./public-types.js";

/**
 * Reads what an address did: the events of each transaction as one record that says what came of it, such as a swap. Block rewards,
 * withdrawals and transfers without a transaction are one record each.
 *
 * @remarks
 * Amounts are exact: `received` less `sent` and `fee` is the change of each balance. `ACTIVITY_RULES` decides the kind. What no rule knows
 * is a `contract_call`. If the report says that events are missing, such as internal transactions that are not indexed, kinds may be wrong,
 * too.
 *
 * It takes a client with the parameters of `history`, or a call of `history` or `mergeHistories`. Events that this call leaves out are
 * missing in the activities. An activity is delivered when the next one begins, and a token never continues within an activity. The
 * tokens are tokens of the history.
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
export function activities(client: HistoryClient, params: ActivityParams): ActivityCall & Pick<HistoryCall, "plan">;
export function activities<Source extends EventSource>(events: Source, options?: ActivityOptions): ActivityCall<Source["report"]>;
export function activities(first: HistoryClient | EventSource, params?: ActivityOptions): ActivityCall<unknown> {
  const { exclude, bridges, ...rest } = params ?? {};
  const isSource = first instanceof EventCall;
  const source = isSource ? first : history(first as HistoryClient, rest as ActivityParams);
  const wrap = (reader: EventReader<SourceEvent, unknown, unknown>) => {
    if (isSource) checkNames("option", rest, ["exclude", "bridges"]);
    if ("include" in rest)
      throw createParameterError("include", "cannot be chosen: the kind of an activity depends on all its events");
    for (const bridge of bridges ?? []) checkAddress("bridges", bridge);
    const hashes = (bridges ?? []).map((bridge) => bridge.toLowerCase());
    return new ActivityReader(reader, parseSuspicions(exclude), hashes);
  };
  return (source as EventCall<SourceEvent, unknown, unknown>).derive(wrap, ["activities", exclude, bridges]);
}

/** Groups the events of another reader. */
class ActivityReader implements EventReader<Activity, unknown, unknown> {
  readonly #reader: EventReader<SourceEvent, unknown, unknown>;
  readonly #exclude: readonly Suspicion[];
  readonly #bridges: readonly string[];
  /** The position after the last delivered activity. The other reader is further. */
  position: unknown;

  /** `bridges` are in lower case. */
  constructor(reader: EventReader<SourceEvent, unknown, unknown>, exclude: readonly Suspicion[], bridges: readonly string[]) {
    this.#reader = reader;
    this.#exclude = exclude;
    this.#bridges = bridges;
    this.position = reader.position;
  }

  get report(): unknown {
    return this.#reader.report;
  }

  plan(signal: HistoryFilter["signal"]): Promise<HistoryPlan> | undefined {
    return this.#reader.plan?.(signal);
  }

  async *read(signal: AbortSignal): AsyncGenerator<Activity, undefined, undefined> {
    const events = this.#reader.read(signal);
    let group: SourceEvent[] = [];
    /** The position after the group. */
    let position = this.position;
    for (;;) {
      // A failure is between two blocks, so the group is complete.
      const result = await events.next().catch((error: unknown) => ({ error }));
      const event = "error" in result || result.done ? undefined : result.value;
      if (group[0] === undefined || event === undefined || !isSameActivity(group[0], event)) {
        const complete = group;
        this.position = "error" in result ? this.#reader.position : position;
        group = [];
        const isLeftOut = complete.every(({ suspicion }) => suspicion !== null && this.#exclude.includes(suspicion));
        if (!isLeftOut) yield createActivity(complete, this.#bridges);
      }
      if ("error" in result) throw result.error;
      if (event === undefined) break;
      group.push(event);
      position = this.#reader.position;
    }
    this.position = this.#reader.position;
  }
}

function isSameActivity(a: SourceEvent, b: SourceEvent): boolean {
  return (
    a.transaction_hash !== null &&
    a.transaction_hash === b.transaction_hash &&
    a.account === b.account &&
    a.chain_id === b.chain_id
  );
}
