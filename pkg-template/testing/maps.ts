// Values that are created on demand.

/** A value that is made on first use. */
export type Lazy<Value> = { readonly value: Value };

export function createLazy<Value extends {}>(make: () => Value): Lazy<Value> {
  let value: Value | undefined;
  return {
    get value() {
      value ??= make();
      return value;
    },
  };
}

/** Returns the value of a key, which is created on first use. */
export function getOrMake<Key, Value extends {}>(
  map: { get(key: Key): Value | undefined; set(key: Key, value: Value): unknown },
  key: Key,
  make: () => Value,
): Value {
  const cached = map.get(key);
  if (cached !== undefined) return cached;
  const value = make();
  map.set(key, value);
  return value;
}

export function groupBy<Row, Key>(rows: Iterable<Row>, getKey: (row: Row) => Key): Map<Key, Row[]> {
  const groups = new Map<Key, Row[]>();
  for (const row of rows) getOrMake(groups, getKey(row), () => []).push(row);
  return groups;
}
