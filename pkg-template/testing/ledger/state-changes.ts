// The balances that a transaction changed.

import type { Chain } from "./chain.js";
import type { Token } from "./rows.js";
import type { TransactionEntry } from "./transaction-entries.js";

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
