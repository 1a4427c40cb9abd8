// The addresses that were shown last, stored by the browser.
import { isSameAddress } from "../format/text.js";
import { load, save } from "../settings/storage.js";

const KEY = "address-query-recent";
const MAX_RECENT = 6;

export function recentAddresses(): string[] {
  const recent = load("localStorage", KEY);
  return Array.isArray(recent) ? recent.filter((address) => typeof address === "string").slice(0, MAX_RECENT) : [];
}

const others = (address: string): string[] => recentAddresses().filter((other) => !isSameAddress(other, address));

/** Puts an address at the top of the recent ones. */
export const addRecent = (address: string): void => save("localStorage", KEY, [address, ...others(address)].slice(0, MAX_RECENT));

export const removeRecent = (address: string): void => save("localStorage", KEY, others(address));
