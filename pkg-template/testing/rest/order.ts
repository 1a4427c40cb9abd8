// The orders of lists, with keyset pagination: a page begins after the row whose values are in the cursor.

import type { Chain } from "../ledger/chain.js";
import type { TransferRow } from "../ledger/rows.js";
import { anyInteger, blockNumber, hash, type Parser, type Parsers } from "./parameters.js";

// biome-ignore lint/suspicious/noExplicitAny: the values of a request and of a row, by name
export type Cursor = Record<string, any>;
type Sortable = string | number | bigint | null;
type Comparator = (left: object, right: object) => number;

/** The order of a list, and where its pages begin. */
export interface Order<Row> {
  readonly compare: Comparator;
  readonly cursor: Parsers;
  findStart(rows: readonly Row[], query: Cursor, chain: Chain): number;
  /** Makes the cursor after a page, which is not empty. `nextRow` is the first row of the next page. */
  makeCursor(page: readonly Row[], nextRow: Row, query: Cursor, chain: Chain): Cursor;
}

export interface Column<Name> {
  readonly name: Name;
  readonly sign: 1 | -1;
  /** The parser of its value in the cursor. Undefined: the cursor does not have it. */
  readonly parser: Parser<unknown> | undefined;
  /** Converts a value into one that `<` can compare. */
  readonly rank: (value: Sortable) => Sortable;
}

const createColumn =
  (sign: 1 | -1) =>
  <Name extends string>(
    name: Name,
    parser?: Parser<unknown>,
    rank: (value: Sortable) => Sortable = (value) => value,
  ): Column<Name> => ({ name, sign, parser, rank });
export const asc = createColumn(1);
export const desc = createColumn(-1);

/** Creates a function that compares by these columns. Null sorts before every other value. */
function createComparator(columns: readonly Column<string>[]): Comparator {
  return (left: Cursor, right: Cursor) => {
    for (const { name, sign, rank } of columns) {
      const [a, b] = [rank(left[name]), rank(right[name])];
      if (a !== b) return a === null || (b !== null && a < b) ? -sign : sign;
    }
    return 0;
  };
}

/** Finds the first of the sorted rows that comes after the cursor; returns its index. */
function findFirstAfter(rows: readonly object[], cursor: object, compare: Comparator): number {
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (compare(rows[middle] as object, cursor) > 0) high = middle;
    else low = middle + 1;
  }
  return low;
}

const pick = (row: Cursor, names: readonly string[]): Cursor => Object.fromEntries(names.map((name) => [name, row[name]]));

/** Creates an order. The cursor has the columns with a parser, or the keys of `cursor`. A cursor that lacks a key is ignored. */
export function by<Row extends object>(
  columns: readonly Column<keyof Row & string>[],
  cursor: Parsers = Object.fromEntries(columns.flatMap(({ name, parser }) => (parser ? [[name, parser]] : []))),
): Order<Row> {
  const compare = createComparator(columns);
  const keys = Object.keys(cursor);
  return {
    compare,
    cursor,
    findStart: (rows, query) => (keys.every((name) => query[name] !== undefined) ? findFirstAfter(rows, query, compare) : 0),
    makeCursor: (page) => pick(page.at(-1) ?? {}, keys),
  };
}

const LOG_KEYS = ["block_number", "index"];
const LOG_ORDER = LOG_KEYS.map((name) => desc(name));
const compareLogs = createComparator(LOG_ORDER);

/** The hashes that identify a log in a cursor. */
const getHashes = (chain: Chain, { block_number, transaction_index }: TransferRow) => ({
  batch_block_hash: chain.getBlockHash(block_number),
  batch_transaction_hash: chain.getTransactionHash(block_number, transaction_index),
});

/**
 * The order of token transfers. One log can move many token ids, and a page can end inside such a log.
 *
 * A cursor names the last log that was sent completely, as `block_number` and `index`. If the page ended inside a log, the
 * cursor also names that log and the last position in it (`batch_*`, `index_in_batch`). The complete log is missing if no
 * page so far had one.
 */
export const BY_TRANSFER: Order<TransferRow> = {
  compare: createComparator([...LOG_ORDER, asc("index_in_batch")]),
  cursor: {
    block_number: blockNumber,
    index: anyInteger,
    batch_log_index: anyInteger,
    batch_block_hash: hash,
    batch_transaction_hash: hash,
    index_in_batch: anyInteger,
  },
  findStart(rows, query, chain) {
    const { block_number, index, index_in_batch = Number.NaN } = query;
    let start =
      block_number === undefined || index === undefined ? 0 : findFirstAfter(rows, { block_number, index }, compareLogs);
    const log = rows[start];
    if (!log || query.batch_log_index !== log.index) return start;
    if (Object.entries(getHashes(chain, log)).some(([name, hash]) => query[name] !== hash)) return start;
    const isSent = (row: TransferRow | undefined) => row && compareLogs(row, log) === 0 && row.index_in_batch <= index_in_batch;
    while (isSent(rows[start])) start += 1;
    return start;
  },
  makeCursor(page, nextRow, query, chain) {
    const last = page.at(-1) ?? nextRow;
    if (compareLogs(last, nextRow) !== 0) return pick(last, LOG_KEYS);
    const lastComplete = page.filter((row) => compareLogs(row, last) !== 0).at(-1) ?? query;
    return {
      ...(lastComplete.index === undefined ? {} : pick(lastComplete, LOG_KEYS)),
      ...getHashes(chain, last),
      batch_log_index: last.index,
      index_in_batch: last.index_in_batch,
    };
  },
};
