// An export in progress, and the store that holds it.

/** A stored export. Its bytes are stored separately, in chunks. */
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

export interface ExportStore {
  /** Whether exports continue after a reload. */
  readonly isPersistent: boolean;
  find(key: string): Promise<SavedExport | null>;
  /** Adds a chunk. Its bytes and the position of the export are stored together, even if the page is closed meanwhile. */
  append(saved: SavedExport, bytes: Uint8Array<ArrayBuffer>): Promise<void>;
  readChunk(key: string, index: number): Promise<Uint8Array<ArrayBuffer>>;
  delete(key: string): Promise<void>;
}
