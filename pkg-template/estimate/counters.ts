// How many records a list or a range of blocks has: from the counters of its address, and from requests for single rows.
import { MAX_ROWS } from "../limits.js";
import type { SessionReader } from "./session-reader.js";
import { NOTHING, type Span, sum, UNKNOWN } from "./span.js";

/** The short counters of `addressTabsCounters` end at this number, which means "more". */
const MAX_SHORT = 51;
/** How exactly rows are counted: a closer number is not worth the requests. */
const TOLERANCE = 500;
const RELATIVE_TOLERANCE = 1 / 8;

/** The counter of a list or range, and the actions that together have its records. */
interface Counted {
  counter: string;
  actions?: readonly string[];
  /** The parameters without which the actions lack records of the list. */
  params?: object;
}

const ADDRESS = "/api/v2/addresses/{address_hash}/";
const TRANSACTIONS: Counted = { counter: "transactions_count", actions: ["txList"] };
const INTERNAL: Counted = { counter: "internal_transactions_count", actions: ["txListInternal"] };
const TRANSFER_ACTIONS = ["tokenTx", "tokenNftTx", "token1155Tx", "token404Tx"];
const TRANSFERS: Counted = { counter: "token_transfers_count", actions: TRANSFER_ACTIONS };

/** By the path or the name of a call. */
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

/** Returns how many records of an address a list or range has without filters. */
export async function countAll(reader: SessionReader, name: string, address: unknown): Promise<Span> {
  const counter = COUNTED[name]?.counter;
  if (counter === undefined || typeof address !== "string") return UNKNOWN;
  const short = (await reader.getShortCounters(address))[counter] ?? null;
  if (short !== null && short < MAX_SHORT) return { min: short, max: short };
  const min = Math.max(short ?? 0, Number((await reader.getCounters(address))[counter] ?? 0));
  // A long counter that is not computed yet is 0.
  if (min > (short ?? 0)) return { min, max: min };
  const rows = await countRows(reader, name, { address }, Number.POSITIVE_INFINITY);
  return { min: Math.max(min, rows.min), max: Math.max(min, rows.max) };
}

/**
 * Returns how many of at most `limit` records of a list or range the actions with these parameters have. Where no action has the records,
 * and past 10,000 rows of one, any number up to `limit` is possible.
 */
export async function countRows(reader: SessionReader, name: string, params: object, limit: number): Promise<Span> {
  const { actions = [], params: required } = COUNTED[name] ?? {};
  const tolerance = Math.max(TOLERANCE, Math.min(limit, MAX_ROWS) * RELATIVE_TOLERANCE);
  let rows = NOTHING;
  for (const action of actions) {
    const row = (number: number) => reader.hasRow(action, { ...params, ...required }, number);
    rows = sum(rows, await findLastRow(row, limit - rows.min, tolerance));
  }
  return actions.length === 0 ? { min: 0, max: limit } : { min: rows.min, max: Math.min(rows.max, limit) };
}

/** Searches for the last of at most `limit` rows. */
async function findLastRow(hasRow: (number: number) => Promise<boolean | null>, limit: number, tolerance: number): Promise<Span> {
  let [min, max] = [0, limit];
  while (max - min > tolerance && min < MAX_ROWS) {
    const middle = Math.min(MAX_ROWS, Math.ceil((min + max) / 2));
    const exists = await hasRow(middle);
    if (exists === null) break;
    if (exists) min = middle;
    else max = middle - 1;
  }
  return { min, max };
}
