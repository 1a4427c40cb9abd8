// Keeps exports in IndexedDB, so that they continue after a reload.
import type { ExportStore, SavedExport } from "./saved-export.js";

const [DATABASE, EXPORTS, CHUNKS] = ["address-query-exports", "exports", "chunks"];

/** Storage that takes longer is treated as broken. WebKit never responds if a page was closed while it created the database. */
const TIMEOUT_MS = 5000;

const withTimeout = <Value>(result: Promise<Value>): Promise<Value> => {
  let timer: ReturnType<typeof setTimeout>;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("The storage of the browser does not respond.")), TIMEOUT_MS);
  });
  return Promise.race([result, timeout]).finally(() => clearTimeout(timer));
};

const settle = <Value>(request: IDBRequest<Value>): Promise<Value> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

/**
 * Resolves when the transaction is complete, and aborts it if the page is closed first. WebKit keeps transactions of pages in its
 * back-forward cache open, and starts no other until they end.
 */
async function finish(transaction: IDBTransaction): Promise<void> {
  const abort = () => {
    try {
      transaction.abort();
    } catch {
      // Already complete.
    }
  };
  addEventListener("pagehide", abort);
  try {
    await new Promise<void>((resolve, reject) => {
      transaction.oncomplete = () => resolve();
      transaction.onabort = () => reject(transaction.error ?? new DOMException("The page was closed.", "AbortError"));
    });
  } finally {
    removeEventListener("pagehide", abort);
  }
}

const allChunks = (key: string): IDBKeyRange => IDBKeyRange.bound([key, 0], [key, Number.MAX_SAFE_INTEGER]);

/** Whether an export was stored before. Opening the database would create it. */
export async function hasDatabase(): Promise<boolean> {
  // Browsers released before 2024 may lack this function.
  const databases = await indexedDB.databases?.();
  return databases?.some(({ name }) => name === DATABASE) ?? true;
}

/** Rejects if the browser denies access to its storage, or the storage does not work. */
export async function openDatabase(): Promise<ExportStore> {
  const request = indexedDB.open(DATABASE, 1);
  request.onupgradeneeded = () => {
    // If the transaction fails, so does the request.
    if (request.transaction) finish(request.transaction).catch(() => {});
    request.result.createObjectStore(EXPORTS, { keyPath: "key" });
    request.result.createObjectStore(CHUNKS);
  };
  const store = new DatabaseStore(await withTimeout(settle(request)));
  // Even an open database may not respond.
  await store.find("");
  return store;
}

class DatabaseStore implements ExportStore {
  readonly isPersistent = true;
  readonly #database: IDBDatabase;

  constructor(database: IDBDatabase) {
    this.#database = database;
  }

  async find(key: string): Promise<SavedExport | null> {
    return (await this.#transact<SavedExport | undefined>("readonly", (exports) => exports.get(key))) ?? null;
  }

  async append(saved: SavedExport, bytes: Uint8Array<ArrayBuffer>): Promise<void> {
    await this.#transact("readwrite", (exports, chunks) => {
      // Not a blob: WebKit stores none in private windows.
      chunks.put(bytes, [saved.key, saved.chunks - 1]);
      return exports.put(saved);
    });
  }

  readChunk(key: string, index: number): Promise<Uint8Array<ArrayBuffer>> {
    return this.#transact("readonly", (_, chunks) => chunks.get([key, index]));
  }

  async delete(key: string): Promise<void> {
    await this.#transact("readwrite", (exports, chunks) => {
      exports.delete(key);
      return chunks.delete(allChunks(key));
    });
  }

  /** Runs `act` in one transaction: all of its changes are made, or none. Returns the result of the request that it returns. */
  async #transact<Value>(
    mode: IDBTransactionMode,
    act: (exports: IDBObjectStore, chunks: IDBObjectStore) => IDBRequest<Value>,
  ): Promise<Value> {
    const transaction = this.#database.transaction([EXPORTS, CHUNKS], mode);
    const request = act(transaction.objectStore(EXPORTS), transaction.objectStore(CHUNKS));
    await withTimeout(finish(transaction));
    return request.result;
  }
}
