// What `history` and `watch` have in common: iterations that a signal cancels and a token continues.
import { createAbortError, digestRequest, encodeToken, Iteration, type ResumeToken } from "../entry-support.js";
import { isAddressQueryError } from "../public.js";
import { createIterationSignal } from "./iteration-signal.js";
import type { HistoryClient, HistoryFilter, HistoryPlan, HistoryReport } from "./public-types.js";

/** Reads the events of one iteration. */
export interface EventReader<Event, Position> {
  /** After the last delivered event. Null at the beginning and at the end. */
  readonly position: Position | null;
  /** Null until something was read. */
  readonly report: HistoryReport | null;
  /** Starts to read. The signal cancels the requests. */
  read(signal: AbortSignal): AsyncIterator<Event, undefined>;
  /** Says what `read` will read, if it has an end. */
  plan?(signal: HistoryFilter["signal"]): Promise<HistoryPlan>;
}

/** What the iterations of a call have in common. */
export interface CallSetup<Event, Position> {
  readonly signal?: HistoryFilter["signal"];
  /** The operation that the resume tokens belong to, and the parameters that they are valid for. */
  readonly operation: string;
  readonly identity: string;
  /** The token to continue from. */
  readonly token: ResumeToken<Position> | null;
  /** Creates a reader from the beginning, or from the token. */
  createReader(): EventReader<Event, Position>;
  /** Why the parameters are invalid. */
  readonly error?: unknown;
}

/** Implements `HistoryCall` and `WatchCall`. */
export class EventCall<Event, Position> implements AsyncIterable<Event> {
  readonly #client: HistoryClient;
  readonly #setup: CallSetup<Event, Position>;
  /** The digest of the request that resume tokens belong to. Until the chain or base URL is known, it comes from the token. */
  #request: string;
  /** The reader of the last iteration, or one that was not used yet. */
  #reader: EventReader<Event, Position>;

  /** `setUp` checks the parameters. What it throws is the error of each iteration, because a call never throws. */
  constructor(client: HistoryClient, setUp: () => CallSetup<Event, Position>) {
    this.#client = client;
    try {
      this.#setup = setUp();
    } catch (error) {
      this.#setup = {
        operation: "",
        identity: "",
        token: null,
        error,
        createReader: () => ({ position: null, report: null }) as never,
      };
    }
    this.#request = this.#setup.token?.request ?? "";
    this.#reader = this.#setup.createReader();
  }

  get resumeToken(): string | null {
    return this.#encode(this.#reader);
  }

  get report(): HistoryReport | null {
    return this.#reader.report;
  }

  [Symbol.asyncIterator](): AsyncIterableIterator<Event> {
    const iterationSignal = createIterationSignal(this.#setup.signal);
    const { signal } = iterationSignal;
    const reader = this.#setup.createReader();
    this.#reader = reader;
    let events: AsyncIterator<Event, undefined> | undefined;
    return new Iteration(iterationSignal, async () => {
      try {
        if (signal.aborted) throw createAbortError(signal);
        events ??= (await this.#open(reader)).read(signal);
        return await events.next();
      } catch (error) {
        // The error belongs to this call alone. It has the token of one source, or none. The token may be the invalid parameter.
        if (isAddressQueryError(error)) {
          const resumeToken = error.code === "invalid_parameter" ? null : this.#encode(reader);
          Object.assign(error, { resumeToken: resumeToken ?? undefined });
        }
        throw error;
      }
    });
  }

  async plan(options?: Pick<HistoryFilter, "signal">): Promise<HistoryPlan | undefined> {
    const reader = await this.#open(this.#setup.createReader());
    return reader.plan?.(options?.signal);
  }

  /** Returns a reader that was not used. Throws if a parameter is invalid, such as a token of another chain, before anything is sent. */
  async #open(reader: EventReader<Event, Position>): Promise<EventReader<Event, Position>> {
    const { error, token, identity } = this.#setup;
    if (error !== undefined) throw error;
    this.#request = await digestRequest(this.#client, identity, token);
    return reader;
  }

  #encode({ position }: EventReader<Event, Position>): string | null {
    return position && encodeToken(this.#setup.operation, this.#request, position);
  }
}
