// Transactions that other records belong to: logs, internal transactions, deposits and contract creations.

import type { LedgerContext } from "./context.js";
import type { LogRow } from "./logs.js";
import { createPositionKey } from "./positions.js";
import type { DepositRow, TransactionPosition, TransactionRow } from "./rows.js";

/** Blocks of contract creations are older than all others. */
const FIRST_CREATION_BLOCK = 8_000_000;
const CREATION_BLOCK_COUNT = 900_000;

interface Records {
  readonly logs: readonly LogRow[];
  readonly internalTransactions: readonly TransactionPosition[];
  readonly deposits: readonly DepositRow[];
}

/**
 * Makes the transactions whose hashes occur in logs, internal transactions, deposits and contract creations, except those at
 * the positions of `knownTransactions`.
 */
export function makeParentTransactions(
  context: LedgerContext,
  { logs, internalTransactions, deposits }: Records,
  knownTransactions: readonly TransactionRow[],
): TransactionRow[] {
  const rows = new Map<string, TransactionRow>();
  const known = new Set(knownTransactions.map(createPositionKey));
  const add = (position: TransactionPosition, parties: Partial<TransactionRow>) => {
    const key = createPositionKey(position);
    if (known.has(key)) return;
    const { block_number, transaction_index } = position;
    const random = context.createRandom("parent", block_number, transaction_index);
    rows.set(key, {
      block_number,
      transaction_index,
      from: random.pick(context.accounts.validators),
      to: random.pick(context.accounts.validators),
      createdContract: null,
      value: 0n,
      hasFailed: false,
      method: "execute",
      ...parties,
    });
  };
  for (const row of logs) add(row, { to: row.calledContract ?? row.emitter });
  for (const row of internalTransactions) add(row, {});
  for (const row of deposits) add(row, { from: row.account, value: row.amount, method: "deposit" });
  for (const creation of makeCreations(context, context.accounts.contractHashes)) add(creation, creation);
  return [...rows.values()];
}

/** Makes the transactions that created contracts. Other addresses have none. */
export function makeCreations(context: LedgerContext, hashes: readonly string[]): TransactionRow[] {
  return hashes.flatMap((createdContract) => {
    const creation = getCreation(context, createdContract);
    if (!creation) return [];
    const { creator: from, ...position } = creation;
    return [{ ...position, from, to: null, createdContract, value: 0n, hasFailed: false, method: "0x60806040" }];
  });
}

/** Returns the position of the transaction that created a contract, and its sender. Null for an account with a delegation. */
export function getCreation(
  context: LedgerContext,
  contract: string,
): (TransactionPosition & { readonly creator: string }) | null {
  const { isContract, proxyType } = context.accounts.getProfile(contract);
  if (!isContract || proxyType === "eip7702") return null;
  const random = context.createRandom("creation", contract);
  return {
    block_number: FIRST_CREATION_BLOCK + random.nextInt(CREATION_BLOCK_COUNT),
    transaction_index: random.nextInt(200),
    creator: random.pick(context.accounts.validators),
  };
}
