// Keyset pagination: a page begins after the row whose values are in the cursor, not after a number of rows.

/** A column to sort by. `rank` converts a value into one that `<` can compare. */
export const asc = (name, rank) => ({ name, sign: 1, rank });
export const desc = (name, rank) => ({ name, sign: -1, rank });

/** Creates a function that compares two rows, or a row and a cursor. Null sorts before every other value. */
function createComparator(columns) {
  return (left, right) => {
    for (const { name, sign, rank = (value) => value } of columns) {
      const a = rank(left[name]);
      const b = rank(right[name]);
      if (a === b) continue;
      return a === null || (b !== null && a < b) ? -sign : sign;
    }
    return 0;
  };
}

/** Finds the first of the sorted rows that comes after the cursor; returns its index. */
function findFirstAfter(rows, cursor, compare) {
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (compare(rows[middle], cursor) > 0) high = middle;
    else low = middle + 1;
  }
  return low;
}

function pick(row, names) {
  return Object.fromEntries(names.map((name) => [name, row[name]]));
}

/** Creates the pagination of a list in the order of `columns`. A cursor that lacks one of its keys is ignored. */
export function createKeysetPagination(columns, cursorKeys = columns.map(({ name }) => name)) {
  const compare = createComparator(columns);
  return {
    compare,
    findStart: (rows, query) => (cursorKeys.every((name) => query[name] !== undefined) ? findFirstAfter(rows, query, compare) : 0),
    makeCursor: (page) => pick(page.at(-1), cursorKeys),
  };
}

const LOG_ORDER = [desc("block_number"), desc("index")];
const compareLogs = createComparator(LOG_ORDER);

/**
 * Pagination of token transfers. One log can move many token ids, and a page can end inside such a log.
 *
 * A cursor names the last log that was sent completely, as `block_number` and `index`. If the page ended inside a log, the
 * cursor also names that log and the last position in it (`batch_*`, `index_in_batch`). The complete log is missing if no
 * page so far had one.
 */
export const transferPagination = {
  compare: createComparator([...LOG_ORDER, asc("index_in_batch")]),

  findStart(rows, query, getBatchHashes) {
    const cursor = { block_number: query.block_number, index: query.index };
    let start = Object.values(cursor).includes(undefined) ? 0 : findFirstAfter(rows, cursor, compareLogs);
    const log = rows[start];
    if (log && query.batch_log_index === log.index) {
      const hashes = getBatchHashes(log);
      if (query.batch_block_hash !== hashes.batch_block_hash || query.batch_transaction_hash !== hashes.batch_transaction_hash) return start;
      while (start < rows.length && compareLogs(rows[start], log) === 0 && rows[start].index_in_batch <= query.index_in_batch) start += 1;
    }
    return start;
  },

  makeCursor(page, nextRow, query, getBatchHashes) {
    const last = page.at(-1);
    if (compareLogs(last, nextRow) !== 0) return pick(last, ["block_number", "index"]);
    const lastComplete = page.findLast((row) => compareLogs(row, last) !== 0) ?? query;
    return {
      ...(lastComplete.index === undefined ? {} : pick(lastComplete, ["block_number", "index"])),
      ...getBatchHashes(last),
      batch_log_index: last.index,
      index_in_batch: last.index_in_batch,
    };
  },
};
