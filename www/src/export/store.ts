// Keeps exports in this browser while they are written, so that they continue after a reload.

/** An export as it is kept. Its bytes are apart, in chunks. */
export interface SavedExport {
  key: string;
  /** Label of the CSV columns, or `NDJSON`. */
  format: string;
  /** Continues after the records that are written. Null: nothing is written yet, or everything is. */
  resume: string | null;
  isComplete: boolean;
  records: number;
  bytes: number;
  /** Number of chunks. */
  chunks: number;
  /** Expected number of records. Null: not known. */
  total: number | null;
}

const [DATABASE, EXPORTS, CHUNKS] = ["address-query-exports", "exports", "chunks"];

const settle = <Value>(request: IDBRequest<Value>): Promise<Value> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

let database: Promise<IDBDatabase> | null = null;

function open(): Promise<IDBDatabase> {
  const request = indexedDB.open(DATABASE, 1);
  request.onupgradeneeded = () => {
    request.result.createObjectStore(EXPORTS, { keyPath: "key" });
    request.result.createObjectStore(CHUNKS);
  };
  return settle(request);
}

/** Runs `act` in one transaction: all of its changes are made, or none. */
async function transact(mode: IDBTransactionMode, act: (exports: IDBObjectStore, chunks: IDBObjectStore) => void): Promise<void> {
  database ??= open();
  const transaction = (await database).transaction([EXPORTS, CHUNKS], mode);
  act(transaction.objectStore(EXPORTS), transaction.objectStore(CHUNKS));
  await new Promise<void>((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error);
  });
}

const allChunks = (key: string): IDBKeyRange => IDBKeyRange.bound([key, 0], [key, Number.MAX_SAFE_INTEGER]);

export async function findExport(key: string): Promise<SavedExport | null> {
  database ??= open();
  const exports = (await database).transaction(EXPORTS).objectStore(EXPORTS);
  return (await settle<SavedExport | undefined>(exports.get(key))) ?? null;
}

/** Adds a chunk. The position of the export and its bytes never differ, whenever the page is closed. */
export const appendChunk = (saved: SavedExport, bytes: Uint8Array): Promise<void> =>
  transact("readwrite", (exports, chunks) => {
    chunks.put(new Blob([bytes as Uint8Array<ArrayBuffer>]), [saved.key, saved.chunks - 1]);
    exports.put(saved);
  });

export const deleteExport = (key: string): Promise<void> =>
  transact("readwrite", (exports, chunks) => {
    exports.delete(key);
    chunks.delete(allChunks(key));
  });

/** The file as a stream, which reads one chunk after the other. */
export function readChunks({ key, chunks: count }: SavedExport): ReadableStream<Uint8Array<ArrayBuffer>> {
  let index = 0;
  return new ReadableStream({
    async pull(controller) {
      if (index === count) return controller.close();
      database ??= open();
      const chunks = (await database).transaction(CHUNKS).objectStore(CHUNKS);
      const blob = await settle<Blob>(chunks.get([key, index]));
      controller.enqueue(new Uint8Array(await blob.arrayBuffer()));
      index += 1;
    },
  });
}
