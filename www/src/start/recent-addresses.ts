// The addresses that were shown last, stored by the browser.
import { isSameAddress } from "../format/text.js";

const KEY = "address-query-recent";
const MAX_RECENT = 6;

export function recentAddresses(): string[] {
  try {
    const recent: unknown = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(recent) ? recent.filter((address) => typeof address === "string").slice(0, MAX_RECENT) : [];
  } catch {
    return [];
  }
}

const others = (address: string): string[] => recentAddresses().filter((other) => !isSameAddress(other, address));

/** Puts an address at the top of the recent ones. */
export const addRecent = (address: string): void => save([address, ...others(address)]);

export const removeRecent = (address: string): void => save(others(address));

function save(recent: readonly string[]): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(recent.slice(0, MAX_RECENT)));
  } catch {
    // Without storage, no recent addresses are suggested.
  }
}
