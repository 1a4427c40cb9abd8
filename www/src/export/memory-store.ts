// Keeps exports until the page is closed.
import type { ExportStore, SavedExport } from "./saved-export.js";

export class MemoryStore implements ExportStore {
  readonly isPersistent = false;
  /** Blobs, because browsers can move them to disk. */
  readonly #chunks = new Map<string, Blob[]>();

  async find(): Promise<null> {
    return null;
  }

  async append({ key, chunks: count }: SavedExport, bytes: Uint8Array<ArrayBuffer>): Promise<void> {
    const chunks = this.#chunks.get(key) ?? [];
    chunks[count - 1] = new Blob([bytes]);
    this.#chunks.set(key, chunks);
  }

  async readChunk(key: string, index: number): Promise<Uint8Array<ArrayBuffer>> {
    const chunk = this.#chunks.get(key)?.[index] ?? new Blob();
    return new Uint8Array(await chunk.arrayBuffer());
  }

  async delete(key: string): Promise<void> {
    this.#chunks.delete(key);
  }
}
