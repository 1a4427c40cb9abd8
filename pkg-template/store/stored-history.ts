// `store.history`: the events of a copy, as a call that other functions take like a call of `history`.
import { createAbortError, createParameterError, decodeToken } from "../entry-support.js";
import { type CallSetup, EventCall, type EventReader } from "../history/event-call.js";
import type { HistoryEvent, HistoryKind } from "../history/index.js";
import { FILTER_NAMES, isDate, isIncluded, parseOrder, parseSelection, type Selection } from "../history/params.js";
import { type EventPlace, formatPlace, startOf } from "./chunks.js";
import { Copy, END, endOf } from "./copy.js";
import type { StoreDatabase } from "./database.js";
import type { StoredHistoryCall, StoredHistoryParams, StoredReport, StoredSource } from "./public-types.js";
import { createReport } from "./stored-report.js";

/** The operation of the resume tokens. */
const OPERATION = "store";

export function readStoredHistory(database: StoreDatabase, source: StoredSource, params: StoredHistoryParams): StoredHistoryCall {
  const client = { source: source?.source, baseUrl: async () => JSON.stringify(source.source) };
  return new EventCall(client, () => {
    if (!source?.source) throw createParameterError("source", "must be a client, or an account of the store");
    return setUp(database, source, params);
  });
}

function setUp(
  database: StoreDatabase,
  source: StoredSource,
  params: StoredHistoryParams,
): CallSetup<HistoryEvent, EventPlace, StoredReport> {
  const client = { baseUrl: async () => "" };
  const selection = parseSelection(client, params, [...FILTER_NAMES, "order", "from", "to", "resume"]);
  const { order, from, to, resume } = parseOrder(params);
  const { address, kinds, exclude } = selection;
  const identity = [order, address, kinds, exclude, Number(from), Number(to)].join(";");
  const isPlace = ({ block_number, position }: EventPlace) => [block_number, position].every(Number.isSafeInteger);
  const decode = (token: string) => decodeToken(OPERATION, "resume", token, isPlace);
  const token = resume == null ? null : decode(resume);
  const read = { copy: new Copy(database, source.source, address), selection, isAscending: order === "asc", from, to };
  return {
    signal: selection.signal,
    operation: OPERATION,
    identity,
    token,
    decode,
    createReader: (place) => new StoredReader(read, place),
  };
}

interface StoredRead extends Pick<StoredHistoryParams, "from" | "to"> {
  copy: Copy;
  selection: Selection;
  isAscending: boolean;
}

class StoredReader implements EventReader<HistoryEvent, EventPlace, StoredReport> {
  readonly #read: StoredRead;
  readonly #records: { [Kind in HistoryKind]?: number } = {};
  #createReport: (() => StoredReport) | undefined;
  #isEnded = false;
  /** The place of the last delivered event. */
  position: EventPlace | null;

  constructor(read: StoredRead, position: EventPlace | null) {
    this.#read = read;
    this.position = position;
  }

  get report(): StoredReport | null {
    const report = this.#createReport?.();
    return report ? { ...report, complete: report.complete && this.#isEnded } : null;
  }

  read(signal: AbortSignal): AsyncIterator<HistoryEvent, undefined> {
    const batches = this.#readBatches();
    let batch: [HistoryEvent, EventPlace][] = [];
    let index = 0;
    // A generator that delivers each event takes three times as long.
    return {
      next: async () => {
        while (index === batch.length) {
          const { done, value } = await batches.next();
          if (done) return { done, value };
          batch = value;
          index = 0;
        }
        if (signal.aborted) throw createAbortError(signal);
        const [event, place] = batch[index++] as [HistoryEvent, EventPlace];
        this.#records[event.kind] = (this.#records[event.kind] ?? 0) + 1;
        this.position = place;
        return { done: false, value: event };
      },
    };
  }

  /** Reads the events to deliver, with their places, as whole blocks. */
  async *#readBatches(): AsyncGenerator<[HistoryEvent, EventPlace][], undefined, undefined> {
    const { copy, isAscending, selection, from, to } = this.#read;
    const resumed = this.position;
    const bounds = { from: typeof from === "number" ? from : 0, to: typeof to === "number" ? to : Number.POSITIVE_INFINITY };
    // The positions of a block depend on all its events.
    const first = startOf(resumed && isAscending ? resumed.block_number : bounds.from);
    const last = resumed && !isAscending ? resumed.block_number : bounds.to;
    const before = Number.isFinite(last) ? endOf(last) : END;
    // It is read together with the first chunks. No event is in a block after the head.
    const loading = copy.load().then((state) => {
      bounds.to = Math.min(bounds.to, state?.head ?? -1);
      this.#createReport = () => createReport(state, { ...bounds, kinds: selection.kinds, records: this.#records });
    });
    loading.catch(() => {});
    const block: HistoryEvent[] = [];
    for await (const events of copy.read(first, before, isAscending)) {
      await loading;
      const batch: [HistoryEvent, EventPlace][] = [];
      for (const event of events) {
        if (block[0] && block[0].block_number !== event.block_number) batch.push(...this.#select(block.splice(0), resumed));
        block.push(event);
      }
      yield batch;
    }
    await loading;
    yield this.#select(block, resumed);
    this.#isEnded = true;
    this.position = null;
  }

  /** Selects the events of a block that are delivered after the resumed place. */
  #select(block: readonly HistoryEvent[], resumed: EventPlace | null): [HistoryEvent, EventPlace][] {
    const { selection, isAscending, from, to } = this.#read;
    const isSelected = (event: HistoryEvent) =>
      selection.kinds.includes(event.kind) && isIncluded(selection, event) && isBetween(event.timestamp, from, to);
    const isNext = (place: string, last: string) => (isAscending ? place > last : place < last);
    return block
      .filter(isSelected)
      .map((event, index, events): [HistoryEvent, EventPlace] => {
        const place = { block_number: event.block_number, position: event.position };
        event.position = isAscending ? index : events.length - 1 - index;
        return [event, place];
      })
      .filter(([, place]) => resumed === null || isNext(formatPlace(place), formatPlace(resumed)));
  }
}

function isBetween(timestamp: string | null, from: StoredRead["from"], to: StoredRead["to"]): boolean {
  const parse = () => Date.parse(timestamp ?? "");
  return !(isDate(from) && parse() < Number(from)) && !(isDate(to) && parse() > Number(to));
}
