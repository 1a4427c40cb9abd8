// Transactions as the REST API lists them: mined and pending ones, with the values that cursors name.

import type { LedgerContext } from "./context.js";
import { HEAD_BLOCK } from "./positions.js";
import type { PendingTransaction, TransactionPosition, TransactionRow } from "./rows.js";
import {
  getEffectiveGasPrice,
  type L1Fee,
  makePendingTransactions,
  makeTransactionContent,
  type ResolvedMethod,
  resolveMethod,
} from "./transactions.js";

/** The contents of a transaction that has been mined or is pending. */
interface EntryContent extends ResolvedMethod {
  readonly input: string;
  readonly nonce: number;
  readonly gas: number;
  readonly gasPrice: bigint;
  /** Null if pending. */
  readonly gasUsed: bigint | null;
  /** Null if pending, or if the chain is not a rollup. */
  readonly l1Fee: L1Fee | null;
}

/** A transaction. The contents are computed when they are read, because there are many transactions. */
export class TransactionEntry {
  readonly row: Omit<TransactionRow, keyof TransactionPosition>;
  /** Null if pending. */
  readonly block_number: number | null;
  /** The index in the block. Null if pending. */
  readonly index: number | null;
  readonly inserted_at: string;
  readonly #getHash: () => string;
  readonly #makeContent: () => EntryContent;
  #hash: string | undefined;
  #content: EntryContent | undefined;

  private constructor(
    row: Omit<TransactionRow, keyof TransactionPosition>,
    position: TransactionPosition | null,
    inserted_at: string,
    getHash: () => string,
    makeContent: () => EntryContent,
  ) {
    this.row = row;
    this.block_number = position?.block_number ?? null;
    this.index = position?.transaction_index ?? null;
    this.inserted_at = inserted_at;
    this.#getHash = getHash;
    this.#makeContent = makeContent;
  }

  static fromMined(context: LedgerContext, row: TransactionRow): TransactionEntry {
    const { block_number, transaction_index } = row;
    const getHash = () => context.getTransactionHash(block_number, transaction_index);
    return new TransactionEntry(row, row, `${context.getTimestamp(block_number)}.500000Z`, getHash, () => {
      const content = makeTransactionContent(context, row);
      const gasPrice = getEffectiveGasPrice(context, block_number, content.gasPrice);
      return { ...content, gasPrice, gasUsed: BigInt(content.gasUsed) };
    });
  }

  /** `i` is the number of newer pending transactions. */
  static fromPending(context: LedgerContext, transaction: PendingTransaction, i: number): TransactionEntry {
    const row = { ...transaction, createdContract: null, hasFailed: false };
    const inserted_at = `${context.getTimestamp(HEAD_BLOCK - i)}.${String(999_000 - i).padStart(6, "0")}Z`;
    return new TransactionEntry(
      row,
      null,
      inserted_at,
      () => transaction.hash,
      () => ({
        ...transaction,
        ...resolveMethod(transaction.method),
        gasPrice: BigInt(transaction.gasPrice),
        gasUsed: null,
        l1Fee: null,
      }),
    );
  }

  get content(): EntryContent {
    this.#content ??= this.#makeContent();
    return this.#content;
  }

  get hash(): string {
    this.#hash ??= this.#getHash();
    return this.#hash;
  }

  get value(): bigint {
    return this.row.value;
  }

  get types(): string[] {
    const { to, method, value, hasTokenTransfers } = this.row;
    const isCall = to !== null && method !== null;
    return [
      ...(hasTokenTransfers ? ["token_transfer"] : []),
      ...(to === null ? ["contract_creation"] : []),
      ...(isCall ? ["contract_call"] : []),
      ...(value > 0n || (to !== null && method === null) ? ["coin_transfer"] : []),
    ];
  }

  /** The paid fee for gas; the maximum fee if pending. */
  get gasFee(): bigint {
    const { gas, gasUsed, gasPrice } = this.content;
    return (gasUsed ?? BigInt(gas)) * gasPrice;
  }

  /** The whole fee. On a rollup it includes the fee for data on layer 1. */
  get fee(): bigint {
    return this.gasFee + (this.content.l1Fee?.value ?? 0n);
  }
}

/** Makes all pending transactions of the chain. */
export function makePendingEntries(context: LedgerContext): TransactionEntry[] {
  const { hub, quiet } = context.accounts.sampleHashes;
  const transactions = [hub, quiet].flatMap((account) => makePendingTransactions(context, account));
  return transactions.map((transaction, i) => TransactionEntry.fromPending(context, transaction, i));
}
