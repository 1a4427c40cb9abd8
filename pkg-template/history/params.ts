// Checks the parameters of `history` and `watch`.
import { checkAddress, checkCallOptions, checkClient, checkNames, createParameterError } from "../entry-support.js";
import type { HistoryEvent, HistoryKind, Suspicion } from "./event.js";
import { isCount } from "./position.js";
import type { HistoryClient, HistoryFilter, HistoryParams } from "./public-types.js";

/** All kinds, in the order within a transaction and a block. */
export const KINDS: readonly HistoryKind[] = [
  "transaction",
  "internal_transaction",
  "token_transfer",
  "block_reward",
  "withdrawal",
];
/** The names of the parameters that select events. */
export const FILTER_NAMES: readonly string[] = ["address_hash", "include", "exclude", "signal"];
/** The names of the parameters that say what is read of a history, and in which order. */
export const READ_NAMES: readonly string[] = ["order", "from", "to", "resume", "concurrency"];
const SUSPICIONS: readonly Suspicion[] = ["scam_token", "lookalike_address", "zero_value"];

/** The checked parameters that select events. */
export interface Selection {
  /** In lower case. */
  address: string;
  kinds: readonly HistoryKind[];
  exclude: readonly Suspicion[];
  signal: HistoryFilter["signal"];
}

/** Throws if the client is not one, or if a parameter is unknown or invalid. `names` are the names of all parameters. */
export function parseSelection(client: Partial<HistoryClient>, params: HistoryFilter, names: readonly string[]): Selection {
  checkClient(client);
  checkNames("parameter", params, names);
  const { address_hash, include, exclude, signal } = params ?? {};
  checkAddress("address_hash", address_hash);
  checkCallOptions({ signal });
  const included = parseNames("include", include ?? KINDS, KINDS);
  if (included.length === 0) throw createParameterError("include", "must not be empty");
  return {
    address: address_hash.toLowerCase(),
    kinds: KINDS.filter((kind) => included.includes(kind)),
    exclude: parseSuspicions(exclude),
    signal,
  };
}

/** Throws if a parameter that says what is read, and in which order, is invalid. Returns the parameters with their defaults. */
export function parseOrder<Params extends Pick<HistoryParams, "order" | "from" | "to" | "concurrency">>(
  params: Params,
): Params & Required<Pick<HistoryParams, "order">> {
  const { order = "desc", from, to, concurrency } = params;
  if (order !== "asc" && order !== "desc") throw createParameterError("order", "must be asc or desc");
  checkBlockOrTime("from", from);
  checkBlockOrTime("to", to);
  if (to != null && typeof from === typeof to && Number(from) > Number(to)) {
    throw createParameterError("from", "must not be after to");
  }
  checkCallOptions({ concurrency });
  return { ...params, order };
}

/** Checks the suspicions to leave out. */
export function parseSuspicions(exclude: HistoryFilter["exclude"]): readonly Suspicion[] {
  return parseNames("exclude", exclude ?? [], SUSPICIONS);
}

/** Whether an event is delivered. */
export function isIncluded({ exclude }: Selection, { suspicion }: HistoryEvent): boolean {
  return suspicion === null || !exclude.includes(suspicion);
}

function parseNames<Name extends string>(parameter: string, names: readonly Name[], valid: readonly Name[]): readonly Name[] {
  if (!Array.isArray(names) || !names.every((name) => valid.includes(name))) {
    throw createParameterError(parameter, `must be an array of ${valid.join(", ")}`);
  }
  return [...names];
}

/** Whether a value is a valid `Date`, of this realm or another one. */
export function isDate(value: unknown): value is Date {
  return Object.prototype.toString.call(value) === "[object Date]" && Number.isFinite(Number(value));
}

/** Throws if a value is neither a block number nor a time. */
export function checkBlockOrTime(parameter: string, value: unknown): void {
  if (value != null && !isDate(value) && !isCount(value as number))
    throw createParameterError(parameter, "must be a block number, or a Date");
}
