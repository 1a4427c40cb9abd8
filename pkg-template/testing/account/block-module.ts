// The block module at /api?module=block.

import { createAccountError } from "../api-error.js";
import type { Chain } from "../ledger/chain.js";

/** Responds to the action `getblocknobytime`: returns the number of the block before or after a time. */
export function getBlockByTime(chain: Chain, values: ReadonlyMap<string, string>): { readonly blockNumber: string } {
  const timestamp = values.get("timestamp");
  const closest = values.get("closest");
  if (timestamp === undefined) throw createAccountError("Query parameter 'timestamp' is required");
  if (closest === undefined) throw createAccountError("Query parameter 'closest' is required");
  if (!/^\d+$/.test(timestamp)) throw createAccountError("Invalid `timestamp` param");
  if (closest !== "before" && closest !== "after") throw createAccountError("Invalid `closest` param");
  const position = chain.getBlockAtTime(Number(timestamp));
  const block = closest === "before" ? Math.min(Math.floor(position), chain.head) : Math.max(Math.ceil(position), 0);
  if (block < 0 || block > chain.head) throw createAccountError("Block does not exist");
  return { blockNumber: String(block) };
}
