// Checksum addresses (EIP-55), whose letter case is the checksum.

import { keccak256 } from "./keccak.js";

const cache = new Map();

/** Converts an address to checksum format. */
export function toChecksumAddress(address) {
  let result = cache.get(address);
  if (!result) {
    const digits = address.slice(2).toLowerCase();
    const digest = keccak256(digits);
    result = `0x${Array.from(digits, (digit, i) => (digest[i] >= "8" ? digit.toUpperCase() : digit)).join("")}`;
    cache.set(address, result);
  }
  return result;
}
