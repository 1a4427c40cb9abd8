// The records that the account module lists, by address, token or transaction. Most are sorted from oldest to newest.

import type { BalanceStore } from "../ledger/balances.js";
import { getMinedBlock, MINED_BLOCK_COUNT } from "../ledger/blocks.js";
import type { Chain } from "../ledger/chain.js";
import { createPositionKey, HEAD_BLOCK } from "../ledger/positions.js";
import type {
  InternalTransactionRow,
  PendingTransaction,
  RowList,
  TokenHolding,
  TransactionPosition,
  TransactionRow,
  TransferRow,
} from "../ledger/rows.js";
import { makePendingTransactions } from "../ledger/transactions.js";
import { getOrMake } from "../maps.js";
import type { Direction, Range } from "./account-query.js";

/** The internal transactions of newer blocks are processed for all sample addresses except `lagging`. */
const LAST_PROCESSED_BLOCK = HEAD_BLOCK - 400;

interface LogPosition extends TransactionPosition {
  readonly index: number;
}

/** Internal transactions. `isComplete` is false if some are not processed yet. */
interface InternalTransactions {
  readonly rows: readonly InternalTransactionRow[];
  readonly isComplete: boolean;
}

const compareByPosition = (a: LogPosition, b: LogPosition) =>
  a.block_number - b.block_number || a.transaction_index - b.transaction_index || a.index - b.index;

function concatenate<Row>(first: RowList<Row>, second: RowList<Row>): RowList<Row> {
  const { length } = first;
  return { length: length + second.length, at: (i) => (i < length ? first.at(i) : second.at(i - length)) };
}

export class AccountData {
  readonly #chain: Chain;
  /** Hashes of transactions that cannot be replaced. */
  readonly #transactionHashes = new Map<string, string>();

  constructor(chain: Chain) {
    this.#chain = chain;
  }

  get balances(): BalanceStore {
    return this.#chain.balances;
  }

  /** The number of the newest block. */
  get head(): number {
    return this.#chain.head;
  }

  getTransactions(
    account: string | undefined,
    blockRange: Range,
    timeRange: Range,
    direction: Direction | undefined,
  ): RowList<TransactionRow> {
    const first = Math.max(blockRange.first, Math.ceil(this.#chain.getBlockAtTime(timeRange.first)));
    const last = Math.min(blockRange.last, Math.floor(this.#chain.getBlockAtTime(timeRange.last)));
    const rows = this.#chain.tables
      .getTablesFor(account)
      .transactions.rows.filter(
        ({ block_number, from, to, createdContract }) =>
          block_number >= first &&
          block_number <= last &&
          ((direction !== "to" && from === account) || (direction !== "from" && (to === account || createdContract === account))),
      );
    if (account !== this.#chain.accounts.sampleHashes.deep) return rows;
    // The deep history is computed when it is read.
    return concatenate(rows, this.#chain.deepHistory.getRows(first, last, direction));
  }

  getPendingTransactions(account: string | undefined): PendingTransaction[] {
    return makePendingTransactions(this.#chain, account);
  }

  /** Internal transactions of an address, or of all if undefined. */
  getInternalTransactions(account: string | undefined, { first, last }: Range): InternalTransactions {
    const rows = this.#internalTransactions.filter(
      (row) =>
        row.block_number >= first &&
        row.block_number <= last &&
        !this.#isUnprocessed(row) &&
        (account === undefined || row.from === account || row.to === account || row.created_contract === account),
    );
    const canLag = account === undefined || account === this.#chain.accounts.sampleHashes.lagging;
    return { rows, isComplete: !canLag || first > this.head || last <= LAST_PROCESSED_BLOCK };
  }

  getInternalTransactionsOfTransaction(hash: string | undefined): InternalTransactions {
    const rows = this.#internalTransactions.filter((row) => this.#getTransactionHash(row) === hash);
    const isComplete = !rows.some((row) => this.#isUnprocessed(row));
    return { rows: isComplete ? rows : [], isComplete };
  }

  /** Transfers of tokens of a type, or of all types if undefined. */
  getTransfers(
    tokenType: string | undefined,
    account: string | undefined,
    contract: string | undefined,
    { first, last }: Range,
  ): TransferRow[] {
    return this.#chain.tables
      .getTablesFor(account)
      .transfers.rows.filter(
        (row) =>
          (tokenType === undefined || row.token_type === tokenType) &&
          row.block_number >= first &&
          row.block_number <= last &&
          (contract === undefined || row.token.hash === contract) &&
          (account === undefined || row.from === account || row.to === account),
      );
  }

  getTokenHoldings(account: string | undefined): TokenHolding[] {
    return account === undefined ? [] : this.#chain.tables.getTokenHoldings(account);
  }

  /** Numbers of the blocks that an address produced, newest first. */
  getMinedBlocks(account: string | undefined): RowList<number> {
    const length = account === this.#chain.accounts.sampleHashes.producer ? MINED_BLOCK_COUNT : 0;
    return {
      length,
      at: (i) => getMinedBlock(this.#chain, i),
    };
  }

  get #internalTransactions(): readonly InternalTransactionRow[] {
    const { tables, firstTracedBlock } = this.#chain;
    const rows = tables.internalTransactions.sort(compareByPosition);
    return firstTracedBlock === 0 ? rows : rows.filter(({ block_number }) => block_number >= firstTracedBlock);
  }

  #isUnprocessed({ block_number, from, to }: InternalTransactionRow): boolean {
    const { lagging } = this.#chain.accounts.sampleHashes;
    return block_number > LAST_PROCESSED_BLOCK && (from === lagging || to === lagging);
  }

  #getTransactionHash({ block_number, transaction_index }: TransactionPosition): string {
    const getHash = () => this.#chain.getTransactionHash(block_number, transaction_index);
    if (block_number > HEAD_BLOCK) return getHash();
    return getOrMake(this.#transactionHashes, createPositionKey({ block_number, transaction_index }), getHash);
  }
}
