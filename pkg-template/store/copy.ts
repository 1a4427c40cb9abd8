// A copy of one history in the database: what is stored of it, and how it is read.
import type { HistoryEvent, HistoryKind, HistorySource } from "../history/index.js";
import type { ClientSource, IndexingStatus } from "../public.js";
import { decodeChunk, type EventPlace, formatPlace, startOf } from "./chunks.js";
import type { StoreDatabase } from "./database.js";

/** The version of the stored form. Copies of other versions are read anew. It changes with the meaning or the fields of an event. */
export const FORM = 1;
const PREFIX = `history/${FORM}/`;
/** The range of copies of older forms. */
export const OLDER_FORMS = ["history/", PREFIX] as const;
const ACCOUNTS = `${PREFIX}accounts/`;
const EVENTS = `${PREFIX}events/`;
/** Chunks that are read at once, after the first one. */
const READ_CHUNKS = 10;

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
    const events = (await Promise.all(entries.map(([, value]) => decodeChunk(value)))).reverse().flat();
    const isInside = (event: EventPlace) => formatPlace(event) >= from;
    return { entries, events: events.filter(isInside), rest: events.filter((event) => !isInside(event)) };
  }

  /** Selects the blocks of some chunks at random, up to the last final block. */
  async sample(count: number, last: number): Promise<{ from: number; to: number }[]> {
    const entries = await this.database.read(this.prefix, this.prefix + endOf(last));
    const ranges: { from: number; to: number }[] = [];
    while (ranges.length < count && entries.length > 0) {
      const [[, value] = []] = entries.splice(Math.floor(Math.random() * entries.length), 1);
      const events = await decodeChunk(value);
      const [first, oldest] = [events[0], events.at(-1)] as [EventPlace, EventPlace];
      ranges.push({ from: oldest.block_number, to: first.block_number });
    }
    return ranges;
  }

  /** Reads the events with `from <= place < before`, in order, chunk by chunk. */
  async *read(from: string, before: string, isAscending: boolean): AsyncGenerator<HistoryEvent[], void, undefined> {
    // A chunk has the place of its newest event, so the first chunk after the range may have events in it.
    const end = `${this.prefix}:`;
    const [last] = await this.database.read(this.prefix + before, end, { limit: 1 });
    let first = this.prefix + from;
    let after = last ? `${last[0]} ` : end;
    const load = async (limit: number) => {
      const entries = await this.database.read(first, after, { reverse: !isAscending, limit });
      const key = entries.at(-1)?.[0];
      if (key !== undefined && isAscending) first = `${key} `;
      if (key !== undefined && !isAscending) after = key;
      return entries.map(([, value]) => {
        const events = decodeChunk(value);
        // A caller that stops early does not wait for all of them.
        events.catch(() => {});
        return events;
      });
    };
    let next = load(1);
    let isFirst = true;
    for (;;) {
      const chunks = await next;
      if (chunks.length === 0) return;
      // The next chunks are decoded meanwhile. The first one is not delayed.
      if (!isFirst) next = load(READ_CHUNKS);
      next.catch(() => {});
      for (const chunk of chunks) {
        const events = (await chunk).filter((event) => isBetween(formatPlace(event), from, before));
        yield isAscending ? events.reverse() : events;
      }
      if (isFirst) next = load(READ_CHUNKS);
      isFirst = false;
    }
  }
}

const isBetween = (place: string, from: string, before: string) => place >= from && place < before;

/** A place after all events. */
export const END = ":";

/** The place after a block. */
export const endOf = (block: number): string => startOf(block + 1);
