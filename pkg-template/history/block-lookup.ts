// Finds the blocks of a history.
import { createParameterError, findBlock, findNewestBlock } from "../entry-support.js";
import type { ActionOptions, AddressQueryError } from "../public.js";
import type { Bounds } from "./position.js";
import type { HistoryClient } from "./public-types.js";

type BlockOrTime = number | Date | undefined;

const DAY_MS = 86_400_000;
/** The number of blocks per day at a block time of twelve seconds. */
const MIN_BLOCKS_PER_DAY = 7200;
/** A Unix time in seconds in 2001. No chain has so many blocks. */
const MIN_UNIX_TIME = 1e9;

/** Finds the blocks from one block or time to another, but not past the newest one. */
export async function findBounds(
  client: HistoryClient,
  from: BlockOrTime,
  to: BlockOrTime,
  options: ActionOptions,
): Promise<Bounds> {
  const [first, { block, boundMethod }] = await Promise.all([
    typeof from === "object" ? findBlock(client, "after", from, options) : (from ?? 0),
    typeof to === "object"
      ? findBlock(client, "before", to, options).then((block) => ({ block, boundMethod: "getBlockNoByTime" as const }))
      : findNewestBlock(client, options),
  ]);
  if (first === null || block === null) return { from: 1, to: 0, boundMethod };
  await checkBound(client, "from", from, block, options);
  // As in the account interface, a last block past all others means the newest one. A Unix time would mean the same.
  if (Number(to) >= MIN_UNIX_TIME) await checkBound(client, "to", to, block, options);
  // Without a fixed end, lists that were read before a new block arrived would lack its records.
  return { from: first, to: typeof to === "number" ? Math.min(to, block) : block, boundMethod };
}

/** Returns null if an error shows that the instance does not state something. Throws errors that say nothing about the instance. */
export function toNullIfUnstated(error: AddressQueryError): null {
  if (error.retryable || /^(aborted|credit_limit|out_of_credits)$/.test(error.code)) throw error;
  return null;
}

/** Throws if a block number is more than a day of blocks past the newest one. */
export async function checkBound(
  client: HistoryClient,
  parameter: string,
  bound: BlockOrTime,
  newest: number,
  options: ActionOptions,
): Promise<void> {
  if (typeof bound !== "number" || bound <= newest + MIN_BLOCKS_PER_DAY) return;
  const dayBefore = await findBlock(client, "before", Date.now() - DAY_MS, options).catch(toNullIfUnstated);
  if (bound >= (dayBefore === null ? MIN_UNIX_TIME : 2 * newest - dayBefore + 1)) {
    throw createParameterError(parameter, `is far past block ${newest}; it looks like a Unix time; pass a Date`);
  }
}
