// The sample chain: its accounts and tokens, block times and hashes, and tables of records that are generated on first use.

import { Accounts } from "./accounts.js";
import { makeLogs } from "./logs.js";
import { makeBalanceChanges, makeInternalTransactions, makeWithdrawals } from "./native-coin.js";
import { makeNfts } from "./nfts.js";
import { makeOversizedBlockTransfers } from "./oversized-block.js";
import { HEAD_BLOCK } from "./positions.js";
import { createRandom } from "./random.js";
import { makeTokens } from "./tokens.js";
import { makeTransfers } from "./transfers.js";

/** The time of the head block. It is fixed, so that the data do not depend on the clock of the machine. */
const HEAD_TIME_MS = Date.UTC(2026, 10, 1);
const BLOCK_TIME_MS = 12_000;

export class Chain {
  #tables = new Map();

  constructor(seed) {
    this.seed = seed;
    this.tokens = makeTokens(seed);
    this.accounts = new Accounts(seed, this.tokens);
  }

  /** Creates a random generator from the seed of the chain and these parts. */
  createRandom(...seedParts) {
    return createRandom(this.seed, ...seedParts);
  }

  /** The time of a block as ISO 8601 without fraction and zone: lists differ in the fraction that they add. */
  getTimestamp(block) {
    return new Date(HEAD_TIME_MS - (HEAD_BLOCK - block) * BLOCK_TIME_MS).toISOString().slice(0, 19);
  }

  /** The time of a block in Unix seconds. */
  getUnixTime(block) {
    return (HEAD_TIME_MS - (HEAD_BLOCK - block) * BLOCK_TIME_MS) / 1000;
  }

  /** The block at a time in Unix seconds. A fraction means a time between two blocks. */
  getBlockAtTime(seconds) {
    return HEAD_BLOCK + (seconds * 1000 - HEAD_TIME_MS) / BLOCK_TIME_MS;
  }

  getBlockHash(block) {
    return this.createRandom("block", block).nextHex(32);
  }

  getTransactionHash(block, index) {
    return this.createRandom("transaction", block, index).nextHex(32);
  }

  get richList() {
    return this.#getTable("richList", () => this.accounts.makeRichList());
  }

  get transfers() {
    return this.#getTable("transfers", () => makeTransfers(this));
  }

  get oversizedBlockTransfers() {
    return this.#getTable("oversizedBlockTransfers", () => makeOversizedBlockTransfers(this));
  }

  get internalTransactions() {
    return this.#getTable("internalTransactions", () => makeInternalTransactions(this));
  }

  get logs() {
    return this.#getTable("logs", () => makeLogs(this));
  }

  get nfts() {
    return this.#getTable("nfts", () => makeNfts(this));
  }

  get balanceChanges() {
    return this.#getTable("balanceChanges", () => makeBalanceChanges(this));
  }

  get withdrawals() {
    return this.#getTable("withdrawals", () => makeWithdrawals(this));
  }

  #getTable(name, makeTable) {
    if (!this.#tables.has(name)) this.#tables.set(name, makeTable());
    return this.#tables.get(name);
  }
}
