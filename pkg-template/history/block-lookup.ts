// Finds the blocks of a history: those of times, and the newest one.
import { type AddressQueryError, createError } from "../errors.js";
import type { HistoryClient, HistoryFilter, HistoryReport } from "./public-types.js";
import type { Bounds } from "./source.js";

type Signal = HistoryFilter["signal"];
type BlockOrTime = number | Date | null | undefined;

/** A block, and the method of the client that found it. The block is null if the service has none. */
interface FoundBlock {
  block: number | null;
  boundMethod: HistoryReport["boundMethod"];
}

/** Blocks up to this time are requested to find the newest one: the clock of the device may be slow. */
const CLOCK_TOLERANCE_MS = 86_400_000;
/** The message of the service if no block is before or after a time. All other refusals are failures. */
const NO_BLOCK = /no (\w+ )?blocks? found|block (does not exist|not found)/i;

/** Finds the blocks from one block or time to another, but not past the newest one. */
export async function findBounds(client: HistoryClient, from: BlockOrTime, to: BlockOrTime, signal: Signal): Promise<Bounds> {
  const [first, { block, boundMethod }] = await Promise.all([
    isTime(from) ? findBlockAt(client, "after", from, signal) : (from ?? 0),
    isTime(to)
      ? findBlockAt(client, "before", to, signal).then((block): FoundBlock => ({ block, boundMethod: "getBlockNoByTime" }))
      : findNewestBlock(client, signal),
  ]);
  if (first === null || block === null) return { from: 1, to: 0, boundMethod };
  // The lists are read one after the other. Of a block that arrives meanwhile, some of them would lack the records.
  return { from: first, to: Math.min(block, typeof to === "number" ? to : block), boundMethod };
}

/**
 * Finds the newest block: that of the list of blocks, if the service refuses the lookup by time.
 *
 * @throws {AddressQueryError} The failure of the lookup by time, if it may succeed later or the list has no block either.
 */
export async function findNewestBlock(client: HistoryClient, signal: Signal): Promise<FoundBlock> {
  try {
    const block = await findBlockAt(client, "before", Date.now() + CLOCK_TOLERANCE_MS, signal);
    return { block, boundMethod: "getBlockNoByTime" };
  } catch (error) {
    if ((error as AddressQueryError).retryable) throw error;
    const { items } = await client.blocks({}, { signal }).catch(() => ({ items: [] }));
    if (items.length === 0) throw error;
    return { block: Math.max(...items.map(({ height }) => height)), boundMethod: "blocks" };
  }
}

/** Finds the block closest to a time. Returns null if the service says that there is none. */
export async function findBlockAt(
  client: HistoryClient,
  closest: "before" | "after",
  time: number | Date,
  signal: Signal,
): Promise<number | null> {
  const seconds = Number(time) / 1000;
  const timestamp = Math.max(0, closest === "after" ? Math.ceil(seconds) : Math.floor(seconds));
  try {
    const found = await client.block.getBlockNoByTime({ timestamp, closest }, { signal });
    const block = Number(found?.blockNumber ?? Number.NaN);
    if (Number.isSafeInteger(block)) return block;
    const path = "result.blockNumber";
    throw createError(`${path}: expected a block number`, { code: "decode", path }, false);
  } catch (error) {
    const { code, message } = error as AddressQueryError;
    if (code === "refused" && NO_BLOCK.test(message)) return null;
    throw error;
  }
}

function isTime(value: BlockOrTime): value is Date {
  return typeof value === "object" && value !== null;
}
