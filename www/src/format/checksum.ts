// Checksum addresses (EIP-55), whose letter case is the checksum. The account module has addresses in lower case.
import { keccak_256 } from "@noble/hashes/sha3.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";

const known = new Map<string, string>();

/** Returns an address in lower case with its checksum. Another one stays as it is: some chains have a checksum of their own. */
export function toChecksumAddress(address: string): string {
  if (address !== address.toLowerCase()) return address;
  const cached = known.get(address);
  if (cached !== undefined) return cached;
  const digits = address.slice(2);
  const digest = bytesToHex(keccak_256(utf8ToBytes(digits)));
  const toCase = (digit: string, index: number) => (digest.charAt(index) >= "8" ? digit.toUpperCase() : digit);
  const result = `0x${[...digits].map(toCase).join("")}`;
  known.set(address, result);
  return result;
}
