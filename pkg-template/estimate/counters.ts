// How many records a list or a range of blocks has: from the counters of its address, and from requests for single rows.
import { DEFAULT_PAGE_SIZE, MAX_ROWS } from "../entry-support.js";
import type { AnyListPlan, ClientReader, FirstPage } from "./client-reader.js";
import { NOTHING, type Span, sum, UNKNOWN } from "./needs.js";

/** The short counters of `addressTabsCounters` end at this number, which means "more". */
const MAX_SHORT = 51;
/** How exactly rows are counted: a closer number is not worth the requests. */
const TOLERANCE = 500;
const RELATIVE_TOLERANCE = 1 / 8;
/** The rows of the first request for an action of transfers. Most addresses have fewer, so that their number is known then. */
const FIRST_ROWS = 100;
const MAX_STANDARD_PAGES = 5;

/** The counter of a list or range, and the actions that together have its records. */
interface Counted {
  counter: string;
  actions?: readonly string[];
  /** The parameters without which the actions lack records of the list. */
  params?: object;
}

/** The beginning of the paths of the lists of an address. */
export const ADDRESS = "/api/v2/addresses/{address_hash}/";
const TRANSACTIONS: Counted = { counter: "transactions_count", actions: ["txList"] };
const INTERNAL: Counted = { counter: "internal_transactions_count", actions: ["txListInternal"] };
const TRANSFER_ACTIONS = ["tokenTx", "tokenNftTx", "token1155Tx", "token404Tx"];
const TRANSFERS: Counted = { counter: "token_transfers_count", actions: TRANSFER_ACTIONS };

/** By operation. */
const COUNTED: Readonly<Record<string, Counted>> = {
  [`${ADDRESS}transactions`]: TRANSACTIONS,
  [`${ADDRESS}internal-transactions`]: { ...INTERNAL, params: { include_zero_value: true } },
  [`${ADDRESS}token-transfers`]: TRANSFERS,
  [`${ADDRESS}blocks-validated`]: { counter: "validations_count" },
  [`${ADDRESS}logs`]: { counter: "logs_count" },
  [`${ADDRESS}tokens`]: { counter: "token_balances_count" },
  [`${ADDRESS}withdrawals`]: { counter: "withdrawals_count" },
  [`${ADDRESS}beacon/deposits`]: { counter: "beacon_deposits_count" },
  [`${ADDRESS}celo/election-rewards`]: { counter: "celo_election_rewards_count" },
  txList: TRANSACTIONS,
  txListInternal: INTERNAL,
  ...Object.fromEntries(TRANSFER_ACTIONS.map((action) => [action, { ...TRANSFERS, actions: [action] }])),
};

/** Lists from which an instance can hide the records of tokens that it rates as a scam. Their pages are then shorter, or empty. */
export const TRANSFER_LIST = `${ADDRESS}token-transfers`;
const HIDING_LISTS: readonly string[] = [TRANSFER_LIST, ...["tokens", "nft", "nft/collections"].map((list) => ADDRESS + list)];

/** Returns how many records of an address a list or range has without filters. Hidden ones do not count. */
export async function countAll(reader: ClientReader, operation: string, address: unknown): Promise<Span> {
  const counter = COUNTED[operation]?.counter;
  if (counter === undefined || typeof address !== "string") return UNKNOWN;
  const short = await reader.getCounter("addressTabsCounters", address, counter);
  if (short !== null && short < MAX_SHORT) return { min: short, max: short };
  const min = Math.max(short ?? 0, (await reader.getCounter("addressCounters", address, counter)) ?? 0);
  // A long counter that is not computed yet is 0.
  if (min > (short ?? 0)) return { min, max: min };
  const rows = await countRows(reader, operation, { address }, Number.POSITIVE_INFINITY);
  return { min: Math.max(min, rows.min), max: Math.max(min, rows.max) };
}

/**
 * Returns how many records of a list or range the actions with these parameters have. Where no action has the records, and past 10,000
 * rows of one, any number up to `limit` is possible. The limit does not hold for transfers: instances hide some of them in lists, and
 * count a batch as one.
 */
export async function countRows(reader: ClientReader, operation: string, params: object, limit: number): Promise<Span> {
  const { actions = [], params: required } = COUNTED[operation] ?? {};
  if (actions.length === 0) return { min: 0, max: limit };
  if (TRANSFER_ACTIONS.includes(actions[0] as string)) return sum(...(await countTransfers(reader, actions, params, limit)));
  const [action] = actions as [string];
  return findLastRow(reader, action, { ...params, ...required }, { min: 0, max: limit }, limit);
}

/** Returns how many rows each action for transfers has. About `expected` are expected of all of them. */
export async function countTransfers(
  reader: ClientReader,
  actions: readonly string[],
  params: object,
  expected: number,
): Promise<Span[]> {
  const counts = await Promise.all(actions.map((action) => reader.countFirstRows(action, params, FIRST_ROWS)));
  const others = counts.reduce<number>((total, count) => total + (count ?? 0), 0) - FIRST_ROWS;
  return Promise.all(
    counts.map(async (count, index) => {
      if (count === null) return UNKNOWN;
      if (count < FIRST_ROWS) return { min: count, max: count };
      const known = { min: count, max: Number.POSITIVE_INFINITY };
      return findLastRow(reader, actions[index] as string, params, known, expected, expected - others + 1);
    }),
  );
}

/** Searches for the last row of an action, which is within a span. The search begins at `first`. */
async function findLastRow(
  reader: ClientReader,
  action: string,
  params: object,
  known: Span,
  expected: number,
  first = Number.POSITIVE_INFINITY,
): Promise<Span> {
  const tolerance = Math.max(TOLERANCE, Math.min(expected, MAX_ROWS) * RELATIVE_TOLERANCE);
  let { min, max } = known;
  for (let next = Math.min(first, Math.ceil((min + max) / 2)); max - min > tolerance && min < MAX_ROWS; ) {
    const row = Math.min(MAX_ROWS, Math.max(min + 1, next));
    const exists = await reader.hasRow(action, params, row);
    if (exists === null) break;
    if (exists) min = row;
    else max = row - 1;
    next = Math.ceil((min + max) / 2);
  }
  return { min, max };
}

/** The number of records of a list. */
export interface Listed {
  /** The records that it delivers. */
  records: Span;
  /** The records that it delivers or that the service hides. */
  rows: Span;
  /** The first page. Null: the service does not have the list. */
  page: FirstPage | null;
}

/** Counts the records of a list. If its first page is the only one, there are no others. */
export async function countListed(reader: ClientReader, plan: AnyListPlan, isFiltered: boolean): Promise<Listed> {
  const page = await reader.getFirstPage(plan);
  const min = page?.items.length ?? 0;
  if (page?.resumeToken === null)
    return { records: { min, max: min }, rows: { min, max: Math.max(min, DEFAULT_PAGE_SIZE) }, page };
  const { operation, params } = plan;
  const { address_hash } = params;
  const all = await countAll(reader, operation, address_hash);
  const counted = isFiltered
    ? { min, max: Math.max(min, all.max) }
    : { min: Math.max(min, all.min), max: Math.max(min, all.max) };
  if (!HIDING_LISTS.includes(operation)) return { records: counted, rows: counted, page };
  const max =
    operation === TRANSFER_LIST ? (await countAllTransfers(reader, address_hash as string, {}, all.max)).max : UNKNOWN.max;
  return {
    records: operation === TRANSFER_LIST ? { ...counted, max: Math.max(min, max) } : counted,
    rows: { ...counted, max },
    page,
  };
}

/** Counts the transfers of an address within blocks, also those that the service hides, and those that no action has. */
export async function countAllTransfers(
  reader: ClientReader,
  address: string,
  blocks: { startblock?: number | undefined; endblock?: number | undefined },
  expected: number,
): Promise<Span> {
  const rows = await countTransfers(reader, TRANSFER_ACTIONS, { address, ...blocks }, expected);
  return sum(...rows, (await countStandard(reader, address, "ERC-7984")).records);
}

/** Counts the transfers of one standard, and the requests of their list. Nothing but the pages counts them, so at most five are read. */
export async function countStandard(
  reader: ClientReader,
  address_hash: string,
  type: string,
): Promise<Record<"records" | "requests", Span>> {
  let page = await reader.getTransfers({ address_hash, type });
  // A version without the standard refuses the list. The version may be requested to explain that.
  if (page === null) return { records: NOTHING, requests: { min: 0, max: 2 } };
  let min = page.items.length;
  let pages = 1;
  while (page?.resumeToken != null && pages < MAX_STANDARD_PAGES) {
    page = await reader.getTransfers({ address_hash, type }, { resume: page.resumeToken });
    min += page?.items.length ?? 0;
    pages += 1;
  }
  if (page?.resumeToken !== null) return { records: { ...UNKNOWN, min }, requests: { ...UNKNOWN, min: 1 } };
  return { records: { min, max: min }, requests: { min: 1, max: pages === 1 ? 1 : pages + 1 } };
}
