// Estimates a history: the lookups of its blocks, and the lists and ranges that it reads.
import type { HistoryKind, HistoryPlan, HistoryRead } from "../history/index.js";
import type { ClientReader } from "./client-reader.js";
import { ADDRESS, countAll, countAllTransfers, countRows, countStandard, countTransfers, TRANSFER_LIST } from "./counters.js";
import { getPrice, type Needs, NOTHING, ONE, type RequestChain, type Span, sum, UNKNOWN } from "./needs.js";
import { countPages, createListChain, createRangeChain } from "./requests.js";

/** The lists of all kinds. */
const LISTS: Readonly<Record<HistoryKind, string>> = {
  transaction: `${ADDRESS}transactions`,
  internal_transaction: `${ADDRESS}internal-transactions`,
  token_transfer: TRANSFER_LIST,
  withdrawal: `${ADDRESS}withdrawals`,
  block_reward: `${ADDRESS}blocks-validated`,
};
const DAY_MS = 86_400_000;
/** A list is read until it has an older record. */
const ONE_OLDER: Span = { min: 0, max: 1 };
/** The requests for the indexing status, and at the end for the last block, which is not requested if it is old. */
const STATEMENTS: RequestChain = { requests: { min: 1, max: 2 }, price: getPrice("indexingStatus") };

/** Estimates a history from its start to its end. */
export async function estimateHistory(reader: ClientReader, plan: HistoryPlan): Promise<Needs> {
  const { blocks, params } = plan;
  if (blocks !== null && blocks.from > blocks.to) return { records: NOTHING, chains: [createLookups(plan)] };
  const needs = await Promise.all(params.include.map((kind) => estimateKind(reader, plan, kind)));
  const records = sum(...needs.map(({ records }) => records));
  return {
    records: params.exclude.length > 0 ? { ...records, min: 0 } : records,
    chains: [createLookups(plan), STATEMENTS, ...needs.flatMap(({ chains }) => chains), ...createPriceChains(plan, records.max)],
  };
}

/** The requests for prices: the chart, and at most one transaction for each event and each day. */
function createPriceChains({ prices, params: { from, to } }: HistoryPlan, events: number): RequestChain[] {
  if (prices === undefined) return [];
  const isTime = (bound: unknown) => typeof bound === "object" && bound !== null;
  const days = isTime(from) ? (Number(isTime(to) ? to : Date.now()) - Number(from)) / DAY_MS + 2 : events;
  return [
    { requests: { min: 0, max: 1 }, price: getPrice("marketChart") },
    { requests: { min: 0, max: prices.requests ? Math.min(events, Math.floor(days)) : 0 }, price: getPrice("transaction") },
  ];
}

/** The lookups of the first and the last block. Two requests may be needed for the last one: the list of blocks, and a lookup by time. */
function createLookups({ isResumed, params: { from } }: HistoryPlan): RequestChain {
  const min = isResumed ? 0 : 1 + Number(typeof from === "object" && from !== null);
  return { requests: { min, max: isResumed ? 0 : min + 1 }, price: getPrice("getBlockNoByTime") };
}

/** Whether a method is a list, not a range. */
const isList = ({ method }: HistoryRead): boolean => method.startsWith("address");

/** Estimates the lists and ranges of a kind. */
async function estimateKind(reader: ClientReader, plan: HistoryPlan, kind: HistoryKind): Promise<Needs> {
  const { blocks, params } = plan;
  const address = params.address_hash;
  const reads = plan.reads.filter((read) => read.kind === kind);
  const list = LISTS[kind];
  const all = await countAll(reader, list, address);
  if (kind === "token_transfer") {
    const isAscending = params.order === "asc";
    const needs = await Promise.all(
      reads.map((read) => (isAscending ? estimateStandard(reader, plan, read, all) : estimateTransfers(reader, plan, all))),
    );
    return { records: sum(...needs.map(({ records }) => records)), chains: needs.flatMap(({ chains }) => chains) };
  }
  const count = (startblock: number, endblock?: number) => countRows(reader, list, { address, startblock, endblock }, all.max);
  const records = blocks ? await count(blocks.from, blocks.to) : all;
  const chains = reads.map(async (read): Promise<RequestChain> => {
    if (!isList(read)) return createRangeChain(read.method, records, params.concurrency);
    const { min, max } = await countNewer(plan, records, count);
    return createListChain(list, await countPages(reader, { min, max: Math.min(max, all.max) }, {}), params.order);
  });
  // Before `txList`: the type of the chain.
  const config = reads.some(({ method }) => method === "txList") ? [{ requests: ONE, price: getPrice("backendConfig") }] : [];
  return { records, chains: [...config, ...(await Promise.all(chains))] };
}

/** Estimates the transfers of one standard in an ascending history. */
async function estimateStandard(reader: ClientReader, plan: HistoryPlan, read: HistoryRead, all: Span): Promise<Needs> {
  const { blocks, params } = plan;
  const { method, standard = "" } = read;
  const address = params.address_hash;
  const merge = (records: Span) => (standard === "ERC-1155" ? mergeBatches(records) : records);
  if (!isList(read)) {
    const range = { address, startblock: blocks?.from, endblock: blocks?.to };
    const [rows = UNKNOWN] = await countTransfers(reader, [method], range, all.max);
    if (rows !== UNKNOWN) return { records: merge(rows), chains: [createRangeChain(method, rows, params.concurrency)] };
  }
  // If the service lacks the range, its request fails and the list is read instead. That may take a request for the version, too.
  const { records, requests } = await countStandard(reader, address, standard);
  const attempt: RequestChain = { requests: { min: 0, max: isList(read) ? 0 : 2 }, price: getPrice(method) };
  return {
    records: blocks ? { ...records, min: 0 } : merge(records),
    chains: [attempt, createListChain(TRANSFER_LIST, requests, params.order)],
  };
}

/** Estimates the transfers of a descending history. */
async function estimateTransfers(reader: ClientReader, plan: HistoryPlan, all: Span): Promise<Needs> {
  const { blocks, isResumed, params } = plan;
  const { address_hash } = params;
  const page = await reader.getTransfers({ address_hash });
  if (page?.resumeToken === null) {
    const { length } = page.items;
    const batches = page.items.filter(({ token_type }) => token_type == null || token_type === "ERC-1155").length;
    const { min } = mergeBatches({ min: batches, max: batches });
    const records = { min: blocks ? 0 : length - batches + min, max: length };
    return { records, chains: [createListChain(TRANSFER_LIST, ONE, params.order)] };
  }
  const count = (startblock?: number, endblock?: number) =>
    countAllTransfers(reader, address_hash, { startblock, endblock }, all.max);
  const { max } = await count(blocks?.from, blocks?.to);
  const newer = blocks && !isResumed ? await count(blocks.from) : { min: 0, max };
  const [batches = UNKNOWN] = await countTransfers(reader, ["token1155Tx"], { address: address_hash }, all.max);
  const min = blocks ? 0 : Math.max(0, all.min - batches.max);
  const rows = sum({ min: blocks ? 0 : all.min, max: newer.max }, ONE_OLDER);
  return { records: { min, max }, chains: [createListChain(TRANSFER_LIST, await countPages(reader, rows, {}), params.order)] };
}

/** A history sums the transfers of a batch that differ in their amounts only. */
function mergeBatches({ min, max }: Span): Span {
  return { min: Math.min(1, min), max };
}

/** Returns how many records a list has from the newest one to the first block: it is read from there on. */
async function countNewer(
  { blocks, isResumed, params }: HistoryPlan,
  records: Span,
  count: (startblock: number) => Promise<Span>,
): Promise<Span> {
  if (blocks === null) return records;
  const isSkipping = params.to != null && (params.order === "asc" || !isResumed);
  return sum(records, ONE_OLDER, isSkipping ? await count(blocks.to + 1) : NOTHING);
}
