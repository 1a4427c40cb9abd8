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
import { REST_RECORDS, type RecordContext, type RestRecord } from "./rest-records.js";
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
  readonly list: RestList | undefined;
  readonly record: RestRecord | undefined;
}

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
    if (!list) return { json: record?.serialize(hash ?? "", this.#context) };
    const page = list.findRows(query, hash, this.#context).selectPage(this.#getPageSize(query), showScam);
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
    const parsers = route.list ? this.#getParsers(route.list, route.path) : {};
    const query = parseQuery(searchParams, parsers, this.#version, this.#validatePath(route));
    const { restricted, overloaded } = this.#chain.accounts.sampleHashes;
    if (route.hash === restricted || query.token === restricted) throw createRestrictedAccessError();
    if (route.hash === overloaded) throw createInternalServerError();
    const isKnown = () => this.#chain.balances.peek(route.hash ?? "").isKnown;
    if (route.list?.requiresKnownAddress && !isKnown()) throw createMissingRecordError();
    return { ...route, query };
  }

  #findRoute(path: string): Route {
    const [, collection, hash, rest] = /^\/(addresses|transactions)\/([^/]*)(\/.*)?$/.exec(path) ?? [];
    const routePath = collection === undefined ? path : `/${collection}/{hash}${rest ?? ""}`;
    const list = REST_LISTS.get(routePath);
    const record = REST_RECORDS.get(routePath);
    const { minVersion = 0, maxVersion = Number.POSITIVE_INFINITY }: VersionRange = list ?? record ?? { maxVersion: 0 };
    if (this.#version < minVersion || this.#version > maxVersion) throw createUnknownActionError();
    return { path: routePath, hash: hash?.toLowerCase(), list, record };
  }

  #findAddressRows(listPath: string, account: string): MatchingRows | undefined {
    return REST_LISTS.get(listPath)?.findRows({}, account, this.#context);
  }

  /** Validates the address or hash in a path; returns its errors. */
  #validatePath({ path, hash }: Route): InvalidParameter[] {
    if (hash === undefined) return [];
    const isTransaction = path.startsWith("/transactions/");
    const { detail } = isTransaction ? parseHash(hash) : parseAddress(hash);
    if (detail === undefined) return [];
    if (this.#version === 8) throw createInvalidParameterError();
    return [[isTransaction ? "transaction_hash_param" : "address_hash_param", detail]];
  }

  #getParsers(list: RestList, listPath: string): Parsers {
    return { ...list.filterParsers?.(this.#version), ...list.cursorParsers, ...this.#getItemsCountParser(listPath) };
  }

  /** `items_count` is the page size in version 12, has no effect in 9 to 11, and is the number of items so far in 8. */
  #getItemsCountParser(listPath: string): Parsers {
    if (this.#version >= 12) return { items_count: createIntegerParser({ min: 1 }) };
    if (this.#version === 8) return { items_count: parseInteger };
    if (listPath === "/token-transfers") return {};
    return { items_count: createIntegerParser({ min: 1, max: Math.max(MAX_ECHOED_ITEMS_COUNT, this.#pageSize) }) };
  }

  #getPageSize({ items_count, limit }: RestQuery): number {
    if (limit !== undefined) return Math.min(limit, this.#pageSize);
    if (this.#version < 12 || items_count === undefined) return this.#pageSize;
    return Math.min(items_count, this.#maxPageSize);
  }

  /** Adds to a cursor what this version adds. */
  #completeCursor(list: RestList, page: Selection, query: RestQuery, searchParams: URLSearchParams): Cursor | null {
    // A limit below the page size ends the list.
    if (page.cursor === null || (query.limit !== undefined && query.limit <= this.#pageSize)) return null;
    const cursor = { ...page.cursor };
    const { hasItemsCount = true } = list;
    if (hasItemsCount && (this.#version === 9 || this.#version === 11)) cursor.items_count = page.rowCount;
    if (hasItemsCount && this.#version === 8) cursor.items_count = page.rowCount + (query.items_count ?? 0);
    for (const name of ECHOED_PARAMETERS[this.#version]) if (searchParams.has(name)) cursor[name] = searchParams.get(name);
    // Version 8 sends large integers as JSON numbers, later versions as strings.
    if (this.#version === 8) return cursor;
    for (const [name, value] of Object.entries(cursor)) if (typeof value === "bigint") cursor[name] = String(value);
    return cursor;
  }
}
