// A copy of one history in the database: what is stored of it, and how it is read.
import type { HistoryEvent, HistoryKind, HistorySource } from "../history/index.js";
import type { ClientSource, IndexingStatus } from "../public.js";
import { CHUNK_EVENTS, decodeChunk, type EventPlace, formatPlace, startOf } from "./chunks.js";
import type { StoreDatabase } from "./database.js";

/** The version of the stored form. Copies of other versions are read anew. It changes with the meaning or the fields of an event. */
export const FORM = 2;
const PREFIX = `history/${FORM}/`;
/** The range of copies of older forms. */
export const OLDER_FORMS = ["history/", PREFIX] as const;
const ACCOUNTS = `${PREFIX}accounts/`;
const EVENTS = `${PREFIX}events/`;
/** Chunks that are read at once: the first ones have a page of events and the end of their last block. */
const FIRST_CHUNKS = 2;
const READ_CHUNKS = 1000 / CHUNK_EVENTS;

/** Blocks that are not read yet, or not read again. */
export interface Gap {
  from: number;
  /** The last block of the history that reads it. Null: the newest one. */
  to: number | null;
  /** The place after it: of the oldest event that was read, or the end of all. */
  before: string;
  /** The token of `history` that continues with it. Null: it was not begun. */
  token: string | null;
  /** Stored events in its oldest blocks, by key, which the service must have as well. */
  anchors: [key: string, block: number][];
  /** What is missing in its blocks that were read. */
  notes: Note[];
}

/** What is missing in blocks that were read. */
export interface Note extends Pick<HistorySource, "kind" | "state" | "reasons" | "omitted" | "unverified"> {
  from: number;
  to: number;
}

/** What is known about a copy. It is written together with its events. */
export interface CopyState {
  source: ClientSource;
  account: string;
  kinds: readonly HistoryKind[];
  /** The methods of the client that have read it, by kind. */
  methods: { [Kind in HistoryKind]?: string };
  /** The newest block when it was read. -1: nothing was read. */
  head: number;
  /** The last block that is final. The blocks after it are read again. */
  final: number;
  /** The last block that no reorganisation replaces. Its internal transactions may not be indexed yet, so that it is not final. */
  settled: number;
  /** What the instance stated then. */
  status: IndexingStatus | null;
  /** Newest first. */
  gaps: Gap[];
  notes: Note[];
  events: number;
  bytes: number;
  synced_at: string | null;
  /** The time when the newest block was read. */
  read_at: string | null;
}

/** A copy, whether or not it is stored. */
export class Copy {
  readonly database: StoreDatabase;
  readonly key: string;
  /** The prefix of the keys of its chunks. */
  readonly prefix: string;
  readonly source: ClientSource;
  /** In lower case. */
  readonly account: string;

  constructor(database: StoreDatabase, source: ClientSource, account: string) {
    // Some options are undefined.
    const id = `${encodeURIComponent(JSON.stringify(source))}/${account}`;
    this.database = database;
    this.source = JSON.parse(JSON.stringify(source));
    this.account = account;
    this.key = ACCOUNTS + id;
    this.prefix = `${EVENTS}${id}/`;
  }

  /** Lists the stored copies. */
  static async list(database: StoreDatabase): Promise<CopyState[]> {
    const entries = await database.read(ACCOUNTS, `${PREFIX}accounts0`);
    return entries.map(([, state]) => state as CopyState);
  }

  async load(): Promise<CopyState | undefined> {
    return (await this.database.get(this.key)) as CopyState | undefined;
  }

  /** The ranges of its keys. */
  get ranges(): [string, string][] {
    return [
      [this.key, `${this.key} `],
      [this.prefix, `${this.prefix}:`],
    ];
  }

  /** Reads the chunks of the events from one place to another, and the rest of the oldest one, before `from`. */
  async readChunks(from: string, before: string) {
    const entries = await this.database.read(this.prefix + from, this.prefix + before);
    const events = entries.reverse().flatMap(([, value]) => decodeChunk(value));
    const isInside = (event: EventPlace) => formatPlace(event) >= from;
    return { entries, events: events.filter(isInside), rest: events.filter((event) => !isInside(event)) };
  }

  /** Selects the blocks of some chunks at random, up to the last final block. */
  async sample(count: number, last: number): Promise<{ from: number; to: number }[]> {
    const entries = await this.database.read(this.prefix, this.prefix + endOf(last));
    const ranges: { from: number; to: number }[] = [];
    while (ranges.length < count && entries.length > 0) {
      const [[, value] = []] = entries.splice(Math.floor(Math.random() * entries.length), 1);
      const events = decodeChunk(value);
      const [first, oldest] = [events[0], events.at(-1)] as [EventPlace, EventPlace];
      ranges.push({ from: oldest.block_number, to: first.block_number });
    }
    return ranges;
  }

  /** Reads the events with `from <= place < before`, in order, chunk by chunk. */
  async *read(from: string, before: string, isAscending: boolean): AsyncGenerator<HistoryEvent[], void, undefined> {
    const end = `${this.prefix}:`;
    let first = this.prefix + from;
    let after = this.prefix + before;
    let isLast = false;
    const load = async (limit: number) => {
      if (isLast) return [];
      const entries = await this.database.read(first, after, { reverse: !isAscending, limit });
      const key = `${entries.at(-1)?.[0]}`;
      if (isAscending) first = `${key} `;
      else after = key;
      isLast = entries.length < limit;
      return entries;
    };
    // A chunk has the place of its newest event, so the first chunk after the range may have events in it.
    const [later] = after < end ? await this.database.read(after, end, { limit: 1 }) : [];
    after = later ? `${later[0]} ` : end;
    const isInside = (event: EventPlace) => formatPlace(event) >= from && formatPlace(event) < before;
    for (let next = load(FIRST_CHUNKS); ; ) {
      const entries = await next;
      if (entries.length === 0) return;
      for (const [index, [, value]] of entries.entries()) {
        const events = decodeChunk(value);
        const ends = [...events.slice(0, 1), ...events.slice(-1)];
        const selected = ends.every(isInside) ? events : events.filter(isInside);
        yield isAscending ? selected.reverse() : selected;
        // A caller that reads a second chunk probably reads all of them.
        if (index === 0) next = load(READ_CHUNKS);
        next.catch(() => {});
      }
    }
  }
}

/** A place after all events. */
export const END = ":";

/** The place after a block. */
export const endOf = (block: number): string => startOf(block + 1);
