// The sample chain: its accounts and tokens, block times and hashes, and tables of records that are generated on first use.

import { createRandom, type Random, type SeedPart } from "../random.js";
import { Accounts } from "./accounts.js";
import { type LogRow, makeLogs } from "./logs.js";
import { makeBalanceChanges, makeInternalTransactions, makeWithdrawals } from "./native-coin.js";
import { makeNfts } from "./nfts.js";
import { makeOversizedBlockTransfers } from "./oversized-block.js";
import { HEAD_BLOCK } from "./positions.js";
import type { BalanceChangeRow, InternalTransactionRow, NftRow, RichListRow, TransferRow, WithdrawalRow } from "./rows.js";
import { makeTokens, type Tokens } from "./tokens.js";
import { makeTransfers } from "./transfers.js";

/** The time of the head block. It is fixed, so that the data do not depend on the clock of the machine. */
const HEAD_TIME_MS = Date.UTC(2026, 10, 1);
const BLOCK_TIME_MS = 12_000;

export class Chain {
  readonly seed: number;
  readonly tokens: Tokens;
  readonly accounts: Accounts;
  readonly #tables = new Map<string, readonly unknown[]>();

  constructor(seed: number) {
    this.seed = seed;
    this.tokens = makeTokens(seed);
    this.accounts = new Accounts(seed, this.tokens);
  }

  /** Creates a random generator from the seed of the chain and these parts. */
  createRandom(...seedParts: readonly SeedPart[]): Random {
    return createRandom(this.seed, ...seedParts);
  }

  /** The time of a block as ISO 8601 without fraction and zone: lists differ in the fraction that they add. */
  getTimestamp(block: number): string {
    return new Date(HEAD_TIME_MS - (HEAD_BLOCK - block) * BLOCK_TIME_MS).toISOString().slice(0, 19);
  }

  /** The time of a block in Unix seconds. */
  getUnixTime(block: number): number {
    return (HEAD_TIME_MS - (HEAD_BLOCK - block) * BLOCK_TIME_MS) / 1000;
  }

  /** The block at a time in Unix seconds. A fraction means a time between two blocks. */
  getBlockAtTime(seconds: number): number {
    return HEAD_BLOCK + (seconds * 1000 - HEAD_TIME_MS) / BLOCK_TIME_MS;
  }

  getBlockHash(block: number): string {
    return this.createRandom("block", block).nextHex(32);
  }

  getTransactionHash(block: number, index: number): string {
    return this.createRandom("transaction", block, index).nextHex(32);
  }

  get richList(): readonly RichListRow[] {
    return this.#getTable("richList", () => this.accounts.makeRichList());
  }

  get transfers(): readonly TransferRow[] {
    return this.#getTable("transfers", () => makeTransfers(this));
  }

  get oversizedBlockTransfers(): readonly TransferRow[] {
    return this.#getTable("oversizedBlockTransfers", () => makeOversizedBlockTransfers(this));
  }

  get internalTransactions(): readonly InternalTransactionRow[] {
    return this.#getTable("internalTransactions", () => makeInternalTransactions(this));
  }

  get logs(): readonly LogRow[] {
    return this.#getTable("logs", () => makeLogs(this));
  }

  get nfts(): readonly NftRow[] {
    return this.#getTable("nfts", () => makeNfts(this));
  }

  get balanceChanges(): readonly BalanceChangeRow[] {
    return this.#getTable("balanceChanges", () => makeBalanceChanges(this));
  }

  get withdrawals(): readonly WithdrawalRow[] {
    return this.#getTable("withdrawals", () => makeWithdrawals(this));
  }

  #getTable<Row>(name: string, makeTable: () => Row[]): readonly Row[] {
    const cached = this.#tables.get(name) as readonly Row[] | undefined;
    if (cached) return cached;
    const table = makeTable();
    this.#tables.set(name, table);
    return table;
  }
}
