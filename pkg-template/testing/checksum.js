// EIP-55: the letter case of an address is its checksum.

import { keccak256 } from "./keccak.js";

const known = new Map();

/** An address hash in mixed case. */
export function toChecksum(hash) {
  let result = known.get(hash);
  if (!result) {
    const digits = hash.slice(2).toLowerCase();
    const checks = keccak256(digits);
    result = `0x${Array.from(digits, (digit, i) => (checks[i] >= "8" ? digit.toUpperCase() : digit)).join("")}`;
    known.set(hash, result);
  }
  return result;
}
