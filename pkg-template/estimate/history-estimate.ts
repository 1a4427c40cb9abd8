// What a history needs: the lookups of its blocks, and the lists and ranges that it is read from.
import type { CallPlan } from "../call.js";
import { findBounds } from "../history/block-lookup.js";
import type { HistoryKind } from "../history/event.js";
import type { HistoryReader } from "../history/history-reader.js";
import { createRequestOptions } from "../history/params.js";
import type { BlockRange } from "../history/position.js";
import { PART_PAGES } from "../history/reversed-list.js";
import { isList, LISTS, type Reader, selectReaders } from "../history/sources.js";
import { DEFAULT_CONCURRENCY } from "../limits.js";
import type { AbortSignalLike } from "../platform.js";
import { countListed } from "./call-estimate.js";
import { countAll, countRows } from "./counters.js";
import { type Chain, getOperation, getPrice, type Needs } from "./needs.js";
import { countPages, countWindows } from "./requests.js";
import type { SessionReader } from "./session-reader.js";
import { NOTHING, type Span, sum } from "./span.js";

/** A list that is read oldest first holds two parts. One with more pages is read a second time. */
const HELD_PAGES = 2 * PART_PAGES;
/** A list is read until it has an older record. */
const ONE_OLDER: Span = { min: 0, max: 1 };

/** Returns the plan of the list of a kind. */
export function planList({ setup }: HistoryReader, kind: HistoryKind): CallPlan {
  const list = setup.client[LISTS[kind][0]] as (params: object) => unknown;
  return (list.call(setup.client, { address_hash: setup.selection.address }) as { plan: CallPlan }).plan;
}

/** Returns what a history needs from the position of its reader to its end. */
export async function estimateHistory(
  reader: SessionReader,
  history: HistoryReader,
  signal: AbortSignalLike | undefined,
): Promise<Needs> {
  const { position, setup } = history;
  const { selection, isAscending } = setup;
  const blocks = await findBlocks(history, signal);
  if (blocks !== null && blocks.from > blocks.to) return { records: NOTHING, chains: [createLookups(history)] };
  const starts = [...(position?.starts ?? [])];
  const kinds = selection.kinds.map((kind) => {
    const readers = selectReaders(kind, isAscending);
    const ended = starts.splice(0, readers.length).map((start) => start === false);
    return estimateKind(
      reader,
      history,
      kind,
      blocks,
      readers.filter((_, index) => !ended[index]),
    );
  });
  const needs = await Promise.all(kinds);
  const records = sum(...needs.map(({ records }) => records));
  return {
    records: selection.exclude.length > 0 ? { ...records, min: 0 } : records,
    chains: [createLookups(history), ...needs.flatMap(({ chains }) => chains)],
  };
}

/** Finds the blocks that are left to read. Null: all. */
async function findBlocks({ position, setup }: HistoryReader, signal: AbortSignalLike | undefined): Promise<BlockRange | null> {
  const { client, isAscending, from, to } = setup;
  if (position !== null) return { ...position.bounds, [isAscending ? "from" : "to"]: position.block };
  if (from == null && to == null) return null;
  return findBounds(client, from ?? undefined, to ?? undefined, createRequestOptions(signal));
}

/** The lookups of the first and the last block. The list of blocks may be needed for the newest one. */
function createLookups({ position, setup }: HistoryReader): Chain {
  const min = position ? 0 : 1 + Number(typeof setup.from === "object" && setup.from !== null);
  return { requests: { min, max: position ? 0 : min + 1 }, price: getPrice("getBlockNoByTime") };
}

/** Returns what the readers of a kind need. */
async function estimateKind(
  reader: SessionReader,
  history: HistoryReader,
  kind: HistoryKind,
  blocks: BlockRange | null,
  readers: readonly Reader[],
): Promise<Needs> {
  const { isAscending, selection } = history.setup;
  const { address } = selection;
  const name = getOperation(planList(history, kind).name);
  const all = await countAll(reader, name, address);
  const count = (startblock: number, endblock?: number) => countRows(reader, name, { address, startblock, endblock }, all.max);
  const records = blocks ? await count(blocks.from, blocks.to) : all;
  const countRequests = async (source: Reader): Promise<Span> => {
    if (!isList(source)) return countWindows(kind === "token_transfer" ? { ...records, min: 0 } : records);
    const [, , standard] = source;
    const { max, min } = standard
      ? await countListed(reader, name, { address_hash: address, type: standard }, all)
      : await countNewer(history, blocks, records, count);
    const pages = await countPages(reader, { min, max: Math.min(max, all.max) }, {});
    return isAscending && pages.max > HELD_PAGES ? { ...pages, max: 2 * pages.max } : pages;
  };
  const chains = readers.map(async (source) => ({
    requests: await countRequests(source),
    concurrency: isList(source) ? 1 : (history.setup.concurrency ?? DEFAULT_CONCURRENCY),
    price: getPrice(isList(source) ? name : source[0]),
  }));
  return { records, chains: await Promise.all(chains) };
}

/** Returns how many records a list has from the newest one to the first block: it is read from there on. */
async function countNewer(
  { setup: { to, isAscending }, position }: HistoryReader,
  blocks: BlockRange | null,
  records: Span,
  count: (startblock: number) => Promise<Span>,
): Promise<Span> {
  if (blocks === null) return records;
  const isSkipping = to != null && (isAscending || position === null);
  return sum(records, ONE_OLDER, isSkipping ? await count(blocks.to + 1) : NOTHING);
}
