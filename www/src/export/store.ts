// Chooses where to keep exports while they are written: in the browser's database if it works, otherwise in memory.
import { hasDatabase, openDatabase } from "./database-store.js";
import { MemoryStore } from "./memory-store.js";
import type { ExportStore, SavedExport } from "./saved-export.js";

let store: Promise<ExportStore> | null = null;

export function openStore(): Promise<ExportStore> {
  store ??= openDatabase().catch(() => new MemoryStore());
  return store;
}

export async function findExport(key: string): Promise<SavedExport | null> {
  // Without storage, nothing was kept.
  if (store === null && !(await hasDatabase().catch(() => false))) return null;
  return (await openStore()).find(key);
}

/** The file as a stream that reads one chunk at a time. */
export function readChunks({ key, chunks }: SavedExport): ReadableStream<Uint8Array<ArrayBuffer>> {
  let index = 0;
  return new ReadableStream({
    async pull(controller) {
      if (index === chunks) return controller.close();
      const store = await openStore();
      controller.enqueue(await store.readChunk(key, index));
      index += 1;
    },
  });
}
