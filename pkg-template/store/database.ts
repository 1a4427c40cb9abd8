// The database that a store keeps its data in, and one in memory.

/** A change of a database. The ranges are removed first: the entries with `from <= key < to`. */
export interface DatabaseChange {
  remove?: readonly (readonly [from: string, to: string])[] | undefined;
  put?: readonly (readonly [key: string, value: unknown])[] | undefined;
}

/**
 * What a store needs of a database: values by key, in the order of the keys, by UTF-16 code units. Implement it to store elsewhere, or to
 * wrap another database, such as to encrypt its values.
 *
 * @remarks
 * Values are what `structuredClone` copies. A method that fails rejects, with code `storage` if an app is to read without the store then.
 */
export interface StoreDatabase {
  /** Returns a value. Undefined: there is none. */
  get(key: string): Promise<unknown>;
  /** Returns the entries with `from <= key < to` in the order of their keys, or in reverse. At most `limit`: the first ones of that order. */
  read(
    from: string,
    to: string,
    options?: { reverse?: boolean | undefined; limit?: number | undefined },
  ): Promise<[key: string, value: unknown][]>;
  /** Makes a change, as a whole or not at all: also if the process ends meanwhile. */
  write(change: DatabaseChange): Promise<void>;
  /** Ends the use of the database. */
  close(): Promise<void>;
}

/** Creates a database in memory: for tests, and for apps that do not keep data. */
export function memoryDatabase(): StoreDatabase {
  const values = new Map<string, unknown>();
  return {
    async get(key) {
      return structuredClone(values.get(key));
    },
    async read(from, to, options) {
      return selectKeys(values.keys(), from, to, options).map((key) => [key, structuredClone(values.get(key))]);
    },
    async write({ remove = [], put = [] }) {
      // A value that cannot be cloned rejects before anything has changed.
      const copies = structuredClone(put);
      for (const [from, to] of remove) for (const key of selectKeys(values.keys(), from, to)) values.delete(key);
      for (const [key, value] of copies) values.set(key, value);
    },
    async close() {},
  };
}

/** Selects the keys that `read` returns. */
export function selectKeys(
  keys: Iterable<string>,
  from: string,
  to: string,
  { reverse = false, limit = Number.POSITIVE_INFINITY }: { reverse?: boolean | undefined; limit?: number | undefined } = {},
): string[] {
  const selected = [...keys].filter((key) => from <= key && key < to).sort();
  return (reverse ? selected.reverse() : selected).slice(0, limit);
}
