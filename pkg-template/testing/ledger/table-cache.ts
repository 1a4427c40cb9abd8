// The tables of a chain. They are made on first use.

import { HEAD_BLOCK } from "./positions.js";

export interface BlockPosition {
  /** Null if pending. */
  readonly block_number: number | null;
}

export class TableCache {
  readonly #tables = new Map<string, readonly unknown[]>();
  /** Tables that depend on new blocks. */
  readonly #currentTables = new Map<string, readonly unknown[]>();
  readonly #bases = new WeakMap<readonly object[], readonly object[]>();
  readonly #rowsByBlock = new WeakMap<readonly object[], ReadonlyMap<number | null, readonly object[]>>();

  /** Returns a table that never changes. */
  getOrMake<Row>(name: string, makeTable: () => Row[]): readonly Row[] {
    return getOrMake(this.#tables, name, makeTable);
  }

  /** Returns a table that is made again after each change of the chain. */
  getOrMakeCurrent<Row>(name: string, makeTable: () => Row[]): readonly Row[] {
    return getOrMake(this.#currentTables, name, makeTable);
  }

  /** Discards the tables that depend on new blocks. */
  clearCurrent(): void {
    this.#currentTables.clear();
  }

  /** Returns a table with new rows at its end. */
  getExtended<Row extends object>(
    name: string,
    base: readonly Row[],
    newRows: readonly Row[] | (() => readonly Row[]),
  ): readonly Row[] {
    return this.getOrMakeCurrent(name, () => {
      const extended = [...base, ...(typeof newRows === "function" ? newRows() : newRows)];
      this.#bases.set(extended, base);
      return extended;
    });
  }

  /** Returns the table without its new rows. */
  getBase<Row extends object>(table: readonly Row[]): readonly Row[] {
    return (this.#bases.get(table) as readonly Row[] | undefined) ?? table;
  }

  /** Returns the rows that are in one block. */
  getRowsOfBlock<Row extends BlockPosition>(table: readonly Row[], block: number | null): readonly Row[] {
    const base = this.getBase(table);
    if (block !== null && block > HEAD_BLOCK) return table.slice(base.length).filter((row) => row.block_number === block);
    return (this.#groupByBlock(base) as ReadonlyMap<number | null, readonly Row[]>).get(block) ?? [];
  }

  #groupByBlock(table: readonly BlockPosition[]): ReadonlyMap<number | null, readonly object[]> {
    const cached = this.#rowsByBlock.get(table);
    if (cached) return cached;
    const groups = new Map<number | null, object[]>();
    for (const row of table) {
      const group = groups.get(row.block_number);
      if (group) group.push(row);
      else groups.set(row.block_number, [row]);
    }
    this.#rowsByBlock.set(table, groups);
    return groups;
  }
}

function getOrMake<Row>(tables: Map<string, readonly unknown[]>, name: string, makeTable: () => Row[]): readonly Row[] {
  const cached = tables.get(name) as readonly Row[] | undefined;
  if (cached) return cached;
  const table = makeTable();
  tables.set(name, table);
  return table;
}
