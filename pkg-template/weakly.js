// Weak references to the caller's functions.

const relays = new WeakMap();

/**
 * A function that calls another one without keeping it alive. The module keeps what it is given, and a caller's function often
 * refers to the client: both would stay for ever. Equal functions have equal relays, since clients with the same `fetch` share
 * a rate limiter.
 */
export function weakly(callback) {
  if (callback == null) return undefined;
  if (!relays.has(callback)) {
    const reference = new WeakRef(callback);
    relays.set(callback, (...args) => reference.deref()?.(...args));
  }
  return relays.get(callback);
}
