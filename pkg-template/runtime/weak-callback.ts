// Callbacks that WebAssembly can hold without keeping them alive.

type Callback<Args extends unknown[], Result> = (...args: Args) => Result;

const wrappers = new WeakMap<object, unknown>();

/**
 * Wraps a callback in a function that refers to it weakly, where the runtime can do that.
 *
 * A client's WebAssembly objects hold its callbacks, and callbacks often refer to the client. With strong references neither
 * could be garbage-collected. The same callback always gets the same wrapper, because clients with the same `fetch` share a
 * rate limiter. `invoke` calls the callback, and must be the same for the same callback.
 */
export function createWeakCallback<Args extends unknown[], Result>(
  callback: Callback<Args, Result>,
  invoke = (callback: Callback<Args, Result>, ...args: Args) => callback(...args),
): Callback<Args, Result | undefined> {
  if (!wrappers.has(callback)) {
    const reference = createReference(callback);
    wrappers.set(callback, (...args: Args) => {
      const referenced = reference.deref();
      return referenced && invoke(referenced, ...args);
    });
  }
  return wrappers.get(callback) as Callback<Args, Result | undefined>;
}

/** Separate from the wrapper, whose scope must not contain the callback. */
function createReference<Value extends object>(value: Value): { deref(): Value | undefined } {
  return typeof WeakRef === "undefined" ? { deref: () => value } : new WeakRef(value);
}
