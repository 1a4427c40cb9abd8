// Checksum addresses, whose letter case is the checksum. The account module has addresses in lower case.
import { keccak_256 } from "@noble/hashes/sha3.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import { isAddress } from "./text.js";

/** Rootstock and its testnet, whose checksums contain the chain id (EIP-1191). All other chains have those of EIP-55. */
const CHAINS_WITH_OWN_CHECKSUMS: ReadonlySet<number> = new Set([30, 31]);

const known = new Map<string, string>();

/** Returns an address in lower case with its checksum. It stays as it is if the chain is not known. */
export function toChecksumAddress(address: string, chainId: number | null): string {
  if (chainId === null || !isAddress(address) || address !== address.toLowerCase()) return address;
  const digits = address.slice(2);
  const hashed = CHAINS_WITH_OWN_CHECKSUMS.has(chainId) ? `${chainId}${address}` : digits;
  const cached = known.get(hashed);
  if (cached !== undefined) return cached;
  const digest = bytesToHex(keccak_256(utf8ToBytes(hashed)));
  const toCase = (digit: string, index: number) => (digest.charAt(index) >= "8" ? digit.toUpperCase() : digit);
  const result = `0x${[...digits].map(toCase).join("")}`;
  known.set(hashed, result);
  return result;
}
