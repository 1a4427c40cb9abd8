// One seeded chain: its blocks and hashes, and the tables of records, each made when first asked for.

import { Accounts } from "./accounts.js";
import { makeBalanceChanges, makeInternalTransactions, makeWithdrawals } from "./coins.js";
import { makeCrowdedTransfers } from "./crowded.js";
import { makeLogs } from "./logs.js";
import { makeNfts } from "./nfts.js";
import { HEAD_BLOCK } from "./places.js";
import { random } from "./random.js";
import { makeTokens } from "./tokens.js";
import { makeTransfers } from "./transfers.js";

/** When the newest block was made. The clock of the machine is never asked. */
const HEAD_TIME = Date.UTC(2026, 10, 1);
const BLOCK_MILLISECONDS = 12_000;

export class Chain {
  #tables = new Map();

  constructor(seed) {
    this.seed = seed;
    this.tokens = makeTokens(seed);
    this.accounts = new Accounts(seed, this.tokens);
  }

  /** A stream of chance of this chain's own. */
  random(...words) {
    return random(this.seed, ...words);
  }

  /** ISO 8601 without fraction and zone: lists differ in the fraction they add. */
  timeOf(block) {
    return new Date(HEAD_TIME - (HEAD_BLOCK - block) * BLOCK_MILLISECONDS).toISOString().slice(0, 19);
  }

  /** The same time in unix seconds. */
  secondsOf(block) {
    return (HEAD_TIME - (HEAD_BLOCK - block) * BLOCK_MILLISECONDS) / 1000;
  }

  /** The block of a time in unix seconds; a fraction lies between two blocks. */
  blockAt(seconds) {
    return HEAD_BLOCK + (seconds * 1000 - HEAD_TIME) / BLOCK_MILLISECONDS;
  }

  blockHash(block) {
    return this.random("block", block).hex(32);
  }

  transactionHash(block, index) {
    return this.random("transaction", block, index).hex(32);
  }

  get richList() {
    return this.#table("richList", () => this.accounts.makeRichList());
  }

  get transfers() {
    return this.#table("transfers", () => makeTransfers(this));
  }

  get crowdedTransfers() {
    return this.#table("crowdedTransfers", () => makeCrowdedTransfers(this));
  }

  get internalTransactions() {
    return this.#table("internalTransactions", () => makeInternalTransactions(this));
  }

  get logs() {
    return this.#table("logs", () => makeLogs(this));
  }

  get nfts() {
    return this.#table("nfts", () => makeNfts(this));
  }

  get balanceChanges() {
    return this.#table("balanceChanges", () => makeBalanceChanges(this));
  }

  get withdrawals() {
    return this.#table("withdrawals", () => makeWithdrawals(this));
  }

  #table(name, make) {
    if (!this.#tables.has(name)) this.#tables.set(name, make());
    return this.#tables.get(name);
  }
}
