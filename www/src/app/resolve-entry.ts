// Where an entry of the search leads: to one page, or to none.
import { describeChecksumError } from "../format/checksum.js";
import { cleanText, isAddress, isBlockNumber, isHash } from "../format/text.js";
import { type Route, toAddress, toPage } from "../route/route.js";
import type { TabContext } from "../table/context.js";
import { findByService, isSearchable, type Suggestion } from "./suggestions.js";

export type Target = { route: Route } | { error: string };

const INVALID = "Invalid address: an address is 0x followed by 40 hex digits, and a transaction is 0x followed by 64.";

/** Several results are never decided by a guess. Only names of a name service are unique: anybody can name a token like another one. */
function choose(found: readonly Suggestion[], entry: string): Target {
  const exact = found.filter(({ label, isUnique }) => isUnique && label.toLowerCase() === entry.toLowerCase());
  const [first, ...others] = exact.length > 0 ? exact : found;
  if (!first) return { error: `Nothing found for ${cleanText(entry, 40)}.` };
  return others.length === 0 ? { route: first.route } : { error: `${others.length + 1} results: choose one.` };
}

export async function resolveEntry(context: TabContext, entry: string, signal: AbortSignal): Promise<Target> {
  const { route, service } = context;
  if (entry === "") return { route: toAddress(route, "") };
  if (isAddress(entry)) {
    const error = describeChecksumError(entry, service.chainId);
    return error ? { error } : { route: toAddress(route, entry) };
  }
  if (isBlockNumber(entry)) return { route: toPage(route, "block", entry) };
  if (!isSearchable(entry)) return { error: INVALID };
  // The hash of a transaction, of a block, or of one that was sent a moment ago.
  const transaction: Target = { route: toPage(route, "transaction", entry) };
  try {
    const found = await findByService(context, entry, signal);
    if (isHash(entry)) return found[0] ? { route: found[0].route } : transaction;
    return choose(found, entry);
  } catch (error) {
    if (isHash(entry)) return transaction;
    return { error: `The search failed: ${cleanText(error instanceof Error ? error.message : error)}` };
  }
}
