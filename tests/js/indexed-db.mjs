// The part of IndexedDB that a store uses, in memory, for tests in Node.js. tests/package/store.test.mjs uses a real browser.

class FakeRequest {
  /** `act` runs in a later task, as in a browser. `settle` is called with the names of the events that it causes. */
  constructor(act) {
    this.run(act);
  }

  run(act) {
    setImmediate(() => {
      try {
        this.result = act(this);
        this.onsuccess?.();
      } catch (error) {
        this.error = error;
        this.onerror?.();
      }
    });
  }
}

const compare = (a, b) => (a < b ? -1 : a > b ? 1 : 0);

class FakeTransaction {
  error = null;
  #entries;
  #before;
  #pending = 0;
  #isEnded = false;
  #failure;
  #canPut;

  constructor(entries, failure) {
    this.#entries = entries;
    this.#before = new Map(entries);
    this.#failure = failure;
    // As in Firefox, the next transaction after a full disk can only delete.
    this.#canPut = failure.isFull !== true;
    failure.isFull = false;
    setImmediate(() => setImmediate(() => this.#complete()));
  }

  objectStore() {
    const select = ({ lower, upper, isOpen }) =>
      [...this.#entries.keys()].filter((key) => key >= lower && (isOpen ? key < upper : key <= upper)).sort(compare);
    return {
      get: (key) => this.#run(() => structuredClone(this.#entries.get(key))),
      getAllKeys: (range, limit) => this.#run(() => select(range).slice(0, limit)),
      getAll: (range, limit) =>
        this.#run(() =>
          select(range)
            .slice(0, limit)
            .map((key) => structuredClone(this.#entries.get(key))),
        ),
      openKeyCursor: (range) => {
        let position = -1;
        const request = this.#run(() => find(1));
        const find = (count) => {
          position += count;
          const key = select(range).reverse()[position];
          const advance = (next) => this.#run(() => find(next), request);
          return key === undefined ? null : { key, advance };
        };
        return request;
      },
      put: (value, key) => {
        if (!this.#canPut) throw new DOMException("mutations are not allowed", "InvalidStateError");
        const copy = structuredClone(value);
        return this.#run(() => void this.#entries.set(key, copy));
      },
      delete: (range) => this.#run(() => select(range).forEach((key) => this.#entries.delete(key))),
    };
  }

  abort() {
    if (this.#isEnded) throw new DOMException("the transaction has ended", "InvalidStateError");
    this.#isEnded = true;
    this.#entries.clear();
    for (const [key, value] of this.#before) this.#entries.set(key, value);
    setImmediate(() => this.onabort?.());
  }

  /** Runs a request, or again the request of a cursor. */
  #run(act, request) {
    this.#pending += 1;
    const perform = () => {
      this.#pending -= 1;
      if (this.#isEnded) throw new DOMException("aborted", "AbortError");
      setImmediate(() => setImmediate(() => this.#complete()));
      return act();
    };
    if (request === undefined) return new FakeRequest(perform);
    request.run(perform);
    return request;
  }

  #complete() {
    if (this.#pending > 0 || this.#isEnded) return;
    if (this.#failure.name) {
      this.#failure.isFull = this.#failure.name === "QuotaExceededError";
      this.error = new DOMException("the transaction failed", this.#failure.name);
      this.abort();
      return;
    }
    this.#isEnded = true;
    this.oncomplete?.();
  }
}

/**
 * Creates the globals `indexedDB` and `IDBKeyRange`. `failure.name` is the error of each transaction, `failure.open` the one of opening
 * (`"hangs"`: no response). `connections` are open.
 */
export function createIndexedDb() {
  const databases = new Map();
  const failure = {};
  const connections = new Set();
  const open = (name) => {
    if (failure.open === "throws") throw new DOMException("denied", "SecurityError");
    if (failure.open === "hangs") return {};
    return new FakeRequest((request) => {
      if (failure.open) throw new DOMException("failed", failure.open);
      const connection = {
        isClosed: false,
        createObjectStore: () => {},
        close: () => {
          connection.isClosed = true;
          connections.delete(connection);
        },
        transaction: () => {
          if (connection.isClosed) throw new DOMException("closed", "InvalidStateError");
          return new FakeTransaction(databases.get(name), failure);
        },
      };
      request.result = connection;
      if (!databases.has(name)) {
        databases.set(name, new Map());
        request.onupgradeneeded?.();
      }
      connections.add(connection);
      return connection;
    });
  };
  const bound = (lower, upper, _lowerOpen, isOpen = false) => ({ lower, upper, isOpen });
  return { failure, connections, databases, globals: { indexedDB: { open }, IDBKeyRange: { bound } } };
}
