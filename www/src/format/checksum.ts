// Checksum addresses, whose letter case is the checksum. The account module has addresses in lower case.
import { checksumAddress, requireChecksums } from "address-query";
import { isAddress } from "./text.js";

const known = new Map<string, string>();

/** Adds the checksum to an address in lower case. Returns it unchanged if the chain is not known. */
export function toChecksumAddress(address: string, chainId: number | null): string {
  if (chainId === null || !isAddress(address) || address !== address.toLowerCase()) return address;
  const key = `${chainId} ${address}`;
  const result = known.get(key) ?? checksumAddress(address, chainId);
  known.set(key, result);
  return result;
}

/** Why the checksum of a typed address is wrong, or "". If the chain is not known, checks the checksum that most chains use. */
export function describeChecksumError(entered: string, chainId: number | null): string {
  try {
    requireChecksums(chainId ?? undefined)({ address: entered });
    return "";
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
