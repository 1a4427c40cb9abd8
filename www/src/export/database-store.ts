// Keeps exports in IndexedDB, so that they continue after a reload.
import type { ExportStore, SavedExport } from "./saved-export.js";

const [DATABASE, EXPORTS, CHUNKS] = ["address-query-exports", "exports", "chunks"];

/** Requests to a database are ended after this time. WebKit never responds if a page was closed while it created the database. */
const TIMEOUT_MS = 5000;

const withTimeout = <Value>(result: Promise<Value>): Promise<Value> => {
  let timer: ReturnType<typeof setTimeout>;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("The storage of the browser does not respond.")), TIMEOUT_MS);
  });
  return Promise.race([result, timeout]).finally(() => clearTimeout(timer));
};

const settle = <Value>(request: IDBRequest<Value>): Promise<Value> =>
  withTimeout(
    new Promise((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    }),
  );

const allChunks = (key: string): IDBKeyRange => IDBKeyRange.bound([key, 0], [key, Number.MAX_SAFE_INTEGER]);

/** Whether an export was kept before. Opening the database would create it. */
export async function hasDatabase(): Promise<boolean> {
  // Browsers from before 2024 may not have this function.
  const databases = await indexedDB.databases?.();
  return databases?.some(({ name }) => name === DATABASE) ?? true;
}

/** Rejects if the browser denies access to its storage, or the storage does not work. */
export async function openDatabase(): Promise<ExportStore> {
  const request = indexedDB.open(DATABASE, 1);
  request.onupgradeneeded = () => {
    request.result.createObjectStore(EXPORTS, { keyPath: "key" });
    request.result.createObjectStore(CHUNKS);
  };
  const store = new DatabaseStore(await settle(request));
  // Also a database that was opened may not respond.
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
    return (await settle<SavedExport | undefined>(this.#read(EXPORTS).get(key))) ?? null;
  }

  append(saved: SavedExport, bytes: Uint8Array<ArrayBuffer>): Promise<void> {
    return this.#write((exports, chunks) => {
      // Not a blob: WebKit stores none in private windows.
      chunks.put(bytes, [saved.key, saved.chunks - 1]);
      exports.put(saved);
    });
  }

  readChunk(key: string, index: number): Promise<Uint8Array<ArrayBuffer>> {
    return settle(this.#read(CHUNKS).get([key, index]));
  }

  delete(key: string): Promise<void> {
    return this.#write((exports, chunks) => {
      exports.delete(key);
      chunks.delete(allChunks(key));
    });
  }

  #read(name: string): IDBObjectStore {
    return this.#database.transaction(name).objectStore(name);
  }

  /** Runs `act` in one transaction: all of its changes are made, or none. */
  async #write(act: (exports: IDBObjectStore, chunks: IDBObjectStore) => void): Promise<void> {
    const transaction = this.#database.transaction([EXPORTS, CHUNKS], "readwrite");
    // WebKit never ends a transaction that writes while the page is closed, and starts no other one after it.
    const abort = () => abortTransaction(transaction);
    addEventListener("pagehide", abort);
    try {
      act(transaction.objectStore(EXPORTS), transaction.objectStore(CHUNKS));
      await withTimeout(
        new Promise<void>((resolve, reject) => {
          transaction.oncomplete = () => resolve();
          transaction.onabort = () => reject(transaction.error ?? new DOMException("The page was closed.", "AbortError"));
        }),
      );
    } finally {
      removeEventListener("pagehide", abort);
    }
  }
}

function abortTransaction(transaction: IDBTransaction): void {
  try {
    transaction.abort();
  } catch {
    // All is written already.
  }
}
