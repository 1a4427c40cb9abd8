// Finds the blocks of a history: by time, and the newest one.
import { type AddressQueryError, createError, createParameterError } from "../errors.js";
import type { RequestOptions } from "./params.js";
import type { Bounds } from "./position.js";
import type { HistoryClient } from "./public-types.js";

type BlockOrTime = number | Date | undefined;

/** How far in the future to look for the newest block, because the clock of the device may be slow. */
const CLOCK_TOLERANCE_MS = 86_400_000;
const DAY_MS = 86_400_000;
/** The number of blocks per day at a block time of twelve seconds. */
const MIN_BLOCKS_PER_DAY = 7200;
/** A Unix time in seconds in 2001. No chain has so many blocks. */
const MIN_UNIX_TIME = 1e9;
/** The message of the service if no block is before or after a time. Every other refusal is a failure. */
const NO_BLOCK = /"(block (does not exist|not found)|no (closest )?blocks? found)"/i;

/** A block, and the method of the client that found it. The block is null if the service says that there is none. */
interface FoundBlock {
  block: number | null;
  boundMethod: Bounds["boundMethod"];
}

/** Finds the blocks from one block or time to another, but not past the newest one. */
export async function findBounds(
  client: HistoryClient,
  from: BlockOrTime,
  to: BlockOrTime,
  options: RequestOptions,
): Promise<Bounds> {
  const [first, { block, boundMethod }] = await Promise.all([
    typeof from === "object" ? findBlock(client, "after", from, options) : (from ?? 0),
    typeof to === "object" ? findBlock(client, "before", to, options).then(toFoundBlock) : findNewestBlock(client, options),
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
  options: RequestOptions,
): Promise<void> {
  if (typeof bound !== "number" || bound <= newest + MIN_BLOCKS_PER_DAY) return;
  const dayBefore = await findBlock(client, "before", Date.now() - DAY_MS, options).catch(toNullIfUnstated);
  if (bound >= (dayBefore === null ? MIN_UNIX_TIME : 2 * newest - dayBefore + 1)) {
    throw createParameterError(parameter, `is far past block ${newest}; it looks like a Unix time; pass a Date`);
  }
}

/**
 * Finds the newest block. Uses the list of blocks if the service refuses the lookup by time or returns no valid number.
 *
 * @throws {AddressQueryError} The failure of the lookup by time, if it may succeed later, or if the list of blocks is missing or
 * empty. Otherwise the failure of the list, which may be temporary, or an abort.
 */
export async function findNewestBlock(client: HistoryClient, options: RequestOptions): Promise<FoundBlock> {
  try {
    return toFoundBlock(await findBlock(client, "before", Date.now() + CLOCK_TOLERANCE_MS, options));
  } catch (error) {
    if ((error as AddressQueryError).retryable) throw error;
    const { items } = await client.blocks({}, options).catch((failure: AddressQueryError) => {
      if (failure.status === 404) return { items: [] };
      throw failure;
    });
    if (items.length === 0) throw error;
    return { block: Math.max(...items.map(({ height }) => height)), boundMethod: "blocks" };
  }
}

function toFoundBlock(block: number | null): FoundBlock {
  return { block, boundMethod: "getBlockNoByTime" };
}

/** Finds the block closest to a time. Returns null if the service says that there is none. */
export async function findBlock(
  client: HistoryClient,
  closest: "before" | "after",
  time: number | Date,
  options: RequestOptions,
): Promise<number | null> {
  const seconds = Number(time) / 1000;
  const timestamp = Math.max(0, closest === "after" ? Math.ceil(seconds) : Math.floor(seconds));
  try {
    const result = await client.block.getBlockNoByTime({ timestamp, closest }, options);
    // Null with a success status.
    if (result) return Number(result.blockNumber);
    throw createError("result: expected an object", { code: "decode", path: "result" }, false);
  } catch (error) {
    const { code, message } = error as AddressQueryError;
    if (code === "refused" && NO_BLOCK.test(message)) return null;
    throw error;
  }
}
