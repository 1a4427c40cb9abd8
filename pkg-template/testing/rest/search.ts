// The search: tokens, contracts, labels, tags and names by the beginnings of their words, and everything else by its hash or number.

import { createValidationError } from "../api-error.js";
import type { Chain } from "../ledger/chain.js";
import { toChecksumAddress } from "../ledger/checksum.js";
import { HEAD_BLOCK } from "../ledger/positions.js";
import type { Token } from "../ledger/rows.js";
import { listTokens } from "../ledger/tokens.js";
import { asc, createKeysetPagination, desc } from "./pagination.js";
import type { ListContext, RestList } from "./rest-list.js";
import { parseInteger, parseString } from "./rest-query.js";
import type { RecordContext, RestRecord } from "./rest-record.js";
import type { RestSerializer, SerializedItem } from "./rest-serializer.js";

const MAX_QUICK_RESULTS = 50;
const MIN_LENGTH = 3;
const MONTH_MS = 30 * 24 * 3600 * 1000;

/** A result with the values that the list is sorted by, under the names of its cursor. */
interface SearchRow {
  readonly "search[priority]": number;
  readonly "search[name]": string;
  readonly "search[key]": string;
  readonly item: SerializedItem;
}

const PAGINATION = createKeysetPagination<SearchRow>([desc("search[priority]"), asc("search[name]"), asc("search[key]")]);

const createRow = (type: string, priority: number, name: string, key: string, item: SerializedItem): SearchRow => ({
  "search[priority]": priority,
  "search[name]": name,
  "search[key]": `${type} ${key}`,
  item: { type, priority, ...item },
});

const getWords = (text: string) => text.toLowerCase().match(/[a-z\d]+/g) ?? [];

/** Whether each word of a query begins a word of a text. */
function matches(query: readonly string[], text: string): boolean {
  const words = getWords(text);
  return query.length > 0 && query.every((part) => words.some((word) => word.startsWith(part)));
}

/** Searches a chain as one backend version does. */
class Search {
  readonly #chain: Chain;
  readonly #serializer: RestSerializer;
  readonly #q: string;
  readonly #words: readonly string[];

  constructor({ chain, serializer }: ListContext, q: string) {
    this.#chain = chain;
    this.#serializer = serializer;
    this.#q = q.trim().toLowerCase();
    this.#words = getWords(q);
  }

  /** Returns the results, the best kind first. */
  findAll(): SearchRow[] {
    const q = this.#q;
    const rows = /^0x[\da-f]{40}$/.test(q)
      ? this.#findAddress(q)
      : /^0x[\da-f]{64}$/.test(q)
        ? this.#findHash(q)
        : [...this.#findBlock(q), ...(q.length < MIN_LENGTH ? [] : this.#findText())];
    return rows.sort(PAGINATION.compare);
  }

  /** As in the service, an address that it has never seen is not found. */
  #findAddress(hash: string): SearchRow[] {
    const { accounts } = this.#chain;
    const token = accounts.getToken(hash);
    if (token) return [this.#createToken(token)];
    if (!accounts.listedHashes.includes(hash)) return [];
    const { isContract } = accounts.getProfile(hash);
    return [createRow(isContract ? "contract" : "address", 0, "", hash, this.#serializeAddress(hash))];
  }

  #findHash(hash: string): SearchRow[] {
    const entry = this.#chain.findTransaction(hash);
    if (entry) {
      const timestamp = entry.block_number === null ? null : this.#serializer.createTimestamp(entry.block_number);
      const legacy = this.#serializer.legacyMembers({ tx_hash: hash });
      return [createRow("transaction", 0, "", hash, { transaction_hash: hash, ...legacy, timestamp, url: `/tx/${hash}` })];
    }
    const block = this.#chain.tables.blocks.rows.find((row) => this.#chain.getBlockHash(row.block_number) === hash);
    return block ? this.#createBlock(block.block_number) : [];
  }

  #findBlock(q: string): SearchRow[] {
    const isKnown = (number: number) => this.#chain.tables.blocks.rows.some((row) => row.block_number === number);
    return /^\d{1,10}$/.test(q) && isKnown(Number(q)) ? this.#createBlock(Number(q)) : [];
  }

  #createBlock(block_number: number): SearchRow[] {
    const block_hash = this.#chain.getBlockHash(block_number);
    const timestamp = this.#serializer.createTimestamp(block_number);
    const item = { block_number, block_hash, block_type: "block", timestamp, url: `/block/${block_hash}` };
    return [createRow("block", 3, "", block_hash, item)];
  }

  #findText(): SearchRow[] {
    const { accounts, tokens } = this.#chain;
    const found = listTokens(tokens).filter((token) => matches(this.#words, `${token.name} ${token.symbol}`));
    return [
      ...found.map((token) => this.#createToken(token)),
      ...accounts.listedHashes.flatMap((hash) => this.#findProfile(hash)),
    ];
  }

  #createToken(token: Token): SearchRow {
    const { address_hash, name, symbol, icon_url, total_supply, exchange_rate, circulating_market_cap, reputation } =
      this.#serializer.serializeToken(token);
    return createRow("token", 2, token.name ?? "", token.hash, {
      name,
      symbol,
      address_hash,
      ...this.#serializer.legacyMembers({ address: address_hash }),
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
      ...this.#serializer.membersSince(9, { reputation }),
      ...this.#serializer.membersSince(11, { is_smart_contract_address: true }),
    });
  }

  /** Finds an address by the name of its contract, its labels, its tags and its ENS name. */
  #findProfile(hash: string): SearchRow[] {
    const { name, ensName, isContract, publicTags, tags } = this.#chain.accounts.getProfile(hash);
    const isFound = (text: string | null): text is string => text !== null && matches(this.#words, text);
    const item = this.#serializeAddress(hash);
    return [
      ...(isContract && isFound(name) ? [createRow("contract", 0, name, hash, item)] : []),
      ...publicTags.filter(isFound).map((label) => createRow("label", 3, label, hash, { ...item, name: label })),
      ...tags
        .filter((tag) => isFound(tag.name))
        .map((tag) => createRow("metadata_tag", 1, tag.name, `${hash} ${tag.slug}`, { ...item, metadata: tag })),
      ...(isFound(ensName) ? [createRow("ens_domain", 4, ensName, hash, item)] : []),
    ];
  }

  #serializeAddress(hash: string): SerializedItem {
    const { name, ensName, isContract, isVerified } = this.#chain.accounts.getProfile(hash);
    const address_hash = toChecksumAddress(hash);
    const expiry_date = new Date(Date.parse(`${this.#chain.getTimestamp(HEAD_BLOCK)}Z`) + 60 * MONTH_MS)
      .toISOString()
      .replace("Z", "000Z");
    return {
      name,
      address_hash,
      ...this.#serializer.legacyMembers({ address: address_hash }),
      url: `/address/${address_hash}`,
      is_smart_contract_verified: isContract && isVerified,
      ens_info: ensName === null ? null : { name: ensName, expiry_date, names_count: 1, address_hash },
      certified: false,
      ...this.#serializer.membersSince(9, { reputation: "ok" }),
      ...this.#serializer.membersSince(11, { is_smart_contract_address: isContract }),
    };
  }
}

function findAll(context: ListContext, q: string | undefined): SearchRow[] {
  if (q === undefined) throw createValidationError([["q", "Missing field: q"]]);
  return new Search(context, q).findAll();
}

function createRedirect({ chain, ...context }: RecordContext, q = ""): SerializedItem {
  const hash = q.trim().toLowerCase();
  // A well-formed address always has a page.
  if (/^0x[\da-f]{40}$/.test(hash)) return { redirect: true, type: "address", parameter: toChecksumAddress(hash) };
  const [found] = findAll({ chain, ...context }, q);
  const { type, transaction_hash, block_hash, address_hash, ens_info } = found?.item ?? {};
  if (type === "transaction") return { redirect: true, type, parameter: transaction_hash };
  if (type === "block") return { redirect: true, type, parameter: block_hash };
  const isName = type === "ens_domain" && (ens_info as { readonly name: string }).name === hash;
  return isName ? { redirect: true, type: "address", parameter: address_hash } : { redirect: false, type: null, parameter: null };
}

const PARSERS = { q: parseString };

export const SEARCH_RECORDS: Readonly<Record<string, RestRecord>> = {
  "/search/quick": {
    parsers: PARSERS,
    serialize: (_, context, { q }) =>
      (q !== undefined && q.length < MIN_LENGTH ? [] : findAll(context, q)).slice(0, MAX_QUICK_RESULTS).map(({ item }) => item),
  },
  "/search/check-redirect": { parsers: PARSERS, serialize: (_, context, { q }) => createRedirect(context, q) },
};

/** The list `/search`. Its pages have no `items_count`. */
export const SEARCH_LIST: RestList = {
  hasItemsCount: false,
  hasFixedPages: true,
  filterParsers: () => PARSERS,
  cursorParsers: {
    next_page_params_type: parseString,
    "search[priority]": parseInteger,
    "search[name]": parseString,
    "search[key]": parseString,
  },
  findRows(query, _, context) {
    const rows = findAll(context, query.q);
    return {
      count: () => rows.length,
      serializeAll: () => rows.map(({ item }) => item),
      selectPage(size) {
        const start = PAGINATION.findStart(rows, query, context.getBatchHashes);
        const page = rows.slice(start, start + size);
        const next = rows[start + size];
        const cursor = next ? PAGINATION.makeCursor(page, next, query, context.getBatchHashes) : null;
        return {
          members: {},
          items: page.map(({ item }) => item),
          rowCount: page.length,
          cursor: cursor && { next_page_params_type: "search", q: query.q, ...cursor },
        };
      },
    };
  },
};
