// Reads one value ahead: the next page of an iteration, or of a list of a history.

/** Reads values one after the other, at most one before it is needed. */
export type Prefetcher<Value> = ReturnType<typeof createPrefetcher<Value>>;

export function createPrefetcher<Value>(read: () => Promise<Value>) {
  let prefetched: Promise<Value> | undefined;
  return {
    /** Returns the next value. The previous one must have been returned. */
    next() {
      const value = prefetched ?? read();
      prefetched = undefined;
      return value;
    },
    /** Starts to read the next value. `next` reports a failure: a value that is never used must not cause an unhandled rejection. */
    prefetch() {
      prefetched ??= read();
      prefetched.catch(() => {});
    },
  };
}
