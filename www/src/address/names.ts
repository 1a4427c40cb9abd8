// Names of the addresses that the newest records of an address mention. The account module, which lists more, has no names.
import type { AddressClient, AddressRef } from "address-query";
import { addressName } from "../format/address-name.js";
import { readNewest } from "./activity.js";
import { readShared } from "./shared-reading.js";

/** Names by hashes in lower case. Untrusted. */
export type Names = ReadonlyMap<string, string>;

/** The sender of minted tokens and the receiver of burned ones. */
const NULL_ADDRESS = `0x${"0".repeat(40)}`;

export const NO_NAMES: Names = new Map([[NULL_ADDRESS, "Null address"]]);

export async function readNames(client: AddressClient, address: string): Promise<Names> {
  const pages = await readShared(client, address, readNewest);
  const records: readonly { from: AddressRef; to: AddressRef | null }[] = pages.flatMap(({ items }) => [...items]);
  const names = new Map(NO_NAMES);
  for (const ref of records.flatMap(({ from, to }) => [from, to])) {
    const name = ref && addressName(ref);
    if (ref && name) names.set(ref.hash.toLowerCase(), name);
  }
  return names;
}
