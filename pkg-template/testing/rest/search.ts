// The search: tokens, contracts, labels, tags and names by the beginnings of their words, and everything else by its hash or number.

import { toChecksumAddress } from "../ledger/accounts.js";
import { HEAD_BLOCK } from "../ledger/positions.js";
import type { Token } from "../ledger/rows.js";
import { Table } from "../ledger/table.js";
import { listTokens } from "../ledger/tokens.js";
import { createValidationError } from "../responses.js";
import { list } from "./list.js";
import { asc, by, desc } from "./order.js";
import * as is from "./parameters.js";
import type { Item, RestSerializer } from "./serializer.js";

export const MIN_SEARCH_LENGTH = 3;
const EXPIRY_MS = 60 * 30 * 24 * 3600 * 1000;

/** A result with the values that the list is sorted by, under the names of its cursor. */
type SearchRow = ReturnType<typeof createRow>;

const createRow = (type: string, priority: number, name: string, key: string, item: Item) => ({
  "search[priority]": priority,
  "search[name]": name,
  "search[key]": `${type} ${key}`,
  item: { type, priority, ...item } as Item,
});

const getWords = (text: string) => text.toLowerCase().match(/[a-z\d]+/g) ?? [];

/** Whether each word of a query begins a word of a text. */
export function matchesWords(query: string, text: string): boolean {
  const [wanted, words] = [getWords(query), getWords(text)];
  return wanted.length > 0 && wanted.every((part) => words.some((word) => word.startsWith(part)));
}

function findRows(s: RestSerializer, query: string): SearchRow[] {
  const q = query.trim().toLowerCase();
  const { accounts, tables, tokens } = s.chain;
  if (/^0x[\da-f]{40}$/.test(q)) {
    const token = accounts.getToken(q);
    if (token) return [createTokenRow(s, token)];
    // As in the service, an address that it has never seen is not found.
    const type = accounts.getProfile(q).isContract ? "contract" : "address";
    return accounts.listedHashes.includes(q) ? [createRow(type, 0, "", q, serializeFound(s, q))] : [];
  }
  if (/^0x[\da-f]{64}$/.test(q)) {
    const entry = s.chain.findTransaction(q);
    const block = tables.blocks.rows.find((row) => s.chain.getBlockHash(row.block_number) === q);
    if (!entry) return block ? [createBlockRow(s, block.block_number)] : [];
    const timestamp = entry.block_number === null ? null : s.serializeTime(entry.block_number);
    const item = { transaction_hash: q, ...s.membersBefore(9, { tx_hash: q }), timestamp, url: `/tx/${q}` };
    return [createRow("transaction", 0, "", q, item)];
  }
  const isBlock = /^\d{1,10}$/.test(q) && tables.blocks.rows.some((row) => row.block_number === Number(q));
  const isLong = q.length >= MIN_SEARCH_LENGTH;
  const found = isLong ? listTokens(tokens).filter((token) => matchesWords(q, `${token.name} ${token.symbol}`)) : [];
  return [
    ...(isBlock ? [createBlockRow(s, Number(q))] : []),
    ...found.map((token) => createTokenRow(s, token)),
    ...(isLong ? accounts.listedHashes.flatMap((hash) => createProfileRows(s, hash, q)) : []),
  ];
}

function createBlockRow(s: RestSerializer, block_number: number): SearchRow {
  const block_hash = s.chain.getBlockHash(block_number);
  const item = { block_number, block_hash, block_type: "block", timestamp: s.serializeTime(block_number) };
  return createRow("block", 3, "", block_hash, { ...item, url: `/block/${block_hash}` });
}

function createTokenRow(s: RestSerializer, token: Token): SearchRow {
  const { address_hash, name, symbol, icon_url, total_supply, exchange_rate, circulating_market_cap, reputation } =
    s.serializeToken(token);
  return createRow("token", 2, token.name ?? "", token.hash, {
    name,
    symbol,
    address_hash,
    ...s.membersBefore(9, { address: address_hash }),
    token_url: `/token/${address_hash}`,
    address_url: `/address/${address_hash}`,
    icon_url,
    token_type: token.type,
    total_supply,
    exchange_rate,
    circulating_market_cap,
    is_verified_via_admin_panel: false,
    is_smart_contract_verified: true,
    certified: false,
    ...s.membersSince(9, { reputation }),
    ...s.membersSince(11, { is_smart_contract_address: true }),
  });
}

/** Finds an address by the name of its contract, its labels, its tags and its ENS name. */
function createProfileRows(s: RestSerializer, hash: string, q: string): SearchRow[] {
  const { name, ensName, isContract, publicTags, tags } = s.chain.accounts.getProfile(hash);
  const isFound = (text: string | null): text is string => text !== null && matchesWords(q, text);
  const createFound = (type: string, priority: number, name: string, members: Item = {}, key = hash) =>
    createRow(type, priority, name, key, { ...serializeFound(s, hash), ...members });
  return [
    ...(isContract && isFound(name) ? [createFound("contract", 0, name)] : []),
    ...publicTags.filter(isFound).map((label) => createFound("label", 3, label, { name: label })),
    ...tags
      .filter((tag) => isFound(tag.name))
      .map((tag) => createFound("metadata_tag", 1, tag.name, { metadata: tag }, `${hash} ${tag.slug}`)),
    ...(isFound(ensName) ? [createFound("ens_domain", 4, ensName)] : []),
  ];
}

function serializeFound(s: RestSerializer, hash: string): Item {
  const { name, ensName, isContract, isVerified } = s.chain.accounts.getProfile(hash);
  const address_hash = toChecksumAddress(hash);
  const expiry = new Date(s.chain.getUnixTime(HEAD_BLOCK) * 1000 + EXPIRY_MS);
  const expiry_date = expiry.toISOString().replace("Z", "000Z");
  return {
    name,
    address_hash,
    ...s.membersBefore(9, { address: address_hash }),
    url: `/address/${address_hash}`,
    is_smart_contract_verified: isContract && isVerified,
    ens_info: ensName === null ? null : { name: ensName, expiry_date, names_count: 1, address_hash },
    certified: false,
    ...s.membersSince(9, { reputation: "ok" }),
    ...s.membersSince(11, { is_smart_contract_address: isContract }),
  };
}

const ORDER = by<SearchRow & { readonly next_page_params_type: string; readonly q: string }>(
  [desc("search[priority]"), asc("search[name]"), asc("search[key]")],
  {
    next_page_params_type: is.anyString,
    q: is.anyString,
    "search[priority]": is.anyInteger,
    "search[name]": is.anyString,
    "search[key]": is.anyString,
  },
);

/** Creates the table of the results. Throws without a query. */
function createTable(s: RestSerializer, q: string | undefined) {
  if (q === undefined) throw createValidationError([["q", "Missing field: q"]]);
  return new Table(() => findRows(s, q).map((row) => ({ ...row, next_page_params_type: "search", q })));
}

/** Finds the results of a search, the best kind first. */
export const findResults = (s: RestSerializer, q: string | undefined): Item[] =>
  createTable(s, q)
    .sort(ORDER.compare)
    .map(({ item }) => item);

export const SEARCH = list({
  hasItemsCount: false,
  hasFixedPages: true,
  table: (_, __, { q }, serializer) => createTable(serializer, q),
  filters: { q: is.anyString },
  order: ORDER,
  serialize: ({ item }) => item,
});
