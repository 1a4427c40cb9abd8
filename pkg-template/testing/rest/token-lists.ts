// The REST lists of tokens and NFTs.

import { rankDecimal } from "../ledger/decimals.js";
import type { TransferRow } from "../ledger/rows.js";
import type { HolderRow, InstanceRow, TokenRow } from "../ledger/token-tables.js";
import { asc, createKeysetPagination, desc, type Pagination } from "./pagination.js";
import { createRestList, type RestList, type RestListDefinition } from "./rest-list.js";
import {
  createEnumParser,
  parseAddress,
  parseBigIntegerOrNull,
  parseBoolean,
  parseDecimalOrNull,
  parseInteger,
  parseIntegerOrNull,
  parseString,
  parseTokenTypes,
  type RestQuery,
} from "./rest-query.js";
import type { RestSerializer, SerializedItem } from "./rest-serializer.js";
import { createTypeFilter, parseBlockNumber, TRANSFERS } from "./shared-lists.js";

type TokenColumn = keyof TokenRow & keyof RestQuery;

const TOKEN_CURSOR_KEYS = [
  "market_cap",
  "fiat_value",
  "holders_count",
  "name",
  "is_name_null",
  "contract_address_hash",
] as const satisfies readonly TokenColumn[];
/** Null comes last in descending order. */
const rankPrice = (value: unknown) => (value === null ? null : rankDecimal(String(value)));
const BY_NAME = [asc("name"), asc("contract_address_hash")] as const;
const SORT_COLUMNS = {
  circulating_market_cap: "market_cap",
  fiat_value: "fiat_value",
  holders_count: "holders_count",
} as const;

function createTokenOrder(sort: keyof typeof SORT_COLUMNS, order: "asc" | "desc"): Pagination<TokenRow> {
  const name = SORT_COLUMNS[sort];
  const rank = name === "holders_count" ? undefined : rankPrice;
  const column = order === "asc" ? asc(name, rank) : desc(name, rank);
  const others =
    sort === "circulating_market_cap" && order === "desc"
      ? [desc("fiat_value" as const, rankPrice), desc("holders_count" as const)]
      : [];
  return createKeysetPagination<TokenRow>([column, ...others, ...BY_NAME], TOKEN_CURSOR_KEYS);
}

const TOKEN_ORDERS: ReadonlyMap<string, Pagination<TokenRow>> = new Map(
  (["circulating_market_cap", "fiat_value", "holders_count"] as const).flatMap((sort) =>
    (["asc", "desc"] as const).map((order) => [`${sort}/${order}`, createTokenOrder(sort, order)] as const),
  ),
);
const byMarketCap = createTokenOrder("circulating_market_cap", "desc");

const byValue = createKeysetPagination<HolderRow>([desc("value"), asc("address_hash")]);
const byInstanceValue = createKeysetPagination<HolderRow>(
  [desc("value"), asc("address_hash")],
  ["value", "address_hash", "token_id"],
);
const byId = createKeysetPagination<InstanceRow>([desc("unique_token")]);
const byInstanceLog = createKeysetPagination<TransferRow>(
  [desc("block_number"), desc("index")],
  ["block_number", "index", "token_id"],
);

/** Whether each word of a query begins a word of the name or the symbol, or the query is the address. */
export function matchesToken({ name, symbol, hash }: TokenRow["token"], query: string): boolean {
  if (/^0x[\da-f]{40}$/i.test(query)) return query.toLowerCase() === hash;
  const split = (text: string) => text.toLowerCase().match(/[a-z\d]+/g) ?? [];
  const words = split(`${name ?? ""} ${symbol ?? ""}`);
  const wanted = split(query);
  return wanted.length > 0 && wanted.every((start) => words.some((word) => word.startsWith(start)));
}

const HOLDERS = {
  exists: (chain, hash) => chain.accounts.getToken(hash) !== undefined,
  cursorParsers: { address_hash: parseAddress, value: parseBigIntegerOrNull },
  getTable: ({ tables }) => tables.tokenHolders,
  getPagination: () => byValue,
  serialize: ({ address_hash, token_id, value }, serializer) => ({
    address: serializer.serializeAddress(address_hash),
    token_id: token_id === null ? null : String(token_id),
    value: value === null ? null : String(value),
  }),
} satisfies RestListDefinition<HolderRow>;

/** Serializes an NFT of a list of one contract. Only a list of one holder names the owner of an NFT with several. */
export function serializeInstance(row: InstanceRow, serializer: RestSerializer, hasToken: boolean): SerializedItem {
  const [holder = ""] = row.holders;
  const isUnique = row.holders.length === 1 && row.nft.token_type === "ERC-721";
  const { token, ...nft } = serializer.serializeNft(row.nft);
  return {
    ...nft,
    ...(hasToken ? { token } : {}),
    is_unique: isUnique,
    owner: isUnique ? serializer.serializeAddress(holder) : null,
  };
}

export const TOKEN_LISTS: Readonly<Record<string, RestList>> = {
  "/tokens": createRestList<TokenRow>({
    filterParsers: () => ({
      q: parseString,
      type: parseTokenTypes,
      sort: createEnumParser("circulating_market_cap", "fiat_value", "holders_count"),
      order: createEnumParser("asc", "desc"),
    }),
    cursorParsers: {
      market_cap: parseDecimalOrNull,
      fiat_value: parseDecimalOrNull,
      holders_count: parseIntegerOrNull,
      name: parseString,
      is_name_null: parseBoolean,
      contract_address_hash: parseAddress,
    },
    getTable: ({ tables }) => tables.tokens,
    getPagination: ({ sort, order }) => TOKEN_ORDERS.get(`${sort}/${order}`) ?? byMarketCap,
    createFilter: ({ q, type = [] }) => {
      const hasType = createTypeFilter(type);
      return (row) => hasType(row) && (q === undefined || matchesToken(row.token, q));
    },
    serialize: ({ token }, serializer) => serializer.serializeToken(token),
  }),
  "/tokens/{hash}/holders": createRestList<HolderRow>({
    ...HOLDERS,
    createFilter: (_, hash) => (row) => row.token.hash === hash,
  }),
  "/tokens/{hash}/transfers": createRestList<TransferRow>({
    ...TRANSFERS,
    refusesItemsCount: true,
    getTable: ({ tables }) => tables.mergedTransfers,
    exists: (chain, hash) => chain.accounts.getToken(hash) !== undefined,
    createFilter: (_, hash) => (row) => row.token.hash === hash,
  }),
  "/tokens/{hash}/instances": createRestList<InstanceRow>({
    refusesItemsCount: true,
    hasFixedPages: true,
    hasItemsCount: false,
    exists: (chain, hash) => chain.accounts.getToken(hash) !== undefined,
    filterParsers: () => ({ holder_address_hash: parseAddress }),
    cursorParsers: { unique_token: parseBigIntegerOrNull },
    getTable: ({ tables }) => tables.instances,
    getPagination: () => byId,
    createFilter:
      ({ holder_address_hash: holder }, hash) =>
      (row) =>
        row.token.hash === hash && (holder === undefined || row.holders.includes(holder)),
    serialize: (row, serializer) => serializeInstance(row, serializer, serializer.isBefore(12)),
  }),
  "/tokens/{hash}/instances/{id}/transfers": createRestList<TransferRow>({
    refusesItemsCount: true,
    hasItemsCount: false,
    cursorParsers: { block_number: parseBlockNumber, index: parseInteger, token_id: parseBigIntegerOrNull },
    getTable: ({ tables }) => tables.mergedTransfers,
    getPagination: () => byInstanceLog,
    createFilter:
      ({ instance }, hash) =>
      (row) =>
        row.token.hash === hash && row.token_id === instance,
    serialize: (row, serializer) => serializer.serializeTransfer(row),
  }),
  "/tokens/{hash}/instances/{id}/holders": createRestList<HolderRow>({
    ...HOLDERS,
    cursorParsers: { ...HOLDERS.cursorParsers, token_id: parseBigIntegerOrNull },
    getTable: ({ tables }) => tables.instanceHolders,
    getPagination: () => byInstanceValue,
    createFilter:
      ({ instance }, hash) =>
      (row) =>
        row.token.hash === hash && row.token_id === instance,
  }),
};
