// Keyset pagination: a page begins after the row whose values are in the cursor, not after a number of rows.

import type { TransactionPosition, TransferRow } from "../ledger/rows.js";
import type { RestQuery } from "./rest-query.js";

/** A value to sort by. */
type Sortable = string | number | bigint | null;

/** The values of a row or of a cursor by name. */
type Position = Readonly<Record<string, unknown>>;

export type Cursor = Record<string, unknown>;

/** Compares two rows, or a row and a cursor. */
export type Comparator = (left: object, right: object) => number;

export interface BatchHashes {
  readonly batch_block_hash: string;
  readonly batch_transaction_hash: string;
}

/** Gets the hashes that identify a log in a cursor. */
export type GetBatchHashes = (row: TransactionPosition) => BatchHashes;

/** The order of a list, and where its pages begin. */
export interface Pagination<Row> {
  readonly compare: Comparator;
  /** Returns the index of the first row of a page. */
  findStart(rows: readonly Row[], query: RestQuery, getBatchHashes: GetBatchHashes): number;
  /** Makes the cursor after a page, which is not empty. `nextRow` is the first row of the next page. */
  makeCursor(page: readonly Row[], nextRow: Row, query: RestQuery, getBatchHashes: GetBatchHashes): Cursor;
}

/** A column to sort by. `rank` converts a value into one that `<` can compare. */
interface Column<Name extends string> {
  readonly name: Name;
  readonly sign: 1 | -1;
  readonly rank?: ((value: Sortable) => Sortable) | undefined;
}

export const asc = <Name extends string>(name: Name, rank?: (value: Sortable) => Sortable): Column<Name> => ({
  name,
  sign: 1,
  rank,
});
export const desc = <Name extends string>(name: Name, rank?: (value: Sortable) => Sortable): Column<Name> => ({
  name,
  sign: -1,
  rank,
});

/** Creates a function that compares by these columns. Null sorts before every other value. */
function createComparator(columns: readonly Column<string>[]): Comparator {
  return (left, right) => {
    for (const { name, sign, rank = (value: Sortable) => value } of columns) {
      const a = rank((left as Position)[name] as Sortable);
      const b = rank((right as Position)[name] as Sortable);
      if (a === b) continue;
      return a === null || (b !== null && a < b) ? -sign : sign;
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

function pick(row: object, names: readonly string[]): Cursor {
  return Object.fromEntries(names.map((name) => [name, (row as Position)[name]]));
}

/** Creates the pagination of a list in the order of `columns`. A cursor that lacks one of its keys is ignored. */
export function createKeysetPagination<Row extends object>(
  columns: readonly Column<keyof Row & keyof RestQuery>[],
  cursorKeys: readonly (keyof Row & keyof RestQuery)[] = columns.map(({ name }) => name),
): Pagination<Row> {
  const compare = createComparator(columns);
  return {
    compare,
    findStart: (rows, query) =>
      cursorKeys.every((name) => query[name] !== undefined) ? findFirstAfter(rows, query, compare) : 0,
    makeCursor: (page) => pick(page.at(-1) ?? {}, cursorKeys),
  };
}

const LOG_KEYS = ["block_number", "index"] as const;
const LOG_ORDER = LOG_KEYS.map((name) => desc(name));
const compareLogs = createComparator(LOG_ORDER);

/**
 * Pagination of token transfers. One log can move many token ids, and a page can end inside such a log.
 *
 * A cursor names the last log that was sent completely, as `block_number` and `index`. If the page ended inside a log, the
 * cursor also names that log and the last position in it (`batch_*`, `index_in_batch`). The complete log is missing if no
 * page so far had one.
 */
export const transferPagination: Pagination<TransferRow> = {
  compare: createComparator([...LOG_ORDER, asc("index_in_batch")]),

  findStart(rows, query, getBatchHashes) {
    const { block_number, index, index_in_batch = Number.NaN } = query;
    let start =
      block_number === undefined || index === undefined ? 0 : findFirstAfter(rows, { block_number, index }, compareLogs);
    const log = rows[start];
    if (!log || query.batch_log_index !== log.index) return start;
    const hashes = getBatchHashes(log);
    if (query.batch_block_hash !== hashes.batch_block_hash || query.batch_transaction_hash !== hashes.batch_transaction_hash)
      return start;
    const isSent = (row: TransferRow | undefined) =>
      row !== undefined && compareLogs(row, log) === 0 && row.index_in_batch <= index_in_batch;
    while (isSent(rows[start])) start += 1;
    return start;
  },

  makeCursor(page, nextRow, query, getBatchHashes) {
    const last = page.at(-1) ?? nextRow;
    if (compareLogs(last, nextRow) !== 0) return pick(last, LOG_KEYS);
    const lastComplete = page.filter((row) => compareLogs(row, last) !== 0).at(-1) ?? query;
    return {
      ...(lastComplete.index === undefined ? {} : pick(lastComplete, LOG_KEYS)),
      ...getBatchHashes(last),
      batch_log_index: last.index,
      index_in_batch: last.index_in_batch,
    };
  },
};
