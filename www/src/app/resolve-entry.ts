// Finds the page that a search entry leads to, if it is unique.
import { describeChecksumError } from "../format/checksum.js";
import { cleanText, isAddress, isBlockNumber, isHash } from "../format/text.js";
import { type Route, toAccounts, toAddress, toPage } from "../route/route.js";
import type { TabContext } from "../table/context.js";
import { findByService, isSearchable, type Suggestion } from "./suggestions.js";

export type Target = { route: Route } | { error: string };

const INVALID = "Invalid address: an address is 0x followed by 40 hex digits, and a transaction is 0x followed by 64.";

const SEVERAL_ADDRESSES = /0x[0-9a-f]{40}\b.+0x[0-9a-f]{40}\b/i;

/** Never guesses among several results. Only names of a name service are unique: anyone can give a token the name of another one. */
function choose(found: readonly Suggestion[], entry: string): Target {
  const exact = found.filter(({ label, isUnique }) => isUnique && label.toLowerCase() === entry.toLowerCase());
  const [first, ...others] = exact.length > 0 ? exact : found;
  if (!first) return { error: `Nothing found for ${cleanText(entry, 40)}.` };
  return others.length === 0 ? { route: first.route } : { error: `${others.length + 1} results: choose one.` };
}

export async function resolveEntry(context: TabContext, entry: string, signal: AbortSignal): Promise<Target> {
  const { route, service } = context;
  if (SEVERAL_ADDRESSES.test(entry)) {
    const { formatAccounts, parseAccounts } = await import("../accounts/accounts.js");
    try {
      const accounts = parseAccounts(entry, route.source);
      return { route: toAccounts(route, formatAccounts(accounts)) };
    } catch (error) {
      return { error: (error as Error).message };
    }
  }
  if (entry === "") return { route: toAddress(route, "") };
  if (isAddress(entry)) {
    const error = describeChecksumError(entry, service.chainId);
    return error ? { error } : { route: toAddress(route, entry) };
  }
  if (isBlockNumber(entry)) return { route: toPage(route, "block", entry) };
  if (!isSearchable(entry)) return { error: INVALID };
  // The hash of a transaction or block, or of a transaction that was sent a moment ago.
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
