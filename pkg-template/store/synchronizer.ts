// Brings a copy up to date: reads what is not final, and compares it with what is stored.
import {
  type HistoryCall,
  type HistoryClient,
  type HistoryEvent,
  type HistoryKind,
  type HistoryReport,
  history,
} from "../history/index.js";
import { type AddressQueryError, type IndexingStatus, isAddressQueryError } from "../public.js";
import { encodeChunks, formatPlace, getBytes, startOf } from "./chunks.js";
import { type Copy, type CopyState, END, type Gap, OLDER_FORMS } from "./copy.js";
import { findFinal } from "./finality.js";
import { listNotes, replaceNotes } from "./notes.js";
import type { SyncParams, SyncReport } from "./public-types.js";
import { createStorageError } from "./storage-error.js";
import { createReport } from "./stored-report.js";

/** The numbers of stored events that must still be there. More are compared if some are gone, and in the end all are read again. */
const ANCHORS = [20, 400, Number.POSITIVE_INFINITY];
const LAST_ATTEMPT = ANCHORS.length - 1;
/** A sync that reads no more events than this writes once. */
const MAX_BUFFER = 500;
/** The events of the first write of a new copy, which can then be shown. */
const FIRST_BUFFER = 50;

/** Whether the service has the stored events. `behind`: its newest block is older than they are. */
type Comparison = "same" | "different" | "behind";

/** Blocks. Both ends are included. */
export interface BlockRange {
  from: number;
  to: number;
}

export interface SyncSetup extends Pick<SyncParams, "signal" | "onProgress"> {
  include: readonly HistoryKind[];
  client: HistoryClient;
  copy: Copy;
  /** Whether to continue without the database if it fails. */
  isStoreOptional: boolean;
}

export class Synchronizer {
  readonly #setup: SyncSetup;
  #state: CopyState;
  #error: AddressQueryError | null = null;
  /** The state in the database, as JSON. Undefined: there is none. */
  #written: string | undefined;
  #restarted: SyncReport["restarted"] = null;
  #isBehind = false;
  /** The newest block of the service. */
  #head = 0;
  #status: IndexingStatus | null = null;
  /** The state before this sync. */
  #stored: CopyState;
  #call: HistoryCall | undefined;
  #read = 0;
  #added = 0;
  /** Keys and blocks of stored events that the service no longer had in their blocks. */
  readonly #gone = new Map<string, number>();
  /** The keys of the events that were read. */
  readonly #seen = new Set<string>();
  /** The last block before this sync that no reorganisation replaces. */
  #settled = -1;
  /** Whether this sync knows the last final block. */
  #hasFinal = false;
  /** The blocks that were read to their ends. */
  readonly ranges: BlockRange[] = [];

  constructor(setup: SyncSetup) {
    this.#setup = setup;
    const { source, account } = setup.copy;
    this.#state = {
      ...{ source, account, kinds: setup.include, methods: {}, head: -1, final: -1, settled: -1 },
      ...{ status: null, gaps: [], notes: [], events: 0, bytes: 0, synced_at: null, read_at: null },
    };
    this.#stored = this.#state;
  }

  get report(): SyncReport {
    const { kinds, head, events } = this.#state;
    return {
      ...createReport(this.#state, { from: 0, to: head, kinds, records: {} }),
      events,
      added: this.#added,
      removed: [...this.#gone.keys()],
      restarted: this.#restarted,
      shared: false,
      behind: this.#isBehind,
      error: this.#error,
    };
  }

  /** Synchronizes. Yields the events of each write, newest first within it. */
  async *run(): AsyncGenerator<HistoryEvent[], void, undefined> {
    const { copy, include } = this.#setup;
    const loaded = await this.#attempt(() => copy.load());
    this.#written = JSON.stringify(loaded);
    const stored = loaded ?? this.#state;
    this.#stored = stored;
    const kinds = [...new Set([...stored.kinds, ...include])];
    this.#state = { ...stored, kinds };
    this.#settled = stored.settled;
    let attempt = 0;
    if (kinds.length > stored.kinds.length) {
      this.#restarted = "kinds";
      attempt = LAST_ATTEMPT;
    }
    for (;;) {
      await this.#plan(ANCHORS[attempt] as number);
      const older = this.#state.gaps.length;
      const result = yield* this.#readGaps();
      if (result === "same") return;
      if (result === "behind" && (await this.#isSameChain())) {
        this.#isBehind = true;
        this.#state = { ...stored, kinds };
        return;
      }
      this.#restarted = "other_events";
      this.#settled = -1;
      // Only the newest gap has anchors that are nearer.
      attempt = result === "different" && this.#state.gaps.length === older ? Math.min(attempt + 1, LAST_ATTEMPT) : LAST_ATTEMPT;
    }
  }

  /** Plans what to read: from stored events that must still be there to the newest block, and older gaps. */
  async #plan(count: number): Promise<void> {
    if (!Number.isFinite(count)) this.#state = { ...this.#state, final: -1, settled: -1 };
    const { final, settled } = this.#state;
    const gaps = Number.isFinite(count) ? [...this.#state.gaps] : [];
    const anchors: Gap["anchors"] = [];
    let from = 0;
    for await (const event of Number.isFinite(count) ? this.#readStored(settled) : []) {
      const { key, block_number } = event;
      const place = formatPlace(event);
      const lowest = anchors.at(-1)?.[1] ?? 0;
      const isInGap = gaps[0] !== undefined && place < gaps[0].before;
      // Anchors after a gap prove that its token continues on the same chain.
      if (anchors.length > 0 && (isInGap || (anchors.length >= count && block_number < lowest))) {
        from = lowest;
        break;
      }
      while (gaps[0] && block_number < gaps[0].from) gaps.shift();
      if (!gaps[0] || place >= gaps[0].before) anchors.push([key, block_number]);
    }
    if (gaps.length > 0) from ||= anchors.at(-1)?.[1] ?? 0;
    from = Math.min(from, final + 1);
    const before = startOf(from);
    const older = gaps.filter((gap) => gap.from < from).map((gap) => (gap.before < before ? gap : { ...gap, before }));
    // The events of a gap that is read again may be from another chain than the blocks before it: its own anchors tell.
    for (const gap of gaps) if (gap.from >= from) anchors.push(...gap.anchors);
    const top = { from, to: null, before: END, token: null, anchors: from === 0 ? [] : anchors, notes: [] };
    this.#state = { ...this.#state, gaps: [top, ...older] };
    this.#hasFinal = false;
  }

  /** Reads the stored events up to a block, newest first. */
  async *#readStored(last: number): AsyncGenerator<HistoryEvent, void, undefined> {
    if (this.#error !== null || last < 0) return;
    for await (const events of this.#setup.copy.read(startOf(0), startOf(last + 1), false)) yield* events;
  }

  async *#readGaps(): AsyncGenerator<HistoryEvent[], Comparison, undefined> {
    for (;;) {
      const [gap, ...older] = this.#state.gaps;
      if (gap === undefined) return "same";
      const call = this.#open(gap);
      try {
        const result = yield* this.#readGap(gap, call);
        if (result !== "same") return result;
      } catch (error) {
        const isRefused = isAddressQueryError(error) && /^(invalid_parameter|cursor)$/.test(error.code);
        if (!isRefused || gap.token === null) throw error;
        // The token is from another version of the package, or the service no longer continues its list.
        const [left = gap] = this.#state.gaps;
        this.#state = { ...this.#state, gaps: [{ ...left, to: toBlock(left.before), token: null }, ...older] };
      }
    }
  }

  /** Creates a client that requests the indexing status only if there are new blocks, or if it has not verified the others. */
  #createClient(): HistoryClient {
    const { client } = this.#setup;
    const indexingStatus: HistoryClient["indexingStatus"] = async (...args) => {
      const { final, settled, head, status } = this.#stored;
      const isSame = final === settled && this.#call?.report?.to === head;
      this.#status = isSame && status ? status : await client.indexingStatus(...args);
      return this.#status;
    };
    return new Proxy(client, {
      get(target, name) {
        const member: unknown = name === "indexingStatus" ? indexingStatus : Reflect.get(target, name);
        return typeof member === "function" ? member.bind(target) : member;
      },
    });
  }

  #open({ from, to, token }: Pick<Gap, "from" | "to" | "token">): HistoryCall {
    const { copy, signal } = this.#setup;
    const filter = { address_hash: copy.account, include: this.#state.kinds, signal };
    this.#call = history(this.#createClient(), { ...filter, from, to: to ?? undefined, resume: token ?? undefined });
    return this.#call;
  }

  /** Reads the newest gap to its end. */
  async *#readGap(gap: Gap, call: HistoryCall): AsyncGenerator<HistoryEvent[], Comparison, undefined> {
    const { before, anchors } = gap;
    const isBehind = () => {
      this.#head = call.report?.to ?? 0;
      return before === END && this.#head < this.#state.settled;
    };
    const missing = new Map(anchors);
    let limit = this.#state.head < 0 ? FIRST_BUFFER : MAX_BUFFER;
    let events: HistoryEvent[] = [];
    try {
      for await (const event of call) {
        if (isBehind()) return "behind";
        // A token may be of a place in blocks that were read again.
        if (formatPlace(event) >= before) continue;
        if (missing.get(event.key) === event.block_number) missing.delete(event.key);
        events.push(event);
        if (events.length < limit) continue;
        const written = events;
        events = [];
        limit = MAX_BUFFER;
        await this.#write(gap, call, written, [...missing], false);
        yield written;
      }
    } catch (error) {
      // The token of the failure continues after these events. A failure of the database has its own reason.
      if (this.#error === null && call.report !== null && (events.length > 0 || before !== END))
        await this.#write(gap, call, events, [...missing], false);
      throw error;
    }
    if (isBehind()) return "behind";
    // The newest ones may have changed late, or by a reorganisation that goes just beyond the final blocks.
    const oldest = anchors.slice(Math.floor(anchors.length / 2));
    if (oldest.some(([key]) => missing.has(key))) return "different";
    await this.#write(gap, call, events, [], true);
    if (events.length > 0) yield events;
    return "same";
  }

  /**
   * Replaces the stored events of the blocks that were read, and the state, in one write. `begun` is the gap when `call` began to read it.
   */
  async #write(
    begun: Gap,
    call: HistoryCall,
    events: readonly HistoryEvent[],
    anchors: Gap["anchors"],
    isEnd: boolean,
  ): Promise<void> {
    const { copy } = this.#setup;
    const report = call.report as HistoryReport;
    const [gap, ...older] = this.#state.gaps as [Gap, ...Gap[]];
    const isTop = gap.before === END;
    const last = events.at(-1);
    const low = isEnd ? startOf(gap.from) : last ? formatPlace(last) : gap.before;
    // Until this gap is read, events that were mined again in other blocks would be stored twice.
    const unsettled = startOf(Math.max(this.#settled + 1, gap.from));
    const from = isTop && unsettled < low ? unsettled : low;
    const old = await this.#attempt(() => copy.readChunks(from, gap.before));
    this.#compare(old?.events ?? [], events);
    if (isTop) this.#state = { ...this.#state, head: report.to };
    if (isTop || toBlock(gap.before) > this.#state.final) this.#advance(events);
    if (isEnd) {
      this.#settle(gap, report);
      // The newest block may have been read in part before.
      this.ranges.push({ from: gap.from, to: begun.before === END ? Number.POSITIVE_INFINITY : toBlock(begun.before) - 1 });
    }
    const to = begun.before === END ? report.to : toBlock(begun.before);
    const notes = [...begun.notes, ...listNotes(report, toBlock(low), to, this.#state.final)];
    const gaps = isEnd ? older : [{ ...gap, before: low, token: call.resumeToken, anchors, notes }, ...older];
    // No chunk is in two gaps.
    const rest = old?.rest ?? [];
    const parts = gaps.length === 0 ? [[...events, ...rest]] : [events, rest];
    const chunks = parts.flatMap((part) => encodeChunks(copy.prefix, part));
    const state = this.#state;
    const now = new Date().toISOString();
    this.#state = {
      ...state,
      gaps,
      notes: isEnd ? replaceNotes(state.notes, notes, gap.from, to) : state.notes,
      events: state.events + events.length - (old?.events.length ?? 0),
      bytes: state.bytes + sumBytes(chunks) - sumBytes(old?.entries ?? []),
      synced_at: gaps.length === 0 ? now : state.synced_at,
      read_at: isTop ? now : state.read_at,
    };
    const remove = [OLDER_FORMS, [copy.prefix + from, copy.prefix + gap.before]] as const;
    await this.#attempt(async () => {
      // If the copy was removed meanwhile, or changed where tabs have no locks, the state would claim events that are not there.
      if (JSON.stringify(await copy.load()) !== this.#written) throw createStorageError("closed");
      await copy.database.write({ remove, put: [...chunks, [copy.key, this.#state]] });
      this.#written = JSON.stringify(this.#state);
    });
    this.#report(events.length, toBlock(low), gap.from);
  }

  /** Finds what has changed. */
  #compare(old: readonly HistoryEvent[], events: readonly HistoryEvent[]): void {
    for (const { key, block_number } of old) if (!this.#seen.has(key)) this.#gone.set(key, block_number);
    for (const { key, block_number } of events) {
      if (this.#gone.get(key) !== block_number && !this.#seen.has(key)) this.#added += 1;
      this.#gone.delete(key);
      this.#seen.add(key);
    }
  }

  #advance(events: readonly HistoryEvent[]): void {
    const { head, source } = this.#state;
    const final = this.#hasFinal ? undefined : findFinal(events, head, source.chainId);
    if (final === undefined) return;
    this.#hasFinal = true;
    this.#state = { ...this.#state, final, settled: final };
  }

  #settle({ from }: Gap, { sources }: HistoryReport): void {
    const isVerified = sources.every(({ unverified }) => unverified === undefined);
    const methods = Object.fromEntries(sources.map(({ kind, method }) => [kind, method]));
    const status = this.#status ?? this.#state.status;
    this.#state = {
      ...this.#state,
      methods,
      status,
      final: isVerified ? this.#state.final : Math.min(this.#state.final, from - 1),
    };
  }

  /** Finds out whether a service that is behind the stored events has those up to its newest block. */
  async #isSameChain(): Promise<boolean> {
    const anchors = new Map<string, number>();
    let from = 0;
    for await (const { key, block_number } of this.#readStored(this.#head)) {
      if (anchors.size >= (ANCHORS[0] as number) && block_number < from) break;
      anchors.set(key, block_number);
      from = block_number;
    }
    for await (const { key, block_number } of this.#open({ from, to: null, token: null })) {
      if (anchors.size === 0) return false;
      if (anchors.get(key) === block_number) anchors.delete(key);
    }
    return anchors.size === 0;
  }

  #report(count: number, block: number, from: number): void {
    this.#read += count;
    const { head } = this.#state;
    const fraction = head > from ? Math.min(1, (head - block) / (head - from)) : 1;
    this.#setup.onProgress?.({ events: this.#read, block, fraction });
  }

  /** Uses the database. After a failure, it is not used again. */
  async #attempt<Value>(use: () => Promise<Value>): Promise<Value | undefined> {
    if (this.#error !== null) return undefined;
    try {
      return await use();
    } catch (error) {
      if (!isAddressQueryError(error) || error.code !== "storage") throw error;
      this.#error = error;
      if (this.#setup.isStoreOptional) return undefined;
      throw error;
    }
  }
}

/** The block of a place. */
const toBlock = (place: string): number => Number.parseInt(place, 10);

function sumBytes(entries: readonly (readonly [string, unknown])[]): number {
  return entries.reduce((sum, [, value]) => sum + getBytes(value), 0);
}
