// Values that are created when they are first used.

/** Returns a function that returns what `create` returned when it was first called. A formatter of `Intl` takes long to create. */
export function lazy<Value extends object | string>(create: () => Value): () => Value {
  let value: Value | undefined;
  return () => {
    value ??= create();
    return value;
  };
}
