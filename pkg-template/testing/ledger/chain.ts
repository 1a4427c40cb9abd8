// The sample chain: its accounts and tokens, block times and hashes, and tables of records that are generated on first use.

import { createRandom, type Random, type SeedPart } from "../random.js";
import { Accounts } from "./accounts.js";
import { makePoisoningTransfers } from "./address-poisoning.js";
import { BalanceStore } from "./balances.js";
import { makeBlocks } from "./blocks.js";
import { computeBalance, makeBalanceChanges, makeFundings } from "./coin-balances.js";
import { DeepHistory } from "./deep-history.js";
import { type EventfulBlock, makeEventfulBlock } from "./eventful-block.js";
import { type LedgerEvent, makeEvents } from "./events.js";
import { type LogRow, makeLogs } from "./logs.js";
import { makeInternalTransactions, makeWithdrawals } from "./native-coin.js";
import { addNewBlock, createNewRows, removeNewBlocks } from "./new-blocks.js";
import { makeNfts } from "./nfts.js";
import { makeOversizedBlockTransfers } from "./oversized-block.js";
import { makeParentTransactions } from "./parent-transactions.js";
import { compareTransactions, HEAD_BLOCK } from "./positions.js";
import { makeRichList } from "./rich-list.js";
import type {
  BalanceChangeRow,
  BlockRow,
  DepositRow,
  ElectionRewardRow,
  EventTables,
  InternalTransactionRow,
  NftRow,
  RichListRow,
  TokenBalanceRow,
  TransactionPosition,
  TransactionRow,
  TransferRow,
  WithdrawalRow,
} from "./rows.js";
import { makeDeposits, makeElectionRewards } from "./staking.js";
import { type CollectionRow, makeCollections, makeInitialHoldings, makeTokenBalances } from "./token-holdings.js";
import { type BlockPosition, TableCache } from "./table-cache.js";
import { mergeBatchTransfers, settleTransfers } from "./token-ledger.js";
import { makeTokens, type Tokens } from "./tokens.js";
import { makePendingEntries, TransactionEntry } from "./transaction-entries.js";
import { deriveTransactions } from "./transactions.js";
import { makeTransferDrafts } from "./transfers.js";

/** The time of the head block. It is fixed, so that the data do not depend on the clock of the machine. */
const HEAD_TIME_MS = Date.UTC(2026, 10, 1);
const BLOCK_TIME_MS = 12_000;
const MAX_BASE_FEE = 900_000_000;
const VALIDATORS_START = 1000;
const VALIDATOR_COUNT = 40;

const compareTransfers = (a: TransferRow, b: TransferRow) =>
  compareTransactions(a, b) || a.index - b.index || a.index_in_batch - b.index_in_batch;

/** The chain of one service. It can grow, and its new blocks can be replaced. */
export class Chain {
  readonly seed: number;
  readonly tokens: Tokens;
  readonly accounts: Accounts;
  readonly balances: BalanceStore;
  readonly deepHistory: DeepHistory;
  readonly #newRows = createNewRows();
  readonly #replacedBlocks: BlockRow[] = [];
  /** How many times a block was replaced, by its number. */
  readonly #forkNumbers = new Map<number, number>();
  readonly #tables = new TableCache();
  #eventfulBlock: EventfulBlock | undefined;

  constructor(seed: number) {
    this.seed = seed;
    this.tokens = makeTokens(seed);
    this.accounts = new Accounts(seed, this.tokens);
    this.balances = new BalanceStore(this);
    this.deepHistory = new DeepHistory(this);
  }

  /** The rows of the blocks that were added to the chain. */
  get addedTables(): EventTables {
    return this.#newRows;
  }

  /** The number of the newest block. */
  get head(): number {
    return HEAD_BLOCK + this.addedTables.blocks.length;
  }

  /** Adds new blocks to the chain. */
  addBlocks(count: number): void {
    if (count === 0) return;
    this.#tables.clearCurrent();
    this.deepHistory.addBlocks(count);
    for (let i = 0; i < count; i++) addNewBlock(this, this.head + 1, this.#newRows);
  }

  /** Replaces the newest blocks, which must have been added, with other ones. */
  replaceBlocks(count: number): void {
    if (count === 0) return;
    const first = this.head - count + 1;
    const hashes = new Map(Array.from({ length: count }, (_, i) => [first + i, this.getBlockHash(first + i)]));
    for (const block of removeNewBlocks(first, this.#newRows)) {
      const { block_number } = block;
      this.#replacedBlocks.push({ ...block, type: "reorg", replacedHash: hashes.get(block_number) ?? "" });
      this.#forkNumbers.set(block_number, this.getForkNumber(block_number) + 1);
    }
    this.deepHistory.addBlocks(-count);
    this.addBlocks(count);
  }

  /** Returns how many times a block was replaced. */
  getForkNumber(block: number): number {
    return this.#forkNumbers.get(block) ?? 0;
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
    return this.createRandom("block", ...this.#createBlockSeed(block)).nextHex(32);
  }

  getTransactionHash(block: number, index: number): string {
    return this.createRandom("transaction", ...this.#createBlockSeed(block), index).nextHex(32);
  }

  #createBlockSeed(block: number): readonly SeedPart[] {
    const fork = this.getForkNumber(block);
    return fork === 0 ? [block] : [block, `fork ${fork}`];
  }

  /** The base fee of a block for one unit of gas, in wei. It is below the gas price of all transactions. */
  getBaseFee(block: number): number {
    return MAX_BASE_FEE - this.createRandom("base fee", block).nextInt(MAX_BASE_FEE / 2);
  }

  get richList(): readonly RichListRow[] {
    return this.#getTable("richList", () => makeRichList(this));
  }

  /** A block with every kind of event. */
  get eventfulBlock(): EventfulBlock {
    this.#eventfulBlock ??= makeEventfulBlock(this);
    return this.#eventfulBlock;
  }

  /** The transfers except those of the token with an oversized block, oldest first. */
  get ordinaryTransfers(): readonly TransferRow[] {
    return this.#getGrowingTable("ordinaryTransfers", this.#newRows.transfers, () => {
      const drafts = [...makeTransferDrafts(this), ...this.eventfulBlock.transfers];
      const settled = settleTransfers(this, drafts, makeInitialHoldings(this));
      return [...settled, ...makePoisoningTransfers(this, settled)].sort(compareTransfers);
    });
  }

  /** The transfers of the token with an oversized block, oldest first. */
  get oversizedBlockTransfers(): readonly TransferRow[] {
    return this.#getTable("oversizedBlockTransfers", () => makeOversizedBlockTransfers(this));
  }

  /** All transfers, oldest first. */
  get transfers(): readonly TransferRow[] {
    return this.#getGrowingTable("transfers", this.#newRows.transfers, () =>
      [...this.getBaseTable(this.ordinaryTransfers), ...this.oversizedBlockTransfers].sort(compareTransfers),
    );
  }

  /** Returns a table that has all transfers of an address, oldest first. */
  getTransfersFor(account: string | undefined): readonly TransferRow[] {
    return this.#isOrdinary(account) ? this.ordinaryTransfers : this.transfers;
  }

  /** Returns a table like `getTransfersFor`, as the REST API lists transfers. */
  getMergedTransfersFor(account: string | undefined): readonly TransferRow[] {
    const table = this.getTransfersFor(account);
    const name = this.#isOrdinary(account) ? "ordinaryMergedTransfers" : "mergedTransfers";
    return this.#getGrowingTable(name, this.#newRows.transfers, () => mergeBatchTransfers(this.getBaseTable(table)));
  }

  /** Whether an address is a sample address that occurs neither in the deep history nor in transfers of the oversized token. */
  #isOrdinary(account: string | undefined): boolean {
    const { deep, distributor, oversized } = this.accounts.sampleHashes;
    return account !== undefined && this.accounts.isSample(account) && ![deep, distributor, oversized].includes(account);
  }

  get internalTransactions(): readonly InternalTransactionRow[] {
    return this.#getGrowingTable("internalTransactions", this.#newRows.internalTransactions, () => [
      ...makeInternalTransactions(this),
      ...this.eventfulBlock.internalTransactions,
    ]);
  }

  /** The mined transactions of the initial chain for `ordinaryTransfers` and all other records, oldest first. */
  get #ordinaryTransactions(): readonly TransactionRow[] {
    return this.#getTable("ordinaryTransactions", () => {
      const transfers = this.getBaseTable(this.ordinaryTransfers);
      const internalTransactions = this.getBaseTable(this.internalTransactions);
      const { withdrawals } = this;
      const known = [...deriveTransactions(transfers), ...this.eventfulBlock.transactions];
      const transactions = [...known, ...makeParentTransactions(this, internalTransactions, known)];
      const fundings = makeFundings(this, { transactions, transfers, internalTransactions, withdrawals, blocks: [] });
      return [...transactions, ...fundings].sort(compareTransactions);
    });
  }

  /** The mined transactions except those of the deep history, oldest first. */
  get #shallowTransactions(): readonly TransactionRow[] {
    return this.#getTable("shallowTransactions", () =>
      [...this.#ordinaryTransactions, ...deriveTransactions(this.oversizedBlockTransfers)].sort(compareTransactions),
    );
  }

  /** All mined transactions, oldest first. */
  get #minedTransactions(): readonly TransactionRow[] {
    return this.#getGrowingTable("minedTransactions", this.#newRows.transactions, () =>
      [...this.#shallowTransactions, ...this.#makeDeepRows()].sort(compareTransactions),
    );
  }

  /** Returns a table that has all mined transactions of an address, oldest first, except the deep history of `deep`. */
  getTransactionsFor(account: string | undefined): readonly TransactionRow[] {
    if (this.#isOrdinary(account)) return this.#ordinaryTransactions;
    const isSample = account !== undefined && this.accounts.isSample(account);
    return isSample ? this.#shallowTransactions : this.#minedTransactions;
  }

  #makeDeepRows(): TransactionRow[] {
    const rows = this.deepHistory.getRows(0, HEAD_BLOCK, undefined);
    return Array.from({ length: rows.length }, (_, i) => rows.at(i)).filter((row) => row !== undefined);
  }

  /** All listed transactions, unsorted: pending and mined. */
  get transactions(): readonly TransactionEntry[] {
    return this.#getGrowingTable(
      "transactions",
      () => this.#createEntries(this.#newRows.transactions),
      () => [...this.getEntriesFor(this.accounts.sampleHashes.distributor), ...this.#createEntries(this.#makeDeepRows())],
    );
  }

  /** Returns a table that has all listed transactions of an address, unsorted. */
  getEntriesFor(account: string | undefined): readonly TransactionEntry[] {
    const { distributor, oversized } = this.accounts.sampleHashes;
    const isShallow = account === distributor || account === oversized;
    if (!isShallow && !this.#isOrdinary(account)) return this.transactions;
    const name = isShallow ? "shallowEntries" : "ordinaryEntries";
    return this.#getTable(name, () => [...makePendingEntries(this), ...this.#createEntries(this.getTransactionsFor(account))]);
  }

  #createEntries(rows: readonly TransactionRow[]): TransactionEntry[] {
    return rows.map((row) => TransactionEntry.fromMined(this, row));
  }

  /** Returns the transaction with this hash. */
  findTransaction(hash: string): TransactionEntry | undefined {
    return this.transactions.find((entry) => entry.hash === hash);
  }

  /** Returns the mined transaction that a record belongs to. */
  getTransactionOf({ block_number, transaction_index }: TransactionPosition): TransactionRow | undefined {
    const isNew = block_number > HEAD_BLOCK;
    const rows = isNew ? this.#newRows.transactions : this.getRowsOfBlock(this.#shallowTransactions, block_number);
    return rows.find((row) => row.block_number === block_number && row.transaction_index === transaction_index);
  }

  /** Returns the rows of a table that are in one block. */
  getRowsOfBlock<Row extends BlockPosition>(table: readonly Row[], block: number | null): readonly Row[] {
    return this.#tables.getRowsOfBlock(table, block);
  }

  /** Returns the transfers of one transaction, in order. */
  getTransfersOf(block: number | null, index: number | null): TransferRow[] {
    return this.getRowsOfBlock(this.getMergedTransfersFor(undefined), block).filter((row) => row.transaction_index === index);
  }

  /** The listed blocks, unsorted. */
  get blocks(): readonly BlockRow[] {
    return this.#getGrowingTable(
      "blocks",
      () => [...this.#newRows.blocks, ...this.#replacedBlocks],
      () => makeBlocks(this),
    );
  }

  /** What the producer of a block earns: the part of the fees that is not burnt, in wei. */
  getBlockReward(block: number): bigint {
    const baseFee = BigInt(this.getBaseFee(block));
    return this.getRowsOfBlock(this.transactions, block).reduce(
      (sum, { fee, content }) => sum + fee - baseFee * (content.gasUsed ?? 0n),
      0n,
    );
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
    return this.#tables.getOrMakeCurrent("tokenBalances", () => makeTokenBalances(this));
  }

  get logs(): readonly LogRow[] {
    return this.#getTable("logs", () => makeLogs(this));
  }

  get nfts(): readonly NftRow[] {
    return this.#getTable("nfts", () => makeNfts(this));
  }

  get withdrawals(): readonly WithdrawalRow[] {
    return this.#getTable("withdrawals", () => makeWithdrawals(this, this.eventfulBlock.block_number));
  }

  /** The balance history of an address, oldest first. */
  getBalanceChanges(account: string): readonly BalanceChangeRow[] {
    const name = `balanceChanges/${account}`;
    return this.#tables.getOrMakeCurrent(name, () => {
      const initial = this.#getTable(name, () => makeBalanceChanges(this, account, this.#getInitialTablesFor(account)));
      return [...initial, ...makeBalanceChanges(this, account, this.addedTables, initial.at(-1)?.value)];
    });
  }

  /** The current balance of an address, in wei. */
  getCoinBalance(account: string): bigint {
    const compute = (tables: EventTables) => computeBalance(this, account, tables);
    const [initial = 0n] = this.#getTable(`balance/${account}`, () => [compute(this.#getInitialTablesFor(account))]);
    return initial + compute(this.addedTables);
  }

  /** Everything that happened to an address, oldest first. */
  getEvents(account: string, fromBlock = 0): LedgerEvent[] {
    const tables = fromBlock > HEAD_BLOCK ? [this.addedTables] : [this.#getInitialTablesFor(account), this.addedTables];
    return tables.flatMap((rows) => makeEvents(this, account, rows)).filter(({ block_number }) => block_number >= fromBlock);
  }

  /** The rows of the initial chain, with all those of an address. */
  #getInitialTablesFor(account: string): EventTables {
    const { deep, producer } = this.accounts.sampleHashes;
    const deepRows = account === deep ? this.#makeDeepRows() : [];
    // The other sample addresses do not produce blocks.
    const blocks = account === producer || !this.accounts.isSample(account) ? this.getBaseTable(this.blocks) : [];
    return {
      transactions: [...this.getBaseTable(this.getTransactionsFor(account)), ...deepRows],
      internalTransactions: this.getBaseTable(this.internalTransactions),
      transfers: this.getBaseTable(this.getTransfersFor(account)),
      withdrawals: this.withdrawals,
      blocks: blocks.filter(({ type, miner }) => type === "block" && miner === account),
    };
  }

  /** Returns the table without the rows of new blocks at its end. */
  getBaseTable<Row extends object>(table: readonly Row[]): readonly Row[] {
    return this.#tables.getBase(table);
  }

  /** Returns a table with the rows of new blocks at its end. It is another array after the chain has changed. */
  #getGrowingTable<Row extends object>(
    name: string,
    newRows: readonly Row[] | (() => readonly Row[]),
    makeTable: () => Row[],
  ): readonly Row[] {
    const table = this.#tables.getOrMake(name, makeTable);
    return this.addedTables.blocks.length === 0 ? table : this.#tables.getExtended(name, table, newRows);
  }

  #getTable<Row>(name: string, makeTable: () => Row[]): readonly Row[] {
    return this.#tables.getOrMake(name, makeTable);
  }
}
