// Sorted copies of the chain's tables. Those of a chain that has grown are merged from the initial table and the new rows.

import type { Chain } from "../ledger/chain.js";
import type { Comparator } from "./pagination.js";

export class SortedTables {
  readonly #cache = new WeakMap<readonly object[], Map<Comparator, readonly object[]>>();

  /** Returns the rows of a table of the chain in this order. */
  getRows<Row extends object>(compare: Comparator, table: readonly Row[], chain: Chain): readonly Row[] {
    const orders = this.#cache.get(table) ?? new Map<Comparator, readonly object[]>();
    this.#cache.set(table, orders);
    const cached = orders.get(compare) as readonly Row[] | undefined;
    if (cached) return cached;
    const base = chain.getBaseTable(table);
    const rows =
      base === table
        ? [...table].sort(compare)
        : merge(this.getRows(compare, base, chain), table.slice(base.length).sort(compare), compare);
    orders.set(compare, rows);
    return rows;
  }
}

/** Merges two sorted arrays. */
function merge<Row extends object>(left: readonly Row[], right: readonly Row[], compare: Comparator): Row[] {
  const merged: Row[] = [];
  let position = 0;
  for (const row of right) {
    const start = position;
    while (position < left.length && compare(left[position] as Row, row) <= 0) position += 1;
    for (const earlier of left.slice(start, position)) merged.push(earlier);
    merged.push(row);
  }
  return merged.concat(left.slice(position));
}
