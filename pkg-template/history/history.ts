// `history`: all events of an address, in order.
import { decodeToken } from "../entry-support.js";
import type { HistoryEvent } from "./event.js";
import { type CallSetup, EventCall } from "./event-call.js";
import { HistoryReader } from "./history-reader.js";
import { FILTER_NAMES, parseOrder, parseSelection, READ_NAMES } from "./params.js";
import { type HistoryPosition, isHistoryPosition } from "./position.js";
import type { HistoryCall, HistoryClient, HistoryParams } from "./public-types.js";

/** The operation of the resume tokens. */
const OPERATION = "history";

/**
 * Reads all events of an address, in order: transactions, internal transactions, token transfers of every standard, withdrawals and
 * block rewards.
 *
 * @remarks
 * Nothing is sent before the iteration starts. The newest blocks are listed first, so that all lists end there. At the end, the last block
 * is requested again: if the chain has replaced it meanwhile, the report is not complete, and says so in `reasons`. While your code
 * handles events, lists are read one page ahead. With `order: "asc"`, block ranges are read ahead until 20,000 rows per concurrent
 * request are buffered, or one response with `concurrency: 1`.
 *
 * The iteration holds what it has read ahead, and the events of one block, whose number is bounded by the gas limit of the block.
 * Lists that the service has only newest first are read to their ends with `order: "asc"`: up to 100 of their pages are held, and the
 * others are read again. A failure meanwhile loses no progress: the token of the error continues from there.
 *
 * An error ends the iteration. Its `resumeToken` continues after the last delivered event. Records that come out of order or twice
 * are such an error, with code `cursor`. With `maxCredits`, a budget that is too small for any progress rejects with `credit_limit`
 * before it is spent. The message says how many credits make progress.
 *
 * @example
 * ```ts
 * import { history } from "address-query/history";
 *
 * for await (const event of history(client, { address_hash, order: "asc" })) {
 *   console.log(event.timestamp, event.kind, event.direction, event.amount);
 * }
 * ```
 * @throws {AddressQueryError} `invalid_parameter` for a parameter that is unknown or invalid, such as a token of another chain: the
 * iteration rejects. `history` itself never throws.
 */
export function history(client: HistoryClient, params: HistoryParams): HistoryCall {
  return createHistory(client, params, true);
}

/** Creates a history. `isChecked`: finds out at its end whether blocks were replaced. */
export function createHistory(client: HistoryClient, params: HistoryParams, isChecked: boolean): HistoryCall {
  const setUp = () => setUpHistory(client, params, isChecked);
  return new EventCall(client, setUp) as EventCall<HistoryEvent, HistoryPosition> & HistoryCall;
}

/** Checks the parameters of a history. */
function setUpHistory(
  client: HistoryClient,
  params: HistoryParams,
  isChecked: boolean,
): CallSetup<HistoryEvent, HistoryPosition> {
  const selection = parseSelection(client, params, [...FILTER_NAMES, ...READ_NAMES]);
  const { order, from, to, resume, concurrency } = parseOrder(params);
  const { address, kinds, exclude } = selection;
  const identity = [order, address, kinds, exclude, Number(from), Number(to)].join(";");
  const decode = (token: string) => decodeToken(OPERATION, "resume", token, isHistoryPosition);
  const token = resume == null ? null : decode(resume);
  const setup = { client, selection, isAscending: order === "asc", isChecked, from, to, concurrency };
  const createReader = (position: HistoryPosition | null) => new HistoryReader(setup, position);
  return { signal: selection.signal, operation: OPERATION, identity, token, decode, createReader };
}
