// Keyset paging: the values in a cursor decide where a page begins, never a count of rows.

/** A column of an order; `rank` turns a value into one that compares. */
export const ascending = (name, rank) => ({ name, sign: 1, rank });
export const descending = (name, rank) => ({ name, sign: -1, rank });

/** Compares two rows, or a row and a cursor, by columns; null is the smallest value. */
function compareBy(columns) {
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

/** Index of the first of the ordered `rows` that comes after `place`. */
function firstAfter(rows, place, compare) {
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (compare(rows[middle], place) > 0) high = middle;
    else low = middle + 1;
  }
  return low;
}

function pick(row, names) {
  return Object.fromEntries(names.map((name) => [name, row[name]]));
}

/** Pages in the order of `columns`. A cursor that lacks one of its keys is ignored as a whole. */
export function keyset(columns, cursorKeys = columns.map(({ name }) => name)) {
  const compare = compareBy(columns);
  return {
    compare,
    start: (rows, query) => (cursorKeys.every((name) => query[name] !== undefined) ? firstAfter(rows, query, compare) : 0),
    next: (page) => pick(page.at(-1), cursorKeys),
  };
}

const logOrder = [descending("block_number"), descending("index")];
const compareLogs = compareBy(logOrder);

/**
 * Pages of token transfers. A cursor names the last complete log; when the page ended inside a log that moves many
 * token ids, it also names that log and the last position in it. The complete log is then missing if no page since
 * the first one held any.
 */
export const transferPaging = {
  compare: compareBy([...logOrder, ascending("index_in_batch")]),

  start(rows, query, batchHashesOf) {
    const place = { block_number: query.block_number, index: query.index };
    let start = Object.values(place).includes(undefined) ? 0 : firstAfter(rows, place, compareLogs);
    const log = rows[start];
    if (log && query.batch_log_index === log.index) {
      const hashes = batchHashesOf(log);
      if (query.batch_block_hash !== hashes.batch_block_hash || query.batch_transaction_hash !== hashes.batch_transaction_hash) return start;
      while (start < rows.length && compareLogs(rows[start], log) === 0 && rows[start].index_in_batch <= query.index_in_batch) start += 1;
    }
    return start;
  },

  next(page, following, query, batchHashesOf) {
    const last = page.at(-1);
    if (compareLogs(last, following) !== 0) return pick(last, ["block_number", "index"]);
    const complete = page.findLast((row) => compareLogs(row, last) !== 0) ?? query;
    return {
      ...(complete.index === undefined ? {} : pick(complete, ["block_number", "index"])),
      ...batchHashesOf(last),
      batch_log_index: last.index,
      index_in_batch: last.index_in_batch,
    };
  },
};
