// Reads the events of one iteration of a history.
import { createFreshOptions, sumOmitted } from "../entry-support.js";
import { type ActionOptions, AddressQueryError, type Block, type IndexingStatus, isAddressQueryError } from "../public.js";
import { createBlockEvents } from "./block-events.js";
import { findBounds, toNullIfUnstated } from "./block-lookup.js";
import type { HistoryEvent } from "./event.js";
import type { EventReader } from "./event-call.js";
import { isDate, isIncluded, type Selection } from "./params.js";
import type { Bounds, HistoryPosition } from "./position.js";
import type { HistoryClient, HistoryParams, HistoryPlan, HistoryRead, HistoryReport } from "./public-types.js";
import { Recipients } from "./recipients.js";
import type { BlockDrafts, Source } from "./source.js";
import { createSources, selectReaders } from "./sources.js";

/** Credits per request. The generated table has every method, and would cost more bytes. */
const DEFAULT_CREDITS = 20;
const CREDITS: Readonly<Record<string, number>> = { addressInternalTransactions: 40, addressTokenTransfers: 30 };

/** The client and the checked parameters of a history. */
export interface HistorySetup extends Pick<HistoryParams, "from" | "to" | "concurrency"> {
  client: HistoryClient;
  selection: Selection;
  isAscending: boolean;
  /** Whether to find out at the end if blocks were replaced. A watch reads the newest blocks again instead. */
  isChecked: boolean;
  /** What a merged history shares with the others of its instance. Then it sends only the requests that its next event needs. */
  lookups?: Lookups;
}

/** The results of requests that are the same for all histories of an instance. */
export interface Lookups {
  bounds?: Promise<Bounds>;
  status?: Promise<IndexingStatus | null>;
  /** The blocks that are requested at the end, by their number. */
  blocks?: Map<number, Promise<Block | null>>;
}

/** The events of a block that were not delivered yet. */
export interface EventBlock {
  block: number;
  events: HistoryEvent[];
  /** Returns the position after this many of the events. */
  getPosition(count: number): HistoryPosition;
}

export class HistoryReader implements EventReader<HistoryEvent, HistoryPosition> {
  readonly #setup: HistorySetup;
  readonly #lookups: Lookups;
  readonly #recipients: Recipients;
  #bounds: Bounds | undefined;
  #sources: Source[] = [];
  #delivered = 0;
  #isReorganised = false;
  position: HistoryPosition | null;
  /** Whether everything was read. */
  isEnded = false;

  constructor(setup: HistorySetup, resumed: HistoryPosition | null) {
    this.#setup = setup;
    this.#lookups = setup.lookups ?? {};
    this.position = resumed;
    this.#recipients = new Recipients(resumed?.recipients?.());
  }

  get report(): HistoryReport | null {
    if (this.#bounds === undefined) return null;
    const sources = this.#sources.map(({ report }) => ({
      ...report,
      reasons: [...report.reasons],
      omitted: sumOmitted(report.omitted),
    }));
    const { from, to, boundMethod } = this.#bounds;
    const complete = this.isEnded && sources.every(({ state }) => state === "complete");
    const omitted = sumOmitted(...sources.map(({ omitted }) => omitted));
    const reorganised = this.#isReorganised;
    return { complete, events: this.#delivered, from, to, boundMethod, reorganised, sources, omitted };
  }

  async *read(signal: AbortSignal): AsyncGenerator<HistoryEvent, undefined, undefined> {
    for await (const block of this.readBlocks(signal)) {
      for (const [index, event] of block.events.entries()) {
        this.markDelivered(block, index + 1);
        yield event;
      }
    }
  }

  /** Records that this many events of a block were delivered: one more than before. */
  markDelivered(block: EventBlock, count: number): void {
    this.#delivered += 1;
    this.position = block.getPosition(count);
  }

  /** Reads the events block by block. Blocks without events are left out. */
  async *readBlocks(signal: AbortSignal): AsyncGenerator<EventBlock, undefined, undefined> {
    const resumed = this.position;
    await this.#checkBudget();
    try {
      for await (const { block, drafts } of mergeBlocks(this.#openSources(signal), this.#setup.isAscending)) {
        const events = this.#createEvents(drafts);
        const starts = this.#sources.map(({ start }) => start);
        const recipients = this.#recipients.mark();
        const end = resumed?.block === block ? findEnd(events, resumed) : 0;
        const getPosition = (delivered: number): HistoryPosition => {
          const count = end + delivered;
          return { bounds: this.#bounds as Bounds, block, key: events[count - 1]?.key ?? "", count, starts, recipients };
        };
        if (events.length > end) yield { block, events: events.slice(end), getPosition };
      }
      await Promise.all(this.#sources.map((source) => source.verify()));
      if (this.#setup.lookups === undefined) await this.checkChain(signal);
      this.isEnded = true;
      this.position = null;
    } catch (error) {
      const isOverBudget = isAddressQueryError(error) && error.code === "credit_limit";
      this.#skipRead(isOverBudget ? resumed : undefined);
      if (isOverBudget) error.message += `; a history that continues with ${this.#countCredits(2)} credits makes progress`;
      throw error;
    }
  }

  /** The position at the end, for another check of the chain. Null if there is nothing to check. */
  get endPosition(): HistoryPosition | null {
    const bounds = this.#bounds as Bounds;
    const isChecked = bounds.hash !== undefined && bounds.from <= bounds.to;
    return isChecked ? { bounds, block: bounds.to, key: "", count: 0, starts: this.#sources.map(() => false) } : null;
  }

  /**
   * At the end, finds out whether blocks were replaced since the last one was found. Then some records may come from the replaced blocks,
   * and others from the new ones. A merged history calls it when all accounts have ended.
   */
  async checkChain(signal: AbortSignal): Promise<void> {
    const { to, hash } = this.#bounds as Bounds;
    if (this.endPosition === null) return;
    this.#lookups.blocks ??= new Map();
    const { blocks } = this.#lookups;
    if (!blocks.has(to)) {
      const options = createFreshOptions(signal);
      blocks.set(to, this.#setup.client.blockDetails({ block_hash_or_number: String(to) }, options).catch(toNullIfUnstated));
    }
    const block = await blocks.get(to);
    if (block?.hash === hash) return;
    this.#isReorganised = true;
    const reason = block ? "was replaced since the history began" : "can no longer be read";
    for (const source of this.#sources) source.addReason(`block ${to} ${reason}; events may be missing or outdated`);
  }

  async plan(signal: HistoryParams["signal"]): Promise<HistoryPlan> {
    const { client, selection, isAscending, from, to, concurrency } = this.#setup;
    const { address: address_hash, kinds: include, exclude } = selection;
    const order = isAscending ? "asc" : "desc";
    const isResumed = this.position !== null;
    return {
      client,
      params: { address_hash, order, from, to, include, exclude, concurrency },
      isResumed,
      blocks: isResumed || (from ?? to) != null ? await this.#findBounds(createFreshOptions(signal)) : null,
      reads: this.#listReads(),
    };
  }

  /** Finds the blocks that are left to read. */
  async #findBounds(options: ActionOptions): Promise<Bounds> {
    const { client, isAscending, isChecked, from, to } = this.#setup;
    const resumed = this.position;
    if (!resumed) this.#lookups.bounds ??= findBounds(client, from ?? undefined, to ?? undefined, isChecked, options);
    this.#bounds = resumed?.bounds ?? ((await this.#lookups.bounds) as Bounds);
    return resumed ? { ...this.#bounds, [isAscending ? "from" : "to"]: resumed.block } : this.#bounds;
  }

  #openSources(signal: AbortSignal): Source[] {
    const { client, selection, isAscending, concurrency } = this.#setup;
    const { address, kinds } = selection;
    const options = createFreshOptions(signal);
    const resumed = this.position;
    const bounds = this.#findBounds(options);
    // The sources report a failure.
    bounds.catch(() => {});
    const getStatus = () => (this.#lookups.status ??= client.indexingStatus({}, options).catch(toNullIfUnstated));
    const isSparing = this.#setup.lookups !== undefined;
    const shared = { client, address, isAscending, isSparing, bounds, getStatus, options, concurrency };
    this.#sources = createSources({ ...shared, recipients: this.#recipients }, kinds, resumed?.starts ?? []);
    return this.#sources;
  }

  /** Creates the events of a block, in the order of the history. */
  #createEvents(drafts: BlockDrafts["drafts"]): HistoryEvent[] {
    const { selection, isAscending } = this.#setup;
    const events = createBlockEvents(drafts, this.#recipients).filter((event) => isIncluded(selection, event));
    events.forEach((event, position) => {
      event.position = position;
    });
    return isAscending ? events : events.reverse();
  }

  /**
   * After a failure, moves the position behind the pages that were read since the last event, so that they are not read again.
   * There may be many before the first event. `resumed` is the start of an iteration that has spent all credits.
   */
  #skipRead(resumed?: HistoryPosition | null): void {
    if (this.#bounds === undefined) return;
    const bounds = this.#bounds;
    const position = this.position ?? { bounds, block: this.#setup.isAscending ? bounds.from : bounds.to, key: "", count: 0 };
    const starts = this.#sources.map(({ start }) => start);
    const isSame = starts.every((start, i) => String(start ?? "") === String(resumed?.starts[i] ?? ""));
    const recipients = this.#recipients.mark();
    this.position = { ...position, starts, recipients, isStuck: resumed !== undefined && this.#delivered === 0 && isSame };
  }

  /** Throws if the credits that the client has left do not suffice for any progress. Spends none. */
  async #checkBudget(): Promise<void> {
    const { client } = this.#setup;
    const left = (client.limits.maxCredits ?? Number.POSITIVE_INFINITY) - client.credits.spent;
    const needed = this.#countCredits(this.position?.isStuck ? 2 : 1);
    // Only the gateway charges credits. Its base URLs end with the id of a chain.
    if (left >= needed || !/\/\d+$/.test(await client.baseUrl())) return;
    const message = `the history needs ${needed} credits to make progress, and maxCredits leaves ${left}; raise it to continue`;
    throw AddressQueryError.create("credit_limit", message);
  }

  /** Returns the credits of the first requests: this many for each range, whose first response may end inside its first block. */
  #countCredits(requests: 1 | 2): number {
    const lookups = this.position ? 0 : 1 + Number(isDate(this.#setup.from));
    const reads = this.#listReads();
    // The indexing status, and the configuration, which states whether fees may be paid in tokens.
    const statements = 1 + Number(reads.some(({ method }) => method === "txList"));
    return reads.reduce(
      (sum, { method }) => sum + (CREDITS[method] ?? DEFAULT_CREDITS * (method.startsWith("address") ? 1 : requests)),
      (lookups + statements) * DEFAULT_CREDITS,
    );
  }

  /** Lists the remaining lists and ranges. */
  #listReads(): HistoryRead[] {
    const { selection, isAscending } = this.#setup;
    const reads = selection.kinds.flatMap((kind) =>
      selectReaders(kind, isAscending).map(([method, , standard]) => ({ kind, method, standard })),
    );
    return reads.filter((_, i) => this.position?.starts[i] !== false);
  }
}

/** Returns how many events of a block were delivered before the history was resumed. */
function findEnd(events: readonly HistoryEvent[], { key, count }: HistoryPosition): number {
  const index = events.findIndex((event) => event.key === key);
  if (index >= 0) return index + 1;
  // The block was replaced. It continues with a whole transaction.
  const getHash = (position: number) => events[position]?.transaction_hash;
  let end = Math.min(count, events.length);
  while (end > 0 && getHash(end) && getHash(end) === getHash(end - 1)) end -= 1;
  return end;
}

/** A k-way merge. It holds the next block of each source. Sources whose block was used are read concurrently. */
async function* mergeBlocks(sources: readonly Source[], isAscending: boolean): AsyncGenerator<BlockDrafts, undefined, undefined> {
  /** The next block of each source: null at its end, undefined if it was not read yet. */
  let heads: (BlockDrafts | null | undefined)[] = [];
  for (;;) {
    const reads = sources.map((source, i) => (heads[i] === undefined ? source.next() : heads[i]));
    const read = await Promise.all(reads).catch(async (error: AddressQueryError) => {
      // The other requests have cost credits. Their responses may complete their sources, which then need not be read
      // again.
      if (error.code === "credit_limit") await Promise.allSettled(reads);
      throw error;
    });
    const blocks = read.flatMap((head) => head?.block ?? []);
    if (blocks.length === 0) return;
    const block = isAscending ? Math.min(...blocks) : Math.max(...blocks);
    heads = read.map((head) => (head?.block === block ? undefined : head));
    yield { block, drafts: read.flatMap((head) => (head?.block === block ? head.drafts : [])) };
  }
}
