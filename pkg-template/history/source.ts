// A source of a history: the records of one list or range, grouped by block.
import { sumOmitted, UNSERVED_PAGE } from "../entry-support.js";
import { AddressQueryError, type IndexingStatus } from "../public.js";
import { createKey } from "./block-events.js";
import type { Draft } from "./draft.js";
import type { HistoryKind } from "./event.js";
import type { Bounds, SourceStart } from "./position.js";
import type { HistorySource } from "./public-types.js";
import type { Recipients } from "./recipients.js";
import type { RecordStream } from "./streams.js";

/** The context that the sources of a history share. */
export interface HistoryContext {
  bounds: Promise<Bounds>;
  isAscending: boolean;
  /**
   * Whether to send only the requests that the next event needs: pages are prefetched from the second one on, and the indexing status is
   * requested at the end of the history.
   */
  isSparing: boolean;
  /** Collects the recipients of all records. */
  recipients: Recipients;
  /** Returns the indexing status of the instance. Null: it states none. */
  getStatus(): Promise<IndexingStatus | null>;
}

/** The drafts of one block. */
export interface BlockDrafts {
  block: number;
  drafts: Draft[];
}

/** The list or range that a source reads. */
export interface SourceReader {
  /** The method of the client. */
  method: string;
  stream: RecordStream;
  createDraft(item: unknown): Draft | null;
  /** Whether the service may lack the list or range. */
  isOptional: boolean;
  /** Whether equal drafts are one record that was returned twice. Equal rows of a range are several transfers. */
  isUnique: boolean;
  /** Creates the reader that continues from a block on if the service refuses the account interface or lacks the range. */
  createFallback?: ((bounds: Promise<Bounds>) => SourceReader) | undefined;
}

/** The rows of a range lack something that the records of its fallback have. */
export class UnusableRowsError extends Error {}

/** Groups the records of a stream by block. It holds the records of one block, and those that the stream returns at once. */
export class Source {
  readonly report: HistorySource;
  /** Where to continue: at the block that was returned last, which is read again. */
  start: SourceStart;
  #reader: SourceReader;
  /** The blocks that the reader reads. A fallback reads only the rest of the bounds. */
  #bounds: Promise<Bounds>;
  readonly #context: HistoryContext;
  #drafts: Draft[] = [];
  #index = 0;
  #pages = 0;
  /** Whether the records were read to their end. */
  #isEnded: boolean;
  /** The block of the last record of a list that is read newest first. */
  #last = Number.POSITIVE_INFINITY;
  #unplaced = 0;
  /** Whether the service had records within the bounds. */
  #hasRecords = false;
  /** Records that replaced readers omitted. */
  #omitted = sumOmitted();
  /** The first block that was not returned. */
  #next = 0;

  constructor(kind: HistoryKind, reader: SourceReader, start: SourceStart, context: HistoryContext) {
    this.report = {
      method: reader.method,
      kind,
      records: 0,
      state: start === false ? "complete" : "reading",
      reasons: [],
      replaced: null,
      omitted: sumOmitted(),
    };
    this.start = start;
    this.#isEnded = start === false;
    this.#reader = reader;
    this.#bounds = context.bounds;
    this.#context = context;
  }

  /** Returns the drafts of the next block, or null at the end. */
  async next(): Promise<BlockDrafts | null> {
    try {
      return await this.#readBlock();
    } catch (error) {
      const { code, status, message } = error as AddressQueryError;
      const failure = `${code} ${status}`;
      const { createFallback, isOptional } = this.#reader;
      const isMissing =
        isOptional && this.report.records === 0 && /^(refused|unsupported_version|http_status (400|404|422))/.test(failure);
      const isDenied = error instanceof UnusableRowsError || /^api_key|^unsupported_version|403$/.test(failure);
      if (createFallback && (isMissing || isDenied)) {
        this.#replaceReader(createFallback, message);
        return this.next();
      }
      if (!isMissing) throw error;
      this.report.reasons.push(message);
      this.report.state = "skipped";
      return null;
    }
  }

  async #readBlock(): Promise<BlockDrafts | null> {
    const first = await this.#peek(true);
    if (first === undefined) {
      // An incomplete source starts again, so that a resumed history reports the same problems.
      if (this.report.state === "complete") this.start = false;
      return null;
    }
    const { stream, isUnique } = this.#reader;
    // A caller that reads a second block probably reads all blocks.
    if (this.#index > 0 && !this.#isEnded && (this.#pages > 1 || !this.#context.isSparing)) stream.prefetch?.();
    const block = first.event.block_number;
    const drafts: Draft[] = [];
    for (let draft: Draft | undefined = first; draft?.event.block_number === block; draft = await this.#peek(false)) {
      drafts.push(draft);
      this.#index += 1;
    }
    if (isUnique && new Set(drafts.map((draft) => `${createKey(draft)} ${draft.index}`)).size < drafts.length)
      throw createOrderError();
    this.report.records += drafts.length;
    // Records with equal indexes, from one log, must be in the order of the list.
    if (stream.isReversed) drafts.reverse();
    this.#next = block + 1;
    return { block, drafts };
  }

  /** Continues with another reader from the first block that was not returned. */
  #replaceReader(createFallback: NonNullable<SourceReader["createFallback"]>, reason: string): void {
    const { report } = this;
    const { method, stream } = this.#reader;
    report.replaced = `${method}: ${reason}`;
    report.reasons.push(...stream.reasons);
    // The new reader will omit the records of the first block that was not returned again. Their block may be unknown.
    const { count, first } = stream.omitted;
    const kept = first.filter(({ block }) => (block ?? 0) < this.#next);
    this.#omitted = { count: count - first.length + kept.length, first: kept };
    this.#bounds = this.#bounds.then((bounds) => ({ ...bounds, from: Math.max(bounds.from, this.#next) }));
    this.#reader = createFallback(this.#bounds);
    report.method = this.#reader.method;
    this.#drafts = [];
  }

  /** Returns the next draft within the bounds, or undefined at the end. `isFirst`: the last block is complete. */
  async #peek(isFirst: boolean): Promise<Draft | undefined> {
    const { stream, createDraft } = this.#reader;
    for (;;) {
      if (isFirst) this.start = stream.start;
      if (this.#index < this.#drafts.length || this.#isEnded) return this.#drafts[this.#index];
      // A page that is read before the newest block is known may lack the records of that block.
      const { from, to } = await this.#bounds;
      let items: readonly unknown[] | null = null;
      try {
        if (from <= to) items = await stream.next();
      } catch (error) {
        if (isFirst) this.start = stream.start;
        else if (stream.isReversed) return undefined;
        throw error;
      }
      this.#pages += 1;
      this.report.omitted = sumOmitted(this.#omitted, stream.omitted);
      const drafts = (items ?? []).map(createDraft).filter((draft) => draft !== null);
      for (const draft of drafts) this.#context.recipients.addProven(draft);
      if (!this.#context.isAscending) this.#checkOrder(drafts);
      this.#unplaced += (items?.length ?? 0) - drafts.length;
      this.#drafts = drafts.filter(({ event }) => event.block_number >= from && event.block_number <= to);
      this.#hasRecords ||= this.#drafts.length > 0;
      this.#index = 0;
      const isBeyond = ({ event }: Draft) => (this.#context.isAscending ? event.block_number > to : event.block_number < from);
      this.#isEnded = items === null || drafts.some(isBeyond);
      if (this.#isEnded && !this.#context.isSparing) await this.verify();
    }
  }

  /** A list out of order would end early at a block, or deliver a block twice. The client checks lists and ranges oldest first. */
  #checkOrder(drafts: readonly Draft[]): void {
    for (const { event } of drafts) {
      if (event.block_number > this.#last) throw createOrderError();
      this.#last = event.block_number;
    }
  }

  /** Adds a reason why records that were read may be missing or outdated. */
  addReason(reason: string): void {
    if (this.report.state === "skipped") return;
    this.report.state = "incomplete";
    this.report.reasons.push(reason);
  }

  /** At the end of the records, finds out whether they are complete. */
  async verify(): Promise<void> {
    const { report } = this;
    if (!this.#isEnded || report.state !== "reading") return;
    const { from, to } = await this.#context.bounds;
    report.reasons.push(...this.#reader.stream.reasons);
    if (from <= to && isUnverified(report.kind, await this.#context.getStatus(), this.#hasRecords)) {
      report.unverified = { from, to };
      report.reasons.push(`blocks ${from} to ${to}: not verified; the instance does not state that it has indexed them`);
    }
    const { count, first } = report.omitted;
    const atLeast = first.some(({ path }) => path === UNSERVED_PAGE) ? "at least " : "";
    if (count > 0) report.reasons.push(`${atLeast}${count} records were omitted`);
    // A transaction without a block is pending. It is not history.
    if (this.#unplaced > 0 && report.kind !== "transaction")
      report.reasons.push(`${this.#unplaced} records without a block number`);
    report.state = report.reasons.length === 0 ? "complete" : "incomplete";
  }
}

/**
 * Whether the instance does not state that it has indexed all records of a kind: then an empty list proves nothing. `status` is null if
 * it states nothing.
 */
export function isUnverified(kind: HistoryKind, status: IndexingStatus | null, hasRecords: boolean): boolean {
  if (status?.finished_indexing_blocks === false) return true;
  if (kind !== "internal_transaction") return false;
  const share = status?.indexed_internal_transactions_ratio ?? status?.finished_indexing;
  return share == null ? !hasRecords : Number(share) < 1;
}

/** Creates the error of a list whose records come out of order or twice. It has the same code as the error of `all()`. */
function createOrderError(): AddressQueryError {
  const message = "the service returned records out of order or twice; read the list page by page instead";
  return AddressQueryError.create("cursor", message);
}
