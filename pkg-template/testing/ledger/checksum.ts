// Checksum addresses (EIP-55), whose letter case is the checksum.
//
// These lines need only the hash function. A library for them, such as viem, would add its own address and error types.

import { keccak256 } from "../keccak.js";
import { getOrMake } from "../maps.js";

const cache = new Map<string, `0x${string}`>();

/** Converts an address to checksum format. */
export function toChecksumAddress(address: string): `0x${string}` {
  return getOrMake(cache, address, () => {
    const digits = address.slice(2).toLowerCase();
    const digest = keccak256(digits);
    return `0x${Array.from(digits, (digit, i) => (digest.charAt(i) >= "8" ? digit.toUpperCase() : digit)).join("")}` as const;
  });
}
