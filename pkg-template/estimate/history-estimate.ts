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
import { countAll, countAllTransfers, countRows, countStandard, countTransfers, TRANSFER_LIST } from "./counters.js";
import { type Chain, getOperation, getPrice, type Needs } from "./needs.js";
import { countPages, countWindows } from "./requests.js";
import type { SessionReader } from "./session-reader.js";
import { NOTHING, ONE, type Span, sum, UNKNOWN } from "./span.js";

/** A list that is read oldest first holds two parts. One with more pages is read a second time. */
const HELD_PAGES = 2 * PART_PAGES;
/** A list is read until it has an older record. */
const ONE_OLDER: Span = { min: 0, max: 1 };
/** What the instance has indexed. */
const ONE_STATEMENT: Chain = { requests: ONE, price: getPrice("indexingStatus") };

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
    chains: [createLookups(history), ONE_STATEMENT, ...needs.flatMap(({ chains }) => chains)],
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
  if (kind === "token_transfer") {
    const needs = await Promise.all(
      readers.map((source) =>
        isAscending
          ? estimateStandard(reader, history, blocks, source, all)
          : estimateTransfers(reader, history, blocks, name, all),
      ),
    );
    return { records: sum(...needs.map(({ records }) => records)), chains: needs.flatMap(({ chains }) => chains) };
  }
  const count = (startblock: number, endblock?: number) => countRows(reader, name, { address, startblock, endblock }, all.max);
  const records = blocks ? await count(blocks.from, blocks.to) : all;
  const chains = readers.map(async (source): Promise<Chain> => {
    if (!isList(source)) return createRange(history, source, records);
    const { min, max } = await countNewer(history, blocks, records, count);
    return createList(history, name, await countPages(reader, { min, max: Math.min(max, all.max) }, {}));
  });
  // Before `txList`: the type of the chain.
  const config = readers.some(([method]) => method === "txList") ? [{ requests: ONE, price: getPrice("backendConfig") }] : [];
  return { records, chains: [...config, ...(await Promise.all(chains))] };
}

function createRange({ setup }: HistoryReader, [method]: Reader, records: Span): Chain {
  return {
    requests: countWindows(records),
    concurrency: setup.concurrency ?? DEFAULT_CONCURRENCY,
    price: getPrice(method),
  };
}

function createList({ setup }: HistoryReader, name: string, pages: Span): Chain {
  const requests = setup.isAscending && pages.max > HELD_PAGES ? { ...pages, max: 2 * pages.max } : pages;
  return { requests, concurrency: 1, price: getPrice(name) };
}

/** Estimates the transfers of one standard in an ascending history. */
async function estimateStandard(
  reader: SessionReader,
  history: HistoryReader,
  blocks: BlockRange | null,
  source: Reader,
  all: Span,
): Promise<Needs> {
  const { address } = history.setup.selection;
  const [method, , standard = ""] = source;
  const merge = (records: Span) => (standard === "ERC-1155" ? mergeBatches(records) : records);
  if (!isList(source)) {
    const params = { address, startblock: blocks?.from, endblock: blocks?.to };
    const [rows = UNKNOWN] = await countTransfers(reader, [method], params, all.max);
    if (rows !== UNKNOWN) return { records: merge(rows), chains: [createRange(history, source, rows)] };
  }
  // A range that the service lacks is read from the list, after it was requested. That may need the version, too.
  const { records, requests } = await countStandard(reader, address, standard);
  const attempt: Chain = { requests: { min: 0, max: isList(source) ? 0 : 2 }, price: getPrice(method) };
  return {
    records: blocks ? { ...records, min: 0 } : merge(records),
    chains: [attempt, createList(history, TRANSFER_LIST, requests)],
  };
}

/** Estimates the transfers of a descending history. */
async function estimateTransfers(
  reader: SessionReader,
  history: HistoryReader,
  blocks: BlockRange | null,
  name: string,
  all: Span,
): Promise<Needs> {
  const { address } = history.setup.selection;
  const page = await reader.getFirstPage(name, { address_hash: address });
  if (page?.resumeToken === null) {
    const { length } = page.items;
    const batches = page.items.filter(({ token_type }) => token_type == null || token_type === "ERC-1155").length;
    const { min } = mergeBatches({ min: batches, max: batches });
    return { records: { min: blocks ? 0 : length - batches + min, max: length }, chains: [createList(history, name, ONE)] };
  }
  const count = (startblock?: number, endblock?: number) => countAllTransfers(reader, address, { startblock, endblock }, all.max);
  const { max } = await count(blocks?.from, blocks?.to);
  const newer = blocks && history.position === null ? await count(blocks.from) : { min: 0, max };
  const [batches = UNKNOWN] = await countTransfers(reader, ["token1155Tx"], { address }, all.max);
  const min = blocks ? 0 : Math.max(0, all.min - batches.max);
  const rows = sum({ min: blocks ? 0 : all.min, max: newer.max }, ONE_OLDER);
  return { records: { min, max }, chains: [createList(history, name, await countPages(reader, rows, {}))] };
}

/** A history sums the transfers of a batch that differ in their amounts only. */
function mergeBatches({ min, max }: Span): Span {
  return { min: Math.min(1, min), max };
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
