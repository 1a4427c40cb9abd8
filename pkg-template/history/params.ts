// Checks the parameters of `history` and `watch`, and converts times to blocks.
import { createParameterError } from "../errors.js";
import type { HistoryKind, Suspicion } from "./event.js";
import type { HistoryClient, HistoryFilter } from "./public-types.js";
import type { Bounds } from "./source.js";

/** All kinds, in the order within a transaction and a block. */
export const KINDS: readonly HistoryKind[] = [
  "transaction",
  "internal_transaction",
  "token_transfer",
  "block_reward",
  "withdrawal",
];
const SUSPICIONS: readonly Suspicion[] = ["scam_token", "lookalike_address", "zero_value"];
/** Blocks up to this time are requested to find the newest one: the clock of the device may be slow. */
const CLOCK_TOLERANCE_SECONDS = 86_400;

/** The checked parameters that select events. */
export interface Selection {
  /** In lower case. */
  address: string;
  kinds: readonly HistoryKind[];
  exclude: readonly Suspicion[];
  signal: HistoryFilter["signal"];
}

/** Throws if a parameter or option is unknown. */
export function checkNames(noun: "parameter" | "option", values: object, valid: readonly string[]): void {
  const unknown = Object.keys(values ?? {}).find((name) => !valid.includes(name));
  if (unknown !== undefined) throw createParameterError(unknown, `unknown ${noun}; valid ${noun}s are ${valid.join(", ")}`);
}

/** Throws if a parameter is unknown or invalid. `names` are the names of the further parameters. */
export function parseSelection(params: HistoryFilter, names: readonly string[]): Selection {
  checkNames("parameter", params, ["address_hash", "include", "exclude", "signal", ...names]);
  const { address_hash, include, exclude, signal } = params ?? {};
  if (typeof address_hash !== "string" || !/^0x[0-9a-f]{40}$/i.test(address_hash)) {
    throw createParameterError("address_hash", "must be 0x and 40 hex digits");
  }
  const included = parseNames("include", include ?? KINDS, KINDS);
  if (included.length === 0) throw createParameterError("include", "must not be empty");
  return {
    address: address_hash.toLowerCase(),
    kinds: KINDS.filter((kind) => included.includes(kind)),
    exclude: parseNames("exclude", exclude ?? [], SUSPICIONS),
    signal,
  };
}

function parseNames<Name extends string>(parameter: string, names: readonly Name[], valid: readonly Name[]): Name[] {
  if (!Array.isArray(names) || !names.every((name) => valid.includes(name))) {
    throw createParameterError(parameter, `must be an array of ${valid.join(", ")}`);
  }
  return [...names];
}

/** Throws if a value is neither a block number nor a time. */
export function checkBlockOrTime(parameter: string, value: unknown): void {
  const isTime = Object.prototype.toString.call(value) === "[object Date]" && Number.isFinite(Number(value));
  if (value == null || isTime || (Number.isSafeInteger(value) && (value as number) >= 0)) return;
  throw createParameterError(parameter, "must be a block number, or a Date");
}

type BlockOrTime = number | Date | undefined;

/** Finds the blocks from one block or time to another. */
export async function findBounds(
  client: HistoryClient,
  from: BlockOrTime,
  to: BlockOrTime,
  signal: Selection["signal"],
): Promise<Bounds> {
  const newest = () => findBlock(client, Date.now() / 1000 + CLOCK_TOLERANCE_SECONDS, "before", signal);
  const [first, last] = await Promise.all([
    typeof from === "object" ? findBlock(client, Number(from) / 1000, "after", signal) : (from ?? 0),
    typeof to === "object" ? findBlock(client, Number(to) / 1000, "before", signal) : (to ?? newest()),
  ]);
  // A time without a block before or after it.
  return first === null || last === null ? { from: 1, to: 0 } : { from: first, to: last };
}

/** Returns the number of the block closest to a time in Unix seconds, or null if there is none. */
async function findBlock(
  client: HistoryClient,
  seconds: number,
  closest: "before" | "after",
  signal: Selection["signal"],
): Promise<number | null> {
  const timestamp = Math.max(0, closest === "before" ? Math.floor(seconds) : Math.ceil(seconds));
  try {
    const { blockNumber } = await client.block.getBlockNoByTime({ timestamp, closest }, { signal });
    return Number(blockNumber);
  } catch (error) {
    if ((error as { code?: string }).code === "refused") return null;
    throw error;
  }
}
