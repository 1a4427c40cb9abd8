// The database of browsers. IndexedDB itself, because four methods on one object store need no library.
import type { StoreDatabase } from "./database.js";
import { createStorageError, type StorageReason } from "./storage-error.js";

/** The object store, whose keys are separate from its values. */
const ENTRIES = "entries";
/** Browsers have left requests to open a database, and transactions, unanswered. Another tab may prevent a deletion. */
const TIMEOUT_MS = 10_000;

/**
 * Opens a database of the browser when it is first used.
 *
 * @remarks
 * A database that the user or another tab deletes is empty from then on.
 */
export function indexedDatabase(name: string): StoreDatabase {
  let connection: Promise<IDBDatabase> | undefined;

  const connect = () => {
    connection ??= open(name, () => {
      connection = undefined;
    });
    connection.catch(() => {
      connection = undefined;
    });
    return connection;
  };

  /** Runs a transaction. Resolves when it is complete. */
  const run = async <Value>(
    mode: IDBTransactionMode,
    act: (entries: IDBObjectStore) => Promise<Value> | Value,
    isRetry = false,
  ): Promise<Value> => {
    let transaction: IDBTransaction;
    try {
      transaction = (await connect()).transaction(ENTRIES, mode);
    } catch (error) {
      // The connection has been closed, as by a deletion, and the event has not arrived yet.
      connection = undefined;
      if (isRetry || (error as Error).name !== "InvalidStateError") throw toStorageError(error);
      return run(mode, act, true);
    }
    const completed = complete(transaction);
    try {
      const [value] = await Promise.all([act(transaction.objectStore(ENTRIES)), completed]);
      return value;
    } catch (error) {
      completed.catch(() => {});
      abort(transaction);
      // In Firefox, the next transaction after a full disk can only delete.
      if (!isRetry && (error as Error).name === "InvalidStateError") return run(mode, act, true);
      throw toStorageError(error);
    }
  };

  return {
    get: (key) => run("readonly", (entries) => settle(entries.get(key))),
    read: (from, to, options = {}) =>
      from < to
        ? run("readonly", (entries) => readEntries(entries, IDBKeyRange.bound(from, to, false, true), options))
        : Promise.resolve([]),
    write: ({ remove = [], put = [] }) =>
      run("readwrite", (entries) => {
        for (const [from, to] of remove) if (from < to) entries.delete(IDBKeyRange.bound(from, to, false, true));
        for (const [key, value] of put) entries.put(value, key);
      }),
    async close() {
      const closing = connection;
      connection = undefined;
      (await closing?.catch(() => undefined))?.close();
    },
  };
}

/** `getAll` is many times faster than a cursor, but has no direction: in reverse, a cursor finds the first key. */
async function readEntries(
  entries: IDBObjectStore,
  range: IDBKeyRange,
  { reverse, limit }: NonNullable<Parameters<StoreDatabase["read"]>[2]>,
): Promise<[key: string, value: unknown][]> {
  let selected = range;
  if (reverse && limit) {
    const request = entries.openKeyCursor(range, "prev");
    let cursor = await settle(request);
    if (limit > 1) cursor?.advance(limit - 1);
    if (limit > 1 && cursor) cursor = await settle(request);
    if (cursor) selected = IDBKeyRange.bound(cursor.key, range.upper, false, true);
  }
  const count = reverse ? undefined : limit;
  // Requests end in their order.
  const keys = entries.getAllKeys(selected, count);
  const values: unknown[] = await settle(entries.getAll(selected, count));
  const found = values.map((value, index): [string, unknown] => [keys.result[index] as string, value]);
  return reverse ? found.reverse() : found;
}

/** Opens the database. `onClose` is called when the connection can no longer be used. */
function open(name: string, onClose: () => void): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const fail = (reason: StorageReason, cause?: unknown) => {
      clearTimeout(timer);
      reject(createStorageError(reason, cause));
    };
    const timer = setTimeout(fail, TIMEOUT_MS, "blocked");
    let request: IDBOpenDBRequest;
    try {
      // Firefox throws here if the user has forbidden storage. Servers have no `indexedDB`.
      request = indexedDB.open(name, 1);
    } catch (error) {
      fail("unavailable", error);
      return;
    }
    request.onblocked = () => fail("blocked");
    request.onerror = () => fail(request.error?.name === "QuotaExceededError" ? "quota" : "unavailable", request.error);
    request.onupgradeneeded = () => {
      // If the transaction fails, so does the request.
      if (request.transaction) complete(request.transaction).catch(() => {});
      request.result.createObjectStore(ENTRIES);
    };
    request.onsuccess = () => {
      clearTimeout(timer);
      const database = request.result;
      // Another tab deletes the database, which would wait for this connection.
      database.onversionchange = () => {
        database.close();
        onClose();
      };
      // The user has cleared the data of the site.
      database.onclose = onClose;
      resolve(database);
    };
  });
}

/**
 * Resolves when a transaction is complete. It ends with its page: WebKit keeps transactions of pages in its back-forward cache open, and starts
 * no other until they end.
 */
async function complete(transaction: IDBTransaction): Promise<void> {
  const target = globalThis as Partial<Pick<typeof globalThis, "addEventListener" | "removeEventListener">>;
  const onPageHide = () => abort(transaction);
  target.addEventListener?.("pagehide", onPageHide);
  let timer: ReturnType<typeof setTimeout> | undefined;
  try {
    await new Promise<void>((resolve, reject) => {
      timer = setTimeout(reject, TIMEOUT_MS, createStorageError("unavailable"));
      transaction.oncomplete = () => resolve();
      transaction.onabort = () => reject(transaction.error ?? new DOMException("the database was closed", "AbortError"));
    });
  } finally {
    clearTimeout(timer);
    target.removeEventListener?.("pagehide", onPageHide);
  }
}

function abort(transaction: IDBTransaction): void {
  try {
    transaction.abort();
  } catch {
    // It has ended.
  }
}

function settle<Value>(request: IDBRequest<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

function toStorageError(error: unknown): unknown {
  const { name } = error as DOMException;
  if (name === "DataCloneError" || name === "AddressQueryError") return error;
  return createStorageError(name === "QuotaExceededError" ? "quota" : name === "AbortError" ? "closed" : "unavailable", error);
}
