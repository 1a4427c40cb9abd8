// Parses a pasted list of addresses.
import { describeChecksumError } from "../format/checksum.js";
import { isAddress } from "../format/text.js";

export interface AddressList {
  /** The valid addresses, each once, in their order. */
  addresses: string[];
  duplicates: number;
  /** Entries that are invalid or have a wrong checksum, with their positions, counted from 1. */
  invalid: { entry: string; position: number }[];
}

/** Accepts whitespace, commas and semicolons as separators, and ignores quotes and brackets around an address. */
export function parseAddresses(input: string, chainId: number | null): AddressList {
  const seen = new Set<string>();
  const result: AddressList = { addresses: [], duplicates: 0, invalid: [] };
  const entries = input
    .split(/[\s,;]+/)
    .map((entry) => entry.replace(/^["'([]+|["')\]]+$/g, ""))
    .filter(Boolean);
  for (const [index, entry] of entries.entries()) {
    const key = entry.toLowerCase();
    if (!isAddress(entry) || describeChecksumError(entry, chainId)) result.invalid.push({ entry, position: index + 1 });
    else if (seen.has(key)) result.duplicates += 1;
    else {
      result.addresses.push(entry);
      seen.add(key);
    }
  }
  return result;
}
