// Rows of lists that follow from other tables: tokens and their holders, NFTs, state changes and user operations.

import { groupBy } from "../maps.js";
import type { Chain } from "./chain.js";
import type { LedgerContext } from "./context.js";
import type { NftRow, Token, TokenBalanceRow } from "./rows.js";
import { listTokens } from "./tokens.js";
import type { TransactionEntry } from "./transactions.js";

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

export interface StateChangeRow {
  readonly state_changes_count: number;
  readonly address_hash: string;
  readonly isMiner: boolean;
  /** Missing for the native coin. */
  readonly token?: Token;
  readonly token_id: bigint | null;
  readonly change: bigint;
}

/** Makes the changes of one mined transaction, changes of the native coin first. */
export function makeStateChanges(chain: Chain, entry: TransactionEntry): StateChangeRow[] {
  const { row, block_number, index, fee, gasFee, content } = entry;
  if (block_number === null) return [];
  const burnt = BigInt(chain.getBaseFee(block_number)) * (content.gasUsed ?? 0n);
  const miner = chain.tables.blocks.getRowsOfBlock(block_number).find(({ type }) => type === "block")?.miner;
  const value = row.hasFailed ? 0n : row.value;
  const receiver = row.to ?? row.createdContract;
  const coins = [
    { address_hash: row.from, change: -value - fee },
    ...(receiver === null ? [] : [{ address_hash: receiver, change: value }]),
    ...(miner === undefined ? [] : [{ address_hash: miner, change: gasFee - burnt }]),
  ].map((coin) => ({ ...coin, token_id: null }));
  const tokens = chain.getTransfersOf(block_number, index).flatMap(({ token, token_id, amount, from, to }) => [
    { address_hash: from, token, token_id, change: -(amount ?? 1n) },
    { address_hash: to, token, token_id, change: amount ?? 1n },
  ]);
  return [...coins, ...tokens]
    .filter(({ change }) => change !== 0n)
    .map((change, i) => ({ ...change, state_changes_count: i + 1, isMiner: change.address_hash === miner }));
}

export interface UserOperationRow {
  readonly hash: string;
  readonly sender: string;
  readonly bundler: string;
  readonly entry_point: string;
  readonly block_number: number;
  readonly transaction_hash: string;
  readonly hasFailed: boolean;
  readonly fee: bigint;
  readonly gasUsed: bigint;
  readonly callData: string;
  /** Sorts by block and transaction. */
  readonly page_token: string;
}

/** Maximum number of user operations. */
const MAX_COUNT = 120;

/** Makes one user operation for each transaction that somebody else sent to the smart account. */
export function makeUserOperations(chain: Chain): UserOperationRow[] {
  const { hub } = chain.accounts.sampleHashes;
  const entryPoint = chain.createRandom("entry point").nextHex(20);
  const rows: UserOperationRow[] = [];
  for (const { row, block_number, index, hash, gasFee, content } of chain.tables.getTablesFor(hub).entries.rows) {
    if (row.to !== hub || row.from === hub || block_number === null || index === null || rows.length === MAX_COUNT) continue;
    const position = [block_number, index].map((number) => String(number).padStart(12, "0")).join(",");
    rows.push({
      hash: chain.createRandom("user operation", block_number, index).nextHex(32),
      sender: hub,
      bundler: row.from,
      entry_point: entryPoint,
      block_number,
      transaction_hash: hash,
      hasFailed: row.hasFailed,
      fee: gasFee,
      gasUsed: content.gasUsed ?? 0n,
      callData: content.input,
      page_token: position,
    });
  }
  return rows;
}
