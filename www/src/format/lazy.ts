// Lazily created values.

/** Returns a function that calls `create` once and returns its result. Creating a formatter of `Intl` is slow. */
export function lazy<Value extends object | string>(create: () => Value): () => Value {
  let value: Value | undefined;
  return () => {
    value ??= create();
    return value;
  };
}
