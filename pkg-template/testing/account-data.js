// What the account module knows: the records of an address, a token or a transaction, oldest first.

import { Balances } from "./balances.js";
import { History } from "./history.js";
import { holdingsOf } from "./holdings.js";
import { HEAD_BLOCK } from "./places.js";
import { pendingTransactionsOf, transactionsOf } from "./transactions.js";

const MINED_BLOCKS = 12_500;
const BLOCKS_PER_TURN = 17;
/** Internal transactions of newer blocks are processed for all samples but one. */
const PROCESSED_BLOCK = HEAD_BLOCK - 400;

const byPlace = (a, b) =>
  a.block_number - b.block_number || a.transaction_index - b.transaction_index || a.index - b.index || a.index_in_batch - b.index_in_batch;
const byLog = (a, b) => a.block_number - b.block_number || a.index - b.index || a.index_in_batch - b.index_in_batch;

export class AccountData {
  #chain;
  #history;
  #tables = new Map();

  constructor(chain) {
    this.#chain = chain;
    this.#history = new History(chain);
    this.balances = new Balances(chain);
    /** The newest block. */
    this.head = HEAD_BLOCK;
  }

  /** Adds blocks, with transactions of the deep history. */
  grow(blocks) {
    this.#history.grow(blocks);
    this.head += blocks;
  }

  /** Rows have a `length` and an `at`; they may not be in memory. */
  transactions(account, blocks, times, direction) {
    const first = Math.max(blocks.first, Math.ceil(this.#chain.blockAt(times.first)));
    const last = Math.min(blocks.last, Math.floor(this.#chain.blockAt(times.last)));
    if (account === this.#chain.accounts.sample.deep) return this.#history.between(first, last, direction);
    return this.#transactions.filter(
      ({ block_number, from, to }) =>
        block_number >= first && block_number <= last && ((direction !== "to" && from === account) || (direction !== "from" && to === account)),
    );
  }

  pendingTransactions(account) {
    return pendingTransactionsOf(this.#chain, account);
  }

  /** Internal transactions of an address, or of all when it is undefined. `isComplete` when none waits to be processed. */
  internalTransactions(account, { first, last }) {
    const { lagging } = this.#chain.accounts.sample;
    const rows = this.#internalTransactions.filter(
      ({ block_number, from, to, created_contract, waits }) =>
        block_number >= first && block_number <= last && !waits && (account === undefined || [from, to, created_contract].includes(account)),
    );
    const isConcerned = account === undefined || account === lagging;
    return { rows, isComplete: !isConcerned || first > this.head || last <= PROCESSED_BLOCK };
  }

  internalTransactionsOf(transactionHash) {
    const rows = this.#internalTransactions.filter((row) => this.#hashOf(row) === transactionHash);
    const isComplete = !rows.some(({ waits }) => waits);
    return { rows: isComplete ? rows : [], isComplete };
  }

  transfers(standard, account, contract, { first, last }) {
    return this.#transfers.filter(
      (row) =>
        row.token_type === standard && row.block_number >= first && row.block_number <= last &&
        (contract === undefined || row.token.hash === contract) && (account === undefined || row.from === account || row.to === account),
    );
  }

  holdings(account) {
    return holdingsOf(this.#chain, account);
  }

  /** Numbers of the blocks an address made, the newest first. */
  minedBlocks(account) {
    const length = account === this.#chain.accounts.sample.producer ? MINED_BLOCKS : 0;
    return { length, at: (turn) => HEAD_BLOCK - 1 - turn * BLOCKS_PER_TURN - this.#chain.random("mined", turn).below(BLOCKS_PER_TURN) };
  }

  get #transfers() {
    return this.#table("transfers", () => [...this.#chain.transfers, ...this.#chain.crowdedTransfers].sort(byLog));
  }

  get #transactions() {
    return this.#table("transactions", () => transactionsOf([...this.#transfers].sort(byPlace)));
  }

  get #internalTransactions() {
    return this.#table("internalTransactions", () => {
      const { lagging } = this.#chain.accounts.sample;
      const waits = ({ block_number, from, to }) => block_number > PROCESSED_BLOCK && (from === lagging || to === lagging);
      return this.#chain.internalTransactions.map((row) => ({ ...row, waits: waits(row) })).sort(byPlace);
    });
  }

  #hashOf({ block_number, transaction_index }) {
    const hashes = this.#table("hashes", () => new Map());
    const place = `${block_number}/${transaction_index}`;
    if (!hashes.has(place)) hashes.set(place, this.#chain.transactionHash(block_number, transaction_index));
    return hashes.get(place);
  }

  #table(name, make) {
    if (!this.#tables.has(name)) this.#tables.set(name, make());
    return this.#tables.get(name);
  }
}
