// Finds blocks for the entries: the newest one, and the closest to a time.
import type { Client } from "./client.js";
import { AddressQueryError } from "./errors.js";
import type { ActionOptions } from "./options.js";

/** How far in the future to look for the newest block, because the clock of the device may be slow. */
const CLOCK_TOLERANCE_MS = 86_400_000;
/** The message of the service if no block is before or after a time. Every other refusal is a failure. */
const NO_BLOCK = /"(block (does not exist|not found)|no (closest )?blocks? found)"/i;

type BlockClient = Pick<Client, "block" | "blocks">;

/** A block, and the method of the client that found it. The block is null if the service says that there is none. */
interface FoundBlock {
  block: number | null;
  boundMethod: "getBlockNoByTime" | "blocks";
}

/**
 * Finds the newest block. Uses the list of blocks if the service refuses the lookup by time or returns no valid number.
 *
 * @throws {AddressQueryError} The failure of the lookup by time, if it may succeed later, or if the list of blocks is missing or
 * empty. Otherwise the failure of the list, which may be temporary, or an abort.
 */
export async function findNewestBlock(client: BlockClient, options: ActionOptions): Promise<FoundBlock> {
  try {
    const block = await findBlock(client, "before", Date.now() + CLOCK_TOLERANCE_MS, options);
    return { block, boundMethod: "getBlockNoByTime" };
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

/** Returns the newest block. Throws if there is none. */
export async function getNewestBlock(client: BlockClient, options: ActionOptions): Promise<number> {
  const { block } = await findNewestBlock(client, options);
  if (block === null) throw AddressQueryError.create("refused", "the service has no blocks");
  return block;
}

/** Finds the block closest to a time. Returns null if the service says that there is none. */
export async function findBlock(
  client: BlockClient,
  closest: "before" | "after",
  time: number | Date,
  options: ActionOptions,
): Promise<number | null> {
  const seconds = Number(time) / 1000;
  const timestamp = Math.max(0, closest === "after" ? Math.ceil(seconds) : Math.floor(seconds));
  try {
    const result = await client.block.getBlockNoByTime({ timestamp, closest }, options);
    // Null with a success status.
    if (result) return Number(result.blockNumber);
    throw AddressQueryError.create("decode", "result: expected an object", { path: "result" });
  } catch (error) {
    const { code, message } = error as AddressQueryError;
    if (code === "refused" && NO_BLOCK.test(message)) return null;
    throw error;
  }
}
