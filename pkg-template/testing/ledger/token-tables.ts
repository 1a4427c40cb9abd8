// The tokens of the chain with their holders and NFTs, as the REST API lists them.

import { groupBy } from "../maps.js";
import type { LedgerContext } from "./context.js";
import type { NftRow, Token, TokenBalanceRow } from "./rows.js";
import { listTokens } from "./tokens.js";

/** A token with the values that its list is sorted by. */
export interface TokenRow {
  readonly token: Token;
  readonly token_type: string;
  readonly market_cap: string | null;
  readonly fiat_value: string | null;
  readonly holders_count: number | null;
  readonly name: string;
  readonly is_name_null: boolean;
  readonly contract_address_hash: string;
  /** Whether the service hides the row as scam. */
  readonly isHidden: boolean;
}

/** A holder of a token, or of one of its ids. `token_id` is null in the list of all holders. */
export interface HolderRow {
  readonly token: Token;
  readonly address_hash: string;
  readonly token_id: bigint | null;
  readonly value: bigint | null;
}

/** An NFT with its holder. */
export interface InstanceRow {
  readonly nft: NftRow;
  readonly token: Token;
  readonly unique_token: bigint;
  /** The amounts of all its holders. */
  readonly holders: readonly string[];
}

/** Makes the list of all tokens. */
export function makeTokenRows({ tokens }: LedgerContext): TokenRow[] {
  return listTokens(tokens).map((token) => ({
    token,
    token_type: token.type,
    market_cap: token.circulating_market_cap,
    fiat_value: token.exchange_rate,
    holders_count: token.holders_count === null ? null : Number(token.holders_count),
    name: token.name ?? "",
    is_name_null: token.name === null,
    contract_address_hash: token.hash,
    isHidden: token.isScam,
  }));
}

/** Makes the holders of all tokens. The balances of one holder of several ids of a token are added up. */
export function makeHolders(balances: readonly TokenBalanceRow[]): HolderRow[] {
  const groups = groupBy(balances, ({ account, token }) => `${account}/${token.hash}`);
  return [...groups.values()].flatMap((rows) => {
    const [first] = rows;
    if (!first) return [];
    const values = rows.map(({ value }) => value);
    const sum = values.reduce((total, value) => (total === null || value === null ? null : total + value), 0n);
    return [{ token: first.token, address_hash: first.account, token_id: null, value: sum }];
  });
}

/** Makes the holders of all NFTs. */
export function makeInstanceHolders(nfts: readonly NftRow[]): HolderRow[] {
  return nfts.map(({ token, account, token_id, value }) => ({ token, address_hash: account, token_id, value: value ?? 1n }));
}

/** Makes the NFTs of all contracts: one row for each token id. */
export function makeInstances(nfts: readonly NftRow[]): InstanceRow[] {
  const groups = groupBy(nfts, ({ token, token_id }) => `${token.hash}/${token_id}`);
  return [...groups.values()].flatMap((rows) => {
    const [nft] = rows;
    if (!nft) return [];
    return [{ nft, token: nft.token, unique_token: nft.token_id, holders: rows.map(({ account }) => account) }];
  });
}
