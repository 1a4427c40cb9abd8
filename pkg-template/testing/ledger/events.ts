// All events of an address, in order. Balances are computed from them.

import type { LedgerContext } from "./context.js";
import type { EventTables, Token, TransferRow } from "./rows.js";
import { computeFee } from "./transactions.js";

/** The kinds of event, in their order within a transaction and at the end of a block. */
const KINDS = ["transaction", "internal_transaction", "token_transfer", "block_reward", "withdrawal"] as const;

export interface LedgerEvent {
  readonly kind: (typeof KINDS)[number];
  readonly block_number: number;
  /** Null for block rewards and withdrawals, which follow the transactions of the block. */
  readonly transaction_index: number | null;
  /** The index of an internal transaction in its transaction, of a log in its block, or of a withdrawal on the chain. */
  readonly index: number | null;
  readonly index_in_batch: number | null;
  /** Null for the native coin. */
  readonly token: Token | null;
  readonly token_type: string | null;
  readonly token_id: bigint | null;
  /** Null if it is encrypted or missing, or for a token id without an amount. */
  readonly amount: bigint | null;
  readonly from: string | null;
  /** The recipient or the created contract. */
  readonly to: string | null;
  /** The fee that the address paid, in wei. */
  readonly fee: bigint;
  /** Whether the amount was moved. */
  readonly isSuccess: boolean;
  readonly method: string | null;
}

const COIN = { index: null, index_in_batch: null, token: null, token_type: null, token_id: null, method: null } as const;

/** Makes the events of an address that can change its balance of the native coin, in order. */
export function makeCoinEvents(context: LedgerContext, account: string, tables: EventTables): LedgerEvent[] {
  const events: LedgerEvent[] = [];
  for (const row of tables.transactions) {
    const to = row.to ?? row.createdContract;
    if (row.from !== account && to !== account) continue;
    const { block_number, transaction_index, from, value: amount, method } = row;
    const fee = from === account ? computeFee(context, row) : 0n;
    const isSuccess = !row.hasFailed;
    events.push({ ...COIN, kind: "transaction", block_number, transaction_index, from, to, amount, fee, isSuccess, method });
  }
  for (const row of tables.internalTransactions) {
    const to = row.to ?? row.created_contract;
    // Index 0 is the transaction.
    if (row.index === 0 || (row.from !== account && to !== account)) continue;
    const { block_number, transaction_index, index, from, value: amount, error } = row;
    const isSuccess = error === null;
    const position = { block_number, transaction_index, index };
    events.push({ ...COIN, kind: "internal_transaction", ...position, from, to, amount, fee: 0n, isSuccess });
  }
  for (const { block_number, amount } of tables.rewards) {
    events.push({ ...COIN, ...createCredit(account, block_number, amount), kind: "block_reward" });
  }
  for (const row of tables.withdrawals) {
    if (row.account !== account) continue;
    const credit = createCredit(account, row.block_number, row.amount);
    events.push({ ...COIN, ...credit, kind: "withdrawal", index: row.index });
  }
  return events.sort(compareEvents);
}

/** Makes all events of an address, in order: by block, transaction, kind, index and index in the batch. */
export function makeEvents(context: LedgerContext, account: string, tables: EventTables): LedgerEvent[] {
  const transfers = tables.transfers.filter(({ from, to }) => from === account || to === account).map(createTransferEvent);
  return [...makeCoinEvents(context, account, tables), ...transfers].sort(compareEvents);
}

/** Returns how an event changes the address's balance of its token, or of the native coin. */
export function computeDelta({ amount, fee, from, to, isSuccess }: LedgerEvent, account: string): bigint {
  const moved = isSuccess ? (amount ?? 0n) : 0n;
  return (to === account ? moved : 0n) - (from === account ? moved : 0n) - fee;
}

/** An amount that the chain pays at the end of a block. */
function createCredit(account: string, block_number: number, amount: bigint) {
  return { block_number, transaction_index: null, from: null, to: account, amount, fee: 0n, isSuccess: true };
}

function createTransferEvent(row: TransferRow): LedgerEvent {
  const { block_number, transaction_index, index, index_in_batch, token, token_type, token_id, amount, from, to, method } = row;
  const position = { block_number, transaction_index, index, index_in_batch };
  const content = { token, token_type, token_id, amount, from, to, fee: 0n, isSuccess: true, method };
  return { kind: "token_transfer", ...position, ...content };
}

function compareEvents(a: LedgerEvent, b: LedgerEvent): number {
  return (
    a.block_number - b.block_number ||
    compareOrLast(a.transaction_index, b.transaction_index) ||
    KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind) ||
    compareOrLast(a.index, b.index) ||
    compareOrLast(a.index_in_batch, b.index_in_batch)
  );
}

/** Compares two indices. Null comes last. */
function compareOrLast(a: number | null, b: number | null): number {
  if (a === b) return 0;
  return (a ?? Number.POSITIVE_INFINITY) - (b ?? Number.POSITIVE_INFINITY);
}
