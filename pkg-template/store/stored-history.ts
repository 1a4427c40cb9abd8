// `store.history`: the events of a copy, as a call that other functions take like a call of `history`.
import { createAbortError, createParameterError, decodeToken } from "../entry-support.js";
import { type CallSetup, EventCall, type EventReader } from "../history/event-call.js";
import type { HistoryEvent, HistoryKind } from "../history/index.js";
import { FILTER_NAMES, isDate, isIncluded, parseOrder, parseSelection, type Selection } from "../history/params.js";
import { type EventPlace, formatPlace, startOf } from "./chunks.js";
import { Copy } from "./copy.js";
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

  async *read(signal: AbortSignal): AsyncGenerator<HistoryEvent, undefined, undefined> {
    const { copy, selection, isAscending, from, to } = this.#read;
    const state = await copy.load();
    const head = state?.head ?? -1;
    const bounds = { from: typeof from === "number" ? from : 0, to: typeof to === "number" ? Math.min(to, head) : head };
    this.#createReport = () => createReport(state, { ...bounds, kinds: selection.kinds, records: this.#records });
    const resumed = this.position;
    // The positions of a block depend on all its events.
    const first = startOf(resumed && isAscending ? resumed.block_number : bounds.from);
    const end = startOf((resumed && !isAscending ? resumed.block_number : bounds.to) + 1);
    let block: HistoryEvent[] = [];
    for await (const events of copy.read(first, end, isAscending)) {
      for (const event of events) {
        if (signal.aborted) throw createAbortError(signal);
        if (block[0] !== undefined && block[0].block_number !== event.block_number) {
          yield* this.#deliver(block, resumed);
          block = [];
        }
        block.push(event);
      }
    }
    yield* this.#deliver(block, resumed);
    this.#isEnded = true;
    this.position = null;
  }

  *#deliver(block: readonly HistoryEvent[], resumed: EventPlace | null): Generator<HistoryEvent, void, undefined> {
    const { selection, isAscending, from, to } = this.#read;
    const isSelected = (event: HistoryEvent) =>
      selection.kinds.includes(event.kind) && isIncluded(selection, event) && isBetween(event.timestamp, from, to);
    const events = block.filter(isSelected);
    for (const [index, event] of events.entries()) {
      const place = { block_number: event.block_number, position: event.position };
      if (
        resumed !== null &&
        (isAscending ? formatPlace(place) <= formatPlace(resumed) : formatPlace(place) >= formatPlace(resumed))
      )
        continue;
      this.#records[event.kind] = (this.#records[event.kind] ?? 0) + 1;
      this.position = place;
      event.position = isAscending ? index : events.length - 1 - index;
      yield event;
    }
  }
}

function isBetween(timestamp: string | null, from: StoredRead["from"], to: StoredRead["to"]): boolean {
  const time = Date.parse(timestamp ?? "");
  return !(isDate(from) && time < Number(from)) && !(isDate(to) && time > Number(to));
}
