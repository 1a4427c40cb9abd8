// `history`: all events of an address, in order.
import { createParameterError, isAddressQueryError } from "../errors.js";
import { Iteration } from "../iteration.js";
import type { HistoryEvent } from "./event.js";
import { EventReader } from "./event-reader.js";
import { checkBlockOrTime, parseSelection, type Selection } from "./params.js";
import type { HistoryCall, HistoryClient, HistoryParams, HistoryReport } from "./public-types.js";
import { type HistoryPosition, isHistoryPosition } from "./position.js";
import { decodeToken, encodeToken } from "./token.js";

/**
 * Reads all events of an address, in order: transactions, internal transactions, token transfers of every standard, withdrawals and
 * block rewards.
 *
 * @remarks
 * Nothing is sent before the iteration starts. While you do not ask for events, nothing further is read but one page ahead.
 *
 * The iteration holds one page or batch per source, and the events of one block, whose number is bounded by the gas limit of the block.
 * Lists that the service has only newest first are read to their ends with `order: "asc"`: up to 100 of their pages are held, and the
 * others are read again.
 *
 * An error ends the iteration. Its `resumeToken` continues after the last delivered event.
 *
 * @example
 * ```ts
 * import { history } from "address-query/history";
 *
 * for await (const event of history(client, { address_hash, order: "asc" })) {
 *   console.log(event.timestamp, event.kind, event.direction, event.amount);
 * }
 * ```
 * @throws {AddressQueryError} `invalid_parameter` for a parameter that is unknown or invalid.
 */
export function history(client: HistoryClient, params: HistoryParams): HistoryCall {
  return new AddressHistory(client, params);
}

class AddressHistory implements HistoryCall {
  readonly #client: HistoryClient;
  readonly #selection: Selection;
  readonly #params: HistoryParams;
  readonly #identity: string;
  readonly #resumed: HistoryPosition | null;
  #reader: EventReader | undefined;

  constructor(client: HistoryClient, params: HistoryParams) {
    const { order = "desc", from, to, resume } = params ?? {};
    this.#client = client;
    this.#selection = parseSelection(params, ["order", "from", "to", "resume"]);
    if (order !== "asc" && order !== "desc") throw createParameterError("order", "must be asc or desc");
    checkBlockOrTime("from", from);
    checkBlockOrTime("to", to);
    const { address, kinds, exclude } = this.#selection;
    this.#params = { ...params };
    this.#identity = [order, address, kinds, exclude, Number(from), Number(to)].join(";");
    this.#resumed = resume == null ? null : decodeToken(this.#identity, "resume", resume, isHistoryPosition);
  }

  get report(): HistoryReport | null {
    return this.#reader?.report ?? null;
  }

  get resumeToken(): string | null {
    if (this.#reader === undefined) return this.#params.resume ?? null;
    const { position } = this.#reader;
    return position && encodeToken(this.#identity, position);
  }

  [Symbol.asyncIterator](): AsyncIterableIterator<HistoryEvent> {
    const reader = new EventReader(this.#client, this.#selection, this.#params, this.#resumed);
    this.#reader = reader;
    return new Iteration(reader, async () => {
      try {
        const value = await reader.next();
        return value === null ? { done: true, value: undefined } : { done: false, value };
      } catch (error) {
        throw this.#withToken(error, reader.position);
      }
    });
  }

  /** Replaces the token of an error of one source. The error belongs to this call alone. */
  #withToken(error: unknown, position: HistoryPosition | null): unknown {
    if (!isAddressQueryError(error)) return error;
    if (position === null) delete (error as { resumeToken?: string }).resumeToken;
    else Object.assign(error, { resumeToken: encodeToken(this.#identity, position) });
    return error;
  }
}
