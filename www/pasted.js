// Addresses out of pasted text: one per line, or with commas between them, quoted or not. Pure.
import { isAddress } from "./format.js";

/** → { addresses: each once, repeated: how many came again, wrong: [{ text, place }] with places counted from 1 } */
export function pastedAddresses(text) {
  const seen = new Set();
  const found = { addresses: [], repeated: 0, wrong: [] };
  const entries = text.split(/[\s,;]+/).map(unquoted).filter(Boolean);
  for (const [index, entry] of entries.entries()) {
    const key = entry.toLowerCase();
    if (!isAddress(entry)) found.wrong.push({ text: entry, place: index + 1 });
    else if (seen.has(key)) found.repeated += 1;
    else found.addresses.push(entry);
    seen.add(key);
  }
  return found;
}

const unquoted = (entry) => entry.replace(/^["'([]+|["')\]]+$/g, "");
