// Entry address-query/store/node: the database of a store in a file, and files that grow with an export.
import { createHash } from "node:crypto";
import {
  closeSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { resolve } from "node:path";
import { kill, pid } from "node:process";
import { deserialize, serialize } from "node:v8";
import { deflateRawSync, inflateRawSync } from "node:zlib";
import { type DatabaseChange, memoryDatabase, type StoreDatabase } from "./database.js";
import { createStorageError } from "./storage-error.js";

export { fileTarget } from "./file-target.js";

const MAGIC = new TextEncoder().encode("address-query store 2\n");
/** The length of a change, and the start of its SHA-256, precede it. */
const LENGTH_BYTES = 4;
const CHECKSUM_BYTES = 8;
const HEADER_BYTES = LENGTH_BYTES + CHECKSUM_BYTES;
/** The file is written again when it is larger than this, and twice as large as when it was last written. */
const MIN_COMPACTION = 4_000_000;

/** The files that this process has open. */
const openFiles = new Set<string>();

/**
 * Creates a database in a file, for Node.js, Deno and Bun. All of it is in memory as well: about 90 MB per 100,000 events.
 *
 * @remarks
 * Each change is appended with its checksum, so that a process that is killed while it writes leaves the state before. One process at a time
 * can open a file: for the others the reason of the error is `blocked`. A second file with the ending `.lock` names the process.
 *
 * @example
 * ```ts
 * import { createStore, sync } from "address-query/store";
 * import { fileDatabase } from "address-query/store/node";
 *
 * const store = createStore({ database: fileDatabase("histories.db") });
 * await sync(client, store, { address_hash });
 * await store.close();
 * ```
 * @throws {AddressQueryError} `storage` if the file cannot be read or written: when it is used, not by this function.
 */
export function fileDatabase(path: string): StoreDatabase {
  const absolute = resolve(path);
  let opening: Promise<ChangeLog> | undefined;
  let writing: Promise<unknown> = Promise.resolve();
  const open = () => {
    opening ??= ChangeLog.open(absolute);
    opening.catch(() => {
      opening = undefined;
    });
    return opening;
  };
  return {
    get: async (key) => unpack(await (await open()).values.get(key)),
    async read(from, to, options) {
      const entries = await (await open()).values.read(from, to, options);
      return entries.map(([key, value]) => [key, unpack(value)]);
    },
    write(change) {
      const written = writing.then(async () => (await open()).write(change));
      writing = written.catch(() => {});
      return written;
    },
    async close() {
      await writing;
      const log = await opening?.catch(() => undefined);
      opening = undefined;
      log?.close();
    },
  };
}

/** A file of changes, and the values that they lead to, which are packed in both. */
class ChangeLog {
  readonly values = memoryDatabase();
  readonly #path: string;
  #file: number;
  /** The end of the last complete change. */
  #end = MAGIC.length;
  /** The end after the last compaction. */
  #compacted = 0;

  private constructor(path: string) {
    this.#path = path;
    // Creates it.
    closeSync(openSync(path, "a"));
    this.#file = openSync(path, "r+");
  }

  static async open(path: string): Promise<ChangeLog> {
    acquire(path);
    try {
      const log = new ChangeLog(path);
      await log.#load();
      return log;
    } catch (error) {
      release(path);
      throw createStorageError("unavailable", error);
    }
  }

  close(): void {
    closeSync(this.#file);
    release(this.#path);
  }

  async write({ remove = [], put = [] }: DatabaseChange): Promise<void> {
    // Throws for values that cannot be stored.
    const change = { remove, put: structuredClone(put).map(([key, value]) => [key, pack(value)] as const) };
    const frame = createFrame(change);
    try {
      writeFrame(this.#file, frame, this.#end);
    } catch (error) {
      throw createStorageError((error as { code?: string }).code === "ENOSPC" ? "quota" : "unavailable", error);
    }
    this.#end += frame.length;
    await this.#apply(change);
    if (this.#end > Math.max(MIN_COMPACTION, 2 * this.#compacted)) await this.#compact();
  }

  /** Reads the changes up to the first one that is not complete. */
  async #load(): Promise<void> {
    const bytes = readFileSync(this.#file);
    if (bytes.length < MAGIC.length) {
      writeFrame(this.#file, MAGIC, 0);
      return;
    }
    if (MAGIC.some((byte, index) => bytes[index] !== byte)) throw new Error("the file is not a database of fileDatabase");
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    while (this.#end + HEADER_BYTES <= bytes.length) {
      const end = this.#end + HEADER_BYTES + view.getUint32(this.#end);
      const frame = bytes.subarray(this.#end, end);
      const payload = frame.subarray(HEADER_BYTES);
      if (end > bytes.length || digest(payload).some((byte, index) => frame[LENGTH_BYTES + index] !== byte)) break;
      await this.#apply(deserialize(payload) as DatabaseChange);
      this.#end = end;
    }
    ftruncateSync(this.#file, this.#end);
  }

  /** A packed value can be a view of all bytes of the file, which `values` would copy with it. */
  async #apply({ remove, put = [] }: DatabaseChange): Promise<void> {
    await this.values.write({ remove, put: put.map(([key, packed]) => [key, new Uint8Array(packed as Uint8Array)]) });
  }

  /** Writes the values to a new file, which then replaces this one. A failure, as of a full disk, leaves this one. */
  async #compact(): Promise<void> {
    const path = `${this.#path}.new`;
    let file: number | undefined;
    try {
      file = openSync(path, "w+");
      writeFrame(file, MAGIC, 0);
      let end = MAGIC.length;
      for (const entry of await this.values.read("", "\uffff")) {
        const frame = createFrame({ put: [entry] });
        writeFrame(file, frame, end);
        end += frame.length;
      }
      fsyncSync(file);
      renameSync(path, this.#path);
      [file, this.#file] = [this.#file, file];
      this.#end = end;
    } catch {
      rmSync(path, { force: true });
    }
    if (file !== undefined) closeSync(file);
    this.#compacted = this.#end;
  }
}

/** Events repeat themselves: compressed, they are a fifth. */
const pack = (value: unknown): Uint8Array => deflateRawSync(serialize(value), { level: 1 });

const unpack = (packed: unknown): unknown => packed && deserialize(inflateRawSync(packed as Uint8Array));

function createFrame(change: DatabaseChange): Uint8Array {
  const payload = serialize(change);
  const frame = new Uint8Array(HEADER_BYTES + payload.length);
  new DataView(frame.buffer).setUint32(0, payload.length);
  frame.set(digest(payload), LENGTH_BYTES);
  frame.set(payload, HEADER_BYTES);
  return frame;
}

function digest(payload: Uint8Array): Uint8Array {
  return createHash("sha256").update(payload).digest().subarray(0, CHECKSUM_BYTES);
}

/** Writes all bytes, or fails and leaves the file as it was. */
function writeFrame(file: number, bytes: Uint8Array, position: number): void {
  try {
    for (let written = 0; written < bytes.length; )
      written += writeSync(file, bytes, written, bytes.length - written, position + written);
  } catch (error) {
    ftruncateSync(file, position);
    throw error;
  }
}

/** Prevents that another process, or another database of this one, opens the file. */
function acquire(path: string): void {
  const lock = `${path}.lock`;
  if (openFiles.has(path)) throw createStorageError("blocked");
  try {
    writeFileSync(lock, String(pid), { flag: "wx" });
  } catch (error) {
    if ((error as { code?: string }).code !== "EEXIST") throw createStorageError("unavailable", error);
    if (isRunning(Number(new TextDecoder().decode(readFileSync(lock))))) throw createStorageError("blocked", error);
    writeFileSync(lock, String(pid), { flag: "w" });
  }
  openFiles.add(path);
}

function release(path: string): void {
  rmSync(`${path}.lock`, { force: true });
  openFiles.delete(path);
}

/** Whether another process runs. Its id may be the one of this process, after a restart. */
function isRunning(id: number): boolean {
  if (id === pid || !(id > 0)) return false;
  try {
    kill(id, 0);
    return true;
  } catch (error) {
    return (error as { code?: string }).code === "EPERM";
  }
}
