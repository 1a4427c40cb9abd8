// The Keccak-256 hash function, for address checksums, event topics and method selectors.

import { keccak_256 } from "@noble/hashes/sha3.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";

/** Hashes the UTF-8 bytes of a string; returns 64 hex digits without 0x. */
export function keccak256(string: string): string {
  return bytesToHex(keccak_256(utf8ToBytes(string)));
}
