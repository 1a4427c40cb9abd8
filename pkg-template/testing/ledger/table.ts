// A table of the ledger: rows that are made on first use, in several orders, and by block.

import { getOrMake, groupBy } from "../maps.js";

type Comparator<Row> = (left: Row, right: Row) => number;

/** Changes when the chain grows or is reorganised. */
interface Growth {
  readonly version: number;
}

const NO_GROWTH: Growth = { version: 0 };

/** The rows of an initial chain, which are made on first use. They never change, so chains with the same seed share them. */
class InitialRows<Row extends object> {
  readonly #makeRows: () => readonly Row[];
  #rows: readonly Row[] | undefined;
  #rowsByBlock: ReadonlyMap<unknown, readonly Row[]> | undefined;
  readonly #sorted = new Map<Comparator<Row>, readonly Row[]>();

  constructor(makeRows: () => readonly Row[]) {
    this.#makeRows = makeRows;
  }

  get rows(): readonly Row[] {
    this.#rows ??= this.#makeRows();
    return this.#rows;
  }

  sort(compare: Comparator<Row>): readonly Row[] {
    return getOrMake(this.#sorted, compare, () => [...this.rows].sort(compare));
  }

  getRowsOfBlock(block: number | null): readonly Row[] {
    this.#rowsByBlock ??= groupBy(this.rows, getBlock);
    return this.#rowsByBlock.get(block) ?? [];
  }
}

/** The rows of the initial chain, followed by the rows of added blocks. */
export class Table<Row extends object> {
  #initial: InitialRows<Row>;
  readonly #growth: Growth;
  readonly #getNewRows: () => readonly Row[];
  #version: number | undefined;
  #rows: readonly Row[] = [];
  readonly #sorted = new Map<Comparator<Row>, readonly Row[]>();

  /** `makeRows` is called once, `getNewRows` once per version of `growth`. */
  constructor(makeRows: () => readonly Row[], growth = NO_GROWTH, getNewRows: () => readonly Row[] = () => []) {
    this.#initial = new InitialRows(makeRows);
    this.#growth = growth;
    this.#getNewRows = getNewRows;
  }

  /** Uses the initial rows of the same table of another chain with this seed. */
  shareInitial(table: Table<Row>): void {
    this.#initial = table.#initial;
  }

  /** The rows of the initial chain. */
  get initial(): readonly Row[] {
    return this.#initial.rows;
  }

  /** All rows. The array is replaced when the chain changes. */
  get rows(): readonly Row[] {
    if (this.#version === this.#growth.version) return this.#rows;
    const newRows = this.#getNewRows();
    this.#rows = newRows.length === 0 ? this.initial : [...this.initial, ...newRows];
    this.#sorted.clear();
    this.#version = this.#growth.version;
    return this.#rows;
  }

  /** Returns all rows in another order. */
  sort(compare: Comparator<Row>): readonly Row[] {
    const { rows } = this;
    return getOrMake(this.#sorted, compare, () =>
      merge(this.#initial.sort(compare), rows.slice(this.initial.length).sort(compare), compare),
    );
  }

  /** Returns the rows with this `block_number`, which is null for pending transactions. */
  getRowsOfBlock(block: number | null): readonly Row[] {
    const rows = this.#initial.getRowsOfBlock(block);
    if (this.rows === this.initial) return rows;
    return [...rows, ...this.rows.slice(this.initial.length).filter((row) => getBlock(row) === block)];
  }
}

const getBlock = (row: { readonly block_number?: number | null }) => row.block_number;

/** Merges two sorted arrays. */
function merge<Row>(left: readonly Row[], right: readonly Row[], compare: Comparator<Row>): readonly Row[] {
  if (right.length === 0) return left;
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
