// The state of an export in its store, and the parts of its file.
import type { Checkpoint } from "../history/event-call.js";
import type { Omitted } from "../public.js";
import type { StoreDatabase } from "./database.js";
import type { Report } from "./export-report.js";
import type { StoredExport } from "./export-types.js";
import { createStorageError } from "./storage-error.js";

const [STATES, PARTS] = ["export/state/", "export/part/"];
/** Changes with the format of the state: an export of another version starts over. */
const VERSION = 1;

/** What an export continues with. */
export interface ExportState extends StoredExport {
  version: number;
  /** Null: at the beginning, or at the end. */
  checkpoint: Checkpoint | null;
  /** Number of parts in the store. */
  parts: number;
  /** The columns whose fields were found in a record. */
  found: readonly string[];
  report: Report | null;
  omitted: Omitted;
  /** The last bytes of a file that grows. An array, because a database that encrypts its values may store JSON. */
  tail: readonly number[];
}

/** The entries of one export. */
export class ExportStorage {
  readonly #database: StoreDatabase;
  readonly #key: string;

  constructor(database: StoreDatabase, key: string) {
    this.#database = database;
    this.#key = key;
  }

  /** Returns the state. Undefined: there is none, or only one of another version. */
  async load(): Promise<ExportState | undefined> {
    const state = (await this.#database.get(STATES + this.#key)) as ExportState | undefined;
    return state?.version === VERSION ? state : undefined;
  }

  /** Saves the state, with the last one of its parts. */
  save(state: Omit<ExportState, "version" | "key">, part?: Uint8Array): Promise<void> {
    const entry = [STATES + this.#key, { ...state, version: VERSION, key: this.#key }] as const;
    return this.#database.write({ put: part ? [entry, [this.#getPartKey(state.parts - 1), part]] : [entry] });
  }

  /** Returns a part. Throws if it is missing, because it was deleted meanwhile. */
  async readPart(index: number): Promise<Uint8Array<ArrayBuffer>> {
    const part = await this.#database.get(this.#getPartKey(index));
    if (part instanceof Uint8Array) return part as Uint8Array<ArrayBuffer>;
    await this.remove();
    throw createStorageError("closed");
  }

  remove(): Promise<void> {
    const state = STATES + this.#key;
    return this.#database.write({
      remove: [
        [state, `${state}\0`],
        [this.#getPartKey(0), this.#getPartKey(Number.MAX_SAFE_INTEGER)],
      ],
    });
  }

  /** Parts are in their order. The length precedes the key, so that no key is the beginning of another one. */
  #getPartKey(index: number): string {
    return `${PARTS}${this.#key.length}/${this.#key}/${String(index).padStart(16, "0")}`;
  }
}

/** Lists the states of the exports in a database. */
export async function readStates(database: StoreDatabase): Promise<ExportState[]> {
  const entries = await database.read(STATES, "export/state0");
  return entries.map(([, state]) => state as ExportState);
}
