// Finds the blocks of a history.
import { createParameterError, findBlock, findNewestBlock } from "../entry-support.js";
import type { ActionOptions, AddressQueryError } from "../public.js";
import type { Bounds } from "./position.js";
import type { HistoryClient } from "./public-types.js";

type BlockOrTime = number | Date | undefined;

const DAY_MS = 86_400_000;
/** Blocks that are older are final: a reorganisation never replaces them. */
const FINAL_AFTER_MS = 3_600_000;
/** The number of blocks per day at a block time of twelve seconds. */
const MIN_BLOCKS_PER_DAY = 7200;
/** A Unix time in seconds in 2001. No chain has so many blocks. */
const MIN_UNIX_TIME = 1e9;

/**
 * Finds the blocks from one block or time to another, but not past the newest one. `isChecked`: finds the hash of the last block, if it is
 * one of the newest.
 */
export async function findBounds(
  client: HistoryClient,
  from: BlockOrTime,
  to: BlockOrTime,
  isChecked: boolean,
  options: ActionOptions,
): Promise<Bounds> {
  const [first, { block, boundMethod, hashes }] = await Promise.all([
    typeof from === "object" ? findBlock(client, "after", from, options) : (from ?? 0),
    findLastBlock(client, to, isChecked, options),
  ]);
  if (first === null || block === null) return { from: 1, to: 0, boundMethod };
  await checkBound(client, "from", from, block, options);
  // As in the account interface, a last block past all others means the newest one. A Unix time would mean the same.
  if (Number(to) >= MIN_UNIX_TIME) await checkBound(client, "to", to, block, options);
  // Without a fixed end, lists that were read before a new block arrived would lack its records.
  const last = typeof to === "number" ? Math.min(to, block) : block;
  return { from: first, to: last, boundMethod, hash: hashes.get(last) };
}

/** Finds the newest block, or the last one before a time. The list of blocks has their hashes, too. */
async function findLastBlock(client: HistoryClient, to: BlockOrTime, isChecked: boolean, options: ActionOptions) {
  const time = typeof to === "object" ? Number(to) : Number.POSITIVE_INFINITY;
  const isRead = isChecked && time > Date.now() - FINAL_AFTER_MS;
  const page = isRead ? await client.blocks({}, options).catch(toNullIfUnstated) : null;
  const listed = page?.items.filter(({ timestamp }) => time === Number.POSITIVE_INFINITY || Date.parse(timestamp ?? "") <= time);
  const hashes = new Map(listed?.map(({ height, hash }) => [height, hash]));
  if (hashes.size > 0) return { block: Math.max(...hashes.keys()), boundMethod: "blocks" as const, hashes };
  if (typeof to !== "object") return { ...(await findNewestBlock(client, options)), hashes };
  return { block: await findBlock(client, "before", to, options), boundMethod: "getBlockNoByTime" as const, hashes };
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
