// `activitySpan`: the first and the last activity of an address, without its history.
import { createFreshOptions } from "../entry-support.js";
import type { AddressQueryError, InternalTransactions, Page, Rows } from "../public.js";
import { toNullIfUnstated } from "./block-lookup.js";
import type { HistoryEvent } from "./event.js";
import { KINDS, parseSelection } from "./params.js";
import type { HistoryClient } from "./public-types.js";
import { isUnverified } from "./source.js";
import { isList, LISTS, type Reader, selectReaders } from "./sources.js";
import type { ActivitySpan, SpanEvent, SpanParams, SpanSource } from "./span-types.js";

const MAX_REQUESTS = 12;

/** A page of a list, or the rows of an action of the account interface. */
type Records = Page<unknown, unknown, Partial<InternalTransactions>> & Partial<Rows<unknown>>;
type Methods = Readonly<Record<string, (params: object, options: object) => Promise<Records>>>;

/**
 * Finds the first and the last activity of an address in at most 12 requests, without retries: the newest page of each list, and the
 * oldest row of each action of the account interface.
 *
 * @remarks
 * The service lists withdrawals, block rewards and ERC-7984 transfers newest first only. If they fill more than one page, their start
 * is not known: then `sources` says so, `complete` is false, and `first` is the oldest event that was found.
 *
 * Transfers that the instance hides from its lists, such as transfers of scam tokens, count for `first` but not for `last`. If the
 * address has several events in the first or last block, any of them may be returned.
 *
 * @example
 * ```ts
 * import { activitySpan } from "address-query/history";
 *
 * const { first, last, complete } = await activitySpan(client, { address_hash });
 * console.log(complete ? "since" : "since or before", first?.timestamp, "until", last?.timestamp);
 * ```
 * @throws {AddressQueryError} `invalid_parameter` for a parameter that is unknown or invalid, and every failure of the lists of
 * transactions, internal transactions and transfers. Any other failure is thrown only if it may be temporary: otherwise it is among
 * the `reasons` of a source.
 */
export async function activitySpan(client: HistoryClient, params: SpanParams): Promise<ActivitySpan> {
  const { address, signal } = parseSelection(client, params, ["address_hash", "signal"]);
  const options = createFreshOptions(signal);
  let requests = 1;

  /**
   * Adds the events of a list's newest page, or of an action's oldest row. Returns whether there are more pages. `onRefusal` says what
   * to do with a failure that is not temporary.
   */
  const read = async (source: SpanSource, reader: Reader, onRefusal: "throw" | "report" | "ignore"): Promise<boolean> => {
    const [method, createDraft, type] = reader;
    requests += 1;
    const include_zero_value = method === "txListInternal" || null;
    const row = { address, sort: "asc", page: 1, offset: 1, include_zero_value };
    const [owner, query] = isList(reader) ? [client, { address_hash: address, type }] : [client.account, row];
    try {
      const records = await ((owner as unknown as Methods)[method] as Methods[string]).call(owner, query, options);
      for (const item of records.items) {
        const draft = createDraft(item as never, address, type as never);
        if (draft !== null) addEvent(source, draft.event);
      }
      const { count } = records.omitted;
      const message = records.message ?? records.meta?.message ?? (count > 0 ? `${count} records were omitted` : null);
      if (message !== null) source.reasons.push(`${method}: ${message}`);
      return records.resumeToken != null;
    } catch (error) {
      if (onRefusal === "throw") throw error;
      toNullIfUnstated(error as AddressQueryError);
      // The client has requested the version of the instance to explain the refusal.
      requests += 1;
      if (onRefusal === "report") source.reasons.push(`${method}: ${(error as AddressQueryError).message}`);
      return false;
    }
  };

  const status = client.indexingStatus({}, options).catch(toNullIfUnstated);
  const lists = KINDS.map(async (kind) => {
    const source: SpanSource = { kind, first: null, last: null, reasons: [] };
    // Not every chain has rewards and withdrawals.
    const readers = selectReaders(kind, true);
    const hasMore = await read(source, LISTS[kind], readers[0] === LISTS[kind] ? "report" : "throw");
    if (hasMore && source.last === null) source.reasons.push(`${LISTS[kind][0]}: its newest page has only pending records`);
    // The list may hide transfers that the actions have.
    return { source, hasMore, readers: readers.filter((reader) => hasMore || (kind === "token_transfer" && !isList(reader))) };
  });
  const [indexing, ...newest] = await Promise.all([status, ...lists]);
  await Promise.all(
    newest.map(async ({ source, hasMore, readers }) => {
      const { kind, reasons } = source;
      // If the list is whole, an action that the instance refuses could only have hidden transfers.
      const onRefusal = hasMore ? "report" : "ignore";
      // One after another: then an instance that lacks several actions is asked for its version once.
      for (const reader of readers) {
        const [method, , standard = kind] = reader;
        const isAsked = reader !== LISTS[kind] && requests < MAX_REQUESTS;
        const isUnknown = isAsked ? await read(source, reader, onRefusal) : hasMore;
        if (isUnknown) reasons.push(`${method}: the first ${standard} is not known`);
      }
    }),
  );
  const sources = newest.map(({ source }) => source);
  for (const { kind, first, reasons } of sources)
    if (isUnverified(kind, indexing, first !== null)) reasons.push("the instance does not state that it has indexed all blocks");
  const [first = null] = sources.flatMap((source) => source.first ?? []).sort((a, b) => a.block_number - b.block_number);
  const [last = null] = sources.flatMap((source) => source.last ?? []).sort((a, b) => b.block_number - a.block_number);
  return { first, last, complete: sources.every(({ reasons }) => reasons.length === 0), sources };
}

/** Extends a source by an event. Of one block, the events are added newest first. */
function addEvent(source: SpanSource, { timestamp, block_number, transaction_hash }: HistoryEvent): void {
  const event: SpanEvent = { timestamp, block_number, transaction_hash, source: source.kind };
  if (source.first === null || block_number <= source.first.block_number) source.first = event;
  if (source.last === null || block_number > source.last.block_number) source.last = event;
}
