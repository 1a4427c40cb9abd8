// Web Locks of one browser, for tests in Node.js: exclusive locks that tasks wait for.

/** Creates the locks that all tabs share: `navigator.locks`. */
export function createLocks() {
  const last = new Map();
  return {
    request(name, { signal }, task) {
      const result = (last.get(name) ?? Promise.resolve()).then(() => {
        signal?.throwIfAborted();
        return task({ name });
      });
      last.set(
        name,
        result.catch(() => {}),
      );
      return result;
    },
  };
}

/** Replaces `navigator` until the function that it returns is called. */
export function replaceNavigator(value) {
  const { navigator } = globalThis;
  Object.defineProperty(globalThis, "navigator", { value, configurable: true });
  return () => Object.defineProperty(globalThis, "navigator", { value: navigator, configurable: true });
}
