// Transactions as the REST API lists them: mined and pending ones, with the values that cursors name.

import type { Chain } from "./chain.js";
import { HEAD_BLOCK } from "./positions.js";
import type { PendingTransaction, TransactionPosition, TransactionRow } from "./rows.js";
import { makePendingTransactions, makeTransactionContent, type ResolvedMethod, resolveMethod } from "./transactions.js";

const GWEI = 10n ** 9n;
/** Blocks of contract creations are older than all others. */
const FIRST_CREATION_BLOCK = 8_000_000;
const CREATION_BLOCK_COUNT = 900_000;

/** The contents of a transaction that has been mined or is pending. */
interface EntryContent extends ResolvedMethod {
  readonly input: string;
  readonly nonce: number;
  readonly gas: number;
  readonly gasPrice: bigint;
  /** Null if pending. */
  readonly gasUsed: bigint | null;
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

  static fromMined(chain: Chain, row: TransactionRow): TransactionEntry {
    const { block_number, transaction_index, method } = row;
    const getHash = () => chain.getTransactionHash(block_number, transaction_index);
    return new TransactionEntry(row, row, `${chain.getTimestamp(block_number)}.500000Z`, getHash, () => {
      const content = makeTransactionContent(chain, block_number, transaction_index, method);
      // Some responses of the account module lack the gas price. The REST API always has one.
      const gasPrice = BigInt(content.gasPrice ?? 2 * chain.getBaseFee(block_number));
      return { ...content, gasPrice, gasUsed: BigInt(content.gasUsed) };
    });
  }

  /** `i` is the number of newer pending transactions. */
  static fromPending(chain: Chain, transaction: PendingTransaction, i: number): TransactionEntry {
    const row = { ...transaction, createdContract: null, hasFailed: false };
    const inserted_at = `${chain.getTimestamp(HEAD_BLOCK - i)}.${String(999_000 - i).padStart(6, "0")}Z`;
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

  /** The paid fee; the maximum fee if pending. */
  get fee(): bigint {
    const { gas, gasUsed, gasPrice } = this.content;
    return (gasUsed ?? BigInt(gas)) * gasPrice;
  }
}

/** Makes all pending transactions of the chain. */
export function makePendingEntries(chain: Chain): TransactionEntry[] {
  const { hub, quiet } = chain.accounts.sampleHashes;
  const transactions = [hub, quiet].flatMap((account) => makePendingTransactions(chain, account));
  return transactions.map((transaction, i) => TransactionEntry.fromPending(chain, transaction, i));
}

/**
 * Makes the transactions whose hashes occur in logs, internal transactions, balance changes, deposits and contract creations.
 * They can be requested by hash. No list has them.
 */
export function makeUnlistedEntries(chain: Chain): TransactionEntry[] {
  const rows = new Map<string, TransactionRow>();
  const add = (position: TransactionPosition, parties: Partial<TransactionRow>) => {
    const { block_number, transaction_index } = position;
    const random = chain.createRandom("unlisted", block_number, transaction_index);
    rows.set(`${block_number}/${transaction_index}`, {
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
  for (const row of chain.internalTransactions) add(row, { to: row.from });
  for (const { block_number, transaction_index, account, delta } of chain.balanceChanges) {
    if (transaction_index === null) continue;
    const value = (delta < 0n ? -delta : delta) % (100n * GWEI * GWEI);
    add({ block_number, transaction_index }, { value, method: null, ...(delta < 0n ? { from: account } : { to: account }) });
  }
  for (const row of chain.deposits) add(row, { from: row.account, value: row.amount, method: "deposit" });
  for (const contract of chain.accounts.contractHashes) {
    const { creator, ...position } = getCreation(chain, contract);
    add(position, { from: creator, to: null, createdContract: contract, method: "0x60806040" });
  }
  return [...rows.values()].map((row) => TransactionEntry.fromMined(chain, row));
}

/** Returns the position of the transaction that created a contract, and its sender. */
export function getCreation(chain: Chain, contract: string): TransactionPosition & { readonly creator: string } {
  const random = chain.createRandom("creation", contract);
  return {
    block_number: FIRST_CREATION_BLOCK + random.nextInt(CREATION_BLOCK_COUNT),
    transaction_index: random.nextInt(200),
    creator: random.pick(chain.validators),
  };
}
