// One REST response that is not a page of a list.

import type { BackendVersion } from "../public-types.js";
import type { ListContext } from "./rest-list.js";
import type { Parsers, RestQuery } from "./rest-query.js";
import type { SerializedItem } from "./rest-serializer.js";

/** The context that a record needs besides the address or hash in the path. */
export interface RecordContext extends ListContext {
  /** The version that the service states. */
  readonly versionName: string | null;
  /** Counts the rows of a list of an address. */
  countRows(listPath: string, account: string): number;
  /** Serializes the rows of a list of an address. */
  serializeRows(listPath: string, account: string): readonly SerializedItem[];
}

export interface RestRecord {
  /** The first backend version that has the path. */
  readonly minVersion?: BackendVersion;
  /** The parameters of the query. Default: none. */
  readonly parsers?: Parsers;
  /** Creates the response. `hash` is the hash in the path, or "". */
  serialize(hash: string, context: RecordContext, query: RestQuery): unknown;
}
