// Reads the events of one iteration of a merged history: a k-way merge that holds the next block of each account.
import { createParameterError, sumOmitted } from "../entry-support.js";
import { type AddressQueryError, type Hex, isAddressQueryError } from "../public.js";
import type { EventReader } from "./event-call.js";
import { type EventBlock, HistoryReader, type HistorySetup, type Lookups } from "./history-reader.js";
import type { AccountReport, MergedEvent, MergedHistoryReport } from "./merged-types.js";
import type { HistoryPosition } from "./position.js";

/**
 * Where each account continues: at a position, at its beginning (null), or not at all, because it was read to its end. Then true says that
 * it is complete. If its last block must be checked again, it has the position at its end.
 */
export type MergedPosition = readonly (HistoryPosition | boolean | null)[];

export interface MergeOptions {
  isAscending: boolean;
  /** Whether transfers between two accounts are delivered once. */
  isOnce: boolean;
  /** Whether the failure of an account ends the iteration. */
  isStrict: boolean;
}

export class MergedReader implements EventReader<MergedEvent, MergedPosition, MergedHistoryReport> {
  readonly #options: MergeOptions;
  readonly #accounts: AccountReader[];
  #delivered = 0;
  /** Whether all accounts were read to their ends, and checked. */
  #isEnded = false;

  constructor(setups: readonly HistorySetup[], options: MergeOptions, resumed: MergedPosition | null) {
    this.#options = options;
    this.#accounts = setups.map((setup, index) => new AccountReader(setup, index, resumed?.[index] ?? null));
  }

  get position(): MergedPosition | null {
    const positions = this.#accounts.map(({ position }) => position);
    return this.#isEnded || positions.every((position) => position === null) ? null : positions;
  }

  get report(): MergedHistoryReport | null {
    const accounts = this.#accounts.map(({ report }) => report);
    if (accounts.every(({ state, report }) => state === "reading" && report === null)) return null;
    return {
      complete: accounts.every(({ state }) => state === "complete"),
      events: this.#delivered,
      accounts,
      omitted: sumOmitted(...accounts.flatMap(({ report }) => report?.omitted ?? [])),
    };
  }

  async *read(signal: AbortSignal): AsyncGenerator<MergedEvent, undefined, undefined> {
    await this.#findChains();
    // One listener for all accounts: many on one signal look like a leak.
    const abort = () => {
      for (const { controller } of this.#accounts) controller.abort(signal.reason);
    };
    signal.addEventListener("abort", abort, { once: true });
    if (signal.aborted) abort();
    for (;;) {
      await Promise.all(this.#accounts.map((account) => account.readNext(this.#options.isStrict)));
      const readers = this.#findNextBlock();
      if (readers.length === 0) return this.#end();
      for (const { account, event, count } of this.#mergeBlock(readers)) {
        account.markDelivered(count);
        if (event === null) continue;
        this.#delivered += 1;
        yield event;
      }
    }
  }

  /** Throws at the end if no account was read to its end, or if nothing was delivered: the caller could not tell it from an empty end. */
  async #end(): Promise<undefined> {
    // After the last record of all accounts: an account may have ended long before.
    await Promise.all(this.#accounts.map((account) => account.check(this.#options.isStrict)));
    const errors = this.#accounts.flatMap(({ error }) => error ?? []);
    this.#isEnded = errors.length === 0;
    if (errors[0] && (errors.length === this.#accounts.length || this.#delivered === 0)) throw errors[0];
  }

  /** Finds out which accounts are on the same chain, and which of them are read from the same instance. */
  async #findChains(): Promise<void> {
    const urls = await Promise.all(this.#accounts.map(({ client }) => client.baseUrl()));
    const chains = this.#accounts.map(({ client }, index) => String(client.source.chainId ?? urls[index]));
    const lookups = new Map(urls.map((url): [string, Lookups] => [url, {}]));
    this.#accounts.forEach((account, index) => {
      account.chain = chains.indexOf(chains[index] as string);
      account.lookups = lookups.get(urls[index] as string) as Lookups;
    });
    const ids = this.#accounts.map(({ chain, address }) => `${chain} ${address}`);
    if (new Set(ids).size < ids.length) throw createParameterError("accounts", "must not have an address twice on one chain");
  }

  /** Returns the readers of the next block, in the order of their events. Empty: all accounts were read to their ends. */
  #findNextBlock(): AccountReader[] {
    const sign = this.#options.isAscending ? 1 : -1;
    const readers = this.#accounts.filter(({ next }) => next).sort((a, b) => sign * a.compare(b));
    return readers.filter(({ chain, next }) => chain === readers[0]?.chain && next?.block === readers[0].next?.block);
  }

  /** Returns the events of a block. Null: a transfer that is delivered as the event of its sender. */
  #mergeBlock(readers: readonly AccountReader[]) {
    const own = new Set(this.#accounts.filter(({ chain }) => chain === readers[0]?.chain).map(({ address }) => address));
    const rows = readers.flatMap((account) => {
      const { address, chainId: chain_id, next } = account;
      return (next?.events ?? []).map((event, index) => {
        const isOwn = own.has(event.from as Hex) && own.has(event.to as Hex);
        return { account, count: index + 1, event: Object.assign(event, { account: address, chain_id, own: isOwn }) };
      });
    });
    const sent = new Set(rows.flatMap(({ event }) => (event.own && event.direction === "out" ? event.key : [])));
    const isRepeated = ({ own, direction, key }: MergedEvent) => own && direction === "in" && sent.has(key);
    return rows.map((row) => ({ ...row, event: this.#options.isOnce && isRepeated(row.event) ? null : row.event }));
  }
}

/** Reads the history of one account, block by block. */
class AccountReader {
  readonly #setup: HistorySetup;
  readonly #index: number;
  /** Null: the account had ended before the call was resumed. */
  #reader: HistoryReader | null = null;
  #blocks: AsyncIterator<EventBlock, undefined> | undefined;
  /** How many events of the next block were delivered. */
  #count = 0;
  /** The time of the next block. An account without a time comes at once. */
  #time: string;
  readonly #resumed: MergedPosition[number];
  /** Cancels the requests. */
  readonly controller = new AbortController();
  /** The first account of the same chain. */
  chain = 0;
  lookups: Lookups = {};
  /** The next block. Null: there is none. Undefined: it must be read. */
  next: EventBlock | null | undefined;
  error: AddressQueryError | null = null;

  constructor(setup: HistorySetup, index: number, resumed: MergedPosition[number]) {
    this.#setup = setup;
    this.#index = index;
    this.#resumed = resumed;
    this.#time = setup.isAscending ? "" : "~";
    if (typeof resumed === "boolean") this.next = null;
  }

  get client(): HistorySetup["client"] {
    return this.#setup.client;
  }

  get address(): Hex {
    return this.#setup.selection.address as Hex;
  }

  get chainId(): number | null {
    return this.client.source.chainId ?? null;
  }

  get position(): MergedPosition[number] {
    if (this.next) return this.next.getPosition(this.#count);
    if (this.#reader === null) return this.#resumed;
    const { isEnded, report, position } = this.#reader;
    return isEnded ? report?.complete === true && (this.#reader.endPosition ?? true) : position;
  }

  get report(): AccountReport {
    const { address: account, chainId: chain_id, error } = this;
    const report = this.#reader?.report ?? null;
    const isComplete = report?.complete ?? this.#resumed === true;
    const ended = isComplete ? "complete" : "incomplete";
    return { account, chain_id, state: error ? "failed" : this.next === null ? ended : "reading", error, report };
  }

  /** Compares the next blocks of two accounts. */
  compare(other: AccountReader): number {
    if (this.#time !== other.#time) return this.#time < other.#time ? -1 : 1;
    const block = ({ next }: AccountReader) => next?.block ?? 0;
    return this.chain - other.chain || block(this) - block(other) || this.#index - other.#index;
  }

  /** Reads the next block if it is needed. */
  async readNext(isStrict: boolean): Promise<void> {
    if (this.next !== undefined) return;
    await this.#attempt(isStrict, async (signal) => {
      if (this.#reader === null) {
        const resumed = this.#resumed as HistoryPosition | null;
        this.#reader = new HistoryReader({ ...this.#setup, lookups: this.lookups }, resumed);
        this.#blocks = this.#reader.readBlocks(signal);
      }
      const { value } = await (this.#blocks as AsyncIterator<EventBlock, undefined>).next();
      this.#count = 0;
      this.#time = value?.events.find(({ timestamp }) => timestamp !== null)?.timestamp ?? this.#time;
      this.next = value ?? null;
    });
  }

  /** At the end, finds out whether blocks were replaced while the accounts were read. */
  async check(isStrict: boolean): Promise<void> {
    if (this.error === null) await this.#attempt(isStrict, async (signal) => this.#reader?.checkChain(signal));
  }

  /** Acts, and keeps the error if the other accounts continue. */
  async #attempt(isStrict: boolean, act: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const { signal } = this.controller;
    try {
      await act(signal);
    } catch (error) {
      if (isStrict || signal.aborted || !isAddressQueryError(error)) throw error;
      this.error = error;
      this.next = null;
    }
  }

  markDelivered(count: number): void {
    const block = this.next as EventBlock;
    this.#reader?.markDelivered(block, count);
    this.#count = count;
    if (count === block.events.length) this.next = undefined;
  }
}
