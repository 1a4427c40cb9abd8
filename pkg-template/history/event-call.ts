// The calls of `history` and `watch`: iterations that a signal cancels and a resume token continues.
import {
  createAbortError,
  createParameterError,
  digestRequest,
  encodeToken,
  Iteration,
  type ResumeToken,
} from "../entry-support.js";
import { isAddressQueryError } from "../public.js";
import { addMemory, type Memory, readMemory } from "./position.js";
import type { HistoryClient, HistoryFilter, HistoryPlan, HistoryReport } from "./public-types.js";

/** Where a call is, for an equal call that continues as if it had read everything before. */
export interface Checkpoint {
  token: string;
  memory: Memory;
}

/** Reads the events of one iteration. */
export interface EventReader<Event, Position, Report = HistoryReport> {
  /** The position after the last delivered event. Null at the beginning and at the end. */
  readonly position: Position | null;
  /** Null until something was read. */
  readonly report: Report | null;
  /** Starts to read. The signal cancels the requests. */
  read(signal: AbortSignal): AsyncIterator<Event, undefined>;
  /** Returns the plan of `read`. A watch has none, because it has no end. */
  plan?(signal: HistoryFilter["signal"]): Promise<HistoryPlan> | undefined;
}

/** The checked parameters of a call. */
export interface CallSetup<Event, Position, Report = HistoryReport> {
  readonly signal?: HistoryFilter["signal"];
  /** The operation that the resume tokens belong to, and the parameters that they are valid for. */
  readonly operation: string;
  readonly identity: string;
  /** The token to continue from. */
  readonly token: ResumeToken<Position> | null;
  /** Decodes a token of the operation. */
  decode(token: string): ResumeToken<Position>;
  /** What derived calls make of the events. */
  readonly derivations?: readonly unknown[];
  /** Creates a reader that starts at a position. Null: at the beginning. */
  createReader(position: Position | null): EventReader<Event, Position, Report>;
}

/** Implements `HistoryCall`, `MergedHistoryCall` and `WatchCall`. */
export class EventCall<Event, Position, Report = HistoryReport> implements AsyncIterable<Event> {
  readonly #client: Pick<HistoryClient, "baseUrl" | "source">;
  readonly #setup: CallSetup<Event, Position, Report> | undefined;
  /** Why the parameters are invalid. */
  readonly #error: unknown;
  /** The digest of the request that resume tokens belong to. Until the chain or base URL is known, it comes from the token. */
  #request = "";
  /** The reader of the latest iteration. Before the first one, an unused reader. */
  #reader: EventReader<Event, Position, Report> | undefined;
  /** The iteration that `more` continues, and the position where another one starts after it has failed. */
  #events: AsyncIterator<Event, undefined> | undefined;
  #start: Position | null = null;
  /** The previous call of `more`. */
  #previous: Promise<unknown> = Promise.resolve();

  /** `setUp` checks the parameters. If it throws, every iteration rejects with the error, because the call itself never throws. */
  constructor(client: Pick<HistoryClient, "baseUrl" | "source">, setUp: () => CallSetup<Event, Position, Report>) {
    this.#client = client;
    try {
      this.#setup = setUp();
      this.#request = this.#setup.token?.request ?? "";
      this.#start = this.#setup.token?.position ?? null;
      this.#reader = this.#setup.createReader(this.#start);
    } catch (error) {
      this.#error = error;
    }
  }

  /**
   * Creates a call that reads with other readers, which `wrap` creates from the readers of this call. Both have the same tokens.
   * `derivation` identifies what `wrap` does.
   */
  derive<Value>(
    wrap: (reader: EventReader<Event, Position, Report>) => EventReader<Value, Position, Report>,
    derivation: readonly unknown[],
  ): EventCall<Value, Position, Report> {
    return new EventCall(this.#client, () => {
      const setup = this.#getSetup();
      const derivations = [...(setup.derivations ?? []), ...derivation];
      return { ...setup, derivations, createReader: (position) => wrap(setup.createReader(position)) };
    });
  }

  /** Identifies what the call reads and what it makes of it: its chain, parameters, derivations and start. */
  async identify(): Promise<string> {
    const { operation, identity, token, derivations } = this.#getSetup();
    const request = await digestRequest(this.#client, identity, token);
    return JSON.stringify([operation, request, token?.position ?? null, ...(derivations ?? [])]);
  }

  /** Where the latest iteration is. Null before the first event or failure, and at the end. */
  get checkpoint(): Checkpoint | null {
    const { position } = this.#reader ?? {};
    return position ? { token: this.#encode(this.#reader) as string, memory: readMemory(position) } : null;
  }

  /** Creates a call that continues from a checkpoint. */
  continueFrom({ token, memory }: Checkpoint): EventCall<Event, Position, Report> {
    return new EventCall(this.#client, () => {
      const setup = this.#getSetup();
      const decoded = setup.decode(token);
      addMemory(decoded.position as object, memory);
      return { ...setup, token: decoded };
    });
  }

  get resumeToken(): string | null {
    return this.#encode(this.#reader);
  }

  get report(): Report | null {
    return this.#reader?.report ?? null;
  }

  [Symbol.asyncIterator](): AsyncIterableIterator<Event> {
    return this.#iterate(this.#setup?.token?.position ?? null);
  }

  more(limit: number): Promise<Event[]> {
    const events = this.#previous.then(() => this.#readMore(limit));
    this.#previous = events.catch(() => {});
    return events;
  }

  async #readMore(limit: number): Promise<Event[]> {
    if (!Number.isSafeInteger(limit) || limit < 1) throw createParameterError("limit", "must be an integer of at least 1");
    this.#events ??= this.#iterate(this.#start);
    const events: Event[] = [];
    let isEnded = false;
    try {
      while (events.length < limit) {
        const { done, value } = await this.#events.next();
        isEnded = done === true;
        if (done) break;
        events.push(value);
      }
    } catch (error) {
      isEnded = true;
      // The next call tries again, and reports the failure if it persists.
      if (events.length === 0) throw error;
    } finally {
      this.#start = this.#reader?.position ?? null;
      // Without a position, everything was delivered: the iteration remains at its end.
      if (isEnded && (this.#start !== null || this.report === null)) this.#events = undefined;
    }
    return events;
  }

  #iterate(position: Position | null): AsyncIterableIterator<Event> {
    const callerSignal = this.#setup?.signal;
    // Cancels all requests of the iteration when the caller aborts, and when it ends.
    const controller = new AbortController();
    const { signal } = controller;
    const abort = () => controller.abort(callerSignal?.reason);
    callerSignal?.addEventListener("abort", abort, { once: true });
    if (callerSignal?.aborted) abort();
    const pages = {
      isClosed: false,
      close() {
        pages.isClosed = true;
        callerSignal?.removeEventListener("abort", abort);
        controller.abort();
      },
    };
    const reader = this.#setup?.createReader(position);
    this.#reader = reader;
    let events: AsyncIterator<Event, undefined> | undefined;
    return new Iteration(pages, async () => {
      try {
        if (signal.aborted) throw createAbortError(signal);
        events ??= (await this.#open(reader)).read(signal);
        return await events.next();
      } catch (error) {
        // The error is a copy for this call. Its token, if any, continues a single source only. An invalid parameter may be the token itself.
        if (isAddressQueryError(error)) {
          const resumeToken = error.code === "invalid_parameter" ? null : this.#encode(reader);
          Object.assign(error, { resumeToken: resumeToken ?? undefined });
        }
        throw error;
      }
    });
  }

  async plan(options?: Pick<HistoryFilter, "signal">): Promise<HistoryPlan | undefined> {
    const reader = await this.#open(this.#setup?.createReader(this.#setup.token?.position ?? null));
    return reader.plan?.(options?.signal);
  }

  /** Prepares an unused reader. Throws before anything is sent if a parameter is invalid, such as a token of another chain. */
  async #open(reader: EventReader<Event, Position, Report> | undefined): Promise<EventReader<Event, Position, Report>> {
    const { identity, token } = this.#getSetup();
    this.#request = await digestRequest(this.#client, identity, token);
    return reader as EventReader<Event, Position, Report>;
  }

  /** Returns the checked parameters. Throws if they are invalid. */
  #getSetup(): CallSetup<Event, Position, Report> {
    if (this.#setup === undefined) throw this.#error;
    return this.#setup;
  }

  #encode(reader: EventReader<Event, Position, Report> | undefined): string | null {
    return this.#setup && reader?.position ? encodeToken(this.#setup.operation, this.#request, reader.position) : null;
  }
}
