// The arguments and results of `resolveName` and `namesOf`.
import { AddressClient, type Hex, isAddressQueryError } from "address-query";
import {
  type AddressNames,
  NAME_SERVICE_ROUTES,
  type NameRecord,
  namesOf,
  type ResolvedName,
  resolveName,
} from "address-query/names";
import { createProxy } from "address-query/proxy";

const client = new AddressClient({ baseUrl: "https://eth.blockscout.com" });

export const resolved: ResolvedName = await resolveName(client, "vitalik.eth", { signal: new AbortController().signal });
export const address: Hex = resolved.address_hash;
export const names: AddressNames = await namesOf(client, address, {});
export const primary: string | null = names.primary;
export const proxy = createProxy({ apiKey: "key", chains: [1], allow: NAME_SERVICE_ROUTES });
export const getCandidates = (error: unknown): readonly NameRecord[] =>
  (isAddressQueryError(error) && error.code === "unresolved_name" && error.candidates) || [];

// @ts-expect-error: an option that does not exist
resolveName(client, "vitalik.eth", { chain: 1 });
// @ts-expect-error: no client
resolveName({}, "vitalik.eth");
