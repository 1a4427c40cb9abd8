// The REST lists of one backend version: routing, validation, page sizes and cursors.

import {
  createInternalServerError,
  createInvalidParameterError,
  createRestrictedAccessError,
  createUnknownActionError,
  type InvalidParameter,
} from "../api-error.js";
import type { Chain } from "../ledger/chain.js";
import type { BackendVersion } from "../public-types.js";
import type { Cursor } from "./pagination.js";
import type { ListContext, MatchingRows, RestList, Selection } from "./rest-list.js";
import { REST_LISTS } from "./rest-lists.js";
import { createIntegerParser, type Parsers, parseAddress, parseInteger, parseQuery, type RestQuery } from "./rest-query.js";
import { RestSerializer, type SerializedItem } from "./rest-serializer.js";

/** Parameters of a request that each version copies into the cursor. */
const ECHOED_PARAMETERS: Readonly<Record<BackendVersion, readonly string[]>> = {
  8: ["sort", "order", "filter", "token", "topic", "key", "apikey"],
  11: ["sort", "order", "filter", "token", "topic", "key"],
  12: ["filter", "token", "topic"],
};

/** Limits of `items_count` in version 12, where it sets the page size, and in version 11, where it does not. */
const MAX_PAGE_SIZE = 100;
const MAX_ECHOED_ITEMS_COUNT = 50;

/** A page as the service sends it. Large integers in the cursor of version 8 are BigInts. */
export interface RestPage {
  readonly items: readonly SerializedItem[];
  readonly next_page_params: Cursor | null;
  readonly [member: string]: unknown;
}

interface ParsedRequest {
  readonly list: RestList;
  readonly query: RestQuery;
  readonly rows: MatchingRows;
}

/** Responds to requests for REST lists as one backend version does. */
export class RestModule {
  readonly #chain: Chain;
  readonly #version: BackendVersion;
  readonly #pageSize: number;
  readonly #context: ListContext;

  constructor(chain: Chain, version: BackendVersion, pageSize: number) {
    this.#chain = chain;
    this.#version = version;
    this.#pageSize = pageSize;
    this.#context = {
      chain,
      version,
      serializer: new RestSerializer(chain, version),
      sortedTables: new Map(),
      getBatchHashes: ({ block_number, transaction_index }) => ({
        batch_block_hash: chain.getBlockHash(block_number),
        batch_transaction_hash: chain.getTransactionHash(block_number, transaction_index),
      }),
    };
  }

  /** Returns the response to a request for one page. `path` is relative to /api/v2; `showScam` includes rows hidden as scam. */
  getPage(path: string, searchParams: URLSearchParams, showScam: boolean): RestPage {
    const { list, query, rows } = this.#parseRequest(path, searchParams);
    const page = rows.selectPage(this.#getPageSize(query), showScam);
    return { ...page.members, items: page.items, next_page_params: this.#completeCursor(list, page, query, searchParams) };
  }

  /** Returns every item of a list, in order. */
  getAllItems(path: string, searchParams: URLSearchParams): readonly SerializedItem[] {
    return this.#parseRequest(path, searchParams).rows.serializeAll();
  }

  /** Finds the list of a path, parses the query and selects the matching rows. */
  #parseRequest(path: string, searchParams: URLSearchParams): ParsedRequest {
    const [, account, name] = /^\/addresses\/([^/]*)\/([^/]*)$/.exec(path) ?? [];
    const listPath = account === undefined ? path : `/addresses/{hash}/${name}`;
    const list = REST_LISTS.get(listPath);
    if (!list) throw createUnknownActionError();
    const hash = account?.toLowerCase();
    const query = parseQuery(searchParams, this.#getParsers(list, listPath), this.#version, this.#validatePath(account));
    const { restricted, overloaded } = this.#chain.accounts.sampleHashes;
    if (hash === restricted || query.token === restricted) throw createRestrictedAccessError();
    if (hash === overloaded) throw createInternalServerError();
    return { list, query, rows: list.findRows(query, hash, this.#context) };
  }

  /** Validates the address in a path; returns its errors. */
  #validatePath(account: string | undefined): InvalidParameter[] {
    const detail = account === undefined ? undefined : parseAddress(account).detail;
    if (detail === undefined) return [];
    if (this.#version === 8) throw createInvalidParameterError();
    return [["address_hash_param", detail]];
  }

  #getParsers(list: RestList, listPath: string): Parsers {
    return { ...list.filterParsers(this.#version), ...list.cursorParsers, ...this.#getItemsCountParser(listPath) };
  }

  /** `items_count` is the page size in version 12, has no effect in 11, and is the number of items so far in 8. */
  #getItemsCountParser(listPath: string): Parsers {
    if (this.#version >= 12) return { items_count: createIntegerParser({ min: 1 }) };
    if (this.#version === 8) return { items_count: parseInteger };
    if (listPath === "/token-transfers") return {};
    return { items_count: createIntegerParser({ min: 1, max: Math.max(MAX_ECHOED_ITEMS_COUNT, this.#pageSize) }) };
  }

  #getPageSize({ items_count }: RestQuery): number {
    if (this.#version < 12 || items_count === undefined) return this.#pageSize;
    return Math.min(items_count, Math.max(MAX_PAGE_SIZE, this.#pageSize));
  }

  /** Adds to a cursor what this version adds. */
  #completeCursor(list: RestList, page: Selection, query: RestQuery, searchParams: URLSearchParams): Cursor | null {
    if (page.cursor === null) return null;
    const cursor = { ...page.cursor };
    if (list.hasItemsCount && this.#version === 11) cursor.items_count = page.rowCount;
    if (list.hasItemsCount && this.#version === 8) cursor.items_count = page.rowCount + (query.items_count ?? 0);
    for (const name of ECHOED_PARAMETERS[this.#version]) if (searchParams.has(name)) cursor[name] = searchParams.get(name);
    // Version 8 sends large integers as JSON numbers, later versions as strings.
    if (this.#version === 8) return cursor;
    for (const [name, value] of Object.entries(cursor)) if (typeof value === "bigint") cursor[name] = String(value);
    return cursor;
  }
}
