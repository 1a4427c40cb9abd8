// Checksum addresses, each computed once.
import { checksumAddress } from "../../checksum.js";
import { getOrMake } from "../maps.js";

const cache = new Map<string, `0x${string}`>();

/** Converts an address to checksum format. */
export function toChecksumAddress(address: string): `0x${string}` {
  return getOrMake(cache, address, () => checksumAddress(address));
}
