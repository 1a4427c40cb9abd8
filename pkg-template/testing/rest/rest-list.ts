// One REST list: how its rows are selected, ordered, paginated and serialized.

import type { Chain } from "../ledger/chain.js";
import type { Table } from "../ledger/table.js";
import { getOrMake } from "../maps.js";
import type { BackendVersion } from "../public-types.js";
import type { Cursor, GetBatchHashes, Pagination } from "./pagination.js";
import type { Parsers, RestQuery } from "./rest-query.js";
import type { RestSerializer, SerializedItem } from "./rest-serializer.js";

interface ListOptions {
  /** Whether its cursors carry `items_count`. Default: true. */
  readonly hasItemsCount?: boolean;
  /** Whether versions 9 to 11 reject requests with `items_count`. Default: false. */
  readonly refusesItemsCount?: boolean;
  /** Whether version 12 ignores `items_count`. Default: false. */
  readonly hasFixedPages?: boolean;
  /** The backend versions that have the list. Default: all. */
  readonly minVersion?: BackendVersion;
  readonly maxVersion?: BackendVersion;
  readonly cursorParsers: Parsers;
  /** Default: no filters. */
  filterParsers?(version: BackendVersion): Parsers;
  /** Whether the object in the path exists. If not, the response is a 404. Default: yes, as for an unused address. */
  exists?(chain: Chain, hash: string): boolean;
}

export interface RestListDefinition<Row extends object> extends ListOptions {
  getTable(chain: Chain, account: string | undefined): Table<Row>;
  getPagination(query: RestQuery): Pagination<Row>;
  /** Creates the predicate for the rows of one request. Default: all rows. */
  createFilter?(query: RestQuery, account: string | undefined, chain: Chain): (row: Row) => boolean;
  serialize(row: Row, serializer: RestSerializer): SerializedItem;
  /** Creates the members of the response beside `items` and `next_page_params`. */
  createMembers?(version: BackendVersion, page: readonly Row[]): SerializedItem;
}

/** The context that a list needs besides the query. */
export interface ListContext {
  readonly chain: Chain;
  readonly version: BackendVersion;
  readonly serializer: RestSerializer;
  readonly getBatchHashes: GetBatchHashes;
}

/** A page before its cursor is completed. `cursor` is null at the end. */
export interface Selection {
  readonly members: SerializedItem;
  readonly items: readonly SerializedItem[];
  /** The number of rows, including hidden ones. */
  readonly rowCount: number;
  readonly cursor: Cursor | null;
}

/** The rows of one request. */
export interface MatchingRows {
  /** Counts all rows except hidden ones. */
  count(): number;
  /** Serializes all rows except hidden ones. */
  serializeAll(): readonly SerializedItem[];
  /** Selects one page. `showScam` includes rows hidden as scam. */
  selectPage(size: number, showScam: boolean): Selection;
}

export interface RestList extends ListOptions {
  findRows(query: RestQuery, account: string | undefined, context: ListContext): MatchingRows;
}

/** A row that may be hidden, as scam if it has a token. */
interface Hideable {
  readonly isHidden?: boolean;
  readonly token?: object;
}

export function createRestList<Row extends object & Hideable>(definition: RestListDefinition<Row>): RestList {
  /** The selected rows by the filters of the request, for each sorted table. Each page of a list needs the same ones. */
  const selected = new WeakMap<readonly Row[], Map<string, readonly Row[]>>();
  const selectRows = (query: RestQuery, account: string | undefined, { chain, version }: ListContext, sorted: readonly Row[]) => {
    const isSelected = definition.createFilter?.(query, account, chain);
    if (!isSelected) return sorted;
    const names = ["instance", ...Object.keys(definition.filterParsers?.(version) ?? {})] as (keyof RestQuery)[];
    const filters = names.map((name) => `${name}=${String(query[name])}`);
    const key = [account, chain.firstTracedBlock, ...filters].join("&");
    const selections = getOrMake(selected, sorted, () => new Map<string, readonly Row[]>());
    return getOrMake(selections, key, () => sorted.filter(isSelected));
  };
  return {
    ...definition,
    findRows(query, account, context) {
      const { version, serializer, getBatchHashes } = context;
      const { compare, findStart, makeCursor } = definition.getPagination(query);
      const rows = selectRows(query, account, context, definition.getTable(context.chain, account).sort(compare));
      // As in the service, hidden rows are removed after pagination, so that pages can be short or empty.
      const serialize = (page: readonly Row[], showScam: boolean) =>
        page.filter((row) => !row.isHidden || (showScam && row.token)).map((row) => definition.serialize(row, serializer));
      return {
        count: () => rows.filter((row) => !row.isHidden).length,
        serializeAll: () => serialize(rows, false),
        selectPage(size, showScam) {
          const start = findStart(rows, query, getBatchHashes);
          const page = rows.slice(start, start + size);
          const nextRow = rows[start + size];
          return {
            members: definition.createMembers?.(version, page) ?? {},
            items: serialize(page, showScam),
            rowCount: page.length,
            cursor: nextRow ? makeCursor(page, nextRow, query, getBatchHashes) : null,
          };
        },
      };
    },
  };
}
