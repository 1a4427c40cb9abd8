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

export class EventCall<Event, Position, Reader extends EventReader<Event, Position>> implements AsyncIterable<Event> {
  readonly #selection: Selection;
  readonly #identity: string;
  readonly #createReader: () => Reader;
  /** The reader of the last iteration, or one that was not used yet. */
  protected reader: Reader;

  /** `identity` says which history the resume tokens belong to. */
  constructor(selection: Selection, identity: string, createReader: () => Reader) {
    this.#selection = selection;
    this.#identity = identity;
    this.#createReader = createReader;
    this.reader = createReader();
  }

  get resumeToken(): string | null {
    const { position } = this.reader;
    return position && encodeToken(this.#identity, position);
  }

  [Symbol.asyncIterator](): AsyncIterableIterator<Event> {
    const iterationSignal = createIterationSignal(this.#selection.signal);
    const { signal } = iterationSignal;
    const reader = this.#createReader();
    this.reader = reader;
    const events = reader.read(signal);
    return new Iteration(iterationSignal, async () => {
      try {
        if (signal.aborted) throw createAbortError(signal);
        return await events.next();
      } catch (error) {
        // The error belongs to this call alone. It has the token of one source, or none.
        const { position } = reader;
        const resumeToken = position === null ? undefined : encodeToken(this.#identity, position);
        if (isAddressQueryError(error)) Object.assign(error, { resumeToken });
        throw error;
      }
    });
  }
}
