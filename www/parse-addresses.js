// Parses a pasted list of addresses. Pure: no DOM.
import { isAddress } from "./format.js";

/**
 * Accepts whitespace, commas and semicolons as separators, and ignores quotes and brackets around an address.
 * Returns the unique valid addresses, the number of duplicates, and the invalid entries with positions counted from 1:
 * { addresses, duplicates, invalid: [{ entry, position }] }
 */
export function parseAddresses(input) {
  const seen = new Set();
  const result = { addresses: [], duplicates: 0, invalid: [] };
  const entries = input
    .split(/[\s,;]+/)
    .map(stripQuotes)
    .filter(Boolean);
  for (const [index, entry] of entries.entries()) {
    const key = entry.toLowerCase();
    if (!isAddress(entry)) result.invalid.push({ entry, position: index + 1 });
    else if (seen.has(key)) result.duplicates += 1;
    else result.addresses.push(entry);
    seen.add(key);
  }
  return result;
}

const stripQuotes = (entry) => entry.replace(/^["'([]+|["')\]]+$/g, "");
