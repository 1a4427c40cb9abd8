// User operations of the busy smart account, through the entry point contract.

import type { Chain } from "./chain.js";

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
  for (const { row, block_number, index, hash, gasFee, content } of chain.tables.entries.initial) {
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
