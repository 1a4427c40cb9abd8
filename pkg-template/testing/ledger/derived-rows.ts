// Rows of lists that follow from other tables: tokens and their holders, NFTs, state changes and user operations.

import { groupBy } from "../maps.js";
import type { Chain } from "./chain.js";
import type { LedgerContext } from "./context.js";
import type { NftRow } from "./rows.js";
import type { TokenBalanceRow } from "./token-holdings.js";
import { listTokens } from "./tokens.js";
import type { TransactionEntry } from "./transactions.js";

export type TokenRow = ReturnType<typeof makeTokenRows>[number];
export type HolderRow = ReturnType<typeof makeHolders>[number];
export type InstanceRow = ReturnType<typeof makeInstances>[number];
export type UserOperationRow = ReturnType<typeof makeUserOperations>[number];

/** Makes the list of all tokens, with the values that it is sorted by. Scam is hidden. */
export const makeTokenRows = ({ tokens }: LedgerContext) =>
  listTokens(tokens).map((token) => ({
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

/** Groups rows by a key. Each group has its first row. */
const group = <Row>(rows: readonly Row[], getKey: (row: Row) => string) =>
  [...groupBy(rows, getKey).values()].map((group) => ({ first: group[0] as Row, group }));

/** Makes the holders of all tokens. The balances of one holder of several ids of a token are added up. */
export const makeHolders = (balances: readonly TokenBalanceRow[]) =>
  group(balances, ({ account, token }) => `${account}/${token.hash}`).map(({ first: { token, account }, group }) => {
    const values = group.map(({ value }) => value);
    const value = values.reduce((total, value) => (total === null || value === null ? null : total + value), 0n);
    return { token, address_hash: account, token_id: null as bigint | null, value };
  });

export const makeInstanceHolders = (nfts: readonly NftRow[]): HolderRow[] =>
  nfts.map(({ token, account, token_id, value }) => ({ token, address_hash: account, token_id, value: value ?? 1n }));

/** Makes the NFTs of all contracts: one row for each token id, with all its holders. */
export const makeInstances = (nfts: readonly NftRow[]) =>
  group(nfts, ({ token, token_id }) => `${token.hash}/${token_id}`).map(({ first: nft, group }) => {
    return { nft, token: nft.token, unique_token: nft.token_id, holders: group.map(({ account }) => account) };
  });

/** Makes the changes of balances by one mined transaction, changes of the native coin first, which has no token. */
export function makeStateChanges(chain: Chain, entry: TransactionEntry) {
  const { row, block_number, index, fee, gasFee, content } = entry;
  if (block_number === null) return [];
  const burnt = BigInt(chain.getBaseFee(block_number)) * (content.gasUsed ?? 0n);
  const miner = chain.tables.blocks.getRowsOfBlock(block_number).find(({ type }) => type === "block")?.miner;
  const value = row.hasFailed ? 0n : row.value;
  const coins = [
    { address_hash: row.from, change: -value - fee },
    { address_hash: row.to ?? row.createdContract, change: value },
    { address_hash: miner, change: gasFee - burnt },
  ].map((coin) => ({ ...coin, token: undefined, token_id: null }));
  const tokens = chain.getTransfersOf(block_number, index).flatMap(({ token, token_id, amount, from, to }) => [
    { address_hash: from, token, token_id, change: -(amount ?? 1n) },
    { address_hash: to, token, token_id, change: amount ?? 1n },
  ]);
  return [...coins, ...tokens]
    .flatMap(({ address_hash, ...change }) => (address_hash && change.change !== 0n ? [{ address_hash, ...change }] : []))
    .map((change, i) => ({ ...change, state_changes_count: i + 1, isMiner: change.address_hash === miner }));
}

const MAX_COUNT = 120;

/** Makes one user operation for each transaction that somebody else sent to the smart account. */
export function makeUserOperations(chain: Chain) {
  const { hub: sender } = chain.accounts.sampleHashes;
  const entry_point = chain.createRandom("entry point").nextHex(20);
  const isOperation = ({ row, block_number }: TransactionEntry) =>
    row.to === sender && row.from !== sender && block_number !== null;
  const entries = chain.tables.getTablesFor(sender).entries.rows.filter(isOperation).slice(0, MAX_COUNT);
  return entries.map(({ row, block_number, index, hash: transaction_hash, gasFee: fee, content }) => {
    // Sorts by block and transaction.
    const page_token = [block_number, index].map((number) => String(number).padStart(12, "0")).join(",");
    const hash = chain.createRandom("user operation", block_number, index).nextHex(32);
    const { gasUsed, input: callData } = content;
    const position = { block_number: block_number ?? 0, page_token, transaction_hash };
    const operation = { hash, sender, bundler: row.from, entry_point, callData, hasFailed: row.hasFailed };
    return { ...position, ...operation, fee, gasUsed: gasUsed ?? 0n };
  });
}
