// Checksum addresses: EIP-55, and EIP-1191 of the chains that use it.
import { createParameterError } from "./errors.js";
import { hashKeccak256 } from "./keccak.js";
import type { Hex } from "./records.js";

/** The ids of the chains whose checksums contain the id (EIP-1191): Rootstock and its test network. */
const CHAINS_WITH_ID = [30, 31];
const ADDRESS = /^0x[\da-f]{40}$/i;

/**
 * Returns an address in mixed case (EIP-55), which reveals most typing errors. Sends nothing.
 *
 * @remarks
 * The service and this client accept addresses in any letter case. Use it to show addresses, and to compare them.
 *
 * @param address - `0x` and 40 hex digits in any letter case.
 * @param chainId - Id of the chain. Only Rootstock (30) and its test network (31) have their own checksums (EIP-1191).
 * @example
 * ```ts
 * const shown = checksumAddress("0x00000000219ab540356cbb839cbe05303d7705fa"); // "0x00000000219ab540356cBB839Cbe05303d7705Fa"
 * ```
 * @throws {AddressQueryError} `invalid_parameter` for a string that is not an address.
 */
export function checksumAddress(address: string, chainId?: number): Hex {
  if (!ADDRESS.test(address)) throw createParameterError("address", "must be an address hash: 0x and 40 hex digits");
  const digits = address.slice(2).toLowerCase();
  const hash = hashKeccak256(chainId !== undefined && CHAINS_WITH_ID.includes(chainId) ? `${chainId}0x${digits}` : digits);
  return `0x${digits.replace(/[a-f]/g, (letter, index) => (Number.parseInt(hash.charAt(index), 16) > 7 ? letter.toUpperCase() : letter))}`;
}

/**
 * Creates the option `checkParams` of a client that rejects wrong checksums: for what people type.
 *
 * @remarks
 * It rejects addresses in mixed case only. Addresses in lower or upper case have no checksum.
 *
 * @param chainId - As for {@link checksumAddress}.
 * @example
 * ```ts
 * const client = new AddressClient({ baseUrl: "https://eth.blockscout.com", checkParams: requireChecksums() });
 * ```
 */
export function requireChecksums(chainId?: number): (params: Readonly<Record<string, unknown>>) => void {
  return (params) => {
    for (const [name, value] of Object.entries(params)) {
      for (const [address] of String(value).matchAll(/\b0x[\da-f]{40}\b/gi)) {
        if (/[a-f]/.test(address) && /[A-F]/.test(address) && checksumAddress(address, chainId) !== address)
          // The path of `client.request` is a parameter without a name.
          throw createParameterError(name || "path", `has a wrong checksum: ${address}; correct it, or write it in lower case`);
      }
    }
  };
}
