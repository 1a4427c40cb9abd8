// A name of a name service, as the entry `address-query/names` returns it and its errors list it.
import type { Hex } from "./records.js";

/** A name of ENS or of another name service. */
export interface NameRecord {
  /** The name as stated by its source. Untrusted: display it as text. */
  name: string;
  /** Address hash that the name resolves to. Null: it resolves to nothing. */
  address_hash: Hex | null;
  /** Time at which the name expires, in ISO 8601. Null: never, or not known. */
  expiry_date: string | null;
  /** The name service, such as `ENS`. Untrusted: display it as text. Null: not stated. */
  protocol: string | null;
}
