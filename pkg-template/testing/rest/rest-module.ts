// The REST API of one backend version: routing, validation, page sizes and cursors.

import type { BackendVersion } from "../public-types.js";
import { createFixedError, type InvalidParameter, type RestPage } from "../responses.js";
import type { Instance, Settings } from "../settings.js";
import { type RestList, selectPage, serializeRows } from "./list.js";
import { REST_LISTS } from "./lists.js";
import type { Cursor } from "./order.js";
import * as is from "./parameters.js";
import { REST_RECORDS } from "./records.js";
import { type Item, RestSerializer } from "./serializer.js";

/** Parameters of a request that each version copies into the cursor. */
const ECHOED_PARAMETERS: Readonly<Record<BackendVersion, readonly string[]>> = {
  8: ["sort", "order", "filter", "token", "topic", "key", "apikey"],
  9: ["sort", "order", "filter", "token", "topic", "key"],
  11: ["sort", "order", "filter", "token", "topic", "key"],
  12: ["filter", "token", "topic"],
};

/** The limit of `items_count` in versions 9 to 11, where it has no effect. */
const MAX_ECHOED_ITEMS_COUNT = 50;

const HASH_PATH =
  /^\/(addresses|transactions|tokens|blocks|smart-contracts|proxy\/account-abstraction\/operations)\/([^/]+)(\/.*)?$/;
/** The parameter in paths without an address, by the beginning of the path. */
const PATH_PARAMETERS: readonly (readonly [prefix: string, name: string, parser: is.Parser<unknown>])[] = [
  ["/transactions/", "transaction_hash_param", is.hash],
  ["/proxy/", "operation_hash_param", is.hash],
  ["/blocks/", "block_hash_or_number_param", (id, version) => (/^\d+$/.test(id) ? { value: id } : is.hash(id, version))],
  ["/", "address_hash_param", is.address],
];

/** Responds to requests of the REST API as one backend version does. Paths are relative to /api/v2. */
export function createRest({ chain, settings }: Instance) {
  const { backendVersion: version, versionName } = settings;
  const serializer = new RestSerializer(chain, version);

  /** Finds the list or record of a path, parses the query, and throws for sample addresses that cannot be requested. */
  const parseRequest = (path: string, searchParams: URLSearchParams) => {
    const [, collection = "", hashInPath, rest = ""] = HASH_PATH.exec(path) ?? [];
    const [, id] = /^\/instances\/(\d+)/.exec(rest) ?? [];
    const end = id === undefined ? rest : rest.replace(id, "{id}");
    const route = hashInPath === undefined ? path : `/${collection}/{hash}${end}`;
    const list = REST_LISTS.get(route);
    const record = REST_RECORDS.get(route);
    const [first, last] = (list ?? record ?? { versions: [0, 0] }).versions ?? [0, 99];
    if (version < first || version > last) throw createFixedError("unknownAction");

    const hash = hashInPath?.toLowerCase();
    const parsers = list ? getParsers(list, settings) : (record?.filters ?? {});
    const pathErrors = hash === undefined ? [] : validatePath(route, hash, version);
    const query: Cursor = is.parseQuery(searchParams, parsers, version, pathErrors);
    const { restricted, overloaded } = chain.accounts.sampleHashes;
    if (hash === restricted || query.token === restricted) throw createFixedError("restrictedAccess");
    if (hash === overloaded) throw createFixedError("internalServerError");
    if (list?.exists && !list.exists(chain, hash ?? "")) throw createFixedError("missingRecord");
    return { list, record, hash: hash ?? "", instance: id === undefined ? undefined : BigInt(id), query };
  };

  return {
    /** Returns the response to a request. `showScam` includes rows hidden as scam. */
    respond(path: string, searchParams: URLSearchParams, showScam: boolean): { page?: RestPage; json?: unknown } {
      const { list, record, hash, query, instance } = parseRequest(path, searchParams);
      if (!list) return { json: record?.serialize(serializer, hash, { query, instance, versionName }) };
      const size = getPageSize(list, query, settings);
      const page = selectPage({ list, hash, query, instance }, serializer, size, showScam);
      const cursor = page.cursor && completeCursor(list, page.cursor, page.rowCount, query, searchParams, settings);
      return { page: { ...page.members, items: page.items, next_page_params: cursor } };
    },

    getAllItems(path: string, searchParams: URLSearchParams): readonly Item[] {
      const { list, ...request } = parseRequest(path, searchParams);
      if (!list) throw createFixedError("unknownAction");
      return serializeRows({ ...request, list }, serializer);
    },
  };
}

function validatePath(route: string, hash: string, version: BackendVersion): InvalidParameter[] {
  const [, name = "", parse = is.anyString] = PATH_PARAMETERS.find(([prefix]) => route.startsWith(prefix)) ?? [];
  const { detail } = parse(hash, version);
  if (detail === undefined) return [];
  if (version === 8) throw createFixedError("invalidParameter");
  return [[name, detail]];
}

/** `items_count` is the page size in version 12, has no effect in 9 to 11, and is the number of items so far in 8. */
function getParsers(list: RestList, { backendVersion: version, pageSize }: Settings): is.Parsers {
  const { filters, order, orders = {}, refusesItemsCount = false } = list;
  const cursors = [order, ...Object.values(orders)].map(({ cursor }) => cursor);
  const limits = version === 8 ? [] : version < 12 ? [1, Math.max(MAX_ECHOED_ITEMS_COUNT, pageSize)] : [1];
  const hasItemsCount = version === 8 || version >= 12 || !refusesItemsCount;
  return { ...Object.assign({}, ...cursors), ...filters, ...(hasItemsCount && { items_count: is.integer(...limits) }) };
}

function getPageSize({ hasFixedPages }: RestList, { items_count, limit }: Cursor, settings: Settings): number {
  const { backendVersion, pageSize, maxPageSize } = settings;
  if (limit !== undefined) return Math.min(limit, pageSize);
  if (backendVersion < 12 || items_count === undefined || hasFixedPages) return pageSize;
  return Math.min(items_count, maxPageSize);
}

/** Adds this version's keys to a cursor. */
function completeCursor(
  { hasItemsCount = true }: RestList,
  position: Cursor,
  rowCount: number,
  query: Cursor,
  searchParams: URLSearchParams,
  { backendVersion: version, pageSize }: Settings,
): Cursor | null {
  // A limit below the page size ends the list.
  if (query.limit !== undefined && query.limit <= pageSize) return null;
  const cursor = { ...position };
  if (hasItemsCount && version < 12) cursor.items_count = rowCount + (version === 8 ? (query.items_count ?? 0) : 0);
  for (const name of ECHOED_PARAMETERS[version]) if (searchParams.has(name)) cursor[name] = searchParams.get(name);
  // Version 8 sends large integers as JSON numbers, later versions as strings. All send token ids of this key as numbers.
  for (const [name, value] of Object.entries(cursor))
    if (version > 8 && typeof value === "bigint" && name !== "unique_token") cursor[name] = String(value);
  return cursor;
}
