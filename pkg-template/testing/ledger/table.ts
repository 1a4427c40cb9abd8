// A table of the ledger: rows that are made on first use, in several orders, and by block.

import type { NftRow } from "./nfts.js";
import { getOrMake, groupBy } from "../maps.js";
import type { LogRow } from "./logs.js";
import type { InternalTransactionRow, TransactionRow, TransferRow } from "./rows.js";
import type { TransactionEntry } from "./transactions.js";

type Comparator<Row> = (left: Row, right: Row) => number;

/** Changes when the chain grows or is reorganised. */
interface Growth {
  readonly version: number;
}

const getBlock = (row: { readonly block_number?: number | null }) => row.block_number;

/** The rows of the initial chain, followed by the rows of added blocks. */
export class Table<Row extends object> {
  readonly #makeRows: () => readonly Row[];
  #rows: readonly Row[] | undefined;
  #rowsByBlock: ReadonlyMap<unknown, readonly Row[]> | undefined;
  readonly #sorted = new Map<Comparator<Row>, readonly Row[]>();
  /** The table that grows. Undefined: this one does not grow. */
  readonly #base: Table<Row> | undefined;
  readonly #growth: Growth;
  #version = 0;

  /** `makeRows` is called once. If the table grows from `base`, it makes the added rows, once per version of `growth`. */
  constructor(makeRows: () => readonly Row[], growth: Growth = { version: 0 }, base?: Table<Row>) {
    this.#makeRows = makeRows;
    this.#growth = growth;
    this.#base = base;
  }

  grow(growth: Growth, getNewRows: () => readonly Row[]): Table<Row> {
    return new Table(getNewRows, growth, this);
  }

  get initial(): readonly Row[] {
    return this.#base?.rows ?? this.rows;
  }

  get added(): readonly Row[] {
    return this.#base ? this.rows.slice(this.#base.rows.length) : [];
  }

  /** All rows. The array is replaced when the chain changes. */
  get rows(): readonly Row[] {
    if (this.#rows && this.#version === this.#growth.version) return this.#rows;
    const newRows = this.#makeRows();
    const initial = this.#base?.rows ?? [];
    this.#rows = newRows.length === 0 ? initial : initial.length === 0 ? newRows : [...initial, ...newRows];
    this.#sorted.clear();
    this.#rowsByBlock = undefined;
    this.#version = this.#growth.version;
    return this.#rows;
  }

  sort(compare: Comparator<Row>): readonly Row[] {
    const { rows } = this;
    const count = this.#base?.rows.length ?? 0;
    return getOrMake(this.#sorted, compare, () =>
      merge(this.#base?.sort(compare) ?? [], rows.slice(count).sort(compare), compare),
    );
  }

  /** Returns the rows with this `block_number`, which is null for pending transactions. */
  getRowsOfBlock(block: number | null): readonly Row[] {
    const { rows } = this;
    this.#rowsByBlock ??= groupBy(rows.slice(this.#base?.rows.length ?? 0), getBlock);
    const [older, newer] = [this.#base?.getRowsOfBlock(block) ?? [], this.#rowsByBlock.get(block) ?? []];
    return newer.length === 0 ? older : [...older, ...newer];
  }
}

function merge<Row>(left: readonly Row[], right: readonly Row[], compare: Comparator<Row>): readonly Row[] {
  if (left.length === 0) return right;
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

/** Tables that have all rows of some addresses, oldest first. */
export interface AccountTables {
  readonly transfers: Table<TransferRow>;
  /** The transfers as the REST API lists them. */
  readonly mergedTransfers: Table<TransferRow>;
  readonly transactions: Table<TransactionRow>;
  /** Transactions as the REST API lists them, unsorted: pending and mined. */
  readonly entries: Table<TransactionEntry>;
  readonly internalTransactions: Table<InternalTransactionRow>;
  /** The logs that the addresses emit. */
  readonly logs: Table<LogRow>;
  /** The logs in which the addresses approve spenders. */
  readonly approvals: Table<LogRow>;
  readonly nfts: Table<NftRow>;
}
