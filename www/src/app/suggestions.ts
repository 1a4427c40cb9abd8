// What the search suggests: the addresses that were shown last, and those of the sample data.
import { isSameAddress } from "../format/text.js";
import "./suggestions.css";

export interface Suggestion {
  address: string;
  label: string;
  description: string;
}

const KEY = "address-query-recent";
const MAX_RECENT = 6;

function readRecent(): string[] {
  try {
    const recent: unknown = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(recent) ? recent.filter((address) => typeof address === "string").slice(0, MAX_RECENT) : [];
  } catch {
    return [];
  }
}

/** Puts an address at the top of the recent ones. */
export function addRecent(address: string): void {
  const recent = [address, ...readRecent().filter((other) => !isSameAddress(other, address))];
  try {
    localStorage.setItem(KEY, JSON.stringify(recent.slice(0, MAX_RECENT)));
  } catch {
    // A browser that stores nothing suggests no recent addresses.
  }
}

async function readSamples(): Promise<Suggestion[]> {
  const { sampleAddresses } = await import("../service/sample.js");
  return sampleAddresses.map(({ hash, label, description }) => ({ address: hash, label, description }));
}

/** Suggestions that contain `entered`. Those of the sample data only if `source` is the sample data. */
export async function findSuggestions(source: string, entered: string): Promise<Suggestion[]> {
  const samples = source === "" ? await readSamples() : [];
  const recent = readRecent()
    .filter((address) => !samples.some((sample) => isSameAddress(address, sample.address)))
    .map((address) => ({ address, label: "Recent", description: address }));
  const sought = entered.toLowerCase();
  return [...recent, ...samples].filter((suggestion) => Object.values(suggestion).join("\n").toLowerCase().includes(sought));
}
