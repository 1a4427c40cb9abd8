// One REST list: how its rows are selected, ordered, paginated and serialized.

import type { Chain } from "../ledger/chain.js";
import { Table } from "../ledger/table.js";
import { getOrMake } from "../maps.js";
import type { BackendVersion } from "../public-types.js";
import type { Cursor, Order } from "./order.js";
import type { Parsers, Values } from "./parameters.js";
import type { Item, RestSerializer } from "./serializer.js";

interface ListDefinition<Row extends object, Filters extends Parsers> {
  /** The backend versions that have the list. Default: all. */
  readonly versions?: readonly [first: number, last: number];
  /** Whether its cursors carry `items_count`. Default: true. */
  readonly hasItemsCount?: boolean;
  /** Whether versions 9 to 11 reject requests with `items_count`. Default: false. */
  readonly refusesItemsCount?: boolean;
  /** Whether version 12 ignores `items_count`. Default: false. */
  readonly hasFixedPages?: boolean;
  /** Whether the object in the path exists. If not, the response is a 404. Default: yes, as for an unused address. */
  exists?(chain: Chain, hash: string): unknown;
  table(chain: Chain, hash: string, query: Cursor, serializer: RestSerializer): Table<Row>;
  readonly filters?: Filters;
  /** Whether a row is selected. Default: all rows. */
  where?(row: NoInfer<Row>, query: Values<NoInfer<Filters>>, hash: string, chain: Chain, instance?: bigint): boolean;
  readonly order: Order<NoInfer<Row>>;
  /** Other orders, by `sort` and `order` of the request, as in `value/asc`, or by its `filter`. */
  readonly orders?: Readonly<Record<string, Order<NoInfer<Row>>>>;
  serialize(row: NoInfer<Row>, serializer: RestSerializer): Item;
  /** Creates the members of the response beside `items` and `next_page_params`. */
  createMembers?(version: BackendVersion, page: readonly NoInfer<Row>[]): Item;
}

// biome-ignore lint/suspicious/noExplicitAny: lists have different rows
export interface RestList extends ListDefinition<any, any> {
  /** The selected rows by filters, for each sorted table. Each page needs the same ones. */
  readonly selections: WeakMap<readonly object[], Map<string, readonly Hideable[]>>;
}

export const list = <Row extends object, Filters extends Parsers = Record<never, never>>(
  definition: ListDefinition<Row, Filters>,
): RestList => ({ ...definition, selections: new WeakMap() });

/** A table that only one list has. Each chain has its own. `makeNewRows` makes further rows, again each time the chain grows. */
export function tableOf<Row extends object>(makeRows: RowMaker<Row>, makeNewRows: RowMaker<Row> = () => []) {
  const tables = new WeakMap<Chain, Table<Row>>();
  return (chain: Chain): Table<Row> =>
    getOrMake(tables, chain, () => new Table(() => makeRows(chain)).grow(chain.newRows, () => makeNewRows(chain)));
}
type RowMaker<Row> = (chain: Chain) => readonly Row[];

/** A row that may be hidden, as scam if it has a token. */
interface Hideable {
  readonly isHidden?: boolean;
  readonly token?: object;
}

export interface ListRequest {
  readonly list: RestList;
  readonly query: Cursor;
  readonly hash: string;
  readonly instance?: bigint | undefined;
}

function selectRows({ list, query, hash, instance }: ListRequest, serializer: RestSerializer) {
  const { chain } = serializer;
  const order = list.orders?.[`${query.sort}/${query.order}`] ?? list.orders?.[query.filter] ?? list.order;
  const sorted = list.table(chain, hash, query, serializer).sort(order.compare) as readonly Hideable[];
  if (!list.where) return { order, rows: sorted };
  const filters = Object.keys(list.filters ?? {}).map((name) => `${name}=${query[name]}`);
  const key = [hash, instance, chain.firstTracedBlock, ...filters].join("&");
  const cached = getOrMake(list.selections, sorted, () => new Map<string, readonly Hideable[]>());
  return { order, rows: getOrMake(cached, key, () => sorted.filter((row) => list.where?.(row, query, hash, chain, instance))) };
}

export const countRows = (request: ListRequest, serializer: RestSerializer): number =>
  selectRows(request, serializer).rows.filter((row) => !row.isHidden).length;

/** Serializes all rows except hidden ones. */
export const serializeRows = (request: ListRequest, serializer: RestSerializer): readonly Item[] =>
  serialize(request.list, selectRows(request, serializer).rows, serializer, false);

const serialize = ({ serialize }: RestList, page: readonly Hideable[], serializer: RestSerializer, showScam: boolean) =>
  page.filter((row) => !row.isHidden || (showScam && row.token)).map((row) => serialize(row, serializer));

/** Selects one page. `showScam` includes rows hidden as scam. The cursor is null at the end. */
export function selectPage(request: ListRequest, serializer: RestSerializer, size: number, showScam: boolean) {
  const { list, query } = request;
  const { chain, version } = serializer;
  const { rows, order } = selectRows(request, serializer);
  const start = order.findStart(rows, query, chain);
  // As in the service, hidden rows are removed after pagination, so that pages can be short or empty.
  const page = rows.slice(start, start + size);
  const nextRow = rows[start + size];
  return {
    members: list.createMembers?.(version, page) ?? {},
    items: serialize(list, page, serializer, showScam),
    /** The number of rows, including hidden ones. */
    rowCount: page.length,
    cursor: nextRow ? order.makeCursor(page, nextRow, query, chain) : null,
  };
}
