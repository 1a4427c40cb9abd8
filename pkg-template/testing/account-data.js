// The records that the account module lists, by address, token or transaction. Most are sorted from oldest to newest.
//
// Lists of records are arrays, or objects with `length` and `at(i)` where the records are computed when they are read.

import { BalanceStore } from "./balances.js";
import { DeepHistory } from "./deep-history.js";
import { HEAD_BLOCK } from "./positions.js";
import { makeTokenHoldings } from "./token-holdings.js";
import { deriveTransactions, makePendingTransactions } from "./transactions.js";

const MINED_BLOCK_COUNT = 12_500;
const MINED_BLOCK_GAP = 17;
/** The internal transactions of newer blocks are processed for all sample addresses but `lagging`. */
const LAST_PROCESSED_BLOCK = HEAD_BLOCK - 400;

const compareByPosition = (a, b) =>
  a.block_number - b.block_number || a.transaction_index - b.transaction_index || a.index - b.index || a.index_in_batch - b.index_in_batch;
const compareByLog = (a, b) => a.block_number - b.block_number || a.index - b.index || a.index_in_batch - b.index_in_batch;

export class AccountData {
  #chain;
  #deepHistory;
  #tables = new Map();

  constructor(chain) {
    this.#chain = chain;
    this.#deepHistory = new DeepHistory(chain);
    this.balances = new BalanceStore(chain);
    /** The number of the newest block. */
    this.head = HEAD_BLOCK;
  }

  /** Adds new blocks to the chain, with transactions of the deep history. */
  addBlocks(count) {
    this.#deepHistory.addBlocks(count);
    this.head += count;
  }

  getTransactions(account, blockRange, timeRange, direction) {
    const first = Math.max(blockRange.first, Math.ceil(this.#chain.getBlockAtTime(timeRange.first)));
    const last = Math.min(blockRange.last, Math.floor(this.#chain.getBlockAtTime(timeRange.last)));
    if (account === this.#chain.accounts.sampleHashes.deep) return this.#deepHistory.getRows(first, last, direction);
    return this.#transactions.filter(
      ({ block_number, from, to }) =>
        block_number >= first && block_number <= last && ((direction !== "to" && from === account) || (direction !== "from" && to === account)),
    );
  }

  getPendingTransactions(account) {
    return makePendingTransactions(this.#chain, account);
  }

  /** Internal transactions of an address, or of all if undefined. `isComplete` is false if some are not processed yet. */
  getInternalTransactions(account, { first, last }) {
    const { lagging } = this.#chain.accounts.sampleHashes;
    const rows = this.#internalTransactions.filter(
      ({ block_number, from, to, created_contract, isUnprocessed }) =>
        block_number >= first && block_number <= last && !isUnprocessed &&
        (account === undefined || [from, to, created_contract].includes(account)),
    );
    const canLag = account === undefined || account === lagging;
    return { rows, isComplete: !canLag || first > this.head || last <= LAST_PROCESSED_BLOCK };
  }

  getInternalTransactionsOfTransaction(hash) {
    const rows = this.#internalTransactions.filter((row) => this.#getTransactionHash(row) === hash);
    const isComplete = !rows.some(({ isUnprocessed }) => isUnprocessed);
    return { rows: isComplete ? rows : [], isComplete };
  }

  getTransfers(tokenType, account, contract, { first, last }) {
    return this.#transfers.filter(
      (row) =>
        row.token_type === tokenType && row.block_number >= first && row.block_number <= last &&
        (contract === undefined || row.token.hash === contract) && (account === undefined || row.from === account || row.to === account),
    );
  }

  getTokenHoldings(account) {
    return makeTokenHoldings(this.#chain, account);
  }

  /** Numbers of the blocks that an address produced, newest first. */
  getMinedBlocks(account) {
    const length = account === this.#chain.accounts.sampleHashes.producer ? MINED_BLOCK_COUNT : 0;
    return { length, at: (i) => HEAD_BLOCK - 1 - i * MINED_BLOCK_GAP - this.#chain.createRandom("mined", i).nextInt(MINED_BLOCK_GAP) };
  }

  get #transfers() {
    return this.#getTable("transfers", () => [...this.#chain.transfers, ...this.#chain.oversizedBlockTransfers].sort(compareByLog));
  }

  get #transactions() {
    return this.#getTable("transactions", () => deriveTransactions([...this.#transfers].sort(compareByPosition)));
  }

  get #internalTransactions() {
    return this.#getTable("internalTransactions", () => {
      const { lagging } = this.#chain.accounts.sampleHashes;
      const isUnprocessed = ({ block_number, from, to }) => block_number > LAST_PROCESSED_BLOCK && (from === lagging || to === lagging);
      return this.#chain.internalTransactions.map((row) => ({ ...row, isUnprocessed: isUnprocessed(row) })).sort(compareByPosition);
    });
  }

  #getTransactionHash({ block_number, transaction_index }) {
    const hashes = this.#getTable("hashes", () => new Map());
    const position = `${block_number}/${transaction_index}`;
    if (!hashes.has(position)) hashes.set(position, this.#chain.getTransactionHash(block_number, transaction_index));
    return hashes.get(position);
  }

  #getTable(name, makeTable) {
    if (!this.#tables.has(name)) this.#tables.set(name, makeTable());
    return this.#tables.get(name);
  }
}
