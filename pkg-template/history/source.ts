// A source of a history: the records of one list or range, grouped by block.
import type { AddressQueryError } from "../errors.js";
import type { Draft } from "./draft.js";
import type { HistoryKind } from "./event.js";
import type { HistorySource } from "./public-types.js";

/** The blocks of a history. Both ends are included. */
export interface Bounds {
  from: number;
  to: number;
}

/** Records in the order of the history. */
export interface RecordStream<Item> {
  /** Reads on from the records that the last call of `next` returned. Null: from the beginning. */
  readonly resumeToken: string | null;
  /** Whether the records come in the opposite order of the list. */
  readonly isReversed?: boolean;
  /** What is missing of the records that were read. */
  readonly reasons: readonly string[];
  /** Returns the next records, or null at the end. */
  next(): Promise<readonly Item[] | null>;
  /** Starts to read the next records. */
  prefetch?(): void;
  close(): void;
}

/** The records of a source in one block. */
export interface BlockDrafts {
  block: number;
  drafts: Draft[];
  /** Reads the source again from this block on. */
  resumeToken: string | null;
}

export interface SourceOptions<Item> {
  method: string;
  kind: HistoryKind;
  stream: RecordStream<Item>;
  /** Reads instead of `stream` if the service does not have it. */
  fallback?: (() => Source) | undefined;
  /** Whether the service may lack the list or range. */
  isOptional: boolean;
  /** Whether everything was read before, in a call that this one resumes. */
  isEnded: boolean;
  createDraft(item: Item): Draft | null;
}

/** What a merge reads. */
export interface Source {
  readonly report: HistorySource;
  /** Returns the drafts of the next block, or null at the end. */
  next(): Promise<BlockDrafts | null>;
  close(): void;
}

/** Groups the records of a stream by block. It holds the records of one block, and those that the stream returns at once. */
export class BlockSource<Item> implements Source {
  readonly #options: SourceOptions<Item>;
  readonly #bounds: Promise<Bounds>;
  readonly #isAscending: boolean;
  readonly #report: HistorySource;
  #fallback: Source | undefined;
  #drafts: Draft[] = [];
  #index = 0;
  #unplaced = 0;

  constructor(options: SourceOptions<Item>, bounds: Promise<Bounds>, isAscending: boolean) {
    this.#options = options;
    this.#bounds = bounds;
    this.#isAscending = isAscending;
    this.#report = {
      method: options.method,
      kind: options.kind,
      records: 0,
      state: options.isEnded ? "complete" : "reading",
      reasons: [],
    };
  }

  get report(): HistorySource {
    return this.#fallback?.report ?? this.#report;
  }

  async next(): Promise<BlockDrafts | null> {
    if (this.#fallback !== undefined) return this.#fallback.next();
    try {
      if (!(await this.#fill())) return null;
    } catch (error) {
      if (!this.#isMissing(error)) throw error;
      this.#fallback = this.#options.fallback?.();
      if (this.#fallback !== undefined) return this.#fallback.next();
      this.#report.reasons.push((error as AddressQueryError).message);
      this.#report.state = "skipped";
      return null;
    }
    const { stream } = this.#options;
    const { resumeToken } = stream;
    // A caller that reads a second block probably reads all.
    if (this.#index > 0 && this.#report.state === "reading") stream.prefetch?.();
    const block = (this.#drafts[this.#index] as Draft).event.block_number;
    const drafts: Draft[] = [];
    do drafts.push(this.#drafts[this.#index++] as Draft);
    while ((await this.#fill()) && this.#drafts[this.#index]?.event.block_number === block);
    this.#report.records += drafts.length;
    // Records with equal indexes, those of one log, have to be in the order of the list.
    if (stream.isReversed) drafts.reverse();
    return { block, drafts, resumeToken };
  }

  close(): void {
    this.#options.stream.close();
    this.#fallback?.close();
  }

  /** Reads records until one is within the bounds. Returns false at the end. */
  async #fill(): Promise<boolean> {
    while (this.#index >= this.#drafts.length) {
      if (this.#report.state !== "reading") return false;
      const [items, { from, to }] = await Promise.all([this.#options.stream.next(), this.#bounds]);
      if (items === null) {
        this.#end();
        return false;
      }
      this.#drafts = [];
      this.#index = 0;
      for (const item of items) {
        const draft = this.#options.createDraft(item);
        if (draft === null) {
          this.#unplaced += 1;
          continue;
        }
        const block = draft.event.block_number;
        if (block >= from && block <= to) this.#drafts.push(draft);
        else if (this.#isAscending ? block > to : block < from) {
          // All further records are out of bounds, too.
          this.#end();
          break;
        }
      }
    }
    return true;
  }

  #end(): void {
    const { reasons } = this.#report;
    reasons.push(...this.#options.stream.reasons);
    // A transaction without a block is pending. It is not history.
    if (this.#unplaced > 0 && this.#options.kind !== "transaction")
      reasons.push(`${this.#unplaced} records without a block number`);
    this.#report.state = reasons.length === 0 ? "complete" : "incomplete";
    this.#options.stream.close();
  }

  /** Whether an error says that the service does not have the list or range. */
  #isMissing(error: unknown): boolean {
    const { code, status = 0 } = error as Partial<AddressQueryError>;
    const isRejected = code === "http_status" && [400, 404, 422].includes(status);
    const isMissing = isRejected || code === "refused" || code === "unsupported_version";
    return this.#options.isOptional && this.#report.records === 0 && isMissing;
  }
}
