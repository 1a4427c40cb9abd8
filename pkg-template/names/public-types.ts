// The parameters and results of `resolveName` and `namesOf`.
import type { AddressClient } from "../index.js";
import type { ActionOptions, Hex, NameRecord } from "../public.js";

export type { NameRecord } from "../public.js";

/** The client methods that read names. Every `AddressClient` has them. */
export type NameClient = Pick<AddressClient, "address" | "baseUrl" | "request" | "searchQuick">;

/** Options of {@link resolveName} and {@link namesOf}. */
export type NameOptions = Pick<ActionOptions, "signal">;

/** The source of a name: the name service of the gateway, the search of the instance, or its record of the address. */
export type NameSource = "name_service" | "search" | "address";

/** The address of a name. */
export interface ResolvedName extends NameRecord {
  /** Address hash that the name resolves to. */
  address_hash: Hex;
  /** The source of the name. */
  source: NameSource;
}

/** The names of an address. */
export interface AddressNames {
  /** Its main name, which resolves to it. Untrusted: display it as text. Null: it has none, or, from `address`, none is known. */
  primary: string | null;
  /** Up to 100 names that resolve to it and have not expired. Null: the source does not state them. */
  names: readonly NameRecord[] | null;
  /** The number of all of them. Null: the source does not state it. */
  count: number | null;
  /** The source of the names. */
  source: NameSource;
}
