// `namesOf`: the names of an address.
import { checkAddress } from "../entry-support.js";
import type { Hex } from "../public.js";
import { checkArguments, readCached } from "./cache.js";
import { findNamesOf } from "./name-service.js";
import type { AddressNames, NameClient, NameOptions } from "./public-types.js";

/**
 * Returns the names that resolve to an address, and which of them is its main name.
 *
 * @remarks
 * Read from the name service of the gateway. An instance states only the main name, as `ens_domain_name` of the address. There,
 * null means that none is known, because the instance limits its own lookup to one second. `source` says which was read. A client
 * caches the result for five
 * minutes.
 *
 * @param address - `0x` and 40 hex digits in any letter case.
 * @example
 * ```ts
 * import { namesOf } from "address-query/names";
 *
 * const { primary, names } = await namesOf(client, address_hash);
 * ```
 * @throws {AddressQueryError} `invalid_parameter` for `address` if it is not an address.
 */
export async function namesOf(client: NameClient, address: string, options?: NameOptions): Promise<AddressNames> {
  checkArguments(client, options);
  checkAddress("address", address);
  const address_hash = address as Hex;
  return readCached(client, address.toLowerCase(), options, async (options) => {
    return (await findNamesOf(client, address_hash, options)) ?? readAddress(client, address_hash, options);
  });
}

async function readAddress(client: NameClient, address_hash: Hex, options: NameOptions): Promise<AddressNames> {
  const { ens_domain_name } = await client.address({ address_hash }, options);
  return { primary: ens_domain_name, names: null, count: null, source: "address" };
}
