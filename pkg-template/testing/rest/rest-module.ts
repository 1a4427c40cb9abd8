// The REST API of one backend version: routing, validation, page sizes and cursors.

import {
  createInternalServerError,
  createInvalidParameterError,
  createMissingRecordError,
  createRestrictedAccessError,
  createUnknownActionError,
  type InvalidParameter,
} from "../api-error.js";
import type { Chain } from "../ledger/chain.js";
import type { BackendVersion } from "../public-types.js";
import type { Cursor } from "./pagination.js";
import type { MatchingRows, RestList, Selection } from "./rest-list.js";
import { REST_LISTS } from "./rest-lists.js";
import {
  createIntegerParser,
  type Parsers,
  parseAddress,
  parseHash,
  parseInteger,
  parseQuery,
  type RestQuery,
} from "./rest-query.js";
import type { RecordContext, RestRecord } from "./rest-record.js";
import { REST_RECORDS } from "./rest-records.js";
import { RestSerializer, type SerializedItem } from "./rest-serializer.js";

/** Parameters of a request that each version copies into the cursor. */
const ECHOED_PARAMETERS: Readonly<Record<BackendVersion, readonly string[]>> = {
  8: ["sort", "order", "filter", "token", "topic", "key", "apikey"],
  9: ["sort", "order", "filter", "token", "topic", "key"],
  11: ["sort", "order", "filter", "token", "topic", "key"],
  12: ["filter", "token", "topic"],
};

/** The limit of `items_count` in versions 9 to 11, where it has no effect. */
const MAX_ECHOED_ITEMS_COUNT = 50;

export interface PageSizes {
  /** The number of rows of a page. */
  readonly pageSize: number;
  /** The largest page that a request can ask for in version 12. */
  readonly maxPageSize: number;
}

/** A page as the service sends it. Large integers in the cursor of version 8 are BigInts. */
export interface RestPage {
  readonly items: readonly SerializedItem[];
  readonly next_page_params: Cursor | null;
  readonly [member: string]: unknown;
}

/** The backend versions that have a path. Both ends are included. */
interface VersionRange {
  readonly minVersion?: number;
  readonly maxVersion?: number;
}

/** A page of a list, or another response. */
export type RestResponse =
  | { readonly page: RestPage; readonly json?: undefined }
  | { readonly json: unknown; readonly page?: undefined };

/** A path with its address or hash replaced by `{hash}`. */
interface Route {
  readonly path: string;
  /** The address or hash in lower case. Undefined if the path has none. */
  readonly hash: string | undefined;
  /** The token id. Undefined if the path has none. */
  readonly instance: bigint | undefined;
  readonly list: RestList | undefined;
  readonly record: RestRecord | undefined;
}

/** A path with an address, a hash or a number, and the rest of the path. */
const HASH_PATH =
  /^\/(addresses|transactions|tokens|blocks|smart-contracts|proxy\/account-abstraction\/operations)\/([^/]+)(\/.*)?$/;
const ADDRESS_IN_PATH = { name: "address_hash_param", parse: parseAddress };
/** The parameter in paths without an address, by the beginning of the path. */
const PATH_PARAMETERS = [
  ["/transactions/", { name: "transaction_hash_param", parse: parseHash }],
  ["/proxy/", { name: "operation_hash_param", parse: parseHash }],
  [
    "/blocks/",
    {
      name: "block_hash_or_number_param",
      parse: (id: string) => (/^\d+$/.test(id) ? { value: id } : parseHash(id)),
    },
  ],
] as const;

/** Responds to requests of the REST API as one backend version does. */
export class RestModule {
  readonly #chain: Chain;
  readonly #version: BackendVersion;
  readonly #pageSize: number;
  readonly #maxPageSize: number;
  readonly #context: RecordContext;

  /** `versionName` is the version that the service states. */
  constructor(chain: Chain, version: BackendVersion, versionName: string | null, { pageSize, maxPageSize }: PageSizes) {
    this.#chain = chain;
    this.#version = version;
    this.#pageSize = pageSize;
    this.#maxPageSize = maxPageSize;
    this.#context = {
      chain,
      version,
      versionName,
      serializer: new RestSerializer(chain, version),
      getBatchHashes: ({ block_number, transaction_index }) => ({
        batch_block_hash: chain.getBlockHash(block_number),
        batch_transaction_hash: chain.getTransactionHash(block_number, transaction_index),
      }),
      countRows: (listPath, account) => this.#findAddressRows(listPath, account)?.count() ?? 0,
      serializeRows: (listPath, account) => this.#findAddressRows(listPath, account)?.serializeAll() ?? [],
    };
  }

  /** Returns the response to a request. `path` is relative to /api/v2; `showScam` includes rows hidden as scam. */
  respond(path: string, searchParams: URLSearchParams, showScam: boolean): RestResponse {
    const { list, record, hash, query } = this.#parseRequest(path, searchParams);
    if (!list) return { json: record?.serialize(hash ?? "", this.#context, query) };
    const page = list.findRows(query, hash, this.#context).selectPage(this.#getPageSize(list, query), showScam);
    const cursor = this.#completeCursor(list, page, query, searchParams);
    return { page: { ...page.members, items: page.items, next_page_params: cursor } };
  }

  /** Returns every item of a list, in order. */
  getAllItems(path: string, searchParams: URLSearchParams): readonly SerializedItem[] {
    const { list, hash, query } = this.#parseRequest(path, searchParams);
    if (!list) throw createUnknownActionError();
    return list.findRows(query, hash, this.#context).serializeAll();
  }

  /** Finds the list or record of a path, parses the query, and throws for sample addresses that cannot be requested. */
  #parseRequest(path: string, searchParams: URLSearchParams): Route & { readonly query: RestQuery } {
    const route = this.#findRoute(path);
    const parsers = route.list ? this.#getParsers(route.list) : (route.record?.parsers ?? {});
    const query = parseQuery(searchParams, parsers, this.#version, this.#validatePath(route));
    const { restricted, overloaded } = this.#chain.accounts.sampleHashes;
    if (route.hash === restricted || query.token === restricted) throw createRestrictedAccessError();
    if (route.hash === overloaded) throw createInternalServerError();
    if (route.list?.exists?.(this.#chain, route.hash ?? "") === false) throw createMissingRecordError();
    return { ...route, query: route.instance === undefined ? query : { ...query, instance: route.instance } };
  }

  #findRoute(path: string): Route {
    const [, collection = "", hash, rest = ""] = HASH_PATH.exec(path) ?? [];
    const [, instance] = /^\/instances\/(\d+)/.exec(rest) ?? [];
    const end = instance === undefined ? rest : rest.replace(instance, "{id}");
    const routePath = hash === undefined ? path : `/${collection}/{hash}${end}`;
    const list = REST_LISTS.get(routePath);
    const record = REST_RECORDS.get(routePath);
    const { minVersion = 0, maxVersion = Number.POSITIVE_INFINITY }: VersionRange = list ?? record ?? { maxVersion: 0 };
    if (this.#version < minVersion || this.#version > maxVersion) throw createUnknownActionError();
    const id = instance === undefined ? undefined : BigInt(instance);
    return { path: routePath, hash: hash?.toLowerCase(), instance: id, list, record };
  }

  #findAddressRows(listPath: string, account: string): MatchingRows | undefined {
    return REST_LISTS.get(listPath)?.findRows({}, account, this.#context);
  }

  /** Validates the address or hash in a path; returns its errors. */
  #validatePath({ path, hash }: Route): InvalidParameter[] {
    if (hash === undefined) return [];
    const [, { name, parse }] = PATH_PARAMETERS.find(([prefix]) => path.startsWith(prefix)) ?? ["", ADDRESS_IN_PATH];
    const { detail } = parse(hash);
    if (detail === undefined) return [];
    if (this.#version === 8) throw createInvalidParameterError();
    return [[name, detail]];
  }

  #getParsers(list: RestList): Parsers {
    return { ...list.filterParsers?.(this.#version), ...list.cursorParsers, ...this.#getItemsCountParser(list) };
  }

  /** `items_count` is the page size in version 12, has no effect in 9 to 11, and is the number of items so far in 8. */
  #getItemsCountParser({ refusesItemsCount }: RestList): Parsers {
    if (this.#version >= 12) return { items_count: createIntegerParser({ min: 1 }) };
    if (this.#version === 8) return { items_count: parseInteger };
    if (refusesItemsCount) return {};
    return { items_count: createIntegerParser({ min: 1, max: Math.max(MAX_ECHOED_ITEMS_COUNT, this.#pageSize) }) };
  }

  #getPageSize({ hasFixedPages }: RestList, { items_count, limit }: RestQuery): number {
    if (limit !== undefined) return Math.min(limit, this.#pageSize);
    if (this.#version < 12 || items_count === undefined || hasFixedPages) return this.#pageSize;
    return Math.min(items_count, this.#maxPageSize);
  }

  /** Adds this version's keys to a cursor. */
  #completeCursor(list: RestList, page: Selection, query: RestQuery, searchParams: URLSearchParams): Cursor | null {
    // A limit below the page size ends the list.
    if (page.cursor === null || (query.limit !== undefined && query.limit <= this.#pageSize)) return null;
    const cursor = { ...page.cursor };
    const { hasItemsCount = true } = list;
    if (hasItemsCount && (this.#version === 9 || this.#version === 11)) cursor.items_count = page.rowCount;
    if (hasItemsCount && this.#version === 8) cursor.items_count = page.rowCount + (query.items_count ?? 0);
    for (const name of ECHOED_PARAMETERS[this.#version]) if (searchParams.has(name)) cursor[name] = searchParams.get(name);
    // Version 8 sends large integers as JSON numbers, later versions as strings. All send token ids of this key as numbers.
    if (this.#version === 8) return cursor;
    for (const [name, value] of Object.entries(cursor))
      if (typeof value === "bigint" && name !== "unique_token") cursor[name] = String(value);
    return cursor;
  }
}
