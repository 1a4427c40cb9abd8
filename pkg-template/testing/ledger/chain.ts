// The sample chain: its accounts and tokens, block times and hashes, and tables of records that are generated on first use.

import { createRandom, type Random, type SeedPart } from "../random.js";
import { Accounts } from "./accounts.js";
import { BalanceStore } from "./balances.js";
import { makeBlocks } from "./blocks.js";
import { DeepHistory } from "./deep-history.js";
import { type LogRow, makeLogs } from "./logs.js";
import { makeBalanceChanges, makeInternalTransactions, makeWithdrawals } from "./native-coin.js";
import { addNewBlock, type NewRows } from "./new-blocks.js";
import { makeNfts } from "./nfts.js";
import { makeOversizedBlockTransfers } from "./oversized-block.js";
import { HEAD_BLOCK } from "./positions.js";
import type {
  BalanceChangeRow,
  BlockRow,
  DepositRow,
  ElectionRewardRow,
  InternalTransactionRow,
  NftRow,
  RichListRow,
  TokenBalanceRow,
  TransactionRow,
  TransferRow,
  WithdrawalRow,
} from "./rows.js";
import { makeDeposits, makeElectionRewards } from "./staking.js";
import { type CollectionRow, makeCollections, makeTokenBalances } from "./token-holdings.js";
import { makeTokens, type Tokens } from "./tokens.js";
import { makePendingEntries, makeUnlistedEntries, TransactionEntry } from "./transaction-entries.js";
import { deriveTransactions } from "./transactions.js";
import { makeTransfers } from "./transfers.js";

/** The time of the head block. It is fixed, so that the data do not depend on the clock of the machine. */
const HEAD_TIME_MS = Date.UTC(2026, 10, 1);
const BLOCK_TIME_MS = 12_000;
const MAX_BASE_FEE = 900_000_000;
const VALIDATORS_START = 1000;
const VALIDATOR_COUNT = 40;

const compareTransfers = (a: TransferRow, b: TransferRow) =>
  a.block_number - b.block_number ||
  a.transaction_index - b.transaction_index ||
  a.index - b.index ||
  a.index_in_batch - b.index_in_batch;

/** The chain of one service. It can grow. */
export class Chain {
  readonly seed: number;
  readonly tokens: Tokens;
  readonly accounts: Accounts;
  readonly balances: BalanceStore;
  readonly deepHistory: DeepHistory;
  readonly #newRows: NewRows = { blocks: [], transactions: [], transfers: [], internalTransactions: [] };
  readonly #rowsByBlock = new WeakMap<readonly object[], ReadonlyMap<number | null, readonly object[]>>();
  readonly #grownTables = new Map<string, readonly unknown[]>();
  readonly #tables = new Map<string, readonly unknown[]>();

  constructor(seed: number) {
    this.seed = seed;
    this.tokens = makeTokens(seed);
    this.accounts = new Accounts(seed, this.tokens);
    this.balances = new BalanceStore(this);
    this.deepHistory = new DeepHistory(this);
  }

  /** The number of the newest block. */
  get head(): number {
    return HEAD_BLOCK + this.#newRows.blocks.length;
  }

  /** Adds new blocks to the chain. */
  addBlocks(count: number): void {
    this.deepHistory.addBlocks(count);
    for (let i = 0; i < count; i++) addNewBlock(this, this.head + 1, this.#newRows);
  }

  /** Addresses that produce blocks and create contracts. None of them is a sample address. */
  get validators(): readonly string[] {
    const end = VALIDATORS_START + VALIDATOR_COUNT;
    return this.#getTable("validators", () => this.accounts.otherHashes.slice(VALIDATORS_START, end));
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

  /** The base fee of a block for one unit of gas, in wei. It is below the gas price of all transactions. */
  getBaseFee(block: number): number {
    return MAX_BASE_FEE - this.createRandom("base fee", block).nextInt(MAX_BASE_FEE / 2);
  }

  get richList(): readonly RichListRow[] {
    return this.#getTable("richList", () => this.accounts.makeRichList());
  }

  get transfers(): readonly TransferRow[] {
    return this.#getGrowingTable("transfers", this.#newRows.transfers, () => makeTransfers(this));
  }

  get oversizedBlockTransfers(): readonly TransferRow[] {
    return this.#getTable("oversizedBlockTransfers", () => makeOversizedBlockTransfers(this));
  }

  get internalTransactions(): readonly InternalTransactionRow[] {
    return this.#getGrowingTable("internalTransactions", this.#newRows.internalTransactions, () =>
      makeInternalTransactions(this),
    );
  }

  /** Transactions of token transfers: all but those of the deep history. */
  get transferTransactions(): readonly TransactionRow[] {
    return this.#getTable("transferTransactions", () => {
      const isInitial = ({ block_number }: TransferRow) => block_number <= HEAD_BLOCK;
      return deriveTransactions([...this.transfers.filter(isInitial), ...this.oversizedBlockTransfers].sort(compareTransfers));
    });
  }

  /** All listed transactions, unsorted: pending and mined. */
  get transactions(): readonly TransactionEntry[] {
    const newEntries = this.#newRows.transactions.map((row) => TransactionEntry.fromMined(this, row));
    return this.#getGrowingTable("transactions", newEntries, () => {
      const deepRows = this.deepHistory.getRows(0, HEAD_BLOCK, undefined);
      const rows = Array.from({ length: deepRows.length }, (_, i) => deepRows.at(i)).filter((row) => row !== undefined);
      const mined = [...this.transferTransactions, ...rows].map((row) => TransactionEntry.fromMined(this, row));
      return [...makePendingEntries(this), ...mined];
    });
  }

  /** Returns the transaction with this hash, even if no list has it. */
  findTransaction(hash: string): TransactionEntry | undefined {
    const hasHash = (entry: TransactionEntry) => entry.hash === hash;
    return this.transactions.find(hasHash) ?? this.#unlistedTransactions.find(hasHash);
  }

  get #unlistedTransactions(): readonly TransactionEntry[] {
    return this.#getTable("unlistedTransactions", () => makeUnlistedEntries(this));
  }

  /** Returns the rows of a table that are in one block. */
  getRowsOfBlock<Row extends { readonly block_number: number | null }>(
    table: readonly Row[],
    block: number | null,
  ): readonly Row[] {
    const cached = this.#rowsByBlock.get(table) as ReadonlyMap<number | null, readonly Row[]> | undefined;
    if (cached) return cached.get(block) ?? [];
    const rowsByBlock = new Map<number | null, Row[]>();
    for (const row of table) {
      const rows = rowsByBlock.get(row.block_number);
      if (rows) rows.push(row);
      else rowsByBlock.set(row.block_number, [row]);
    }
    this.#rowsByBlock.set(table, rowsByBlock);
    return rowsByBlock.get(block) ?? [];
  }

  /** Returns the transfers of one transaction, in order. */
  getTransfersOf(block: number | null, index: number | null): TransferRow[] {
    return [this.transfers, this.oversizedBlockTransfers]
      .flatMap((table) => this.getRowsOfBlock(table, block))
      .filter((row) => row.transaction_index === index)
      .sort(compareTransfers);
  }

  /** The listed blocks, unsorted. */
  get blocks(): readonly BlockRow[] {
    return this.#getGrowingTable("blocks", this.#newRows.blocks, () => makeBlocks(this));
  }

  get deposits(): readonly DepositRow[] {
    return this.#getTable("deposits", () => makeDeposits(this));
  }

  get electionRewards(): readonly ElectionRewardRow[] {
    return this.#getTable("electionRewards", () => makeElectionRewards(this));
  }

  get collections(): readonly CollectionRow[] {
    return this.#getTable("collections", () => makeCollections(this));
  }

  get tokenBalances(): readonly TokenBalanceRow[] {
    return this.#getTable("tokenBalances", () => makeTokenBalances(this));
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

  /** Returns a table with the rows of new blocks at its end. It is another array after the chain has grown. */
  #getGrowingTable<Row>(name: string, newRows: readonly Row[], makeTable: () => Row[]): readonly Row[] {
    const table = this.#getTable(name, makeTable);
    if (newRows.length === 0) return table;
    const cached = this.#grownTables.get(name) as readonly Row[] | undefined;
    if (cached?.length === table.length + newRows.length) return cached;
    const grown = [...table, ...newRows];
    this.#grownTables.set(name, grown);
    return grown;
  }

  #getTable<Row>(name: string, makeTable: () => Row[]): readonly Row[] {
    const cached = this.#tables.get(name) as readonly Row[] | undefined;
    if (cached) return cached;
    const table = makeTable();
    this.#tables.set(name, table);
    return table;
  }
}
