// Reads one value ahead: the next page of an iteration, or of a list of a history.

/** Reads values one after the other, at most one before it is needed. */
export class Prefetcher<Value> {
  #read: () => Promise<Value>;
  #prefetched: Promise<Value> | undefined;

  constructor(read: () => Promise<Value>) {
    this.#read = read;
  }

  /** Returns the next value. The previous one must have been returned. */
  next(): Promise<Value> {
    const value = this.#prefetched ?? this.#read();
    this.#prefetched = undefined;
    return value;
  }

  /** Starts to read the next value. `next` reports a failure: a value that is never used must not cause an unhandled rejection. */
  prefetch(): void {
    this.#prefetched ??= this.#read();
    this.#prefetched.catch(() => {});
  }
}
