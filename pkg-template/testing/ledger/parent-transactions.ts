// Transactions that other records belong to: logs, internal transactions, deposits and contract creations.

import type { Chain } from "./chain.js";
import { createPositionKey } from "./positions.js";
import type { InternalTransactionRow, TransactionPosition, TransactionRow } from "./rows.js";

/** Blocks of contract creations are older than all others. */
const FIRST_CREATION_BLOCK = 8_000_000;
const CREATION_BLOCK_COUNT = 900_000;

/**
 * Makes the transactions whose hashes occur in logs, internal transactions, deposits and contract creations, except those at
 * the positions of `knownTransactions`.
 */
export function makeParentTransactions(
  chain: Chain,
  internalTransactions: readonly InternalTransactionRow[],
  knownTransactions: readonly TransactionRow[],
): TransactionRow[] {
  const rows = new Map<string, TransactionRow>();
  const known = new Set(knownTransactions.map(createPositionKey));
  const add = (position: TransactionPosition, parties: Partial<TransactionRow>) => {
    const key = createPositionKey(position);
    if (known.has(key)) return;
    const { block_number, transaction_index } = position;
    const random = chain.createRandom("parent", block_number, transaction_index);
    rows.set(key, {
      block_number,
      transaction_index,
      from: random.pick(chain.validators),
      to: random.pick(chain.validators),
      createdContract: null,
      value: 0n,
      hasFailed: false,
      method: "execute",
      ...parties,
    });
  };
  for (const row of chain.logs) add(row, { to: row.calledContract ?? row.emitter });
  for (const row of internalTransactions) add(row, {});
  for (const row of chain.deposits) add(row, { from: row.account, value: row.amount, method: "deposit" });
  for (const contract of chain.accounts.contractHashes) {
    const creation = getCreation(chain, contract);
    if (creation) add(creation, { from: creation.creator, to: null, createdContract: contract, method: "0x60806040" });
  }
  return [...rows.values()];
}

/** Returns the position of the transaction that created a contract, and its sender. Null for an account with a delegation. */
export function getCreation(chain: Chain, contract: string): (TransactionPosition & { readonly creator: string }) | null {
  const { isContract, proxyType } = chain.accounts.getProfile(contract);
  if (!isContract || proxyType === "eip7702") return null;
  const random = chain.createRandom("creation", contract);
  return {
    block_number: FIRST_CREATION_BLOCK + random.nextInt(CREATION_BLOCK_COUNT),
    transaction_index: random.nextInt(200),
    creator: random.pick(chain.validators),
  };
}
