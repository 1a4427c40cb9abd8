// What `history` and `watch` have in common: iterations that a signal cancels and a token continues.
import { createAbortError, isAddressQueryError } from "../errors.js";
import { Iteration } from "../iteration.js";
import { createIterationSignal } from "./iteration-signal.js";
import type { Selection } from "./params.js";
import { encodeToken } from "./token.js";

/** Reads the events of one iteration. */
export interface EventReader<Event, Position> {
  /** After the last delivered event. Null at the beginning and at the end. */
  readonly position: Position | null;
  /** Starts to read. The signal cancels the requests. */
  read(signal: AbortSignal): AsyncIterator<Event, undefined>;
}

/** What the iterations of a call have in common. `identity` says which history the resume tokens belong to. */
export type CallSetup<Reader> = readonly [signal: Selection["signal"], identity: string, createReader: () => Reader];

export class EventCall<Event, Position, Reader extends EventReader<Event, Position>> implements AsyncIterable<Event> {
  readonly #setup: CallSetup<Reader>;
  /** The reader of the last iteration, or one that was not used yet. */
  protected reader: Reader;

  /** `setUp` checks the parameters. What it throws is the error of each iteration, because a call never throws. */
  constructor(setUp: () => CallSetup<Reader>) {
    try {
      this.#setup = setUp();
    } catch (error) {
      const failed: EventReader<Event, Position> = { position: null, read: () => ({ next: () => Promise.reject(error) }) };
      this.#setup = [undefined, "", () => failed as Reader];
    }
    this.reader = this.#setup[2]();
  }

  get resumeToken(): string | null {
    const { position } = this.reader;
    return position && encodeToken(this.#setup[1], position);
  }

  [Symbol.asyncIterator](): AsyncIterableIterator<Event> {
    const [callerSignal, identity, createReader] = this.#setup;
    const iterationSignal = createIterationSignal(callerSignal);
    const { signal } = iterationSignal;
    const reader = createReader();
    this.reader = reader;
    const events = reader.read(signal);
    return new Iteration(iterationSignal, async () => {
      try {
        if (signal.aborted) throw createAbortError(signal);
        return await events.next();
      } catch (error) {
        // The error belongs to this call alone. It has the token of one source, or none.
        const { position } = reader;
        const resumeToken = position === null ? undefined : encodeToken(identity, position);
        if (isAddressQueryError(error)) Object.assign(error, { resumeToken });
        throw error;
      }
    });
  }
}
